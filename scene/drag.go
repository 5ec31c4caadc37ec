package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Window is what GrabWithMouse needs of g3n's window, which an app.Application is too.
type Window interface {
	core.IDispatcher
	GetSize() (width, height int)
}

// mouseGrabber is a Grabber that follows the mouse.
type mouseGrabber struct {
	Grabber
	window Window
	cam    Camera
	cursor [2]float64 // from the window's upper left, in its units
}

// GrabWithMouse lets the left mouse button drag the dynamic bodies of a world, as cam sees them in a window
// whose whole it fills, until the liquid is disposed of. Bodies move with the liquid's steps; with
// LiquidOptions.Async this holds too. The Grabber reports which body is held.
func (l *Liquid) GrabWithMouse(win Window, cam Camera, world *physics.World) *Grabber {
	if win == nil || cam == nil || world == nil {
		panic("scene: GrabWithMouse: nil window, camera or world")
	}
	d := &mouseGrabber{window: win, cam: cam}
	win.SubscribeID(window.OnCursor, d, func(_ string, ev any) {
		c := ev.(*window.CursorEvent)
		d.cursor = [2]float64{float64(c.Xpos), float64(c.Ypos)}
	})
	win.SubscribeID(window.OnMouseDown, d, func(_ string, ev any) {
		if m := ev.(*window.MouseEvent); m.Button == window.MouseButtonLeft {
			d.cursor = [2]float64{float64(m.Xpos), float64(m.Ypos)}
			from, dir := d.ray()
			l.BetweenSteps(func() { d.Grab(world, from, dir) })
		}
	})
	win.SubscribeID(window.OnMouseUp, d, func(_ string, ev any) {
		if ev.(*window.MouseEvent).Button == window.MouseButtonLeft {
			l.BetweenSteps(d.Release)
		}
	})
	l.grabbers = append(l.grabbers, d)
	return &d.Grabber
}

// ray is the ray through the cursor.
func (d *mouseGrabber) ray() (from, dir r3.Vec) {
	width, height := d.window.GetSize()
	return CursorRay(d.cam, d.cursor[0], d.cursor[1], float64(max(1, width)), float64(max(1, height)))
}

// move pulls what is held, before a step of dt seconds.
func (d *mouseGrabber) move(dt float64) {
	from, dir := d.ray()
	_ = d.Move(from, dir, dt) // a ray without numbers leaves the body where it is pulled to
}

// end unsubscribes and releases the body.
func (d *mouseGrabber) end() {
	for _, name := range []string{window.OnCursor, window.OnMouseDown, window.OnMouseUp} {
		d.window.UnsubscribeID(name, d)
	}
	d.Release()
}
