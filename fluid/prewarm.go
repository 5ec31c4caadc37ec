package fluid

import (
	"time"

	"gonum.org/v1/gonum/spatial/r3"
)

// calibration is how long Prewarm takes steps: half of it to learn what they cost, half of it with the plan that follows
// from that.
const calibration = 50 * time.Millisecond

// frozen are bodies that nothing moves.
type frozen struct{ Bodies }

func (frozen) Wake(int)                      {}
func (frozen) AddWrench(int, r3.Vec, r3.Vec) {}
func (frozen) Step(float64)                  {}

// Prewarm takes a twentieth of a second, or three steps if they take longer, to do what the first steps would else have
// to: it takes steps of 1/60 s and takes them back. Then there is memory for what the budget allows, and the budget knows
// what a step costs on this machine. Call it once the scene is laid out: the liquid filled, its bodies coupled, and its
// view set. The state stays what it is; the bodies are asked, and not moved.
func (l *Liquid) Prewarm() {
	c, bodies, replay := &l.state.codec, l.coupling.bodies, l.replay
	c.Write()
	l.codeAlike(c)
	if bodies != nil {
		l.coupling.bodies = frozen{bodies}
	}
	l.replay = Plan{}
	for range 2 {
		l.rehearse()
		l.planner.Calibrate()
	}
	l.coupling.bodies, l.replay = bodies, replay
	c.Read(c.Bytes(), version)
	l.codeAlike(c)
}

// rehearse takes steps of a liquid that is awake.
func (l *Liquid) rehearse() {
	for n, start := 0, time.Now(); n < 3 || time.Since(start) < calibration/2; n++ {
		l.disturb()
		l.Step(1. / 60)
	}
}
