package controls

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// gapCells is how many cells wide a gap may be for what liquid there is in it to be held: liquid whose surface is half a cell off on either side
// closes such a gap, and would fall out of it.
const gapCells = 2

// findGaps finds the cells outside of a shape that have it on both sides along an axis, at most gapCells apart.
func (c *Control) findGaps() {
	r := &c.raster
	c.gap = arrays.Resize(c.gap, len(r.Inside))
	clear(c.gap)
	for axis, stride := range r.Strides() {
		for i := range r.Crossings[axis] {
			x := &r.Crossings[axis][i]
			if x.Outward < 0 {
				continue
			}
			most := min(gapCells, int32(r.Dim[axis])-1-x.Cell/stride%int32(r.Dim[axis]))
			for n := int32(1); n <= most; n++ {
				if r.At[axis][x.Cell+n*stride] < 0 {
					continue
				}
				for k := int32(1); k <= n; k++ {
					c.gap[x.Cell+k*stride] = true
				}
				break
			}
		}
	}
}

// inGap tells whether a place is in a gap of the shape.
func (c *Control) inGap(x *[3]float64) bool {
	i := c.index(c.lattice(x))
	return i >= 0 && c.gap[i]
}

// skinRow is a row that is taken for one in a shape.
type skinRow struct {
	row     int32
	control int16
	between bool // the row is between two shapes: each has it
}

// filmCells is how many cells thick a film on the sides of a shape and under it may be to be held, and what a body presses up around itself. Else it is
// one on top: more may be the pool that the shape is in.
const filmCells = 3

// addSkin takes rows outside of the shapes for ones in them: those in gaps, and films on them, which else no control would hold.
func (s *Set) addSkin(gr *graph.Graph) {
	for _, c := range s.All {
		if !c.acts() {
			continue
		}
		for _, r := range c.rows {
			for _, f := range gr.FacesOf(r) {
				if f >= 0 {
					s.addFilm(gr, r, f)
				}
			}
		}
	}
	for _, k := range s.skin {
		if s.owner[k.row] == 0 || k.between && s.beyond[k.row] && !s.has(k.control, k.row) {
			s.beyond[k.row] = true
			s.add(k.row, k.control)
			s.All[k.control-1].rows = append(s.All[k.control-1].rows, k.row)
		}
	}
}

// addFilm lists the rows beyond a face of one in a shape, straight on, if air comes after them soon enough, or another shape within a gap's width: what is squeezed
// between both is of both.
func (s *Set) addFilm(gr *graph.Graph, r, f int32) {
	var film [filmCells]skinRow
	most := filmCells
	next, outward := gr.Across(r, f)
	if outward*gr.Along(int(f), &s.up) > 0 && !s.touched[r] {
		most = 1
	}
	for n := 0; ; n++ {
		if next == graph.Air {
			s.skin = append(s.skin, film[:n]...)
			return
		}
		if next >= 0 && n > 0 && n <= gapCells && s.owner[next] != 0 && !s.has(s.owner[next], r) {
			for _, k := range film[:n] {
				s.skin = append(s.skin, skinRow{k.row, s.owner[r], true}, skinRow{k.row, s.owner[next], true})
			}
			return
		}
		if n == most || next < 0 || s.owner[next] != 0 {
			return
		}
		film[n] = skinRow{next, s.owner[r], false}
		if f = gr.Opposite(next, f); f < 0 {
			return
		}
		next, _ = gr.Across(next, f)
	}
}

// thinning is how far air may come into the cell of a row beyond the surface within a pull, m: what it takes the place of leaves through the faces to the other rows
// in shapes, and is to go no further there than pullReach cells.
func (s *Set) thinning(gr *graph.Graph, r int32) float64 {
	air, within := 0., 0.
	for _, f := range gr.FacesOf(r) {
		if f < 0 {
			continue
		}
		free := float64(gr.Area[f] * gr.Open[f])
		side, _ := gr.Across(r, f)
		air += float64(free * airPart(gr, side))
		regionSide(gr, side, func(beside int32, share float64) {
			if s.owner[beside] != 0 {
				within += float64(free * share)
			}
		})
	}
	reach := pullReach * float64(s.edgeOf(gr, r)) * s.CellSize
	if !(air > within) {
		return reach
	}
	return reach * within / air
}

// isBeyond tells whether a side of a face is a row that addSkin has taken.
func (s *Set) isBeyond(side int32) bool { return side >= 0 && s.beyond[side] }
