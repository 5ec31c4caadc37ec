package cubes

// How what comes in through a side of the domain fills the cells beside it.

// leastFilm, in cells, is how deep below its surface the middle of the lowest cell must be in what comes in, for the grid to keep it.
const leastFilm = -.25

// Area is that through which liquid may come in through a side, m²: where there is liquid within too, and where there is none.
func (f *Flow) Area(side int) (wet, dry float64) {
	cells := f.of(side)
	for i := range cells {
		c := &cells[i]
		under := c.under(f.m.Set.Phi)
		wet, dry = wet+under, dry+c.wet()-under
	}
	return wet, dry
}

// lowest is the cell of some that is lowest.
func lowest(cells []sideCell) *sideCell {
	deep := &cells[0]
	for i := range cells {
		if cells[i].above < deep.above {
			deep = &cells[i]
		}
	}
	return deep
}

// Sealed tells whether the liquid at the bottom of a side, in the last step, had no air to give way to what comes in.
func (f *Flow) Sealed(side int) bool { return f.volumes.inSealed(lowest(f.of(side)).cell) }

// Refill fills up to the level what the surface has lost beside a side whose liquid no air touches, which is no inflow.
func (f *Flow) Refill(side int) {
	f.volumes.beginTally(f.side[side].box)
	f.raise(f.of(side), 0)
}

// Fill fills the cells beside a side up to the level, or as far under it as a volume, m³, is enough for, and returns what they took on, m³,
// measured as the ledger measures it. What is too little for the grid it leaves.
func (f *Flow) Fill(side int, volume float64) (took float64) {
	cells := f.of(side)
	f.volumes.beginTally(f.side[side].box)
	if took = f.raise(cells, 0); took <= volume {
		return took
	}
	f.lower(cells)
	sunk := f.sunkFor(cells, max(0, volume)/took)
	if deep := lowest(cells); deep.above+float32(sunk) > leastFilm*deep.edge {
		return 0
	}
	return f.raise(cells, sunk)
}

// Book books what came in through a side, m for each m² below the level.
func (f *Flow) Book(side int, depth float64) {
	cells := f.of(side)
	for i := 0; i < len(cells); {
		from, area, b := i, 0., cells[i].base
		for ; i < len(cells) && cells[i].base == b; i++ {
			area += cells[i].wet()
		}
		if area > 0 {
			f.volumes.Gain(lowest(cells[from:i]).cell, area*depth)
		}
	}
}

// raise fills cells up to so much, m, under the level, and returns what the liquid has grown by, m³.
func (f *Flow) raise(cells []sideCell, sunk float64) (took float64) {
	phi := f.m.Set.Phi
	for i := range cells {
		c := &cells[i]
		c.before = phi[c.cell]
		phi[c.cell] = min(c.before, c.above+float32(sunk))
	}
	return f.volumes.countTally()
}

// lower takes the last raise back.
func (f *Flow) lower(cells []sideCell) {
	for i := range cells {
		f.m.Set.Phi[cells[i].cell] = cells[i].before
	}
	f.volumes.countTally()
}

// sunkFor is how far under the level, m, cells take on no more than a part of what they do at it.
func (f *Flow) sunkFor(cells []sideCell, part float64) float64 {
	room := func(sunk float32) (sum float64) {
		for i := range cells {
			c := &cells[i]
			full, has := WetFraction(c.above+sunk, c.edge), WetFraction(c.before, c.edge)
			sum += float64(max(0, full-has) * f.m.Solids.Volume[c.cell])
		}
		return sum
	}
	whole, least, most := room(0), float32(0), float32(0)
	for i := range cells {
		most = max(most, cells[i].edge-cells[i].above)
	}
	for range 24 {
		sunk := float32((least + most) / 2)
		if room(sunk) > part*whole {
			least = sunk
		} else {
			most = sunk
		}
	}
	return float64(most)
}
