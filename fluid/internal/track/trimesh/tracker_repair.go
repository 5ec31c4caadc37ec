package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// snapshot is a mesh without gaps, as it is to be again if a repair fails.
type snapshot struct {
	position []r3.Vec
	heavy    []bool
	origin   []int32
	triangle [][3]int32
	label    []int32
}

// take copies a mesh.
func (s *snapshot) take(m *Mesh) {
	s.position, s.heavy, s.origin = append(s.position[:0], m.Position...), append(s.heavy[:0], m.Heavy...), append(s.origin[:0], m.Origin...)
	s.triangle, s.label = append(s.triangle[:0], m.Triangle...), append(s.label[:0], m.Label...)
}

// restore makes a mesh what it was.
func (s *snapshot) restore(m *Mesh) {
	m.Clear()
	for v, x := range s.position {
		m.Heavy[m.AddVertex(x, s.origin[v])] = s.heavy[v]
	}
	for t, v := range s.triangle {
		m.AddTriangle(v[0], v[1], v[2], s.label[t])
	}
	m.Compact()
}

// repair moves the surface to where a velocity carries it from a time on for dt, s, and through itself if need be, and cuts out the tangles. It returns false, and the surface is as it was, where that
// is not possible: where surfaces of different labels meet, or some of a negative one, or where the Rebuilder gives up.
func (t *Tracker) repair(velocity VelocityField, time, dt float64, report *TrackReport) bool {
	m := &t.Mesh
	t.before.take(m)
	t.Predict(velocity, time, dt)
	for v, x := range m.Target {
		if inReach(x) {
			m.Position[v] = x
		} else {
			m.Target[v] = m.Position[v]
			report.Refused++
		}
	}
	m.Refit()
	if t.findMeeting(); len(t.pairs) == 0 {
		return true
	}
	if !t.cutOut(report) {
		t.before.restore(m)
		return false
	}
	report.Repairs++
	t.CloseGaps()
	if t.Length != nil {
		r := t.Improver.Improve(m, t.Length)
		report.Improve.add(&r)
		t.CloseGaps()
	}
	t.Velocity = arrays.Resize(t.Velocity, len(m.Position))
	velocity(t.Velocity, m.Position, time+dt)
	return true
}

// findMeeting finds the pairs of triangles that meet.
func (t *Tracker) findMeeting() {
	t.pairs = t.Mover.look.meeting(t.Mover.Pool, &t.Mesh, t.Mesh.Position, t.pairs[:0])
}

// cutOut replaces the surface where it meets itself, by the pairs that have been found, one label after the other. It returns false if something is left that meets.
func (t *Tracker) cutOut(report *TrackReport) bool {
	m := &t.Mesh
	change, last := 0., Gone
	for len(t.pairs) > 0 {
		label := int32(math.MaxInt32)
		for _, p := range t.pairs {
			if m.Label[p[0]] != m.Label[p[1]] {
				return false
			}
			label = min(label, m.Label[p[0]])
		}
		if label <= last { // negative, or not the first time
			return false
		}
		last = label
		t.Rebuilder.pairs = append(t.Rebuilder.pairs[:0], t.pairs...)
		r, err := t.Rebuilder.repairPairs(m, Lattice{H: t.repairLength(label)}, label)
		if err != nil {
			return false
		}
		change += r.VolumeChange
		t.findMeeting()
	}
	report.RepairVolume += change
	return true
}

// repairLength is the edge of the lattice's cells, m: the shortest target length where a label's surface meets itself, or without target lengths the mean length of
// the edges there.
func (t *Tracker) repairLength(label int32) float64 {
	m := &t.Mesh
	t.at = t.at[:0]
	sum := 0.
	for _, p := range t.pairs {
		if m.Label[p[0]] != label {
			continue
		}
		for _, k := range p {
			a, b, c := m.Corners(k)
			t.at = append(t.at, a, b, c)
			sum += reproducible.Norm(r3.Sub(b, a)) + reproducible.Norm(r3.Sub(c, b)) + reproducible.Norm(r3.Sub(a, c))
		}
	}
	least := sum / float64(len(t.at))
	if t.Length == nil {
		return least
	}
	t.lengths = arrays.Resize(t.lengths, len(t.at))
	t.Length(t.lengths, t.at)
	for i, l := range t.lengths {
		if i == 0 || l < least {
			least = l
		}
	}
	return least
}
