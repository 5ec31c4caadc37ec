package play

import (
	"math"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/view"
)

// screen is what every show has: the window, the camera and the panel.
type screen struct {
	app   *app.Application
	cam   *camera.Camera
	panel *panel
	pose  view.Pose  // of the camera in the last picture
	free  *view.Free // the camera while the mouse has it; nil: it goes its own way
	turns bool       // the right button is down
	last  [2]float64 // where the cursor was then, in the window's units
	again bool       // the player wants to restart
	err   error      // the first
}

// mouseHelp says what the mouse does to the camera.
const mouseHelp = "right drag, wheel free camera"

// turnBy, rad, is how far the camera turns for each of the window's units, and zoomBy by what part of the distance it moves for each notch of
// the wheel.
const turnBy, zoomBy = .006, .88

// listen lets the right button and the wheel move the camera.
func (s *screen) listen() {
	s.app.Subscribe(window.OnMouseDown, func(_ string, ev any) {
		if m := ev.(*window.MouseEvent); m.Button == window.MouseButtonRight {
			s.turns, s.last = true, [2]float64{float64(m.Xpos), float64(m.Ypos)}
		}
	})
	s.app.Subscribe(window.OnMouseUp, func(_ string, ev any) {
		if ev.(*window.MouseEvent).Button == window.MouseButtonRight {
			s.turns = false
		}
	})
	s.app.Subscribe(window.OnCursor, func(_ string, ev any) {
		if c := ev.(*window.CursorEvent); s.turns {
			s.take().Turn(-turnBy*(float64(c.Xpos)-s.last[0]), turnBy*(float64(c.Ypos)-s.last[1]))
			s.last = [2]float64{float64(c.Xpos), float64(c.Ypos)}
		}
	})
	s.app.Subscribe(window.OnScroll, func(_ string, ev any) {
		s.take().Zoom(math.Pow(zoomBy, float64(ev.(*window.ScrollEvent).Yoffset)))
	})
}

// take takes the camera from its way, where it is.
func (s *screen) take() *view.Free {
	if s.free == nil {
		f := view.FreeFrom(s.pose)
		s.free = &f
	}
	return s.free
}

// aim places the camera where its way leads, unless the mouse has it, and returns where.
func (s *screen) aim(way view.Pose) view.Pose {
	s.pose = way
	if s.free != nil {
		s.pose = s.free.Pose()
	}
	place(s.cam, s.pose)
	return s.pose
}

// resize fits the picture to the window.
func (s *screen) resize() {
	width, height := s.app.GetFramebufferSize()
	if width <= 0 || height <= 0 {
		return // minimised
	}
	s.app.Gls().Viewport(0, 0, int32(width), int32(height))
	s.cam.SetAspect(float32(width) / float32(height))
	s.panel.resize(width, height)
}

// check keeps the first error and ends the show.
func (s *screen) check(err error) {
	if err != nil && s.err == nil {
		s.err = err
		s.app.Exit()
	}
}
