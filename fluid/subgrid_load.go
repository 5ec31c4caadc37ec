package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// matrix6 acts on twists and wrenches.
type matrix6 [6][6]float64

// add adds by times q qᵀ.
func (m *matrix6) add(by float64, q *[6]float64) {
	for i := range m {
		v := float64(by * q[i])
		for j := range m {
			m[i][j] += float64(v * q[j])
		}
	}
}

func (m *matrix6) times(v *[6]float64) (r [6]float64) {
	for i := range m {
		for j, x := range v {
			r[i] += float64(m[i][j] * x)
		}
	}
	return r
}

// subgridLoad is what acts on a body within the cells.
type subgridLoad struct {
	submersion
	lift  [6]float64 // of still liquid, m³ and m⁴ per weight of it
	plane matrix6    // by how much lift changes with the body's place, m² to m⁴
	rise  [6]float64 // plane times what the liquid moves with
	// skin is the sum of n nᵀ over the surface, n the wrench of a unit force along the normal; bulk is the surface's area and first
	// moments, and spread its second moments, about the centre of mass.
	skin    matrix6
	bulk    [4]float64
	spread  [3][3]float64
	drag    matrix6    // kg/s
	flow    [6]float64 // drag times what the liquid moves with, N and N·m
	inertia matrix6    // of the liquid that gives way, per density and depth: m² and more
	old     matrix6    // of that, what did so in the last step
	met     [6]float64 // the rest times what the liquid moves with
}

// loadSubgrid has the liquid act on body i, if it is porous, as it does within cells.
//
// Still liquid presses by where the surface is; what rows make of that is taken off. Drag, waves and the liquid that gives way resist
// the body in the solve, implicitly: no step is too long for them, and they bring the body no further than to the liquid's own motion. Liquid
// that the body newly meets has its own motion, not the body's: that is what stops a body that falls flat. The energy that the body gets
// is bounded by its own, the liquid's, and that of the liquid that gives way.
func (l *Liquid) loadSubgrid(i int) {
	c := &l.coupling
	body, s, r := &c.porous[i], &c.state[i], &c.rigid[i]
	if !s.subgrid {
		return
	}
	load := l.subgridLoad(i)
	s.submersion = load.submersion
	if r.InverseMass == 0 && s.kind == DynamicBody { // asleep: what acts on it stays what it was
		return
	}
	dt, rho, gravity := l.m.Dt, l.def.Density, reproducible.Norm(l.accelerationAt(c.solid[i].Centre))
	weight := rho * gravity
	lift := load.exerted(&load.lift)
	var wrench [6]float64
	for a, still := range l.graph.Bodies[i].Still {
		wrench[a] = float64(weight * (lift[a] - still))
	}
	for a, x := range l.exert(i, &wrench) {
		s.aside[a] += x
		s.beside[a] += x
	}
	plane := load.exertedBoth()
	long, _, _ := l.extents(i)
	deep := body.width / 4 * (1 + max(0, 1-body.width/max(long, 1e-9))) // of the liquid that gives way to a facet, m
	waves := waveDrag * rho * math.Sqrt(gravity*body.width)
	rise := load.exerted(&load.rise)
	var keeps matrix6
	giving := body.share * rho * deep
	for a := range 6 {
		for b := range 6 {
			stiff := float64(dt * dt / 2 * weight * plane[a][b])
			keeps[a][b] = stiff + float64(giving*load.old[a][b])
			r.Resists[a][b] = stiff + float64(giving*load.inertia[a][b]) + float64(body.share*dt*(load.drag[a][b]+float64(waves*plane[a][b])))
		}
	}
	r.Centre = reproducible.Array(c.solid[i].Centre)
	for a, x := range keeps.times(&c.moved[i]) {
		r.Drives[a] = x + float64(giving*load.met[a]) + float64(body.share*dt*(load.flow[a]+float64(waves*rise[a])))
	}
}

// subgridLoad measures what acts on body i. The surface and the body are both where they are in the middle of the step.
func (l *Liquid) subgridLoad(i int) (load subgridLoad) {
	c := &l.coupling
	body, centre, v := &c.porous[i], c.solid[i].Centre, &c.moved[i]
	up, rho := l.upAt(centre), l.def.Density
	sample, face := 0, 0
	for k := range body.pieces {
		p := &body.pieces[k]
		at := l.m.Grid.ToPoint(p.x.X, p.x.Y, p.x.Z)
		a, b, d := l.m.Vel.At(at)
		liquid := r3.Vec{X: float64(a), Y: float64(b), Z: float64(d)}
		from := r3.Sub(p.x, reproducible.Scale(l.m.Drift, liquid))                                                             // what is here now was there when the surface was published
		phi := float64(l.m.Set.Tiles.At(l.m.Grid.ToPoint(from.X, from.Y, from.Z))) - reproducible.Dot(up, r3.Sub(p.x, centre)) // at the centre, as a level surface here would have it
		for ; sample < p.samples; sample++ {
			load.sink(body.samples[sample].Volume, r3.Sub(body.samples[sample].X, centre), phi, body.height, up, liquid)
		}
		for ; face < p.facets; face++ {
			f := &body.facets[face]
			arm := r3.Sub(f.x, centre)
			high := phi + reproducible.Dot(up, arm)
			u := r3.Vec{X: v[0], Y: v[1], Z: v[2]}
			u = r3.Sub(r3.Add(u, reproducible.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, arm)), liquid)
			under := submergedPart(high, body.height)
			load.resist(f, arm, under, min(under, submergedPart(high-float64(l.m.Dt*reproducible.Dot(up, u)), body.height)), reproducible.Dot(f.n, u), reproducible.Dot(f.n, liquid), rho)
		}
	}
	return load
}

// sink adds a sample at an arm. phi is the liquid's distance at the centre, by a level surface at the sample.
func (load *subgridLoad) sink(volume float64, arm r3.Vec, phi, height float64, up, liquid r3.Vec) {
	under := submergedPart(phi+reproducible.Dot(up, arm), height)
	load.whole += volume
	load.under += float64(volume * under)
	if under == 0 {
		return
	}
	q := wrenchAt(up, arm)
	for a, x := range q {
		load.lift[a] += float64(volume * under * x)
	}
	if under < 1 {
		load.plane.add(volume/height, &q)
		rise := volume / height * reproducible.Dot(up, liquid)
		for a, x := range q {
			load.rise[a] += float64(rise * x)
		}
	}
}

// submergedPart is how much of what has a height is under a surface that its middle is some way above, m.
func submergedPart(high, height float64) float64 { return max(0, min(1, .5-high/height)) }

// resist adds a facet at an arm, of which a part is under the surface and a part was already. speed is the normal one against the liquid,
// flow the liquid's own, m/s.
func (load *subgridLoad) resist(f *facet, arm r3.Vec, under, already, speed, flow, rho float64) {
	q := wrenchAt(f.n, arm)
	load.skin.add(f.area, &q)
	load.bulk[0] += f.area
	for a, x := range reproducible.Array(arm) {
		v := float64(f.area * x)
		load.bulk[1+a] += v
		for b, y := range reproducible.Array(arm) {
			load.spread[a][b] += float64(v * y)
		}
	}
	if under == 0 {
		return
	}
	wet := float64(f.area * under)
	load.area += wet
	load.inertia.add(wet, &q)
	if already > 0 {
		load.old.add(f.area*already, &q)
	}
	drag := facetDrag / 2 * rho * math.Abs(speed) * wet
	load.drag.add(drag, &q)
	fresh := float64(f.area * (under - already) * flow)
	for a, x := range q {
		load.flow[a] += float64(drag * flow * x)
		load.met[a] += float64(fresh * x)
	}
}

func wrenchAt(force, arm r3.Vec) [6]float64 {
	return rigid.Twist(force, reproducible.Cross(arm, force))
}

// noArm is how little skin may be against what it would be if forces along the surface counted as those along the normal, so that it
// counts as none: pressure has no arm about the axis of a round section, and what the samples make of one there is no torque.
const noArm = 5e-4

// anyway is noArm times the sum of n nᵀ over the surface and all directions of n.
func (load *subgridLoad) anyway() (m matrix6) {
	area, x, y, z := float64(noArm*load.bulk[0]), float64(noArm*load.bulk[1]), float64(noArm*load.bulk[2]), float64(noArm*load.bulk[3])
	m[0], m[1], m[2] = [6]float64{0: area, 4: z, 5: -y}, [6]float64{1: area, 3: -z, 5: x}, [6]float64{2: area, 3: y, 4: -x}
	m[3], m[4], m[5] = [6]float64{1: -z, 2: y}, [6]float64{0: z, 2: -x}, [6]float64{0: -y, 1: x}
	q := &load.spread
	for a := range 3 {
		for b := range 3 {
			m[3+a][3+b] = -float64(noArm * q[a][b])
		}
		m[3+a][3+a] += float64(noArm * (q[0][0] + q[1][1] + q[2][2]))
	}
	return m
}

// exerted is the part of a wrench that pressure on the surface can exert.
func (load *subgridLoad) exerted(wrench *[6]float64) [6]float64 {
	m := load.anyway()
	for a := range 6 {
		for b := range 6 {
			m[a][b] += load.skin[a][b]
		}
	}
	x := *wrench
	if !m.solve(&x) {
		return *wrench
	}
	return load.skin.times(&x)
}

// exertedBoth is plane of what pressure can exert.
func (load *subgridLoad) exertedBoth() (r matrix6) {
	var half matrix6
	for a := range 6 {
		half[a] = load.exerted(&load.plane[a])
	}
	for b := range 6 {
		column := [6]float64{half[0][b], half[1][b], half[2][b], half[3][b], half[4][b], half[5][b]}
		r[b] = load.exerted(&column)
	}
	return r
}

// solve replaces x by m⁻¹ x, m symmetric and positive definite; else it returns false.
func (m matrix6) solve(x *[6]float64) bool {
	for j := range 6 {
		for k := range j {
			for i := j; i < 6; i++ {
				m[i][j] -= float64(m[i][k] * m[j][k])
			}
		}
		if !(m[j][j] > 0) {
			return false
		}
		d := math.Sqrt(m[j][j])
		for i := j; i < 6; i++ {
			m[i][j] /= d
		}
	}
	for i := range 6 {
		for k := range i {
			x[i] -= float64(m[i][k] * x[k])
		}
		x[i] /= m[i][i]
	}
	for i := 5; i >= 0; i-- {
		for k := i + 1; k < 6; k++ {
			x[i] -= float64(m[k][i] * x[k])
		}
		x[i] /= m[i][i]
	}
	return true
}
