package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// Components are the bodies of liquid that are joined through open faces.
type Components struct {
	// Label is the component of each cell of Cur whose φ is negative, from 0 in the order of
	// their first cells, base cell by base cell; -1 elsewhere.
	Label []int32
	// Volume of each component, m³. A part-filled cell in the air counts for its deepest
	// liquid neighbour.
	Volume []float64
	// Count of the cells of each component.
	Count []int32

	parent []int32
	name   []int32
	open   *[3][]float32
}

// Components labels the liquid.
//
// open: per axis, the open fraction of each face, indexed like face velocities
// (grid.FaceCell); 0 parts. nil: all faces are open.
// fraction: liquid fraction of each cell, see Fraction.
//
// The result is valid until the next call or change of the grid.
func (s *LevelSet) Components(open *[3][]float32, fraction []float32) *Components {
	p := &s.parts
	p.open = open
	s.pool.For(s.g.Bases(), 16, s.joinChunk)
	for b, l := range s.g.Cur.Level {
		if first := s.g.Cur.First[b]; s.wet(first, l) {
			s.joinAcross(int32(b))
		}
	}
	s.nameParts()
	s.pool.For(s.g.Bases(), 16, s.labelChunk)
	s.measureParts(fraction)
	p.open = nil
	return p
}

// wet tells whether a block has a labelled cell.
func (s *LevelSet) wet(first int32, level uint8) bool {
	for _, r := range s.parts.parent[first : first+1<<(3*level)] {
		if r >= 0 {
			return true
		}
	}
	return false
}

// root of a cell's tree; a root is the least cell of its tree.
func (p *Components) root(c int32) int32 {
	for p.parent[c] != c {
		c = p.parent[c]
	}
	return c
}

func (p *Components) join(c, d int32) {
	for p.parent[c] != p.parent[d] { // splicing: Rem's algorithm
		if p.parent[c] < p.parent[d] {
			c, d = d, c
		}
		up := p.parent[c]
		p.parent[c] = p.parent[d]
		if up == c {
			return
		}
		c = up
	}
}

func (p *Components) isOpen(axis, cell int) bool { return p.open == nil || p.open[axis][cell] > 0 }

// joinBlocks joins the cells within each block.
func (s *LevelSet) joinBlocks(_, lo, hi int) {
	p := &s.parts
	for b := lo; b < hi; b++ {
		first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
		n := 1 << l
		c := int(first)
		for z := range n {
			for y := range n {
				for x := range n {
					p.parent[c] = -1
					if s.Phi[c] < 0 {
						p.parent[c] = int32(c)
						for a, inside := range [3]bool{x > 0, y > 0, z > 0} {
							if d := c - 1<<(a*int(l)); inside && s.Phi[d] < 0 && p.isOpen(a, c) {
								p.join(int32(c), int32(d))
							}
						}
					}
					c++
				}
			}
		}
	}
}

// joinAcross joins a block's cells with its neighbours on the low sides and, where those
// are finer, on the high sides, so that each fine face is seen once from its fine side or
// from between equals.
func (s *LevelSet) joinAcross(b int32) {
	g, p := s.g, &s.parts
	l := g.Cur.Level[b]
	n := 1 << l
	for side, nb := range g.Neighbour[b] {
		if nb == grid.None || g.Cur.Level[nb] > l || side&1 == 1 && g.Cur.Level[nb] == l {
			continue
		}
		axis, end := side/2, side&1*(n-1)
		for u := range n {
			for v := range n {
				var at [3]int
				at[axis], at[(axis+1)%3], at[(axis+2)%3] = end, u, v
				c := int32(g.Cur.Cell(b, at[0], at[1], at[2]))
				d := s.across(b, side, at)
				if p.parent[c] < 0 || p.parent[d] < 0 {
					continue
				}
				face := at
				face[axis] += side & 1
				if p.open == nil || p.open[axis][g.FaceCell(b, axis, face)] > 0 {
					p.join(c, d)
				}
			}
		}
	}
}

// across is the cell that touches cell `at` of block b over the given side, in the neighbour
// there; the lowest of four where that is finer.
func (s *LevelSet) across(b int32, side int, at [3]int) int32 {
	m := &s.g.Cur
	nb := s.g.Neighbour[b][side]
	l, rl := m.Level[b], m.Level[nb]
	rn := 1 << rl
	for a := range 3 {
		switch {
		case rl > l:
			at[a] <<= rl - l
		default:
			at[a] >>= l - rl
		}
	}
	at[side/2] = (rn - 1) * (1 - side&1)
	return int32(m.Cell(nb, at[0], at[1], at[2]))
}

// nameParts numbers the roots.
func (s *LevelSet) nameParts() {
	p := &s.parts
	p.Volume, p.Count = p.Volume[:0], p.Count[:0]
	for b, l := range s.g.Cur.Level {
		first := s.g.Cur.First[b]
		for c := first; c < first+1<<(3*l); c++ {
			if p.parent[c] == c {
				p.name[c] = -1
			}
		}
	}
	for b, l := range s.g.Cur.Level {
		first := s.g.Cur.First[b]
		last := int32(-1)
		for c := first; c < first+1<<(3*l); c++ {
			if p.parent[c] < 0 || p.parent[c] == last {
				continue
			}
			last = p.parent[c]
			if r := p.root(c); p.name[r] < 0 {
				p.name[r] = int32(len(p.Volume))
				p.Volume = append(p.Volume, 0)
				p.Count = append(p.Count, 0)
			}
		}
	}
}

func (s *LevelSet) labelBlocks(_, lo, hi int) {
	p := &s.parts
	for b := lo; b < hi; b++ {
		first, l := s.g.Cur.First[b], s.g.Cur.Level[b]
		last, label := int32(-1), int32(-1)
		for c := first; c < first+1<<(3*l); c++ {
			if p.parent[c] < 0 {
				p.Label[c] = -1
				continue
			}
			if p.parent[c] != last {
				last = p.parent[c]
				label = p.name[p.root(c)]
			}
			p.Label[c] = label
		}
	}
}

func (s *LevelSet) measureParts(fraction []float32) {
	p := &s.parts
	for b, l := range s.g.Cur.Level {
		first := s.g.Cur.First[b]
		volume := math.Pow(s.g.CellSize(l), 3)
		for i := range int32(1) << (3 * l) {
			c := first + i
			f := fraction[c]
			if f == 0 {
				continue
			}
			label := p.Label[c]
			if label >= 0 {
				p.Count[label]++
			} else if label = s.deepest(int32(b), int(i)); label < 0 {
				continue
			}
			p.Volume[label] += float64(f) * volume
		}
	}
}

// deepest is the label of the liquid cell with the least φ beside cell i of a block.
func (s *LevelSet) deepest(b int32, i int) int32 {
	g, p := s.g, &s.parts
	l := g.Cur.Level[b]
	n := 1 << l
	at := [3]int{i & (n - 1), i >> l & (n - 1), i >> (2 * l)}
	label, low := int32(-1), float32(0)
	for side := range 6 {
		axis, up := side/2, side&1
		face := at
		face[axis] += up
		to := at
		to[axis] += 2*up - 1
		var d int32
		switch {
		case to[axis] >= 0 && to[axis] < n:
			d = int32(g.Cur.Cell(b, to[0], to[1], to[2]))
		case g.Neighbour[b][side] == grid.None:
			continue
		default:
			d = s.across(b, side, at)
		}
		if s.Phi[d] < low && p.Label[d] >= 0 && (p.open == nil || p.open[axis][g.FaceCell(b, axis, face)] > 0) {
			label, low = p.Label[d], s.Phi[d]
		}
	}
	return label
}
