package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Followed is the surface of a tracker on blocks. The blocks' φ is a copy of the tracker's distance at the cells' centres, made anew whenever it has moved. What
// emitters, sinks, open sides, solids and the volume's controller change of the copy in a step the tracker applies at the step's end.
type Followed struct {
	*Surface
	tracker   track.Tracker
	can       *track.Abilities
	thin      thinCells
	triangles query.Triangles // if the tracker has some
	motion    track.Motion
	velocity  func(dst, at []r3.Vec) // Blocks.Velocity
	copied    copied
	excess    excess
	thicken   thickening
	rows      track.Rows
	beyond    track.Change // the open sides
}

// Track has the blocks follow a tracker. It is for a liquid that has not been started yet.
func (m *Blocks) Track(t track.Tracker) *Followed {
	f := &Followed{Surface: &m.Surface, tracker: t, can: t.Abilities()}
	f.motion.Velocity, f.velocity = f.finiteVelocity, m.Velocity
	f.rows = track.Rows{Find: f.findRows, Remove: f.removeParts}
	f.beyond = track.Change{
		Apply: m.Sources.cutDistance, Flips: func(r3.Vec) bool { return true }, Appears: func(r3.Vec) bool { return true },
	}
	f.copied.init(f)
	f.excess.init(m)
	f.thin.init(m)
	if f.can.Thicken != nil {
		f.thicken.held = make([]float64, m.Grid.Bases())
	}
	m.Set.Markers.PerCell = 0
	m.Spray.TellsMerged = true
	m.followed = f
	return f
}

// SetDetailInterval has detail of the surface looked after in every n-th substep.
func (f *Followed) SetDetailInterval(n int) {
	f.Surface.SetDetailInterval(n)
	if f.can.SetUpkeepInterval != nil {
		f.can.SetUpkeepInterval(n)
	}
}

// Advance moves the surface with the settled velocity over Drift, and takes the copy of it.
func (f *Followed) Advance() {
	m := f.m
	m.Spray.Keep()
	f.advance()
	f.take(m.Vel, m.Drift)
	if f.can.DetachDroplets != nil {
		f.can.DetachDroplets(&f.rows, m.Dt)
	}
	f.bookMerged()
}

// finiteVelocity is Blocks.Velocity, but 0 where that is not finite or would cross the whole grid in a step.
func (f *Followed) finiteVelocity(dst, at []r3.Vec) {
	m := f.m
	m.Velocity(dst, at)
	size := m.Grid.Dim
	most := float64(m.Grid.H*layout.Edge) * float64(size[0]+size[1]+size[2]) / m.Drift
	for i, v := range dst[:len(at)] {
		if !(math.Abs(v.X)+math.Abs(v.Y)+math.Abs(v.Z) < most) {
			dst[i] = r3.Vec{}
		}
	}
}

// Report is what the tracker has done in the substep.
func (f *Followed) Report() (r query.SurfaceReport) {
	if f.can.Report != nil {
		r = f.can.Report()
	}
	return r
}

// ExtractMesh makes the surface's mesh at the output time. It is valid until the next one.
func (f *Followed) ExtractMesh() query.Triangles {
	m, t := f.m, &f.triangles
	switch {
	case f.can.TrianglesLater != nil:
		f.can.TrianglesLater(t, m.Domain, f.velocity, m.OutputDelay())
		f.dress()
	case f.can.Triangles != nil:
		f.can.Triangles(t, m.Domain)
		f.dress()
		f.moveOn(float32(m.OutputDelay()))
	default:
		return f.Surface.ExtractMesh()
	}
	return *t
}

// ExtrapolateMesh moves the last mesh, which stays in the domain, on by its velocities, dt seconds. Of a tracker whose triangles never cross it makes that of the
// settled state: whether they would cross on their way costs more than to make them.
func (f *Followed) ExtrapolateMesh(dt float32) query.Triangles {
	switch {
	case f.can.TrianglesLater != nil:
		f.can.TrianglesLater(&f.triangles, f.m.Domain, f.velocity, 0)
		f.dress()
	case f.can.Triangles != nil:
		f.moveOn(dt)
	default:
		return f.Surface.ExtrapolateMesh(dt)
	}
	return f.triangles
}

// moveOn moves the triangles on by their velocities, dt seconds.
func (f *Followed) moveOn(dt float32) {
	m, t := f.m, &f.triangles
	extrapolate(t.Positions, t.Velocities, dt, reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max))
}

// dress gives the vertices of the triangles the velocity half a finest cell within the liquid, and the foam: see track.Surroundings.Under.
func (f *Followed) dress() {
	m, t := f.m, &f.triangles
	n := len(t.Positions) / 3
	t.Velocities, t.Foam = arrays.Resize(t.Velocities, 3*n), arrays.Resize(t.Foam, n)
	foam, around := m.Foam.Tiles(), track.Surroundings{Domain: m.Domain, CellSize: m.CellSize}
	for i := range n {
		x, normal := t.Positions[3*i:][:3], t.Normals[3*i:][:3]
		under := around.Under(
			r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}, r3.Vec{X: float64(normal[0]), Y: float64(normal[1]), Z: float64(normal[2])})
		at := m.Grid.ToPoint(under.X, under.Y, under.Z)
		t.Velocities[3*i], t.Velocities[3*i+1], t.Velocities[3*i+2] = m.Vel.At(at)
		t.Foam[i] = foam.At(at)
	}
}

// What blocks tell the tracker that they follow: a nil Followed stands for none.

// weighs tells whether the tracker knows what part of each cell is liquid.
func (f *Followed) weighs() bool { return f != nil && f.can.Fractions != nil }

// hasThinRows tells whether cells that hold thin liquid are rows, as the tracker knows the surface in them exactly.
func (f *Followed) hasThinRows() bool { return f != nil && f.can.Areas != nil }

// hasLoose tells whether cells without a row may hold liquid that the tracker knows of.
func (f *Followed) hasLoose() bool { return f.weighs() && !f.hasThinRows() }

// Surroundings are what a tracker may know of the blocks.
func (m *Blocks) Surroundings() track.Surroundings {
	return track.Surroundings{
		Domain: m.Domain, Open: m.Open, CellSize: m.CellSize, Tiles: m.Grid.Tiles(), Pool: m.Pool, Edges: m.Grid.Edges, Distance: m.Surface.Distance, Spray: m.Spray,
	}
}

// blockBox is the cells of a block, and so many layers around them.
func (m *Blocks) blockBox(b int32, layers int) track.Box {
	g := m.Grid
	level, low := g.Cur.Level[b], g.Corner(b)
	h, n := g.CellSize(level), 1<<level+2*layers
	for a := range low {
		low[a] -= float64(float64(layers) * h)
	}
	return track.Box{Low: reproducible.Vector(low), Edge: h, Count: [3]int{n, n, n}}
}

// retake makes φ what the tracker tells wherever it is.
func (f *Followed) retake() {
	if f != nil {
		f.take(nil, 0)
	}
}

// unite adds a shape with a label, which φ has already.
func (f *Followed) unite(s shapes.SDF, label int32) {
	if f != nil {
		f.tracker.Union(s, label)
		f.take(nil, 0)
	}
}

// claim has what liquid appears in a box in this substep be of a label's surface.
func (f *Followed) claim(box r3.Box, label int32) {
	if f != nil && f.can.Label != nil {
		f.can.Label(box, label)
	}
}

// subtract takes a shape away, which φ has no more.
func (f *Followed) subtract(s shapes.SDF) {
	if f != nil {
		f.tracker.Subtract(s)
		f.take(nil, 0)
	}
}
