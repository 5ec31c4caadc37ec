package blocks

// gates is what solids leave of a block, as masks. A face is at the cell above it.
type gates struct {
	key        key      // of the block when fixed was made
	fixed, now openings // by static solids and walls alone, and with bodies
	buried     mask     // cells that are mostly in a static solid or outside of the domain
	cut        bool     // by a body
}

// openings is, per axis, which faces are open at all, and which so far that their velocity counts.
type openings struct{ open, wide [3]mask }

// note notes the fraction of a face, at cell c, that is open.
func (o *openings) note(a, c int, open float64) {
	o.open[a].drop(c)
	o.wide[a].drop(c)
	if open != 0 {
		o.open[a].set(c)
	}
	if open >= sliver {
		o.wide[a].set(c)
	}
}

// readGates makes a block's masks by what static solids and walls leave, where that or the layout has changed.
func (d *Discretiser) readGates(b int32) {
	g := &d.gates[b]
	if g.key != d.known[b] {
		g.key = d.known[b]
		d.readFixed(g, b)
		g.cut = true
	}
	if g.cut {
		g.cut = false
		g.now = g.fixed
	}
}

func (d *Discretiser) readFixed(g *gates, b int32) {
	k := d.block(b)
	g.fixed, g.buried = openings{}, mask{}
	half := .5 * k.h * k.h * k.h
	for c := range k.n * k.n * k.n {
		if float64(d.fixedVolume[int(k.first)+c]) < half {
			g.buried.set(c)
		}
		for a := range 3 {
			g.fixed.note(a, c, d.fixedOpen[a][int(k.first)+c])
		}
	}
}

// cutGates notes what a body leaves of the faces that it covers.
func (d *Discretiser) cutGates(j *job) {
	g, first := &d.gates[j.base], d.g.Cur.First[j.base]
	g.cut = true
	for i := range j.faces {
		if f := &j.faces[i]; !f.end {
			g.now.note(int(f.axis), int(f.slot-first), d.Open[f.axis][f.slot])
		}
	}
}
