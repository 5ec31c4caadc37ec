package adapter

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// perspective is a projection as OpenGL has it: fov from bottom to top, rad.
func perspective(fov, aspect, near, far float64) [16]float32 {
	c := 1 / math.Tan(fov/2)
	return [16]float32{
		float32(c / aspect), 0, 0, 0, 0, float32(c), 0, 0,
		0, 0, float32((far + near) / (near - far)), -1, 0, 0, float32(2 * far * near / (near - far)), 0,
	}
}

// viewFrom is the view of a camera in a pose: the inverse of its matrix.
func viewFrom(eye r3.Vec, turned quat.Number) [16]float32 {
	back := quat.Conj(turned)
	return Matrix(r3.Rotation(back).Rotate(r3.Scale(-1, eye)), back)
}

// Whatever a camera's pose, a point before it is on the ray of the pixel where the camera shows it.
func TestCursorRayMeetsWhatThePixelShows(t *testing.T) {
	const w, h = 1280, 720
	proj := perspective(0.9, 16./9, 0.1, 500)
	for i := range 50 {
		random := func(salt int) float64 { return 2*scatter(i, 0, salt) - 1 }
		eye := r3.Vec{X: 20 * random(1), Y: 20 * random(2), Z: 20 * random(3)}
		turned := quat.Number(r3.NewRotation(3*random(4), r3.Unit(r3.Vec{X: random(5), Y: random(6), Z: random(7)})))
		view := viewFrom(eye, turned)
		point := r3.Add(eye, r3.Rotation(turned).Rotate(r3.Vec{X: random(8), Y: random(9), Z: -3}))
		m := product(&proj, &view)
		shown := project(&m, point.X, point.Y, point.Z)
		from, dir := CursorRay(view, proj, (shown.X+1)/2*w, (1-shown.Y)/2*h, w, h)
		if off := r3.Norm(r3.Cross(r3.Sub(point, from), dir)); off > 1e-4 || math.Abs(r3.Norm(dir)-1) > 1e-9 {
			t.Errorf("camera %d: the ray misses the point by %g m", i, off)
		}
		if d := r3.Dot(r3.Sub(from, eye), r3.Rotation(turned).Rotate(r3.Vec{Z: -1})); math.Abs(d-0.1) > 1e-3 {
			t.Errorf("camera %d: the ray starts %g m before the eye, want the near plane's 0.1", i, d)
		}
	}
}

// Without a viewport or a camera there is still a unit direction.
func TestCursorRayWithoutCamera(t *testing.T) {
	one := Matrix(r3.Vec{}, quat.Number{Real: 1})
	nan := one
	nan[5] = float32(math.NaN())
	for name, c := range map[string]struct {
		view [16]float32
		w, h float64
	}{"no matrix": {[16]float32{}, 100, 100}, "NaN": {nan, 100, 100}, "no width": {one, 0, 100}, "no height": {one, 100, math.NaN()}} {
		from, dir := CursorRay(c.view, one, 3, 4, c.w, c.h)
		if from != (r3.Vec{}) || dir != (r3.Vec{Z: -1}) {
			t.Errorf("%s: from %v along %v", name, from, dir)
		}
	}
}

func TestMatrixPlacesPoints(t *testing.T) {
	q := quat.Number(r3.NewRotation(0.7, r3.Unit(r3.Vec{X: 1, Y: 2, Z: -1})))
	at := r3.Vec{X: 3, Y: -2, Z: 5}
	m := Matrix(at, q)
	var wide [16]float64
	for i, v := range m {
		wide[i] = float64(v)
	}
	p := r3.Vec{X: 0.3, Y: -0.4, Z: 1.1}
	want := r3.Add(at, r3.Rotation(q).Rotate(p))
	if got := project(&wide, p.X, p.Y, p.Z); r3.Norm(r3.Sub(got, want)) > 1e-6 {
		t.Errorf("%v goes to %v, want %v", p, got, want)
	}
}
