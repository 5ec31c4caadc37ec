package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// tie is the part by which squared distances may differ and still count as one: both places are on an edge of what is nearest to which side, and
// rounding decides which one it is. It is well above what rounding does where the distance is a thousandth of the triangles or more.
const tie = 1e-9

// Probe finds signed distances to a mesh, m: negative inside. A mesh may be asked through several at once, one for each worker. Its boxes have to be around the positions.
//
// The sign is that of the normal of what is nearest. Where the way there is at right angles to it, where parts of the surface that are equally near contradict each other, and
// for places that are far from the surface, a ray decides.
type Probe struct {
	// Among says which triangles count: all, those of a Label alone, or all but those.
	Among Among
	Label int32

	mesh  *Mesh
	found []int32 // triangles that a query has found
	faces []face
	group [groupLevels][]group
	nodes []nodeState
}

// Among is which triangles of a mesh a Probe looks at.
type Among uint8

// The triangles that count.
const (
	All     Among = iota
	Only          // those of a label
	Without       // those of all other labels
)

// nodeState is what is known of a node of a lattice.
type nodeState struct {
	best     float64 // distance, m, to what is nearest yet
	away     r3.Vec
	free     float64 // all triangles are farther off than this
	triangle int32
	face     int32 // its place among the faces at hand
	what     int8
	doubtful bool // something else is as near and says otherwise
}

// Distance writes the distances of some places into dst: right to rounding where they are less than limit, and limit with the right sign elsewhere.
//
// dst: as long as at. limit: m, > 0. Places that follow each other closely are found faster.
func (q *Probe) Distance(dst []float32, m *Mesh, at []r3.Vec, limit float64) {
	q.mesh = m
	reach := math.Inf(1) // the last distance, or a lower bound of it
	side := 0            // the side of the last place, if it is known
	exact := false
	for i := range at {
		step := math.Inf(1)
		if i > 0 {
			step = reproducible.Norm(r3.Sub(at[i], at[i-1]))
		}
		search := limit
		if exact {
			search = min(limit, (reach+step)*(1+tie))
		}
		s := q.nearest(&at[i], search)
		exact = s.best < limit
		if !exact {
			// No surface is between two places that are nearer to each other than the first is to it.
			if i == 0 || !(step < reach*(1-tie)) {
				side = q.ray(at[i])
			}
			dst[i], reach = float32(float64(side)*limit), limit
			continue
		}
		side = q.sign(&s, &at[i])
		dst[i], reach = float32(float64(side)*s.best), s.best
	}
	q.mesh = nil
}

// nearest looks at all triangles within a distance of a place.
func (q *Probe) nearest(x *r3.Vec, within float64) nodeState {
	s := nodeState{best: math.Inf(1), triangle: Gone}
	box := boxes.Grown(r3.Box{Min: *x, Max: *x}, within)
	q.find(&box)
	var f face
	for _, t := range q.found {
		a, b, c := q.mesh.Corners(t)
		f.set(t, a, b, c)
		q.improve(&s, x, &f, 0)
	}
	return s
}

// find looks up the triangles that count whose boxes overlap one.
func (q *Probe) find(box *r3.Box) {
	q.found = q.mesh.Boxes.Overlapping(q.found[:0], box)
	if q.Among == All {
		return
	}
	n := 0
	for _, t := range q.found {
		if (q.mesh.Label[t] == q.Label) == (q.Among == Only) {
			q.found[n] = t
			n++
		}
	}
	q.found = q.found[:n]
}

// improve takes a triangle into account.
func (q *Probe) improve(s *nodeState, x *r3.Vec, f *face, place int32) {
	what, away := f.Nearest(x)
	d2 := float64(away.X*away.X) + float64(away.Y*away.Y) + float64(away.Z*away.Z)
	switch best2 := float64(s.best * s.best); {
	case d2 < best2*(1-tie):
		*s = nodeState{best: math.Sqrt(d2), away: away, triangle: f.t, face: place, what: int8(what)}
	case d2 <= best2*(1+tie) && s.triangle != Gone:
		if q.mesh.feature(f.t, what) == q.mesh.feature(s.triangle, int(s.what)) {
			return
		}
		if !s.doubtful {
			a, b := q.mesh.side(f.t, what, away), q.mesh.side(s.triangle, int(s.what), s.away)
			s.doubtful = a != b || a == 0
		}
		if d2 < best2 {
			s.best, s.away, s.triangle, s.face, s.what = math.Sqrt(d2), away, f.t, place, int8(what)
		}
	}
}

// sign is +1 outside and -1 inside.
func (q *Probe) sign(s *nodeState, x *r3.Vec) int {
	if s.best == 0 {
		return 1
	}
	if !s.doubtful {
		if side := q.mesh.side(s.triangle, int(s.what), s.away); side != 0 {
			return side
		}
	}
	return q.ray(*x)
}

// ray is +1 outside and -1 inside.
func (q *Probe) ray(x r3.Vec) (side int) {
	ray := geom.RayX(x)
	if q.find(&ray); q.mesh.winding(x, q.found) > 0 {
		return -1
	}
	return 1
}

// NodeBox is the nodes of a lattice in a box: Count of them along each axis, from Min on. Node (i, j, k) has the number i + Count[0]·(j + Count[1]·k).
type NodeBox struct {
	Min     r3.Vec
	Spacing float64 // m
	Count   [3]int
}

// at is the place of a node.
func (b *NodeBox) at(i, j, k int) r3.Vec {
	return r3.Vec{X: b.Min.X + float64(float64(i)*b.Spacing), Y: b.Min.Y + float64(float64(j)*b.Spacing), Z: b.Min.Z + float64(float64(k)*b.Spacing)}
}

// box encloses all nodes.
func (b *NodeBox) box() r3.Box {
	return r3.Box{Min: b.Min, Max: b.at(b.Count[0]-1, b.Count[1]-1, b.Count[2]-1)}
}

// Nodes writes the distances of the nodes of a box, as Distance does, and tells whether there is surface within limit of the box: if not, dst has limit or
// -limit throughout. The triangles near the box are looked up once, so that it should not be large beside limit where the mesh has many.
//
// dst: as long as there are nodes.
func (q *Probe) Nodes(dst []float32, m *Mesh, b *NodeBox, limit float64) (near bool) {
	n := b.Count[0] * b.Count[1] * b.Count[2]
	if n == 0 {
		return false
	}
	dst = dst[:n]
	q.mesh = m
	box := boxes.Grown(b.box(), limit)
	if q.find(&box); len(q.found) == 0 {
		d := float32(float64(q.ray(b.Min)) * limit)
		for i := range dst {
			dst[i] = d
		}
		q.mesh = nil
		return false
	}
	q.gather()
	q.nodes = arrays.Resize(q.nodes, n)
	q.search(b, limit)
	q.signs(dst, b, limit)
	q.mesh = nil
	return true
}

// signs writes the distances of all nodes. A node without surface in reach has the sign of one beside it if there is none between them.
func (q *Probe) signs(dst []float32, b *NodeBox, limit float64) {
	nx, ny := b.Count[0], b.Count[1]
	safe := b.Spacing * (1 + tie)
	for k := range b.Count[2] {
		for j := range ny {
			for i := range nx {
				at := i + nx*(j+ny*k)
				s := &q.nodes[at]
				x := b.at(i, j, k)
				if s.triangle != Gone {
					dst[at] = float32(float64(q.sign(s, &x)) * s.best)
					continue
				}
				side := 0.
				switch {
				case i > 0 && q.nodes[at-1].best > safe:
					side = float64(dst[at-1])
				case j > 0 && q.nodes[at-nx].best > safe:
					side = float64(dst[at-nx])
				case k > 0 && q.nodes[at-nx*ny].best > safe:
					side = float64(dst[at-nx*ny])
				default:
					side = float64(q.ray(x))
				}
				dst[at] = float32(math.Copysign(limit, side))
			}
		}
	}
}
