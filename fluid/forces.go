package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/forces"
)

// push turns the carried velocity into what the liquid would have without pressure, and gives the
// air's pressure where the surface is bent.
//
// Viscosity comes first: gravity's part of the velocity is what the pressure will take away again,
// and walls that held it back would set a still pool in motion.
func (l *Liquid) push() {
	l.begin(StageForces)
	l.rub()
	l.soothe()
	for i := range l.coupling.count() {
		l.turnSmall(i)
		l.evenOut(i)
	}
	l.accelerate()
	l.jet()
	l.tighten()
	l.solids.Bridge(&l.graph, l.set.Phi, l.press, array(exact.Scale(l.def.Density, l.def.Gravity)))
	l.lap(l.graph.Faces())
}

// faceGrain is how many faces make a chunk of a loop that does little to each.
const faceGrain = 8192

// accelerate adds gravity and the force fields.
func (l *Liquid) accelerate() {
	gr, dt := &l.graph, l.step.dt
	l.pool.For(gr.Faces(), faceGrain, l.fallChunk)
	for _, field := range l.world.fields {
		if field == nil {
			continue
		}
		for f, axis := range gr.Axis {
			gr.U[f] += float64(dt * array(field.at(toVec(gr.FaceCentre(f))))[axis])
		}
	}
}

// fall adds gravity to some faces.
func (l *Liquid) fall(_, lo, hi int) {
	g := array(exact.Scale(l.step.dt, l.def.Gravity))
	axis, u := l.graph.Axis[lo:hi], l.graph.U[lo:hi]
	for f, a := range axis {
		u[f] += g[a]
	}
}

// capillaryStep is the longest step, s, that surface tension is stable with.
func (l *Liquid) capillaryStep() float64 {
	return forces.CapillaryStep(l.def.Density, l.def.SurfaceTension, l.def.CellSize)
}

// tighten adds surface tension. Where the substeps are too few for it, it is only as strong
// as they can follow.
func (l *Liquid) tighten() {
	if l.tension == nil {
		return
	}
	most := forces.StiffestTension(l.def.Density, l.def.CellSize, l.step.dt)
	l.tension.Apply(&l.graph, l.set.Phi, min(l.def.SurfaceTension, most))
}

// drag is what viscosity asks about the walls.
type drag struct {
	scratch []dragScratch // per worker
	walls   func(worker int, axis []uint8, at [][3]float64, dst []float64)
}

type dragScratch struct {
	near  []float64 // how near the nearest solid so far is, m
	pts   []r3.Vec
	which []int // the place that each of pts is
	dist  []float32
}

// rub lets viscosity act on the carried velocity.
func (l *Liquid) rub() {
	if l.viscosity == nil {
		return
	}
	l.viscosity.Wall = nil
	for i := range l.coupling.moved {
		if l.coupling.moved[i] != [6]float64{} {
			l.viscosity.Wall = l.drag.walls
			break
		}
	}
	l.viscosity.Apply(&l.graph, &l.faces, &l.solids.State, l.def.Viscosity, l.step.dt)
}

// wallSpeeds writes the velocity along an axis, m/s, of the solid nearest to each place, m.
func (l *Liquid) wallSpeeds(worker int, axis []uint8, at [][3]float64, dst []float64) {
	s := &l.drag.scratch[worker]
	s.near = resize(s.near, len(at))
	box := r3.Box{Min: toVec(at[0]), Max: toVec(at[0])}
	for i, x := range at {
		dst[i], s.near[i] = 0, min(l.def.CellSize, l.sideDistance(x))
		box.Min, box.Max = minVec(box.Min, toVec(x)), maxVec(box.Max, toVec(x))
	}
	moves := false
	for i := range l.coupling.solid {
		c := &l.coupling.solid[i]
		if bounds := grown(c.Bounds, l.def.CellSize); overlaps(bounds, box) {
			s.gather(at, bounds)
			s.nearer(c.Distance, axis, dst, c.Centre, &l.coupling.moved[i])
			moves = moves || l.coupling.moved[i] != [6]float64{}
		}
	}
	if moves && len(l.world.static.shapes) > 0 {
		s.gather(at, box)
		s.nearer(l.world.distance, axis, dst, r3.Vec{}, &[6]float64{})
	}
}

// gather lists the places in a box.
func (s *dragScratch) gather(at [][3]float64, box r3.Box) {
	s.pts, s.which = s.pts[:0], s.which[:0]
	for i, x := range at {
		if v := toVec(x); contains(box, v) {
			s.pts, s.which = append(s.pts, v), append(s.which, i)
		}
	}
	s.dist = resize(s.dist, len(s.pts))
}

// nearer gives the gathered places that a solid with the twist v about a centre is nearest to
// its velocity.
func (s *dragScratch) nearer(solid func([]float32, []r3.Vec), axis []uint8, dst []float64, centre r3.Vec, v *[6]float64) {
	if len(s.pts) == 0 {
		return
	}
	solid(s.dist, s.pts)
	for k, i := range s.which {
		if d := float64(s.dist[k]); d < s.near[i] {
			arm := r3.Sub(s.pts[k], centre)
			u := r3.Add(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, exact.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, arm))
			dst[i], s.near[i] = array(u)[axis[i]], d
		}
	}
}

// sideDistance is how far a place is from the nearest of the domain's closed sides, m; infinite if
// there are none.
func (l *Liquid) sideDistance(x [3]float64) float64 {
	lo, hi, open := array(l.def.Domain.Min), array(l.def.Domain.Max), l.openSides()
	d := math.Inf(1)
	for a := range 3 {
		if !open[2*a] {
			d = min(d, x[a]-lo[a])
		}
		if !open[2*a+1] {
			d = min(d, hi[a]-x[a])
		}
	}
	return d
}

// foamSplash has the foam of the next substep know of the bodies that splashed in this one: as
// white as if the liquid had taken on their speed, as wide as they are.
func (l *Liquid) foamSplash() {
	splashes := l.out.ev.Splashes
	for _, s := range splashes[l.step.splashes:] {
		box := l.coupling.solid[s.Body.Index].Bounds
		size := exact.Norm(r3.Sub(box.Max, box.Min))
		l.foam.Splash(array(s.Position), float64(size/2)+float64(2*l.def.CellSize), l.foam.Tuning.Hit*s.Speed)
	}
	l.step.splashes = len(splashes)
}

// foamFades lets foam fade on liquid that is asleep.
func (l *Liquid) foamFades(dt float64) {
	if !l.foam.Some() {
		return
	}
	l.begin(StagePublish)
	l.foam.Advance(l.set.Phi, l.vel, dt)
	l.foam.Publish()
	l.lap(0)
	l.makeMesh()
}
