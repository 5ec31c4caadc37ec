package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// mostlySolid is the part of its cell that solids and the domain's sides take at least of a vertex whose φ Extend writes.
const mostlySolid = .5

// extension writes φ in solids.
type extension struct {
	d     *Discretiser
	layer []uint8   // per vertex: after how many rounds its φ is known: 0 in what is open
	found []bool    // per vertex: this round finds it
	next  []float64 // what it finds
	phi   []float64
	round uint8
}

// Extend gives phi at vertices whose cells are mostly solid the mean of the values that follow from the vertices beside them that are not, two layers deep, so that
// what a moving body uncovers is what lies around it. The value that follows from a vertex above or below assumes a level surface: a still one stays level at any
// wall. Beyond the domain's open sides vertices stay as they are.
//
// phi: len vertices, m.
func (d *Discretiser) Extend(phi []float64) {
	e := &d.carry
	n := d.l.Vertices()
	e.layer, e.found, e.next, e.phi = arrays.Resize(e.layer, n), arrays.Resize(e.found, n), arrays.Resize(e.next, n), phi
	par.Each(d.pool, d.g.Bases(), fillGrain, e, (*extension).mark)
	for e.round = 1; e.round <= 2; e.round++ {
		par.Each(d.pool, d.g.Bases(), fillGrain, e, (*extension).follow)
		par.Each(d.pool, d.g.Bases(), fillGrain, e, (*extension).take)
	}
	e.phi = nil
}

// unknownLayer is the layer of what no round has reached.
const unknownLayer = 255

// mark tells which of a base cell's vertices are mostly solid.
func (e *extension) mark(_ int, b int32) {
	d := e.d
	lo, hi := d.l.VertexRuns.Of(b)
	clear(e.layer[lo:hi])
	if !d.CutsInto(b) {
		return
	}
	for v := lo; v < hi; v++ {
		if d.Volume[v] <= mostlySolid*d.l.Volume[v] && !d.l.Beyond[v] && !d.domain.isOutlet(&d.l.Position[v]) {
			e.layer[v] = unknownLayer
		}
	}
}

// isOutlet tells whether a place is beyond an open side of the domain.
func (d *domain) isOutlet(x *vec) bool {
	for a := range x {
		if d.open[2*a] && x[a] < d.lo[a] || d.open[2*a+1] && x[a] > d.hi[a] {
			return true
		}
	}
	return false
}

// follow finds φ of the vertices that are beside known ones. One that a thin wall parts from them does not follow.
func (e *extension) follow(_ int, b int32) {
	d, l := e.d, e.d.l
	if !d.CutsInto(b) {
		return
	}
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if e.found[v] = false; e.layer[v] != unknownLayer {
			continue
		}
		sum, count := 0., 0.
		parted := d.Volume[v] > 0
		for _, k := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			u := d.across(k, v)
			if e.layer[u] >= e.round || l.Beyond[u] || parted && d.Open[k] == 0 {
				continue
			}
			by := sub(&l.Position[v], &l.Position[u])
			sum += e.phi[u] + dot(&by, &d.Up)
			count++
		}
		if count > 0 {
			e.next[v], e.found[v] = sum/count, true
		}
	}
}

// take makes what was found known.
func (e *extension) take(_ int, b int32) {
	d := e.d
	if !d.CutsInto(b) {
		return
	}
	lo, hi := d.l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if e.found[v] {
			e.layer[v], e.phi[v] = e.round, e.next[v]
		}
	}
}
