package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/track/isomesh"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Surface is what the blocks know of the liquid's surface: φ at the cells' centres, what of the cells is liquid that φ does not tell, and what floats on it. Its
// tracker knows where the surface is. There are three kinds:
//
//   - The tracker shares its field with the blocks, as a level set does: φ is the tracker's own, and what acts on the blocks changes it.
//   - φ is a copy, sampled from the tracker's distance when it has moved. What emitters, sinks, open sides, solids and the volume's controller change of the
//     copy in a step the tracker applies at the step's end.
//   - The liquid is given: the tracker moves it by itself, φ is sampled when a graph is made, and nothing of the blocks changes the surface.
type Surface struct {
	m        *Cells
	survey   *layout.Survey
	volumes  *Volumes
	sources  *Sources
	mesh     *isomesh.Mesh
	foam     *forces.Foam
	tracker  track.Tracker
	can      *track.Abilities
	interval int // SetDetailInterval's

	motion   track.Motion
	velocity func(dst, at []r3.Vec) // Blocks.Velocity
	rows     track.Rows
	beyond   track.Change // the open sides

	field     sampledField
	residual  residual
	merging   merging
	thicken   thickening
	triangles query.Triangles // the tracker's, if it has some
}

// Track has the blocks' liquid followed by a tracker. It is for a liquid that has not been started yet.
func (m *Blocks) Track(t track.Tracker) {
	s := &m.Surface
	s.tracker, s.can, s.velocity, s.merging = t, t.Abilities(), m.Velocity, merging{s.m, s.volumes, s.sources}
	s.motion.Velocity, s.motion.Field = s.finiteVelocity, m.Vel
	if !s.copies() {
		return
	}
	s.rows = track.Rows{Find: s.findRows, Remove: s.removeParts}
	s.beyond = track.Change{Apply: m.Sources.cutDistance, Flips: everywhere, Appears: everywhere}
	s.field.init(s)
	s.residual.init(s.m, s.can, &s.field)
	if s.can.Thicken != nil {
		s.thicken.held = make([]float64, m.Grid.Bases())
	}
	m.Spray.ListMerged = true
}

// Tracker is what Track was called with.
func (s *Surface) Tracker() track.Tracker { return s.tracker }

func everywhere(r3.Vec) bool { return true }

// shares tells whether φ is the tracker's own field.
func (s *Surface) shares() bool { return s.can.SharesField }

// isGiven tells whether the tracker moves by itself, whatever acts on the blocks.
func (s *Surface) isGiven() bool { return s.can.Given }

// copies tells whether φ is a copy of the tracker's distance.
func (s *Surface) copies() bool { return !s.can.SharesField && !s.can.Given }

// hasLoose tells whether cells without a row may hold liquid that the tracker knows of.
func (s *Surface) hasLoose() bool { return s.residual.weighs && !s.residual.exact }

// SetDetailInterval has detail of the surface looked after in every n-th substep.
func (s *Surface) SetDetailInterval(n int) {
	s.interval = n
	if s.can.SetUpkeepInterval != nil {
		s.can.SetUpkeepInterval(n)
	}
}

// Advance moves the surface, droplets with it, with the settled velocity over Drift, in which the liquid is to grow by a volume, m³, or if that is no number by nobody knows what.
func (s *Surface) Advance(growth float64) {
	m := s.m
	if m.Open != [6]bool{} {
		growth = math.NaN()
	}
	s.motion.Growth = growth
	if !s.copies() {
		s.tracker.Advance(s.motionOver(m.Drift))
		return
	}
	m.Spray.Keep()
	s.advanceCopied()
	s.sample(m.Vel, m.Drift)
	if s.can.DetachDroplets != nil {
		s.can.DetachDroplets(&s.rows, m.Dt)
	}
	s.merging.book()
}

// motionOver is the motion by the settled velocity for a time, s.
func (s *Surface) motionOver(dt float64) *track.Motion {
	m := s.m
	s.motion.Dt, s.motion.MaxSpeed, s.motion.Gravity = dt, s.survey.MaxSpeed, reproducible.Norm(m.Gravity)
	return &s.motion
}

// finiteVelocity is Blocks.Velocity, but 0 where that is not finite or would cross the whole grid in a step.
func (s *Surface) finiteVelocity(dst, at []r3.Vec) {
	m := s.m
	m.Velocity(dst, at)
	size := m.Grid.Dim
	most := float64(m.Grid.H*layout.Edge) * float64(size[0]+size[1]+size[2]) / m.Drift
	for i, v := range dst[:len(at)] {
		if !(math.Abs(v.X)+math.Abs(v.Y)+math.Abs(v.Z) < most) {
			dst[i] = r3.Vec{}
		}
	}
}

// Complete extrapolates φ into solids after all that changes it, separates it at thin walls, and advects the foam.
func (s *Surface) Complete() {
	m := s.m
	if s.isGiven() {
		return
	}
	m.Solids.Extend(m.Set.Phi)
	m.Solids.SeparateAtWalls(m.Set.Phi, m.Set.ClipBlocks)
	s.AdvanceFoam(m.Drift)
}

// Report is what the tracker has done in the substep.
func (s *Surface) Report() (r query.SurfaceReport) {
	if s.can.Report != nil {
		r = s.can.Report()
	}
	return r
}

// Distance writes the distance to the published surface at some places, m.
func (s *Surface) Distance(dst []float32, at []r3.Vec) {
	m := s.m
	if s.isGiven() {
		s.tracker.Distance(dst, at)
		return
	}
	for i, x := range at {
		dst[i] = m.Set.Tiles.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
	}
}

// Check returns what is wrong with the tracker's surface, as a deep check finds it: nil for one that has none.
func (s *Surface) Check() error {
	if s.can.Check == nil {
		return nil
	}
	return s.can.Check()
}

// union adds a shape, which has been added to φ, to the tracker's surface.
func (s *Surface) union(shape shapes.SDF, label int32) {
	if s.copies() {
		s.tracker.Union(shape, label)
		s.sample(nil, 0)
	}
}

// subtract takes a shape, which has been taken out of φ, out of the tracker's surface.
func (s *Surface) subtract(shape shapes.SDF) {
	if s.copies() {
		s.tracker.Subtract(shape)
		s.sample(nil, 0)
	}
}

// label gives liquid that appears in a box in this substep a label.
func (s *Surface) label(box r3.Box, label int32) {
	if s.can.Label != nil {
		s.can.Label(box, label)
	}
}

// dropMarkers has the tracker drop markers at places where liquid is gone; with a nil gone, those in air. They would restore liquid.
func (s *Surface) dropMarkers(gone func(x r3.Vec) bool) {
	if s.can.DropMarkers != nil {
		s.can.DropMarkers(gone)
	}
}

// Surroundings are what a tracker may know of the blocks.
func (m *Blocks) Surroundings() track.Surroundings {
	return track.Surroundings{
		Domain: m.Domain, Open: m.Open, CellSize: m.CellSize, Tiles: m.Grid.Tiles(), Pool: m.Pool, Edges: m.Grid.Edges, Distance: m.Surface.Distance, Spray: m.Spray,
	}
}

// blockBox is the cells of a block, and so many layers around them.
func (m *Cells) blockBox(b int32, layers int) track.Box {
	g := m.Grid
	level, low := g.Cur.Level[b], g.Corner(b)
	h, n := g.CellSize(level), 1<<level+2*layers
	for a := range low {
		low[a] -= float64(float64(layers) * h)
	}
	return track.Box{Low: reproducible.Vector(low), Edge: h, Count: [3]int{n, n, n}}
}
