package blocks

import "math"

// waterline is where the surface meets a body, from the cells that the body cuts: φ in the cells
// deep inside of it is nobody's.
type waterline struct {
	height, at float64 // sum over the cells at the surface, m, along Up; how many
	wet, cut   float64 // liquid fractions of the cells that are cut, summed; how many
}

// waterline looks at the cells that a body cuts.
func (d *Discretiser) waterline(jobs []job) (w waterline) {
	for i := range jobs {
		j := &jobs[i]
		if !j.hit {
			continue
		}
		k := d.block(j.base)
		for _, c := range j.cells {
			if c.solid == 0 || c.solid == 1 {
				continue
			}
			phi := float64(d.phi[c.cell])
			w.wet += fraction(phi, k.h)
			w.cut++
			if phi > -k.h && phi < k.h {
				w.height += d.up(&k, c.cell) - phi
				w.at++
			}
		}
	}
	return w
}

// up is how high the centre of a cell is.
func (d *Discretiser) up(k *block, cell int32) float64 {
	at := k.place(int(cell - k.first))
	x := k.centre(at[0], at[1], at[2])
	return x.X*d.Up[0] + x.Y*d.Up[1] + x.Z*d.Up[2]
}

// fill is the part of a cell of the body that is under the surface.
func (d *Discretiser) fill(w *waterline, k *block, c *solidCell) float64 {
	switch {
	case c.solid < 1 || w.cut == 0:
		return fraction(float64(d.phi[c.cell]), k.h)
	case w.at == 0 || d.Up == [3]float64{}:
		return w.wet / w.cut
	}
	return fraction(d.up(k, c.cell)-w.height/w.at, k.h)
}

// fillBeside is fill by the cells beside it, whichever says most: there is liquid on one side of a hull and air
// on the other.
func (d *Discretiser) fillBeside(k *block, c *solidCell) float64 {
	at, deepest := k.place(int(c.cell-k.first)), math.Inf(1)
	for side := range 6 {
		cell, h := d.next(k, side, at)
		if cell < 0 {
			continue
		}
		rise := d.Up[side/2] * float64(side&1*2-1) * (k.h + h) / 2 // of the cell there
		deepest = min(deepest, float64(d.phi[cell])-rise)
	}
	return fraction(deepest, k.h)
}

// fraction is the part of a cell of edge h, at a distance from the surface, that is liquid.
func fraction(distance, h float64) float64 { return max(0, min(1, .5-distance/h)) }
