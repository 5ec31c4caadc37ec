package scene

import "time"

// clock turns the time between frames into steps of one length. Pure: it knows no liquid.
type clock struct {
	step     time.Duration // of a step
	maxSteps int           // per frame
	left     time.Duration // not stepped yet, less than step after advance
}

// wait adds a frame's time, for a later advance to step.
func (c *clock) wait(dt time.Duration) { c.left += max(0, dt) }

// advance adds a frame's time and says how many steps to take and how much time was given
// up because a frame would need more than maxSteps.
func (c *clock) advance(dt time.Duration) (steps int, dropped time.Duration) {
	c.wait(dt)
	n := c.left / c.step
	if n > time.Duration(c.maxSteps) {
		dropped = (n - time.Duration(c.maxSteps)) * c.step
		n = time.Duration(c.maxSteps)
		c.left -= dropped
	}
	c.left -= n * c.step
	return int(n), dropped
}

// alpha is how far between the last two steps the frame to show lies, 0 to 1, or beyond after wait.
func (c *clock) alpha() float64 { return float64(c.left) / float64(c.step) }
