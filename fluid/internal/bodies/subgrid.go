package bodies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Bodies thinner than a cell can't cut cells: a stick would cover a face wholly or not at all, depending on its position. The
// grid treats such a body as porous, made of samples. Forces that cells don't resolve act on it beside the solve:
// those that depend on the surface's place in the cell, and the drag and the added mass of the liquid that the body displaces within a cell.

const (
	// slenderest and stoutest, in cells, are the widths between which a body changes from porous to cutting
	// cells. The width is the second smallest extent. Balls of stoutest cover faces at any position.
	slenderest, stoutest = 1.2, 1.7

	// thinnestPlate and thickestPlate, in cells, are the thicknesses between which that happens for a convex body that floats freely: cells don't
	// resolve that a thin plate is flooded, nor its draught. What a plate thinner than a cell takes of the cells leaps by up to a fourth of it when it
	// turns by a hundredth: the volume's controller then pumps the pool, which feeds the plate and the liquid around it. Samples take the same always.
	// Bodies with joints and kinematic ones keep cutting cells, and so do those longer than longestPlate.
	thinnestPlate, thickestPlate = .9, 1
	longestPlate                 = 16

	// samplesWanted is the number of samples of a cube, roughly, and longWanted that of a rod or plate at least six times as long as it is thin: a
	// rod of fifteen widths is three across.
	samplesWanted, longWanted = 64, 400
	// samplesAlong is the greatest number of samples along a body's largest extent.
	samplesAlong = 200
	// maxCubes is the greatest number of cubes that are searched for samples at a time. A body that exceeds it, which only an invalid distance makes it do,
	// cuts cells.
	maxCubes = 1 << 17

	// facetDrag is the drag coefficient of a facet for its normal speed, fore and aft: a cube moving along an axis has twice that.
	facetDrag = .5

	// waveDrag scales the radiation damping of a bobbing body by waves shorter than a cell, waveDrag·ρ√(g·width) per area of the waterplane, kg/(m²s):
	// a fifth of the critical damping, as of floating balls and logs at their own periods.
	waveDrag = .4
)

// porousBodies are the bodies that the grid treats as porous, at least in part, and the forces on them within cells.
type porousBodies struct {
	c       *Coupling
	body    []subgrid
	sampler sampler
	probe   flowProbe
}

// subgrid is the porous part of a body in its current pose.
type subgrid struct {
	share   float64 // porous part of the body: 0 for one that cuts cells
	edge    float64 // of the samples, m
	height  float64 // of a sample, m: less where the body is thinner
	width   float64 // m
	volume  float64 // of the samples, m³
	samples []rigid.Sample
	facets  []facet
	pieces  []piece
	centre  r3.Vec // pose and bounds when it was sampled
	turned  quat.Number
	bounds  r3.Box
}

// facet is a part of a body's surface.
type facet struct {
	x, n   r3.Vec // m; out of the body
	area   float64
	inside float64 // depth in the body where it was found, m
	sample int32   // index of the sample found there; -1: none
}

// piece is a run of samples and facets within half a cell; the fields are the ends of the runs.
type piece struct {
	x               r3.Vec // about the middle, m
	samples, facets int
}

// submersion is the part of a body under the surface.
type submersion struct {
	under, whole float64 // m³
	area         float64 // wet surface, m²
}

// classify decides which part of body i is porous, and samples the body if some is.
func (pb *porousBodies) classify(i int) {
	c := pb.c
	s, solid, body := &c.state[i], &c.Solids[i], &pb.body[i]
	if r := &c.Rigid[i]; r.InverseMass > 0 { // otherwise unchanged
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

// share returns the porous part of body i. It sets the body's width and the edge of its samples.
func (pb *porousBodies) share(i int) float64 {
	c := pb.c
	body := &pb.body[i]
	volume, width, convex := 0., 0., false
	if from, can := c.Bodies.(engine.Measured); can {
		volume, width, convex = from.Dimensions(i)
	}
	long, middle, short := pb.extents(i)
	if !(width > 0) || !geom.Finite(width) {
		width = middle
	}
	if !(volume > 0) || !geom.Finite(volume) {
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

// fade returns 1 for x up to from, 0 beyond to, and is linear in between.
func fade(x, from, to float64) float64 { return max(0, min(1, (to-x)/(to-from))) }

// extents returns the edges of the box with the mass and the inertia of body i, longest first, m; 0 if there are none.
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
