package blocks

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// Extend gives phi in cells that are mostly solid the mean of what the cells beside them that are
// not say, two layers deep, so that cells that a moving body uncovers are what lies around them. A cell above or
// below another tells of a level surface: a still one stays level at any wall.
func (d *Discretiser) Extend(phi []float32) {
	d.phi = phi
	d.pool.For(d.g.Bases(), 8, d.extendChunk)
	d.phi = nil
}

func (d *Discretiser) extend(b int32) {
	if d.free(b) {
		return
	}
	k := d.block(b)
	n := k.n
	var layer [grid.Edge * grid.Edge * grid.Edge]uint8
	phi := d.phi[k.first:][:n*n*n]
	solid, half := 0, .5*k.h*k.h*k.h
	for c, v := range d.Volume[k.first:][:len(phi)] {
		if float64(v) >= half {
			layer[c] = 1
		} else {
			solid++
		}
	}
	if solid == 0 {
		return
	}
	for l := uint8(1); l <= 2; l++ {
		for c := range phi {
			if layer[c] != 0 {
				continue
			}
			if mean, ok := d.around(&k, c, phi, layer[:], l); ok {
				phi[c], layer[c] = mean, l+1
			}
		}
	}
}

// around is the mean of what the cells beside a cell say that are of a layer up to l; false if there are none.
func (d *Discretiser) around(k *block, c int, phi []float32, layer []uint8, l uint8) (mean float32, ok bool) {
	sum, count := float32(0), float32(0)
	at := k.place(c)
	parted := d.Volume[int(k.first)+c] > 0 // a thin wall may stand between
	for side := range 6 {
		to := at
		to[side/2] += side&1*2 - 1
		var v, way float32
		if u := to[side/2]; u >= 0 && u < k.n {
			i := to[0] + k.n*(to[1]+k.n*to[2])
			if layer[i] == 0 || layer[i] > l {
				continue
			}
			v, way = phi[i], float32(k.h)
		} else {
			cell, h := d.beyond(k, side, to)
			if cell == grid.None || !d.mostlyOpen(cell, h) {
				continue
			}
			v, way = d.phi[cell], float32(k.h+h)/2
		}
		if parted && !d.opens(k, side, at) {
			continue
		}
		rise := float32(d.Up[side/2]) * float32(side&1*2-1) // of the cell there, per metre
		sum, count = sum+v-rise*way, count+1
	}
	return sum / count, count > 0
}

// opens tells whether liquid can pass a side of a cell.
func (d *Discretiser) opens(k *block, side int, at [3]int) bool {
	at[side/2] += side & 1
	slot := d.g.FaceCell(k.b, side/2, at)
	return slot >= 0 && d.Open[side/2][slot] > 0
}

func (d *Discretiser) mostlyOpen(cell int32, h float64) bool {
	return float64(d.Volume[cell]) >= .5*h*h*h
}

// next is the cell beside a cell of a block across a side, and its edge; less than 0 beyond the grid.
func (d *Discretiser) next(k *block, side int, at [3]int) (int32, float64) {
	at[side/2] += side&1*2 - 1
	if u := at[side/2]; u < 0 || u >= k.n {
		return d.beyond(k, side, at)
	}
	return k.first + int32(at[0]+k.n*(at[1]+k.n*at[2])), k.h
}

// beyond is a cell across a side of a block, at one cell outside of it, and that cell's edge. Cells
// that Extend writes are never asked for their value, so blocks may run side by side.
func (d *Discretiser) beyond(k *block, side int, at [3]int) (int32, float64) {
	nb := d.g.Neighbour[k.b][side]
	if nb == grid.None {
		return grid.None, 0
	}
	axis := side / 2
	at[axis] = (at[axis] + k.n) % k.n
	switch to, from := d.g.Cur.Level[nb], d.g.Cur.Level[k.b]; {
	case to < from:
		for a := range at {
			at[a] /= 2
		}
	case to > from:
		for a := range at {
			at[a] *= 2
		}
		if side&1 == 0 {
			at[axis]++
		}
	}
	return int32(d.g.Cur.Cell(nb, at[0], at[1], at[2])), d.g.CellSize(d.g.Cur.Level[nb])
}
