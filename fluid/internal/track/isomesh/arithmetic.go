package isomesh

import "math"

func clamp32(v, lo, hi float32) float32 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// lesser is the processor's minimum of packed numbers.
func lesser(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func sqrt32(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// directions are the offsets of a block's 26 neighbours, and its own, by x + 3y + 9z from (-1, -1, -1).
var directions = func() (all [27][3]int) {
	for d := range all {
		all[d] = meshOffset(d)
	}
	return all
}()
