package adaptive

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Films of air between liquid and a side of the domain that are thinner than filmThin cells and lie under liquid filmDeep cells deep close by filmStep of
// a cell in a step. No cell's centre is in such a film, so that the liquid does not move towards the side any more: it would stay for ever.
const (
	filmThin = .25
	filmDeep = .2
	filmStep = .1
)

// closeFilms adds to velocities at places near a side what closes a film there: until the mesh ends as far beyond the side as it may end before it.
func (t *meshed) closeFilms(velocity, at []r3.Vec, dt float64) {
	m := t.m
	h := m.CellSize
	half := float64(h / 2)
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for i := range at {
		x := reproducible.Array(at[i])
		for a := range x {
			below, above := x[a]-lo[a], hi[a]-x[a] // how far within
			out, inside, far := -1., lo[a]+half, below
			if above < below {
				out, inside, far = 1, hi[a]-half, above
			}
			if far > filmThin*h || far < -filmThin*h {
				continue
			}
			p := x
			p[a] = inside
			if float64(m.Set.Tiles.At(m.Grid.ToPoint(p[0], p[1], p[2]))) < -filmDeep*h {
				v := reproducible.Array(velocity[i])
				v[a] += float64(out * filmStep * h / dt)
				velocity[i] = reproducible.Vector(v)
			}
		}
	}
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
