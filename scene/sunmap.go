package scene

import (
	"math"

	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
)

// sunMap is where the map of what the sun sees lies. Its texels keep their places while it follows the scene.
type sunMap struct {
	radius     float32 // m; half the edge
	texel      float32 // m
	view, proj math32.Matrix4
}

// ViewMatrix and ProjMatrix make it a camera.
func (s *sunMap) ViewMatrix(m *math32.Matrix4) { *m = s.view }

// ProjMatrix is orthographic.
func (s *sunMap) ProjMatrix(m *math32.Matrix4) { *m = s.proj }

// matrix leads from world coordinates to the map's, 0 to 1 in each.
func (s *sunMap) matrix() math32.Matrix4 {
	half := math32.Matrix4{.5, 0, 0, 0, 0, .5, 0, 0, 0, 0, .5, 0, .5, .5, .5, 1}
	var m math32.Matrix4
	m.MultiplyMatrices(&s.proj, &s.view)
	m.MultiplyMatrices(&half, &m)
	return m
}

// The map's radius is one of a ladder, so that a change is rare, and it shrinks only when much of it is empty.
const (
	ladder = 1.25
	slack  = 1.06 // of what is needed: room to follow in steps
	idle   = 2    // times what is needed: then it shrinks
)

// fit places the map over a box, seen from the direction sun; texels is its edge. casters are all that may throw shadows into it.
func (s *sunMap) fit(box math32.Box3, sun math32.Vector3, texels int32, casters []math32.Box3) {
	size := box.Size(nil)
	need := max(slack*.5*size.Length(), .5)
	if s.radius < need || s.radius > idle*need {
		s.radius = float32(math.Pow(ladder, math.Ceil(math.Log(float64(need))/math.Log(ladder))))
	}
	r := s.radius
	s.texel = 2 * r / float32(texels)
	s.look(sun)
	c := *box.Center(nil)
	c.ApplyMatrix4(&s.view)
	step := s.texel * 16
	snap := func(x float32) float32 { return step * float32(math.Round(float64(x/step))) }
	x, y := snap(c.X), snap(c.Y)
	near, far := c.Z+r, c.Z-r // z grows towards the sun
	for _, b := range casters {
		b.ApplyMatrix4(&s.view)
		if b.Max.X > x-r && b.Min.X < x+r && b.Max.Y > y-r && b.Min.Y < y+r {
			near = min(max(near, b.Max.Z), c.Z+40*r)
		}
	}
	near, far = snap(near+step), snap(far-step)
	s.proj.MakeOrthographic(x-r, x+r, y+r, y-r, -near, -far)
}

// look makes the view from the direction sun on the world's origin. It looks from far away: what tells its sides apart by where the eye is sees a sun.
func (s *sunMap) look(sun math32.Vector3) {
	up := math32.Vector3{Y: 1}
	if sun.Y > .99 || sun.Y < -.99 {
		up = math32.Vector3{Z: 1}
	}
	right := up
	right.Cross(&sun).Normalize()
	up = sun
	up.Cross(&right)
	const away = 300 // m
	s.view = math32.Matrix4{right.X, up.X, sun.X, 0, right.Y, up.Y, sun.Y, 0, right.Z, up.Z, sun.Z, 0, 0, 0, -away, 1}
}

// boxOf is the box of a graphic in the world, if it has one.
func boxOf(g graphic.IGraphic) (box math32.Box3, ok bool) {
	box = g.GetGeometry().BoundingBox()
	if box.Empty() {
		return box, false
	}
	m := g.GetGraphic().MatrixWorld()
	box.ApplyMatrix4(&m)
	return box, true
}
