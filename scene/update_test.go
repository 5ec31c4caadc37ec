package scene

import (
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

func TestUpdateStepsAndReports(t *testing.T) {
	src := pool(0.05, 0, 0)
	src.cells = 8
	calls := 0
	l := NewLiquid(src, LiquidOptions{MaxSteps: 2, Before: func() {
		if calls != src.steps {
			t.Errorf("before step %d each has been called %d times", src.steps+1, calls)
		}
	}})
	f := l.Update(100*time.Millisecond, func(r *fluid.Report) { calls++ })
	if f.Steps != 2 || calls != 2 || src.steps != 2 || f.Report.Step != 2 || f.Dropped == 0 || l.Dropped() != f.Dropped || !f.Stepped() {
		t.Errorf("%d steps, %d calls, source %d, report %d, dropped %v", f.Steps, calls, src.steps, f.Report.Step, f.Dropped)
	}
	if f = l.Update(0); f.Stepped() {
		t.Error("a frame without time stepped")
	}
}

type fixedCamera struct{}

func (fixedCamera) ViewMatrix(m *math32.Matrix4) { m.Identity() }
func (fixedCamera) ProjMatrix(m *math32.Matrix4) { m.Identity() }

func TestFollow(t *testing.T) {
	src := pool(0, 0, 0)
	src.cells = 4
	l := NewLiquid(src, LiquidOptions{})
	l.Follow(fixedCamera{})
	l.Update(0)
	l.Update(0)
	if src.views != 2 {
		t.Errorf("%d views, want one per Update", src.views)
	}
	l.Follow(nil)
	l.Update(0)
	if src.views != 3 {
		t.Errorf("%d views; want one more that clears, then none", src.views)
	}
}

// A surface vertex goes back along its velocity, a body between its poses: both show the
// same moment.
func TestBackAndAlphaAgree(t *testing.T) {
	src := pool(0, 0, 0)
	src.cells = 4
	l := NewLiquid(src, LiquidOptions{Timestep: 10 * time.Millisecond})
	f := l.Update(14 * time.Millisecond)
	if math.Abs(f.Alpha-0.4) > 1e-9 || math.Abs(float64(l.shared.back)-0.006) > 1e-8 {
		t.Errorf("alpha %v, back %v s", f.Alpha, l.shared.back)
	}
}

// A node stands where its body does, turned, with its own offset.
func TestBinderMovesNodes(t *testing.T) {
	world := &oneBody{x: 4, angle: math.Pi / 2}
	var b Binder
	node := core.NewNode()
	k := b.Bind(world, 0, node)
	k.Offset = r3.Vec{X: 2}
	world.x = 5
	b.Capture()
	b.Show(0.5)
	p, q := node.Position(), node.Quaternion()
	if math.Abs(float64(p.X)-4.5) > 1e-6 || math.Abs(float64(p.Y)-2) > 1e-6 || math.Abs(float64(q.Z)-math.Sqrt2/2) > 1e-6 {
		t.Errorf("at %v, turned %v; want (4.5, 2, 0), a quarter turn about z", p, q)
	}
	b.Unbind(k)
	b.Show(1)
	if k.Gone() || node.Position() != p {
		t.Errorf("let go it went on to %v", node.Position())
	}
}

type oneBody struct{ x, angle float64 }

func (*oneBody) Len() int      { return 1 }
func (*oneBody) ID(int) uint64 { return 7 }
func (b *oneBody) Pose(int) (r3.Vec, quat.Number) {
	return r3.Vec{X: b.x}, quat.Number(r3.NewRotation(b.angle, r3.Vec{Z: 1}))
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"nil source":  func() { NewLiquid(nil, LiquidOptions{}) },
		"negative":    func() { NewLiquid(pool(0, 0, 0), LiquidOptions{MaxSteps: -1}) },
		"no body":     func() { new(Binder).Bind(&oneBody{}, 1, core.NewNode()) },
		"wide joints": func() { NewTiles(nil, TileOptions{Size: 0.1, Joint: 0.2}) },
		"hud":         func() { NewHUD(HUDOptions{Samples: -1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	src := pool(0.05, 0, 5)
	src.cells = 16
	l := NewLiquid(src, LiquidOptions{})
	l.Update(time.Second / 60)
	if n := testing.AllocsPerRun(50, func() { l.Update(time.Second / 60) }); n > 0 {
		t.Errorf("%v allocations per Update", n)
	}
}
