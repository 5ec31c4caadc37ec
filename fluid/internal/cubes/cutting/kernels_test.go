package cutting

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The kernel in use must give the same bits as that in plain Go.
func TestKernels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		var p eighths
		size, shift := math.Exp(3*random.NormFloat64()), random.NormFloat64()
		for i := range points {
			p.at[i] = float32(size * (random.NormFloat64() + shift))
		}
		for i := range p.middles {
			p.middles[i] = float32(size * (.3*random.NormFloat64() + shift))
		}
		p.crooked = float32(math.Inf(1))
		if random.IntN(2) == 0 {
			p.crooked = float32(random.Float64() * size)
		}
		q := p
		measure(&p)
		measureGo(&q)
		if p != q {
			t.Fatalf("got %+v\nwant %+v", p, q)
		}
	}
}

func TestPanes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 20_000 {
		var p panes
		size := math.Exp(3 * random.NormFloat64())
		for i := range p.middles {
			shift := random.NormFloat64()
			for c := range p.d {
				if p.d[c][i] = size * (random.NormFloat64() + shift); random.IntN(8) == 0 {
					p.d[c][i] = 0
				}
			}
			p.middles[i] = size * (.3*random.NormFloat64() + shift)
		}
		p.crooked = math.MaxFloat64
		if random.IntN(2) == 0 {
			p.crooked = random.Float64() * size
		}
		q := p
		cutPanes(&p)
		cutPanesGo(&q)
		if p != q {
			t.Fatalf("got %+v\nwant %+v", p, q)
		}
	}
}

func TestLess(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for level := range 4 {
		v := make([]float32, 1<<(3*level))
		for range 100 {
			for i := range v {
				v[i] = float32(random.IntN(5) - 2)
			}
			var got, want mask
			less(v, 1, &got)
			lessGo(v, 1, &want)
			if got != want {
				t.Fatalf("level %d: got %x\nwant %x", level, got, want)
			}
		}
	}
}
