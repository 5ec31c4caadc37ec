package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/bem"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// stepInput is what regions are solved with.
type stepInput struct {
	dt       float64
	gain     []r3.Vec // of each face by the acceleration, m/s
	material Material
	edge     float64
	bodies   []Body
}

// workspace is scratch of one worker.
type workspace struct {
	solver   bem.Solver
	mixed    bem.Mixed
	pressure []float64 // per vertex, over a step: Pa s
	normal   []float64 // derivative of the pressure, per face
	share    []float64 // area of each vertex, m²
	pull     []r3.Vec  // minus the gradient of the area, per vertex
	outward  []r3.Vec  // gradient of the volume, per vertex
	rest     []r3.Vec  // velocity beside a rigid motion, per face
	smooth   []r3.Vec
	again    []r3.Vec // velocities, per vertex
	gain     []r3.Vec
	along    []float64 // at the rim: see lean
	across   []float64
	count    []int32 // of edges at a vertex
	before   []r3.Vec
}

func (w *workspace) resize(n, m int) {
	w.pressure, w.share, w.normal = arrays.Resize(w.pressure, n), arrays.Resize(w.share, n), arrays.Resize(w.normal, m)
	w.pull, w.outward, w.again = arrays.Resize(w.pull, n), arrays.Resize(w.outward, n), arrays.Resize(w.again, n)
	w.count, w.before = arrays.Resize(w.count, n), arrays.Resize(w.before, m)
	w.along, w.across = arrays.Resize(w.along, n), arrays.Resize(w.across, n)
	w.rest, w.smooth, w.gain = arrays.Resize(w.rest, m), arrays.Resize(w.smooth, m), arrays.Resize(w.gain, m)
}

// accelerate asks for the acceleration at all faces.
func (l *Liquid) accelerate(dt float64, acceleration func(x r3.Vec) r3.Vec) error {
	l.step.dt, l.step.material, l.step.edge = dt, l.Material, l.Edge
	l.step.gain = arrays.Resize(l.step.gain, len(l.velocity))
	for i := range l.regions {
		r := &l.regions[i]
		for k, f := range r.faces {
			l.step.gain[f] = reproducible.Scale(dt, acceleration(r.centroid(k)))
		}
	}
	return finite("an acceleration", l.step.gain)
}

// solveAll makes the velocities at the end of the step in all regions, and the changes of those of the bodies.
func (l *Liquid) solveAll() {
	par.Each(l.pool, len(l.regions), 1, l, (*Liquid).solve)
	l.couple()
	par.Each(l.pool, len(l.regions), 1, l, (*Liquid).finish)
}

// solve makes a region's velocities without the pressure, and the pressure, which it subtracts where no body's motion enters.
func (l *Liquid) solve(worker int, i int32) {
	r, w, s := &l.regions[i], &l.work[worker], &l.step
	w.resize(len(r.at), len(r.triangles))
	for k, f := range r.faces {
		w.gain[k] = s.gain[f]
	}
	push := r.momentaOf(w.gain)
	r.wanted = momenta{r3.Add(r.momenta.linear, push.linear), r3.Add(r.momenta.angular, push.angular)}
	r.response.bodies = r.response.bodies[:0]
	if r.wetting.faces > 0 {
		if r.err = w.mixed.Set(r.at, r.triangles, r.wet); r.err == nil {
			r.err = r.decompose(w, &w.mixed.Layers)
		}
	} else if r.err = w.solver.Set(r.at, r.triangles); r.err == nil {
		r.err = r.decompose(w, &w.solver.Layers)
	}
	if r.err != nil {
		return
	}
	r.slowDown(s)
	for k, u := range r.velocity {
		r.velocity[k] = r3.Add(u, w.gain[k])
	}
	if r.wetting.faces > 0 {
		r.curveWet(w, s)
		r.err = r.pressWet(w, s)
	} else {
		r.err = r.press(w, s)
	}
}

// finish makes the velocities of vertices, once the bodies' are known.
func (l *Liquid) finish(worker int, i int32) {
	r, w, s := &l.regions[i], &l.work[worker], &l.step
	w.resize(len(r.at), len(r.triangles))
	if r.err == nil && r.wetting.faces > 0 {
		r.finishWet(w, s, l.coupling.change)
	}
	if r.err == nil {
		r.err = finite("a velocity", r.velocity)
	}
	switch {
	case r.err != nil: // it moves on as a rigid body
		rigid := r.rigid(&r.wanted)
		for k := range r.velocity {
			r.velocity[k] = rigid.at(r.centroid(k))
		}
		r.momenta = r.wanted
		r.setMomenta(r.wanted)
	case r.wetting.faces > 0:
		r.slide(w)
		r.momenta = r.momentaOf(r.velocity)
	default:
		r.momenta = r.wanted
		r.setMomenta(r.wanted)
	}
	r.toVertices(w)
	r.followSolids(s.dt)
}

// decompose replaces the velocity by the part that has neither divergence nor curl, and the rigid motion that the velocities are nearest to, which is left out meanwhile. The integrals smooth what
// they return; as much is given back as a second time takes away.
//
// Source: SOL, section 4.1.
func (r *region) decompose(w *workspace, layers *bem.Layers) error {
	rigid := fitRigid(r.at, r.triangles, r.velocity)
	for i, u := range r.velocity {
		w.rest[i] = r3.Sub(u, rigid.at(r.centroid(i)))
	}
	if err := layers.Harmonic(w.rest, w.rest); err != nil {
		return err
	}
	if err := layers.Harmonic(w.smooth, w.rest); err != nil {
		return err
	}
	for i, u := range w.rest {
		r.velocity[i] = r3.Add(r3.Add(u, r3.Sub(u, w.smooth[i])), rigid.at(r.centroid(i)))
	}
	return nil
}

// press subtracts the gradient of the pressure that tension makes: γκ·dt at the surface, harmonic inside.
//
// Source: SOL, section 4.3.
func (r *region) press(w *workspace, s *stepInput) error {
	r.curve(w)
	r.pressByTension(w, s)
	if err := w.solver.Normal(w.normal, w.pressure); err != nil {
		return err
	}
	r.subtractGradient(w, s)
	return nil
}

// subtractGradient subtracts that of the pressure, over the density, from the velocities, within bounds.
func (r *region) subtractGradient(w *workspace, s *stepInput) {
	copy(w.before, r.velocity)
	for i, t := range r.triangles {
		a, b, c := r.at[t[0]], r.at[t[1]], r.at[t[2]]
		n := r.normal(i)
		twice := reproducible.Norm(n)
		if twice == 0 {
			continue
		}
		n = reproducible.Scale(1/twice, n)
		sides := r3.Add(r3.Add(reproducible.Scale(w.pressure[t[0]], r3.Sub(c, b)), reproducible.Scale(w.pressure[t[1]], r3.Sub(a, c))), reproducible.Scale(w.pressure[t[2]], r3.Sub(b, a)))
		gradient := r3.Add(reproducible.Scale(1/twice, reproducible.Cross(n, sides)), reproducible.Scale(w.normal[i], n))
		r.velocity[i] = r3.Sub(r.velocity[i], reproducible.Scale(1/s.material.Density, gradient))
	}
	r.boundSpikes(w, w.before)
	r.boundSpeeds(w.before, s)
}

// curve finds what each vertex has of the surface: the gradients of area and volume, and the area that is nearest to it.
//
// Source: Brochu 2006, section 4.3, with half of the constant.
func (r *region) curve(w *workspace) {
	clear(w.pull)
	clear(w.outward)
	clear(w.share)
	for i, t := range r.triangles {
		n := r.normal(i)
		twice := reproducible.Norm(n)
		if twice == 0 {
			continue
		}
		for k, v := range t {
			a, b, c := r.at[v], r.at[t[(k+1)%3]], r.at[t[(k+2)%3]]
			w.pull[v] = r3.Add(w.pull[v], reproducible.Scale(.5/twice, reproducible.Cross(r3.Sub(c, b), n)))
			w.outward[v] = r3.Add(w.outward[v], reproducible.Scale(1./6, n))
			w.share[v] += nearestShare(r3.Sub(b, a), r3.Sub(c, a), r3.Sub(c, b), twice)
		}
	}
}

// damp takes from what the velocity has beside a rigid motion what viscosity takes in the step: 10ν/R² of it per second, so that the slowest wobble of a ball, which is motion for half of the time, loses 5ν/R² of its amplitude. On solids it is taken from what it has beside their mean motion.
//
// Sources: Lamb 1932, section 355, degree 2; Brochu 2006, section 5.5, which damps by a number of no meaning.
func (r *region) damp(s *stepInput) {
	if s.material.Viscosity == 0 || !(r.body.volume > 0) {
		return
	}
	radius := reproducible.Cbrt(r.body.volume * 3 / (4 * math.Pi))
	left := reproducible.Exp2(-float64(math.Log2E*10*s.material.Viscosity*s.dt) / float64(s.material.Density*radius*radius))
	rigid := fitRigid(r.at, r.triangles, r.velocity)
	if r.wetting.faces > 0 {
		rigid = r.meanSolid()
	}
	for i, u := range r.velocity {
		ofBody := rigid.at(r.centroid(i))
		r.velocity[i] = r3.Add(ofBody, reproducible.Scale(left, r3.Sub(u, ofBody)))
	}
}

// slowDown takes what viscosity and the rim take, and notes of a wet region what momentum that is.
func (r *region) slowDown(s *stepInput) {
	if r.wetting.faces == 0 {
		r.damp(s)
		return
	}
	before := r.momentaOf(r.velocity).linear
	r.damp(s)
	r.rub(s)
	r.rubbed = r3.Sub(r.momentaOf(r.velocity).linear, before)
}

// lineFriction is how fast the rim is slowed down, in capillary frequencies of an edge, √(γ/ρh³).
const lineFriction = .5

// rub slows the faces at the rim down to the solid's velocity: a contact line is where liquid on a solid loses most of its energy, and what is finer than edges there is noise.
func (r *region) rub(s *stepInput) {
	rate := lineFriction * math.Sqrt(s.material.Tension/float64(s.material.Density*s.edge*s.edge*s.edge))
	left := reproducible.Exp2(-float64(math.Log2E * rate * s.dt))
	for i, t := range r.triangles {
		if r.wet[i] {
			continue
		}
		for _, v := range t {
			if r.touched[v] {
				u := r.contacts[v].Velocity
				r.velocity[i] = r3.Add(u, reproducible.Scale(left, r3.Sub(r.velocity[i], u)))
				break
			}
		}
	}
}

// meanSolid is the mean velocity of the solids that a region wets.
func (r *region) meanSolid() (m rigidMotion) {
	for i, wet := range r.wet {
		if wet {
			m.velocity = r3.Add(m.velocity, reproducible.Scale(r.area(i)/r.wetting.area, r.solidVelocity(i)))
		}
	}
	return m
}

// toVertices makes the velocities of the vertices, of those of the faces around.
//
// The mean over a vertex's faces of what is linear on faces is smoothed; as much is given back as a second mean takes away.
func (r *region) toVertices(w *workspace) {
	r.vertex = arrays.Resize(r.vertex, len(r.at))
	r.average(w, r.vertex, func(i int) r3.Vec { return r.velocity[i] })
	r.average(w, w.again, func(i int) r3.Vec {
		t := r.triangles[i]
		return reproducible.Scale(1./3, r3.Add(r.vertex[t[0]], r3.Add(r.vertex[t[1]], r.vertex[t[2]])))
	})
	for v, u := range r.vertex {
		r.vertex[v] = r3.Sub(r3.Add(u, u), w.again[v])
	}
}

// average sets dst to the mean, weighted with areas, of the faces' vectors around each vertex.
func (r *region) average(w *workspace, dst []r3.Vec, of func(i int) r3.Vec) {
	clear(dst)
	clear(w.share)
	for i, t := range r.triangles {
		area := reproducible.Norm(r.normal(i))
		u := reproducible.Scale(area, of(i))
		for _, v := range t {
			dst[v] = r3.Add(dst[v], u)
			w.share[v] += area
		}
	}
	for v, a := range w.share {
		if a > 0 {
			dst[v] = reproducible.Scale(1/a, dst[v])
		}
	}
}
