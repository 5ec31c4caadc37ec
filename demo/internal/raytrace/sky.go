package raytrace

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Sky is daylight: a gradient with a glow about the sun, as the scene's shaders have it, and the sun itself.
type Sky struct {
	Zenith, Horizon, Ground Colour
	Sun                     r3.Vec // towards the sun, any length
	SunLit                  Colour // of the sun's light
	// Strength is what a white surface that faces the sun throws back of its light, over SunLit. The scene's shaders have 0.85.
	Strength float64
	// Radius is half the angle under which one sees the sun, rad. 0 means a sharp point, which is not seen itself. The true one has 0.00465.
	Radius float64
	// Fill is how much of the sky's light falls on what is not shiny, of what one sees of it. The scene's shaders have 0.55.
	Fill float64
	// Haze is how much of a view the horizon's colour covers, 1/m, from a distance HazeFrom on, m.
	Haze, HazeFrom float64
}

// TrueRadius is half the angle under which one sees the sun, rad.
const TrueRadius = .00465

// Afternoon is the daylight of the demos.
func Afternoon() Sky {
	return Sky{
		Zenith: Colour{X: .13, Y: .32, Z: .68}, Horizon: Colour{X: .66, Y: .77, Z: .86}, Ground: Colour{X: .36, Y: .39, Z: .40},
		Sun: r3.Vec{X: .45, Y: .72, Z: .40}, SunLit: Colour{X: 1, Y: .93, Z: .80}, Strength: .85, Radius: TrueRadius, Fill: .55,
	}
}

func (s *Sky) validate() error {
	switch {
	case !finite(s.Sun) || r3.Norm(s.Sun) == 0:
		return errors.New("raytrace: Sky.Sun: must be finite and not zero")
	case !(s.Strength >= 0) || !(s.Fill >= 0) || !(s.Haze >= 0) || !(s.HazeFrom >= 0):
		return errors.New("raytrace: Sky.Strength, Fill, Haze and HazeFrom: must be 0 or more")
	case !(s.Radius >= 0 && s.Radius < .5):
		return errors.New("raytrace: Sky.Radius: must be 0 to 0.5 rad")
	}
	return nil
}

// sun is the sun's light, made ready.
type sun struct {
	to       r3.Vec // unit
	u, v     r3.Vec // upright on it
	shine    Colour // what a white surface that faces it throws back
	radiance Colour // of the disc
	cos, sin float64
}

func (s *Sky) sunlight() sun {
	l := sun{to: r3.Unit(s.Sun), shine: r3.Scale(s.Strength, s.SunLit), cos: 2}
	l.u, l.v = frame(l.to)
	l.sin = math.Sin(s.Radius)
	if s.Radius > 0 {
		l.cos = math.Cos(s.Radius)
		l.radiance = r3.Scale(1/(l.sin*l.sin), l.shine)
	}
	return l
}

// sample is a direction towards a point of the sun's disc.
func (l *sun) sample(u, v float64) r3.Vec {
	x, y := disc(u, v)
	x, y = l.sin*x, l.sin*y
	return r3.Add(r3.Scale(math.Sqrt(1-x*x-y*y), l.to), r3.Add(r3.Scale(x, l.u), r3.Scale(y, l.v)))
}

// gradient is the sky without the sun's disc, in the unit direction d.
func (s *Sky) gradient(d, sun r3.Vec) Colour {
	up := 1 - max(0, min(d.Y, 1))
	c := mix(s.Horizon, s.Zenith, 1-up*up*up)
	c = mix(c, s.Ground, smoothstep(0, -.35, d.Y))
	if s.Strength == 0 {
		return c
	}
	g := max(0, r3.Dot(d, sun))
	g *= g
	g *= g
	g *= g
	g32 := g * g * g * g
	return r3.Add(c, r3.Scale((.05*g+.16*g32)*smoothstep(-.15, .05, d.Y), s.SunLit))
}
