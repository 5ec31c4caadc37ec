package cutting

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// nearCell is a cell that a solid comes near to, and what the solid fills of it.
type nearCell struct {
	place int32 // in the block
	at    [3]int
	to    int32   // whose it is: the caller's
	solid float64 // fraction of the volume
	x     r3.Vec  // centroid of the solid part, m
}

// addCell puts a cell on the list, in place.
func (s *scratch) addCell(k *block, at [3]int, to int32) {
	n := len(s.near)
	s.near = slices.Grow(s.near, 1)[:n+1]
	c := &s.near[n]
	c.place, c.at, c.to, c.solid, c.x = int32(k.index(at)), at, to, 0, r3.Vec{}
	s.pts = append(s.pts, k.centre(at[0], at[1], at[2]))
}

// middleMargin, in cells, is how far the middle of a cell whose corners are all on one side may be from a solid's
// surface that an edge of still comes into the cell.
const middleMargin = .25

// cutCells measures s.near, whose middles are s.pts.
func (s *scratch) cutCells(f shapes.Distance, k *block) {
	s.evaluate(f)
	middles := s.mids[:copy(s.mids[:], s.dist[:len(s.pts)])]
	s.cubes = s.cubes[:0]
	for i := range s.near {
		c := &s.near[i]
		var d [8]float64
		s.corners(&d, k, c.at)
		middle, stretch := float64(middles[i])/k.h, float32(0)
		if s.crossed(c.at) {
			b := s.clip(c.at)
			middle = s.evaluateClip(f, k, c.at, &b, &d)
			by := b.stretch(&d)
			for o := range d {
				d[o] *= by
			}
			middle, stretch = middle*by, float32(by)
		}
		lo := r3.Vec{X: float64(c.at[0]), Y: float64(c.at[1]), Z: float64(c.at[2])}
		mean := float64((d[0] + d[1] + d[2] + d[3] + d[4] + d[5] + d[6] + d[7]) / 8)
		switch least, most := extent(&d); {
		case least >= 0 && middle >= middleMargin:
			c.solid, c.x = 0, k.point(r3.Add(lo, r3.Vec{X: .5, Y: .5, Z: .5}))
		case most <= 0 && middle <= -middleMargin:
			c.solid, c.x = 1, k.point(r3.Add(lo, r3.Vec{X: .5, Y: .5, Z: .5}))
		case s.dry.has(int(c.place)) || max(mean-middle, middle-mean) <= s.toleranceAt(0):
			solid, x, y, z := octants(&d, curvatureCorrection(mean-middle))
			c.solid, c.x = solid, k.point(r3.Add(lo, r3.Vec{X: x, Y: y, Z: z}))
		default:
			if s.cubes = append(s.cubes, cube{lo: lo, edge: 1, d: singles(&d), middle: float32(middle), stretch: stretch, cell: int32(i)}); len(s.cubes) == cellsAtOnce {
				s.cutCubes(f, k)
			}
		}
	}
	s.cutCubes(f, k)
	if !s.confined.any {
		return
	}
	for i := range s.near {
		if c := &s.near[i]; s.crossed(c.at) {
			b, x := s.clip(c.at), [1]r3.Vec{c.x}
			s.confine(k, c.at, &b, x[:])
			c.solid, c.x = c.solid*b.volume(), x[0]
		}
	}
}

func singles(d *[8]float64) (v [8]float32) {
	for i, d := range d {
		v[i] = float32(d)
	}
	return v
}

// cube is a cell that is to be cut into eight, or a part of one.
type cube struct {
	lo      r3.Vec     // its low corner, in cells from the block's
	edge    float64    // cells
	d       [8]float32 // distance at its corners, edges
	middle  float32    // and at its middle
	stretch float32    // if a side of the domain runs through the cell: see clip.stretch
	cell    int32      // in s.near
}

// place is some edges from the cube's low corner, in cells from the block's.
func (c *cube) place(x, y, z float64) r3.Vec {
	return r3.Vec{X: c.lo.X + float64(x*c.edge), Y: c.lo.Y + float64(y*c.edge), Z: c.lo.Z + float64(z*c.edge)}
}

// cutCubes measures the cells in s.cubes, and empties it.
func (s *scratch) cutCubes(f shapes.Distance, k *block) {
	cells := s.cubes
	for lo, depth := 0, 0; lo < len(s.cubes); depth++ {
		level := s.cubes[lo:]
		lo = len(s.cubes)
		s.pts = s.pts[:0]
		for i := range level {
			s.pts = level[i].addPoints(s.pts, k)
			if level[i].stretch > 0 {
				at := s.near[level[i].cell].at
				b := s.clip(at)
				s.confine(k, at, &b, s.pts[len(s.pts)-len(asked):])
			}
		}
		s.evaluate(f)
		for i := range level {
			p := &level[i]
			dist := (*[len(asked)]float32)(s.dist[i*len(asked):])
			if p.stretch > 0 {
				for o := range dist {
					dist[o] *= p.stretch
				}
			}
			s.measureParts(p, dist, k.h, depth+1 == s.finest)
		}
	}
	for i := range cells {
		c := &s.near[cells[i].cell]
		c.x = k.point(reproducible.Scale(1/max(c.solid, least), c.x))
	}
	s.cubes = s.cubes[:0]
}

// asked is the points that a cube that is cut into eight is asked about, in quarters of its edge: of its 3³ points those
// that are neither its corners nor its middle, then the middles of the eight.
var asked = func() (t [26]r3.Vec) {
	i := 0
	for _, point := range &between {
		t[i] = r3.Vec{X: float64(2 * (point % 3)), Y: float64(2 * (point / 3 % 3)), Z: float64(2 * (point / 9))}
		i++
	}
	for o := range 8 {
		t[i] = r3.Vec{X: float64(1 + 2*(o&1)), Y: float64(1 + 2*(o>>1&1)), Z: float64(1 + 2*(o>>2))}
		i++
	}
	return t
}()

// addPoints appends the points to be asked about, m.
func (c *cube) addPoints(pts []r3.Vec, k *block) []r3.Vec {
	lo, e := k.point(c.lo), c.edge*k.h/4
	n := len(pts)
	pts = pts[:n+len(asked)]
	for i := range &asked {
		q, p := &asked[i], &pts[n+i]
		p.X, p.Y, p.Z = lo.X+float64(e*q.X), lo.Y+float64(e*q.Y), lo.Z+float64(e*q.Z)
	}
	return pts
}

// Of the 3³ points, numbered with x fastest: the cube's corners, its middle and those between.
const middle = 13

var (
	corners = [8]int{0, 2, 6, 8, 18, 20, 24, 26}
	between = [18]int{1, 3, 4, 5, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 21, 22, 23, 25}
)

// measureParts measures the eighths of a cube by the distances, m, that were asked for, and adds them to its cell. Those that are to be cut
// up again, unless they are the last, it adds to s.cubes.
func (s *scratch) measureParts(c *cube, dist *[len(asked)]float32, h float64, last bool) {
	p, parts := &s.eighths, float32(2/(c.edge*h)) // in a metre
	for i, point := range &between {
		p.at[point&31] = dist[i] * parts
	}
	for i, point := range &corners {
		p.at[point&31] = 2 * c.d[i]
	}
	p.at[middle] = 2 * c.middle
	for o := range p.middles {
		p.middles[o] = dist[len(between)+o] * parts
	}
	if p.crooked = cutTolerance; last {
		p.crooked = math.MaxFloat32
	}
	measure(p)
	cell, share := &s.near[c.cell], c.edge*c.edge*c.edge
	solid := float64(share * float64(p.solid))
	cell.solid += solid
	cell.x = r3.Add(cell.x, r3.Add(reproducible.Scale(solid, c.lo), reproducible.Scale(share*c.edge, r3.Vec{X: float64(p.x), Y: float64(p.y), Z: float64(p.z)})))
	for again := p.again; again != 0; again &= again - 1 {
		s.cubes = append(s.cubes, c.part(p, bits.TrailingZeros32(again)))
	}
}

// part is one of the eighths.
func (c *cube) part(p *eighths, o int) cube {
	part := cube{
		lo: c.place(float64(o&1)/2, float64(o>>1&1)/2, float64(o>>2)/2), edge: c.edge / 2,
		middle: p.middles[o], stretch: c.stretch, cell: c.cell,
	}
	for i, step := range partStep {
		part.d[i] = p.at[partFirst[o]+step]
	}
	return part
}
