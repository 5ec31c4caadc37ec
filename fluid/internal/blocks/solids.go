package blocks

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
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

// index is the other way round.
func (k *block) index(at [3]int) int { return at[0] + k.n*(at[1]+k.n*at[2]) }

// reach is the farthest that anything of the block, and one cell around it, is from its middle.
func (k *block) reach() float64 { return float64(float64(k.n+2)/2*k.h*math.Sqrt(3)) + 1e-9 }

func (k *block) middle() r3.Vec {
	e := float64(k.h * float64(k.n) / 2)
	return r3.Vec{X: k.lo[0] + e, Y: k.lo[1] + e, Z: k.lo[2] + e}
}

// measureFixed measures static solids and walls, where they or the layout have changed, and tells whether they have.
func (d *Discretiser) measureFixed(s *scratch, b int32) bool {
	now, was := d.keyOf(b), d.known[b]
	if was == now {
		return false
	}
	k := d.block(b)
	d.known[b] = now
	if d.bare[b] && was.level == now.level && was.first == now.first { // only blocks below have changed
		for a := range 3 {
			if was.low[a] != now.low[a] {
				d.measureLow(&k, now, a, !d.plain[b])
			}
		}
		return true
	}
	d.measure(s, &k, now)
	return true
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
	s.finest, s.dry = finestCut, mask{}
	clear := d.clearance(s, k)
	d.bare[k.b], d.thinFixed[k.b] = clear, false
	walls := d.wallDistance(k.middle()) <= k.reach()
	d.plain[k.b] = clear && !walls
	d.measureWalls(k, now, walls)
	if clear {
		return
	}
	d.measureStatic(s, k, now, walls)
	around := r3.Box{Min: k.centre(-1, -1, -1), Max: k.centre(k.n, k.n, k.n)}
	if t := d.thick(around); t < thin*k.h {
		d.shutStatic(s, k, wall{d.static, t, t < k.h})
	}
}

// measureWalls measures what the domain's sides leave of a block.
func (d *Discretiser) measureWalls(k *block, now key, walls bool) {
	n := k.n * k.n * k.n
	volume, whole := d.fixedVolume[k.first:][:n], k.h*k.h*k.h
	var part [3][grid.Edge]float64 // that they leave of a cell's edge
	var shut [3][grid.Edge]bool    // a side of the domain is in the faces below the cell
	for a := range 3 {
		for i := range k.n {
			part[a][i] = 1
			if walls {
				part[a][i], shut[a][i] = d.within(k, a, i, 1), d.inSide(k, a, i)
			}
		}
	}
	for c := range volume {
		at := k.place(c)
		x, y, z := part[0][at[0]], part[1][at[1]], part[2][at[2]]
		volume[c] = float32(whole * (x * y * z))
		for a, open := range [3]float64{y * z, z * x, x * y} {
			if shut[a][at[a]] {
				open = 0
			}
			d.fixedOpen[a][int(k.first)+c] = 1 - tidy(1-open)
		}
	}
	for a := range 3 {
		d.measureLow(k, now, a, walls)
	}
}

// measureLow measures what the domain's sides leave of the faces on a block's low side.
func (d *Discretiser) measureLow(k *block, now key, a int, walls bool) {
	p, q := (a+1)%3, (a+2)%3
	for i := range k.n {
		for j := range k.n {
			var at [3]int
			at[p], at[q] = i, j
			open, _ := d.openFace(k, now, a, at, walls)
			d.fixedOpen[a][int(k.first)+k.index(at)] = 1 - tidy(1-open)
		}
	}
}

// measureStatic takes what static solids cover of a block off what the domain's sides leave.
func (d *Discretiser) measureStatic(s *scratch, k *block, now key, walls bool) {
	s.enter(d, k)
	d.nodeDistances(s, k, [3]int{}, [3]int{k.n, k.n, k.n}, d.static)
	s.near, s.faces, s.pts = s.near[:0], s.faces[:0], s.pts[:0]
	for c := range k.n * k.n * k.n {
		at := k.place(c)
		s.addCell(k, at, k.first+int32(c))
		for a := range 3 {
			if open, size := d.openFace(k, now, a, at, walls); open > 0 && s.classifyFace(k, a, at, size, k.first+int32(c)) < 0 {
				d.fixedOpen[a][int(k.first)+c] = 0
			}
		}
	}
	s.cutCells(d.static, k)
	for i := range s.near {
		c := &s.near[i]
		d.fixedVolume[c.to] = float32(k.h * k.h * k.h * max(0, d.openCell(k, c.at, walls)-c.solid))
	}
	s.cutFaces(d.static, k.h)
	for i := range s.faces {
		f := &s.faces[i]
		open, _ := d.openFace(k, now, f.plane.axis, k.place(int(f.to-k.first)), walls)
		d.fixedOpen[f.plane.axis][f.to] = 1 - tidy(1-max(0, open-f.solid))
	}
}

// openCell is the fraction of a cell that is in the domain.
func (d *Discretiser) openCell(k *block, at [3]int, walls bool) float64 {
	if !walls {
		return 1
	}
	return d.within(k, 0, at[0], 1) * d.within(k, 1, at[1], 1) * d.within(k, 2, at[2], 1)
}

// openFace is the fraction of a face slot of a block that the domain's sides leave open, and the face's edge, cells.
func (d *Discretiser) openFace(k *block, now key, a int, at [3]int, walls bool) (open float64, size int) {
	size = 1
	if at[a] == 0 {
		switch low := now.low[a]; {
		case low == 255:
			return 0, size
		case low < now.level:
			if at[(a+1)%3]&1 == 1 || at[(a+2)%3]&1 == 1 {
				return 0, size
			}
			size = 2
		}
	}
	if !walls {
		return 1, size
	}
	if d.inSide(k, a, at[a]) {
		return 0, size
	}
	p, q := (a+1)%3, (a+2)%3
	return d.within(k, p, at[p], size) * d.within(k, q, at[q], size), size
}

// inSide tells whether the faces below the i-th cells along an axis are in a closed side of the domain, or beyond it.
func (d *Discretiser) inSide(k *block, a, i int) bool {
	x := k.lo[a] + float64(float64(i)*k.h)
	return !d.open[2*a] && x < d.lo[a]+float64(touch*k.h) || !d.open[2*a+1] && x > d.hi[a]-float64(touch*k.h)
}

// within is the part of an edge along an axis, size cells from cell i on, that the domain's
// closed sides leave.
func (d *Discretiser) within(k *block, a, i, size int) float64 {
	lo := k.lo[a] + float64(float64(i)*k.h)
	hi := lo + float64(float64(size)*k.h)
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
func (d *Discretiser) nodeDistances(s *scratch, k *block, lo, hi [3]int, f shapes.Distance) {
	s.pts = s.pts[:0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s.pts = append(s.pts, r3.Vec{X: k.lo[0] + float64(float64(x)*k.h), Y: k.lo[1] + float64(float64(y)*k.h), Z: k.lo[2] + float64(float64(z)*k.h)})
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

// point is a place in the block, in cells from its low corner.
func (k *block) point(x r3.Vec) r3.Vec {
	return r3.Vec{X: k.lo[0] + float64(x.X*k.h), Y: k.lo[1] + float64(x.Y*k.h), Z: k.lo[2] + float64(x.Z*k.h)}
}

func (k *block) centre(x, y, z int) r3.Vec {
	return r3.Vec{X: k.lo[0] + float64((float64(x)+.5)*k.h), Y: k.lo[1] + float64((float64(y)+.5)*k.h), Z: k.lo[2] + float64((float64(z)+.5)*k.h)}
}
