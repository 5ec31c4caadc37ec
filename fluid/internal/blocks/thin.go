package blocks

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// shutThin calls shut for every face slot of the block's cells lo ≤ cell < hi that a wall thinner
// than a cell stands across: the straight way between the two cell centres meets the solid, whose
// nearest surfaces at the two ends differ. It leaves in s.room what each of those cells has to
// itself: what is on its centre's side of the walls, up to them.
func (d *Discretiser) shutThin(s *scratch, k *block, lo, hi [3]int, f Distance, sheet bool, shut func(axis, slot int)) {
	s.pts = s.pts[:0]
	for z := lo[2] - 1; z <= hi[2]; z++ {
		for y := lo[1] - 1; y <= hi[1]; y++ {
			for x := lo[0] - 1; x <= hi[0]; x++ {
				s.pts = append(s.pts, k.centre(x, y, z))
			}
		}
	}
	mids := s.mids[:len(s.pts)]
	f(mids, s.pts)
	e := [3]int{hi[0] - lo[0] + 2, hi[1] - lo[1] + 2, hi[2] - lo[2] + 2}
	for i := range s.room[:k.n*k.n*k.n] {
		s.room[i] = -1
	}
	h := float32(k.h)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				at := [3]int{x, y, z}
				i := x - lo[0] + 1 + e[0]*(y-lo[1]+1+e[1]*(z-lo[2]+1))
				for a, stride := range [3]int{1, e[0], e[0] * e[1]} {
					p, q := (a+1)%3, (a+2)%3
					high, low := mids[i], mids[i-stride]
					if at[p] == hi[p] || at[q] == hi[q] || high+low >= h || min(high, low) < -h {
						continue
					}
					below := at
					below[a]--
					from, to, ok := s.across(f, sheet, probe{k.centre(below[0], below[1], below[2]), float64(low)}, probe{k.centre(x, y, z), float64(high)}, k.h)
					if !ok {
						continue
					}
					if at[a] < hi[a] {
						s.narrow(k, at, to)
						shut(a, int(k.first)+x+k.n*(y+k.n*z))
					}
					if at[a] > lo[a] {
						s.narrow(k, below, from)
					}
				}
			}
		}
	}
}

// narrow gives a cell room up to a wall t cells from its centre, less than 0 where that is in the wall,
// instead of up to its face.
func (s *scratch) narrow(k *block, at [3]int, t float64) {
	r := &s.room[at[0]+k.n*(at[1]+k.n*at[2])]
	if *r < 0 {
		*r = 1
	}
	*r *= float32(max(0, .5+t))
}

// probe is a place and a solid's distance there, m.
type probe struct {
	at r3.Vec
	d  float64
}

// across tells whether a thin wall separates p and q, the centres of two cells of edge h, and how far
// in cells from p and from q it is; below zero where that is in the wall. A centre in the wall counts as on the side that it is
// nearer to, where its cell has more room; one that is too deep for a thin wall as the near end of the cell beyond, and if
// that is in the wall too, cut faces tell what is open, but for a sheet, a wall thinner than a cell. Where the
// way only grazes a thick solid, the nearest surface is the same at both ends, and so is its
// normal; beside a wall, or where two walls meet, it is not.
func (s *scratch) across(f Distance, sheet bool, p, q probe, h float64) (from, to float64, ok bool) {
	dir := r3.Scale(1/h, r3.Sub(q.at, p.at))
	one := func(x r3.Vec) float64 {
		s.few[0] = x
		f(s.dist[:1], s.few[:1])
		return float64(s.dist[0])
	}
	near, far := s.outOf(one, f, p, r3.Scale(-1, dir), h), s.outOf(one, f, q, dir, h)
	way := r3.Sub(far.at, near.at)
	length := math.Sqrt(r3.Norm2(way))
	if length == 0 || near.d < 0 || far.d < 0 {
		return -.5, -.5, sheet
	}
	way = r3.Scale(1/length, way)
	touches := 1e-3 * h
	rest := length - max(0, far.d-touches) // beyond it nothing is so near
	t := near.march(one, way, rest, touches)
	if t >= rest {
		return 0, 0, false
	}
	a, b := s.gradient(f, near.at, h), s.gradient(f, far.at, h)
	if r3.Dot(a, b) >= .5*math.Sqrt(r3.Norm2(a)*r3.Norm2(b)) {
		return 0, 0, false
	}
	back := far.march(one, r3.Scale(-1, way), length, touches)
	from = r3.Dot(r3.Sub(r3.Add(near.at, r3.Scale(t, way)), p.at), dir) / h
	to = r3.Dot(r3.Sub(q.at, r3.Add(far.at, r3.Scale(-back, way))), dir) / h
	return limit(from, p.d/h), limit(to, q.d/h), true
}

// limit is the room t towards a wall, in cells, of a centre that is d cells from it: none if it is in the wall.
func limit(t, d float64) float64 {
	if d < 0 {
		return min(t, d)
	}
	return t
}

// deepest, in cells, is how deep a centre may be in a thin wall.
const deepest = .75

// off, in cells, is how far outside of a wall a centre that is in it is taken to be.
const off = .06

// outOf is where a cell's centre counts as being: where it is, or beside the thin wall that it is in, or a
// cell further along dir.
func (s *scratch) outOf(one func(r3.Vec) float64, f Distance, p probe, dir r3.Vec, h float64) probe {
	if p.d >= 0 {
		return p
	}
	if p.d < -deepest*h {
		x := r3.Add(p.at, r3.Scale(h, dir))
		return probe{x, one(x)}
	}
	y := p
	for range 3 { // where walls join, one's surface may lie in the other
		n := s.gradient(f, y.at, h)
		size := math.Sqrt(r3.Norm2(n))
		if size < .9*.1*h { // in the middle of the wall: the way that leads out furthest
			break
		}
		x := r3.Add(y.at, r3.Scale((off*h-y.d)/size, n))
		if y = (probe{x, one(x)}); y.d >= 0 {
			return y
		}
	}
	x := s.thinnest(f, p.at, h)
	return probe{x, one(x)}
}

// thinnest is the place just outside of a wall from x in its middle, the way along an axis that leads furthest away.
func (s *scratch) thinnest(f Distance, x r3.Vec, h float64) r3.Vec {
	best, most := x, 0.
	for i, d := range s.around(f, x, h) {
		if d := float64(d); d > most+1e-6*h {
			best, most = r3.Add(x, r3.Scale(h-d+off*h, ways[i])), d
		}
	}
	return best
}

// ways is the six ways along an axis.
var ways = [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// around is a solid's distances e along each of the ways from x, m.
func (s *scratch) around(f Distance, x r3.Vec, e float64) (d [6]float32) {
	for i, way := range ways {
		s.few[i] = r3.Add(x, r3.Scale(e, way))
	}
	f(s.dist[:len(d)], s.few[:])
	return [6]float32(s.dist)
}

// march goes from p along dir by what the distance allows, up to length, and returns how far it
// came before the solid was nearer than near.
func (p probe) march(one func(r3.Vec) float64, dir r3.Vec, length, near float64) float64 {
	t, d := 0., p.d
	for i := 0; i < 40; i++ {
		if d < near {
			return t
		}
		if t += d; t >= length {
			return t
		}
		d = one(r3.Add(p.at, r3.Scale(t, dir)))
	}
	return t
}

// gradient is by how much a solid's distance grows along each axis within a tenth of an edge, m.
func (s *scratch) gradient(f Distance, x r3.Vec, h float64) r3.Vec {
	d := s.around(f, x, .05*h)
	return r3.Vec{X: float64(d[1]) - float64(d[0]), Y: float64(d[3]) - float64(d[2]), Z: float64(d[5]) - float64(d[4])}
}

// ThinBlocks tells, per base cell, whether a wall thinner than a cell is in the block or one
// beside it. It writes into dst, which it lengthens as needed.
func (d *Discretiser) ThinBlocks(dst []bool) []bool {
	g := d.g
	dst = resize(dst, g.Bases())
	clear(dst)
	mark := func(b int32) {
		at := g.BaseCoords(b)
		for z := at[2] - 1; z <= at[2]+1; z++ {
			for y := at[1] - 1; y <= at[1]+1; y++ {
				for x := at[0] - 1; x <= at[0]+1; x++ {
					if nb := g.BaseAt(x, y, z); nb != grid.None {
						dst[nb] = true
					}
				}
			}
		}
	}
	for b, thin := range d.thinFixed {
		if thin {
			mark(int32(b))
		}
	}
	d.eachHit(func(j *job) {
		if j.at.Thin {
			mark(j.base)
		}
	})
	return dst
}
