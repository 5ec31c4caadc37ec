package main

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

// surfaceCell makes edges of a tenth of a metre.
const surfaceCell = .0333

// A galley is drawn without the budgets that its liquid refuses.
func TestGalleyHeadless(t *testing.T) { playtest.Headless(t, surfaceCell, "-show", galley) }

// sound checks that no litre is lost, but for a part.
func (d *drops) sound(t *testing.T, part float64) {
	t.Helper()
	if l := d.Liquid().Ledger(); math.Abs(l.DriftL) > part*l.HeldL {
		t.Errorf("at %.2f s %g l of %g l are missing", d.Time, -l.DriftL, l.HeldL)
	}
}

// The spoon pushes the small blob to the large one, and they become one.
func TestGalley(t *testing.T) {
	d := steps(t, galley, surfaceCell, .02)
	from := d.Subject().X
	d.goOn(t, 1)
	if moved := d.Subject().X - from; moved > -.01 || d.topology.Pieces != 2 {
		t.Errorf("after 1 s the blobs' middle has moved by %.1f mm, and there are %d", 1e3*moved, d.topology.Pieces)
	}
	d.sound(t, 1e-9)
	if testing.Short() {
		return
	}
	d.goOn(t, 2.2)
	if d.topology.Pieces != 1 {
		t.Errorf("after 2.2 s there are %d blobs", d.topology.Pieces)
	}
	d.sound(t, 3e-4) // as they merge, what would collide holds the surface back for some steps
}

// The water of the balloon falls on the floor and stays there with all its litres.
func TestBalloon(t *testing.T) {
	d := steps(t, balloon, surfaceCell, .42)
	d.sound(t, 1e-9)
	if testing.Short() {
		return
	}
	d.goOn(t, .8)
	if y := d.Subject().Y - domain.Min.Y; y < 0 || y > burst {
		t.Errorf("its middle is %.3f m over the floor", y)
	}
	d.sound(t, 1e-9)
}

// A drop of the train falls on the ball's slope and moves down it.
func TestTrain(t *testing.T) {
	d := steps(t, train, surfaceCell, 1.2)
	at := d.Subject()
	d.goOn(t, 1.38)
	if now := d.Subject(); now.X < at.X+.01 || now.Y > at.Y || d.topology.Pieces != 1 {
		t.Errorf("%d drops, their middle first at %.3f, then at %.3f", d.topology.Pieces, at, now)
	}
	if off := d.Liquid().Ledger().EmittedL/wagon - 1; math.Abs(off) > .2 {
		t.Errorf("the drop is off by %.0f %% of its litres", 100*off)
	}
	d.sound(t, 1e-9)
}

// A drop that was stretched swings by its surface alone as Lamb says.
func TestSurfaceSwings(t *testing.T) {
	if testing.Short() {
		t.Skip("two seconds of a swing")
	}
	d, err := newDrops(fluid.Def{CellSize: .03, Resources: fluid.Resources{Workers: 1}}, swing, fluid.BoundaryOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.goOn(t, 2.3)
	period, lamb := d.swing.mean(), surfaces.Lamb(radius, d.Liquid().Def().Physics.Density, tension)
	t.Logf("%.3f s, Lamb %.3f s, adrift by %.2f mm", period, lamb, 1e3*d.adrift)
	if math.Abs(period-lamb) > .07*lamb {
		t.Errorf("the period is %.3f s, Lamb's %.3f", period, lamb)
	}
	d.sound(t, 1e-9)
}
