package transport

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// order is how tetrahedra's velocities are made.
type order uint8

const (
	neither order = iota
	first         // each from its six edges alone
	second        // corrected
)

// findTets makes the velocities of the tetrahedra, and to the second order sharp ones of the vertices.
//
// To the first order each is the one that fits its six edges best. That is exact where the velocity is constant; where it varies linearly it is off by some of what the
// velocity changes by across a cell, to this side in some tetrahedra and to that in others.
//
// To the second order they begin with the mean of the vertices' velocities, which is exact where the velocity is linear, and then get twice what fits the six edges'
// excess best: first that over the vertices' velocities along them, then that over the mean of the tetrahedra around them. The latter takes off what the former leaves of
// the diffusion; it is left out at the surface, at solids, and where sizes change. Where sizes change the vertices get it. As on cubes (layout.Places.SampleAntiDiffused) the
// correction is one-sided, and made before the step: a wave of the old velocity is left with 1-(1-s)² of its height where the means alone leave s, 0 ≤ s ≤ 1, so that no
// step makes it grow. No bound is needed: what is interpolated lies between the tetrahedra's velocities.
func (f *field) findTets(by order) {
	if f.has == by {
		return
	}
	f.wanted.some = false
	f.makeTets(by)
}

// findWantedTets is findTets for what is wanted alone.
func (f *field) findWantedTets(by order) {
	f.findWanted()
	f.makeTets(by)
}

func (f *field) makeTets(by order) {
	f.has = by
	n := f.Edges()
	f.tet, f.sharp, f.excess = arrays.Resize(f.tet, f.Tets()), arrays.Resize(f.sharp, f.Vertices()), arrays.Resize(f.excess, n+1)
	f.excess[n] = 0
	n = f.grid.Bases()
	if by == first {
		par.Each(f.pool, n, baseGrain, f, (*field).fitTetsIn)
		return
	}
	par.Each(f.pool, n, baseGrain, f, (*field).exceedVerticesIn)
	par.Each(f.pool, n, baseGrain, f, (*field).sharpenIn)
	par.Each(f.pool, n, baseGrain, f, (*field).mirrorSharpIn)
	par.Each(f.pool, n, baseGrain, f, (*field).meanTetsIn)
	par.Each(f.pool, n, baseGrain, f, (*field).exceedTetsIn)
	par.Each(f.pool, n, baseGrain, f, (*field).correctTetsIn)
	par.Each(f.pool, n, baseGrain, f, (*field).findRestIn)
}

// fitTetsIn makes the velocities of a base cell's tetrahedra from their edges.
func (f *field) fitTetsIn(_ int, b int32) {
	lo, hi := f.TetRuns.Of(b)
	if !f.reached[b] {
		clear(f.tet[lo:hi])
		return
	}
	for t := lo; t < hi; t++ {
		if !f.needs(t, final) {
			continue
		}
		if !f.fitWhole(t, f.u, &f.tet[t]) {
			f.tet[t] = f.fitAny(t)
		}
	}
}

// fitWhole adds to a vector what fits values along the edges of a whole tetrahedron best, and tells whether it is one whose edges' velocities are all known.
func (f *field) fitWhole(t int32, values []float64, to *[3]float64) bool {
	*to = [3]float64{}
	return f.addFit(t, values, to)
}

func (f *field) addFit(t int32, values []float64, to *[3]float64) bool {
	if f.kind[t] == irregular {
		return false
	}
	for _, k := range &f.edges[t] {
		if k < 0 || f.state[k>>1] == unknown {
			return false
		}
	}
	f.fit(t, values, to)
	return true
}

// fit adds to a vector what fits values along the edges of a whole tetrahedron best.
func (f *field) fit(t int32, values []float64, to *[3]float64) {
	k, m := &f.edges[t], &wholes[f.kind[t]].fit
	z0, z1, z2, z3, z4, z5 := along(values, k[0]), along(values, k[1]), along(values, k[2]), along(values, k[3]), along(values, k[4]), along(values, k[5])
	p, q, r := &m[0], &m[1], &m[2]
	to[0] += float64(p[0]*z0) + float64(p[1]*z1) + float64(p[2]*z2) + float64(p[3]*z3) + float64(p[4]*z4) + float64(p[5]*z5)
	to[1] += float64(q[0]*z0) + float64(q[1]*z1) + float64(q[2]*z2) + float64(q[3]*z3) + float64(q[4]*z4) + float64(q[5]*z5)
	to[2] += float64(r[0]*z0) + float64(r[1]*z1) + float64(r[2]*z2) + float64(r[3]*z3) + float64(r[4]*z4) + float64(r[5]*z5)
}

// along is the value along an edge of a tetrahedron, see mesh.edges. It changes the sign without a branch, which would go either way as often.
func along(values []float64, k int32) float64 {
	return turned(values[k>>1], uint8(k&1))
}

// fitAny is the velocity that fits the known ones of a tetrahedron's edges best, and along directions of which they tell too little the mean of its vertices'.
func (f *field) fitAny(t int32) [3]float64 {
	var eq normal
	c := &f.Corners[t]
	for i, k := range &f.edges[t] {
		if k < 0 || f.state[k>>1] == unknown {
			continue
		}
		n := geom.Sub(&f.Position[c[pairs[i][1]]], &f.Position[c[pairs[i][0]]])
		geom.Scale(&n, 1/geom.Norm(&n))
		z := f.u[k>>1]
		if k&1 != 0 {
			z = -z
		}
		eq.add(&n, 1, z)
	}
	u, ok := eq.solve()
	if !ok {
		mean := f.linearAtCentre(f.vertex, t)
		u = eq.near(&mean)
	}
	return u
}

// linearAtCentre is what the velocity that is linear between a tetrahedron's vertices is at its circumcentre.
func (f *field) linearAtCentre(values [][3]float64, t int32) [3]float64 {
	c := &f.Corners[t]
	if f.kind[t] != irregular {
		p, q, r, s := &values[c[0]], &values[c[1]], &values[c[2]], &values[c[3]]
		return [3]float64{((p[0] + q[0]) + (r[0] + s[0])) * .25, ((p[1] + q[1]) + (r[1] + s[1])) * .25, ((p[2] + q[2]) + (r[2] + s[2])) * .25}
	}
	w := f.weights(t, &f.Centres[t])
	return f.blend(values, t, &w)
}

// exceedVerticesIn finds what a base cell's edges have over what is linear between vertices.
func (f *field) exceedVerticesIn(_ int, b int32) {
	lo, hi := f.EdgeRuns.Of(b)
	if !f.reached[b] {
		clear(f.excess[lo:hi])
		return
	}
	for e := lo; e < hi; e++ {
		f.excess[e] = 0
		if f.state[e] == unknown || !f.needsExcess(e) {
			continue
		}
		u := f.linearOn(f.vertex, e)
		f.excess[e] = f.u[e] - geom.Dot(&f.normal[e], &u)
	}
}

// linearOn is the velocity that is linear between vertices, in the middle of an edge's polygon. Of the uniform lattice that is the edge's; elsewhere the tetrahedra around are
// continued to there.
func (f *field) linearOn(values [][3]float64, e int32) (u [3]float64) {
	if f.ring[e] != 0 {
		p, q := &values[f.Ends[e][0]], &values[f.Ends[e][1]]
		return [3]float64{.5 * (p[0] + q[0]), .5 * (p[1] + q[1]), .5 * (p[2] + q[2])}
	}
	count := 0.
	for _, t := range f.Ring[f.RingRuns[e]:f.RingRuns[e+1]] {
		if int(t) < f.Tets() {
			w := f.weights(t, &f.Middle[e])
			v := f.blend(values, t, &w)
			u[0], u[1], u[2] = u[0]+v[0], u[1]+v[1], u[2]+v[2]
			count++
		}
	}
	geom.Scale(&u, 1/count)
	return u
}

// sharpenIn makes the sharp velocities of a base cell's vertices: they get the mean of the excess around, where that is of the inner liquid's. It leaves out those that no
// place needs, since tetrahedra's velocities are used there.
func (f *field) sharpenIn(_ int, b int32) {
	lo, hi := f.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		f.sharp[v] = f.vertex[v]
		if !f.reached[b] || f.twin[v] >= 0 || !f.rim[v] {
			continue
		}
		var eq normal
		if f.gather(&eq, v, extended, f.excess, inner) {
			continue
		}
		if u, ok := eq.solve(); ok {
			f.slip(v, &u)
			geom.AddScaled(&f.sharp[v], 1, &u)
		}
	}
}

func (f *field) mirrorSharpIn(_ int, b int32) {
	lo, hi := f.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if c := f.twin[v]; c >= 0 {
			f.sharp[v] = f.mirrorImage(v, f.sharp[c])
		}
	}
}

func (f *field) meanTetsIn(_ int, b int32) {
	lo, hi := f.TetRuns.Of(b)
	if !f.reached[b] {
		clear(f.tet[lo:hi])
		return
	}
	for t := lo; t < hi; t++ {
		if !f.needs(t, mean) {
			continue
		}
		if f.kind[t] == irregular {
			f.tet[t] = f.linearAtCentre(f.sharp, t)
			continue
		}
		f.tet[t] = f.linearAtCentre(f.vertex, t)
		f.fit(t, f.excess, &f.tet[t])
	}
}

// exceedTetsIn finds what a base cell's inner edges have over the mean of the tetrahedra around.
func (f *field) exceedTetsIn(_ int, b int32) {
	lo, hi := f.EdgeRuns.Of(b)
	if !f.reached[b] {
		clear(f.excess[lo:hi])
		return
	}
	for e := lo; e < hi; e++ {
		f.excess[e] = 0
		if f.ring[e] != 0 && f.state[e] == inner {
			f.excess[e] = f.overTets(e)
		}
	}
}

// overTets is what an edge has over the mean of the tetrahedra around.
func (f *field) overTets(e int32) float64 {
	x, y, z, twice, tets := 0., 0., 0., f.ring[e]&inSide != 0, int32(len(f.tet))
	for _, t := range f.Ring[f.RingRuns[e]:f.RingRuns[e+1]] {
		if t >= tets {
			continue
		}
		weight, u := 1., &f.tet[t]
		if twice {
			weight = float64(f.inSideCount(t))
		}
		x += float64(weight * u[0])
		y += float64(weight * u[1])
		z += float64(weight * u[2])
	}
	n := &f.normal[e]
	return f.u[e] - (float64(n[0]*x)+float64(n[1]*y)+float64(n[2]*z))/float64(f.ring[e]&^inSide)
}

// findRestIn finds what those edges of a base cell have over what accurate tells in the middle of their polygons that are the liquid's, but no inner ones.
func (f *field) findRestIn(_ int, b int32) {
	lo, hi := f.EdgeRuns.Of(b)
	for e := lo; e < hi; e++ {
		f.excess[e] = 0
		if !f.hasRest(e) || !f.needsRest(e) {
			continue
		}
		if f.ring[e] != 0 && f.closed[f.Ends[e][0]] != open && f.closed[f.Ends[e][1]] != open {
			f.excess[e] = f.overTets(e)
		} else {
			u := f.linearOn(f.sharp, e)
			f.excess[e] = f.u[e] - geom.Dot(&f.normal[e], &u)
		}
	}
}

// hasRest tells whether an edge is the liquid's, but no inner one.
func (f *field) hasRest(e int32) bool {
	return f.state[e] == liquid || f.state[e] == surface || f.state[e] == inner && f.ring[e] == 0
}

func (f *field) correctTetsIn(_ int, b int32) {
	if !f.reached[b] {
		return
	}
	lo, hi := f.TetRuns.Of(b)
	for t := lo; t < hi; t++ {
		if f.kind[t] != irregular && f.needs(t, final) {
			f.fit(t, f.excess, &f.tet[t])
		}
	}
}
