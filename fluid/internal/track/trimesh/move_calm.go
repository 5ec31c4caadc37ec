package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// calm saves most of the search where most of a mesh hardly moves: it knows all pairs that may come near each other as long as no vertex of them is farther than skin from where it
// was. Others are searched. It changes no result: it can only tell that nothing is near and nothing collides.
type calm struct {
	mesh    *Mesh
	version uint64  // of the mesh in the last motion
	known   bool    // what follows is that of this version
	skin    float64 // m
	from    []r3.Vec
	pairs   []pair
	vain    int  // motions of other meshes that are not to be learned
	never   bool // all motions are searched: for tests
}

// vainRest is for how many motions triangles that change are searched as they come, after what was learned of some was of no use.
const vainRest = 8

// calmSkin is the skin in mean edges: pairs of good triangles that share no vertex are farther apart than twice that, so that next to none are known.
const calmSkin = .1

// mostFast is what part of the vertices may be beyond the skin, one of so many: more are searched as fast all together.
const mostFast = 8

// undisturbed tells whether it is known that nothing is near and nothing collides.
func (r *Mover) undisturbed() bool {
	c, m := &r.calm, r.mesh
	if c.never {
		return false
	}
	if c.mesh != m || c.version != m.version || c.known && len(c.from) != len(m.Position) {
		c.mesh, c.version, c.known = m, m.version, false
		if c.vain > 0 {
			c.vain--
			return false
		}
	}
	r.reach()
	r.measure()
	learned := !c.known
	if learned || !r.gatherFast() {
		c.known = false
		if r.gatherMoving() { // that is searched as fast
			return false
		}
		if c.skin = float64(calmSkin * m.meanEdge()); !r.slow() || !r.learn() || !r.gatherFast() {
			return false
		}
	}
	for i := range c.pairs {
		if r.disturbs(&c.pairs[i]) {
			if learned {
				c.vain = vainRest
			}
			return false
		}
	}
	return len(r.search.triangles) == 0 || r.fastUndisturbed()
}

// reach is the greatest of the sums of sizes of coordinates, m: see sweep.sort.
func (r *Mover) reach() {
	s := &r.sweep
	s.reach = 0
	for v := range r.motion {
		if len(r.mesh.VertexTriangles[v]) > 0 {
			x, y := &r.motion[v][0], &r.motion[v][1]
			s.reach = higher(s.reach, higher(math.Abs(x.X)+math.Abs(x.Y)+math.Abs(x.Z), math.Abs(y.X)+math.Abs(y.Y)+math.Abs(y.Z)))
		}
	}
}

// gatherFast asks for the triangles of vertices that are beyond the skin, at the beginning or at the end. It returns false if there are too many.
func (r *Mover) gatherFast() bool {
	c, s := &r.calm, &r.search
	s.triangles = s.triangles[:0]
	most, fast := float64(c.skin*c.skin), 0
	for v, x := range c.from {
		p := &r.motion[v]
		if max(reproducible.Norm2(r3.Sub(p[0], x)), reproducible.Norm2(r3.Sub(p[1], x))) <= most {
			continue
		}
		if fast++; fast*mostFast > len(c.from) {
			return false
		}
		s.triangles = append(s.triangles, r.mesh.VertexTriangles[v]...)
	}
	slices.Sort(s.triangles)
	s.triangles = slices.Compact(s.triangles)
	return true
}

// slow tells whether most of the motion is so slow that a skin lasts for a second one like it.
func (r *Mover) slow() bool {
	most, fast := float64(r.calm.skin*r.calm.skin)/4, 0
	for v := range r.motion {
		if p := &r.motion[v]; !(reproducible.Norm2(r3.Sub(p[1], p[0])) <= most) {
			fast++
		}
	}
	return fast*mostFast <= len(r.motion)
}

// fastUndisturbed tells whether nothing is near and nothing collides of the triangles that are asked for.
func (r *Mover) fastUndisturbed() bool {
	s := &r.search
	r.sweep.sort(r.mesh, r.motion)
	r.build()
	s.all, s.still, s.tooMany = true, false, false
	r.searchGathered()
	for i := range s.chunks {
		f := &s.chunks[i]
		if f.tooMany || len(f.proximities) > 0 {
			return false
		}
		for _, p := range f.close {
			if r.collide(&encounter{pair: p}) {
				return false
			}
		}
	}
	return true
}

// learn finds the pairs that may come near each other within the skin: those that are nearer than Near and twice the skin, and a little. It returns false if there are too many.
func (r *Mover) learn() bool {
	c, m, near := &r.calm, r.mesh, r.Near
	c.from = arrays.Resize(c.from, len(m.Position))
	for v, x := range m.Position {
		c.from[v], r.motion[v] = x, predicates.Motion{x, x}
	}
	r.Near += float64(2.01 * c.skin)
	r.search.tooMany = false
	r.sweep.sort(m, r.motion)
	r.build()
	r.measure()
	r.findClose(true)
	r.Near = near
	for v, x := range m.Position {
		r.motion[v] = predicates.Motion{x, m.Target[v]}
	}
	r.reach()
	r.measure()
	c.pairs = c.pairs[:0]
	for i := range r.repelled {
		c.pairs = append(c.pairs, r.repelled[i].pair)
	}
	c.known = !r.search.tooMany
	return c.known
}

// disturbs tells whether a pair is near at the beginning, or collides.
func (r *Mover) disturbs(p *pair) bool {
	a, b, c, d := &r.motion[p.v[0]], &r.motion[p.v[1]], &r.motion[p.v[2]], &r.motion[p.v[3]]
	h := encounter{pair: *p}
	if p.edges {
		h.Contact = predicates.NearEdgeEdge(a[0], b[0], c[0], d[0])
		return h.Distance < r.Near && r.moves(p) || !edgeBeyond(&h.Normal, a, b, c, d, r.slack, r.slack) && r.collide(&h)
	}
	h.Contact = predicates.NearVertexTriangle(a[0], b[0], c[0], d[0])
	return h.Distance < r.Near && r.moves(p) || !vertexBeyond(&h.Normal, a, b, c, d, r.slack, r.slack) && r.collide(&h)
}

// meanEdge is the mean length of all edges, m.
func (m *Mesh) meanEdge() float64 {
	sum := 0.
	for _, ends := range m.Edge {
		if ends[0] != Gone {
			sum += reproducible.Norm(r3.Sub(m.Position[ends[0]], m.Position[ends[1]]))
		}
	}
	return sum / float64(max(1, m.Edges()))
}
