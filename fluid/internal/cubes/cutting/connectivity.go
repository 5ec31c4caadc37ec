package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// connectivity tells how a block's rows are connected. A face is at the cell above it.
type connectivity struct {
	links      [3]mask // faces that lead from row to row, both as wide as the block's cells
	joinsBelow [3]bool // a face on the low side leads from a row of the block below to one of the block
	airAbove   [3]bool // a face on the low side leads from a row of the block below to air
	air        bool    // a face of the block leads from one of its rows to air
	connected  bool    // the block's own faces join all of its rows, of which there are some
}

// link notes where the faces along an axis lead between cells of one level. wet tells of the cells below.
func (p *pattern) link(level, a int, wet *mask) {
	side := &lowSide[level][a]
	for i := range words(level) {
		f, row, below := p.faces[a][i], p.rows[i], wet[i]
		p.links[a][i] = f & row & below
		p.joinsBelow[a] = p.joinsBelow[a] || f&row&below&side[i] != 0
		p.airAbove[a] = p.airAbove[a] || f&^row&below&side[i] != 0
		p.air = p.air || f&row&^below != 0 || f&below&^row&^side[i] != 0
	}
}

// linkQuad notes where a composite face leads, by how many of the cells below and above it are rows.
func (p *pattern) linkQuad(a, below, above int) {
	p.joinsBelow[a] = p.joinsBelow[a] || below > 0 && above > 0
	p.airAbove[a] = p.airAbove[a] || above == 0
	p.air = p.air || above > 0 && below+above < 5
}

// isConnected tells whether the block's own faces join all its rows.
func (p *pattern) isConnected(level int) bool {
	var reached mask
	for i, w := range p.rows {
		if w != 0 {
			reached[i] = w & -w
			break
		}
	}
	for was := (mask{}); reached != was; {
		was = reached
		for a := range 3 {
			flood(&reached, &p.links[a], level, a)
		}
	}
	return reached == p.rows
}

// flood adds to m the cells that faces along an axis, those of link, lead to from its own, however far in the block.
func flood(m, link *mask, level, a int) {
	if across(level, a) {
		for i := 1; i < len(m); i++ {
			m[i] |= m[i-1] & link[i]
		}
		for i := len(m) - 1; i > 0; i-- {
			m[i-1] |= m[i] & link[i]
		}
		return
	}
	w := &waysOf[level][a]
	for i := range words(level) {
		up := link[i] &^ w.low
		down, v := up>>w.stride, m[i]
		for s := w.stride; s != 0 && s <= w.back; s *= 2 { // one, two, four cells on
			v |= up&(v<<s) | down&(v>>s)
			up, down = up&(up<<s), down&(down>>s)
		}
		m[i] = v
	}
}

// findConnectivity writes how the block's rows are connected to each other and to those of the blocks below.
func (l *faceList) findConnectivity(b int32) {
	d := l.d
	p := &d.patterns[b]
	c := graph.Connectivity{Connected: p.connected, Simple: p.connected || d.dry(b), Air: p.air, Below: [3]int32{-1, -1, -1}}
	for a := range 3 {
		if low := d.g.Neighbour[b][2*a]; p.joinsBelow[a] || p.airAbove[a] {
			c.Simple = c.Simple && d.patterns[low].connected
			if p.joinsBelow[a] {
				c.Below[a] = d.counts[low].wet
			}
		}
		if high := d.g.Neighbour[b][2*a+1]; high != layout.None && d.patterns[high].airAbove[a] {
			c.Air = true
		}
	}
	d.gr.Connectivity[b] = c
}
