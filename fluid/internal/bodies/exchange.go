package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Balance is what passed between the liquid and what is around it in a substep, N·s, as fluid.Momentum has it.
type Balance struct{ Liquid, Gravity, Air, Walls, Bodies r3.Vec }

// Exchange is what a Balance is measured with: by Start before forces act, the other methods around those, and Balance when the pressure has acted.
type Exchange struct {
	base []float64 // per face: the velocity before the forces, m/s; emitters' own is part of it
	fall []float64 // per face: what gravity and the fields add

	Control  [3]float64 // what controls have given the liquid, N·s
	Stresses [3]float64 // what viscous stresses have given obstacles and the domain's sides, N·s
}

// Start notes the velocity that the balance starts with.
func (x *Exchange) Start(gr *graph.Graph) { x.base = append(x.base[:0], gr.U...) }

// BeforeGravity and AfterGravity stand around gravity and the fields, BeforeEmitters and AfterEmitters around what emitters set.
func (x *Exchange) BeforeGravity(gr *graph.Graph) { x.fall = append(x.fall[:0], gr.U...) }

// AfterGravity is the other end of BeforeGravity.
func (x *Exchange) AfterGravity(gr *graph.Graph) { subtract(x.fall, gr.U, x.fall) }

// BeforeEmitters is one end of AfterEmitters.
func (x *Exchange) BeforeEmitters(gr *graph.Graph) { subtract(x.base, x.base, gr.U) }

// AfterEmitters has what emitters set count as there before.
func (x *Exchange) AfterEmitters(gr *graph.Graph) {
	for f, u := range gr.U {
		x.base[f] += u
	}
}

// subtract sets dst to a - b, of which it may be one.
func subtract(dst, a, b []float64) {
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

// Balance is what passed in the substep. impulse is the rows' pressure impulses, Pa·s.
func (c *Coupling) Balance(x *Exchange, impulse []float64) Balance {
	gr := c.Graph
	var gained, fell, air [3]float64
	for f, u := range gr.U {
		mass := c.now.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f]
		gr.AddAlong(f, &gained, float64(mass*(u-x.base[f])))
		gr.AddAlong(f, &fell, float64(mass*x.fall[f]))
		if gr.A[f]|gr.B[f] < 0 {
			part := gr.AirShare(gr.A[f]) - gr.AirShare(gr.B[f])
			gr.AddAlong(f, &air, float64(part*gr.Area[f]*gr.Open[f]*gr.Jump[f]*c.now.Dt))
		}
	}
	for i := range gr.Bubbles {
		b := &gr.Bubbles[i]
		for n := range b.Bodies {
			for d := range air {
				air[d] += float64(b.Impulse * b.Bodies[n].K[d])
			}
		}
	}
	walls := WallImpulse(gr, impulse)
	for d, x := range x.Stresses {
		walls[d] += x
	}
	var bodies [3]float64
	for i := range c.Rigid {
		c.exchangeBody(i, &gained, &fell, &walls, &bodies)
	}
	v := reproducible.Vector
	return Balance{Liquid: v(gained), Gravity: v(fell), Air: v(air), Walls: v(walls), Bodies: v(bodies)}
}

// exchangeBody adds a body's part, and that of the liquid that moves with it. What can't be told from an obstacle is one.
func (c *Coupling) exchangeBody(i int, gained, fell, walls, bodies *[3]float64) {
	dt := c.now.Dt
	r := &c.Rigid[i]
	before, free, after, rests := r.Carries(&c.Moved[i]), r.Carries(&r.Liquid), r.Carries(&r.V), r.Resting
	to := walls
	if i < len(c.state) {
		to = bodies
	}
	for d := range 3 {
		gained[d] += after[d] - before[d]
		fell[d] += free[d] - before[d] + rests[d]
		to[d] += r.Impulse[d]
		if i < len(c.state) {
			to[d] += float64(dt * (c.state[i].unsolvedWrench[d] + c.state[i].damping[d]))
		}
	}
}

// WallImpulse is what the pressure gives walls, N·s: of a cell's surface they bear what is neither open nor a body's. pi is the rows' pressure
// impulses, Pa·s.
func WallImpulse(gr *graph.Graph, pi []float64) (walls [3]float64) {
	walls = gr.WallImpulse(pi)
	for i := range gr.Bodies {
		w := &gr.Bodies[i]
		for e, r := range w.Row {
			for a := range walls {
				walls[a] -= float64(w.K[e][a] * pi[r])
			}
		}
	}
	return walls
}
