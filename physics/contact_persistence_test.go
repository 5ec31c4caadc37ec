package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Points that are carried along are as deep as when found anew. Along the surfaces, where edges cross
// at a small angle, they may be millimetres away.
func TestCarriedPointsAreFound(t *testing.T) {
	for name, w := range map[string]*World{
		"pile": pile(WorldDef{Gravity: down, NoSleep: true}, 60),
		"zoo":  zoo(WorldDef{Gravity: down, NoSleep: true}, 60),
	} {
		steps(w, 600)
		carried, compared, astray := 0, 0, 0
		for _, p := range w.pairs {
			c := &w.contacts[p.contact]
			a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
			sa, sb := &w.shapes[c.shapeA], &w.shapes[c.shapeB]
			now, motion := poseIn(sa, sb, a.q, b.q), r3.Scale(tick, r3.Sub(a.v, b.v))
			if c.n == 0 || c.sensor || now == c.foundPose || !c.unmoved(&now, motion) {
				continue
			}
			carried++
			var m manifold
			x, y := sa.solid(c.partA), sb.solid(c.partB)
			w.collide(&x, &y, motion, &m)
			c.movePoints(sa, sb)
			for _, q := range c.points[:c.n] {
				for _, h := range m.points[:m.n] {
					if h.id != q.id {
						continue
					}
					compared++
					beside := r3.Norm(r3.Sub(h.pos, q.pos))
					if beside > 5e-3 { // where two edges cross at a shallow angle
						astray++
					}
					// Faces that share an area may be tilted by a twentieth, and more if a corner is above the other.
					tilt := 0.05 + max(h.sep, 0)/0.05
					if math.Abs(h.sep-q.sep) > persistenceTolerance/10+tilt*beside || beside > 2e-2 || r3.Norm(r3.Sub(h.normal, q.normal)) > 2*persistenceTolerance {
						t.Errorf("%s, point %x: %g m deep is carried as %g, %g m beside, normal %v as %v", name, h.id, -h.sep, -q.sep, beside, h.normal, q.normal)
					}
				}
			}
		}
		if t.Logf("%s: %d contacts carried, %d points compared", name, carried, compared); carried < 20 || compared < 2*carried {
			t.Errorf("%s: %d contacts carried, %d points compared", name, carried, compared)
		}
		if astray > compared/50 {
			t.Errorf("%s: %d of %d carried points are more than 5 mm beside", name, astray, compared)
		}
	}
}
