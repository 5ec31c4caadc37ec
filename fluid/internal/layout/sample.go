package layout

import "math/bits"

// Places are up to as many places in a tile as a block has cells, in cells from the block's low corner,
// and what a component is there, m/s.
type Places struct {
	X, Y, Z [room]float32
	Value   [room]float32
	held    [room / lanes]uint8 // a bit per place: the tile holds it
	source  Component

	// Cell is, for SampleAntiDiffused, the cell of the block before which the face lies whose liquid came from the
	// place, or None for one whose value is to be interpolated and no more. It becomes the face's place in
	// the component; before is the value that lies before that along the axis.
	Cell   [room]int32
	before [room]float32
}

const (
	room  = pageSize
	lanes = 8
)

// The kernels sample the source at the first n places. They exist in plain Go, here, and in assembly
// for processors with AVX2; both give the same bits where the tile holds the place, and rubbish elsewhere.
var (
	sample             = sampleGo
	sampleAntiDiffused = sampleAntiDiffusedGo
)

// Sample sets Value at the first n places to a component, but where its tile misses them.
func (p *Places) Sample(c Component, n int) { p.run(sample, c, n) }

// SampleAntiDiffused sets Value at the first n places to what of a component a step carries from there to the faces
// before Cell, but where its tile misses them. low is the component in the next block of the same level on
// the low side, if there is one.
//
// The correction is a one-sided anti-diffusion. Linear interpolation a part w of the way between two values diffuses: its leading error is
// w(1-w)/2 second differences. antiDiffused·κ times that, with the second difference at the face itself, is taken off for each axis, and the
// values that were interpolated between bound the result.
//
// The MacCormack scheme of Selle, Fedkiw, Kim, Liu, Rossignac 2008 differs: it estimates the error by a second semi-Lagrangian step, which carries the
// result back, and takes off half of what differs from the start. Where the velocity is uniform the two estimates have the same leading term.
// Here there is no step back, the velocity's gradient is left out of the estimate, the factor is less than 1, and liquid at the surface, at
// solids and at faces between levels is not corrected at all. The bound is theirs.
//
// The factor is less than 1 since undiffused eddies as small as the grid resolves keep their energy and gain that of larger ones, so that
// the energy of stirred liquid grows. The step is stable: a wave that interpolation multiplies by 1-q, q ≤ 4w(1-w), on an axis is left with at most
// √((1-q₁)(1-q₂)(1-q₃)) + κ(q₁+q₂+q₃)/2 of its height, which is no more than 1 for any two of them and κ = 1,
// and for all three if κ = 1/(1+2w(1-w)) with the least w(1-w).
func (p *Places) SampleAntiDiffused(c, low Component, n int) {
	from := n // the kernel looks at eight cells at a time
	if len(c.t) == 0 {
		from = 0
	}
	for i := from; i < (n+lanes-1)/lanes*lanes; i++ {
		p.Cell[i] = None
	}
	p.find(c, low, n)
	p.run(sampleAntiDiffused, c, n)
}

// find turns cells into where their faces lie in a component, and finds the values before these along the
// axis. Where no block of the same level lies before, the component goes on as it is between the first two.
func (p *Places) find(c, low Component, n int) {
	for i, cell := range p.Cell[:n] {
		if cell == None {
			continue
		}
		k := c.face[cell]
		p.Cell[i] = k
		switch {
		case cell&c.inner != 0:
			p.before[i] = c.t[k-c.along]
		case len(low.t) > 0:
			p.before[i] = low.t[k+c.last[c.axis]*c.along]
		default:
			p.before[i] = 2*c.t[k] - c.t[k+c.along]
		}
	}
}

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

func sampleAntiDiffusedGo(p *Places, n int) {
	for i := range n {
		if p.hold(i) {
			p.Value[i] = p.AntiDiffused(i, &p.source, p.X[i], p.Y[i], p.Z[i])
		}
	}
}

// AntiDiffused is what SampleAntiDiffused says of place i, if it is one in another component.
func (p *Places) AntiDiffused(i int, in *Component, x, y, z float32) float32 {
	t, u, v, w := in.cube(x, y, z)
	dy := int(in.dy)
	s := t[in.dz:]
	value := mix(bilinear(t, dy, u, v), bilinear(s, dy, u, v), w)
	t, s = t[:dy+2], s[:dy+2]
	t0, t1, t2, t3 := t[0], t[1], t[dy], t[dy+1]
	s0, s1, s2, s3 := s[0], s[1], s[dy], s[dy+1]
	least := min(min(t0, t1), min(t2, t3), min(s0, s1), min(s2, s3)) + 0 // a zero without sign
	greatest := max(max(t0, t1), max(t2, t3), max(s0, s1), max(s2, s3)) + 0
	if p.Cell[i] != None {
		value -= p.antiDiffusion(i, u-float32(u*u), v-float32(v*v), w-float32(w*w))
	}
	if value < least {
		return least
	} else if value > greatest {
		return greatest
	}
	return value
}

// antiDiffused is the part of the leading diffusion error that is taken off. With .98 a stirred tank comes to no rest; with .9 waves lose
// more.
const antiDiffused = .95

// antiDiffusion is what is taken off the interpolated value of place i. The factors are w(1-w) for each axis.
func (p *Places) antiDiffusion(i int, u, v, w float32) float32 {
	c, k := &p.source, p.Cell[i]
	twice := 2 * c.t[k]
	sides := [3]float32{
		c.t[k+1] + c.t[max(k-1, 0)] - twice,
		c.t[k+c.dy] + c.t[max(k-c.dy, 0)] - twice,
		c.t[k+c.dz] + c.t[max(k-c.dz, 0)] - twice,
	}
	sides[c.axis] = c.t[k+c.along] + p.before[i] - twice
	return (float32(u*sides[0]) + float32(v*sides[1]) + float32(w*sides[2])) * (.5 * antiDiffused / (1 + 2*min(u, v, w)))
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
