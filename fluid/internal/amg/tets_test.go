package amg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// tetBall is a ball of liquid on a body-centred cubic lattice. Air is around its upper part, a wall around the lower.
type tetBall struct {
	*bcc.Lattice
	radius float64 // m
}

// newBall makes a ball with a radius of so many blocks of eight finest cells, 1 m each. In a graded one the blocks at the surface have the finest cells, and those farther from it
// cells up to eight times as long; in a uniform one all have the finest.
func newBall(radius float64, isGraded bool) tetBall {
	n := 2 * int(math.Ceil(radius+.2))
	g := layout.New([3]float64{-float64(n) / 2, -float64(n) / 2, -float64(n) / 2}, 1./8, [3]int{n, n, n}, 0)
	levels := make([]uint8, n*n*n)
	for b := range levels {
		lo, far, near := g.Corner(int32(b)), 0., 0.
		for _, x := range lo {
			far += max(x*x, (x+1)*(x+1))
			if x > 0 || x < -1 {
				near += min(x*x, (x+1)*(x+1))
			}
		}
		if !isGraded || near <= radius*radius && radius*radius <= far {
			levels[b] = 3
		}
	}
	for least := uint8(2); least > 0; least-- {
		for b, l := range slices.Clone(levels) {
			for _, o := range g.Nearby(int32(b)) {
				if o >= 0 && levels[o] == least+1 && l < least {
					levels[b] = least
				}
			}
		}
	}
	g.Lay(levels)
	pool := par.New(1)
	defer pool.Close()
	l := &bcc.Lattice{}
	l.Build(g, &g.Cur, pool)
	return tetBall{l, radius}
}

// surface returns how far a place is inside of the ball, m.
func (l tetBall) depth(x [3]float64) float64 { return l.radius - r3.Norm(reproducible.Vector(x)) }

// byVertices returns the matrix of pressures at the lattice's vertices: the area of the Voronoi cells' faces over the distance, up to the surface at least 1e-7
// of it.
func (l tetBall) byVertices() (m Matrix, places [][3]float64) {
	row := make([]int32, l.Vertices())
	for v, x := range l.Position {
		row[v] = -1
		if l.depth(x) > 0 {
			row[v] = int32(len(places))
			places = append(places, x)
		}
	}
	a := newAssembly(len(places))
	for e, ends := range l.Ends {
		i, j := ends[0], ends[1]
		if row[i] < 0 {
			i, j = j, i
		}
		switch coefficient := l.Area[e] / l.Dist[e]; {
		case row[i] < 0 || l.Area[e] <= 0:
		case row[j] >= 0:
			a.join(row[i], row[j], coefficient)
		case l.Position[i][1] > 0:
			in, out := l.depth(l.Position[i]), -l.depth(l.Position[j])
			a.diag[row[i]] += coefficient / max(1e-7, in/(in+out))
		}
	}
	return pack(a.rows, a.diag), places
}

// byTets returns the matrix of pressures at the middles of the tetrahedra: the area of their faces over the distance of the middles along the normal (Chentanez
// et al. 2007 eq. 8, without the volume). The surface is at faces.
func (l tetBall) byTets() (m Matrix, places [][3]float64) {
	var corners [][4]int32
	for _, c := range l.Corners {
		if x := l.middle(c[:]); l.depth(x) > 0 {
			corners, places = append(corners, c), append(places, x)
		}
	}
	a := newAssembly(len(places))
	type side struct {
		tet  int32
		face [3]int32
	}
	sides := make(map[[3]int32]side, 2*len(corners))
	for t, c := range corners {
		for f := range c {
			face := [3]int32{c[(f+1)%4], c[(f+2)%4], c[(f+3)%4]}
			key := face
			slices.Sort(key[:])
			if o, ok := sides[key]; ok {
				a.join(int32(t), o.tet, l.coefficient(face, places[t], places[o.tet]))
				delete(sides, key)
			} else {
				sides[key] = side{int32(t), face}
			}
		}
	}
	for _, s := range sides {
		if on := l.middle(s.face[:]); on[1] > 0 {
			a.diag[s.tet] += l.coefficient(s.face, places[s.tet], on)
		}
	}
	return pack(a.rows, a.diag), places
}

// middle returns the mean of some vertices.
func (l tetBall) middle(of []int32) (x [3]float64) {
	for _, v := range of {
		for a, p := range l.Position[v] {
			x[a] += p / float64(len(of))
		}
	}
	return x
}

// coefficient returns the area of a face over the distance along its normal of two places, m.
func (l tetBall) coefficient(face [3]int32, from, to [3]float64) float64 {
	a, b, c := reproducible.Vector(l.Position[face[0]]), reproducible.Vector(l.Position[face[1]]), reproducible.Vector(l.Position[face[2]])
	n := reproducible.Scale(.5, reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a)))
	area := r3.Norm(n)
	return area * area / math.Abs(r3.Dot(n, r3.Sub(reproducible.Vector(to), reproducible.Vector(from))))
}

// assembly is a matrix in the making.
type assembly struct {
	rows [][]element
	diag []float64
}

func newAssembly(n int) assembly { return assembly{make([][]element, n), make([]float64, n)} }

func (a *assembly) join(i, j int32, coefficient float64) {
	a.diag[i] += coefficient
	a.diag[j] += coefficient
	a.rows[i] = append(a.rows[i], element{j, -coefficient})
	a.rows[j] = append(a.rows[j], element{i, -coefficient})
}

// forces returns a right-hand side like a step's.
func forces(places [][3]float64) []float64 {
	b := noise(len(places))
	for i, p := range places {
		b[i] = .3*b[i] + math.Sin(2*p[0]+2)*math.Cos(1.5*p[1]) + math.Sin(1.5*p[2]*p[1])
	}
	return b
}
