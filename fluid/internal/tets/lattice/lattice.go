// Package lattice is a uniform body-centred cubic lattice of tetrahedra in a box, as a second discretisation beside blocks of cubes.
package lattice

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// Lattice fills a graph with the Voronoi cells of the vertices of a body-centred cubic lattice. Pressures are at the vertices, so that faces are
// orthogonal to the lines between them and cut those in half, and a pressure that is linear in space is exact. Circumcentres of the
// tetrahedra, the other place for pressures, fall out of those of a graded lattice.
//
// The box is a whole number of cubes along each axis. Vertices are at the corners and at the centres of cubes, so that those of the corners lie on
// the sides of the box too. There the cells are halves, quarters and eighths, and exact. All sides of the box are closed.
//
// It is a stub that proves that graph and pressure serve other cells than cubes: pressure, bodies, gravity, walls and a surface. It does not
// move velocities with the liquid nor diffuse or extrapolate them, refines nowhere, and runs on one worker.
//
// Sources: Chentanez, Feldman, Labelle, O'Brien, Shewchuk 2007 (the lattice); Batty, Xenos, Houston 2010 (pressures at vertices with Voronoi
// cells, the surface by ghost fluid); Ng, Min, Gibou 2009 (cut cells).
type Lattice struct {
	mesh

	// Velocity is that along the normal of each of the lattice's faces, m/s, 0 where none is known, and Pressure that at each vertex as an impulse, Pa·s.
	// StoreVelocity and StorePressure write them; Fill reads velocities and WarmStart pressures.
	Velocity, Pressure []float64

	solids []Solid
	bodies int
	cuts
	pts []r3.Vec // scratch: a batch

	phi   []float64 // per vertex: signed distance of the liquid's surface, m
	row   []int32   // per vertex: its row, or -1
	place []int32   // scratch: per row, its place in the BodyCoupling at hand, or -1
	levels
}

// Distance writes signed distances, m, at pts into dst, negative inside, in double precision: a still surface is to be still.
type Distance func(dst []float64, pts []r3.Vec)

// New makes a lattice of cubes of an edge, m, with a corner of the box at lo, m. Two of its vertices go to a cube.
func New(lo r3.Vec, cubes [3]int, edge float64) *Lattice {
	if !(edge > 0) || min(cubes[0], cubes[1], cubes[2]) < 1 {
		panic(fmt.Sprintf("lattice: %v cubes of %g m", cubes, edge))
	}
	l := &Lattice{}
	l.mesh.build([3]float64{lo.X, lo.Y, lo.Z}, cubes, edge)
	l.Velocity, l.Pressure = make([]float64, len(l.faces)), make([]float64, len(l.vertices))
	l.row = make([]int32, len(l.vertices))
	l.Solids(nil, 0)
	return l
}

// batch is how many points a call of a Distance is for.
const batch = 1024

// measure writes a field at points, counted in quarters of an edge, into dst.
func (l *Lattice) measure(dst []float64, field Distance, points [][3]int32) {
	for len(points) > 0 {
		n := min(batch, len(points))
		l.pts = l.pts[:0]
		for _, q := range points[:n] {
			x := l.position(q)
			l.pts = append(l.pts, r3.Vec{X: x[0], Y: x[1], Z: x[2]})
		}
		field(dst[:n], l.pts)
		dst, points = dst[n:], points[n:]
	}
}
