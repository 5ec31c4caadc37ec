package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Balance is the momentum that the liquid and its surroundings exchange in a substep, N·s, as in fluid.Momentum.
type Balance struct{ Liquid, Gravity, Air, Walls, Bodies r3.Vec }

// Exchange measures a Balance: call Start before the forces act, the other methods around forces, and Coupling.Balance after the solve.
type Exchange struct {
	base []float64 // per face: velocity before the forces, m/s, including what is set between BeforeStart and AfterStart
	fall []float64 // per face: change by gravity and the fields, m/s

	Control  [3]float64 // impulse of controls on the liquid, N·s
	Stresses [3]float64 // impulse of viscous stresses on obstacles and the domain's sides, N·s
}

// Start stores the velocity at the start.
func (x *Exchange) Start(gr *graph.Graph) { x.base = append(x.base[:0], gr.U...) }

// BeforeGravity is called before gravity and the fields act.
func (x *Exchange) BeforeGravity(gr *graph.Graph) { x.fall = append(x.fall[:0], gr.U...) }

// AfterGravity is called after gravity and the fields have acted.
func (x *Exchange) AfterGravity(gr *graph.Graph) { subtract(x.fall, gr.U, x.fall) }

// BeforeStart is called before velocities are set that count as part of the start: by emitters, and what carrying them has lost.
func (x *Exchange) BeforeStart(gr *graph.Graph) { subtract(x.base, x.base, gr.U) }

// AfterStart is called after these have been set.
func (x *Exchange) AfterStart(gr *graph.Graph) {
	for f, u := range gr.U {
		x.base[f] += u
	}
}

// subtract sets dst to a - b. dst may be a or b.
func subtract(dst, a, b []float64) {
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

// Balance returns the momentum exchanged in the substep. impulse is the rows' pressure impulses, Pa·s.
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

// exchangeBody adds the part of solid i and of the liquid in its gaps. Solids beyond the bodies are obstacles, and count as walls.
func (c *Coupling) exchangeBody(i int, gained, fell, walls, bodies *[3]float64) {
	dt := c.now.Dt
	r := &c.Rigid[i]
	before, free, after, rests := r.GapMomentumAt(&c.Moved[i]), r.GapMomentumAt(&r.Liquid), r.GapMomentumAt(&r.V), r.RestingImpulse
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

// WallImpulse returns the impulse of the pressure on walls, N·s: on the parts of cells' surfaces that are neither open nor of a body. pi is the rows' pressure
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
