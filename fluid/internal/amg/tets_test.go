package amg

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// stretch maps the unit lattice to a graded one: a place at a distance r of the middle goes to r·(1 - amount·(1 - r/radius)) of it, so that edges are
// 1-amount at the middle of what they are at the rim, and by up to 1+amount as long there.
type stretch struct{ radius, amount float64 }

func (s stretch) place(p r3.Vec) r3.Vec {
	return r3.Scale(1-s.amount*(1-r3.Norm(p)/s.radius), p)
}

// tetrahedron is its four corners, in halves of the lattice's edge.
type tetrahedron [4][3]int

// latticeBall returns the tetrahedra of the body-centred cubic lattice whose middles lie in a ball about the origin, by blocks of eight cubes an edge
// and in each by cubes. One stands on two adjacent centres of cubes and on an edge of the square between.
func latticeBall(radius float64) (all []tetrahedron) {
	const block = 8
	n := int(math.Ceil(radius)) + 1
	lo := -(n + block - 1) / block * block
	visitBlocks := func(visit func(x, y, z int)) {
		for z := lo; z < n; z += block {
			for y := lo; y < n; y += block {
				for x := lo; x < n; x += block {
					visit(x, y, z)
				}
			}
		}
	}
	visitBlocks(func(bx, by, bz int) {
		for i := range block * block * block {
			centre := [3]int{2*(bx+i%block) + 1, 2*(by+i/block%block) + 1, 2*(bz+i/block/block) + 1}
			for axis := range 3 {
				for side := range 4 {
					t := squareTet(centre, axis, side)
					if r3.Norm(t.middle(stretch{1, 0})) < radius {
						all = append(all, t)
					}
				}
			}
		}
	})
	return all
}

// squareTet returns the tetrahedron on a cube's centre, that of the next one along an axis, and one of the four edges of the square between.
func squareTet(centre [3]int, axis, side int) (t tetrahedron) {
	turn := [4][2]int{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	for k := range t {
		t[k] = centre
	}
	t[1][axis] += 2
	for k := range 2 {
		at := turn[(side+k)%4]
		t[2+k][axis]++
		t[2+k][(axis+1)%3] += at[0]
		t[2+k][(axis+2)%3] += at[1]
	}
	return t
}

func corner(c [3]int, s stretch) r3.Vec {
	return s.place(r3.Vec{X: float64(c[0]) / 2, Y: float64(c[1]) / 2, Z: float64(c[2]) / 2})
}

// middle returns the mean of the corners.
func (t *tetrahedron) middle(s stretch) (m r3.Vec) {
	for _, c := range t {
		m = r3.Add(m, r3.Scale(.25, corner(c, s)))
	}
	return m
}

// tetMatrix returns the matrix of pressures at the middles of a ball's tetrahedra, area over distance of two middles along the normal (Chentanez et
// al. 2007 eq. 8, without the volume). On the ball's surface the pressure is zero at its faces; below a height of its middle walls are there in place
// of it.
func tetMatrix(radius, amount, walls float64) (m Matrix, middles []r3.Vec) {
	s := stretch{radius, amount}
	tets := latticeBall(radius)
	type side struct{ tet, face int32 }
	sides := make(map[[9]int]side, 2*len(tets))
	rows, diag := make([][]element, len(tets)), make([]float64, len(tets))
	for i := range tets {
		middles = append(middles, tets[i].middle(s))
	}
	for i := range tets {
		for f := range 4 {
			key := faceKey(&tets[i], f)
			other, met := sides[key]
			if !met {
				sides[key] = side{int32(i), int32(f)}
				continue
			}
			delete(sides, key)
			area, normal := faceOf(&tets[i], f, s)
			v := area / math.Abs(r3.Dot(normal, r3.Sub(middles[i], middles[other.tet])))
			diag[i] += v
			diag[other.tet] += v
			rows[i] = append(rows[i], element{other.tet, -v})
			rows[other.tet] = append(rows[other.tet], element{int32(i), -v})
		}
	}
	for _, at := range sides {
		t := &tets[at.tet]
		area, normal := faceOf(t, int(at.face), s)
		on := corner(t[(at.face+1)%4], s)
		if on.Y >= walls {
			diag[at.tet] += area / math.Abs(r3.Dot(normal, r3.Sub(middles[at.tet], on)))
		}
	}
	return pack(rows, diag), middles
}

// faceKey returns the corners of the face opposite a corner, in one order.
func faceKey(t *tetrahedron, opposite int) (key [9]int) {
	var c [][3]int
	for k := range t {
		if k != opposite {
			c = append(c, t[k])
		}
	}
	less := func(a, b [3]int) bool {
		for d := range a {
			if a[d] != b[d] {
				return a[d] < b[d]
			}
		}
		return false
	}
	for i := range c {
		for j := range i {
			if less(c[i], c[j]) {
				c[i], c[j] = c[j], c[i]
			}
		}
	}
	for i := range c {
		copy(key[3*i:], c[i][:])
	}
	return key
}

func faceOf(t *tetrahedron, opposite int, s stretch) (area float64, normal r3.Vec) {
	a, b, c := corner(t[(opposite+1)%4], s), corner(t[(opposite+2)%4], s), corner(t[(opposite+3)%4], s)
	n := reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a))
	return r3.Norm(n) / 2, r3.Unit(n)
}

// vertexMatrix returns the matrix of pressures at the lattice's vertices in a ball, area over distance of the Voronoi cells' faces: 3/8 across hexagons and 1/8
// across squares, in edges. Beyond the ball the pressure is zero at its surface; below a height walls are there in place of it.
func vertexMatrix(radius, walls float64) (m Matrix, places []r3.Vec) {
	at := map[[3]int]int32{}
	var all [][3]int
	add := func(x, y, z int) {
		c := [3]int{x, y, z}
		if r3.Norm(corner(c, stretch{1, 0})) < radius {
			at[c] = int32(len(all))
			all = append(all, c)
		}
	}
	const block = 8
	n := (int(radius) + block) / block * block
	for b := range (2 * n / block) * (2 * n / block) * (2 * n / block) {
		k := 2 * n / block
		bx, by, bz := 2*(b%k*block-n), 2*(b/k%k*block-n), 2*(b/k/k*block-n)
		for i := range block * block * block {
			x, y, z := bx+2*(i%block), by+2*(i/block%block), bz+2*(i/block/block)
			add(x, y, z)
			add(x+1, y+1, z+1)
		}
	}
	rows, diag := make([][]element, len(all)), make([]float64, len(all))
	for i, c := range all {
		places = append(places, corner(c, stretch{1, 0}))
		for _, step := range latticeSteps() {
			to := [3]int{c[0] + step[0], c[1] + step[1], c[2] + step[2]}
			v := .375
			if step[0] == 0 || step[1] == 0 {
				v = .125
			}
			j, ok := at[to]
			if ok {
				rows[i] = append(rows[i], element{j, -v})
				diag[i] += v
				continue
			}
			if places[i].Y < walls {
				continue
			}
			inner, outer := radius-r3.Norm(places[i]), r3.Norm(corner(to, stretch{1, 0}))-radius
			diag[i] += v / max(1e-7, inner/(inner+outer))
		}
	}
	return pack(rows, diag), places
}

// latticeSteps returns the way to the fourteen neighbours of a vertex, in halves of an edge.
func latticeSteps() (all [][3]int) {
	for i := range 8 {
		all = append(all, [3]int{2*(i&1) - 1, i&2 - 1, i&4/2 - 1})
	}
	for axis := range 3 {
		for _, s := range [2]int{-2, 2} {
			var step [3]int
			step[axis] = s
			all = append(all, step)
		}
	}
	return all
}

// forces returns a right-hand side like a step's.
func forces(places []r3.Vec, radius float64) []float64 {
	b := noise(len(places))
	for i, p := range places {
		x, y, z := p.X/radius, p.Y/radius, p.Z/radius
		b[i] = .3*b[i] + math.Sin(2.5*x+2)*math.Cos(2*y) + math.Sin(2*z*y)
	}
	return b
}
