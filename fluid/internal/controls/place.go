package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// place is where a face is that a control surface is read at, and which way it looks: along the axis that its normal is nearest to.
type place struct {
	x       [3]float64 // the face's centre, m
	out     [3]float64 // the face's normal, turned out of the shape
	outward float64    // +1 if the face points out of the shape, else -1
	axis    int
	way     float64 // +1 or -1: out along the axis
	edge    int     // of the face, in finest cells,
	size    float64 // and in m
}

// placeOf is the place of a face that points out of a shape or into it.
func (s *Set) placeOf(gr *graph.Graph, f int32, outward float64) place {
	n := gr.Normal(int(f))
	p := place{x: gr.FaceCentre(int(f)), outward: outward, edge: s.edgeOfFace(gr, f)}
	for a := range n {
		p.out[a] = float64(outward * n[a])
		if math.Abs(n[a]) > math.Abs(n[p.axis]) {
			p.axis = a
		}
	}
	p.way = math.Copysign(1, p.out[p.axis])
	p.size = float64(float64(p.edge) * s.CellSize)
	return p
}

// edgeOfFace is a face's edge in finest cells.
func (s *Set) edgeOfFace(gr *graph.Graph, f int32) int {
	return max(1, int(math.Round(math.Sqrt(gr.Area[f])/s.CellSize)))
}

// along is the part of a vector out of the shape along the face's normal.
func (p *place) along(v *[3]float64) float64 {
	return float64(p.out[0]*v[0]) + float64(p.out[1]*v[1]) + float64(p.out[2]*v[2])
}

// outBy is so far, m, out of the shape from the face's centre.
func (p *place) outBy(by float64) (x [3]float64) {
	for a := range x {
		x[a] = p.x[a] + float64(by*p.out[a])
	}
	return x
}

// nearSurface tells whether the control surface is no further out of a face to air than reach cells.
func (s *Set) nearSurface(c *Control, at *place, reach float64) bool {
	beyond := at.outBy(float64((reach + .5) * float64(at.edge) * s.CellSize))
	return !c.inside(&beyond, at.edge > 1)
}

// pull is by how much faster than the control surface a face to air is to move, along its normal, for the liquid's surface to come onto that, which is so far
// from the row's centre, m. gap is how far it is from there, m, along the axis; more than pullReach cells pull no harder.
func (s *Set) pull(at *place, dist float64, surface *crossing) (pull, gap float64) {
	if surface.slope == 0 {
		return 0, 0
	}
	a := at.axis
	centre := at.x[a] - float64(at.out[a]*at.size/2)
	gap = float64(at.way*(surface.place-centre)) - float64(math.Abs(at.out[a])*dist)
	near := max(-pullReach*at.size, min(pullReach*at.size, gap))
	return at.outward * near * surface.slope / s.pullTime(), gap
}

// depthOf is how far the liquid's surface at a face to air deep in a shape is from the control surface, m: the least distance along the axes, by how
// steeply they cut the control surface. In a ball that is at most 15 % too far. dist is how far it is from the row's centre, m.
func (c *Control) depthOf(p *place, dist float64) float64 {
	at := p.outBy(dist - float64(p.size/2))
	cell := c.lattice(&at)
	least := math.Inf(1)
	for a := range 3 {
		for _, way := range [2]int{-1, 1} {
			if place, along, ok := c.wayOut(cell, a, way); ok {
				least = min(least, float64(math.Abs(place-at[a])*along))
			}
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// wayOut is where the way from a cell of the lattice along an axis leaves a shape, m, and how much of the surface's normal there is along the axis.
func (c *Control) wayOut(cell [3]int, axis, way int) (place, along float64, ok bool) {
	r := &c.raster
	for i := c.index(cell); i >= 0 && r.Inside[i]; i = c.index(cell) {
		from := cell
		cell[axis] += way
		if way < 0 {
			from = cell
		}
		if k := c.index(from); k >= 0 && r.At[axis][k] >= 0 {
			x := &r.Crossings[axis][r.At[axis][k]]
			return r.Origin[axis] + float64((float64(from[axis])+.5+x.Fraction)*r.H), math.Abs(x.Normal[axis]), true
		}
	}
	return 0, 0, false
}
