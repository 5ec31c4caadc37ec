package cutting

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// leastDistance, in cells, is how far from the surface a cell is at least that no open face leads to the surface from.
const leastDistance = .5

// SeparateAtWalls keeps the surface off thin walls, in the blocks that where names: liquid on one side of a wall and air on the other
// are no surface. A cell at such a wall that no open face leads from to liquid, if it is dry, or to air, if it is
// wet, gets at least leastDistance from the surface, which most have anyhow; one that is hardly wet, and only its
// neighbour across the wall is, is dry: what φ is interpolated from knows of no walls.
func (d *Discretiser) SeparateAtWalls(phi []float32, where []bool) {
	if !slices.Contains(where, true) {
		return
	}
	s := &d.separation
	s.separated = arrays.Resize(s.separated, d.g.Cells())
	d.phi, s.where = phi, where
	par.Each(d.pool, d.g.Bases(), 2, s, (*separation).separateBlock)
	par.Each(d.pool, d.g.Bases(), 2, s, (*separation).takeSeparated)
	d.phi, s.where = nil, nil
}

// separation keeps the surface off thin walls.
type separation struct {
	d         *Discretiser
	separated []float32 // per cell: what φ shall be; nil until blocks have thin walls
	where     []bool    // the argument of SeparateAtWalls
}

// separateBlock writes what a block's φ shall be.
func (s *separation) separateBlock(_ int, b int32) {
	d := s.d
	if !s.where[b] {
		return
	}
	k := d.block(b)
	phi := d.phi[k.first:][:k.n*k.n*k.n]
	separated := s.separated[k.first:][:len(phi)]
	apart := leastDistance * float32(k.h)
	for c, v := range phi {
		if v < apart && v > -apart {
			v = s.separateCell(&k, c, v)
		}
		separated[c] = v
	}
}

// separateCell is what φ shall be in a cell where it is v, less than leastDistance from 0.
func (s *separation) separateCell(k *block, c int, v float32) float32 {
	d := s.d
	if d.Volume[int(k.first)+c] <= 0 {
		return v
	}
	at := k.place(c)
	shut, surface, liquid := false, false, false // liquid across a shut face; the surface, or liquid, across an open one
	for side := range 6 {
		cell, open := s.across(k, c, side, &at)
		if cell < 0 {
			continue
		}
		wet := d.phi[cell] < 0
		switch {
		case open:
			surface = surface || wet != (v < 0)
			liquid = liquid || wet
		case d.Volume[cell] > 0:
			shut = shut || wet
		}
	}
	apart := leastDistance * float32(k.h)
	switch {
	case v < 0 && v > -apart/2 && shut && !liquid:
		return apart
	case surface:
		return v
	case v >= 0:
		return apart
	}
	return -apart
}

// across is the cell beside cell c of a block, which is at at, across a side, and whether liquid can pass there; the cell is less than 0
// beyond the grid.
func (s *separation) across(k *block, c, side int, at *[3]int) (cell int32, open bool) {
	d := s.d
	a, up := side/2, side&1
	if face := at[a] + up; face > 0 && face < k.n { // most: both are the block's own
		step := 1 << (k.bits * a)
		slot := int(k.first) + c + up*step
		return k.first + int32(c+(2*up-1)*step), d.Open[a][slot] > 0
	}
	if cell, _ = d.next(k, side, *at); cell < 0 {
		return cell, false
	}
	return cell, d.opens(k, side, *at)
}

func (s *separation) takeSeparated(_ int, b int32) {
	d := s.d
	if s.where[b] {
		k := d.block(b)
		copy(d.phi[k.first:][:k.n*k.n*k.n], s.separated[k.first:])
	}
}
