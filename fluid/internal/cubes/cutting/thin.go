package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// thin, in cells, is how thick a wall is that may stand between two cells' centres without one of them in it, at a slant.
const thin = 1.5

// shutThin calls shut for every face slot of the block's cells lo ≤ cell < hi that a wall thinner
// than a cell stands across: the straight segment between the two cell centres meets the solid, whose
// nearest surfaces at the two ends differ. For each of those cells it calls part with the cell's place, how far in cells the wall
// is from its centre, but no further than the domain's side, and how far from that of the cell across.
func (d *domain) shutThin(s *scratch, k *block, lo, hi [3]int, w wall, shut func(slot int, c *crossing), part func(i int, own, across float64)) {
	s.findCrossings(&w, k, lo, hi)
	s.moveOutside(w.distance, k.h)
	for rest := s.crossings; len(rest) > 0; {
		n := min(len(rest), crossingsAtOnce)
		s.cross(&w, rest[:n], k.h)
		rest = rest[n:]
	}
	for i := range s.crossings {
		c := &s.crossings[i]
		if !c.walled {
			continue
		}
		a, below := c.axis, c.at
		below[a]--
		if c.at[a] < hi[a] {
			part(k.index(c.at), min(c.to, max(.5, (k.coordinate(a, c.at)-d.lo[a])/k.h)), c.from)
			shut(int(k.first)+k.index(c.at), c)
		}
		if c.at[a] > lo[a] {
			part(k.index(below), min(c.from, max(.5, (d.hi[a]-k.coordinate(a, below))/k.h)), c.to)
		}
	}
}

// shutStatic shuts the faces that thin static walls stand across. What a cell has beyond such a wall is of the volume of the cell
// across: between them none is lost.
func (st *staticSolids) shutStatic(s *scratch, k *block, w wall) {
	n := k.n * k.n * k.n
	clear(s.gain[:n])
	st.domain.shutThin(s, k, [3]int{}, [3]int{k.n, k.n, k.n}, w,
		func(slot int, c *crossing) { st.open[c.axis][slot], st.thin[k.b] = 0, true },
		func(i int, own, across float64) { s.gain[i] += float32(max(0, own-.5) - max(0, across-.5)) })
	for c, gain := range s.gain[:n] {
		v := &st.volume[int(k.first)+c]
		*v = max(0, *v+float32(float32(k.h*k.h*k.h)*gain))
	}
}

// clipToWall gives a cell room up to a wall t cells from its centre, less than 0 where that is in the wall,
// instead of up to its face. What it has beyond its faces adds up, for at a slanting wall what lies beyond one is beyond the
// other too.
func (s *scratch) clipToWall(i int, t float64) {
	if s.room[i] < 0 {
		s.room[i] = 1
	}
	if t < .5 {
		s.room[i] *= float32(max(0, .5+t))
	} else {
		s.gain[i] += float32(t - .5)
	}
}

// coordinate is where a cell's centre is along an axis, m.
func (k *block) coordinate(a int, at [3]int) float64 {
	return k.lo[a] + float64((float64(at[a])+.5)*k.h)
}

// ThinBlocks tells, per base cell, whether a wall thinner than a cell is in the block or one
// beside it. It writes into dst, which it lengthens as needed.
func (d *Discretiser) ThinBlocks(dst []bool) []bool {
	g := d.g
	dst = arrays.Resize(dst, g.Bases())
	clear(dst)
	mark := func(b int32) {
		at := g.BaseCoords(b)
		for z := at[2] - 1; z <= at[2]+1; z++ {
			for y := at[1] - 1; y <= at[1]+1; y++ {
				for x := at[0] - 1; x <= at[0]+1; x++ {
					if nb := g.BaseAt(x, y, z); nb != layout.None {
						dst[nb] = true
					}
				}
			}
		}
	}
	for b, thin := range d.static.thin {
		if thin {
			mark(int32(b))
		}
	}
	d.bodies.eachHit(func(j *job) {
		if j.at.Thin {
			mark(j.base)
		}
	})
	return dst
}
