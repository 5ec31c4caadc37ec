package forces

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// bodies is the solids' part of the solve: a twist each, of which those that something can move are unknown. Momenta are over the liquid's density.
type bodies struct {
	v, p, r, z [][6]float64
	mp         [][6]float64 // inertia times p
	y          [][6]float64 // L times what the solids move with
	in         [][6]float64
	own        [][6][6]float64 // what L has of each body's alone, m, m² and m³
	more       [][6][6]float64 // that times ν·dt·ρ, kg, kg·m and kg·m²
	kick, to   []float64       // scratch of respond
	free       bool            // some can be moved
}

// grip is what a solid's velocity enters a strain with, along the twist; of one that never moves, solid -1, along its velocity alone.
type grip struct {
	strain, solid int32
	k             [6]float64 // 1/m, and 1
}

// startBodies takes the bodies' velocities, and has nothing be done to the solids yet.
func (v *Viscosity) startBodies() {
	h, s := &v.held, v.Solids
	h.free = false
	if s == nil {
		h.v, h.y = h.v[:0], h.y[:0]
		return
	}
	n := len(s.Bodies)
	for _, a := range [6]*[][6]float64{&h.v, &h.p, &h.r, &h.z, &h.mp, &h.y} {
		*a = arrays.Resize(*a, n)
		clear(*a)
	}
	h.own, h.more = arrays.Resize(h.own, n), arrays.Resize(h.more, n)
	h.kick, h.to = arrays.Resize(h.kick, 6*n), arrays.Resize(h.to, 6*n)
	s.Impulse, s.Walls = arrays.Resize(s.Impulse, n), [3]float64{}
	clear(s.Impulse)
	for i := range s.Bodies {
		h.v[i] = s.Bodies[i].V
		h.free = h.free || s.Bodies[i].InverseMass > 0
	}
}

// addToBodies gathers what L has of each body alone, and has the bodies' inertia grow by that.
func (v *Viscosity) addToBodies() {
	h := &v.held
	if !h.free {
		return
	}
	clear(h.own)
	for i := range v.linker {
		l := &v.linker[i]
		for j := range l.grips {
			g := &l.grips[j]
			if g.solid < 0 {
				continue
			}
			m, weight := &h.own[g.solid], l.strains[g.strain].weight
			for a, x := range g.k {
				for b, y := range g.k {
					m[a][b] += float64(weight * x * y)
				}
			}
		}
	}
	for i := range h.own {
		for a := range 6 {
			for b := range 6 {
				h.more[i][a][b] = v.k * v.Solids.Density * h.own[i][a][b]
			}
		}
	}
	v.Solids.Inertia.Increase(h.more)
}

// sumBodies sets y of the solids: the sum of the stresses at each.
func (v *Viscosity) sumBodies() {
	y := v.held.y
	if len(y) == 0 || v.bare && !v.held.free {
		return
	}
	clear(y)
	for i := range v.linker {
		l := &v.linker[i]
		stress := v.stress[l.first:]
		for j := range l.grips {
			if g := &l.grips[j]; g.solid >= 0 {
				to, s := &y[g.solid], stress[g.strain]
				for d, k := range g.k {
					to[d] += float64(k * s)
				}
			}
		}
	}
}

// respond sets z to what the residual moves bodies with against their inertia and all that L has of them alone, and returns r·z.
func (v *Viscosity) respond() (rz float64) {
	h := &v.held
	for i := range h.r {
		for d, r := range h.r[i] {
			h.kick[6*i+d] = v.Solids.Density * r
		}
	}
	v.Solids.Inertia.Respond(h.to, h.kick)
	for i := range h.z {
		copy(h.z[i][:], h.to[6*i:])
		rz += rigid.Dot(&h.r[i], &h.z[i])
	}
	return rz
}

// startBodySolve is startSolve for the bodies. It returns r·z.
func (v *Viscosity) startBodySolve() float64 {
	h := &v.held
	if !h.free {
		return 0
	}
	for i := range h.r {
		if v.Solids.Bodies[i].InverseMass > 0 {
			for d, y := range h.y[i] {
				h.r[i][d] = -v.k * y
			}
		}
	}
	rz := v.respond()
	v.turnBodies(0)
	return rz
}

// turnBodies sets p to z and some of the p before, and the inertia times p likewise.
func (v *Viscosity) turnBodies(beta float64) {
	h := &v.held
	if !h.free {
		return
	}
	for i := range h.p {
		for d := range 6 {
			h.p[i][d] = h.z[i][d] + float64(beta*h.p[i][d])
			h.mp[i][d] = h.r[i][d] - float64(v.k*rigid.Dot(&h.own[i][d], &h.z[i])) + float64(beta*h.mp[i][d])
		}
	}
}

// applyBodyMatrix sets y = A p of the bodies, where y is L·p, and returns p·y.
func (v *Viscosity) applyBodyMatrix() (py float64) {
	h := &v.held
	if !h.free {
		return 0
	}
	for i := range h.y {
		for d := range 6 {
			h.y[i][d] = h.mp[i][d] + float64(v.k*h.y[i][d])
		}
		py += rigid.Dot(&h.p[i], &h.y[i])
	}
	return py
}

// advanceBodies is advanceSolve for the bodies. It returns r·z.
func (v *Viscosity) advanceBodies() float64 {
	h := &v.held
	if !h.free {
		return 0
	}
	for i := range h.v {
		if v.Solids.Bodies[i].InverseMass == 0 {
			continue
		}
		for d := range 6 {
			h.v[i][d] += float64(v.alpha * h.p[i][d])
			h.r[i][d] -= float64(v.alpha * h.y[i][d])
		}
	}
	return v.respond()
}

// settleBodies gives the bodies the velocity that leaves them no residual: a light one would be thrown by it, whatever energy it has.
func (v *Viscosity) settleBodies() {
	h := &v.held
	for i := range h.v {
		for d, z := range h.z[i] {
			h.v[i][d] += z
		}
	}
}

// pushBodies gives the solids the impulse of the stresses that multiply has found.
func (v *Viscosity) pushBodies() {
	s := v.Solids
	if s == nil {
		return
	}
	by := -v.k * s.Density
	for i := range s.Impulse {
		for d, y := range v.held.y[i] {
			s.Impulse[i][d] = by * y
		}
	}
	for i := range v.linker {
		l := &v.linker[i]
		for j := range l.grips {
			if g := &l.grips[j]; g.solid < 0 {
				for d := range s.Walls {
					s.Walls[d] += float64(by * v.stress[l.first+g.strain] * g.k[d])
				}
			}
		}
	}
}
