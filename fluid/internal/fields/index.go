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

// Index lists which fields act where, so that fields far from a tile of the domain cost it nothing. It leaves out uniform
// fields, which are part of gravity. Fields are numbered as in the list passed to Place.
type Index struct {
	gr *graph.Graph // during Accelerate: its graph
	dt float64      // during Accelerate: its time, s

	// Warn is called once per field whose function returns a value that is not finite, with the place.
	Warn func(field int32, given, at r3.Vec)

	stale   bool
	all     []*Field
	tiles   boxes.Tiles
	wide    []int32 // fields without a rim (Radius 0)
	local   []int32 // fields with a rim
	first   []int32 // per tile, and one more: the begin of its part of list
	list    []int32 // fields that reach into a tile, in order
	funcs   []int32 // Func fields
	scratch scratch
}

// Invalidate makes the next Place rebuild the index.
func (n *Index) Invalidate() { n.stale = true }

// Rebuild rebuilds the index if it is invalid, and reports whether it did. Tiles are the parts of the graph passed to Accelerate.
func (n *Index) Rebuild(all []*Field, tiles boxes.Tiles) (changed bool) {
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
		case f.IsUniform():
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
	copy(n.first[1:], n.first[:count]) // each had advanced to the begin of the next
	n.first[0] = 0
	return true
}

// Strongest returns an upper bound of the acceleration by all fields together at any place, m/s².
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

// eachReached calls visit for the tiles that a field with a rim may reach.
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

// reaching returns the fields with a rim that reach into a tile.
func (n *Index) reaching(b int32) []int32 { return n.list[n.first[b]:n.first[b+1]] }

// Any reports whether some field varies in space.
func (n *Index) Any() bool { return len(n.wide)+len(n.local) > 0 }

// Wide reports whether some field that varies in space has no rim.
func (n *Index) Wide() bool { return len(n.wide) > 0 }

// Listed returns the number of pairs of a tile and a field with a rim that reaches into it.
func (n *Index) Listed() int { return len(n.list) }

// Reaches reports whether a field with a rim reaches into a tile.
func (n *Index) Reaches(b int32) bool { return n.first[b] < n.first[b+1] }

// Each calls visit with the acceleration by each field that varies in space at a place, m/s². Fields that don't reach it may be left out.
func (n *Index) Each(x r3.Vec, visit func(a r3.Vec)) {
	for _, list := range n.near(x) {
		for _, i := range list {
			visit(n.fieldAt(i, x))
		}
	}
}

// near returns the fields that may act at a place: those without a rim, and those with one.
func (n *Index) near(x r3.Vec) [2][]int32 {
	if !n.Any() {
		return [2][]int32{}
	}
	if len(n.local) == 0 || !boxes.Contains(n.tiles.Whole(), x) {
		return [2][]int32{n.wide, n.local}
	}
	return [2][]int32{n.wide, n.reaching(n.tiles.At(x))}
}

// tileGrain and faceGrain are the numbers of tiles, and of faces without tiles, in a chunk.
const tileGrain, faceGrain = 4, 1024

// Accelerate adds the effect of the fields in dt seconds to the velocities of all faces.
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

// accelerateTile adds the effect of fields other than Funcs to a tile's faces.
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

// accelerateFace adds the effect of the listed fields other than Funcs to a face with its centre at x.
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
