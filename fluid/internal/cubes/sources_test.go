package cubes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// held is what the blocks hold as φ is now, m³.
func held(m *Blocks) (volume float64) {
	for b := range int32(m.Grid.Bases()) {
		volume += m.Survey.LiquidOf(b)
	}
	return volume
}

// An opening takes on no more than it is given, tells what the liquid has grown by, and gives it back.
func TestOpeningFills(t *testing.T) {
	m, _ := balls(t)
	before := held(m)
	shape := shapes.Sphere(r3.Vec{X: .6, Y: .2, Z: .2}, .12)
	o := m.Sources.Opening(shape)
	if o == nil {
		t.Fatal("it is in the open")
	}
	if volume := 4. / 3 * math.Pi * .12 * .12 * .12; math.Abs(o.Capacity()/volume-1) > .05 {
		t.Errorf("it holds %g m³, want %g", o.Capacity(), volume)
	}
	for _, part := range []float64{.1, .3, .7, 1.1} {
		volume := part * o.Capacity()
		took, needed := o.Fill(volume, .05*volume)
		if came := held(m) - before; math.Abs(came-took) > 1e-12 {
			t.Errorf("%.1f of it: took %g m³, and %g m³ came", part, took, came)
		}
		if needed != 0 || took > 1.05*volume || took < .5*min(volume, o.Capacity()) { // a ball of few cells is measured roughly
			t.Errorf("%.1f of it: took %g m³ of %g, and needs %g", part, took, volume, needed)
		}
		o.Empty()
		if left := held(m) - before; left != 0 {
			t.Errorf("%.1f of it: %g m³ are left", part, left)
		}
	}
	if took, needed := o.Fill(1e-7, 0); took != 0 || !(needed > 1e-7) || held(m) != before {
		t.Errorf("took %g m³ of a drop, and needs %g", took, needed)
	}
	if took, needed := o.Fill(-1e-7, 5e-8); took != 0 || needed != 0 || held(m) != before {
		t.Errorf("took %g m³ though nothing is due, and needs %g", took, needed)
	}
	if m.Sources.Opening(shapes.Sphere(r3.Vec{X: 6}, .1)) != nil {
		t.Error("an opening outside of the domain is open")
	}
}

// A bubble comes into liquid once it is worth its volume, and where air touches the liquid it isn't sealed.
func TestBubble(t *testing.T) {
	m, a := balls(t)
	keepVolume(m, a)
	before := held(m)
	o := m.Sources.Opening(shapes.Sphere(r3.Vec{X: 1, Y: .2, Z: .2}, .05))
	if o.Sealed() {
		t.Error("a ball in the air is sealed")
	}
	if took := o.InsertBubble(1e-6); took != 0 || held(m) != before {
		t.Errorf("a bubble of %g m³ came", took)
	}
	took := o.InsertBubble(1)
	if went := before - held(m); !(took > 1e-4) || math.Abs(went/took-1) > .5 {
		t.Errorf("the bubble is %g m³, and %g m³ went", took, went)
	}
	if _, at := m.Volumes.countGains(), m.Volumes.gains[0]; at.volume != -took {
		t.Errorf("%g m³ are booked", at.volume)
	}
}

// A source is spread over the rows in a shape. A draw takes half of what is there at most, and from what the component is to hold.
func TestDistribute(t *testing.T) {
	m, a := balls(t)
	keepVolume(m, a)
	rows := keepVolume(m, a)
	sum := func() (sum float64) {
		for _, r := range rows {
			sum += r
		}
		return sum
	}
	small := shapes.Sphere(r3.Vec{X: .2, Y: .2, Z: .2}, .05)
	if came := m.Sources.Distribute(small, 0, 1e-3, rows); came != 1e-3 || math.Abs(sum()-1e-3) > 1e-15 {
		t.Errorf("%g m³/s came, %g in the rows", came, sum())
	}
	target := m.Volumes.Targets.Target[0]
	drawn := m.Sources.Distribute(small, 0, -1, rows)
	if in := -2 * drawn * m.Dt; !(in > 2e-4 && in < 2e-3) || math.Abs(sum()-1e-3-drawn) > 1e-12 {
		t.Errorf("%g m³/s of a shape of .05 m went, %g in the rows", drawn, sum())
	}
	if booked := m.Volumes.Targets.Target[0] - target; math.Abs(booked-drawn*m.Dt) > 1e-12 {
		t.Errorf("%g m³ are booked of %g", booked, drawn*m.Dt)
	}
	if none := m.Sources.Distribute(shapes.Sphere(r3.Vec{X: .6, Y: .2, Z: .2}, .05), 0, 1, rows); none != 0 {
		t.Errorf("%g m³/s came where there is none", none)
	}
	m.Sources.Join(r3.Vec{X: .2, Y: .33, Z: .2}, .075, 1e-4, rows)
	if came := sum() - 1e-3 - drawn; math.Abs(came-1e-4) > 1e-12 {
		t.Errorf("%g m³/s joined", came)
	}
}

// A drop that joins brings its litres by the rows around it, in proportion to the room that solids leave in them and no more than that in a step. Where they
// leave none nothing comes by rows, and no row gets what is no number.
func TestJoinBesideSolids(t *testing.T) {
	m, a := balls(t)
	x, rate := r3.Vec{X: 1, Y: .2, Z: .2}, .01
	for _, room := range []float64{1, .5, 1e-6, 0} {
		keepVolume(m, a)
		whole := 0.
		for r := range m.Graph.Volume {
			m.Graph.Volume[r] *= float32(room)
			if r3.Norm(r3.Sub(reproducible.Vector(m.Graph.Centre[r]), x)) < .075 {
				whole += float64(m.Graph.Volume[r])
			}
		}
		rows := make([]float64, m.Graph.Rows)
		m.Sources.Join(x, .075, rate, rows)
		sum := 0.
		for r, q := range rows {
			sum += q
			if !(q >= 0 && q <= float64(m.Graph.Volume[r])/m.Dt*(1+1e-6)) {
				t.Errorf("room %g: a row of %g m³ brings %g m³/s", room, m.Graph.Volume[r], q)
			}
		}
		if want := min(rate, whole/m.Dt); math.Abs(sum-want) > 1e-6*want {
			t.Errorf("room %g: %g m³/s come, want %g", room, sum, want)
		}
	}
}

// A drop isn't in liquid where solids leave no room, though the surface goes on there.
func TestDropsStayOutOfSolids(t *testing.T) {
	m, a := balls(t)
	keepVolume(m, a)
	x := r3.Vec{X: 1, Y: .2, Z: .2}
	var in [1]bool
	for _, room := range []float32{1, 0} {
		m.Solids.Volume[m.Grid.CellAt(reproducible.Array(x))] *= room
		if m.Sources.InLiquid(in[:], []r3.Vec{x}); in[0] != (room > 0) {
			t.Errorf("room %g: in liquid: %v", room, in[0])
		}
	}
}
