package main

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// figure is the dancer in its own frame, with the pool's surface at y = 0.
var figure = sync.OnceValue(shapes.NewFigure)

// framesPerSecond is how densely the clip samples the figure. Between frames a cubic meets both positions and velocities.
const framesPerSecond = 30

// dance is the figure as a clip, which a game would load from a file.
var dance = sync.OnceValues(func() (*control.Clip, error) {
	f := figure()
	n := int(math.Round(shapes.End * framesPerSecond))
	frames := make([]control.Frame, n+1)
	for i := range frames {
		v := len(f.Rest.Positions)
		frames[i] = control.Frame{Time: float64(i) / framesPerSecond, Positions: make([]r3.Vec, v), Velocities: make([]r3.Vec, v)}
		f.At(frames[i].Time, frames[i].Positions, frames[i].Velocities)
	}
	return control.NewClip(f.Rest.Triangles, frames)
})

// encore is a clip that comes back from its end to a time, where it stands as at its end, and has no end so.
type encore struct {
	*control.Clip
	from float64 // s
}

// At fills m with the surface at a time, s.
func (e encore) At(t float64, m *control.Mesh) { e.Clip.At(e.within(t), m) }

// Duration is 0: there is no end.
func (e encore) Duration() float64 { return 0 }

// within is the time of the clip at a time, s.
func (e encore) within(t float64) float64 {
	if t <= e.from {
		return t
	}
	return e.from + math.Mod(t-e.from, e.Clip.Duration()-e.from)
}
