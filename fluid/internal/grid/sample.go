package grid

import "math/bits"

// Places are up to as many places in a tile as a block has cells, in cells from the block's low corner,
// and what a component is there, m/s.
type Places struct {
	X, Y, Z                [room]float32
	Value, Least, Greatest [room]float32
	held                   [room / lanes]uint8 // a bit per place: the tile holds it
	source                 Component
}

const (
	room  = pageSize
	lanes = 8
)

// The kernels sample the source at the first n places. They exist in plain Go, here, and in assembly
// for processors with AVX2; both give the same bits where the tile holds the place, and rubbish elsewhere.
var (
	sample      = sampleGo
	sampleRange = sampleRangeGo
)

// Sample sets Value at the first n places to a component, but where its tile misses them.
func (p *Places) Sample(c Component, n int) { p.run(sample, c, n) }

// SampleRange sets Least and Greatest besides: of the values that Value was made from.
func (p *Places) SampleRange(c Component, n int) { p.run(sampleRange, c, n) }

func (p *Places) run(kernel func(p *Places, n int), c Component, n int) {
	if len(c.t) == 0 {
		clear(p.held[:])
		return
	}
	p.source = c
	kernel(p, n)
}

// Missed is the first of n places, from the given one on, that the tile does not hold; n if there is none.
func (p *Places) Missed(from, n int) int {
	for from < n {
		if missed := ^p.held[from/lanes] >> (from % lanes); missed != 0 {
			return min(from+bits.TrailingZeros8(missed), n)
		}
		from = (from/lanes + 1) * lanes
	}
	return n
}

func sampleGo(p *Places, n int) {
	for i := range n {
		if p.hold(i) {
			p.Value[i] = p.source.At(p.X[i], p.Y[i], p.Z[i])
		}
	}
}

func sampleRangeGo(p *Places, n int) {
	for i := range n {
		if p.hold(i) {
			p.Value[i], p.Least[i], p.Greatest[i] = p.source.Range(p.X[i], p.Y[i], p.Z[i])
		}
	}
}

// hold notes whether the source's tile holds place i.
func (p *Places) hold(i int) bool {
	x, y, z, n := p.X[i], p.Y[i], p.Z[i], p.source.edge
	bit := uint8(1) << (i % lanes)
	if x >= 0 && x <= n && y >= 0 && y <= n && z >= 0 && z <= n {
		p.held[i/lanes] |= bit
		return true
	}
	p.held[i/lanes] &^= bit
	return false
}
