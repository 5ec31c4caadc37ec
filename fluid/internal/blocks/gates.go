package blocks

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// gates is what solids leave of a block, as masks: static ones and walls alone, and with bodies.
type gates struct {
	fixed, now gaps
}

// gaps is, per axis, which faces are open at all, which so far that their velocity counts, and which wholly; and which cells are
// mostly in a solid. A face is at the cell above it.
type gaps struct {
	open, wide, whole [3]mask
	solid             mask
}

// readFixed makes the masks of what static solids and walls leave of a block.
func (d *Discretiser) readFixed(g *gaps, k *block) {
	*g = gaps{}
	for c := range k.n * k.n * k.n {
		if !mostly(d.fixedVolume[int(k.first)+c], k.h) {
			g.solid.set(c)
		}
		for a := range 3 {
			open := d.fixedOpen[a][int(k.first)+c]
			if open != 0 {
				g.open[a].set(c)
			}
			if open >= sliver {
				g.wide[a].set(c)
			}
			if open == 1 {
				g.whole[a].set(c)
			}
		}
	}
}

// cutGaps notes what a body leaves of the faces and cells that it covers.
func (d *Discretiser) cutGaps(g *gaps, k *block, j *job) {
	for i := range j.faces {
		f := &j.faces[i]
		if f.end {
			continue
		}
		open, c := d.Open[f.axis][f.slot], int(f.slot-k.first)
		if open < 1 {
			g.whole[f.axis].drop(c)
		}
		if open < sliver {
			g.wide[f.axis].drop(c)
		}
		if open == 0 {
			g.open[f.axis].drop(c)
		}
	}
	for i := range j.cells {
		cell := j.cells[i].cell
		if mostly(d.Volume[cell], k.h) {
			g.solid.drop(int(cell - k.first))
		} else {
			g.solid.set(int(cell - k.first))
		}
	}
}

// mostly tells whether a volume, m³, is at least half of a cell's of edge h.
func mostly(volume float32, h float64) bool { return float64(volume) >= .5*h*h*h }

// alike tells whether a neighbour of a block is there and has cells of the same size.
func (d *Discretiser) alike(k *block, nb int32) bool {
	return nb != grid.None && int(d.g.Cur.Level[nb]) == k.bits
}
