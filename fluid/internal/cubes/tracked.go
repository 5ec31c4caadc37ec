package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracked is a surface tracker of its own that blocks follow. It is the one that knows where the surface is; the blocks' φ is a copy of its
// distance at the cells' centres, made anew whenever it has moved. What emitters, sinks, open sides, solids and the volume's controller change of
// the copy in a step it absorbs at the step's end. Lengths are in m, velocities in m/s, times in s.
type Tracked interface {
	// Advance moves the settled surface for dt by a velocity that is told everywhere, also beyond the liquid and in solids, to several workers
	// at once, and is finite. Blocks may have other levels than when it was settled.
	Advance(velocity func(dst, at []r3.Vec), dt float64)
	// Distance writes signed distances, negative in the liquid: right near the surface, and beyond the blocks' band of either sign and no
	// nearer than that.
	Distance(dst []float32, at []r3.Vec)

	// Union adds a shape to the liquid, with a label, which is 0 but for a tracker that is labelling. Subtract takes a shape away.
	Union(s shapes.SDF, label int32)
	Subtract(shapes.SDF)
	// Absorb changes the distance in boxes that share no volume. change is given the distances at some places in them, and writes there
	// what they are to be: no distance, but 0 where the surface is to be, of the right sign around, and as steep as a distance there but for
	// what the surface is strained by. Where nothing changes it leaves them, whatever they are. Several workers may call it at once; the value
	// at a place does not depend on the others.
	Absorb(boxes []r3.Box, change func(dst []float32, at []r3.Vec))

	// Resized tells that blocks have other levels now, though nothing moves.
	Resized()
	// Settle makes the surface the one that Revert goes back to.
	Settle()
	Revert()
	// Code goes along the settled surface. When it reads, the blocks have the levels that they had. Most is more bytes than that takes.
	Code(*codec.Codec)
	Most() int
}

// pictured is a tracker that has triangles finer than what φ tells. They are those of the settled surface within the domain, closed along
// its sides, with positions, normals, indices and how many of those are free.
type pictured interface {
	Triangles(dst *query.Triangles, domain r3.Box)
}

// uncrossed is a pictured tracker whose triangles never pass through each other. It moves them on by itself.
type uncrossed interface {
	// TrianglesLater writes them as they are so many s later, ≥ 0, or as near to that as they come without passing through each other.
	TrianglesLater(dst *query.Triangles, domain r3.Box, later float64)
}

// weighed is a tracker that knows what part of each cell is liquid, where sheets and drops are thinner than what φ at the cells' centres
// tells. Several workers may ask at once.
type weighed interface {
	Fractions(b int32, dst []float32)
}

// surrounded is a tracker that is weighed more exactly than weighed, and tells the parts of the cells around a block, too.
type surrounded interface {
	// Weigh follows every change of the surface.
	Weigh()
	// FractionsAround writes the liquid parts of a block's cells and of a layer around it, of cells of the same size, x fastest. Several
	// workers may ask at once.
	FractionsAround(b int32, dst []float32)
	// Areas writes the area of the surface in a block's cells, m².
	Areas(b int32, dst []float32)
}

// surfaced is a tracker that tells points of its surface, of which each stands for a part of its area.
type surfaced interface {
	// SurfacePoints appends where the points will be that many s later, with the settled velocity.
	SurfacePoints(dst []forces.SurfacePoint, later float64) []forces.SurfacePoint
}

// reporting is a tracker that tells what it has done in a substep.
type reporting interface {
	Report() query.SurfaceReport
}

// shedding is a tracker with parts that are too small for any row, and that no velocity of the grid is about.
type shedding interface {
	// Shed takes the parts away that hold no row, and lets them fly.
	Shed(f *Followed)
}

// labelling is a tracker of surfaces that have labels and merge with those of their own alone.
type labelling interface {
	// Claim has what liquid appears in a box until the next Absorb be of a label's surface, of whichever else is near.
	Claim(box r3.Box, label int32)
}

// kept is a tracker with an upkeep that may wait.
type kept interface {
	SetUpkeepInterval(n int)
}

// ending is a tracker whose surface ends beyond the domain's sides, which is nothing that cells tell.
type ending interface{ EndsBeyond() }

// blockwise is a tracker that tells distances faster where the places are the centres of a block's cells. Several workers may ask at once.
type blockwise interface {
	DistanceOfBlock(dst []float32, b int32)
}

// located is a tracker that tells the distance of one place where the surface is near. Several workers may ask at once.
type located interface {
	// Near is a place's signed distance, m, and whether that is known: if it is less than within, m, or than what the tracker looks around. Where it is not, d is
	// of the right sign or 0.
	Near(x r3.Vec, within float64) (d float64, ok bool)
}

// Followed is the surface of a Tracked on blocks.
type Followed struct {
	*Surface
	tracked   Tracked
	weighed   weighed    // nil if it is not
	located   located    // nil if it is not
	around    surrounded // nil if it is not
	ends      bool       // it is ending
	thin      thinCells
	triangles query.Triangles // if it is pictured
	velocity  func(dst, at []r3.Vec)
	copied    copied
	excess    excess
	thicken   thickening
}

// Track has the blocks follow a tracker. It is for a liquid that has not been started yet.
func (m *Blocks) Track(t Tracked) *Followed {
	f := &Followed{Surface: &m.Surface, tracked: t}
	f.velocity = f.finiteVelocity
	f.weighed, _ = t.(weighed)
	f.located, _ = t.(located)
	f.around, _ = t.(surrounded)
	_, f.ends = t.(ending)
	f.copied.init(m)
	f.excess.init(m)
	f.thin.init(m)
	m.Set.Markers.PerCell = 0
	m.Spray.TellsMerged = true
	m.followed = f
	return f
}

// SetDetailInterval has detail of the surface looked after in every n-th substep.
func (f *Followed) SetDetailInterval(n int) {
	f.Surface.SetDetailInterval(n)
	if t, ok := f.tracked.(kept); ok {
		t.SetUpkeepInterval(n)
	}
}

// Advance moves the surface with the settled velocity over Drift, and takes the copy of it.
func (f *Followed) Advance() {
	m := f.m
	m.Spray.Keep()
	f.advance()
	f.take(m.Vel, m.Drift)
	if t, ok := f.tracked.(shedding); ok {
		t.Shed(f)
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
	if t, ok := f.tracked.(reporting); ok {
		r = t.Report()
	}
	return r
}

// ExtractMesh makes the surface's mesh at the output time. It is valid until the next one.
func (f *Followed) ExtractMesh() query.Triangles {
	p, ok := f.tracked.(pictured)
	if !ok {
		return f.Surface.ExtractMesh()
	}
	m, t := f.m, &f.triangles
	if u, ok := p.(uncrossed); ok {
		u.TrianglesLater(t, m.Domain, m.OutputDelay())
		f.dress()
		return *t
	}
	p.Triangles(t, m.Domain)
	f.dress()
	f.moveOn(float32(m.OutputDelay()))
	return *t
}

// ExtrapolateMesh moves the last mesh, which stays in the domain, on by its velocities, dt seconds. Of a tracker whose triangles are uncrossed it makes that of the settled
// state: whether they would cross on their way costs more than to make them.
func (f *Followed) ExtrapolateMesh(dt float32) query.Triangles {
	switch p := f.tracked.(type) {
	case uncrossed:
		p.TrianglesLater(&f.triangles, f.m.Domain, 0)
		f.dress()
	case pictured:
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

// dress gives the vertices of the triangles the velocity half a finest cell within the liquid, and the foam: see underSurface.
func (f *Followed) dress() {
	m, t := f.m, &f.triangles
	n := len(t.Positions) / 3
	t.Velocities, t.Foam = arrays.Resize(t.Velocities, 3*n), arrays.Resize(t.Foam, n)
	foam := m.Foam.Tiles()
	for i := range n {
		x, normal := t.Positions[3*i:][:3], t.Normals[3*i:][:3]
		under := m.underSurface(
			r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}, r3.Vec{X: float64(normal[0]), Y: float64(normal[1]), Z: float64(normal[2])})
		at := m.Grid.ToPoint(under.X, under.Y, under.Z)
		t.Velocities[3*i], t.Velocities[3*i+1], t.Velocities[3*i+2] = m.Vel.At(at)
		t.Foam[i] = foam.At(at)
	}
}

// What blocks tell the tracker that they follow: a nil Followed stands for none.

// weighs tells whether the tracker knows what part of each cell is liquid.
func (f *Followed) weighs() bool { return f != nil && (f.weighed != nil || f.around != nil) }

// hasLoose tells whether cells without a row may hold liquid that the tracker knows of. With one that is surrounded what is thin has rows.
func (f *Followed) hasLoose() bool { return f != nil && f.weighed != nil }

// surfaced is the tracker, if it tells points of its surface.
func (f *Followed) surfaced() surfaced {
	if f == nil {
		return nil
	}
	t, _ := f.tracked.(surfaced)
	return t
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
		f.tracked.Union(s, label)
		f.take(nil, 0)
	}
}

// claim has what liquid appears in a box in this substep be of a label's surface.
func (f *Followed) claim(box r3.Box, label int32) {
	if f == nil {
		return
	}
	if t, ok := f.tracked.(labelling); ok {
		t.Claim(box, label)
	}
}

// subtract takes a shape away, which φ has no more.
func (f *Followed) subtract(s shapes.SDF) {
	if f != nil {
		f.tracked.Subtract(s)
		f.take(nil, 0)
	}
}
