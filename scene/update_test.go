package scene

import (
	"image"
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

func TestUpdateStepsAndReports(t *testing.T) {
	src := pool(0.05, 0, 0)
	src.cells = 8
	calls := 0
	l := NewLiquid(src, LiquidOptions{MaxSteps: 2, BeforeStep: func() {
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
	b.Interpolate(0.5)
	p, q := node.Position(), node.Quaternion()
	if math.Abs(float64(p.X)-4.5) > 1e-6 || math.Abs(float64(p.Y)-2) > 1e-6 || math.Abs(float64(q.Z)-math.Sqrt2/2) > 1e-6 {
		t.Errorf("at %v, turned %v; want (4.5, 2, 0), a quarter turn about z", p, q)
	}
	b.Unbind(k)
	b.Interpolate(1)
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

// several is a source that follows several cameras.
type several struct {
	*fakeLiquid
	seen [][]fluid.View
}

func (s *several) SetViews(views ...fluid.View) error {
	s.seen = append(s.seen, append([]fluid.View(nil), views...))
	return nil
}

// Several cameras are followed at once, each with its own viewport; a source that can't follows the first.
func TestFollowSeveral(t *testing.T) {
	src := &several{fakeLiquid: pool(0, 0, 0)}
	l := NewLiquid(src, LiquidOptions{Height: 500})
	defer l.Dispose()
	a, b := view(640, 360, at(1, 2, 3), at(0, 0, 0)), view(640, 360, at(-1, 2, 3), at(0, 0, 0))
	l.Follow(a, nil, b)
	l.drawn(b, 200)
	l.Update(time.Second / 60)
	if len(src.seen) != 1 || len(src.seen[0]) != 2 || src.seen[0][0].Height != 500 || src.seen[0][1].Height != 200 ||
		src.seen[0][0].View == src.seen[0][1].View || src.views != 0 {
		t.Fatalf("the source was given %v and %d single views", src.seen, src.views)
	}
	l.Follow(a)
	l.Update(time.Second / 60)
	l.Follow(nil)
	l.Update(time.Second / 60)
	l.Update(time.Second / 60)
	if len(src.seen) != 1 || src.views != 2 {
		t.Errorf("with one camera and none the source was given %d and %d", len(src.seen), src.views)
	}
	plain := pool(0, 0, 0)
	m := NewLiquid(plain, LiquidOptions{})
	defer m.Dispose()
	m.Follow(a, b)
	m.Update(time.Second / 60)
	if plain.views != 1 {
		t.Errorf("a source of one view was given %d", plain.views)
	}
	if n := testing.AllocsPerRun(20, func() { l.Follow(a, b) }); n > 0 {
		t.Errorf("Follow allocates %g times", n)
	}
}

// A split screen: two cameras fill half a window each, and a real liquid is told of both.
func TestSplitScreen(t *testing.T) {
	onGL(t, func(lab *lab) {
		liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -2, Z: -.4}, Max: r3.Vec{X: 2, Y: .8, Z: .4}}, CellSize: .1})
		if err != nil {
			t.Error(err)
			return
		}
		defer liq.Close()
		if err := liq.Fill(fluid.Below(.4)); err != nil {
			t.Error(err)
		}
		root := core.NewNode()
		defer root.Dispose()
		water := NewLiquid(liq, LiquidOptions{})
		root.Add(NewDaylight(SkyOptions{}))
		root.Add(water)
		left, right := view(160, 180, at(-1.5, .8, 1.2), at(-1.5, .3, 0)), view(160, 90, at(1.5, .8, 1.2), at(1.5, .3, 0))
		water.Follow(left, right)
		for range 3 {
			f := water.Update(time.Second / 60)
			if len(f.Report.Views) != 2 {
				t.Errorf("the report tells of %d views", len(f.Report.Views))
			}
			lab.gs.ClearColor(1, 0, 1, 1)
			lab.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
			lab.gs.Viewport(0, 0, 160, 180)
			if err := water.Draw(lab.rend, root, left); err != nil {
				t.Error(err)
			}
			lab.gs.Viewport(160, 0, 160, 90)
			if err := water.Draw(lab.rend, root, right); err != nil {
				t.Error(err)
			}
		}
		if v := water.views(nil); v[0].Height != 180 || v[1].Height != 90 {
			t.Errorf("the views are %d and %d pixels high", v[0].Height, v[1].Height)
		}
		img := lab.grab(320, 180)
		save(t, "split", img)
		hole := func(c color.RGBA) bool { return c.R > 230 && c.G < 60 && c.B > 230 }
		if a, b := share(img, image.Rect(0, 0, 160, 180), hole), share(img, image.Rect(160, 90, 320, 180), hole); a > 0 || b > 0 {
			t.Errorf("%g and %g of the halves are holes", a, b)
		}
		if s := share(img, image.Rect(160, 0, 320, 90), hole); s < 1 {
			t.Errorf("%g of what no camera fills is left alone", s)
		}
	})
}
