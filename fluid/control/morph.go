package control

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Key is a shape that a morph passes through at a time.
type Key struct {
	Time      float64  // s
	Positions []r3.Vec // m, of every vertex
	// Triangles, if not nil, must be equal to the morph's. They are a check for a key loaded from a file of its own.
	Triangles [][3]int32
}

// PositionConstraint sets the position of a vertex at a time.
type PositionConstraint struct {
	Time     float64 // s; the frame nearest to it
	Vertex   int
	Position r3.Vec // m
}

// VelocityConstraint sets the velocity of a vertex at a time: the clip's velocity at that frame.
type VelocityConstraint struct {
	Time     float64 // s; the frame nearest to it
	Vertex   int
	Velocity r3.Vec // m/s
}

const (
	// DefaultMaxMemory is the default of a morph's MaxMemory, bytes: room for some twenty million variables.
	DefaultMaxMemory = 1 << 30
	// DefaultPasses is the default of a morph's Passes; three are common.
	DefaultPasses = 24
	// DefaultFramesPerSecond is the default of a morph's FramesPerSecond.
	DefaultFramesPerSecond = 30
	// VolumeTolerance is the greatest relative error of a frame's volume.
	VolumeTolerance = 1e-8
)

// ErrVolume is the error of a morph whose frames did not reach their volumes within Passes.
var ErrVolume = errors.New("the volume of frames is not kept")

// ErrCrossing is the error of a morph whose surface crosses itself in a frame between keys that don't.
var ErrCrossing = errors.New("the surface crosses itself")

// Morph computes the frames between shapes: of all motions that keep the volume the one with the least accelerations, summed over
// vertices and frames. Source: Raveendran et al. 2012, section 4; the package comment lists the differences.
//
// The keys have the same triangles, which close a connected surface that does not cross itself. Velocity is continuous at the keys in
// between.
type Morph struct {
	// Triangles index the positions of every key, counter-clockwise seen from outside. If nil, they are those of Keys[0].
	Triangles [][3]int32
	Keys      []Key // at least two, at ascending times

	// FramesPerSecond is the least number of intervals between frames per second; each key is a frame. Alternatively, Frames is the number of
	// frames between each two keys. If both are 0, FramesPerSecond is DefaultFramesPerSecond.
	FramesPerSecond float64
	Frames          int

	// Positions and Velocities constrain single vertices at single times. They are met exactly; the other vertices keep the volume.
	Positions  []PositionConstraint
	Velocities []VelocityConstraint

	// FixedAxes measures accelerations in the axes of the world, as the paper does. A turn then becomes the shortest motion that keeps the
	// volume: vertices leave their circles. By default accelerations are measured in axes that turn with the shape, by the rotation that
	// fits each key best to the next, so that a rigid motion stays rigid.
	FixedAxes bool

	Passes    int   // most passes; 0 means DefaultPasses
	MaxMemory int64 // bytes; 0 means DefaultMaxMemory

	// Progress, if not nil, is called now and then with the share that is done, rising to 1.
	Progress func(fraction float64)
}

// Report is the result of a morph. Slices have a value per frame, rates per interval between frames.
type Report struct {
	Times   []float64 // s, on the keys' clock
	Volumes []float64 // m³
	// VolumeRates are the rates of change of the volume, m³/s: the source that the projection within the surface must have. Keys of
	// equal volume have zeros up to VolumeTolerance.
	VolumeRates []float64

	VolumeError  float64 // greatest relative error of a volume
	Passes       int     // taken
	Memory       int64   // greatest memory in use, bytes, but for a few per frame
	Acceleration float64 // ∫ Σ |a|² dt, m²/s³: the minimised quantity
}

// Solve computes the morph. Its time grows with the number of vertices and with the square of the number of frames; a few constraints take no longer than
// none. The result has the same bits on every machine.
//
// Errors name the field, the value and the limit: of bad keys, times and constraints, of contradicting constraints, and of
// memory above MaxMemory, before any is allocated. ErrVolume comes with the clip as far as it is computed, and ErrCrossing with the clip that crosses
// itself: doubly enclosed volume counts once, so that liquid follows the clip, but not with the wanted volume.
func (m Morph) Solve() (*Clip, Report, error) {
	m = m.withDefaults()
	if err := m.check(); err != nil {
		return nil, Report{}, fmt.Errorf("control: Morph.%w", err)
	}
	s, err := newSolver(&m)
	if err != nil {
		return nil, Report{}, fmt.Errorf("control: Morph.%w", err)
	}
	passes, err := s.iterate()
	if err != nil && !errors.Is(err, ErrVolume) {
		return nil, Report{}, fmt.Errorf("control: Morph: %w", err)
	}
	clip := s.clip()
	report := s.report(clip)
	report.Passes, report.Memory = passes, m.Memory()
	if err != nil {
		return clip, report, fmt.Errorf("control: Morph.Passes: %w", err)
	}
	s.progress(1)
	if err := clip.checkCrossing(); err != nil {
		return clip, report, fmt.Errorf("control: Morph.Keys: %w", err)
	}
	return clip, report, nil
}

// Memory returns the most memory that Solve allocates, bytes, but for some per frame. It depends on the sizes of keys only.
func (m Morph) Memory() int64 {
	bytes := m.withDefaults().bytes()
	if !(bytes < math.MaxInt64) {
		return math.MaxInt64
	}
	return int64(bytes)
}

func (m Morph) withDefaults() Morph {
	if m.Triangles == nil && len(m.Keys) > 0 {
		m.Triangles = m.Keys[0].Triangles
	}
	if m.FramesPerSecond == 0 && m.Frames == 0 {
		m.FramesPerSecond = DefaultFramesPerSecond
	}
	m.Passes = cmp.Or(m.Passes, DefaultPasses)
	m.MaxMemory = cmp.Or(m.MaxMemory, DefaultMaxMemory)
	return m
}

// intervals returns the number of intervals between a key and the next; it may exceed an int.
func (m *Morph) intervals(key int) float64 {
	if m.Frames > 0 {
		return float64(m.Frames) + 1
	}
	return count(m.Keys[key].Time, m.Keys[key+1].Time, m.FramesPerSecond)
}

// bytes returns Memory as a float64, which can't overflow.
func (m Morph) bytes() float64 {
	if len(m.Keys) < 2 {
		return 0
	}
	intervals := 0.0
	for k := range len(m.Keys) - 1 {
		intervals += m.intervals(k)
	}
	vertices, triangles := float64(len(m.Keys[0].Positions)), float64(len(m.Triangles))
	const (
		vector = 24
		checks = 2*3*16 + 3*4 + 4 // bytes per triangle: its edges, twice, and sets
		span   = 56               // of the sweep, per key and for all frames
		turns  = 96               // of a turning
		own    = 12               // of the clip's triangles
		single = 16               // per vertex: fans and weights
	)
	// Frames with and without the volume's constraint, area vectors, the clip's positions and velocities; matrices over frames; constraints.
	frames := 5 * (intervals + 1)
	keys := float64(len(m.Keys))
	pinned := 3 * float64(len(m.Positions)+len(m.Velocities))
	perVertex, perTriangle := float64(frames*vector)+single, checks+float64((keys+1)*span)+turns+own
	perConstraint := 8 * (float64(3*intervals) + min(pinned, float64(6*intervals)) + 16)
	matrices := float64(32*intervals*intervals) + float64(400*intervals)
	return float64(vertices*perVertex) + float64(triangles*perTriangle) + matrices + float64(pinned*perConstraint) + 1<<16
}

// check returns an error if a field is invalid.
func (m *Morph) check() error {
	if len(m.Keys) < 2 {
		return fmt.Errorf("Keys: there are %d; must be at least 2", len(m.Keys))
	}
	switch {
	case m.Frames != 0 && m.FramesPerSecond != 0:
		return fmt.Errorf("Frames: %d with FramesPerSecond %g; must be one of them", m.Frames, m.FramesPerSecond)
	case m.Frames < 0:
		return fmt.Errorf("Frames: %d; must be ≥ 0", m.Frames)
	case !(m.FramesPerSecond >= 0 && m.FramesPerSecond <= math.MaxFloat64):
		return fmt.Errorf("FramesPerSecond: %g; must be finite and ≥ 0", m.FramesPerSecond)
	case m.Passes < 1:
		return fmt.Errorf("Passes: %d; must be ≥ 1, or 0 for %d", m.Passes, DefaultPasses)
	case m.MaxMemory < 0:
		return fmt.Errorf("MaxMemory: %d bytes; must be ≥ 0", m.MaxMemory)
	}
	for k, key := range m.Keys {
		if err := m.checkKey(k, key); err != nil {
			return err
		}
	}
	if n := m.allFrames(); n > maxFrames {
		return fmt.Errorf("FramesPerSecond: there would be %.6g frames; must be at most %d", n, maxFrames)
	}
	if bytes := m.bytes(); bytes > float64(m.MaxMemory) {
		return fmt.Errorf("MaxMemory: %d vertices in %.0f frames need %.4g MiB; must be at most %.4g MiB: fewer frames, or a higher limit",
			len(m.Keys[0].Positions), m.allFrames(), bytes/(1<<20), float64(m.MaxMemory)/(1<<20))
	}
	if err := checkTriangles(len(m.Keys[0].Positions), m.Triangles); err != nil {
		return fmt.Errorf("Triangles: %w", err)
	}
	if err := checkConnected(len(m.Keys[0].Positions), m.Triangles); err != nil {
		return fmt.Errorf("Triangles: %w", err)
	}
	for k, key := range m.Keys {
		if err := checkVolume(key.Positions, m.Triangles); err != nil {
			return fmt.Errorf("Keys[%d]: %w", k, err)
		}
		if n, first := crossings(key.Positions, m.Triangles); n > 0 {
			return fmt.Errorf("Keys[%d]: the surface crosses itself: %d pairs of triangles cross, the first %d and %d; must be none", k, n, first[0], first[1])
		}
	}
	return m.checkConstraints()
}

func (m *Morph) allFrames() float64 {
	n := 1.0
	for k := range len(m.Keys) - 1 {
		n += m.intervals(k)
	}
	return n
}

// checkKey returns an error if a key is invalid, or not after the one before.
func (m *Morph) checkKey(k int, key Key) error {
	if err := checkTime(fmt.Sprintf("Keys[%d].Time", k), key.Time); err != nil {
		return err
	}
	if k > 0 && !(key.Time-m.Keys[k-1].Time >= minStep) {
		return fmt.Errorf("Keys[%d].Time: %g s; must be after Keys[%d].Time (%g s) by at least %g s", k, key.Time, k-1, m.Keys[k-1].Time, minStep)
	}
	if n := len(m.Keys[0].Positions); len(key.Positions) != n {
		return fmt.Errorf("Keys[%d].Positions: %d vertices; must be as many as Keys[0] has (%d)", k, len(key.Positions), n)
	}
	if err := checkVectors(fmt.Sprintf("Keys[%d].Positions", k), key.Positions, maxCoord, "m"); err != nil {
		return err
	}
	if key.Triangles == nil {
		return nil
	}
	if len(key.Triangles) != len(m.Triangles) {
		return fmt.Errorf("Keys[%d].Triangles: there are %d; must be the same as the morph's (%d)", k, len(key.Triangles), len(m.Triangles))
	}
	for i, t := range key.Triangles {
		if t != m.Triangles[i] {
			return fmt.Errorf("Keys[%d].Triangles[%d]: %v; must be the same as the morph's (%v)", k, i, t, m.Triangles[i])
		}
	}
	return nil
}

const (
	minStep   = 1e-6    // the least time between frames, s
	maxFrames = 100_000 // of a morph
)

// checkConstraints returns an error if a constraint is invalid.
func (m *Morph) checkConstraints() error {
	n, first, last := len(m.Keys[0].Positions), m.Keys[0].Time, m.Keys[len(m.Keys)-1].Time
	one := func(what string, time float64, vertex int) error {
		if !(time >= first && time <= last) {
			return fmt.Errorf("%s.Time: %g s; must be within those of the keys, %g s to %g s", what, time, first, last)
		}
		if vertex < 0 || vertex >= n {
			return fmt.Errorf("%s.Vertex: %d; must be 0 to %d", what, vertex, n-1)
		}
		return nil
	}
	for i, c := range m.Positions {
		what := fmt.Sprintf("Positions[%d]", i)
		if err := one(what, c.Time, c.Vertex); err != nil {
			return err
		}
		if !inRange(c.Position, maxCoord) {
			return fmt.Errorf("%s.Position: %v m; coordinates must be within ±%g", what, c.Position, maxCoord)
		}
	}
	for i, c := range m.Velocities {
		what := fmt.Sprintf("Velocities[%d]", i)
		if err := one(what, c.Time, c.Vertex); err != nil {
			return err
		}
		if !inRange(c.Velocity, maxSpeed) {
			return fmt.Errorf("%s.Velocity: %v m/s; components must be within ±%g", what, c.Velocity, maxSpeed)
		}
	}
	return nil
}

// nearest returns the frame nearest to a time; of two, the earlier one.
func (l *timeline) nearest(time float64) int {
	i, found := slices.BinarySearch(l.times, time)
	if found || i == 0 {
		return i
	}
	if i == len(l.times) || time-l.times[i-1] <= l.times[i]-time {
		return i - 1
	}
	return i
}
