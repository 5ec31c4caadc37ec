package levelset

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// A gap is a cell of air between liquid on both sides along an axis. The velocity in its middle is interpolated between these sides: where liquid comes in from both it is the
// mean of opposite velocities, though each wall of the gap moves with its own. By that φ would hardly fall there, and the gap swallow many times its volume of
// liquid, whose fall into it drives jets. The velocity of φ in the air is that of the nearest place of the surface (Adalsteinsson, Sethian 1999): from the mean it
// differs by half of the difference.

// leastWidth, in cells, is what a gap's widths along two axes are at least, multiplied, as its walls come nearer: one that is narrower is closed within a step or two.
const leastWidth = .1

// closeGaps has the walls of a block's gaps come nearer to their middles, when w.way has led φ on. A gap has no solid in it: what moves there may be that. A gap whose walls have met is a void: see cutting.
func (s *Field) closeGaps(w *workspace, b int32) {
	l := s.g.Cur.Level[b]
	n, h := 1<<l, float32(s.g.CellSize(l))
	phi, tile, v, dt := s.Phi[s.g.Cur.First[b]:][:n*n*n], s.Tiles.Tile(b), s.v.Tile(b), float32(s.dt)
	for i, p := range phi {
		if !(p >= 0 && p < h) {
			continue
		}
		if from, ok := w.cameFrom(i, l); ok {
			if by := closing(tile, &v, &from, n); by > 0 && (s.Whole == nil || s.Whole(b, i)) {
				phi[i] = max(-h/2, p-float32(dt*by))
			}
		}
	}
}

// cameFrom is the cell of the old block, of the same level, from which cell i comes. It is not ok if that is in another block.
func (w *workspace) cameFrom(i int, l uint8) (at [3]int, ok bool) {
	end := float32(int(1) << l)
	for a := range at {
		x := middles[l][a][i] + w.way[a][i]
		if !(x >= 0 && x < end) {
			return at, false
		}
		at[a] = int(x)
	}
	return at, true
}

// closing is how fast the walls of a gap come nearer to its middle, m/s: 0 in other cells, and where they part. Liquid that comes through the whole of a side fills no
// more than the gap's width along the other axes. phi is the tile of a block of n³.
func closing(phi []float32, v *layout.Tile, at *[3]int, n int) (speed float32) {
	e := n + 2
	c := at[0] + 1 + e*(at[1]+1+e*(at[2]+1))
	if phi[c] < 0 {
		return 0
	}
	width, gap := [3]float32{1, 1, 1}, [3]bool{}
	for a, step := range [3]int{1, e, e * e} {
		if low, high := phi[c-step], phi[c+step]; low < 0 && high < 0 {
			width[a], gap[a] = min(1, phi[c]/(phi[c]-low)+phi[c]/(phi[c]-high)), true
		}
	}
	for a := range gap {
		if gap[a] {
			low, high := v.Sides(a, at[0], at[1], at[2])
			if by := .5 * (low - high) / max(leastWidth, width[(a+1)%3]*width[(a+2)%3]); by > speed && by-by == 0 {
				speed = by
			}
		}
	}
	return speed
}
