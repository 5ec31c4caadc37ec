package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sharing keeps the liquid of each label its own where labels are in touch. To the cells they are one liquid, which keeps its volume as a whole, by changes all over its free surface. After a
// motion and after such a change each label's surface moves along its normals where it touches others, so that all labels in touch have grown by the same part of what they were.
type sharing struct {
	labels   []int32
	measures trimesh.Measures
	touching []int32 // vertices in touch with another label
	at       []r3.Vec
	others   []float32
	growth   float64 // of the liquid of all labels that are in touch, as a factor
	of       [track.MostLabel + 1]shareOf
}

// shareOf is what a label has in the domain.
type shareOf struct {
	was, is float64 // before and after, m³
	area    float64 // in touch with others, m²
}

// inTouch is how far apart surfaces are at most that count as in touch, and mostShared how far one moves there in a step, in edges.
const inTouch, mostShared = .5, .1

// shareRounds is how often they move: where one is held up by another the first is short.
const shareRounds = 2

// begin measures the labels' liquid before a motion or a change, if there is more than one.
func (s *sharing) begin(t *Tracker) {
	if s.labels = t.track.Mesh.AppendLabels(s.labels[:0]); len(s.labels) > 1 {
		clear(s.of[:])
		t.eachVolume(func(label int32, volume float64) { s.of[label].was += volume })
	}
}

// eachVolume calls visit for what each triangle counts for its label's volume in the domain, m³.
func (t *Tracker) eachVolume(visit func(label int32, volume float64)) {
	mesh := &t.track.Mesh
	for i, v := range mesh.Triangle {
		if v[0] != trimesh.Gone {
			a, b, c := mesh.Corners(int32(i))
			visit(mesh.Label[i], trimesh.VolumeIn(&t.in.Domain, &[3]r3.Vec{a, b, c}))
		}
	}
}

// finish moves the surfaces that are in touch after it.
func (s *sharing) finish(t *Tracker) {
	if len(s.labels) < 2 {
		return
	}
	for range shareRounds {
		if !s.measure(t) {
			return
		}
		s.move(t)
	}
}

// measure measures the labels' liquid, and where it is in touch. It reports false if it is nowhere.
func (s *sharing) measure(t *Tracker) bool {
	s.measures.Measure(t.in.Pool, &t.track.Mesh, t.track.Mesh.Position)
	for _, label := range s.labels {
		s.of[label].is, s.of[label].area = 0, 0
	}
	t.eachVolume(func(label int32, volume float64) { s.of[label].is += volume })
	s.touching, s.growth = s.touching[:0], 0
	was, is := 0., 0. // of all in touch
	for _, label := range s.labels {
		if s.touch(t, label); s.of[label].area > 0 {
			was += s.of[label].was
			is += s.of[label].is
		}
	}
	if was > 0 {
		s.growth = is / was
	}
	return s.growth > 0
}

// move moves what is in touch.
func (s *sharing) move(t *Tracker) {
	mesh, most := &t.track.Mesh, float64(mostShared*t.lattice.H)
	copy(mesh.Target, mesh.Position)
	for _, v := range s.touching {
		o, n := &s.of[labelOf(mesh, v)], s.measures.Normal[v]
		if size := reproducible.Norm(n); size > 0 {
			by := max(-most, min(most, (float64(o.was*s.growth)-o.is)/o.area))
			mesh.Target[v] = r3.Add(mesh.Position[v], reproducible.Scale(by/size, n))
		}
	}
	t.track.Mover.Move(mesh, 1)
}

// labelOf is a vertex's label.
func labelOf(m *trimesh.Mesh, v int32) int32 { return m.Label[m.VertexTriangles[v][0]] }

// touch lists a label's vertices that are in touch with others.
func (s *sharing) touch(t *Tracker, label int32) {
	mesh, o, first := &t.track.Mesh, &s.of[label], len(s.touching)
	s.at = s.at[:0]
	for v, list := range mesh.VertexTriangles {
		if len(list) > 0 && mesh.Label[list[0]] == label && boxes.Holds(&t.in.Domain, &mesh.Position[v]) {
			s.touching, s.at = append(s.touching, int32(v)), append(s.at, mesh.Position[v])
		}
	}
	s.others = arrays.Resize(s.others, len(s.at))
	t.distanceAmong(s.others, mesh, s.at, trimesh.Without, label)
	kept := first
	for i, v := range s.touching[first:] {
		if float64(s.others[i]) < inTouch*t.lattice.H {
			s.touching[kept] = v
			kept++
			o.area += reproducible.Norm(s.measures.Normal[v])
		}
	}
	s.touching = s.touching[:kept]
}
