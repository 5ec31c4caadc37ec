package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Droplets are those of liquid that the surface is too coarse for.
//
// position, velocity: xyz each, m and m/s. radius: m. They may be written, and are valid until the next call.
func (m *Blocks) Droplets() (position, velocity, radius []float32) {
	d := &m.Set.Markers.Droplets
	return d.Position, d.Velocity, d.Radius
}

// AbsorbDroplets takes away the droplets within a shape: it is full of liquid, or of air, now.
func (e *Edits) AbsorbDroplets(s shapes.SDF) {
	m := e.m
	d := &m.Set.Markers.Droplets
	pts := m.Pts[:0]
	for i := range d.Radius {
		x := d.Position[3*i:]
		pts = append(pts, r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])})
	}
	m.Pts, m.Dist = pts, arrays.Resize(m.Dist, len(pts))
	s.Eval(m.Dist, pts)
	kept := 0
	for i, r := range d.Radius {
		if m.Dist[i] < 0 {
			d.Volume -= float64(4. / 3 * math.Pi * float64(r) * float64(r) * float64(r))
			continue
		}
		copy(d.Position[3*kept:][:3], d.Position[3*i:])
		copy(d.Velocity[3*kept:][:3], d.Velocity[3*i:])
		d.Radius[kept] = r
		kept++
	}
	d.Position, d.Velocity, d.Radius = d.Position[:3*kept], d.Velocity[:3*kept], d.Radius[:kept]
	if kept == 0 {
		d.Volume = 0 // and with it what rounding left
	}
}
