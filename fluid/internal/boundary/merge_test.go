package boundary

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// sums are the volume and the momenta about 0 of all pieces.
func (l *Liquid) sums() (volume float64, linear, angular r3.Vec) {
	for i := range l.regions {
		r := &l.regions[i]
		volume += r.body.volume
		linear = r3.Add(linear, r.momenta.linear)
		angular = r3.Add(angular, r.about(&r.momenta, r3.Vec{}))
	}
	return volume, linear, angular
}

// newPair returns two unequal drops that are about to collide, off centre.
func newPair(t testing.TB, l *Liquid) {
	l.Viscosity = .02
	addBall(t, l, 1, 1, r3.Vec{X: -1.1}, 0, constant(r3.Vec{X: 1}))
	addBall(t, l, 1, .8, r3.Vec{X: .9, Y: .3}, 0, constant(r3.Vec{X: -1.2, Z: .1}))
}

// Two drops that collide and merge keep volume and momenta.
func TestTwoMerge(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	newPair(t, l)
	volume, linear, angular := l.sums()
	steps := 120
	if testing.Short() {
		steps = 50
	}
	merged := 0
	for range steps {
		r := advance(t, l, .04, still)
		merged += r.Merged
		if err := l.Tracker.Mesh.Check(); err != nil {
			t.Fatal(err)
		}
	}
	v, p, h := l.sums()
	t.Logf("%d pieces of %d faces, speed %g", len(l.Pieces()), len(l.velocity), l.fastest())
	if merged != 1 || len(l.Pieces()) != 1 {
		t.Errorf("%d merged, %d pieces", merged, len(l.Pieces()))
	}
	if math.Abs(v/volume-1) > 1e-9 {
		t.Errorf("volume %g of %g", v, volume)
	}
	if off := r3.Norm(r3.Sub(p, linear)); off > 1e-6*r3.Norm(linear) {
		t.Errorf("momentum %v, was %v", p, linear)
	}
	if off := r3.Norm(r3.Sub(h, angular)); off > 1e-6*r3.Norm(angular) {
		t.Errorf("angular momentum %v, was %v", h, angular)
	}
}

// A step has the same bits for any number of workers, from a copy in memory, and from a file.
func TestSameBits(t *testing.T) {
	var want []byte
	write := func(l *Liquid) []byte {
		var c codec.Codec
		c.Write()
		l.Code(&c)
		return append([]byte{}, c.Bytes()...)
	}
	for _, workers := range []int{1, 3} {
		pool := par.New(workers)
		defer pool.Close()
		l := New(pool)
		l.Material, l.Edge = Material{Density: 1, Tension: 1}, edgeOf(1)
		newPair(t, l)
		run := func(n int) {
			for range n {
				advance(t, l, .04, still)
			}
		}
		run(8)
		var s State
		l.Snapshot(&s)
		file := write(l)
		run(6)
		got := write(l)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d workers: other bits", workers)
		}
		l.Restore(&s)
		run(6)
		if !bytes.Equal(write(l), want) {
			t.Fatal("other bits from a copy")
		}
		var c codec.Codec
		c.Check(file, 1)
		l.Code(&c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		c.Read(file, 1)
		l.Code(&c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		run(6)
		if !bytes.Equal(write(l), want) {
			t.Fatal("other bits from a file")
		}
		for _, at := range []int{0, 40, 200, len(file) / 2} {
			bad := append([]byte{}, file...)
			bad[at] ^= 0x55
			c.Check(bad, 1)
			l.Code(&c)
			c.End() // must not panic; a changed velocity is not seen
		}
		if !bytes.Equal(write(l), want) {
			t.Fatal("a check has changed the liquid")
		}
	}
}

// Viscosity takes 5ν/R² per second of a wobble: Lamb 1932, section 355.
func TestViscosityDamps(t *testing.T) {
	const nu, dt, steps = .03, .04, 84
	left := func(viscosity float64) float64 {
		l := newDrop(t, 1, .03)
		l.Viscosity = viscosity
		most := 0.
		for k := range steps {
			advance(t, l, dt, still)
			if k > steps/2 {
				most = max(most, l.elongation())
			}
		}
		return most
	}
	if got, want := left(nu)/left(0), math.Exp(-5*nu*2.22*1.08); math.Abs(got/want-1) > .1 {
		t.Errorf("%.3f is left of the wobble, want %.3f", got, want)
	}
}
