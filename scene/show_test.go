package scene

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func isRed(c color.RGBA) bool { return int(c.R) > 90 && int(c.R) > 2*int(c.G) && int(c.R) > 2*int(c.B) }

// A body is visible in one call, above the liquid and through it, also in the game's own Render; it goes with its body.
func TestShow(t *testing.T) {
	onGL(t, func(l *lab) {
		w := physics.NewWorld(physics.WorldDef{})
		add := func(at, offset r3.Vec) physics.Body {
			b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at, Rotation: quat.Number{Real: math.Cos(.4), Jmag: math.Sin(.4)}})
			if err == nil {
				_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.6, .6, .6)), Offset: offset})
			}
			if err != nil {
				t.Error(err)
			}
			return b
		}
		over, under := add(r3.Vec{X: -1, Y: 1.6}, r3.Vec{}), add(r3.Vec{X: 1, Y: .5}, r3.Vec{})
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewDaylight(SkyOptions{}))
		water := NewLiquid(basin(0, 0), LiquidOptions{})
		red := NewPaint(math32.Color{R: 1}, 0)
		water.Show(over, red)
		k := water.Show(under, red)
		root.Add(water)
		tiledFloor(root, NewTiles(water, TileOptions{}), 0)
		cam := view(320, 180, at(0, 3, 4), at(0, .8, 0))
		left, right := image.Rect(0, 0, 160, 180), image.Rect(160, 0, 320, 180)
		for name, by := range map[string]*Liquid{"Draw": water, "Render": nil} {
			img := l.shoot(t, 320, 180, root, by, cam)
			save(t, "show_"+name, img)
			if share(img, left, isRed) < .004 || share(img, right, isRed) < .002 {
				t.Errorf("%s: the bodies cover %g and %g", name, share(img, left, isRed), share(img, right, isRed))
			}
		}
		water.Show(over, NewWood(math32.Color{R: .6, G: .5, B: .4})) // instead
		if img := l.shoot(t, 320, 180, root, water, cam); share(img, left, isRed) > 0 {
			t.Error("a body that is shown again keeps its first node")
		}
		if img := l.shoot(t, 320, 180, root, water, cam); share(img, right, isRed) < .002 {
			t.Error("it took the material of the other one with it")
		}
		water.Unbind(k)
		if img := l.shoot(t, 320, 180, root, water, cam); share(img, right, isRed) > 0 {
			t.Error("a body is unbound and shows")
		}
		b := add(r3.Vec{X: 1, Y: 1.6}, r3.Vec{X: .2})
		k = water.Show(b, red)
		if img := l.shoot(t, 320, 180, root, water, cam); share(img, right, isRed) < .004 || !near(positionOf(k.Node().GetNode()), b.Position()) {
			t.Errorf("a body whose centre is not its origin is at %v and shows at %v, on %g of the picture", b.Position(), k.Node().Position(), share(img, right, isRed))
		}
		if err := b.Remove(); err != nil {
			t.Error(err)
		}
		water.Refresh(1, 0)
		if img := l.shoot(t, 320, 180, root, water, cam); share(img, right, isRed) > 0 {
			t.Error("a body that is gone shows")
		}
		root.Remove(water)
		water.Dispose()
	})
}

func TestShowModel(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{})
	water := NewLiquid(pool(0, 0, 0), LiquidOptions{})
	defer water.Dispose()
	free, kept, root := readOBJ(t, plainCube), readOBJ(t, plainCube), core.NewNode()
	root.Add(kept)
	free.SetPosition(1, 2, 3)
	for _, node := range []*core.Node{free, kept} {
		b, err := water.ShowModel(w, node, ModelOptions{Body: physics.BodyDef{Kind: physics.Dynamic, Velocity: r3.Vec{X: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		before := positionOf(node)
		w.Step(.1)
		water.Refresh(1, 0)
		if p := positionOf(node); !near(p, b.Position()) || near(p, before) {
			t.Errorf("the model is at %v, its body at %v", p, b.Position())
		}
	}
	if free.Parent() != core.INode(water.bodies) || kept.Parent() != core.INode(root) {
		t.Error("a model without a parent goes with the liquid, one with a parent stays")
	}
	if _, err := water.ShowModel(w, core.NewNode(), ModelOptions{}); err == nil || w.Coupling().Len() != 2 {
		t.Errorf("a model without a mesh: %v, %d bodies", err, w.Coupling().Len())
	}
}

// mouse is a window that is only told of the mouse.
type mouse struct{ core.Dispatcher }

func (*mouse) GetSize() (int, int) { return 640, 360 }

// The mouse takes the box, lifts it and lets it fall, with and without Async, until the liquid goes.
func TestDrag(t *testing.T) {
	for _, async := range []bool{false, true} {
		w, box, _ := newWorld(t)
		win := &mouse{}
		win.Initialize()
		cam := view(640, 360, at(0, 1.5, 6), at(0, .9, 0))
		water := NewLiquid(&stepped{pool(0, 0, 0), w}, LiquidOptions{Async: async})
		hand := water.GrabWithMouse(win, cam, w)
		run := func(frames int) {
			for range frames {
				water.Update(time.Second / 60)
				water.Wait()
			}
		}
		run(1)
		win.Dispatch(window.OnMouseDown, &window.MouseEvent{Xpos: 320, Ypos: 180, Button: window.MouseButtonLeft})
		run(2)
		if !hand.Holding() || hand.Held() != box {
			t.Fatalf("async %v: the box is not held", async)
		}
		win.Dispatch(window.OnCursor, &window.CursorEvent{Xpos: 320, Ypos: 60})
		run(90)
		if y := box.CentreOfMass().Y; y < 1.2 {
			t.Errorf("async %v: the box hangs at %g m", async, y)
		}
		win.Dispatch(window.OnMouseUp, &window.MouseEvent{Button: window.MouseButtonRight})
		run(1)
		if !hand.Holding() {
			t.Error("the other button lets go")
		}
		water.Dispose()
		if hand.Holding() {
			t.Error("a hand holds on after its liquid")
		}
		win.Dispatch(window.OnMouseDown, &window.MouseEvent{Xpos: 320, Ypos: 60, Button: window.MouseButtonLeft})
		if hand.Holding() {
			t.Error("the mouse drags after the liquid is disposed of")
		}
	}
}

// The lights of a daylight are noon's at noon and follow what is set.
func TestDaylightLights(t *testing.T) {
	d := NewDaylight(SkyOptions{})
	noon := d.sun.Color()
	if noon != (math32.Color{R: 1, G: 0.93, B: 0.80}) {
		t.Errorf("the sun at noon is %v", noon)
	}
	water := NewLiquid(basin(0, 0), LiquidOptions{})
	defer water.Dispose()
	root := core.NewNode()
	root.Add(water)
	root.Add(d)
	water.SetSky(SkyOptions{SunLit: math32.Color{R: .4, G: .1}, Sun: at(1, 0, 0)})
	if c, p := d.sun.Color(), d.sun.Position(); c.R > .8 || c.B > 0 || p.X < .99 {
		t.Errorf("after SetSky the sun is %v at %v", c, p)
	}
	d.SetSky(SkyOptions{})
	if d.sun.Color() != noon || water.shared.sky.values != d.sky.sky.values {
		t.Error("noon does not come back")
	}
}

// A room shows floor and far walls, lets one look through the near ones, and takes another liquid.
func TestRoom(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewDaylight(SkyOptions{}))
		tint := math32.Color{R: .8, G: .05, B: .05}
		box := r3.Box{Min: r3.Vec{X: -2, Z: -2}, Max: r3.Vec{X: 2, Y: 2, Z: 2}}
		room := NewRoom(nil, box, RoomOptions{Tiles: TileOptions{Color: tint, Other: tint, Grout: tint}})
		root.Add(room)
		for _, eye := range []math32.Vector3{at(0, .7, 6), at(6, .7, 0), at(0, .7, -6), at(-6, .7, 0)} {
			img := l.shoot(t, 320, 180, root, nil, view(320, 180, eye, at(0, .5, 0)))
			save(t, "room", img)
			if s := share(img, image.Rect(120, 86, 200, 110), isRed); s < .99 {
				t.Errorf("from %v %g of the middle is the far wall", eye, s)
			}
		}
		img := l.shoot(t, 320, 180, root, nil, view(320, 180, at(0, 1.03, 6), at(0, 1.03, 0)))
		if s := share(img, image.Rect(150, 80, 170, 130), isRed); s < .7 {
			t.Errorf("the near edge hides the room: %g of it is seen", s)
		}
		root.Remove(room)
		channel := NewRoom(nil, box, RoomOptions{Tiles: TileOptions{Color: tint, Other: tint, Grout: tint}, Open: physics.RoomSides{MinX: true, MaxZ: true}})
		root.Add(channel)
		for eye, wall := range map[math32.Vector3]bool{at(0, .7, 6): true, at(6, .7, 0): false, at(0, .7, -6): false, at(-6, .7, 0): true} {
			img := l.shoot(t, 320, 180, root, nil, view(320, 180, eye, at(0, .5, 0)))
			save(t, "channel", img)
			if s := share(img, image.Rect(120, 80, 200, 88), isRed); s > .99 != wall || !wall && s > .01 {
				t.Errorf("two sides open: from %v %g of the middle is the far wall, there is one: %v", eye, s, wall)
			}
		}
		water := NewLiquid(basin(0, 0), LiquidOptions{})
		defer water.Dispose()
		room.SetLiquid(water)
		if room.tiles[0].liquid != water {
			t.Error("the room does not know its liquid")
		}
	})
	for name, f := range map[string]func(){
		"empty":    func() { NewRoom(nil, r3.Box{}, RoomOptions{}) },
		"negative": func() { NewRoom(nil, r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, RoomOptions{Height: -1}) },
		"NaN":      func() { NewRoom(nil, r3.Box{Max: r3.Vec{X: math.NaN(), Y: 1, Z: 1}}, RoomOptions{}) },
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

// What Show has made has the shapes that its body has: however they come and go, with and without steps beside the frames.
func TestShowFollowsShapes(t *testing.T) {
	for name, async := range map[string]bool{"in turn": false, "beside": true} {
		w := physics.NewWorld(physics.WorldDef{})
		door, err := w.AddBody(physics.BodyDef{})
		if err != nil {
			t.Fatal(err)
		}
		add := func(g physics.Geometry, x float64) physics.Shape {
			s, err := door.AddShape(physics.ShapeDef{Geometry: g, Offset: r3.Vec{X: x}})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		left := add(physics.Box(physics.Centred(1, 2, 1)), -1)
		water := NewLiquid(basin(0, 0), LiquidOptions{Async: async})
		k := water.Show(door, nil)
		node := k.Node().GetNode()
		frames := func() {
			for range 3 {
				water.Update(time.Second / 60)
				water.Wait()
			}
		}
		shows := func(what string, xs ...float32) {
			t.Helper()
			if frames(); len(node.Children()) != len(xs) {
				t.Fatalf("%s, %s: %d meshes, want %d", name, what, len(node.Children()), len(xs))
			}
			for i, c := range node.Children() {
				if p := c.GetNode().Position(); p.X != xs[i] {
					t.Errorf("%s, %s: mesh %d at %g, want %g", name, what, i, p.X, xs[i])
				}
			}
		}
		shows("as it was", -1)
		var kept physics.World
		w.CopyTo(&kept)
		right := add(physics.Box(physics.Centred(1, 2, 1)), 1)
		shows("AddShape", -1, 1)
		first := node.Children()[0]
		if err := door.SetPose(r3.Vec{Y: 1}, quat.Number{Real: 1}); err != nil {
			t.Fatal(err)
		}
		if shows("SetPose", -1, 1); node.Children()[0] != first {
			t.Errorf("%s: a body that is led is made anew", name)
		}
		if err := left.Remove(); err != nil {
			t.Fatal(err)
		}
		shows("Shape.Destroy", 1)
		kept.CopyTo(w)
		shows("a rollback", -1)
		if again := add(physics.Sphere(r3.Vec{}, 1), 1); again != right {
			t.Fatalf("%s: the world does not use a handle again", name)
		}
		shows("a ball", -1, 1)
		second := slices.Clone(node.Children())
		kept.CopyTo(w)
		add(physics.Box(physics.Centred(1, 2, 1)), 1)
		if shows("another shape of the same handle", -1, 1); node.Children()[1] == second[1] {
			t.Errorf("%s: a box shows as the ball that had its handle", name)
		}
		w.CopyTo(&kept)
		if err := door.Remove(); err != nil {
			t.Fatal(err)
		}
		if frames(); node.Visible() {
			t.Errorf("%s: a body that is gone shows", name)
		}
		kept.CopyTo(w)
		if shows("the body is back", -1, 1); !node.Visible() || k.Gone() {
			t.Errorf("%s: a body that a rollback brings back does not show", name)
		}
		water.Wait()
		water.Dispose()
	}
}
