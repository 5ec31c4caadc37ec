package fields

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Index lists which fields act where, so that what is far from a tile of the domain costs it nothing. It leaves out those that are the
// same everywhere, which are part of gravity. Fields go by their number in the list that Place is given.
type Index struct {
	gr *graph.Graph // of Accelerate, while it runs,
	dt float64      // and its time, s

	// Warn is told once of a field's function that gives what is not finite, and where.
	Warn func(field int32, given, at r3.Vec)

	stale bool
	all   []*Field
	tiles boxes.Tiles
	wide  []int32 // fields without a rim
	local []int32 // fields with one
	first []int32 // per tile, and one more: where its part of list begins
	list  []int32 // fields that reach into a tile, in their order
	funcs []int32 // those that are functions
	asked scratch
}

// Invalidate has the next Place read the fields anew.
func (n *Index) Invalidate() { n.stale = true }

// Place brings the index up to date, and tells whether it was not. Tiles are parts of the graph that Accelerate is given.
func (n *Index) Place(all []*Field, tiles boxes.Tiles) (changed bool) {
	if !n.stale {
		return false
	}
	n.stale, n.all, n.tiles = false, all, tiles
	n.wide, n.local, n.funcs = n.wide[:0], n.local[:0], n.funcs[:0]
	count := tiles.Len()
	n.first = arrays.Resize(n.first, count+1)
	clear(n.first)
	for i, f := range all {
		if f.Kind == Func {
			n.funcs = append(n.funcs, int32(i))
		}
		switch {
		case f.Even():
		case f.Radius == 0:
			n.wide = append(n.wide, int32(i))
		default:
			n.local = append(n.local, int32(i))
			n.eachReached(f, func(b int32) { n.first[b+1]++ })
		}
	}
	for b := range count {
		n.first[b+1] += n.first[b]
	}
	n.list = arrays.Resize(n.list, int(n.first[count]))
	for _, i := range n.local {
		n.eachReached(all[i], func(b int32) {
			n.list[n.first[b]] = i
			n.first[b]++
		})
	}
	copy(n.first[1:], n.first[:count]) // each had moved on to the next one's
	n.first[0] = 0
	return true
}

// Strongest bounds what the fields accelerate liquid by together at any one place, m/s².
func (n *Index) Strongest() float64 {
	wide := 0.
	for _, i := range n.wide {
		wide += math.Abs(n.all[i].Strength)
	}
	most := 0.
	for b := range n.tiles.Len() {
		sum := 0.
		for _, i := range n.reaching(int32(b)) {
			sum += math.Abs(n.all[i].Strength)
		}
		if !(sum <= most) {
			most = sum
		}
	}
	return wide + most
}

// eachReached calls visit for the tiles that a field with a rim may reach into.
func (n *Index) eachReached(f *Field, visit func(b int32)) {
	box := boxes.Grown(r3.Box{Min: f.Centre, Max: f.Centre}, f.Radius)
	whole := n.tiles.Whole()
	if f.Kind == Vortex {
		box = whole
	}
	if !boxes.Overlap(box, whole) {
		return
	}
	most := f.Radius + float64(math.Sqrt(3)*float64(n.tiles.Edge/2))
	n.tiles.Each(box, func(b int32) {
		arm := r3.Sub(n.tiles.Centre(b), f.Centre)
		if f.Kind == Vortex {
			arm = r3.Sub(arm, reproducible.Scale(reproducible.Dot(arm, f.Axis), f.Axis))
		}
		if reproducible.Norm(arm) <= most {
			visit(b)
		}
	})
}

// reaching are the fields with a rim that reach into a tile.
func (n *Index) reaching(b int32) []int32 { return n.list[n.first[b]:n.first[b+1]] }

// Any tells whether there are fields that differ from place to place.
func (n *Index) Any() bool { return len(n.wide)+len(n.local) > 0 }

// Wide tells whether some of them has no rim.
func (n *Index) Wide() bool { return len(n.wide) > 0 }

// Listed is how often a field with a rim reaches into a tile, of all of both.
func (n *Index) Listed() int { return len(n.list) }

// Reaches tells whether a field with a rim reaches into a tile.
func (n *Index) Reaches(b int32) bool { return n.first[b] < n.first[b+1] }

// Each calls visit with what each field that differs from place to place gives at a place, m/s²: of those with a rim some that may reach it.
func (n *Index) Each(x r3.Vec, visit func(a r3.Vec)) {
	for _, list := range n.near(x) {
		for _, i := range list {
			visit(n.fieldAt(i, x))
		}
	}
}

// near lists the fields that may act at a place: those without a rim, and others.
func (n *Index) near(x r3.Vec) [2][]int32 {
	if !n.Any() {
		return [2][]int32{}
	}
	if len(n.local) == 0 || !boxes.Contains(n.tiles.Whole(), x) {
		return [2][]int32{n.wide, n.local}
	}
	return [2][]int32{n.wide, n.reaching(n.tiles.At(x))}
}

// tileGrain and faceGrain are how many tiles, and faces of no tile, workers take at a time.
const tileGrain, faceGrain = 4, 1024

// Accelerate adds what the fields do in dt seconds to the velocities of all faces. Those that lie together by tiles are taken so.
func (n *Index) Accelerate(pool *par.Pool, gr *graph.Graph, dt float64) {
	n.gr, n.dt = gr, dt
	if len(gr.Parts) > 0 {
		par.Each(pool, n.tiles.Len(), tileGrain, n, (*Index).accelerateTile)
	} else {
		par.For(pool, gr.Faces(), faceGrain, n, (*Index).accelerateFaces)
	}
	n.accelerateByFuncs(gr, dt)
	n.gr = nil
}

// accelerateTile adds what the fields that are no functions do to a tile's faces.
func (n *Index) accelerateTile(_ int, b int32) {
	lo, hi := n.gr.Parts[b].Face, n.gr.Parts[b+1].Face
	if lo == hi {
		return
	}
	lists := [2][]int32{n.wide, n.reaching(b)}
	if len(lists[0])+len(lists[1]) == 0 {
		return
	}
	for f := int(lo); f < int(hi); f++ {
		n.accelerateFace(f, reproducible.Vector(n.gr.FaceCentre(f)), &lists)
	}
}

// accelerateFaces is accelerateTile for faces of any tile.
func (n *Index) accelerateFaces(_, lo, hi int) {
	for f := lo; f < hi; f++ {
		x := reproducible.Vector(n.gr.FaceCentre(f))
		lists := n.near(x)
		n.accelerateFace(f, x, &lists)
	}
}

// accelerateFace adds what those of the listed fields that are no functions do to a face, whose centre is x.
func (n *Index) accelerateFace(f int, x r3.Vec, lists *[2][]int32) {
	u := n.gr.U[f]
	for _, list := range lists {
		for _, i := range list {
			if field := n.all[i]; field.Kind != Func && field.reaches(x) {
				by := reproducible.Array(field.At(x))
				u += float64(n.dt * n.gr.Along(f, &by))
			}
		}
	}
	n.gr.U[f] = u
}
