package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Films of air between liquid and a side of the domain that is not open, which are thinner than filmThin cells and lie under liquid filmDeep cells deep, close by filmSpeed
// cells in a second, and filmStep in a step at most. No cell's centre is in such a film, so that the liquid does not move towards the side any more: it would stay for ever.
const (
	filmThin  = .25
	filmDeep  = .2
	filmSpeed = 6.
	filmStep  = .1
)

// closeFilms adds to velocities at places near a side what closes a film there: until the mesh ends as far beyond the side as it may end before it.
func (t *Tracker) closeFilms(velocity, at []r3.Vec, dt float64) {
	in, c := &t.in, &t.cells
	h := in.CellSize
	half := float64(h / 2)
	lo, hi := reproducible.Array(in.Domain.Min), reproducible.Array(in.Domain.Max)
	c.begin()
	for i := range at {
		x := reproducible.Array(at[i])
		for a := range x {
			side, far := nearestSide(x[a], lo[a], hi[a])
			if far > filmThin*h || far < -filmThin*h || in.Open[2*a+side] {
				continue
			}
			p := x
			if p[a] = lo[a] + half; side == 1 {
				p[a] = hi[a] - half
			}
			c.ask(6*i+2*a+side, reproducible.Vector(p))
		}
	}
	c.answer(in.Distance)
	for k, of := range c.of {
		if float64(c.distance[k]) < -filmDeep*h {
			i, a, out := of/6, of%6/2, float64(2*(of%2)-1)
			v := reproducible.Array(velocity[i])
			v[a] += float64(out * min(filmSpeed, filmStep/dt) * h)
			velocity[i] = reproducible.Vector(v)
		}
	}
}

// nearestSide is the side of a domain from lo to hi along an axis that is nearest to a place, 0 the lower, and how far within it the place is.
func nearestSide(x, lo, hi float64) (side int, far float64) {
	if below, above := x-lo, hi-x; above < below {
		return 1, above
	}
	return 0, x - lo
}

// atSide is how near to a side, in cells, a shape counts as reaching it.
const atSide = .05

// carriedOn is a box as far as a shape in it goes in whole, if what there is at a side of the domain goes on beyond it: a shape that ends at a side would leave a
// film of air there. Places are to be looked at in inner.
func carriedOn(box, domain, whole r3.Box, near float64) (carried, inner r3.Box) {
	inner = boxes.Grown(domain, -near)
	lo, hi := reproducible.Array(box.Min), reproducible.Array(box.Max)
	in, out := [2][3]float64{reproducible.Array(inner.Min), reproducible.Array(inner.Max)}, [2][3]float64{reproducible.Array(whole.Min), reproducible.Array(whole.Max)}
	for a := range lo {
		if lo[a] <= in[0][a] {
			lo[a] = out[0][a]
		}
		if hi[a] >= in[1][a] {
			hi[a] = out[1][a]
		}
		lo[a], hi[a] = max(lo[a], out[0][a]), min(hi[a], out[1][a])
	}
	return r3.Box{Min: reproducible.Vector(lo), Max: reproducible.Vector(hi)}, inner
}

// cutAtSides takes away what of the mesh is beyond the open sides, to the side's plane. It tells whether it could.
func (t *Tracker) cutAtSides(*track.Change) (done bool) {
	in := &t.in
	lo, hi := reproducible.Array(in.Domain.Min), reproducible.Array(in.Domain.Max)
	done = true
	for side, open := range in.Open {
		bounds, some := t.track.Mesh.Boxes.Bounds()
		if !open || !some {
			continue
		}
		at, sign := lo[side/2], -1.
		if side&1 == 1 {
			at, sign = hi[side/2], 1
		}
		box, far := cutBox(bounds, side, at, t.lattice.H)
		if far > float64(track.LeastCut*in.CellSize) {
			done = t.cutAt(box, side/2, at, sign) && done
			t.rebuilt = true
		}
	}
	t.track.CloseGaps()
	return done
}

// cutBox is the part of a box that is beyond a side, whose plane is at a place along its axis, with a margin, and how far it reaches beyond it.
func cutBox(b r3.Box, side int, at, margin float64) (part r3.Box, far float64) {
	min, max := reproducible.Array(b.Min), reproducible.Array(b.Max)
	if a := side / 2; side&1 == 0 {
		far = at - min[a]
		max[a] = at
	} else {
		far = max[a] - at
		min[a] = at
	}
	return boxes.Grown(r3.Box{Min: reproducible.Vector(min), Max: reproducible.Vector(max)}, margin), far
}

// cutWithin, in edges, is how far within an open side the surface is made anew, to the last cutShift: what is there of its edges along the side loses its corner. It is so much that the
// place of the side along a lattice edge is none that the Rebuilder moves off the edge's end.
const cutWithin, cutShift = .04, .01

// cutAt takes away what is in a box and beyond a plane across an axis, above it if sign is 1, below it if -1.
func (t *Tracker) cutAt(box r3.Box, axis int, at, sign float64) (done bool) {
	beyond := func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(sign * (at - reproducible.Array(x)[axis]))
		}
	}
	lattice := t.lattice
	origin := reproducible.Array(lattice.Origin)
	origin[axis] = at - float64(sign*cutWithin*lattice.H)
	lattice.Origin = reproducible.Vector(origin)
	t.rebuild.MostShift[axis] = cutShift
	defer func() { t.rebuild.MostShift[axis] = 0 }()
	done = true
	for _, label := range t.track.Mesh.AppendLabels(nil) {
		if _, err := t.rebuild.Subtract(&t.track.Mesh, lattice, box, beyond, label); err != nil {
			t.report.Refused++
			done = false
		}
	}
	return done
}
