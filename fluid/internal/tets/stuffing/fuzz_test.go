package stuffing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// extremes are what distances may be.
var extremes = [...]float64{
	0, math.Copysign(0, -1), 1, -1, .1, -.1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-300, -1e300, -1e-12,
}

// drawn is a field of values that bytes choose, as often as needed: an extreme one, or any between -1 and 1.
type drawn struct {
	data []byte
	next int
}

func (d *drawn) value() float64 {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[d.next%len(d.data)]
	d.next++
	if b < 128 {
		return extremes[int(b)%len(extremes)]
	}
	return float64(b)/64 - 3 + 1./128
}

func (d *drawn) fill(dst []float64) {
	for i := range dst {
		dst[i] = d.value()
	}
}

// stuffDrawn fills a field that bytes choose, with functions that don't agree with it.
func stuffDrawn(t testing.TB, l *bcc.Lattice, data []byte) {
	d := drawn{data: data}
	f := &Field{Inside: make([]float64, l.Vertices())}
	d.fill(f.Inside)
	m := Mesher{Options: Options{Alpha: []Alpha{GreatLeast, SmallMost}[len(data)%2]}}
	if len(data)%3 > 0 {
		f.Solid = make([]float64, l.Vertices())
		d.fill(f.Solid)
		f.SolidAt = func(dst []float64, _ []r3.Vec) { d.fill(dst) }
		m.Snap = 1. / 8
	}
	if len(data)%5 > 1 {
		f.InsideAt = func(dst []float64, _ []r3.Vec) { d.fill(dst) }
	}
	m.stuff(t, l, f)
}

func fuzzed() []*bcc.Lattice {
	return []*bcc.Lattice{
		uniform([3]int{3, 4, 3}, .1, [3]float64{-.1, 2, .3}),
		graded([3]int{2, 2, 1}, .1, func(b int, _ r3.Vec) uint8 { return uint8(b % 3) }),
	}
}

// Any values, and functions that don't agree with them, make a sound mesh within the bounds.
func FuzzStuff(f *testing.F) {
	for i := range len(extremes) {
		f.Add([]byte{byte(i)})
		f.Add([]byte{byte(i), 131, byte(i + 3), 250, 7, 190, 64})
	}
	lattices := fuzzed()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, l := range lattices {
			stuffDrawn(t, l, data)
		}
	})
}

// A field that is the same everywhere fills all of the layout, or nothing.
func TestSameEverywhere(t *testing.T) {
	for _, l := range fuzzed() {
		f := &Field{Inside: make([]float64, l.Vertices())}
		for _, x := range extremes {
			for v := range f.Inside {
				f.Inside[v] = x
			}
			m := Mesher{}
			mesh := m.stuff(t, l, f)
			if full := x < 0; full != (mesh.Tets() > 0) || full && mesh.pieces() != 1 {
				t.Errorf("%g everywhere: %d tetrahedra", x, mesh.Tets())
			}
		}
	}
}
