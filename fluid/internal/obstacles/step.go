package obstacles

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// AppendMoving appends the moving obstacles in their current poses to a step's solids, behind the bodies: as solids, as bodies of
// the solve, and their twists.
func (s *Set) AppendMoving(solids []rigid.Solid, bodies []rigid.Body, moved [][6]float64) ([]rigid.Solid, []rigid.Body, [][6]float64) {
	for _, o := range s.All {
		if !o.Moves {
			continue
		}
		o.inStep = o.placed
		bounds := o.inStep.Bounds()
		if o.SetAside {
			bounds = boxes.Nowhere()
		}
		twist := o.Motion.twist()
		solids = append(solids, rigid.Solid{Distance: o.distanceInStep, Bounds: bounds, Centre: o.Motion.Translation, Thin: true})
		bodies = append(bodies, rigid.Body{V: twist})
		moved = append(moved, twist)
	}
	return solids, bodies, moved
}

// AppendRegions appends the regions around moving obstacles where cells are to be fine, with a margin, m.
func (s *Set) AppendRegions(dst []query.Region, margin float64) []query.Region {
	for _, o := range s.All {
		if o.isSeparate() {
			dst = append(dst, query.Region{Box: o.placed.Bounds(), Margin: margin, Size: boxes.LeastEdge(o.Shape.Bounds())})
		}
	}
	return dst
}

// Advance moves the obstacles on by dt seconds.
func (s *Set) Advance(dt float64) {
	for _, o := range s.All {
		if o.Moves && !o.Motion.atRest() {
			o.Motion.advance(dt)
			o.place()
		}
	}
}

// Moving reports whether some obstacle has a velocity.
func (s *Set) Moving() bool {
	for _, o := range s.All {
		if o.Moves && !o.Motion.atRest() {
			return true
		}
	}
	return false
}

// AppendDisturbed appends the boxes in which obstacles act on the liquid in the next dt seconds, m.
func (s *Set) AppendDisturbed(dst []r3.Box, dt float64) []r3.Box {
	for _, o := range s.All {
		if o.Moves {
			dst = append(dst, boxes.Grown(o.placed.Bounds(), dt*reproducible.Norm(o.Motion.Velocity)))
		}
	}
	return dst
}

// AppendSolids appends the obstacles in their current poses. The static ones are one solid.
func (s *Set) AppendSolids(dst []query.Solid) []query.Solid {
	if s.hasStatic() {
		dst = append(dst, query.Solid{Distance: s.nearest, Bounds: s.static.Bounds()})
	}
	for _, o := range s.All {
		if o.isSeparate() {
			dst = append(dst, query.Solid{Distance: o.distanceNow, Bounds: o.placed.Bounds()})
		}
	}
	return dst
}

// AppendStepSolids appends the static obstacles, as one solid, and the solids of a step as they were in it.
func (s *Set) AppendStepSolids(dst []query.Solid, solids []rigid.Solid) []query.Solid {
	if s.hasStatic() {
		dst = append(dst, query.Solid{Distance: s.nearest, Bounds: boxes.Everywhere()})
	}
	for i := range solids {
		dst = append(dst, query.Solid{Distance: solids[i].Distance, Bounds: solids[i].Bounds})
	}
	return dst
}

// MarkInside sets inside for the points, at most query.BatchSize, that are in an obstacle.
func (s *Set) MarkInside(inside []bool, points []r3.Vec, scratch *query.Batch) {
	if s.hasStatic() {
		scratch.Mark(inside, points, s.domain, s.domain, s.nearest)
	}
	for _, o := range s.All {
		if o.isSeparate() {
			scratch.Mark(inside, points, o.placed.Bounds(), s.domain, o.distanceNow)
		}
	}
}

// Substeps returns how many substeps a solid needs in a step of dt s, by the thickness of its thinnest wall, m, and its twist about a centre: see
// walls.Substeps. It returns 0 if no liquid is near, which wet reports for a box.
func (s *Set) Substeps(thickness float64, box r3.Box, centre r3.Vec, twist *[6]float64, dt float64, wet func(r3.Box) bool) float64 {
	if !boxes.Overlap(box, s.domain) {
		return 0
	}
	box = boxes.Intersection(box, s.domain)
	travel := dt * walls.MaxSpeedIn(box, centre, twist)
	if n := walls.Substeps(thickness, travel, s.cell); n > 0 && wet(boxes.Grown(box, travel)) {
		return n
	}
	return 0
}

// Fastest returns the obstacle that needs the most substeps, and how many; 0 if none needs any.
func (s *Set) Fastest(dt float64, wet func(r3.Box) bool) (most float64, at int) {
	for i, o := range s.All {
		if !o.isSeparate() {
			continue
		}
		twist := o.Motion.twist()
		if n := s.Substeps(shapes.ThicknessOf(o.Shape), o.placed.Bounds(), o.Motion.Translation, &twist, dt, wet); n > most {
			most, at = n, i
		}
	}
	return most, at
}

// edgeSamples is the number of places along each axis in Largest.
const edgeSamples = 4

// samples are places in the domain, and distances there.
type samples struct {
	pts  [edgeSamples * edgeSamples * edgeSamples]r3.Vec
	dist [edgeSamples * edgeSamples * edgeSamples]float32
}

// Largest returns the obstacle that fills most of the domain, by a few samples, or -1.
func (s *Set) Largest() (at int) {
	at = -1
	q, lo, size, most := s.samples, s.domain.Min, r3.Sub(s.domain.Max, s.domain.Min), 0
	for i := range q.pts {
		x, y, z := float64(i%edgeSamples)+.5, float64(i/edgeSamples%edgeSamples)+.5, float64(i/(edgeSamples*edgeSamples))+.5
		q.pts[i] = r3.Vec{X: lo.X + float64(x*size.X/edgeSamples), Y: lo.Y + float64(y*size.Y/edgeSamples), Z: lo.Z + float64(z*size.Z/edgeSamples)}
	}
	for i, o := range s.All {
		if o.SetAside {
			continue
		}
		o.current().Eval(q.dist[:], q.pts[:])
		count := 0
		for _, d := range q.dist {
			if d < 0 {
				count++
			}
		}
		if count > most {
			at, most = i, count
		}
	}
	return at
}
