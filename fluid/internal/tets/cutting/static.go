package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// key is what a base cell's edges depend on: the levels there and around.
type key [27]uint8

// beyondLayout stands for a level where there is no base cell, and unmeasured for one that nothing was measured for.
const (
	beyondLayout = 255
	unmeasured   = 254
)

// keyOf is the key of a base cell on the Cur layout.
func (t *lattice) keyOf(b int32) (k key) {
	for i, nb := range t.g.Nearby(b) {
		k[i] = beyondLayout
		if nb != layout.None {
			k[i] = t.g.Cur.Level[nb]
		}
	}
	return k
}

// static is what static solids and the domain's sides leave of edges. What is found for a base cell stays while its key does.
type static struct {
	d *Discretiser

	distance  shapes.Distance          // nil: none
	thickness func(box r3.Box) float64 // how thick their walls are there at least, m; nil: not thin

	bases []staticBase
}

// staticBase is what is known of a base cell.
type staticBase struct {
	now, known key
	round      int   // of merge, in which it was measured
	sides      uint8 // of the domain and the layout that are near, as bits
	list       coverList
	thin       bool      // a wall thinner than a cell stands there
	cut        []sideCut // what the domain's sides leave, of edges that they cut
}

// sideCut is what the domain's sides leave of an edge's polygon.
type sideCut struct {
	edge   int32 // counted from the first of its base cell
	within float64
	middle vec // m
}

func (st *static) init(bases int) {
	st.bases = make([]staticBase, bases)
	for b := range st.bases {
		st.bases[b].sides = st.d.domain.sidesNear(st.d.g, int32(b))
	}
	st.forget()
}

func (st *static) forget() {
	for b := range st.bases {
		st.bases[b].known[0] = unmeasured
	}
}

// findKeys finds the keys of the Cur layout.
func (st *static) findKeys() {
	for b := range st.bases {
		st.bases[b].now = st.d.keyOf(int32(b))
	}
}

// update measures what is not known of a base cell.
func (st *static) update(worker int, b int32) {
	k := &st.bases[b]
	if k.known == k.now {
		return
	}
	d, s := st.d, &st.d.work[worker]
	k.known, k.round = k.now, d.merge.round+1
	st.cutSides(s, b)
	k.list.clear()
	k.thin = false
	if st.clear(s, b) {
		return
	}
	c := cutter{distance: st.distance, bounds: boxes.Everywhere(), sides: k.sides, wall: wall{thickness: -1}}
	if st.thickness != nil {
		edge := d.g.CellSize(d.g.Cur.Level[b])
		if t := st.thickness(st.around(b)); t < float64(thinnest*edge) {
			c.wall, k.thin = wall{thickness: t, sheet: t < edge}, true
		}
	}
	d.cut(s, &d.domain, &c, b, &k.list)
}

// around is a box that holds the edges of a base cell with their polygons, m.
func (st *static) around(b int32) r3.Box {
	lo, reach := reproducible.Vector(st.d.g.Corner(b)), float64(sideReach*st.d.domain.baseEdge)
	edge := st.d.domain.baseEdge
	return boxes.Grown(r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})}, reach)
}

// clear tells whether no static solid comes near to a base cell's edges.
func (st *static) clear(s *scratch, b int32) bool {
	if st.distance == nil {
		return true
	}
	var d [1]float32
	s.x = append(s.x[:0], st.d.g.Middle(b))
	s.d = append(s.d[:0], 0)
	st.distance(s.d, s.x)
	d[0] = s.d[0]
	s.x, s.d = s.x[:0], s.d[:0]
	return float64(d[0]) > float64((.5+sideReach)*math.Sqrt(3)*st.d.domain.baseEdge)
}

// cutSides measures what the domain's sides leave of a base cell's edges.
func (st *static) cutSides(s *scratch, b int32) {
	d, k := st.d, &st.bases[b]
	l := d.l
	k.cut = k.cut[:0]
	any := false
	for side := range 6 {
		any = any || k.sides>>side&1 == 1 && d.domain.shuts(side)
	}
	if !any {
		return
	}
	for e := l.EdgeRuns[b]; e < l.EdgeRuns[b+1]; e++ {
		n := l.Normal(e)
		d.outline(s, &d.domain, k.sides, e, nil)
		area, middle := s.poly.measure(&n)
		switch {
		case area >= (1-1e-12)*l.Area[e]: // or the polygon has no area
			continue
		case area < least*l.Area[e]:
			area, middle = 0, l.Middle[e]
		}
		k.cut = append(k.cut, sideCut{e - l.EdgeRuns[b], area / l.Area[e], middle})
	}
}
