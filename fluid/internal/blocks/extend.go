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
	solid := 0
	for c := range phi {
		if d.mostlyOpen(k.first+int32(c), k.h) {
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
			sum, count := float32(0), float32(0)
			for side := range 6 {
				at := k.place(c)
				if d.Volume[k.first+int32(c)] > 0 && !d.opens(&k, side, at) {
					continue // a thin wall stands between
				}
				rise := float32(d.Up[side/2]) * float32(side&1*2-1) // of the cell there, per metre
				at[side/2] += side&1*2 - 1
				if v := at[side/2]; v >= 0 && v < n {
					i := at[0] + n*(at[1]+n*at[2])
					if layer[i] != 0 && layer[i] <= l {
						sum, count = sum+phi[i]-rise*float32(k.h), count+1
					}
				} else if cell, h := d.beyond(&k, side, at); cell != grid.None && d.mostlyOpen(cell, h) {
					sum, count = sum+d.phi[cell]-rise*float32(k.h+h)/2, count+1
				}
			}
			if count > 0 {
				phi[c], layer[c] = sum/count, l+1
			}
		}
	}
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
