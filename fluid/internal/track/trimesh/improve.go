package trimesh

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Improver keeps the triangles of a mesh good: it splits long edges, collapses short ones, flips edges and slides vertices along the surface. No operation makes
// an intersection or lets two parts of the surface change sides. The zero value has the defaults.
//
// Lengths are told in target lengths: those that edges should have where they are.
//
// Source: Brochu 2006, section 3.3; Brochu and Bridson 2009.
type Improver struct {
	// Shortest and Longest are the lengths at which an edge is collapsed and split, in target lengths; 0: 0.5 and 1.5. With three times between them the
	// halves of a split edge are not collapsed at once, and neither is what a collapse stretches split.
	Shortest, Longest float64
	// SmallestAngle, rad, is that below which a triangle is repaired; 0: 15°, half as much again as the 10° that are promised, so that a triangle is worked
	// on before it is bad. Larger ones move more vertices.
	SmallestAngle float64
	// LargestAngle, rad, is that beyond which the edge opposite is split if no flip helps; 0: 130°.
	LargestAngle float64
	// Turn, rad, is the most that an operation turns a part of the surface by, and the dihedral angle from which an edge is a feature that is not
	// flipped; 0: 40°. A smaller one keeps blunter features, and leaves more bad triangles at them.
	Turn float64
	// Deviation is how far an operation may put the surface beside where it was, in target lengths; 0: 0.25, the sagitta of a sphere of which an edge is
	// as long as its radius, which no mesh shows better.
	Deviation float64
	// Volume is the most that one operation may change the volume by, in cubes of the target length, a flip by a fifth of it; 0: 0.05, half of what a vertex of a
	// corner of a cube takes. Most collapses change none.
	Volume float64
	// Grading is the most that the target length changes by, per length; 0: 0.5: neighbours differ by less than half an edge.
	Grading float64
	// MostVertices is how many a mesh may have for an edge to be split still; 0: 1,048,576, some 300 MB. It bounds what target lengths that are much too short
	// can do; more splits than it allows are counted as refused.
	MostVertices int
	// Curved puts the vertex that splits an edge, and the one that it collapses to, on the curve that the normals at its ends suggest, instead of on the edge or where the
	// volume stays, and lets vertices slide along the bent surface of their neighbours, where that is safe. It keeps
	// round what is round, at some volume: the surface comes closer to the smooth one that it stands for.
	Curved bool
	// JoinHeavy lets the two ends of an edge become one where both are heavy, in the middle or at the place of either. Else heavy vertices stay.
	JoinHeavy bool

	// Length is the target length of each vertex, m, as it was last asked for.
	Length []float64

	limit   improveLimits
	edit    edit
	queue   []candidate
	queued  []bool // of edges in the queue of flips
	flips   []int32
	round   int32   // of repairs
	touched []int32 // in which round something around a vertex changed last
	live    []int32
	at      []r3.Vec
	asked   []float64
}

// ImproveReport says what Improve did.
type ImproveReport struct {
	Splits, Collapses, Flips, Slides int
	// Refused is how many operations were wanted, but not safe or beyond the limits.
	Refused int
	// Poor is how many triangles have an angle below 10° after all, and Needles how many below 2°.
	Poor, Needles int
	// Volume is by how much the volume inside has changed, m³.
	Volume float64
}

// add adds another call, after which the poor triangles are those that it has left.
func (r *ImproveReport) add(o *ImproveReport) {
	r.Splits, r.Collapses, r.Flips, r.Slides, r.Refused = r.Splits+o.Splits, r.Collapses+o.Collapses, r.Flips+o.Flips, r.Slides+o.Slides, r.Refused+o.Refused
	r.Poor, r.Needles, r.Volume = o.Poor, o.Needles, r.Volume+o.Volume
}

// improveLimits are those of an Improver as they are tested.
type improveLimits struct {
	shortest, longest, deviation, volume, grading float64
	vertices                                      int
	sine2                                         float64 // of the smallest angle, squared
	obtuse                                        float64 // cosine of the largest angle
	turn                                          float64 // cosine
}

// candidate is an edge that may be changed, and how urgently: the lowest key first.
type candidate struct {
	key  float64
	edge int32
	ends [2]int32
}

// Squared sines of the angles that ImproveReport counts: 10° and 2°.
const (
	poor2   = 0.030153689607045807
	tight2  = 0.007596123493895969 // 5°: what the collapse of a very short edge may leave
	needle2 = 0.0012179748700878970
)

const degree = math.Pi / 180

// Most rounds of splits, and of all else, in one pass: 8 rounds of splits make an edge 256 times too long good.
const (
	splitRounds  = 8
	repairRounds = 4
)

// Improve makes the mesh better, with vertices at rest: targets of vertices that are touched become their positions. The boxes of the mesh must hold its triangles
// where they are. Joints and cuts leave bad triangles: call it after them.
//
// length writes the target lengths, m, > 0, at some places. It is asked once, for all vertices. Edges at a vertex where it is not a finite number > 0 are left alone.
func (im *Improver) Improve(m *Mesh, length func(dst []float64, at []r3.Vec)) (r ImproveReport) {
	im.touched = arrays.Resize(im.touched, len(m.Position))
	clear(im.touched)
	return im.improve(m, length)
}

// ImproveChanged is Improve where triangles have come or gone since the last call of either or of Mesh.ForgetChanges. What it changes it looks around of.
func (im *Improver) ImproveChanged(m *Mesh, length func(dst []float64, at []r3.Vec)) (r ImproveReport) {
	im.touched = arrays.Resize(im.touched, len(m.Position))
	for v, changed := range m.changed {
		if im.touched[v] = 0; !changed {
			im.touched[v] = untouched
		}
	}
	return im.improve(m, length)
}

// ImproveWhere is ImproveChanged of vertices at some places alone: all others stay where they are, and so do edges between two of these. The mesh must have no Heavy vertices.
func (im *Improver) ImproveWhere(m *Mesh, length func(dst []float64, at []r3.Vec), where func(x *r3.Vec) bool) (r ImproveReport) {
	im.touched = arrays.Resize(im.touched, len(m.Position))
	for v := range m.Position {
		im.touched[v] = 0
		if m.Heavy[v] = !m.changed[v] || !where(&m.Position[v]); m.Heavy[v] {
			im.touched[v] = held
		}
	}
	r = im.improve(m, length)
	clear(m.Heavy)
	return r
}

// untouched is the round of vertices that are not looked at until something around them changes, and held that of those that are not looked at at all.
const untouched, held = -2 * repairRounds, -3 * repairRounds

// improve is Improve where vertices have been touched.
func (im *Improver) improve(m *Mesh, length func(dst []float64, at []r3.Vec)) (r ImproveReport) {
	im.setLimits()
	im.askLengths(m, length)
	im.grade(m)
	im.round = 1
	im.splitLong(m, &r)
	for ; im.round <= repairRounds; im.round++ {
		was := r
		im.collapseShort(m, &r)
		im.flipAll(m, &r)
		im.slideAll(m, &r)
		if r.Collapses == was.Collapses && r.Flips == was.Flips && r.Slides == was.Slides {
			break
		}
	}
	im.count(m, &r)
	m.ForgetChanges()
	return r
}

func (im *Improver) setLimits() {
	or := func(x, y float64) float64 {
		if x > 0 {
			return x
		}
		return y
	}
	l := &im.limit
	l.shortest, l.longest = or(im.Shortest, 0.5), or(im.Longest, 1.5)
	l.deviation, l.volume, l.grading = or(im.Deviation, 0.25), or(im.Volume, 0.05), or(im.Grading, 0.5)
	if l.vertices = im.MostVertices; l.vertices <= 0 {
		l.vertices = 1 << 20
	}
	sin, _ := reproducible.Sincos(or(im.SmallestAngle, 15*degree))
	l.sine2 = float64(sin * sin)
	_, l.obtuse = reproducible.Sincos(or(im.LargestAngle, 130*degree))
	_, l.turn = reproducible.Sincos(or(im.Turn, 40*degree))
}

// askLengths asks for the target lengths of all vertices.
func (im *Improver) askLengths(m *Mesh, length func(dst []float64, at []r3.Vec)) {
	im.Length = arrays.Resize(im.Length, len(m.Position))
	im.live, im.at = im.live[:0], im.at[:0]
	for v := range m.Position {
		if len(m.VertexTriangles[v]) > 0 {
			im.live, im.at = append(im.live, int32(v)), append(im.at, m.Position[v])
		}
	}
	im.asked = arrays.Resize(im.asked, len(im.at))
	length(im.asked, im.at)
	clear(im.Length)
	for i, v := range im.live {
		if l := im.asked[i]; l > 0 && l <= math.MaxFloat64 {
			im.Length[v] = l
		} else {
			im.Length[v] = math.NaN() // compares as neither too short nor too long
		}
	}
}

// grade lowers target lengths that are much larger than those of neighbours. Two sweeps spread a step of them over two rings of vertices
// and one that moves over more in the passes that follow.
func (im *Improver) grade(m *Mesh) {
	for range 2 {
		for e := range m.Edge {
			if m.Edge[e][0] == Gone {
				continue
			}
			a, b := m.Edge[e][0], m.Edge[e][1]
			if la, lb := im.Length[a], im.Length[b]; la == lb || math.IsNaN(la+lb) {
				continue
			}
			most := float64(im.limit.grading * reproducible.Norm(r3.Sub(m.Position[a], m.Position[b])))
			im.Length[a] = min(im.Length[a], im.Length[b]+most)
			im.Length[b] = min(im.Length[b], im.Length[a]+most)
		}
	}
}

// target is the target length of an edge, m.
func (im *Improver) target(m *Mesh, e int32) float64 {
	return (im.Length[m.Edge[e][0]] + im.Length[m.Edge[e][1]]) / 2
}

// ratio is the length of an edge in target lengths.
func (im *Improver) ratio(m *Mesh, e int32) float64 {
	return reproducible.Norm(r3.Sub(m.Position[m.Edge[e][1]], m.Position[m.Edge[e][0]])) / im.target(m, e)
}

// touch marks the vertices of the edit that was made.
func (im *Improver) touch() {
	for _, v := range im.edit.rim {
		if im.touched[v] != held {
			im.touched[v] = im.round
		}
	}
}

// fresh tells whether something at an end of an edge has changed in this round or the one before: if not, what was refused then would be refused now.
func (im *Improver) fresh(m *Mesh, e int32) bool {
	return max(im.touched[m.Edge[e][0]], im.touched[m.Edge[e][1]])+1 >= im.round
}

// freshTriangle tells whether something at a corner of a triangle has: if not, none of its edges is fresh.
func (im *Improver) freshTriangle(m *Mesh, t int) bool {
	v := &m.Triangle[t]
	return max(im.touched[v[0]], im.touched[v[1]], im.touched[v[2]])+1 >= im.round
}

// order sorts the queue.
func (im *Improver) order() {
	slices.SortFunc(im.queue, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.edge, b.edge)) })
}

// count looks for triangles that are bad.
func (im *Improver) count(m *Mesh, r *ImproveReport) {
	for t := range m.Triangle {
		if m.Triangle[t][0] == Gone {
			continue
		}
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(int32(t))
		s := sine2(&p)
		if s < poor2 {
			r.Poor++
		}
		if s < needle2 {
			r.Needles++
		}
	}
}

// sides are the squared lengths of the sides of a triangle.
func (m *Mesh) sides(t int32) [3]float64 {
	a, b, c := m.Corners(t)
	return [3]float64{reproducible.Norm2(r3.Sub(b, a)), reproducible.Norm2(r3.Sub(c, b)), reproducible.Norm2(r3.Sub(a, c))}
}

// worst is the squared sine of the smallest angle of some triangles.
func worst(p [][3]r3.Vec) float64 {
	s := 1.0
	for i := range p {
		s = min(s, sine2(&p[i]))
	}
	return s
}
