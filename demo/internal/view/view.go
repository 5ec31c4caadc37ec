// Package view holds camera matrices and camera paths in plain numbers, so that what needs
// no window needs none.
package view

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Pose is where a camera is and what it looks at, m.
type Pose struct{ Eye, Target r3.Vec }

// LookAt is the view matrix of a camera with +y up, column-major. A pose that looks
// straight up or down, or nowhere, is turned a little.
func (p Pose) LookAt() [16]float32 {
	back := r3.Sub(p.Eye, p.Target)
	if r3.Norm(back) < 1e-9 {
		back = r3.Vec{Z: 1}
	}
	back = r3.Unit(back)
	side := r3.Cross(r3.Vec{Y: 1}, back)
	if r3.Norm(side) < 1e-6 {
		side = r3.Vec{X: 1}
	}
	side = r3.Unit(side)
	up := r3.Cross(back, side)
	f := func(v float64) float32 { return float32(v) }
	return [16]float32{
		f(side.X), f(up.X), f(back.X), 0,
		f(side.Y), f(up.Y), f(back.Y), 0,
		f(side.Z), f(up.Z), f(back.Z), 0,
		f(-r3.Dot(side, p.Eye)), f(-r3.Dot(up, p.Eye)), f(-r3.Dot(back, p.Eye)), 1,
	}
}

// Perspective is OpenGL's projection matrix, column-major.
//
// fov: the vertical field of view, degrees. aspect: width over height. near, far: m, > 0.
func Perspective(fov, aspect, near, far float64) [16]float32 {
	s := 1 / math.Tan(fov*math.Pi/360)
	return [16]float32{
		float32(s / aspect), 0, 0, 0,
		0, float32(s), 0, 0,
		0, 0, float32((near + far) / (near - far)), -1,
		0, 0, float32(2 * near * far / (near - far)), 0,
	}
}

// See is what a camera at the pose sees of the liquid in a picture of so many rows; the rest is as Perspective takes it.
func (p Pose) See(fov, aspect, near, far float64, height int) fluid.View {
	return fluid.View{View: p.LookAt(), Projection: Perspective(fov, aspect, near, far), Height: height}
}

// AspectOf is the ratio of width to height of a picture with the given fields of view, degrees.
func AspectOf(horizontal, vertical float64) float64 {
	return math.Tan(horizontal*math.Pi/360) / math.Tan(vertical*math.Pi/360)
}

// Orbit is a level circle about Centre.
type Orbit struct {
	Centre r3.Vec  // looked at, m
	Radius float64 // m
	Height float64 // of the eye over Centre, m
	Period float64 // s
	Start  float64 // angle at time 0, rad; 0 is +z, a quarter turn +x
}

// At is the camera at t seconds.
func (o Orbit) At(t float64) Pose {
	sin, cos := math.Sincos(o.Start + 2*math.Pi*t/o.Period)
	return Pose{r3.Add(o.Centre, r3.Vec{X: o.Radius * sin, Y: o.Height, Z: o.Radius * cos}), o.Centre}
}

// Chase follows a point from a fixed offset, smoothly.
type Chase struct {
	Offset r3.Vec  // of the eye from what it follows, m
	Lag    float64 // s: the time in which the distance to catch up falls to 37 %
	Within *r3.Box // what the eye stays in, m; nil for anywhere

	at      r3.Vec
	started bool
}

// Follow moves on by dt seconds towards a point and returns the camera. The first call is there at once.
func (c *Chase) Follow(point r3.Vec, dt float64) Pose {
	if !c.started {
		c.at, c.started = point, true
	}
	share := 1 - math.Exp(-dt/c.Lag)
	c.at = r3.Add(c.at, r3.Scale(share, r3.Sub(point, c.at)))
	eye := r3.Add(c.at, c.Offset)
	if b := c.Within; b != nil {
		eye = r3.Vec{X: max(b.Min.X, min(eye.X, b.Max.X)), Y: max(b.Min.Y, min(eye.Y, b.Max.Y)), Z: max(b.Min.Z, min(eye.Z, b.Max.Z))}
	}
	return Pose{eye, c.at}
}

// Free is a camera that the mouse turns about Target. Make one with FreeFrom.
type Free struct {
	Target   r3.Vec
	Yaw      float64 // rad; 0 is +z, a quarter turn +x
	Pitch    float64 // rad above level
	Distance float64 // m
}

// How far up and down a Free camera turns, rad, and how near and far it goes, m.
const (
	steepest = 1.5
	nearest  = 0.2
	furthest = 100
)

// FreeFrom is the free camera that sees what a pose does.
func FreeFrom(p Pose) Free {
	arm := r3.Sub(p.Eye, p.Target)
	d := max(nearest, r3.Norm(arm))
	return Free{Target: p.Target, Yaw: math.Atan2(arm.X, arm.Z), Pitch: math.Asin(max(-1, min(1, arm.Y/d))), Distance: d}
}

// Turn turns the camera about its target, rad.
func (f *Free) Turn(yaw, pitch float64) {
	f.Yaw += yaw
	f.Pitch = max(-steepest, min(f.Pitch+pitch, steepest))
}

// Zoom multiplies the distance.
func (f *Free) Zoom(factor float64) { f.Distance = max(nearest, min(f.Distance*factor, furthest)) }

// Pose is where the camera is.
func (f *Free) Pose() Pose {
	sinYaw, cosYaw := math.Sincos(f.Yaw)
	sinPitch, cosPitch := math.Sincos(f.Pitch)
	arm := r3.Vec{X: sinYaw * cosPitch, Y: sinPitch, Z: cosYaw * cosPitch}
	return Pose{r3.Add(f.Target, r3.Scale(f.Distance, arm)), f.Target}
}

// Path goes through poses at even times, smoothly, and stays at the last.
type Path struct {
	Poses    []Pose
	Duration float64 // s
}

// At is the camera at t seconds: Catmull-Rom between the poses.
func (p Path) At(t float64) Pose {
	last := len(p.Poses) - 1
	u := max(0, min(1, t/p.Duration)) * float64(last)
	i := min(int(u), max(0, last-1))
	u -= float64(i)
	pose := func(k int) Pose { return p.Poses[max(0, min(k, last))] }
	a, b, c, d := pose(i-1), pose(i), pose(i+1), pose(i+2)
	return Pose{spline(a.Eye, b.Eye, c.Eye, d.Eye, u), spline(a.Target, b.Target, c.Target, d.Target, u)}
}

// spline is Catmull-Rom from b to c.
func spline(a, b, c, d r3.Vec, u float64) r3.Vec {
	u2, u3 := u*u, u*u*u
	v := r3.Scale(-.5*u+u2-.5*u3, a)
	v = r3.Add(v, r3.Scale(1-2.5*u2+1.5*u3, b))
	v = r3.Add(v, r3.Scale(.5*u+2*u2-1.5*u3, c))
	return r3.Add(v, r3.Scale(-.5*u2+.5*u3, d))
}
