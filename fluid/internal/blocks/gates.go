package blocks

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// gates is what solids leave of a block, as masks.
type gates struct {
	key        key  // of the block when fixed was made
	fixed, now gaps // static solids and walls alone, and with bodies
	cut        bool // by a body
}

// gaps is, per axis, which faces are open at all, and which so far that their velocity counts; and which cells are
// mostly in a solid. A face is at the cell above it.
type gaps struct {
	open, wide [3]mask
	solid      mask
}

// readGates makes a block's masks by what static solids and walls leave, where that or the layout has changed.
func (d *Discretiser) readGates(b int32) {
	g := &d.gates[b]
	if g.key != d.known[b] {
		g.key, g.cut = d.known[b], true
		d.readFixed(&g.fixed, b)
	}
	if g.cut {
		g.now, g.cut = g.fixed, false
	}
}

func (d *Discretiser) readFixed(g *gaps, b int32) {
	*g = gaps{}
	k := d.block(b)
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
		}
	}
}

// cutGates notes what a body leaves of the faces and cells that it covers.
func (d *Discretiser) cutGates(j *job) {
	g, first, h := &d.gates[j.base], d.g.Cur.First[j.base], d.g.CellSize(d.g.Cur.Level[j.base])
	g.cut = true
	for i := range j.faces {
		f := &j.faces[i]
		if f.end {
			continue
		}
		if open := d.Open[f.axis][f.slot]; open < sliver {
			c := int(f.slot - first)
			g.now.wide[f.axis].drop(c)
			if open == 0 {
				g.now.open[f.axis].drop(c)
			}
		}
	}
	for i := range j.cells {
		cell := j.cells[i].cell
		if mostly(d.Volume[cell], h) {
			g.now.solid.drop(int(cell - first))
		} else {
			g.now.solid.set(int(cell - first))
		}
	}
}

// mostly tells whether a volume, m³, is at least half of a cell's of edge h.
func mostly(volume float32, h float64) bool { return float64(volume) >= .5*h*h*h }

// alike tells whether a neighbour of a block is there and has cells of the same size.
func (d *Discretiser) alike(k *block, nb int32) bool {
	return nb != grid.None && int(d.g.Cur.Level[nb]) == k.bits
}
