package lattice

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// thetaLeast bounds from below the part of an edge that is liquid. The customary .05 would press too little on what is just under the surface, so
// that a still surface that is tilted to the lattice would not be still; double precision stands far less.
const thetaLeast = 1e-7

// Fill makes the graph of the cells whose vertices are in the liquid, by the distance of its surface; nil: of the whole box. Cells that solids shut
// on all sides are none of it. U is what Velocity says.
//
// Edges between liquid and air end at the surface, where the distance, taken as linear, is 0. The surface goes on into solids. Gaps are left out:
// what floats weighs off by as much as the rows' centres miss of its surface, a hundredth at three cells a radius.
func (l *Lattice) Fill(g *graph.Graph, surface Distance) {
	l.phi = arrays.Resize(l.phi, len(l.vertices))
	if surface == nil {
		for v := range l.phi {
			l.phi[v] = -l.edge
		}
	} else {
		l.measure(l.phi, surface, l.vertices)
	}
	l.fillRows(g)
	l.fillFaces(g)
	g.ListFaces()
	l.fillWalls(g)
	l.fillBodies(g)
	l.aggregate(g)
}

// fillRows numbers the rows. Until it does, 0 marks them.
func (l *Lattice) fillRows(g *graph.Graph) {
	for v := range l.row {
		l.row[v] = none
	}
	for i := range l.faces {
		if l.open[i] > 0 {
			for _, v := range [2]int32{l.faces[i].a, l.faces[i].b} {
				if l.phi[v] < 0 {
					l.row[v] = 0
				}
			}
		}
	}
	g.Cell, g.Size, g.Volume, g.Centre = g.Cell[:0], g.Size[:0], g.Volume[:0], g.Centre[:0]
	for v, at := range l.vertices {
		if l.row[v] == none {
			continue
		}
		l.row[v] = int32(len(g.Cell))
		g.Cell, g.Size = append(g.Cell, int32(v)), append(g.Size, float32(sizePart*l.edge))
		g.Volume, g.Centre = append(g.Volume, float32(l.openVolume[v])), append(g.Centre, l.position(at))
	}
	g.Rows = len(g.Cell)
}

func (l *Lattice) fillFaces(g *graph.Graph) {
	g.A, g.B, g.Slot, g.Normals, g.FaceCentres = g.A[:0], g.B[:0], g.Slot[:0], g.Normals[:0], g.FaceCentres[:0]
	g.Area, g.Dist, g.Open, g.Jump, g.U = g.Area[:0], g.Dist[:0], g.Open[:0], g.Jump[:0], g.U[:0]
	for i := range l.faces {
		f := &l.faces[i]
		a, b := l.row[f.a], l.row[f.b]
		if l.open[i] == 0 || a == none && b == none {
			continue
		}
		theta := 1.
		if a == none {
			a, theta = graph.Air, l.phi[f.b]/(l.phi[f.b]-l.phi[f.a])
		} else if b == none {
			b, theta = graph.Air, l.phi[f.a]/(l.phi[f.a]-l.phi[f.b])
		}
		g.A, g.B, g.Slot = append(g.A, a), append(g.B, b), append(g.Slot, int32(i))
		g.Normals, g.FaceCentres = append(g.Normals, f.normal), append(g.FaceCentres, l.middle[i])
		g.Area, g.Dist, g.Open = append(g.Area, f.area), append(g.Dist, f.dist*max(theta, thetaLeast)), append(g.Open, l.open[i])
		g.Jump, g.U = append(g.Jump, 0), append(g.U, l.Velocity[i])
	}
}

// fillWalls adds up the area of walls and of what stands still.
func (l *Lattice) fillWalls(g *graph.Graph) {
	g.Walls = arrays.Resize(g.Walls, g.Rows)
	clear(g.Walls)
	onWall := func(f *face, area float64) {
		for side, v := range [2]int32{f.a, f.b} {
			if v != none && l.row[v] != none {
				for d, n := range f.normal {
					g.Walls[l.row[v]][d] += float64(outward(side) * area * n)
				}
			}
		}
	}
	for i := range l.walls {
		onWall(&l.walls[i], l.walls[i].area)
	}
	for i := range l.covers {
		c := &l.covers[i]
		switch fixed := l.solids[c.solid].Body < 0; {
		case c.face.b == none && !fixed: // of a wall a body covers
			onWall(c.face, -c.area)
		case c.face.b != none && fixed:
			onWall(c.face, c.area)
		}
	}
}

// outward is 1 on the side that a face's normal points away from, -1 on the other.
func outward(side int) float64 { return 1 - 2*float64(side) }

// fillBodies makes K of the bodies. A cell's wetted patch closes what faces leave open of it, so that its area vector is minus the sum of theirs, and so
// is its moment: both are what the body covers of the cell's faces.
func (l *Lattice) fillBodies(g *graph.Graph) {
	for len(g.Bodies) < l.bodies {
		g.Bodies = append(g.Bodies, graph.BodyCoupling{})
	}
	g.Bodies = g.Bodies[:l.bodies]
	for i := range g.Bodies {
		w := &g.Bodies[i]
		*w = graph.BodyCoupling{Row: w.Row[:0], K: w.K[:0]}
	}
	l.place = arrays.Resize(l.place, g.Rows)
	for r := range l.place {
		l.place[r] = none
	}
	for i := range g.Bodies {
		l.wet(&g.Bodies[i], i)
	}
}

// wet makes K of a body, whatever solids it is made of.
func (l *Lattice) wet(w *graph.BodyCoupling, body int) {
	l.eachCover(body, func(r int32, _ [6]float64) {
		if l.place[r] == none {
			l.place[r] = 0
			w.Row = append(w.Row, r)
		}
	})
	slices.Sort(w.Row)
	for e, r := range w.Row {
		l.place[r] = int32(e)
		w.K = append(w.K, [6]float64{})
	}
	l.eachCover(body, func(r int32, push [6]float64) {
		for d, v := range push {
			w.K[l.place[r]][d] += v
		}
	})
	for e, r := range w.Row {
		w.Area += norm(w.K[e][:3])
		l.place[r] = none
	}
	for i := range l.solids {
		if s := &l.solids[i]; s.Body == body {
			l.addVolume(w, s, l.solidVolume[i])
		}
	}
}

// eachCover visits what a body covers of the faces of rows, with its area vector into the body and the moment of that about the centre of mass.
func (l *Lattice) eachCover(body int, visit func(r int32, push [6]float64)) {
	for i := range l.covers {
		c := &l.covers[i]
		s := &l.solids[c.solid]
		if s.Body != body {
			continue
		}
		arm := sub(&c.centre, &[3]float64{s.Centre.X, s.Centre.Y, s.Centre.Z})
		for side, v := range [2]int32{c.face.a, c.face.b} {
			if v == none || l.row[v] == none {
				continue
			}
			n := c.face.normal
			for d := range n {
				n[d] *= outward(side) * c.area
			}
			turn := cross(&arm, &n)
			visit(l.row[v], [6]float64{n[0], n[1], n[2], turn[0], turn[1], turn[2]})
		}
	}
}

// addVolume adds to a body's volume what it fills of each cell, all of it or, under the surface, of those whose vertex is there, as if it were at
// the vertex.
func (l *Lattice) addVolume(w *graph.BodyCoupling, s *Solid, filled []float64) {
	for v, volume := range filled {
		if volume == 0 {
			continue
		}
		w.Whole += volume
		if l.phi[v] < 0 {
			x := l.position(l.vertices[v])
			arm := sub(&x, &[3]float64{s.Centre.X, s.Centre.Y, s.Centre.Z})
			w.Volume += volume
			for d := range arm {
				w.Moment[d] += float64(volume * arm[d])
			}
		}
	}
}

func norm(x []float64) float64 {
	return reproducible.Norm(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
}

// WarmStart writes the pressure that is known for the rows of a graph, Pa·s, into pi: where to begin a solve.
func (l *Lattice) WarmStart(g *graph.Graph, pi []float64) {
	for r, v := range g.Cell {
		pi[r] = l.Pressure[v]
	}
}

// StoreVelocity takes the velocities of a graph that was solved, and StorePressure its pressure, Pa·s. Elsewhere nothing is known then.
func (l *Lattice) StoreVelocity(g *graph.Graph) {
	clear(l.Velocity)
	for f, i := range g.Slot {
		l.Velocity[i] = g.U[f]
	}
}

// StorePressure is StoreVelocity of the pressure.
func (l *Lattice) StorePressure(g *graph.Graph, pi []float64) {
	clear(l.Pressure)
	for r, v := range g.Cell {
		l.Pressure[v] = pi[r]
	}
}

// OpenVolume is what solids leave of the box, m³.
func (l *Lattice) OpenVolume() (sum float64) {
	for _, v := range l.openVolume {
		sum += v
	}
	return sum
}

// RowAt is the row of the vertex that is nearest to a place in the box, m, or -1.
func (l *Lattice) RowAt(x [3]float64) int32 {
	var corner, centre [3]int32 // in quarters of an edge
	toCorner, toCentre := 0., 0.
	for a := range x {
		q := (x[a] - l.lo[a]) / l.edge
		n := float64(l.cubes[a])
		c, m := max(0, min(n, math.Round(q))), max(0, min(n-1, math.Floor(q)))
		corner[a], centre[a] = int32(4*c), int32(4*m)+2
		toCorner += float64((q - c) * (q - c))
		toCentre += float64((q - m - .5) * (q - m - .5))
	}
	v := l.vertexAt(corner)
	if toCentre < toCorner {
		v = l.vertexAt(centre)
	}
	if v == none {
		return none
	}
	return l.row[v]
}
