package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// soup is closed surfaces as a list.
type soup struct {
	position  []r3.Vec
	triangles [][3]int32
}

// mesh is that of the surfaces, with one label.
func (s *soup) mesh(label int32) *Mesh {
	m := new(Mesh)
	m.Set(s.position, s.triangles, label)
	return m
}

// meshOf is the mesh of some surfaces, with label 0.
func meshOf(surfaces ...soup) *Mesh {
	var all soup
	for _, s := range surfaces {
		all.add(s, r3.Vec{}, false)
	}
	return all.mesh(0)
}

// addTo adds the surfaces to a mesh.
func (s soup) addTo(m *Mesh, label int32) {
	first := int32(len(m.Position))
	for _, x := range s.position {
		m.AddVertex(x, 0)
	}
	for _, v := range s.triangles {
		m.AddTriangle(first+v[0], first+v[1], first+v[2], label)
	}
	m.Compact()
}

// add joins another shape, moved, and turned inside out if it is a cavity.
func (s *soup) add(o soup, by r3.Vec, cavity bool) *soup {
	n := int32(len(s.position))
	for _, x := range o.position {
		s.position = append(s.position, r3.Add(x, by))
	}
	for _, v := range o.triangles {
		if cavity {
			v[1], v[2] = v[2], v[1]
		}
		s.triangles = append(s.triangles, [3]int32{v[0] + n, v[1] + n, v[2] + n})
	}
	return s
}

// vertex is the number of a place, which is new if no vertex is there.
func (s *soup) vertex(at map[r3.Vec]int32, x r3.Vec) int32 {
	if v, ok := at[x]; ok {
		return v
	}
	at[x] = int32(len(s.position))
	s.position = append(s.position, x)
	return at[x]
}

// icosphere is an icosahedron whose triangles are each divided into n², on a sphere: 10 n² + 2 vertices.
func icosphere(centre r3.Vec, radius float64, n int) (s soup) {
	g := (1 + math.Sqrt(5)) / 2
	corners := []r3.Vec{
		{X: -1, Y: g}, {X: 1, Y: g}, {X: -1, Y: -g}, {X: 1, Y: -g}, {Y: -1, Z: g}, {Y: 1, Z: g},
		{Y: -1, Z: -g}, {Y: 1, Z: -g}, {X: g, Z: -1}, {X: g, Z: 1}, {X: -g, Z: -1}, {X: -g, Z: 1},
	}
	faces := [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	number := map[[3]int64]int32{} // by rounded places
	place := func(x r3.Vec) int32 {
		x = reproducible.Unit(x)
		key := [3]int64{int64(math.Round(x.X * 1e6)), int64(math.Round(x.Y * 1e6)), int64(math.Round(x.Z * 1e6))}
		if _, ok := number[key]; !ok {
			number[key] = int32(len(s.position))
			s.position = append(s.position, r3.Add(centre, reproducible.Scale(radius, x)))
		}
		return number[key]
	}
	for _, f := range faces {
		a, b, c := corners[f[0]], corners[f[1]], corners[f[2]]
		at := func(i, j int) int32 {
			x := r3.Add(reproducible.Scale(float64(n-i-j), a), r3.Add(reproducible.Scale(float64(i), b), reproducible.Scale(float64(j), c)))
			return place(x)
		}
		for i := range n {
			for j := range n - i {
				s.triangles = append(s.triangles, [3]int32{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < n-1 {
					s.triangles = append(s.triangles, [3]int32{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return s
}

// divided divides each triangle into four.
func divided(s soup) soup {
	d := soup{position: append([]r3.Vec(nil), s.position...)}
	between := map[[2]int32]int32{}
	middle := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, is := between[key]; !is {
			between[key] = int32(len(d.position))
			d.position = append(d.position, reproducible.Scale(.5, r3.Add(s.position[a], s.position[b])))
		}
		return between[key]
	}
	for _, v := range s.triangles {
		a, b, c := middle(v[0], v[1]), middle(v[1], v[2]), middle(v[2], v[0])
		d.triangles = append(d.triangles, [3]int32{v[0], a, c}, [3]int32{v[1], b, a}, [3]int32{v[2], c, b}, [3]int32{a, b, c})
	}
	return d
}

// dividedBox is a box of twelve triangles around the origin, each divided into four a number of times.
func dividedBox(size r3.Vec, divisions int) soup {
	var s soup
	for c := range 8 {
		s.position = append(s.position, r3.Vec{X: size.X * (float64(c&1) - .5), Y: size.Y * (float64(c>>1&1) - .5), Z: size.Z * (float64(c>>2) - .5)})
	}
	for _, q := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		s.triangles = append(s.triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	for range divisions {
		s = divided(s)
	}
	return s
}

// cuboid is a box with its sides in squares of two triangles.
func cuboid(low, size r3.Vec, n [3]int) (s soup) {
	number := map[[3]int]int32{}
	at := func(p [3]int) int32 {
		if v, ok := number[p]; ok {
			return v
		}
		s.position = append(s.position, r3.Add(low, r3.Vec{X: size.X * float64(p[0]) / float64(n[0]), Y: size.Y * float64(p[1]) / float64(n[1]), Z: size.Z * float64(p[2]) / float64(n[2])}))
		number[p] = int32(len(s.position) - 1)
		return number[p]
	}
	for axis := range 3 {
		u, w := (axis+1)%3, (axis+2)%3
		for i := range n[u] {
			for j := range n[w] {
				for side := range 2 {
					var p [4][3]int
					for k, c := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						p[k][axis], p[k][u], p[k][w] = side*n[axis], i+c[0], j+c[1]
					}
					a, b, c, d := at(p[0]), at(p[1]), at(p[2]), at(p[3])
					if side == 0 {
						b, d = d, b
					}
					s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
				}
			}
		}
	}
	return s
}

// closedGrid is a surface of nu × nv places, closed in both directions.
func closedGrid(nu, nv int, at func(i, j int) r3.Vec) (s soup) {
	for i := range nu {
		for j := range nv {
			s.position = append(s.position, at(i, j))
			a, b := int32(i*nv+j), int32((i+1)%nu*nv+j)
			c, d := int32((i+1)%nu*nv+(j+1)%nv), int32(i*nv+(j+1)%nv)
			s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return s
}

// torusAround lies around the z axis through its centre.
func torusAround(centre r3.Vec, large, small float64, nu, nv int) (s soup) {
	return closedGrid(nu, nv, func(i, j int) r3.Vec {
		su, cu := math.Sincos(2 * math.Pi * float64(i) / float64(nu))
		sv, cv := math.Sincos(2 * math.Pi * float64(j) / float64(nv))
		r := large + small*cv
		return r3.Add(centre, r3.Vec{X: r * cu, Y: r * su, Z: small * sv})
	})
}

// revolved is a solid of revolution about x, of rings of k vertices with a tip at either end.
func revolved(x, radius []float64, k int, tips [2]float64) (s soup) {
	for i := range x {
		for j := range k {
			u, w := math.Sincos(2 * math.Pi * (float64(j) + 0.5*float64(i%2)) / float64(k))
			s.position = append(s.position, r3.Vec{X: x[i], Y: radius[i] * w, Z: radius[i] * u})
		}
	}
	n := int32(len(x))
	low, high := int32(len(s.position)), int32(len(s.position)+1)
	s.position = append(s.position, r3.Vec{X: tips[0]}, r3.Vec{X: tips[1]})
	for j := range int32(k) {
		next := (j + 1) % int32(k)
		s.triangles = append(s.triangles, [3]int32{low, next, j}, [3]int32{high, (n-1)*int32(k) + j, (n-1)*int32(k) + next})
		for i := range n - 1 {
			a, b := i*int32(k)+j, i*int32(k)+next
			c, d := a+int32(k), b+int32(k)
			if i%2 == 0 {
				s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{b, d, c})
			} else {
				s.triangles = append(s.triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
			}
		}
	}
	return s
}

// slab is a slab with its lowest corner there, of n × n squares, with a top, a bottom and walls between.
func slab(corner r3.Vec, side, thickness float64, n int) (s soup) {
	k := int32(n + 1)
	for layer := range 2 {
		for i := range n + 1 {
			for j := range n + 1 {
				h := side / float64(n)
				s.position = append(s.position, r3.Add(corner, r3.Vec{X: h * float64(i), Y: h * float64(j), Z: thickness * float64(layer)}))
			}
		}
	}
	quad := func(a, b, c, d int32) { s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{a, c, d}) }
	up := k * k
	for i := range int32(n) {
		for j := range int32(n) {
			a, b, c, d := i*k+j, (i+1)*k+j, (i+1)*k+j+1, i*k+j+1
			quad(up+a, up+b, up+c, up+d)
			quad(d, c, b, a)
		}
		last := int32(n)
		wall := func(a, b int32) { quad(a, b, up+b, up+a) }
		wall(i*k, (i+1)*k)
		wall((i+1)*k+last, i*k+last)
		wall(i+1, i)
		wall(last*k+i, last*k+i+1)
	}
	return s
}

// halfBall is half a sphere on the plane z = 0, with a lid of triangles from its middle.
func halfBall(radius float64, rings, sectors int) soup {
	s := soup{position: []r3.Vec{{Z: radius}, {}}}
	for i := 1; i <= rings; i++ {
		r, z := math.Sincos(math.Pi / 2 * float64(i) / float64(rings))
		for j := range sectors {
			y, x := math.Sincos(2 * math.Pi * (float64(j) + .5*float64(i%2)) / float64(sectors))
			if i == rings {
				z = 0
			}
			s.position = append(s.position, r3.Vec{X: radius * r * x, Y: radius * r * y, Z: radius * z})
		}
	}
	at := func(i, j int) int32 { return int32(2 + (i-1)*sectors + (j+sectors)%sectors) }
	for j := range sectors {
		s.triangles = append(s.triangles, [3]int32{0, at(1, j), at(1, j+1)}, [3]int32{1, at(rings, j+1), at(rings, j)})
		for i := 1; i < rings; i++ {
			if i%2 == 1 { // ring i is half a sector ahead
				s.triangles = append(s.triangles, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
			} else {
				s.triangles = append(s.triangles, [3]int32{at(i, j), at(i+1, j), at(i, j+1)}, [3]int32{at(i+1, j), at(i+1, j+1), at(i, j+1)})
			}
		}
	}
	return s
}

// jolted moves all vertices by some of a size, the same every time.
func jolted(s soup, size float64) soup {
	seed := uint64(1)
	next := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return size * (float64(seed>>11)/(1<<53) - .5)
	}
	for i := range s.position {
		s.position[i] = r3.Add(s.position[i], r3.Vec{X: next(), Y: next(), Z: next()})
	}
	return s
}

// addSphere adds a sphere of 12 n² triangles.
func (s *soup) addSphere(c r3.Vec, radius float64, n int) {
	s.addCube(n, func(x r3.Vec) r3.Vec {
		angle := func(x float64) float64 { return math.Tan(math.Pi / 4 * (2*x - 1)) }
		return r3.Add(c, reproducible.Scale(radius, reproducible.Unit(r3.Vec{X: angle(x.X), Y: angle(x.Y), Z: angle(x.Z)})))
	})
}

// addCube adds the surface of the unit cube, mapped.
func (s *soup) addCube(n int, to func(x r3.Vec) r3.Vec) {
	at := map[r3.Vec]int32{}
	for axis := range 3 {
		for side := range 2 {
			place := func(i, j int) int32 {
				var x r3.Vec
				setCoordinate(&x, axis, float64(side))
				setCoordinate(&x, (axis+1)%3, float64(i)/float64(n))
				setCoordinate(&x, (axis+2)%3, float64(j)/float64(n))
				return s.vertex(at, to(x))
			}
			for i := range n {
				for j := range n {
					a, b, c, d := place(i, j), place(i+1, j), place(i+1, j+1), place(i, j+1)
					if side == 0 {
						b, d = d, b
					}
					s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
				}
			}
		}
	}
}

// addTube adds a tube of a radius around a closed curve.
func (s *soup) addTube(curve func(turn float64) r3.Vec, radius float64, n, m int) {
	first := int32(len(s.position))
	for i := range n {
		x := curve(float64(i) / float64(n))
		along := reproducible.Unit(r3.Sub(curve((float64(i)+0.5)/float64(n)), curve((float64(i)-0.5)/float64(n))))
		up := r3.Vec{Z: 1}
		side := reproducible.Unit(reproducible.Cross(along, up))
		up = reproducible.Cross(side, along)
		for j := range m {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(m))
			s.position = append(s.position, r3.Add(x, r3.Add(reproducible.Scale(radius*cos, side), reproducible.Scale(radius*sin, up))))
		}
	}
	at := func(i, j int) int32 { return first + int32(i%n*m+j%m) }
	for i := range n {
		for j := range m {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			s.triangles = append(s.triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
}

// cubeSphere is a sphere of 12 n² triangles.
func cubeSphere(c r3.Vec, radius float64, n int) *Mesh {
	var s soup
	s.addSphere(c, radius, n)
	return s.mesh(0)
}

func boxMesh(low, high r3.Vec, n int) *Mesh {
	return meshOf(cuboid(low, r3.Sub(high, low), [3]int{n, n, n}))
}
