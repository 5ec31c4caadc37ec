package dam

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// The tank has the paper's shape, and the water the paper's share of it.
func TestScene(t *testing.T) {
	size, water := Tank.Size(), Water.Size()
	if size != (r3.Vec{X: 1.6, Y: 2, Z: 3.2}) {
		t.Errorf("the tank is %v", size)
	}
	const order = 2038250. // of the paper's uniform grid
	share := water.X * water.Y * water.Z / (size.X * size.Y * size.Z)
	if want := order / (160 * 200 * 320); math.Abs(share-want) > .005 {
		t.Errorf("%.3f of the tank is filled, want %.3f", share, want)
	}
}

// Either camera stays in its tank, and looks at where the water was or goes; the second is in its place after a fifth of the time.
func TestFlights(t *testing.T) {
	for _, s := range []*Scene{&First, &Second} {
		p, far := view.Path{Poses: s.Flight, Duration: 1}, s.Tank.Max
		for u := 0.; u <= 1; u += .01 {
			eye := p.At(u).Eye
			if eye.X < 0 || eye.X > far.X || eye.Y < 0 || eye.Y > far.Y || eye.Z < 0 || eye.Z > far.Z {
				t.Errorf("at %.2f of its path the camera is outside, at %v", u, eye)
			}
		}
	}
	p := view.Path{Poses: Second.Flight, Duration: 1}
	if forward, then := r3.Norm(r3.Sub(p.At(.2).Eye, p.At(0).Eye)), r3.Norm(r3.Sub(p.At(1).Eye, p.At(.2).Eye)); then > .5*forward {
		t.Errorf("the second camera comes %.2f m forward, and goes on by %.2f m", forward, then)
	}
}

// The second tank has the paper's shape.
func TestSecond(t *testing.T) {
	if size := Second.Tank.Size(); size != (r3.Vec{X: 4.4, Y: 2.8, Z: 4.4}) {
		t.Errorf("the tank is %v", size)
	}
	l, err := Second.New(fluid.Def{CellSize: .2})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	water := Second.Water.Size()
	if got, want := l.Ledger().FilledL, 1000*water.X*water.Y*water.Z; math.Abs(got-want) > .02*want {
		t.Errorf("%.0f l are filled in, want %.0f", got, want)
	}
}

func TestNew(t *testing.T) {
	liq, err := New(fluid.Def{CellSize: .1})
	if err != nil {
		t.Fatal(err)
	}
	defer liq.Close()
	want := 1000 * Water.Size().X * Water.Size().Y * Water.Size().Z
	if got := liq.Ledger().FilledL; math.Abs(got-want) > .02*want {
		t.Errorf("%.0f l are filled in, want %.0f", got, want)
	}
	if err := liq.SetView(ViewAt(.5, 1)); err != nil {
		t.Error(err)
	}
	if _, err := New(fluid.Def{}); err == nil {
		t.Error("a definition without cells is accepted")
	}
}
