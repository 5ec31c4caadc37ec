package cutting

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// job is one body in one block, and what was found there.
type job struct {
	body  int32
	base  int32
	key   key // of the block when it was measured
	at    *rigid.Solid
	faces []solidFace
	cells []solidCell
	hit   bool
	rough bool // measured roughly where no liquid could be
	round int  // of bodyCuts, in which it was measured
	next  *job // in the same block, of the next body that is a hit there
}

type solidFace struct {
	slot   int32
	axis   uint8
	end    bool     // the face is on the high end of the grid, and the slot that of the cell below
	walled bool     // a thin wall stands there
	at     [3]uint8 // place in the block
	// from and to, in cells, are how far the body is from the planes through the middles of the cells below and above.
	// It is half a cell, on the face, unless walled.
	from, to float32
	solid    float64 // fraction of the area
	taken    float64 // of it, what no solid before this one had
	x        r3.Vec  // centroid of the solid part, m
	porous   float64 // the part of solid that is made of samples
}

// addFace adds a face to the list, of which nothing is solid yet. It writes in place: a copy took longer than all else.
func (j *job) addFace(a int, at [3]int, slot int32, end bool) *solidFace {
	n := len(j.faces)
	j.faces = slices.Grow(j.faces, 1)[:n+1]
	f := &j.faces[n]
	f.slot, f.axis, f.end, f.at, f.solid, f.taken, f.porous = slot, uint8(a), end, small(at), 0, 0, 0
	f.from, f.to, f.walled = .5, .5, false
	return f
}

// solidCell is a cell that the body fills in part or touches.
type solidCell struct {
	cell   int32
	solid  float64 // fraction of the volume
	taken  float64 // likewise, of what the liquid has; less than 0 where a thin wall leaves more than the cell
	x      r3.Vec  // centroid of the solid part, m
	porous float64 // of taken, what samples fill: no part of solid
}

// addCell adds a cell to the list, of which nothing is solid yet. It writes in place.
func (j *job) addCell(cell int32) *solidCell {
	n := len(j.cells)
	j.cells = slices.Grow(j.cells, 1)[:n+1]
	c := &j.cells[n]
	c.cell, c.solid, c.taken, c.porous = cell, 0, 0, 0
	return c
}

// keep leaves those of a list that are wanted. It is slices.DeleteFunc without a copy of every element.
func keep[T any](list []T, wanted func(*T) bool) []T {
	n := 0
	for i := range list {
		if wanted(&list[i]) {
			if n < i {
				list[n] = list[i]
			}
			n++
		}
	}
	return list[:n]
}

// touching, in edges of a cell, is how near to a cell's nearest corner a body counts as at the cell.
const touching = .75

// bodyJobs is the jobs of one body. What is kept beyond len is memory.
type bodyJobs []job

// next lengthens the list by one job with the memory, and perhaps the findings, of an old one.
func (l *bodyJobs) next() *job {
	if n := len(*l); n < cap(*l) {
		*l = (*l)[:n+1]
	} else {
		*l = append(*l, job{})
	}
	j := &(*l)[len(*l)-1]
	if j.faces == nil { // room for what an edge of a box meets in a block, so that few lists grow as it moves on
		j.base, j.faces, j.cells = layout.None, make([]solidFace, 0, 96), make([]solidCell, 0, 64)
	}
	return j
}

// cellBox is the cells from ≤ cell < to of a block.
type cellBox struct{ from, to [3]int }

// mostBoxes is how many cubes of 2³ cells a block has.
const mostBoxes = layout.Edge * layout.Edge * layout.Edge / 8

// boundNear is the least box of the block's cells, lo ≤ cell < hi, that holds those cubes of 2³ which a body is near enough to for a
// hit, by its bounds and its distance from their middles. It tells whether there are any. Of a block that is one cube at most
// the corners tell as soon.
func (s *scratch) boundNear(body *rigid.Solid, k *block) (lo, hi [3]int, near bool) {
	from, to := k.span(body)
	if k.n <= 2 {
		return from, to, true
	}
	reach := touching
	if body.Thin {
		reach = wallReach
	}
	s.boxes = append(s.boxes[:0], cellBox{from, to})
	for edge := k.n; edge >= 2; edge /= 2 { // the block as a whole first: most are too far
		s.halve(k, edge)
		s.keepNear(body.Distance, reach*k.h, k.h)
	}
	lo, hi = to, from
	for i := range s.boxes {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], s.boxes[i].from[a]), max(hi[a], s.boxes[i].to[a])
		}
	}
	return lo, hi, len(s.boxes) > 0
}

// halve cuts s.boxes, each in a cube of two edges, in halves along each axis: into s.parts, whose middles are s.pts.
func (s *scratch) halve(k *block, edge int) {
	s.parts, s.pts = s.parts[:0], s.pts[:0]
	for i := range s.boxes {
		var ends [3][3]int
		var middles [3][2]float64
		for a := range 3 {
			from, to := s.boxes[i].from[a], s.boxes[i].to[a]
			cut := max(from, min(from&^(2*edge-1)+edge, to))
			ends[a] = [3]int{from, cut, to}
			middles[a] = [2]float64{k.lo[a] + float64(float64(from+cut)*.5*k.h), k.lo[a] + float64(float64(cut+to)*.5*k.h)}
		}
		for o := range 8 {
			x, y, z := o&1, o>>1&1, o>>2
			p := cellBox{[3]int{ends[0][x], ends[1][y], ends[2][z]}, [3]int{ends[0][x+1], ends[1][y+1], ends[2][z+1]}}
			if p.from[0] < p.to[0] && p.from[1] < p.to[1] && p.from[2] < p.to[2] {
				s.parts = append(s.parts, p)
				s.pts = append(s.pts, r3.Vec{X: middles[0][x], Y: middles[1][y], Z: middles[2][z]})
			}
		}
	}
}

// keepNear makes those of s.parts the boxes of which a solid may be within reach, m. h is a cell's edge.
func (s *scratch) keepNear(f shapes.Distance, reach, h float64) {
	s.evaluate(f)
	s.boxes = s.boxes[:0]
	for i := range s.parts {
		p := &s.parts[i]
		if size := reproducible.Norm2(r3.Sub(vec(p.to), vec(p.from))); float64(s.dist[i]) <= float64(math.Sqrt(size)/2*h)+reach {
			s.boxes = append(s.boxes, *p)
		}
	}
}

func vec(at [3]int) r3.Vec { return r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])} }

// finish measures what the body covers of the faces and fills of the cells that it meets.
func (s *scratch) finish(j *job, k *block) {
	s.cutCells(j.at.Distance, k)
	for i := range s.near {
		c := &s.near[i]
		to := &j.cells[c.to]
		to.solid, to.taken, to.x = c.solid, c.solid, c.x
	}
	s.cutFaces(j.at.Distance, k.h)
	for i := range s.faces {
		c := &s.faces[i]
		j.faces[c.to].cover(c.solid, c.x)
	}
	j.faces = keep(j.faces, func(f *solidFace) bool { return f.solid != 0 })
}

// span is the cells of the block, lo ≤ cell < hi, that a body's bounds come near. It is even, so
// that no composite face is cut in two.
func (k *block) span(body *rigid.Solid) (lo, hi [3]int) {
	from := [3]float64{body.Bounds.Min.X, body.Bounds.Min.Y, body.Bounds.Min.Z}
	to := [3]float64{body.Bounds.Max.X, body.Bounds.Max.Y, body.Bounds.Max.Z}
	for a := range 3 {
		lo[a] = inside((from[a]-k.lo[a])/k.h-1, k.n) &^ 1
		hi[a] = min(k.n, (inside((to[a]-k.lo[a])/k.h+1, k.n)+2)&^1)
	}
	return lo, hi
}

// cover notes what is solid of a face. Nothing else takes from one at the end of the grid.
func (f *solidFace) cover(solid float64, x r3.Vec) {
	f.solid, f.x = solid, x
	if f.end {
		f.taken = solid
	}
}

func small(at [3]int) [3]uint8 { return [3]uint8{uint8(at[0]), uint8(at[1]), uint8(at[2])} }

// listFaces notes in s.faceOf which of the job's faces is at a slot.
func (s *scratch) listFaces(j *job, k *block) {
	for a := range s.faceOf {
		fill(s.faceOf[a][:k.n*k.n*k.n], -1)
	}
	for i := range j.faces {
		if f := &j.faces[i]; !f.end {
			s.faceOf[f.axis][f.slot-k.first] = int32(i)
		}
	}
}

// shut covers a face wholly: a thin wall is across it, and across the segment c between the cells' centres.
func (s *scratch) shut(j *job, g *layout.Grid, k *block, slot int, c *crossing) {
	a, at := c.axis, k.place(slot-int(k.first))
	if at[a] == 0 {
		nb := g.Neighbour[k.b][2*a]
		if nb == layout.None {
			return
		}
		if g.Cur.Level[nb] < g.Cur.Level[k.b] {
			at[(a+1)%3] &^= 1
			at[(a+2)%3] &^= 1
			slot = int(k.first) + k.index(at)
		}
	}
	of := &s.faceOf[a][slot-int(k.first)]
	if *of < 0 {
		*of = int32(len(j.faces))
		j.addFace(a, at, int32(slot), false)
	}
	f, plane := &j.faces[*of], k.plane(a, at)
	f.cover(1, plane.at(.5, .5))
	if j.at.Sheet { // else its faces and cells are measured as finely as this
		f.from, f.to, f.walled = float32(c.from), float32(c.to), true
	}
}
