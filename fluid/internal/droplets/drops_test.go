package droplets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// yard is a floor at y = 0 under gravity, liquid where x is above 4 m, and a grid that takes part of the volume offered.
type yard struct {
	part   float64
	filled float64 // m³
}

func (y *yard) Acceleration(r3.Vec) r3.Vec     { return r3.Vec{Y: -10} }
func (y *yard) SolidDistance(x r3.Vec) float64 { return x.Y }
func (y *yard) InLiquid(dst []bool, pts []r3.Vec) {
	for i, x := range pts {
		dst[i] = x.X > 4
	}
}
func (y *yard) Fill(_ r3.Vec, volume float64) float64 {
	y.filled += y.part * volume
	return y.part * volume
}

func newDrops() *Drops {
	return &Drops{Config: Config{
		CellSize: .1, Gap: .002, MaxSpeed: 100, Domain: r3.Box{Min: r3.Vec{X: -5, Y: -1, Z: -5}, Max: r3.Vec{X: 5, Y: 5, Z: 5}},
		Regions: Regions{Origin: [3]float64{-5, -1, -5}, Edge: .8, Dim: [3]int{13, 8, 13}},
	}}
}

// step moves drops as a liquid does.
func step(d *Drops, y *yard) {
	d.Fall(1./60, y)
	d.Settle(y)
}

// Drops fall freely, lie on the floor, and merge there with those beside them.
func TestDropsFallAndMerge(t *testing.T) {
	d, y := newDrops(), &yard{}
	for i := range 3 {
		d.Add(r3.Vec{X: .02 * float64(i), Y: 1.25, Z: .1}, r3.Vec{}, 1e-6)
	}
	for range 30 { // half a second, in which it falls 1.25 m but for what the first step misses
		step(d, y)
	}
	if h := d.All[0].X.Y; len(d.All) != 3 || !(h > 0 && h < .1) {
		t.Fatalf("%d drops, at %g m after half a second", len(d.All), h)
	}
	for range 120 {
		step(d, y)
	}
	if len(d.All) != 1 || d.Moving() || math.Abs(d.Volume-3e-6) > 1e-18 || d.All[0].X.Y > d.Gap || d.All[0].X.Y <= 0 {
		t.Errorf("%+v, %g m³", d.All, d.Volume)
	}
	if math.Abs(d.All[0].X.X-.02) > 1e-9 {
		t.Errorf("they are at %g, not in the middle of where they were", d.All[0].X.X)
	}
}

// Enough drops become liquid on the grid, and lose the volume that it takes.
func TestDropsBecomePuddle(t *testing.T) {
	d, y := newDrops(), &yard{part: .75}
	for i := range 20 {
		d.Add(r3.Vec{X: .01 * float64(i%5), Y: .01, Z: .02 * float64(i/5)}, r3.Vec{}, 1e-4)
	}
	if at := d.AppendPuddles(nil); len(at) != 1 {
		t.Errorf("%d puddles are expected, want 1", len(at))
	}
	for range 120 {
		step(d, y)
	}
	if least := d.puddle(); d.Volume >= least || y.filled < least || math.Abs(d.Volume+y.filled-20e-4) > 1e-15 {
		t.Errorf("%g m³ are in drops and %g m³ in the grid", d.Volume, y.filled)
	}
}

// Drops that join liquid or leave the domain are listed once, with their volume.
func TestDropsLeaveAndJoin(t *testing.T) {
	d, y := newDrops(), &yard{}
	d.Add(r3.Vec{X: 3.99, Y: 2}, r3.Vec{X: 10}, 1e-6)
	d.Add(r3.Vec{X: 1, Y: 2}, r3.Vec{}, 2e-6)
	d.Add(r3.Vec{X: -4.99, Y: 2}, r3.Vec{X: -10}, 3e-6)
	step(d, y)
	if len(d.Joined) != 1 || d.Joined[0].Volume != 1e-6 || len(d.Left) != 1 || d.Left[0].Volume != 3e-6 || len(d.All) != 1 || d.Volume != 2e-6 {
		t.Errorf("joined %v, left %v, others %v", d.Joined, d.Left, d.All)
	}
	step(d, y)
	if len(d.Joined)+len(d.Left) != 0 {
		t.Errorf("joined %v, left %v again", d.Joined, d.Left)
	}
}

func TestDropsAreReleasedAndTaken(t *testing.T) {
	d, y := newDrops(), &yard{}
	shape := shapes.Sphere(r3.Vec{Y: 2}, .1)
	if !d.Release(shape, r3.Vec{Y: 2}, 1e-3, r3.Vec{Y: 1}, 7, y) {
		t.Fatal("there is room")
	}
	if len(d.All) != 5 || math.Abs(d.Volume-1e-3) > 1e-15 { // of .06 m cubed at most
		t.Errorf("%d drops of %g m³", len(d.All), d.Volume)
	}
	for _, p := range d.All {
		if p.X == (r3.Vec{Y: 2}) || r3.Norm(r3.Sub(p.X, r3.Vec{Y: 2})) >= .1 || p.V != (r3.Vec{Y: 1}) {
			t.Errorf("a drop at %v with %v", p.X, p.V)
		}
	}
	d.Keep()
	if took := d.TakeFrom(shape, 5e-4); math.Abs(took-5e-4) > 1e-18 || len(d.All) != 3 || math.Abs(d.Volume-5e-4) > 1e-15 {
		t.Errorf("took %g m³ and left %d drops of %g m³", took, len(d.All), d.Volume)
	}
	d.Remove(shape)
	if len(d.All) != 0 || d.Volume != 0 {
		t.Errorf("%d drops are left in the shape", len(d.All))
	}
	d.Restore()
	var c codec.Codec
	c.Write()
	d.Code(&c, d.Domain)
	b := newDrops()
	c.Read(c.Bytes(), 8)
	b.Code(&c, d.Domain)
	if err := c.End(); err != nil || len(b.All) != 5 || b.All[4] != d.All[4] || b.Volume != d.Volume {
		t.Errorf("%v: %+v", err, b.All)
	}
	d.All = make([]Drop, MaxDrops)
	if d.Release(shape, r3.Vec{}, 1e-3, r3.Vec{}, 7, y) || d.HasRoom(1) {
		t.Error("there are too many")
	}
}
