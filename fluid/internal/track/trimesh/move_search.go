package trimesh

import (
	"math/bits"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
)

// search finds the pairs that are close to each other, or collide, among triangles that sweep finds. Each vertex and each edge belongs to the lowest
// of its triangles: a pair is looked at where the triangles to which its two parts belong are. So it is looked at once.
type search struct {
	owned     []uint8 // triangle → the vertices (bits 0 to 2) and edges (bits 3 to 5) that belong to it
	vertex    []bool  // scratch of begin
	edge      []bool
	all       bool    // all pairs are looked at, and not only those that have changed
	still     bool    // also those of which nothing moves
	asked     []bool  // triangles that are searched, if not all are
	triangles []int32 // which they are
	chunks    []found
	near      [][]int32    // worker → scratch
	pairs     [][][2]int32 // worker → scratch
	tooMany   bool         // one of them has ended early
	close     []pair
	tested    []encounter // scratch of findHits
	meets     []bool
}

// found is what a chunk of triangles has found.
type found struct {
	proximities []encounter
	close       []pair
	hits        []encounter
	tooMany     bool // the search has ended early
}

// searchGrain is how many triangles are a chunk. Where there are more than mostOverlaps other triangles' boxes for each, or mostClose pairs that may collide, in the mean of
// a chunk, the motion is one of everything through everything: that would take a time and memory that grow with the square of the mesh. It is cut short instead.
const (
	searchGrain  = 128
	mostOverlaps = 1000
	mostClose    = 100
)

// begin finds what belongs to which triangle.
func (s *search) begin(m *Mesh) {
	s.owned, s.asked = arrays.Resize(s.owned, len(m.Triangle)), arrays.Resize(s.asked, len(m.Triangle))
	clear(s.asked)
	s.vertex, s.edge = arrays.Resize(s.vertex, len(m.Position)), arrays.Resize(s.edge, len(m.Edge))
	clear(s.vertex)
	clear(s.edge)
	for t, v := range m.Triangle {
		owned := uint8(0)
		if v[0] != Gone {
			for i, w := range v {
				if !s.vertex[w] {
					s.vertex[w] = true
					owned |= 1 << i
				}
				if e := m.Sides[t][i]; !s.edge[e] {
					s.edge[e] = true
					owned |= 8 << i
				}
			}
		}
		s.owned[t] = owned
	}
}

// findClose finds all pairs that are closer than Near at the beginning, and all that may collide: those that no plane is between. Pairs of which nothing moves are left
// out, unless still is set.
func (r *Mover) findClose(still bool) {
	s := &r.search
	s.all, s.still = true, still
	if !still && r.gatherMoving() {
		r.searchGathered()
	} else {
		r.searchAll()
	}
	r.repelled, s.close = r.repelled[:0], s.close[:0]
	for i := range s.chunks {
		r.repelled = append(r.repelled, s.chunks[i].proximities...)
		s.close = append(s.close, s.chunks[i].close...)
	}
}

// findHits finds what collides among the pairs of which a vertex's target has changed since the last search, and if first is set also among those that findClose
// has found. Of the last hits those stay of which no target has changed: nothing could be done about them.
func (r *Mover) findHits(first bool) {
	s := &r.search
	if first {
		r.hits = r.hits[:0]
		r.testClose()
	} else {
		r.hits = slices.DeleteFunc(r.hits, func(h encounter) bool { return r.anyChanged(&h.pair) })
	}
	s.all, s.triangles = false, s.triangles[:0]
	for _, v := range r.changes {
		for _, t := range r.mesh.VertexTriangles[v] {
			if !s.asked[t] {
				s.asked[t] = true
				s.triangles = append(s.triangles, t)
				r.sweep.update(t, &r.mesh.Triangle[t], r.motion)
			}
		}
	}
	r.searchAsked()
	for i := range s.chunks {
		r.hits = append(r.hits, s.chunks[i].hits...)
	}
	for _, t := range s.triangles {
		s.asked[t] = false
	}
	for _, v := range r.changes {
		r.changed[v] = false
	}
	r.changes = r.changes[:0]
}

// testClose finds what collides among the close pairs of which no target has changed.
func (r *Mover) testClose() {
	s := &r.search
	s.tested, s.meets = arrays.Resize(s.tested, len(s.close)), arrays.Resize(s.meets, len(s.close))
	r.share(len(s.close), searchGrain, (*Mover).testChunk)
	for i, meet := range s.meets {
		if meet {
			r.hits = append(r.hits, s.tested[i])
		}
	}
}

func (r *Mover) testChunk(_, lo, hi int) {
	s := &r.search
	for i := lo; i < hi; i++ {
		s.tested[i].pair = s.close[i]
		s.meets[i] = !r.anyChanged(&s.close[i]) && r.collide(&s.tested[i])
	}
}

// collide tells whether a pair collides, and where.
func (r *Mover) collide(h *encounter) (meet bool) {
	a, b, c, d := &r.motion[h.pair.v[0]], &r.motion[h.pair.v[1]], &r.motion[h.pair.v[2]], &r.motion[h.pair.v[3]]
	if h.pair.edges {
		h.Contact, meet = predicates.EdgeEdge(a, b, c, d)
	} else {
		h.Contact, meet = predicates.VertexTriangle(a, b, c, d)
	}
	return meet
}

// searchAll finds pairs among all triangles, and searchAsked among those that are asked for and all.
func (r *Mover) searchAll() {
	r.prepareSearch(tops)
	r.share(min(tops, r.sweep.leaves()), 1, (*Mover).searchTop)
	r.search.gather()
}

func (r *Mover) searchAsked() {
	n := len(r.search.triangles)
	r.prepareSearch(par.Chunks(n, searchGrain))
	r.share(n, searchGrain, (*Mover).searchChunk)
	r.search.gather()
}

// mostMoving is what part of the vertices may move, one of so many, for their triangles alone to be searched.
const mostMoving = 4

// gatherMoving asks for the triangles of the vertices that move. It returns false if these are too many.
func (r *Mover) gatherMoving() bool {
	s := &r.search
	s.triangles = s.triangles[:0]
	moving := 0
	for v := range r.motion {
		if p := &r.motion[v]; p[0] != p[1] {
			if moving++; moving*mostMoving > len(r.motion) {
				return false
			}
			s.triangles = append(s.triangles, r.mesh.VertexTriangles[v]...)
		}
	}
	slices.Sort(s.triangles)
	s.triangles = slices.Compact(s.triangles)
	return true
}

// searchGathered finds pairs among the triangles that are listed and all.
func (r *Mover) searchGathered() {
	s := &r.search
	for _, t := range s.triangles {
		s.asked[t] = true
	}
	r.searchAsked()
	for _, t := range s.triangles {
		s.asked[t] = false
	}
}

// prepareSearch makes room for chunks, and as much for each worker as any has needed: it is left to chance who needs it.
func (r *Mover) prepareSearch(chunks int) {
	s := &r.search
	workers := 1
	if r.Pool != nil {
		workers = r.Pool.Workers()
	}
	s.near, s.pairs = arrays.Lengthen(s.near, workers), arrays.Lengthen(s.pairs, workers)
	near, pairs := 256, 256
	for w := range s.near {
		near, pairs = max(near, cap(s.near[w])), max(pairs, cap(s.pairs[w]))
	}
	for w := range s.near { // by make: append would add to spare, and the next call to the other's
		if cap(s.near[w]) < near {
			s.near[w] = make([]int32, 0, near)
		}
		if cap(s.pairs[w]) < pairs {
			s.pairs[w] = make([][2]int32, 0, pairs)
		}
	}
	if chunks > cap(s.chunks) {
		s.chunks = append(s.chunks[:cap(s.chunks)], make([]found, chunks-cap(s.chunks))...)
	}
	s.chunks = s.chunks[:chunks]
	for i := range s.chunks {
		s.chunks[i].clear()
	}
}

// gather notes whether a chunk has ended early.
func (s *search) gather() {
	for i := range s.chunks {
		s.tooMany = s.tooMany || s.chunks[i].tooMany
	}
}

func (f *found) clear() {
	f.proximities, f.close, f.hits, f.tooMany = f.proximities[:0], f.close[:0], f.hits[:0], false
}

// share runs a loop on the pool, if there is one.
func (r *Mover) share(n, grain int, body func(r *Mover, worker, lo, hi int)) {
	if r.Pool != nil {
		par.For(r.Pool, n, grain, r, body)
		return
	}
	for lo := 0; lo < n; lo += grain {
		body(r, 0, lo, min(n, lo+grain))
	}
}

// searchTop looks at the pairs that begin at the tops of the tree.
func (r *Mover) searchTop(worker, lo, hi int) {
	s := &r.search
	limit := 16 + 2*len(r.sweep.order)/tops // triangles, with some to spare, since the first tops have most pairs
	for top := lo; top < hi; top++ {
		f := &s.chunks[top]
		pairs := r.sweep.nearPairs(s.pairs[worker][:0], top, mostOverlaps*limit)
		s.pairs[worker] = pairs
		f.tooMany = len(pairs) > mostOverlaps*limit
		for _, p := range pairs {
			if f.tooMany = f.tooMany || len(f.close) > mostClose*limit; f.tooMany {
				break
			}
			r.compare(f, p[0], p[1])
		}
	}
}

// searchChunk looks at the pairs of a chunk of the triangles that are asked for.
func (r *Mover) searchChunk(worker, lo, hi int) {
	s := &r.search
	f := &s.chunks[lo/searchGrain]
	near := s.near[worker]
	overlaps := 0
	for _, t := range s.triangles[lo:hi] {
		near = r.sweep.nearTriangle(near[:0], t)
		overlaps += len(near)
		if overlaps > mostOverlaps*searchGrain || len(f.hits) > mostClose*searchGrain {
			f.tooMany = true
			break
		}
		for _, other := range near {
			// A pair of triangles that are both searched is looked at from the lower one.
			if other > t || other < t && !s.asked[other] {
				r.compare(f, t, other)
			}
		}
	}
	s.near[worker] = near
}

// compare looks at the pairs of two triangles.
func (r *Mover) compare(f *found, t, u int32) {
	tv, uv := &r.mesh.Triangle[t], &r.mesh.Triangle[u]
	ownT, ownU := r.search.owned[t], r.search.owned[u]
	if ownT|ownU == 0 {
		return
	}
	// same[i] has a bit for each vertex of u that vertex i of t is.
	var same [3]uint8
	for i, v := range tv {
		switch v {
		case uv[0]:
			same[i] = 1
		case uv[1]:
			same[i] = 2
		case uv[2]:
			same[i] = 4
		}
	}
	shared := same[0] | same[1] | same[2]
	if shared == 0 && r.trianglesApart(tv, uv) {
		return
	}
	for own := ownT & 7; own != 0; own &= own - 1 {
		if i := bits.TrailingZeros8(own); same[i] == 0 {
			r.lookAtVertex(f, tv[i], uv)
		}
	}
	for own := ownU & 7 &^ shared; own != 0; own &= own - 1 {
		r.lookAtVertex(f, uv[bits.TrailingZeros8(own)], tv)
	}
	for own := ownT >> 3; own != 0; own &= own - 1 {
		i := bits.TrailingZeros8(own)
		k := next[i]
		ends := same[i] | same[k]
		for other := ownU >> 3; other != 0; other &= other - 1 {
			j := bits.TrailingZeros8(other)
			l := next[j]
			if ends&(1<<j|1<<l) == 0 {
				r.lookAtEdges(f, tv[i], tv[k], uv[j], uv[l])
			}
		}
	}
}

var next = [3]int{1, 2, 0}
