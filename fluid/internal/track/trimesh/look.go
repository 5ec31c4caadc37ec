package trimesh

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// look finds the triangles of a whole mesh that meet, much faster than one by one: triangles are sorted into cells of a grid, and those of a cell are compared only where they
// may meet at all. Where they are one part of the surface, joined by vertices, and all normals lie within 90° of their mean, it is the graph of a function over a plane and doesn't
// meet itself.
type look struct {
	m  *Mesh
	at []r3.Vec // vertices

	normal  []r3.Vec // per triangle: as long as twice its area
	box     []r3.Box // likewise
	moves   []bool   // likewise: it may meet others. Two that don't move don't meet.
	around  r3.Box   // all that move
	origin  r3.Vec
	size    float64  // of a cell, m
	count   [3]int32 // of cells along each axis
	first   []int32  // per cell: where its triangles begin in the list
	list    []int32
	workers []looker
	chunks  [][][2]int32 // per lookGrain cells: pairs that meet
}

// looker is scratch of a worker.
type looker struct {
	cell   []int32   // per vertex: the cell that it was seen in last, + 1,
	seenBy []int32   // and the place there of a triangle that has it
	parts  geom.Sets // of the places of a cell's triangles: those that share vertices
	calm   []calmness
}

// calmness is what is known of a vertex: whether its triangles go around it once, with normals within 90° of their mean, so that they don't meet each other.
type calmness uint8

const (
	unknownCalm calmness = iota
	isCalm
	notCalm
)

const (
	lookCell  = 2  // edge of a cell, in mean edges of triangles
	lookCells = 4  // most cells for each triangle
	lookGrain = 64 // cells of a chunk
)

// meeting appends the pairs of triangles, the lower number first, that meet with the vertices at some places, apart from the vertices and edges that they share: those of Intersections, in the
// order of their numbers.
func (k *look) meeting(pool *par.Pool, m *Mesh, at []r3.Vec, dst [][2]int32) [][2]int32 {
	return k.find(pool, m, at, dst, false)
}

// meetingAhead is meeting at the targets of a mesh that doesn't meet itself at its positions: only what moves is looked at.
func (k *look) meetingAhead(pool *par.Pool, m *Mesh, dst [][2]int32) [][2]int32 {
	return k.find(pool, m, m.Target, dst, true)
}

func (k *look) find(pool *par.Pool, m *Mesh, at []r3.Vec, dst [][2]int32, ahead bool) [][2]int32 {
	if m.Triangles() < 2 {
		return dst
	}
	k.m, k.at = m, at
	from := len(dst)
	if k.measure(ahead) {
		k.sort()
		k.prepare(pool)
		k.share(pool, len(k.first)-1, (*look).chunk)
		for _, pairs := range k.chunks {
			dst = append(dst, pairs...)
		}
		slices.SortFunc(dst[from:], func(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	}
	k.m, k.at = nil, nil
	return append(dst[:from], slices.Compact(dst[from:])...)
}

// share runs a loop on the pool, if there is one.
func (k *look) share(pool *par.Pool, n int, body func(k *look, worker, lo, hi int)) {
	if pool != nil {
		par.For(pool, n, lookGrain, k, body)
		return
	}
	for lo := 0; lo < n; lo += lookGrain {
		body(k, 0, lo, min(lo+lookGrain, n))
	}
}

// measure makes the triangles' normals and boxes, and the grid. It reports false if nothing moves.
func (k *look) measure(ahead bool) bool {
	n := len(k.m.Triangle)
	k.normal, k.box, k.moves = arrays.Resize(k.normal, n), arrays.Resize(k.box, n), arrays.Resize(k.moves, n)
	some, area := false, 0.
	for t, v := range k.m.Triangle {
		if v[0] == Gone {
			continue
		}
		x := k.corners(v)
		k.box[t], k.normal[t] = boxes.Around(x[:]), areaVector(&x)
		area += reproducible.Norm(k.normal[t])
		if k.moves[t] = !ahead || x != [3]r3.Vec{k.m.Position[v[0]], k.m.Position[v[1]], k.m.Position[v[2]]}; k.moves[t] {
			if !some {
				some, k.around = true, k.box[t]
			}
			k.around = boxes.Union(k.around, k.box[t])
		}
	}
	if !some {
		return false
	}
	triangles := float64(k.m.Triangles())
	k.origin, k.size = k.around.Min, lookCell*math.Sqrt(area/triangles)
	extent := reproducible.Array(r3.Sub(k.around.Max, k.around.Min))
	if widest := max(extent[0], extent[1], extent[2]); !(k.size > 1e-6*widest) {
		k.size = max(1e-6*widest, math.SmallestNonzeroFloat64)
	}
	for k.cells(&extent) > float64(lookCells*triangles)+1 {
		k.size *= 1.25
	}
	return true
}

// cells is how many cells a box of an extent needs.
func (k *look) cells(extent *[3]float64) float64 {
	n := 1.
	for a, x := range extent {
		along := math.Floor(x/k.size) + 1
		n *= along
		k.count[a] = int32(min(along, math.MaxInt32))
	}
	return n
}

func (k *look) corners(v [3]int32) [3]r3.Vec { return [3]r3.Vec{k.at[v[0]], k.at[v[1]], k.at[v[2]]} }

// reach is the lowest and the highest cell that a triangle's box overlaps.
func (k *look) reach(t int) (low, high [3]int32) {
	box := &k.box[t]
	return k.cellAt(r3.Sub(boxes.Max(box.Min, k.around.Min), k.origin)), k.cellAt(r3.Sub(box.Max, k.origin))
}

func (k *look) cellAt(d r3.Vec) [3]int32 {
	return [3]int32{min(int32(d.X/k.size), k.count[0]-1), min(int32(d.Y/k.size), k.count[1]-1), min(int32(d.Z/k.size), k.count[2]-1)}
}

// sort lists the triangles of each cell, in the order of their numbers.
func (k *look) sort() {
	cells := int(k.count[0]) * int(k.count[1]) * int(k.count[2])
	k.first = arrays.Resize(k.first, cells+1)
	clear(k.first)
	k.each(func(c, _ int32) { k.first[c]++ })
	sum := int32(0)
	for c, n := range k.first {
		k.first[c] = sum
		sum += n
	}
	k.list = arrays.Resize(k.list, int(sum))
	k.each(func(c, t int32) {
		k.list[k.first[c]] = t
		k.first[c]++
	})
	copy(k.first[1:], k.first)
	k.first[0] = 0
}

// each visits the cells of each triangle.
func (k *look) each(visit func(c, t int32)) {
	for t, v := range k.m.Triangle {
		if v[0] == Gone || !boxes.Overlap(k.box[t], k.around) {
			continue
		}
		low, high := k.reach(t)
		for z := low[2]; z <= high[2]; z++ {
			for y := low[1]; y <= high[1]; y++ {
				row := k.count[0] * (y + k.count[1]*z)
				for x := low[0]; x <= high[0]; x++ {
					visit(row+x, int32(t))
				}
			}
		}
	}
}

func (k *look) prepare(pool *par.Pool) {
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	k.workers = arrays.Lengthen(k.workers, workers)
	for i := range k.workers {
		w := &k.workers[i]
		w.cell, w.seenBy, w.calm = arrays.Resize(w.cell, len(k.at)), arrays.Resize(w.seenBy, len(k.at)), arrays.Resize(w.calm, len(k.at))
		clear(w.cell)
		clear(w.calm)
	}
	chunks := (len(k.first) - 1 + lookGrain - 1) / lookGrain
	k.chunks = arrays.Lengthen(k.chunks[:cap(k.chunks)], chunks)[:chunks]
	for i := range k.chunks {
		k.chunks[i] = k.chunks[i][:0]
	}
}

// isCalm tells whether a vertex is calm.
func (k *look) isCalm(w *looker, v int32) bool {
	if w.calm[v] == unknownCalm {
		w.calm[v] = notCalm
		if list := k.m.VertexTriangles[v]; len(list) > 0 && !k.turns(list) && k.m.goesRound(v) {
			w.calm[v] = isCalm
		}
	}
	return w.calm[v] == isCalm
}

// chunk compares the triangles of some cells where they may meet.
func (k *look) chunk(worker, lo, hi int) {
	w := &k.workers[worker]
	for c := lo; c < hi; c++ {
		if list := k.list[k.first[c]:k.first[c+1]]; len(list) > 1 && k.someMove(list) && (k.turns(list) || w.parted(k.m, int32(c), list)) {
			pairs := &k.chunks[lo/lookGrain]
			*pairs = k.compare(w, *pairs, list)
		}
	}
}

// someMove tells whether one of some triangles moves.
func (k *look) someMove(list []int32) bool {
	for _, t := range list {
		if k.moves[t] {
			return true
		}
	}
	return false
}

// turns tells whether the normal of one of some triangles is not within 90° of their mean.
func (k *look) turns(list []int32) bool {
	var mean r3.Vec
	for _, t := range list {
		mean = r3.Add(mean, k.normal[t])
	}
	for _, t := range list {
		if !(reproducible.Dot(mean, k.normal[t]) > 0) {
			return true
		}
	}
	return false
}

// parted tells whether a cell's triangles are several parts of the surface, which share no vertex.
func (w *looker) parted(m *Mesh, c int32, list []int32) bool {
	w.parts.Reset(len(list))
	parts := len(list)
	for i, t := range list {
		for _, v := range m.Triangle[t] {
			if w.cell[v] != c+1 {
				w.cell[v], w.seenBy[v] = c+1, int32(i)
				continue
			}
			if w.parts.Find(int32(i)) != w.parts.Find(w.seenBy[v]) {
				w.parts.Join(int32(i), w.seenBy[v])
				parts--
			}
		}
	}
	return parts > 1
}

// compare appends the pairs of some triangles that meet.
func (k *look) compare(w *looker, dst [][2]int32, list []int32) [][2]int32 {
	for i, u := range list {
		box := &k.box[u]
		for _, t := range list[:i] {
			if b := &k.box[t]; b.Min.X > box.Max.X || box.Min.X > b.Max.X || b.Min.Y > box.Max.Y || box.Min.Y > b.Max.Y || b.Min.Z > box.Max.Z || box.Min.Z > b.Max.Z {
				continue
			}
			if (k.moves[t] || k.moves[u]) && k.meet(w, t, u) {
				dst = append(dst, [2]int32{t, u})
			}
		}
	}
	return dst
}

// meet tells whether two triangles meet. Neighbours need an exact test only where the surface is folded.
func (k *look) meet(worker *looker, t, u int32) bool {
	v, w := &k.m.Triangle[t], &k.m.Triangle[u]
	shared, at := 0, Gone
	for _, a := range v {
		if a == w[0] || a == w[1] || a == w[2] {
			shared, at = shared+1, a
		}
	}
	if shared == 1 && k.isCalm(worker, at) || shared == 2 && reproducible.Dot(k.normal[t], k.normal[u]) > 0 {
		return false
	}
	x, y := k.corners(*v), k.corners(*w)
	return trianglesMeet(*v, &x, *w, &y)
}
