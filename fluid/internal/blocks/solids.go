package blocks

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// touch, in cells, is how close to a solid a face counts as lying in it: more than the
// rounding of single-precision distances, less than any slit the grid could resolve.
const touch = 1e-4

// block is where a block stands.
type block struct {
	b     int32
	n     int
	bits  int // n is 1<<bits
	h     float64
	lo    [3]float64
	first int32
}

func (d *Discretiser) block(b int32) block {
	l := d.g.Cur.Level[b]
	return block{b, 1 << l, int(l), d.g.CellSize(l), d.g.Corner(b), d.g.Cur.First[b]}
}

// place is where cell c of the block, counted from its first, stands in it.
func (k *block) place(c int) [3]int {
	return [3]int{c & (k.n - 1), c >> k.bits & (k.n - 1), c >> (2 * k.bits)}
}

// reach is the farthest that anything of the block, and one cell around it, is from its middle.
func (k *block) reach() float64 { return (float64(k.n)/2+1)*k.h*math.Sqrt(3) + 1e-9 }

func (k *block) middle() r3.Vec {
	e := k.h * float64(k.n) / 2
	return r3.Vec{X: k.lo[0] + e, Y: k.lo[1] + e, Z: k.lo[2] + e}
}

// fix measures static solids and walls, where they or the layout have changed.
func (d *Discretiser) fix(s *scratch, b int32) {
	k := d.block(b)
	now := d.keyOf(b)
	cells := k.n * k.n * k.n
	if d.known[b] != now {
		d.known[b] = now
		d.measure(s, &k, now)
		d.cut[b] = true
	}
	if d.cut[b] {
		d.cut[b] = false
		for a := range 3 {
			copy(d.Open[a][k.first:][:cells], d.fixedOpen[a][k.first:])
		}
		copy(d.Volume[k.first:][:cells], d.fixedVolume[k.first:])
	}
}

func (d *Discretiser) keyOf(b int32) key {
	now := key{level: d.g.Cur.Level[b], first: d.g.Cur.First[b]}
	for a := range 3 {
		now.low[a] = 255
		if nb := d.g.Neighbour[b][2*a]; nb != grid.None {
			now.low[a] = d.g.Cur.Level[nb]
		}
	}
	return now
}

func (d *Discretiser) measure(s *scratch, k *block, now key) {
	s.finest = finestCut
	clear := d.clearance(s, k)
	d.bare[k.b], d.thinFixed[k.b] = clear, false
	walls := d.wallDistance(k.middle()) <= k.reach()
	d.plain[k.b] = clear && !walls
	if !clear {
		d.nodeDistances(s, k, [3]int{}, [3]int{k.n, k.n, k.n}, d.static)
	}
	n := k.n
	vol := k.h * k.h * k.h
	for z := range n {
		for y := range n {
			for x := range n {
				at := [3]int{x, y, z}
				c := int(k.first) + x + n*(y+n*z)
				open := 1.
				if !clear {
					var cd [8]float64
					s.corners(&cd, k, at)
					s.few[0] = k.centre(x, y, z)
					s.sample(d.static, k, 1)
					solid, _ := s.solidVolume(d.static, k, at, &cd, s.got[0])
					open = 1 - solid
				}
				if walls {
					open *= d.within(k, 0, x, 1) * d.within(k, 1, y, 1) * d.within(k, 2, z, 1)
				}
				d.fixedVolume[c] = float32(vol * open)
				for a := range 3 {
					d.fixedOpen[a][c] = d.openFace(s, k, now, a, at, clear, walls)
				}
			}
		}
	}
	if !clear && d.thin {
		d.shutThin(s, k, [3]int{}, [3]int{k.n, k.n, k.n}, d.static, true, func(a, slot int) { d.fixedOpen[a][slot], d.thinFixed[k.b] = 0, true })
		for c, room := range s.room[:n*n*n] {
			if room >= 0 {
				d.fixedVolume[int(k.first)+c] = float32(vol) * room
			}
		}
	}
}

// openFace is the fixed open fraction of one face slot of a block.
func (d *Discretiser) openFace(s *scratch, k *block, now key, a int, at [3]int, clear, walls bool) float64 {
	size := 1
	if at[a] == 0 {
		switch low := now.low[a]; {
		case low == 255:
			return 0
		case low < now.level:
			if at[(a+1)%3]&1 == 1 || at[(a+2)%3]&1 == 1 {
				return 0
			}
			size = 2
		}
	}
	open := 1.
	if !clear {
		solid, _ := s.solidArea(d.static, k, a, at, size)
		open = 1 - solid
	}
	if walls {
		p, q := (a+1)%3, (a+2)%3
		open *= d.within(k, p, at[p], size) * d.within(k, q, at[q], size)
		x := k.lo[a] + float64(at[a])*k.h
		if !d.open[2*a] && x < d.lo[a]+touch*k.h || !d.open[2*a+1] && x > d.hi[a]-touch*k.h {
			return 0
		}
	}
	return 1 - tidy(1-open)
}

// within is the part of an edge along an axis, size cells from cell i on, that the domain's
// closed sides leave.
func (d *Discretiser) within(k *block, a, i, size int) float64 {
	lo := k.lo[a] + float64(i)*k.h
	hi := lo + float64(size)*k.h
	from, to := lo, hi
	if !d.open[2*a] {
		from = max(from, d.lo[a])
	}
	if !d.open[2*a+1] {
		to = min(to, d.hi[a])
	}
	f := (to - from) / (hi - lo)
	if f > 1-1e-9 {
		return 1
	}
	return max(0, f)
}

// clearance tells whether no static solid touches the block or the cells around it.
func (d *Discretiser) clearance(s *scratch, k *block) bool {
	if d.static == nil {
		return true
	}
	s.pts = append(s.pts[:0], k.middle())
	d.static(s.dist[:1], s.pts)
	return float64(s.dist[0]) > k.reach()
}

// wallDistance is how far inside of the domain's closed sides a point is, m.
func (d *Discretiser) wallDistance(p r3.Vec) float64 {
	v := [3]float64{p.X, p.Y, p.Z}
	c := math.Inf(1)
	for a := range 3 {
		if !d.open[2*a] {
			c = min(c, v[a]-d.lo[a])
		}
		if !d.open[2*a+1] {
			c = min(c, d.hi[a]-v[a])
		}
	}
	return c
}

// nodeDistances fills s.nodes with a solid's distance, in cells, at the corners of the block's
// cells lo ≤ cell < hi.
func (d *Discretiser) nodeDistances(s *scratch, k *block, lo, hi [3]int, f Distance) {
	s.pts = s.pts[:0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s.pts = append(s.pts, r3.Vec{X: k.lo[0] + float64(x)*k.h, Y: k.lo[1] + float64(y)*k.h, Z: k.lo[2] + float64(z)*k.h})
			}
		}
	}
	f(s.dist[:len(s.pts)], s.pts)
	inv := 1 / k.h
	i, m := 0, k.n+1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s.nodes[x+m*(y+m*z)] = min(float64(s.dist[i])*inv, 1e6)
				i++
			}
		}
	}
}

// square writes the four corner distances of a face, in cells, less touch.
func (s *scratch) square(c *[4]float64, k *block, a int, at [3]int, size int) {
	m := k.n + 1
	stride := [3]int{1, m, m * m}
	i := at[0] + m*(at[1]+m*at[2])
	p, q := size*stride[(a+1)%3], size*stride[(a+2)%3]
	c[0], c[1], c[2], c[3] = s.nodes[i]-touch, s.nodes[i+p]-touch, s.nodes[i+q]-touch, s.nodes[i+p+q]-touch
}

// corners writes the eight corner distances of a cell, in cells.
func (s *scratch) corners(c *[8]float64, k *block, at [3]int) {
	m := k.n + 1
	for i := range 4 {
		row := s.nodes[at[0]+m*(at[1]+i&1+m*(at[2]+i>>1)):][:2]
		c[2*i], c[2*i+1] = row[0], row[1]
	}
}

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
					from, to, ok := across(s, f, sheet, k.centre(below[0], below[1], below[2]), k.centre(x, y, z), k.h)
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

// point is a place in the block, in cells from its low corner.
func (k *block) point(x r3.Vec) r3.Vec {
	return r3.Vec{X: k.lo[0] + x.X*k.h, Y: k.lo[1] + x.Y*k.h, Z: k.lo[2] + x.Z*k.h}
}

func (k *block) centre(x, y, z int) r3.Vec {
	return r3.Vec{X: k.lo[0] + (float64(x)+.5)*k.h, Y: k.lo[1] + (float64(y)+.5)*k.h, Z: k.lo[2] + (float64(z)+.5)*k.h}
}

// across tells whether a thin wall separates p and q, the centres of two cells of edge h, and how far
// in cells from p and from q it is; below zero where that is in the wall. A centre in a sheet, a wall thinner than a cell,
// counts as on the side of the sheet that it is nearer to, where its cell has more room. In thicker walls it counts
// as the near end of the cell beyond, unless that is in the wall too: then cut faces tell what is open. Where the
// way only grazes a thick solid, the nearest surface is the same at both ends, and so is its
// normal; beside a wall, or where two walls meet, it is not.
func across(s *scratch, f Distance, sheet bool, p, q r3.Vec, h float64) (from, to float64, ok bool) {
	dir := r3.Scale(1/h, r3.Sub(q, p))
	one := func(x r3.Vec) float64 {
		s.one[0] = x
		f(s.dist[:1], s.one[:])
		return float64(s.dist[0])
	}
	near, far := outOf(one, p, r3.Scale(-1, dir), h, sheet), outOf(one, q, dir, h, sheet)
	way := r3.Sub(far, near)
	length := math.Sqrt(r3.Norm2(way))
	if length == 0 || one(near) < 0 || one(far) < 0 {
		return 0, 0, false
	}
	way = r3.Scale(1/length, way)
	t := march(one, near, way, length, 1e-3*h)
	if t >= length {
		return 0, 0, false
	}
	a, b := gradient(one, near, h), gradient(one, far, h)
	if r3.Dot(a, b) >= .5*math.Sqrt(r3.Norm2(a)*r3.Norm2(b)) {
		return 0, 0, false
	}
	back := march(one, far, r3.Scale(-1, way), length, 1e-3*h)
	from = r3.Dot(r3.Sub(r3.Add(near, r3.Scale(t, way)), p), dir) / h
	to = r3.Dot(r3.Sub(q, r3.Add(far, r3.Scale(-back, way))), dir) / h
	return from, to, true
}

// off, in cells, is how far outside of a sheet a centre that is in it is taken to be.
const off = .06

// outOf is where a cell's centre x counts as being: where it is, or beside the sheet that it is in, or a cell
// further along dir.
func outOf(one func(r3.Vec) float64, x, dir r3.Vec, h float64, sheet bool) r3.Vec {
	d := one(x)
	if d >= 0 {
		return x
	}
	if !sheet {
		return r3.Add(x, r3.Scale(h, dir))
	}
	n := gradient(one, x, h)
	size := math.Sqrt(r3.Norm2(n))
	if size < 1e-3*.1*h { // in the middle of the wall: the way that leads out furthest
		return thinnest(one, x, h)
	}
	return r3.Add(x, r3.Scale((off*h-d)/size, n))
}

// thinnest is the place just outside of a wall from x in its middle, the way along an axis that leads furthest away.
func thinnest(one func(r3.Vec) float64, x r3.Vec, h float64) r3.Vec {
	best, most := x, 0.
	for _, e := range [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}} {
		if d := one(r3.Add(x, r3.Scale(h, e))); d > most+1e-6*h {
			best, most = r3.Add(x, r3.Scale(h-d+off*h, e)), d
		}
	}
	return best
}

// march goes from p along dir by what the distance allows, up to length, and returns how far it
// came.
func march(one func(r3.Vec) float64, p, dir r3.Vec, length, near float64) float64 {
	t := 0.
	for i := 0; t < length && i < 40; i++ {
		v := one(r3.Add(p, r3.Scale(t, dir)))
		if v < near {
			return t
		}
		t += v
	}
	return t
}

func gradient(one func(r3.Vec) float64, x r3.Vec, h float64) r3.Vec {
	e := .05 * h
	return r3.Vec{
		X: one(r3.Vec{X: x.X + e, Y: x.Y, Z: x.Z}) - one(r3.Vec{X: x.X - e, Y: x.Y, Z: x.Z}),
		Y: one(r3.Vec{X: x.X, Y: x.Y + e, Z: x.Z}) - one(r3.Vec{X: x.X, Y: x.Y - e, Z: x.Z}),
		Z: one(r3.Vec{X: x.X, Y: x.Y, Z: x.Z + e}) - one(r3.Vec{X: x.X, Y: x.Y, Z: x.Z - e}),
	}
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
