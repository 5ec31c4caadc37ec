package control

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Frame is the surface of a clip at one time.
type Frame struct {
	Time      float64  // s
	Positions []r3.Vec // m
	// Velocities of the vertices, m/s. If nil, they are the slopes of the parabolas through three frames.
	Velocities []r3.Vec
}

// Clip is a moving surface: frames with the same triangles. Between frames, positions are cubic in time and match the frames' positions and
// velocities, so that both are continuous. A Clip is immutable; all methods are safe for concurrent calls.
//
// Its clock begins at 0 with the first frame, whatever that frame's time. Before the first frame and after the last the surface rests as in
// that frame, with velocity 0; at the times of these frames themselves it has their velocities.
type Clip struct {
	triangles  [][3]int32
	revision   uint64
	vertices   int
	times      []float64 // s, from 0
	positions  []r3.Vec  // by frame and vertex
	velocities []r3.Vec
}

// newClip returns a clip with room for frames. Its times count from the first.
func newClip(triangles [][3]int32, times []float64, vertices int) *Clip {
	c := &Clip{
		triangles: slices.Clone(triangles), revision: revision(triangles), vertices: vertices,
		times: make([]float64, len(times)), positions: make([]r3.Vec, len(times)*vertices), velocities: make([]r3.Vec, len(times)*vertices),
	}
	for i, t := range times {
		c.times[i] = t - times[0]
	}
	return c
}

// NewClip returns a clip of frames, which it copies.
//
// The triangles close a surface of one or more pieces, counter-clockwise seen from outside; every frame encloses a volume. NewClip does not check for
// self-intersections. A single frame is a resting surface without an end. Errors name the field, the value and the limit.
func NewClip(triangles [][3]int32, frames []Frame) (*Clip, error) {
	c, err := clipOf(triangles, frames)
	if err != nil {
		return nil, fmt.Errorf("control: NewClip: %w", err)
	}
	return c, nil
}

func clipOf(triangles [][3]int32, frames []Frame) (*Clip, error) {
	if len(frames) == 0 {
		return nil, fmt.Errorf("frames: there are none; must be at least one")
	}
	n, times := len(frames[0].Positions), make([]float64, len(frames))
	if err := checkTriangles(n, triangles); err != nil {
		return nil, fmt.Errorf("triangles: %w", err)
	}
	for i, f := range frames {
		what := fmt.Sprintf("frames[%d]", i)
		times[i] = f.Time
		before := 0.0
		if i > 0 {
			before = times[i-1]
		}
		if err := checkFrame(what, i, f.Time, before); err != nil {
			return nil, err
		}
		if len(f.Positions) != n {
			return nil, fmt.Errorf("%s.Positions: %d vertices; must be as many as frames[0] has (%d)", what, len(f.Positions), n)
		}
		if f.Velocities != nil && len(f.Velocities) != n {
			return nil, fmt.Errorf("%s.Velocities: there are %d; must be one for each of %d vertices, or nil", what, len(f.Velocities), n)
		}
		if err := checkSurface(what, f.Positions, f.Velocities, triangles); err != nil {
			return nil, err
		}
	}
	c := newClip(triangles, times, n)
	for i, f := range frames {
		copy(c.positions[i*n:], f.Positions)
	}
	for i, f := range frames {
		if f.Velocities == nil {
			c.deriveVelocities(i)
		} else {
			copy(c.velocities[i*n:], f.Velocities)
		}
	}
	return c, nil
}

// checkFrame returns an error if a frame's time is invalid, or not after that of the frame before.
func checkFrame(what string, i int, time, before float64) error {
	if err := checkTime(what+".Time", time); err != nil {
		return err
	}
	if i > 0 && !(time-before >= minStep) {
		return fmt.Errorf("%s.Time: %g s; must be after that of the frame before (%g s) by at least %g s", what, time, before, minStep)
	}
	return nil
}

// checkSurface returns an error if the numbers of a frame, whose triangles are valid, are wrong.
func checkSurface(what string, positions, velocities []r3.Vec, triangles [][3]int32) error {
	if err := checkVectors(what+".Positions", positions, maxCoord, "m"); err != nil {
		return err
	}
	if err := checkVectors(what+".Velocities", velocities, maxSpeed, "m/s"); err != nil {
		return err
	}
	if err := checkVolume(positions, triangles); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// deriveVelocities sets the velocities of a frame from the positions of three frames.
func (c *Clip) deriveVelocities(frame int) {
	f := slopeAt(c.times, frame)
	v := c.velocities[frame*c.vertices : (frame+1)*c.vertices]
	clear(v)
	for j, weight := range f.c {
		if weight == 0 {
			continue
		}
		x := c.positions[(f.first+j)*c.vertices:]
		for i := range v {
			v[i] = r3.Add(v[i], reproducible.Scale(weight, x[i]))
		}
	}
}

// Duration returns the duration of the clip, s: 0 for a single frame, which has no end.
func (c *Clip) Duration() float64 { return c.times[len(c.times)-1] }

// Frames returns the number of frames.
func (c *Clip) Frames() int { return len(c.times) }

// Vertices returns the number of vertices of each frame.
func (c *Clip) Vertices() int { return c.vertices }

// Triangles returns the triangles of every frame, read-only.
func (c *Clip) Triangles() [][3]int32 { return c.triangles }

// FrameTime returns the time of a frame on the clip's clock, s.
func (c *Clip) FrameTime(i int) float64 { return c.times[i] }

// At sets m to the surface at time t, s. It allocates nothing if m has been used before. NaN counts as 0.
func (c *Clip) At(t float64, m *Mesh) {
	m.resize(c.vertices)
	m.Triangles, m.Revision = c.triangles, c.revision
	n, last := c.vertices, len(c.times)-1
	frame := 0
	switch {
	case t > c.times[last]:
		frame = last
		fallthrough
	case !(t >= 0):
		copy(m.Positions, c.positions[frame*n:(frame+1)*n])
		clear(m.Velocities)
		return
	}
	frame = c.frameAt(t)
	x, v := c.positions[frame*n:], c.velocities[frame*n:]
	if t == c.times[frame] {
		copy(m.Positions, x[:n])
		copy(m.Velocities, v[:n])
		return
	}
	h := newCubic(t-c.times[frame], c.times[frame+1]-c.times[frame])
	for i := range n {
		m.Positions[i], m.Velocities[i] = h.at(x[i], x[n+i], v[i], v[n+i])
	}
}

// frameAt returns the last frame at or before t.
func (c *Clip) frameAt(t float64) int {
	lo, hi := 0, len(c.times)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; c.times[mid] <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// cubic is the weights of a cubic Hermite interpolation between two frames, and of its derivative.
type cubic struct {
	rise, before, after   float64 // of the difference of positions, 1, and of the velocities, s
	rate, vBefore, vAfter float64 // of the difference, 1/s, and of the velocities, 1
}

// newCubic returns the weights t s after the first of two frames that are h s apart.
func newCubic(t, h float64) cubic {
	s := t / h
	r := 1 - s
	sr := float64(s * r)
	return cubic{
		float64(float64(s*s) * (3 - 2*s)), float64(h * float64(sr*r)), -float64(h * float64(sr*s)),
		6 * sr / h, float64(r * (1 - float64(3*s))), float64(s * (1 - float64(3*r))),
	}
}

func (h *cubic) at(a, b, va, vb r3.Vec) (x, v r3.Vec) {
	d := r3.Sub(b, a)
	x = r3.Add(a, r3.Add(reproducible.Scale(h.rise, d), r3.Add(reproducible.Scale(h.before, va), reproducible.Scale(h.after, vb))))
	v = r3.Add(reproducible.Scale(h.rate, d), r3.Add(reproducible.Scale(h.vBefore, va), reproducible.Scale(h.vAfter, vb)))
	return x, v
}
