package play

import (
	"github.com/g3n/engine/app"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// dragHelp says what the left mouse button does.
const dragHelp = "left drag moves bodies"

// drag is the left mouse button, which drags bodies.
type drag struct {
	app    *app.Application
	cam    scene.Camera
	world  *physics.World
	hand   scene.Grabber
	cursor [2]float64 // from the window's upper left, in its units
}

// listen follows the mouse. between calls what changes the world when the world is free.
func (d *drag) listen(a *app.Application, cam scene.Camera, between func(func())) {
	d.app, d.cam = a, cam
	a.Subscribe(window.OnCursor, func(_ string, ev any) {
		c := ev.(*window.CursorEvent)
		d.cursor = [2]float64{float64(c.Xpos), float64(c.Ypos)}
	})
	a.Subscribe(window.OnMouseDown, func(_ string, ev any) {
		if ev.(*window.MouseEvent).Button == window.MouseButtonLeft && d.world != nil {
			from, dir := d.ray()
			between(func() { d.hand.Grab(d.world, from, dir) })
		}
	})
	a.Subscribe(window.OnMouseUp, func(_ string, ev any) {
		if ev.(*window.MouseEvent).Button == window.MouseButtonLeft {
			between(d.hand.Release)
		}
	})
}

// hold lets go, and takes bodies of this world from now on.
func (d *drag) hold(world *physics.World) {
	d.hand.Release()
	d.world = world
}

// ray is what the cursor points at.
func (d *drag) ray() (from, dir r3.Vec) {
	width, height := d.app.GetSize()
	return scene.CursorRay(d.cam, d.cursor[0], d.cursor[1], float64(max(1, width)), float64(max(1, height)))
}

// move pulls what is held; it is called before each step.
func (d *drag) move() error {
	from, dir := d.ray()
	return d.hand.Move(from, dir, Timestep)
}
