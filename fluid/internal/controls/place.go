package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/raster"
)

// place is where a face is that a control surface is read at, and which way it looks.
type place struct {
	x       [3]float64 // the face's centre, m
	out     [3]float64 // the face's normal, turned out of the shape
	outward float64    // +1 if the face points out of the shape, else -1
	axis    int        // that its normal is nearest to
	offAxis bool       // no line through the centres of finest cells goes through it along its normal
	way     float64    // +1 or -1: out along the axis
	columns [3]int     // how many columns of finest cells are at it along each axis
	edge    int        // of the face, in finest cells,
	size    float64    // and in m
	half    float64    // how far the face, to air, is from the row's centre, m
}

const (
	// leastLean is the part of a face's normal along an axis that is more than rounding.
	leastLean = 1e-3
	// leastOff, in finest cells, is as much for how far a face is from the middle between two columns.
	leastOff = .1
)

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
	p.half = float64(p.size / 2)
	s.findColumns(&p)
	if p.offAxis = math.Abs(n[p.axis]) < 1-leastLean || p.isBetween(); p.offAxis {
		p.half = 0
		centre := &gr.Centre[max(gr.A[f], gr.B[f])]
		for a := range centre {
			p.half += float64(p.out[a] * (p.x[a] - centre[a]))
		}
	}
	return p
}

// findColumns counts the columns at a place: as many as the face is wide, or two where they meet in the middle of one as wide as a cell.
func (s *Set) findColumns(p *place) {
	for a := range p.columns {
		p.columns[a] = p.edge
		cells := (p.x[a] - s.Origin[a]) / s.CellSize
		if p.edge == 1 && math.Abs(cells-math.Round(cells)) < leastOff {
			p.columns[a] = 2
		}
	}
}

// isBetween tells whether a face is between columns along its axis that it is no wider than.
func (p *place) isBetween() bool {
	return p.columns[(p.axis+1)%3] > p.edge || p.columns[(p.axis+2)%3] > p.edge
}

// wayOn is +1 or -1: out along an axis; 0 if the face's normal has no part along it.
func (p *place) wayOn(axis int) int {
	if math.Abs(p.out[axis]) < leastLean {
		return 0
	}
	return int(math.Copysign(1, p.out[axis]))
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
// from the row's centre, m. apart is the square of how far it is from there, m²; more than pullReach cells pull no harder.
func (s *Set) pull(at *place, dist float64, surface *crossing) (pull, apart float64) {
	if !surface.known {
		return 0, 0
	}
	gap, slope := 0., surface.lean // along the surface's normal
	if at.offAxis {
		gap = surface.ahead - float64(surface.lean*(dist-at.half))
		apart = float64(gap * gap)
	} else { // along the axis
		a := at.axis
		centre := at.x[a] - float64(at.out[a]*at.size/2)
		gap, slope = float64(at.way*(surface.place-centre))-float64(math.Abs(at.out[a])*dist), surface.slope
		apart = float64(gap * gap * slope)
	}
	near := max(-pullReach*at.size, min(pullReach*at.size, gap))
	return at.outward * near * slope / s.pullTime(), apart
}

// depthOf is how far the liquid's surface at a face to air deep in a shape is from the control surface, m: the least distance to the planes of
// its crossings along the axes. In a ball that is at most 15 % too far. dist is how far it is from the row's centre, m.
func (c *Control) depthOf(p *place, dist float64) float64 {
	at := p.outBy(dist - p.half)
	least := math.Inf(1)
	if p.offAxis {
		low := c.lowOf(&at)
		for k := range 8 {
			least = min(least, c.depthFrom([3]int{low[0] + k&1, low[1] + k>>1&1, low[2] + k>>2}, p, &at))
		}
	} else {
		least = c.depthFrom(c.lattice(&at), p, &at)
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// depthFrom is depthOf for the axes through a cell of the lattice, infinite if they don't leave the shape.
func (c *Control) depthFrom(cell [3]int, p *place, at *[3]float64) float64 {
	least := math.Inf(1)
	for a := range 3 {
		for _, way := range [2]int{-1, 1} {
			x, from := c.wayOut(cell, a, way)
			switch {
			case x == nil:
			case p.offAxis:
				least = min(least, math.Abs(c.planeBeyond(x, a, from, at)))
			default:
				place := c.raster.Origin[a] + float64((float64(from[a])+.5+x.Fraction)*c.raster.H)
				least = min(least, float64(math.Abs(place-at[a])*math.Abs(x.Normal[a])))
			}
		}
	}
	return least
}

// wayOut is where the way from a cell of the lattice along an axis leaves a shape, and the cell below; nil if it doesn't.
func (c *Control) wayOut(cell [3]int, axis, way int) (x *raster.Crossing, below [3]int) {
	r := &c.raster
	for i := c.index(cell); i >= 0 && r.Inside[i]; i = c.index(cell) {
		from := cell
		cell[axis] += way
		if way < 0 {
			from = cell
		}
		if k := c.index(from); k >= 0 && r.At[axis][k] >= 0 {
			return &r.Crossings[axis][r.At[axis][k]], from
		}
	}
	return nil, cell
}
