package cutting

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// scratch is the memory of one worker.
type scratch struct {
	samples
	list   []candidate
	poly   polygon // at hand
	other  polygon
	ring   []vec
	values []float64
	united []float64
	halves []float64

	chains  chains  // of merge
	ids     []int32 // per vertex: its entry in a list, or -1
	patches []patch
	films   films
	sets    []int32
	cross   crossings
	tracer  walls.Tracer
	table   []int32 // of the hierarchy: place in the block at hand → joined unknown, or -1
}

func (s *scratch) resize(l *bcc.Lattice) {
	s.ofVertex, s.ofCentre, s.ofFoot = lengthen(s.ofVertex, l.Vertices()), lengthen(s.ofCentre, len(l.Centres)), lengthen(s.ofFoot, l.Vertices())
	s.ids = lengthen(s.ids, l.Vertices())
}

// lengthen is a list with at least n entries, those behind its old ones none.
func lengthen(s []int32, n int) []int32 {
	from := len(s)
	s = arrays.Lengthen(s, n)
	for i := from; i < len(s); i++ {
		s[i] = none
	}
	return s
}

// samples are a solid's distances at vertices, at circumcentres and at the feet of vertices, m. To wish for a place gives it a number; evaluate finds the distances of those that
// are new.
type samples struct {
	ofVertex, ofCentre, ofFoot []int32 // the place's number, or none
	vertices, centres, feet    []int32 // that have one
	x                          []r3.Vec
	d                          []float32 // of the first len(d) of x
	touch                      float64   // how close to 0 each counts as less, m
}

// begin forgets all samples. Distances within touch, m, of 0 count as less.
func (s *samples) begin(touch float64) {
	for _, v := range s.vertices {
		s.ofVertex[v] = none
	}
	for _, c := range s.centres {
		s.ofCentre[c] = none
	}
	for _, v := range s.feet {
		s.ofFoot[v] = none
	}
	s.vertices, s.centres, s.feet, s.x, s.d, s.touch = s.vertices[:0], s.centres[:0], s.feet[:0], s.x[:0], s.d[:0], touch
}

func (s *samples) wishVertex(l *bcc.Lattice, v int32) {
	if s.ofVertex[v] == none {
		s.ofVertex[v] = int32(len(s.x))
		s.vertices, s.x = append(s.vertices, v), append(s.x, reproducible.Vector(l.Position[v]))
	}
}

func (s *samples) wishCentre(l *bcc.Lattice, c int32) {
	if s.ofCentre[c] == none {
		s.ofCentre[c] = int32(len(s.x))
		s.centres, s.x = append(s.centres, c), append(s.x, reproducible.Vector(l.Centres[c]))
	}
}

func (s *samples) wishFoot(v int32, f *foot) {
	if f.sides != 0 && s.ofFoot[v] == none {
		s.ofFoot[v] = int32(len(s.x))
		s.feet, s.x = append(s.feet, v), append(s.x, reproducible.Vector(f.x))
	}
}

// batch is for how many places a distance is asked at once.
const batch = 512

// evaluate finds the distances that were wished for.
func (s *samples) evaluate(f shapes.Distance) {
	from := len(s.d)
	s.d = append(s.d, make([]float32, 0)...)
	s.d = lengthenFloats(s.d, len(s.x))
	for lo := from; lo < len(s.x); lo += batch {
		hi := min(lo+batch, len(s.x))
		f(s.d[lo:hi], s.x[lo:hi])
	}
}

// lengthenFloats is a list with n entries, those behind its old ones anything.
func lengthenFloats(s []float32, n int) []float32 {
	if n <= cap(s) {
		return s[:n]
	}
	to := make([]float32, n, n+n/4+64)
	copy(to, s)
	return to
}

// farthest bounds distances, m: what is further away, or not known, is as far.
const farthest = 1e6

// inside is what a distance within touch counts as, as a part of that: less than 0, but hardly.
const inside = -1e-6

// sound is a distance as a number that one can go on with: what is not a number is far off, and what is within touch, m, of 0 is in the solid.
func sound(d float32, touch float64) float64 {
	switch v := float64(d); {
	case v < touch && v > -touch:
		return float64(inside * touch)
	case v < farthest && v > -farthest:
		return v
	case v <= -farthest:
		return -farthest
	}
	return farthest
}

// least is less than what a place on a solid's surface has: where no place has more all between is in the solid. Between some on the surface there may be a corner of the open.
func (s *samples) least() float64 { return float64(2 * inside * s.touch) }

func (s *samples) atVertex(v int32) float64 { return sound(s.d[s.ofVertex[v]], s.touch) }

func (s *samples) atCentre(c int32) float64 { return sound(s.d[s.ofCentre[c]], s.touch) }

// atFoot is that at a vertex's foot, or at the vertex if it has none.
func (s *samples) atFoot(v int32) float64 {
	if k := s.ofFoot[v]; k != none {
		return sound(s.d[k], s.touch)
	}
	return s.atVertex(v)
}
