package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// shutThin calls shut for every face slot of the block's cells lo ≤ cell < hi that a wall thinner
// than a cell stands across: the straight way between the two cell centres meets the solid, whose
// nearest surfaces at the two ends differ. It leaves in s.room what each of those cells has to
// itself: what is on its centre's side of the walls, up to them, but nothing beyond the domain. What it has beyond its faces adds up,
// for at a slanting wall what lies beyond one is beyond the other too.
func (d *Discretiser) shutThin(s *scratch, k *block, lo, hi [3]int, w wall, shut func(slot int, c *crossing)) {
	n := k.n * k.n * k.n
	fill(s.room[:n], -1)
	clear(s.reach[:n])
	s.findCrossings(&w, k, lo, hi)
	s.standOut(w.distance, k.h)
	for rest := s.crossings; len(rest) > 0; {
		n := min(len(rest), crossingsAtOnce)
		s.cross(w.distance, rest[:n], w.sheet, k.h)
		rest = rest[n:]
	}
	for i := range s.crossings {
		c := &s.crossings[i]
		if !c.walled {
			continue
		}
		a := c.axis
		if c.at[a] < hi[a] {
			s.narrow(k, c.at, min(c.to, max(.5, (k.along(a, c.at)-d.lo[a])/k.h)))
			shut(int(k.first)+c.at[0]+k.n*(c.at[1]+k.n*c.at[2]), c)
		}
		if c.at[a] > lo[a] {
			below := c.at
			below[a]--
			s.narrow(k, below, min(c.from, max(.5, (d.hi[a]-k.along(a, below))/k.h)))
		}
	}
	for i, r := range s.reach[:n] {
		if r > 0 {
			s.room[i] *= 1 + r
		}
	}
}

// along is where a cell's centre is along an axis, m.
func (k *block) along(a int, at [3]int) float64 { return k.lo[a] + float64((float64(at[a])+.5)*k.h) }

// narrow gives a cell room up to a wall t cells from its centre, less than 0 where that is in the wall,
// instead of up to its face.
func (s *scratch) narrow(k *block, at [3]int, t float64) {
	i := at[0] + k.n*(at[1]+k.n*at[2])
	if s.room[i] < 0 {
		s.room[i] = 1
	}
	if t < .5 {
		s.room[i] *= float32(max(0, .5+t))
	} else {
		s.reach[i] += float32(t - .5)
	}
}

// ThinBlocks tells, per base cell, whether a wall thinner than a cell is in the block or one
// beside it. It writes into dst, which it lengthens as needed.
func (d *Discretiser) ThinBlocks(dst []bool) []bool {
	g := d.g
	dst = resize(dst, g.Bases())
	clear(dst)
	mark := func(b int32) {
		at := g.BaseCoords(b)
		for z := at[2] - 1; z <= at[2]+1; z++ {
			for y := at[1] - 1; y <= at[1]+1; y++ {
				for x := at[0] - 1; x <= at[0]+1; x++ {
					if nb := g.BaseAt(x, y, z); nb != grid.None {
						dst[nb] = true
					}
				}
			}
		}
	}
	for b, thin := range d.thinFixed {
		if thin {
			mark(int32(b))
		}
	}
	d.eachHit(func(j *job) {
		if j.at.Thin {
			mark(j.base)
		}
	})
	return dst
}
