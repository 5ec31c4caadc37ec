package main

// period measures how long a swing takes by when it passes its middle.
type period struct {
	time, value float64
	begun       bool
	passes      []float64 // s
}

// add takes the swing's place at a time, s, later than the one before.
func (p *period) add(time, value float64) {
	if p.begun && (value > 0) != (p.value > 0) && p.value != 0 {
		p.passes = append(p.passes, p.time+(time-p.time)*p.value/(p.value-value))
	}
	p.time, p.value, p.begun = time, value, true
}

// mean is that of the last two periods at most, s, of passes the same way and the other, so that a middle that is not in the middle of the swing does no harm; 0
// before there is one.
func (p *period) mean() float64 {
	n := len(p.passes)
	switch {
	case n < 3:
		return 0
	case n == 3:
		return p.passes[2] - p.passes[0]
	}
	return (p.passes[n-1] - p.passes[n-3] + p.passes[n-2] - p.passes[n-4]) / 2
}
