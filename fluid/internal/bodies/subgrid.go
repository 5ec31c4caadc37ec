package bodies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Cells can't be cut by a body that is thinner than they are: a stick covers a face wholly or not at all, by where it happens to lie. The
// grid takes such a body for a porous one that is made of samples (package blocks). Beside the solve act on it what a cell can't tell:
// where in the cell the surface is, and the drag and the inertia of the liquid that gives way to it within a cell.

const (
	// slenderest and stoutest, in cells, are the widths between which a body changes from a porous one to one that cuts
	// cells. The width is the second smallest extent. From the first on balls cover faces wherever they are.
	slenderest, stoutest = 1.2, 1.7

	// thinnestPlate and thickestPlate, in cells, are the same of the thickness of a convex body that drifts freely: cells can't tell that a
	// thin plate is flooded, nor how deep it floats. Bodies that joints hold or that move as they are told stay tight, and so do those
	// longer than longestPlate.
	thinnestPlate, thickestPlate = .5, .9
	longestPlate                 = 16

	// samplesWanted is about how many samples a cube is made of, and longWanted a rod or plate six times as long as it is thin, or more: a
	// rod of fifteen widths is three across.
	samplesWanted, longWanted = 64, 400
	// samplesAlong is how many a body has at most along its largest extent.
	samplesAlong = 200
	// maxCubes is how many places are looked at for samples at a time. What asks for more, as only a distance does that is none,
	// cuts cells.
	maxCubes = 1 << 17

	// facetDrag is the drag coefficient on the normal speed of the surface, fore and aft: of a cube on its faces twice that.
	facetDrag = .5

	// waveDrag makes waveDrag·ρ√(g·width) what waves shorter than a cell take from a body that bobs, per area of the waterplane, kg/(m²s):
	// a fifth of the critical damping, as of floating balls and logs at their own periods.
	waveDrag = .4
)

// porousBodies are the bodies that the grid takes for porous ones, at least in part, and what liquid within the cells does to them.
type porousBodies struct {
	c       *Coupling
	body    []subgrid
	sampler sampler
	probe   flowProbe
}

// subgrid is what is known of a body where it is now.
type subgrid struct {
	share   float64 // how much of it is porous: 0 is a body that cuts cells
	edge    float64 // of the samples, m
	height  float64 // of a sample, m: less where the body is thinner
	width   float64 // m
	volume  float64 // of the samples, m³
	samples []rigid.Sample
	facets  []facet
	pieces  []piece
	centre  r3.Vec // where it was when it was sampled:
	turned  quat.Number
	bounds  r3.Box
}

// facet is a part of a body's surface.
type facet struct {
	x, n   r3.Vec // m; out of the body
	area   float64
	inside float64 // how deep in the body it was found, m
	sample int32   // what was found there; -1: none
}

// piece is a run of samples and facets that are together in half a cell: they end before these.
type piece struct {
	x               r3.Vec // about the middle, m
	samples, facets int
}

// submersion is how much of a body is under the surface.
type submersion struct {
	under, whole float64 // m³
	area         float64 // of what is under, m²
}

// classify tells how much of body i is porous, and samples it if some is.
func (pb *porousBodies) classify(i int) {
	c := pb.c
	s, solid, body := &c.state[i], &c.Solids[i], &pb.body[i]
	if r := &c.Rigid[i]; r.InverseMass > 0 { // else they stay what they were
		c.ellipsoids[i] = principal(inverseInertia(r))
		s.extraWrench = [6]float64{}
	}
	was := body.share
	body.share = 0
	if s.ok && s.placed && !solid.Fixed {
		body.share = pb.share(i)
	}
	s.subgrid = body.share > 0
	solid.Porous, solid.Sampled = body.share, s.subgrid
	if !s.subgrid {
		solid.Still = solid.Still && was == 0
		return
	}
	if !solid.Still || was != body.share || body.centre != s.centre || body.turned != s.turned || body.bounds != s.bounds {
		solid.Still = false
		if !pb.sample(i) {
			body.share, s.subgrid, solid.Porous, solid.Sampled = 0, false, 0, false
			return
		}
	}
	if body.share == 1 {
		solid.Thin, solid.Sheet = false, false
	}
	solid.Samples = body.samples
}

// share is how much of body i is porous. It notes the body's width and the edge of its samples.
func (pb *porousBodies) share(i int) float64 {
	c := pb.c
	body := &pb.body[i]
	volume, width, convex := 0., 0., false
	if from, can := c.Bodies.(engine.Measured); can {
		volume, width, convex = from.Dimensions(i)
	}
	long, middle, short := pb.extents(i)
	if !(width > 0) || !finite(width) {
		width = middle
	}
	if !(volume > 0) || !finite(volume) {
		volume = long * middle * short
	}
	body.width = width
	h := c.edges[i]
	wanted := max(samplesWanted, min(longWanted, samplesWanted*long/short))
	body.edge = min(h/2, max(reproducible.Cbrt(volume/wanted), long/samplesAlong))
	if !(body.edge > 0) {
		return 0
	}
	share := fade(width/h, slenderest, stoutest)
	if convex && !c.constraints.joined[i] && c.state[i].kind == engine.Dynamic {
		share = max(share, fade(c.Solids[i].Thickness/h, thinnestPlate, thickestPlate)*fade(long/h, longestPlate/2, longestPlate))
	}
	return share
}

// fade falls from 1 to 0 as x grows from one value to another.
func fade(x, from, to float64) float64 { return max(0, min(1, (to-x)/(to-from))) }

// extents are the edges of the box with the mass and the inertia of body i, m; 0 if that has none.
func (pb *porousBodies) extents(i int) (long, middle, short float64) {
	if !pb.c.stillThere(i) {
		return 0, 0, 0
	}
	inverseMass, inverse := pb.c.Bodies.InverseMass(i)
	if !(inverseMass > 0) {
		return 0, 0, 0
	}
	e := principal(tensor{reproducible.Vector(inverse[0]), reproducible.Vector(inverse[1]), reproducible.Vector(inverse[2])})
	var edges [3]float64
	for a := range 3 {
		p, q := e.values[(a+1)%3], e.values[(a+2)%3]
		if !(e.values[0] > 0 && e.values[1] > 0 && e.values[2] > 0) {
			return 0, 0, 0
		}
		edges[a] = math.Sqrt(max(0, 6*float64(inverseMass*(1/p+1/q-1/e.values[a]))))
	}
	slices.Sort(edges[:])
	return edges[2], edges[1], edges[0]
}
