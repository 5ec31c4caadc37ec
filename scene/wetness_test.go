package scene

import (
	"image"
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// wetScene is two tanks side by side, .6 m and .3 m deep, seen from the front: a tiled room, a pillar of a standard material in the left tank and one of a
// physical material in the right. A crate hangs over the left one.
type wetScene struct {
	liquid *fluid.Liquid
	root   *core.Node
	water  *Liquid
	cam    *camera.Camera
	crate  physics.Body
}

const (
	wetW, wetH   = 320, 240
	wetCell      = .05
	wetEye       = 2.6 // m before the room's back
	wetMiddle    = .65
	wetHeight    = .45
	pillarFront  = .3
	crateCentreZ = .45
)

func newWetScene(t *testing.T, drying time.Duration) *wetScene {
	t.Helper()
	domain := r3.Box{Max: r3.Vec{X: 1.3, Y: 1.2, Z: .6}}
	l, err := fluid.New(fluid.Def{Domain: domain, CellSize: wetCell, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := &wetScene{liquid: l, root: core.NewNode()}
	pillars := []r3.Box{
		{Min: r3.Vec{X: .1, Z: .15}, Max: r3.Vec{X: .2, Y: 1.1, Z: pillarFront}},
		{Min: r3.Vec{X: 1, Z: .15}, Max: r3.Vec{X: 1.15, Y: 1.1, Z: pillarFront}},
	}
	for _, solid := range append(pillars, r3.Box{Min: r3.Vec{X: .6, Z: -1}, Max: r3.Vec{X: .75, Y: 1.1, Z: 2}}) {
		solid.Min.Y = -1
		if _, err := l.AddObstacle(fluid.Box(solid)); err != nil {
			t.Fatal(err)
		}
	}
	s.water = NewLiquid(l, LiquidOptions{Drying: drying, Quality: DrawLow, NoAntialias: true, Caustics: -1})
	t.Cleanup(l.Close)
	s.root.Add(s.water)
	s.root.Add(NewDaylight(SkyOptions{}))
	s.root.Add(NewRoom(s.water, domain, RoomOptions{Height: 1.2, NoGround: true}))
	grey := math32.Color{R: .6, G: .6, B: .6}
	physical := material.NewPhysical()
	physical.SetBaseColorFactor(&math32.Color4{R: .4, G: .4, B: .4, A: 1})
	physical.SetMetallicFactor(0)
	for i, m := range []material.IMaterial{material.NewStandard(&grey), physical} {
		c, size := pillars[i].Center(), pillars[i].Size()
		g := graphic.NewMesh(geometry.NewBox(float32(size.X), float32(size.Y), float32(size.Z)), m)
		g.SetPosition(float32(c.X), float32(c.Y), float32(c.Z))
		s.root.Add(g)
	}
	if s.crate, err = physics.NewWorld(physics.WorldDef{}).AddBody(physics.BodyDef{Kind: physics.Kinematic}); err == nil {
		_, err = s.crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .2, .2))})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.place(t, .9, 0)
	s.water.Show(s.crate, material.NewStandard(&grey))
	s.cam = view(wetW, wetH, math32.Vector3{X: wetMiddle, Y: wetHeight, Z: wetEye}, math32.Vector3{X: wetMiddle, Y: wetHeight})
	return s
}

// place moves the crate to a height, m, and turns it, rad.
func (s *wetScene) place(t *testing.T, y, turn float64) {
	t.Helper()
	if err := s.crate.SetPose(r3.Vec{X: .4, Y: y, Z: crateCentreZ}, quat.Number{Real: math.Cos(turn / 2), Kmag: math.Sin(turn / 2)}); err != nil {
		t.Fatal(err)
	}
}

// pixel is where the camera sees a place.
func wetPixel(x, y, z float64) image.Point {
	scale := wetH / 2 / math.Tan(25*math.Pi/180) / (wetEye - z)
	return image.Pt(int(wetW/2+scale*(x-wetMiddle)), int(wetH/2-scale*(y-wetHeight)))
}

func (s *wetScene) fill(t *testing.T) {
	t.Helper()
	for _, tank := range []r3.Box{{Max: r3.Vec{X: .6, Y: .6, Z: .6}}, {Min: r3.Vec{X: .75}, Max: r3.Vec{X: 1.3, Y: .3, Z: .6}}} {
		if err := s.liquid.Fill(fluid.Box(tank)); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *wetScene) drain(t *testing.T) {
	t.Helper()
	if err := s.liquid.Drain(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}})); err != nil {
		t.Fatal(err)
	}
}

// When the tanks are empty again, whatever stood in them is darker up to its own tank's level, and as it was above; so is a crate that was dipped, in its own
// frame.
func TestWhatStoodInTheLiquidIsWet(t *testing.T) {
	onGL(t, func(l *lab) {
		var pictures []*image.RGBA
		for _, drying := range []time.Duration{-1, 0} {
			s := newWetScene(t, drying)
			step := func() { s.water.Update(time.Second / 60) }
			step()
			before := l.shoot(t, wetW, wetH, s.root, s.water, s.cam)
			if drying == 0 {
				s.fill(t)
				s.place(t, .6, 0) // half in the liquid
				step()
				s.drain(t)
			}
			s.place(t, .9, math.Pi/2) // what was below is on the right
			for range 10 {            // until the film is in the air
				step()
			}
			pictures = append(pictures, before, l.shoot(t, wetW, wetH, s.root, s.water, s.cam))
			s.root.Dispose()
		}
		never, wet := pictures[1], pictures[3]
		save(t, "wet_never", never)
		save(t, "wet", wet)
		if name, n := "before the liquid came", differing(pictures[0], pictures[2]); n > 0 {
			t.Errorf("%s %d pixels are wet", name, n)
		}
		for _, c := range []struct {
			name        string
			x, z, level float64
		}{{"tiles left", .28, 0, .6}, {"tiles right", .9, 0, .3}, {"standard material", .15, pillarFront, .6}, {"physical material", 1.07, pillarFront, .3}} {
			top, ratio := wetTop(never, wet, c.x, c.z, c.level)
			t.Logf("%s: wet to %.3f m, level %g m; %.2f times as bright", c.name, top, c.level, ratio)
			if math.Abs(top-c.level) > wetCell {
				t.Errorf("%s: wet to %.3f m, want %g m to a cell", c.name, top, c.level)
			}
			if ratio > .95 || ratio < .3 {
				t.Errorf("%s: %.2f times as bright as dry, want darker", c.name, ratio)
			}
		}
		left, right := wetPixel(.34, .9, crateCentreZ+.1), wetPixel(.46, .9, crateCentreZ+.1)
		if a, b := luma(never.RGBAAt(left.X, left.Y)), luma(wet.RGBAAt(left.X, left.Y)); math.Abs(a-b) > 1./255 {
			t.Errorf("the crate's dry half is %.3f, want %.3f as without the liquid", b, a)
		}
		if a, b := luma(never.RGBAAt(right.X, right.Y)), luma(wet.RGBAAt(right.X, right.Y)); b > .9*a {
			t.Errorf("the crate's wet half is %.3f, %.3f dry; want it darker", b, a)
		}
	})
}

// What a game adds to a bound node later gets wet too, and bound nodes are looked at without memory.
func TestWetnessIsKeptForAllOfANode(t *testing.T) {
	s := newWetScene(t, 0)
	defer s.water.Dispose()
	s.water.Capture()
	k := s.water.bound[0]
	if b := k.Wetness().Box.Size(); b.X < .2 || b.X > .3 || b.Y < .2 || b.Y > .3 {
		t.Errorf("the crate's wetness is kept in a box of %.2f m, want about .2 m", b)
	}
	mast := graphic.NewMesh(geometry.NewBox(.02, .5, .02), material.NewStandard(&math32.Color{}))
	mast.SetPosition(0, .25, 0)
	k.Node().GetNode().Add(mast)
	s.water.Capture()
	if b := k.Wetness().Box; b.Max.Y < .5 || b.Max.Y > .6 {
		t.Errorf("with a mast, %.2f m high, want about .5 m", b.Max.Y)
	}
	if n := testing.AllocsPerRun(20, s.water.Capture); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// differing counts the pixels in which two pictures differ.
func differing(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if a.Pix[i] != b.Pix[i] || a.Pix[i+1] != b.Pix[i+1] || a.Pix[i+2] != b.Pix[i+2] {
			n++
		}
	}
	return n
}

// wetTop is up to where a face is wet, m, and how bright it is halfway down from the level, beside how it is dry.
func wetTop(never, wet *image.RGBA, x, z, level float64) (top, ratio float64) {
	for y := .02; y < 1.05; y += .005 {
		p := wetPixel(x, y, z)
		if math.Abs(luma(never.RGBAAt(p.X, p.Y))-luma(wet.RGBAAt(p.X, p.Y))) > 2./255 {
			top = y
		}
	}
	a, b := 0., 0.
	for y := .3 * level; y < .8*level; y += .01 {
		p := wetPixel(x, y, z)
		a, b = a+luma(never.RGBAAt(p.X, p.Y)), b+luma(wet.RGBAAt(p.X, p.Y))
	}
	return top, b / a
}
