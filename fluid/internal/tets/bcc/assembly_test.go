package bcc

import (
	"cmp"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// buildPlainly makes the lattice of a map of a grid's layout in the plainest way.
func (l *Lattice) buildPlainly(g *layout.Grid, m *layout.Map) {
	r := newReference(g.Dim, slices.Clone(m.Level))
	a := assembly{Lattice: l, g: g, m: m, r: r, at: map[place]int32{}, quarter: g.H / 4}
	*l = Lattice{}
	a.plainVertices()
	a.addTets()
	a.addEdges()
	a.plainVolumes()
}

// assembly turns a reference into a lattice.
type assembly struct {
	*Lattice
	g       *layout.Grid
	m       *layout.Map
	r       *reference
	quarter float64
	at      map[place]int32 // vertex at a place
	places  []place         // per vertex
	centre  []place         // per tetrahedron, and of points on the layout's edges
	sides   []int64         // per vertex: twelve times the volume of its cell, in cubes of quarters
}

func (a *assembly) position(b int32, p place) (x [3]float64) {
	lo, at := a.g.Corner(b), a.g.BaseCoords(b)
	for i := range 3 {
		x[i] = lo[i] + float64(a.quarter*float64(p[i]-32*int32(at[i])))
	}
	return x
}

func (a *assembly) addVertex(b int32, p place, cell int32, level int, beyond bool) {
	a.at[p] = int32(len(a.Position))
	a.places = append(a.places, p)
	a.Position = append(a.Position, a.position(b, p))
	a.Cell = append(a.Cell, cell)
	a.Level = append(a.Level, uint8(level))
	a.Beyond = append(a.Beyond, beyond)
}

func (a *assembly) plainVertices() {
	for b := range int32(a.g.Bases()) {
		a.VertexRuns = append(a.VertexRuns, int32(len(a.Position)))
		at := a.g.BaseCoords(b)
		low := place{int32(at[0]), int32(at[1]), int32(at[2])}.times(32)
		a.addCentres(b, low)
		a.addCorners(b, low)
		a.plainBeyond(b, low)
	}
	a.VertexRuns = append(a.VertexRuns, int32(len(a.Position)))
}

func (a *assembly) addCentres(b int32, low place) {
	level := a.m.Level[b]
	n, e := int32(1)<<level, int32(32)>>level
	for z := range n {
		for y := range n {
			for x := range n {
				p := low.plus(place{x*e + e/2, y*e + e/2, z*e + e/2})
				a.addVertex(b, p, a.m.First[b]+x+n*(y+n*z), int(level), false)
			}
		}
	}
}

// addCorners adds those of a base cell, class by class: the part of the cell, first low, then between, then high, along each axis.
func (a *assembly) addCorners(b int32, low place) {
	for class := range 27 {
		c := [3]int{class % 3, class / 3 % 3, class / 9}
		var from, to place
		owned := true
		probe := low
		for i := range 3 {
			switch c[i] {
			case 0:
			case 1:
				probe[i]++
				from[i], to[i] = 1, 31
			case 2:
				owned = owned && low[i]+32 == int32(32*a.g.Dim[i])
				probe[i] += 32
				from[i], to[i] = 32, 32
			}
		}
		if !owned {
			continue
		}
		level := a.r.finest(probe)
		e := int32(32) >> level
		for i := range 3 {
			from[i] = (from[i] + e - 1) / e * e
		}
		for z := from[2]; z <= to[2]; z += e {
			for y := from[1]; y <= to[1]; y += e {
				for x := from[0]; x <= to[0]; x += e {
					a.addVertex(b, low.plus(place{x, y, z}), -1, level, false)
				}
			}
		}
	}
}

func (a *assembly) plainBeyond(b int32, low place) {
	level := a.m.Level[b]
	n, e := int32(1)<<level, int32(32)>>level
	for axis := range 3 {
		for _, side := range [2]int32{-1, 1} {
			if side < 0 && low[axis] > 0 || side > 0 && low[axis]+32 < int32(32*a.g.Dim[axis]) {
				continue
			}
			for j := range n {
				for i := range n {
					var p place
					p[(axis+1)%3], p[(axis+2)%3] = i*e+e/2, j*e+e/2
					if p[axis] = -e / 2; side > 0 {
						p[axis] = 32 + e/2
					}
					a.addVertex(b, low.plus(p), -1, int(level), true)
				}
			}
		}
	}
}

func (a *assembly) addTets() {
	slices.SortStableFunc(a.r.tets, func(p, q refTet) int { return cmp.Compare(p.base, q.base) })
	for i := range a.r.tets {
		t := &a.r.tets[i]
		for int(t.base) >= len(a.TetRuns) {
			a.TetRuns = append(a.TetRuns, int32(i))
		}
		var c [4]int32
		for k, p := range t.at {
			c[k] = a.at[p]
		}
		a.Corners = append(a.Corners, c)
		a.Shapes = append(a.Shapes, Shape(t.shape))
		a.Centres = append(a.Centres, a.position(t.base, t.centre))
		a.centre = append(a.centre, t.centre)
	}
	for len(a.TetRuns) <= a.g.Bases() {
		a.TetRuns = append(a.TetRuns, int32(len(a.Corners)))
	}
}

// plainTurn is a tetrahedron around an edge: it is passed from one of its other two corners to the other.
type plainTurn struct{ from, to, tet int32 }

// opposite are, per pair of a tetrahedron's corners, the others in the order in which a turn about the pair passes them.
var opposite = [6][4]int{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}

type draft struct {
	ends  [2]int32
	base  int32
	turns []plainTurn
}

// first tells whether an edge begins at p rather than q: at what is within, at centres rather than corners, at the lower place.
func (a *assembly) first(p, q int32) bool {
	if a.Beyond[p] != a.Beyond[q] {
		return !a.Beyond[p]
	}
	if (a.Cell[p] >= 0) != (a.Cell[q] >= 0) {
		return a.Cell[p] >= 0
	}
	return less(a.places[p], a.places[q])
}

func less(p, q place) bool {
	return slices.Compare([]int32{p[2], p[1], p[0]}, []int32{q[2], q[1], q[0]}) < 0
}

func (a *assembly) addEdges() {
	index := map[[2]int32]int{}
	var drafts []draft
	for t, c := range a.Corners {
		for _, o := range opposite {
			p, q, from, to := c[o[0]], c[o[1]], c[o[2]], c[o[3]]
			if !a.first(p, q) {
				p, q, from, to = q, p, to, from
			}
			i, ok := index[[2]int32{p, q}]
			if !ok {
				i = len(drafts)
				index[[2]int32{p, q}] = i
				drafts = append(drafts, draft{ends: [2]int32{p, q}, base: a.owner(p, q)})
			}
			drafts[i].turns = append(drafts[i].turns, plainTurn{from, to, int32(t)})
		}
	}
	slices.SortStableFunc(drafts, func(p, q draft) int { return cmp.Compare(p.base, q.base) })
	a.sides = make([]int64, a.Vertices())
	for i := range drafts {
		a.addEdge(&drafts[i])
	}
	for len(a.EdgeRuns) <= a.g.Bases() {
		a.EdgeRuns = append(a.EdgeRuns, int32(len(a.Ends)))
	}
	a.RingRuns = append(a.RingRuns, int32(len(a.Ring)))
}

// owner is the base cell that the middle of an edge is in.
func (a *assembly) owner(p, q int32) int32 {
	m := a.places[p].plus(a.places[q])
	var at [3]int
	for i := range 3 {
		at[i] = min(int(max(0, m[i])/64), a.g.Dim[i]-1)
	}
	return a.g.BaseAt(at[0], at[1], at[2])
}

// around puts the tetrahedra around an edge in order. An open ring begins at its end.
func (d *draft) around() []plainTurn {
	start := 0
	for i := range d.turns {
		if !slices.ContainsFunc(d.turns, func(t plainTurn) bool { return t.to == d.turns[i].from }) {
			start = i
		}
	}
	ring := []plainTurn{d.turns[start]}
	for len(ring) < len(d.turns) {
		i := slices.IndexFunc(d.turns, func(t plainTurn) bool { return t.from == ring[len(ring)-1].to })
		if i < 0 {
			panic("bcc: a broken ring")
		}
		ring = append(ring, d.turns[i])
	}
	return ring
}

func (a *assembly) addEdge(d *draft) {
	p, q := d.ends[0], d.ends[1]
	if a.Beyond[p] || a.Beyond[q] && a.Cell[p] < 0 {
		return
	}
	ring := d.around()
	var corners []place
	var tets []int32
	for _, t := range ring {
		corners = append(corners, a.centre[t.tet])
		tets = append(tets, t.tet)
	}
	for _, end := range a.sidePoints(p, q, corners[0], corners[len(corners)-1]) {
		if !end.ok {
			continue
		}
		i := len(corners)
		if end.first {
			i = 0
		}
		corners = slices.Insert(corners, i, end.at)
		tets = slices.Insert(tets, i, int32(len(a.Centres)))
		a.centre = append(a.centre, end.at)
		a.Centres = append(a.Centres, a.position(d.base, end.at))
	}
	along := a.places[q].minus(a.places[p])
	area, middle := plainPolygon(corners, along)
	if a.Beyond[q] {
		// A pyramid of height |along|/2 on the side.
		a.sides[p] += area
		return
	}
	for int(d.base) >= len(a.EdgeRuns) {
		a.EdgeRuns = append(a.EdgeRuns, int32(len(a.Ends)))
	}
	a.sides[p] += area
	a.sides[q] += area
	length := math.Sqrt(float64(along.dot(along)))
	a.RingRuns = append(a.RingRuns, int32(len(a.Ring)))
	a.Ring = append(a.Ring, tets...)
	a.Ends = append(a.Ends, d.ends)
	a.Dist = append(a.Dist, float64(length*a.quarter))
	a.Area = append(a.Area, float64(float64(float64(area)/(2*length))*a.quarter)*a.quarter)
	lo, at := a.g.Corner(d.base), a.g.BaseCoords(d.base)
	var x [3]float64
	for i := range 3 {
		x[i] = lo[i] + float64(a.quarter*(middle[i]-float64(32*at[i])))
	}
	a.Middle = append(a.Middle, x)
}

// sidePoint is a corner of a polygon on the layout's sides that is no tetrahedron's centre.
type sidePoint struct {
	at        place
	first, ok bool // it comes first in the ring, and not last; there is one
}

// sidePoints are those of the edge from p to q, whose ring is from one place to another: below an end that is above the side, and where two sides meet.
func (a *assembly) sidePoints(p, q int32, from, to place) (ends [3]sidePoint) {
	x, y := a.places[p], a.places[q]
	m := x.plus(y)
	sides := 0
	for i := range 3 {
		if n := int32(32 * a.g.Dim[i]); x[i] == y[i] && (x[i] == 0 || x[i] == n) {
			sides++
			ends[0], ends[1] = sidePoint{from, true, from[i] != x[i]}, sidePoint{to, false, to[i] != x[i]}
			ends[0].at[i], ends[1].at[i] = x[i], x[i]
		}
	}
	if sides == 2 {
		return [3]sidePoint{{place{m[0] / 2, m[1] / 2, m[2] / 2}, false, true}}
	}
	return ends
}

// plainPolygon is twice the area of a polygon across a vector, times the vector's length, and its centroid, in quarters.
func plainPolygon(corners []place, along place) (area int64, middle [3]float64) {
	var sum [3]int64
	c := corners[0]
	for i := 1; i+1 < len(corners); i++ {
		p, q := corners[i].minus(c), corners[i+1].minus(c)
		w := p.cross(q).dot(along)
		area += w
		for k := range 3 {
			sum[k] += w * int64(p[k]+q[k])
		}
	}
	for k := range 3 {
		middle[k] = float64(c[k])
		if area != 0 {
			middle[k] += float64(sum[k]) / float64(3*area)
		} else {
			n := int64(0)
			for _, x := range corners {
				n += int64(x[k] - c[k])
			}
			middle[k] += float64(n) / float64(len(corners))
		}
	}
	return area, middle
}

// addVolumes lists the edges of each vertex, and the cells' volumes.
func (a *assembly) plainVolumes() {
	n := a.Vertices()
	a.VertexEdgeRuns = make([]int32, n+1)
	for _, e := range a.Ends {
		a.VertexEdgeRuns[e[0]+1]++
		a.VertexEdgeRuns[e[1]+1]++
	}
	for v := range n {
		a.VertexEdgeRuns[v+1] += a.VertexEdgeRuns[v]
	}
	a.VertexEdges = make([]int32, 2*len(a.Ends))
	next := slices.Clone(a.VertexEdgeRuns)
	for e, ends := range a.Ends {
		for _, v := range ends {
			a.VertexEdges[next[v]] = int32(e)
			next[v]++
		}
	}
	// A polygon of area A across an edge of length d spans A·d/6 with each end, where area = 2·A·d.
	for v := range n {
		a.Volume = append(a.Volume, float64(a.sides[v])/12*a.quarter*a.quarter*a.quarter)
	}
}
