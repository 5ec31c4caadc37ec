package play

import (
	"github.com/g3n/engine/app"
	"github.com/g3n/engine/camera"
)

// screen is what every show has: the window, the camera and the panel.
type screen struct {
	app   *app.Application
	cam   *camera.Camera
	panel *panel
	err   error // the first
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
