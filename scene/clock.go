package scene

import "time"

// clock turns the time between frames into steps of one length. Pure: it knows no liquid.
type clock struct {
	step     time.Duration // of a step
	maxSteps int           // per frame
	left     time.Duration // not stepped yet, less than step after advance
}

// advance adds a frame's time and says how many steps to take and how much time was given
// up because a frame would need more than maxSteps.
func (c *clock) advance(dt time.Duration) (steps int, dropped time.Duration) {
	if dt > 0 {
		c.left += dt
	}
	n := c.left / c.step
	if n > time.Duration(c.maxSteps) {
		dropped = (n - time.Duration(c.maxSteps)) * c.step
		n = time.Duration(c.maxSteps)
		c.left -= dropped
	}
	c.left -= n * c.step
	return int(n), dropped
}

// alpha is how far between the last two steps the frame to show lies, 0 to 1.
func (c *clock) alpha() float64 { return float64(c.left) / float64(c.step) }
