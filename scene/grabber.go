package scene

import (
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Grabber drags dynamic bodies with the mouse: Grab on a button's press, Move before each step
// while it is down, Release when it goes up. The zero value is ready to use. Each changes the world:
// with LiquidOptions.Async, Move is for BeforeStep, the others for BetweenSteps.
type Grabber = adapter.Grabber

// CursorRay is where a camera sees the pixel x, y of a viewport, counted from its upper left:
// a point on the near plane and a unit direction. Give the camera's own viewport. What of the liquid is there fluid.Liquid.RayCast tells.
func CursorRay(cam Camera, x, y, width, height float64) (from, dir r3.Vec) {
	var view, proj math32.Matrix4
	cam.ViewMatrix(&view)
	cam.ProjMatrix(&proj)
	return adapter.CursorRay(view, proj, x, y, width, height)
}
