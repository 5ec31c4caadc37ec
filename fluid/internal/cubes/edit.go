package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Edits changes the surface and the velocity between steps.
type Edits struct {
	m        *Cells
	surface  *Surface
	survey   *Survey
	before   []float32 // φ before the edit, m
	refining refinement
	pouring  pouring
}

// Union adds a shape to the liquid, of a label if the tracker has some, but not one that is wholly in solids: when they go, no liquid may appear that was never
// booked. The surface of others goes on in solids as it would without them. trim then takes away what is to be none. The liquid that comes has a
// velocity, m/s. What the cells can't carry of it is returned as drops. solids are those that there are.
func (e *Edits) Union(s shapes.SDF, label int32, solids []query.Solid, velocity func(x r3.Vec) r3.Vec, trim func()) (drops []droplets.Drop) {
	m := e.m
	phi := m.Set.Phi
	e.before = append(e.before[:0], phi...)
	thin := !e.surface.isGiven() && !e.surface.residual.exact && e.pouring.begin(s, solids)
	m.Set.SetBox(s.Eval, s.Bounds())
	trim()
	filled := s
	if thin {
		defer e.pouring.end()
		if e.surface.copies() {
			filled = e.pouring.without()
		} else {
			filled = e.fitPieces(s, trim)
		}
	}
	if !e.reachesCells() {
		copy(phi, e.before)
		if !e.surface.copies() || !e.reachesOpen(s) {
			return e.pouring.drops(velocity)
		}
	}
	e.surface.union(filled, label)
	if thin && e.surface.copies() {
		e.refitPieces(label)
	}
	e.setVelocityOfNew(s, velocity)
	return e.pouring.drops(velocity)
}

// reachesCells tells whether liquid has come to an open cell.
func (e *Edits) reachesCells() bool {
	m := e.m
	phi, wet := m.Set.Phi, float32(m.CellSize/2)
	for c, open := range m.Solids.Volume {
		if open > 0 && phi[c] < e.before[c] && phi[c] < wet {
			return true
		}
	}
	return false
}

// fitPieces moves the thin pieces of a shape that has been added to a level set, until they have their litres. It returns the shape as it is filled in.
func (e *Edits) fitPieces(s shapes.SDF, trim func()) shapes.SDF {
	p, m := &e.pouring, e.m
	p.tally(func(k *piece) *float64 { return &k.held })
	p.fit(pourRounds, func() {
		p.tryOnField(e.before)
		trim()
	})
	p.chooseLeft(false)
	if !p.changes() {
		return s
	}
	copy(m.Set.Phi, e.before)
	m.Set.SetBox(p.eval, grown{p}.Bounds())
	trim()
	return grown{p}
}

// refitPieces moves the thin pieces of a shape that has been added to a sampled tracker's surface, until they have their litres.
func (e *Edits) refitPieces(label int32) {
	p := &e.pouring
	try := func() {
		e.surface.tracker.Revert()
		e.surface.union(grown{p}, label)
	}
	p.tally(func(k *piece) *float64 { return &k.held })
	p.fit(contourRounds, try)
	if p.changes() {
		try()
	}
}

// halfDiagonal is that of a cell, in edges.
const halfDiagonal = .867

// reachesOpen tells whether a shape may reach into a cell that solids leave room in: one that covers no centre is nothing to φ, but something to a
// tracker that is finer.
func (e *Edits) reachesOpen(s shapes.SDF) (reaches bool) {
	m := e.m
	reach := float32(halfDiagonal * m.CellSize)
	m.Grid.EachBase(s.Bounds(), func(b int32) {
		pts, first := m.Centres.Of(m.Grid, b), m.Grid.Cur.First[b]
		s.Eval(m.Centres.Dist, pts)
		for i, d := range m.Centres.Dist[:len(pts)] {
			reaches = reaches || d < reach && m.Solids.Volume[first+int32(i)] > 0
		}
	})
	return reaches
}

// Subtract takes the liquid out of a shape.
func (e *Edits) Subtract(s shapes.SDF) {
	e.m.Set.SubtractBox(s.Eval, s.Bounds())
	e.surface.subtract(s)
}

// airRounds is how often LeaveAir halves the interval that the size of its ball is in.
const airRounds = 12

// LeaveAir takes liquid out of a shape as long as drift, which tells by how much there is then more than there should be, stays positive. If not all
// of the shape is to be air, what of it is in a ball is, about the open place that is deepest in gone, of several the highest along up: a layer thinner
// than a cell would close, and no correction of the volume would follow the surplus.
func (e *Edits) LeaveAir(s, gone shapes.SDF, up r3.Vec, drift func() float64) {
	m := e.m
	e.before = append(e.before[:0], m.Set.Phi...)
	most := reproducible.Norm(r3.Sub(m.Domain.Max, m.Domain.Min))
	a := airPocket{s, e.deepest(gone, up), most, float32(airSkin * m.CellSize)}
	if e.driftWith(&a, drift) >= 0 {
		return
	}
	few, many := 0., most
	for range airRounds {
		if a.radius = (few + many) / 2; e.driftWith(&a, drift) >= 0 {
			few = a.radius
		} else {
			many = a.radius
		}
	}
	a.radius = few
	e.driftWith(&a, drift)
}

// airPocket is what of a shape is in a ball.
type airPocket struct {
	shape  shapes.SDF
	centre r3.Vec
	radius float64 // m
	skin   float32 // m
}

// airSkin, in finest cells, is how much liquid LeaveAir leaves within the shape's surface: cells whose centres lie in that surface stay liquid, as they are
// where the obstacle stands.
const airSkin = 1e-3

func (a *airPocket) eval(dst []float32, pts []r3.Vec) {
	a.shape.Eval(dst, pts)
	for i, x := range pts {
		dst[i] = max(dst[i]+a.skin, float32(reproducible.Norm(r3.Sub(x, a.centre))-a.radius))
	}
}

// driftWith leaves air in a pocket, and nowhere else, and returns the drift then.
func (e *Edits) driftWith(a *airPocket, drift func() float64) float64 {
	m := e.m
	copy(m.Set.Phi, e.before)
	m.Set.SubtractBox(a.eval, a.shape.Bounds())
	return drift()
}

// deepest is the middle of the open cell that is deepest in a shape, of several the highest.
func (e *Edits) deepest(s shapes.SDF, up r3.Vec) (x r3.Vec) {
	m := e.m
	least := math.Inf(1)
	m.Grid.EachBase(s.Bounds(), func(b int32) {
		pts, first := m.Centres.Of(m.Grid, b), m.Grid.Cur.First[b]
		s.Eval(m.Centres.Dist, pts)
		for i, d := range m.Centres.Dist[:len(pts)] {
			if m.Solids.Volume[first+int32(i)] == 0 {
				continue
			}
			if depth := float64(d) - float64(1e-3*reproducible.Dot(up, pts[i])); depth < least {
				least, x = depth, pts[i]
			}
		}
	})
	return x
}

// Publish makes the surface, from outside of a step, the state that the next one begins with.
func (e *Edits) Publish() {
	e.surface.publish()
	e.surface.dropMarkers(nil)
}
