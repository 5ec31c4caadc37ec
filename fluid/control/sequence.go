package control

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MeshFrame is a surface at one time, with its own triangles.
type MeshFrame struct {
	Time       float64    // s
	Positions  []r3.Vec   // m
	Velocities []r3.Vec   // m/s, one per position: they can't be derived without correspondence
	Triangles  [][3]int32 // counter-clockwise seen from outside
}

// Sequence is a surface whose triangles differ from frame to frame, as from a simulation or a scan. Between frames the earlier one moves with its
// velocities; positions jump at each frame by the error of these. A Sequence is immutable; all methods are safe for concurrent calls.
//
// Its clock begins at 0 with the first frame. Before that and after the last frame the surface rests, with velocity 0.
type Sequence struct {
	frames    []MeshFrame // times from 0
	revisions []uint64
}

// NewSequence returns a sequence of frames, which it copies. Each frame's triangles close a surface of one or more pieces and enclose a volume.
// Errors name the field, the value and the limit.
func NewSequence(frames []MeshFrame) (*Sequence, error) {
	if len(frames) == 0 {
		return nil, errors.New("control: NewSequence: frames: there are none; must be at least one")
	}
	s := &Sequence{}
	for i, f := range frames {
		if err := checkMeshFrame(i, f, frames[max(i-1, 0)].Time); err != nil {
			return nil, fmt.Errorf("control: NewSequence: %w", err)
		}
		s.frames = append(s.frames, MeshFrame{f.Time - frames[0].Time, slices.Clone(f.Positions), slices.Clone(f.Velocities), slices.Clone(f.Triangles)})
		s.revisions = append(s.revisions, revision(f.Triangles))
	}
	return s, nil
}

func checkMeshFrame(i int, f MeshFrame, before float64) error {
	what := fmt.Sprintf("frames[%d]", i)
	if err := checkFrame(what, i, f.Time, before); err != nil {
		return err
	}
	if len(f.Velocities) != len(f.Positions) {
		return fmt.Errorf("%s.Velocities: there are %d; must be one for each of %d vertices", what, len(f.Velocities), len(f.Positions))
	}
	if err := checkTriangles(len(f.Positions), f.Triangles); err != nil {
		return fmt.Errorf("%s.Triangles: %w", what, err)
	}
	return checkSurface(what, f.Positions, f.Velocities, f.Triangles)
}

// Duration returns the time from the first frame to the last, s: 0 for a single frame, which has no end.
func (s *Sequence) Duration() float64 { return s.frames[len(s.frames)-1].Time }

// At sets m to the surface at time t, s. It allocates nothing if m has been used for every frame before. NaN
// counts as 0.
func (s *Sequence) At(t float64, m *Mesh) {
	i, last := 0, len(s.frames)-1
	for lo, hi := 0, last+1; hi-lo > 1; {
		mid := (lo + hi) / 2
		if s.frames[mid].Time <= t {
			lo, i = mid, mid
		} else {
			hi = mid
		}
	}
	f := &s.frames[i]
	m.resize(len(f.Positions))
	m.Triangles, m.Revision = f.Triangles, s.revisions[i]
	if !(t >= 0 && t <= s.frames[last].Time) {
		copy(m.Positions, f.Positions)
		clear(m.Velocities)
		return
	}
	copy(m.Velocities, f.Velocities)
	for k, v := range f.Velocities {
		m.Positions[k] = r3.Add(f.Positions[k], reproducible.Scale(t-f.Time, v))
	}
}
