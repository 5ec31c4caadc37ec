package trimesh

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Piece is a connected part of the surface: triangles that share vertices.
type Piece struct {
	// Volume is what it encloses, m³: negative for a cavity, whose triangles face inwards.
	Volume float64
	// Target is what it is to enclose, m³. With CavitiesFollow, a piece's includes the cavities in it, and that of a cavity is 0.
	Target float64
	// Within is the piece that directly encloses it, or Gone.
	Within int32
	// Body is the piece whose Target it counts for: itself, or with CavitiesFollow that which a cavity is in.
	Body int32
	// Middle is the mean of its vertices.
	Middle r3.Vec
	// Vertices is how many it has.
	Vertices int

	extreme int32 // its vertex with the greatest X, of several the first
}

// Lost is a body that has no vertex left.
type Lost struct {
	Piece  int32   // its number among the pieces before
	Target float64 // m³
	Middle r3.Vec
}

// Pieces are the connected parts of a surface with the volumes that they are to keep.
//
// Begin finds them. After changes of the topology Follow finds them anew, and by Mesh.Origin, in which every vertex has the number of its piece, it knows which of them come from which:
// where pieces have merged their targets add up; where one has split it is shared by the ratio of the volumes. Correct and CorrectExactly bring the volumes to their targets.
//
// Source: Brochu 2006, section 4.4.
type Pieces struct {
	// CavitiesFollow: cavities have no volume of their own to keep. A piece and the cavities in it keep what is between them. Set it before Begin.
	CavitiesFollow bool
	// Box, where it is not nil, is what volumes count in. Then Within is not looked for.
	Box *r3.Box
	// Of is the piece of each vertex, Gone for one without triangles.
	Of []int32
	// Piece has the pieces, by the lowest number of their vertices.
	Piece []Piece
	// Lost has the bodies that the last Follow found nothing of.
	Lost []Lost
	// Shift is by how much the last correction has moved each body's surface outwards, m.
	Shift []float64

	before   []Piece
	sets     geom.Sets // of vertices; of bodies before and now
	sums     []setSums // by root
	order    []int32
	near     []int32
	measures Measures
	volumes  volumes
	growth   []float64 // m² of free surface by body
	step     []float64 // m
}

// setSums are sums over the bodies that have come of each other.
type setSums struct {
	target, volume, size float64
	now                  int // bodies
}

// Begin finds the pieces and takes their volumes as their targets.
func (p *Pieces) Begin(m *Mesh) {
	p.Lost = p.Lost[:0]
	p.find(m)
	for i := range p.Piece {
		p.Piece[p.Piece[i].Body].Target += p.Piece[i].Volume
	}
	p.mark(m)
}

// Follow finds the pieces after changes of the topology, and carries the targets on. Vertices whose Origin is no piece are new: a piece of
// such vertices alone gets its volume as its target. What has no vertex left is in Lost, and no longer in any target: see Adopt.
func (p *Pieces) Follow(m *Mesh) {
	p.before, p.Piece = p.Piece, p.before
	p.find(m)
	was := len(p.before)
	p.sets.Reset(was + len(p.Piece))
	for v, of := range p.Of {
		if o := m.Origin[v]; of != Gone && o >= 0 && int(o) < was {
			p.sets.Join(p.before[o].Body, int32(was)+p.Piece[of].Body)
		}
	}
	p.share(was)
	p.mark(m)
}

// share gives the targets of the bodies before to those that have come of them.
func (p *Pieces) share(was int) {
	// A body's volume is that of all its pieces; it is kept in Target until the targets are known.
	for i := range p.Piece {
		p.Piece[p.Piece[i].Body].Target += p.Piece[i].Volume
	}
	p.sums = arrays.Resize(p.sums, len(p.sets))
	clear(p.sums)
	for i := range p.before {
		if p.before[i].Body == int32(i) {
			p.sums[p.sets.Find(int32(i))].target += p.before[i].Target
		}
	}
	for i := range p.Piece {
		if p.Piece[i].Body == int32(i) {
			s := &p.sums[p.sets.Find(int32(was+i))]
			s.volume += p.Piece[i].Target
			s.size += math.Abs(p.Piece[i].Target)
			s.now++
		}
	}
	p.Lost = p.Lost[:0]
	for i := range p.before {
		b := &p.before[i]
		if b.Body == int32(i) && p.sums[p.sets.Find(int32(i))].now == 0 {
			p.Lost = append(p.Lost, Lost{Piece: int32(i), Target: b.Target, Middle: b.Middle})
		}
	}
	for i := range p.Piece {
		at := p.sets.Find(int32(was + i))
		if s := &p.sums[at]; p.Piece[i].Body == int32(i) && int(at) < was && s.size > 0 {
			// If all volumes have one sign this is the ratio of the volumes. A cavity that is cut off takes its part of what is missing as well.
			p.Piece[i].Target += float64((s.target - s.volume) * (math.Abs(p.Piece[i].Target) / s.size))
		}
	}
}

// Adopt adds the targets of what is lost to the bodies whose vertices are nearest to where it was. It stays in Lost if there is no piece.
func (p *Pieces) Adopt(m *Mesh) {
	if len(p.Piece) == 0 {
		return
	}
	for _, l := range p.Lost {
		to, best := Gone, math.Inf(1)
		for v, of := range p.Of {
			if of == Gone {
				continue
			}
			if d := reproducible.Norm2(r3.Sub(m.Position[v], l.Middle)); d < best {
				to, best = of, d
			}
		}
		p.Piece[p.Piece[to].Body].Target += l.Target
	}
	p.Lost = p.Lost[:0]
}

// mark writes the pieces into the vertices' origins.
func (p *Pieces) mark(m *Mesh) { copy(m.Origin, p.Of) }

// find finds the pieces, their volumes and which lies in which.
func (p *Pieces) find(m *Mesh) {
	p.number(m)
	p.volumes.measure(p, m, m.Position)
	for i := range p.Piece {
		p.Piece[i].Volume = p.volumes.sum[i]
	}
	if p.Box == nil {
		p.nest(m)
	}
	for i := range p.Piece {
		c := &p.Piece[i]
		c.Body = int32(i)
		if p.CavitiesFollow && c.Volume < 0 && c.Within != Gone && p.Piece[c.Within].Volume > 0 {
			c.Body = c.Within
		}
	}
}

// number finds which vertices hang together.
func (p *Pieces) number(m *Mesh) {
	p.sets = m.Connected(p.sets)
	p.Of, p.Piece = arrays.Resize(p.Of, len(m.Position)), p.Piece[:0]
	for v := range p.Of {
		if len(m.VertexTriangles[v]) == 0 {
			p.Of[v] = Gone
			continue
		}
		// It has a number before the others come.
		if r := p.sets[v]; r == int32(v) {
			p.Of[v] = int32(len(p.Piece))
			p.Piece = append(p.Piece, Piece{Within: Gone, extreme: int32(v)})
		} else {
			p.Of[v] = p.Of[r]
		}
		c, x := &p.Piece[p.Of[v]], m.Position[v]
		c.Vertices++
		c.Middle = r3.Add(c.Middle, x)
		if x.X > m.Position[c.extreme].X {
			c.extreme = int32(v)
		}
	}
	for i := range p.Piece {
		p.Piece[i].Middle = reproducible.Scale(1/float64(p.Piece[i].Vertices), p.Piece[i].Middle)
	}
}

// Connected writes, per vertex, the lowest vertex of those that it is connected with through triangles. It returns dst, as long as there are vertices.
func (m *Mesh) Connected(dst []int32) []int32 {
	sets := geom.Sets(dst)
	sets.Reset(len(m.Position))
	for _, v := range m.Triangle {
		if v[0] != Gone {
			sets.Join(v[0], v[1])
			sets.Join(v[0], v[2])
		}
	}
	for i := range sets {
		sets[i] = sets.Find(int32(i))
	}
	return sets
}

// nest finds what directly encloses each piece: a ray from its vertex with the greatest X along X meets no more of itself. The first other piece that it meets encloses it, or lies in
// what encloses it too and reaches farther along X.
func (p *Pieces) nest(m *Mesh) {
	if len(p.Piece) == 1 {
		return
	}
	p.order = p.order[:0]
	for i := range p.Piece {
		p.order = append(p.order, int32(i))
	}
	slices.SortFunc(p.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(m.Position[p.Piece[j].extreme].X, m.Position[p.Piece[i].extreme].X), cmp.Compare(i, j))
	})
	for _, i := range p.order {
		first, leaves := p.firstMet(m, i)
		switch {
		case first == Gone:
		case leaves == (p.Piece[first].Volume >= 0):
			p.Piece[i].Within = first
		default:
			p.Piece[i].Within = p.Piece[first].Within
		}
	}
}

// firstMet is the other piece that a ray from a piece's extreme vertex meets first, or Gone, and whether the ray runs with its normal there.
func (p *Pieces) firstMet(m *Mesh, of int32) (piece int32, leaves bool) {
	x := m.Position[p.Piece[of].extreme]
	ray := geom.RayX(x)
	p.near = m.Boxes.Overlapping(p.near[:0], &ray)
	piece = Gone
	best := math.Inf(1)
	for _, t := range p.near {
		other := p.Of[m.Triangle[t][0]]
		if other == of {
			continue
		}
		a, b, c := m.Corners(t)
		if turn, at := geom.CrossX(&x, &a, &b, &c); turn != 0 && at >= x.X && (at < best || at == best && other < piece) {
			piece, best, leaves = other, at, turn > 0
		}
	}
	return piece, leaves
}

// volumes are those of each piece.
type volumes struct {
	sum    []float64
	origin []r3.Vec // of each piece's tetrahedra: a vertex of it, so that all digits count
}

// measure makes the volumes of all pieces, with the vertices where at says.
func (s *volumes) measure(p *Pieces, m *Mesh, at []r3.Vec) {
	n := len(p.Piece)
	s.sum, s.origin = arrays.Resize(s.sum, n), arrays.Resize(s.origin, n)
	clear(s.sum)
	for i := range p.Piece {
		s.origin[i] = at[p.Piece[i].extreme]
	}
	for _, v := range m.Triangle {
		switch {
		case v[0] == Gone:
		case p.Box != nil:
			s.sum[p.Of[v[0]]] += float64(6 * VolumeIn(p.Box, &[3]r3.Vec{at[v[0]], at[v[1]], at[v[2]]}))
		default:
			i := p.Of[v[0]]
			s.sum[i] += sixfold(s.origin[i], at[v[0]], at[v[1]], at[v[2]])
		}
	}
	for i := range s.sum {
		s.sum[i] /= 6
	}
}

// bodies adds the volumes of all pieces of a body to that of the body itself.
func (s *volumes) bodies(p *Pieces) {
	for i := range p.Piece {
		if b := p.Piece[i].Body; b != int32(i) {
			s.sum[b] += s.sum[i]
		}
	}
}
