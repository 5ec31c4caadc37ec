package scene

import (
	"github.com/g3n/engine/math32"
)

// matrixCamera is a camera of given matrices.
type matrixCamera struct{ view, proj math32.Matrix4 }

// ViewMatrix and ProjMatrix make it a camera.
func (c *matrixCamera) ViewMatrix(m *math32.Matrix4) { *m = c.view }

// ProjMatrix is the projection.
func (c *matrixCamera) ProjMatrix(m *math32.Matrix4) { *m = c.proj }

const (
	// trough is how far beyond the level things are drawn, m: a wave's trough mirrors what stands in it. For an eye near the level it is half as far
	// as that.
	trough = .05
	// closest is how near to the level an eye has a mirrored picture, m: its near plane is half as far from it, and nearer ones leave depth too coarse.
	closest = .04
)

// mirrorOf is the camera of a view and a projection mirrored at y = level, which sees what is on the eye's side of that; false where it would see nothing:
// the eye is close to the level, or looks away from it.
// A near plane in the place of the projection's own clips at the level, so that every program does so.
// Source: Lengyel, Oblique view frustum depth projection and clipping (2005).
func mirrorOf(view, proj *math32.Matrix4, level float32) (c matrixCamera, ok bool) {
	above := eyeOf(view).Y - level
	side := sign(above)
	if side*above < closest {
		return c, false
	}
	flip := math32.Matrix4{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 2 * level, 0, 1}
	c.view.MultiplyMatrices(view, &flip)
	c.proj = *proj
	var back, unproj math32.Matrix4
	if back.GetInverse(&c.view) != nil || unproj.GetInverse(proj) != nil {
		return c, false
	}
	plane := transposed(&back, math32.Vector4{Y: side, W: min(trough, .5*side*above) - side*level})
	clip := transposed(&unproj, plane)
	corner := math32.Vector4{X: sign(clip.X), Y: sign(clip.Y), Z: 1, W: 1} // the one farthest beyond the plane
	corner.ApplyMatrix4(&unproj)
	depth := plane.Dot(&corner)
	if plane.W >= 0 || depth <= 0 {
		return c, false
	}
	last := math32.Vector4{X: proj[3], Y: proj[7], Z: proj[11], W: proj[15]}
	scale := 2 * last.Dot(&corner) / depth
	for i, v := range [4]float32{plane.X, plane.Y, plane.Z, plane.W} {
		c.proj[4*i+2] = scale*v - proj[4*i+3]
	}
	return c, true
}

// transposed is v times the transpose of m: a plane, where m undoes what moved the points.
func transposed(m *math32.Matrix4, v math32.Vector4) math32.Vector4 {
	t := *m
	t.Transpose()
	v.ApplyMatrix4(&t)
	return v
}

func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}

// matrix leads from the world to the picture.
func (c *matrixCamera) matrix() math32.Matrix4 {
	var m math32.Matrix4
	m.MultiplyMatrices(&c.proj, &c.view)
	return m
}
