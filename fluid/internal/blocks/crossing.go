package blocks

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// crossing is the straight way between the centres of two cells beside each other. A thin wall may stand across it.
type crossing struct {
	at        [3]int // of the upper cell, in the block
	axis      int
	p, q      r3.Vec  // the centres, m
	dp, dq    float64 // a solid's distances there, m
	low, high int32   // where they count as being: in stands
	walled    bool    // a thin wall separates the two
	from, to  float64 // how far in cells from p and q it is, below zero where that is in the wall
}

// stand is where a cell's centre counts as being: where it is, or, if that is in a wall, beside it on the side that it is
// nearer to, where its cell has more room; one that is too deep for a thin wall as the near end of the cell beyond.
type stand struct {
	centre, at r3.Vec
	d          float64 // a solid's distance at at, m
	beyond     bool    // in the cell beyond, where the distance is not known yet
	slope      r3.Vec  // by how much the distance grows along each axis within a tenth of an edge, m
	sloped     bool    // slope is known
}

// crossingsAtOnce and standsAtOnce are how many are gone about together: a solid is asked for six distances about each
// stand, and mostPoints at once.
const (
	crossingsAtOnce = 128
	standsAtOnce    = 2 * crossingsAtOnce
)

const (
	// deepest, in cells, is how deep a centre may be in a thin wall.
	deepest = .75
	// off, in cells, is how far outside of a wall a centre that is in it is taken to be.
	off = .06
	// middling is the slope, within a tenth of an edge, below which neither side of a wall is nearer. Ways that are traced past the wall
	// know the side as exactly.
	middling = 1e-4
	// grazing, in cells, is how deep a centre on an edge of a solid counts as being on its surface.
	grazing = 1e-3
	// longestMarch is by how many distances a march may go.
	longestMarch = 40
)

// wall is a solid that may have walls thinner than a cell.
type wall struct {
	distance  rigid.Distance
	thickness float64 // m; 0: not known
	sheet     bool    // walls are thinner than a cell seen straight on
}

// surely is the part of its thickness that a wall has at least: distances are rounded, and those of baked solids interpolated.
const surely = .9

// findCrossings lists the ways to and from the block's cells lo ≤ cell < hi that may meet the solid, and where they begin and end.
//
// A way that leads through a wall, from what is nearer to one of its sides to what is nearer to the other, has the two distances, negative ones
// in the wall, and the wall's thickness in its length.
func (s *scratch) findCrossings(w *wall, k *block, lo, hi [3]int) {
	s.pts, s.crossings, s.stands = s.pts[:0], s.crossings[:0], s.stands[:0]
	for z := lo[2] - 1; z <= hi[2]; z++ {
		for y := lo[1] - 1; y <= hi[1]; y++ {
			for x := lo[0] - 1; x <= hi[0]; x++ {
				s.pts = append(s.pts, k.centre(x, y, z))
			}
		}
	}
	mids := s.mids[:len(s.pts)]
	w.distance(mids, s.pts)
	clear(s.standOf[:len(s.pts)])
	e := [3]int{hi[0] - lo[0] + 2, hi[1] - lo[1] + 2, hi[2] - lo[2] + 2}
	h, room := float32(k.h), float32(k.h-float64(surely*w.thickness))
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				at := [3]int{x, y, z}
				i := x - lo[0] + 1 + e[0]*(y-lo[1]+1+e[1]*(z-lo[2]+1))
				if mids[i]-h >= room || mids[i] < -h { // as no cell beside it makes up for
					continue
				}
				for a, stride := range [3]int{1, e[0], e[0] * e[1]} {
					p, q := (a+1)%3, (a+2)%3
					if high, low := mids[i], mids[i-stride]; at[p] < hi[p] && at[q] < hi[q] && high+low < room && min(high, low) >= -h {
						s.addCrossing(at, a, i-stride, i, k.h)
					}
				}
			}
		}
	}
}

// addCrossing lists the way between the places low and high of s.pts.
func (s *scratch) addCrossing(at [3]int, a, low, high int, h float64) {
	p, q := s.pts[low], s.pts[high]
	dir := reproducible.Scale(1/h, r3.Sub(q, p))
	s.crossings = append(s.crossings, crossing{
		at: at, axis: a, p: p, q: q, dp: float64(s.mids[low]), dq: float64(s.mids[high]),
		low: s.standAt(low, reproducible.Scale(-1, dir), h), high: s.standAt(high, dir, h),
	})
}

// standAt is the stand of a place of s.pts on a way that goes on along dir beyond it.
func (s *scratch) standAt(i int, dir r3.Vec, h float64) int32 {
	x, d := s.pts[i], float64(s.mids[i])
	if d < -deepest*h {
		s.stands = append(s.stands, stand{at: r3.Add(x, reproducible.Scale(h, dir)), beyond: true})
		return int32(len(s.stands) - 1)
	}
	if s.standOf[i] == 0 {
		s.stands = append(s.stands, stand{centre: x, at: x, d: d})
		s.standOf[i] = int32(len(s.stands))
	}
	return s.standOf[i] - 1
}

// standOut takes the stands out of the walls that they are in.
func (s *scratch) standOut(f rigid.Distance, h float64) {
	for lo := 0; lo < len(s.stands); lo += standsAtOnce {
		s.which = s.which[:0]
		for i := lo; i < min(lo+standsAtOnce, len(s.stands)); i++ {
			if s.stands[i].beyond {
				s.which = append(s.which, int32(i))
			}
		}
		s.measureStands(f)
		s.which = s.which[:0]
		for i := lo; i < min(lo+standsAtOnce, len(s.stands)); i++ {
			if p := &s.stands[i]; p.d < 0 && !p.beyond {
				s.which = append(s.which, int32(i))
			}
		}
		s.leaveWalls(f, h)
	}
}

// measureStands asks for the distance where the stands s.which are.
func (s *scratch) measureStands(f rigid.Distance) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = append(s.pts, s.stands[i].at)
	}
	s.ask(f)
	for j, i := range s.which {
		s.stands[i].d, s.stands[i].sloped = float64(s.dist[j]), false
	}
}

// leaveWalls moves the stands s.which, which are in walls, along the slope until they are beside it; three times, since
// where walls join, one's surface may lie in the other. Those in the middle of a wall, and those for which three times are not
// enough, take the way along an axis that leads furthest away.
func (s *scratch) leaveWalls(f rigid.Distance, h float64) {
	s.stuck = s.stuck[:0]
	for range 3 {
		s.slopes(f, h)
		n := 0
		for _, i := range s.which {
			p := &s.stands[i]
			size := math.Sqrt(reproducible.Norm2(p.slope))
			if size < middling*h || size < .9*.1*h && p.d > -grazing*h {
				s.stuck = append(s.stuck, i)
				continue
			}
			p.at = r3.Add(p.at, reproducible.Scale((float64(off*h)-p.d)/size, p.slope))
			s.which[n] = i
			n++
		}
		s.which = s.which[:n]
		s.measureStands(f)
		n = 0
		for _, i := range s.which {
			if s.stands[i].d < 0 {
				s.which[n] = i
				n++
			}
		}
		s.which = s.which[:n]
	}
	s.which = append(s.which, s.stuck...)
	s.leaveAlongAxes(f, h)
}

// leaveAlongAxes puts the stands s.which just outside of the wall that their centres are in the middle of, along the axis that
// leads furthest away.
func (s *scratch) leaveAlongAxes(f rigid.Distance, h float64) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = around(s.pts, s.stands[i].centre, h)
	}
	s.ask(f)
	for j, i := range s.which {
		p, most := &s.stands[i], 0.
		p.at = p.centre
		for w, d := range s.dist[len(ways)*j:][:len(ways)] {
			if d := float64(d); d > most+float64(1e-6*h) {
				p.at, most = r3.Add(p.centre, reproducible.Scale(h-d+float64(off*h), ways[w])), d
			}
		}
	}
	s.measureStands(f)
}

// slopes measures the slope at the stands s.which.
func (s *scratch) slopes(f rigid.Distance, h float64) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = around(s.pts, s.stands[i].at, .05*h)
	}
	s.ask(f)
	for j, i := range s.which {
		d := (*[len(ways)]float32)(s.dist[len(ways)*j:])
		p := &s.stands[i]
		p.slope, p.sloped = r3.Vec{X: float64(d[1]) - float64(d[0]), Y: float64(d[3]) - float64(d[2]), Z: float64(d[5]) - float64(d[4])}, true
	}
}

// ways is the six ways along an axis.
var ways = [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// around appends the places e along each of the ways from x, m.
func around(pts []r3.Vec, x r3.Vec, e float64) []r3.Vec {
	for _, way := range ways {
		pts = append(pts, r3.Add(x, reproducible.Scale(e, way)))
	}
	return pts
}

// thickest, in cells, is how deep a place in a wall thinner than a cell is at most.
const thickest = .5

// cross finds which crossings a thin wall separates, and how far it is from their ends. Where an end is in the solid all the same,
// cut faces tell what is open, but for a sheet, a wall thinner than a cell, unless it is thicker there. Where the way only grazes a thick
// solid, the nearest surface is the same at both ends, and so is its normal; beside a wall, or where two walls
// meet, it is not.
func (s *scratch) cross(f rigid.Distance, crossings []crossing, sheet bool, h float64) {
	touches := float64(1e-3 * h)
	s.wantSlopes(crossings)
	s.slopes(f, h)
	s.marches = s.marches[:0]
	for i := range crossings {
		c := &crossings[i]
		near, far := &s.stands[c.low], &s.stands[c.high]
		way := r3.Sub(far.at, near.at)
		switch {
		case way == r3.Vec{} || near.d < 0 || far.d < 0:
			c.from, c.to, c.walled = -.5, -.5, sheet && min(c.dp, c.dq) > float64(-thickest*h)
			continue
		case alongside(near, far):
			continue
		}
		length := math.Sqrt(reproducible.Norm2(way))
		rest := length - max(0, far.d-touches) // beyond it nothing is so near
		s.marches = append(s.marches, march{of: c, from: near.at, dir: reproducible.Scale(1/length, way), d: near.d, end: rest, length: length})
	}
	s.march(f, touches)
	s.turnBack()
	s.march(f, touches)
	for i := range s.marches {
		m := &s.marches[i]
		c, dir := m.of, reproducible.Scale(1/h, r3.Sub(m.of.q, m.of.p))
		from := reproducible.Dot(r3.Sub(m.met, c.p), dir) / h
		to := reproducible.Dot(r3.Sub(c.q, r3.Add(m.from, reproducible.Scale(m.t, m.dir))), dir) / h
		c.from, c.to, c.walled = limit(from, c.dp/h), limit(to, c.dq/h), true
	}
}

// alongside tells whether the nearest surface has the same normal at both ends of a way.
func alongside(near, far *stand) bool {
	a, b := near.slope, far.slope
	return reproducible.Dot(a, b) >= .5*math.Sqrt(reproducible.Norm2(a)*reproducible.Norm2(b))
}

// limit is the room t towards a wall, in cells, of a centre that is d cells from it: none if it is in the wall.
func limit(t, d float64) float64 {
	if d < 0 {
		return min(t, d)
	}
	return t
}

// turnBack keeps the marches that met the solid and sends them back from the far end.
func (s *scratch) turnBack() {
	n := 0
	for i := range s.marches {
		if m := &s.marches[i]; m.t < m.end {
			near, far := &s.stands[m.of.low], &s.stands[m.of.high]
			s.marches[n] = march{of: m.of, from: far.at, dir: reproducible.Scale(-1, m.dir), d: far.d, end: m.length, met: r3.Add(near.at, reproducible.Scale(m.t, m.dir))}
			n++
		}
	}
	s.marches = s.marches[:n]
}

// wantSlopes lists in s.which the stands out of walls, of some crossings, whose slope is not known.
func (s *scratch) wantSlopes(crossings []crossing) {
	s.which = s.which[:0]
	for i := range crossings {
		for _, e := range [2]int32{crossings[i].low, crossings[i].high} {
			if p := &s.stands[e]; !p.sloped && p.d >= 0 {
				p.sloped = true
				s.which = append(s.which, e)
			}
		}
	}
}

// march is a way along which a solid's surface is looked for.
type march struct {
	of        *crossing
	from, dir r3.Vec
	t         float64 // how far it has come, m
	d         float64 // the solid's distance there
	end       float64 // where it may stop
	length    float64 // between the crossing's ends
	met       r3.Vec  // where it met the solid on its way there
}

// march goes on with s.marches, each by what the distance allows, until the solid is nearer than near or they are at
// their ends.
func (s *scratch) march(f rigid.Distance, near float64) {
	s.which = s.which[:0]
	for i := range s.marches {
		s.which = append(s.which, int32(i))
	}
	for range longestMarch {
		n := 0
		s.pts = s.pts[:0]
		for _, i := range s.which {
			m := &s.marches[i]
			if m.d < near {
				continue
			}
			if m.t += m.d; m.t < m.end {
				s.pts = append(s.pts, r3.Add(m.from, reproducible.Scale(m.t, m.dir)))
				s.which[n] = i
				n++
			}
		}
		if n == 0 {
			return
		}
		s.which = s.which[:n]
		s.ask(f)
		for j, i := range s.which {
			s.marches[i].d = float64(s.dist[j])
		}
	}
}
