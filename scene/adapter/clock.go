package adapter

import "time"

// Clock turns the time between frames into steps of one length. Step and MaxSteps must be positive.
type Clock struct {
	Step     time.Duration // length of a step
	MaxSteps int           // most steps in a frame

	left time.Duration // not stepped yet, less than Step after Advance
}

// Accumulate adds a frame's time, which a later Advance turns into steps. A negative time counts as none.
func (c *Clock) Accumulate(dt time.Duration) { c.left += max(0, dt) }

// Advance adds a frame's time. It returns how many steps to take, and how much time is given up
// because the frame would need more than MaxSteps.
func (c *Clock) Advance(dt time.Duration) (steps int, dropped time.Duration) {
	if c.Step <= 0 || c.MaxSteps <= 0 {
		panic("adapter: Clock: Step and MaxSteps must be positive")
	}
	c.Accumulate(dt)
	n := c.left / c.Step
	if n > time.Duration(c.MaxSteps) {
		dropped = (n - time.Duration(c.MaxSteps)) * c.Step
		n = time.Duration(c.MaxSteps)
		c.left -= dropped
	}
	c.left -= n * c.Step
	return int(n), dropped
}

// Alpha is where the shown moment lies between the last two steps: 0 to 1, or more after Accumulate.
func (c *Clock) Alpha() float64 { return float64(c.left) / float64(c.Step) }
