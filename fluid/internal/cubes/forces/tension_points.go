package forces

import (
	"iter"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// surfacePoints are the points of a surface by the blocks that they are in.
type surfacePoints struct {
	all    []track.SurfacePoint
	first  []int32 // per base cell, and one more: where in sorted its points begin
	sorted []int32
}

// sort sorts points by blocks. In a block they stay in their order. Those beyond the grid count to the blocks at its sides.
func (s *surfacePoints) sort(g *layout.Grid, points []track.SurfacePoint) {
	s.all = points
	s.first, s.sorted = arrays.Resize(s.first, g.Bases()+2), arrays.Resize(s.sorted, len(points))
	clear(s.first)
	for i := range points {
		s.first[g.BaseOf(points[i].At)+2]++
	}
	for b := range g.Bases() {
		s.first[b+2] += s.first[b+1]
	}
	for i := range points {
		next := &s.first[g.BaseOf(points[i].At)+1]
		s.sorted[*next] = int32(i)
		*next++
	}
}

// in are the numbers of a block's points.
func (s *surfacePoints) in(b int32) []int32 { return s.sorted[s.first[b]:s.first[b+1]] }

// pointHalo is how many layers of cells around a block have points: a fit reaches that far from where the surface is nearest to a cell beside it.
const pointHalo = 4

const (
	pointEdge = layout.Edge + 2*pointHalo
	pointSize = pointEdge * pointEdge * pointEdge
)

// nearPoints are the points in and around a block, in lists per cell, in cells from the block's corner.
type nearPoints struct {
	list     []nearPoint
	head     [pointSize]int32 // the last point of a cell's list, or -1
	labelled bool             // there are points of several labels
}

type nearPoint struct {
	at, normal [3]float32 // the normal as long as the area
	before     int32      // in the list
	label      int32
}

// load takes the points of a block and of those around it.
func (q *nearPoints) load(g *layout.Grid, s *surfacePoints, b int32) {
	level := g.Cur.Level[b]
	n, per, corner := 1<<level, 1/g.CellSize(level), g.Corner(b)
	q.list, q.labelled = q.list[:0], false
	for i := range q.head {
		q.head[i] = -1
	}
	for _, nb := range g.Nearby(b) {
		if nb == layout.None {
			continue
		}
		for _, i := range s.in(nb) {
			p := &s.all[i]
			x := [3]float64{(p.At.X - corner[0]) * per, (p.At.Y - corner[1]) * per, (p.At.Z - corner[2]) * per}
			cell, held := 0, true
			for a := 2; a >= 0; a-- {
				held = held && x[a] >= -pointHalo && x[a] < float64(n+pointHalo)
				cell = cell*pointEdge + int(x[a]+pointHalo)
			}
			if held {
				area := per * per
				q.list = append(q.list, nearPoint{
					[3]float32{float32(x[0]), float32(x[1]), float32(x[2])},
					[3]float32{float32(p.Normal.X * area), float32(p.Normal.Y * area), float32(p.Normal.Z * area)}, q.head[cell], p.Label,
				})
				q.labelled = q.labelled || p.Label != q.list[0].label
				q.head[cell] = int32(len(q.list)) - 1
			}
		}
	}
}

// addTo adds the points around a frame's origin, which is in cells from the block's corner, that face as it does: the others are of another surface. Of several labels
// only those count that have the label of the nearest such point, and that point gives the frame: what the cells see where two surfaces touch is the shape of both together.
func (q *nearPoints) addTo(p *paraboloid, f *frame) {
	label := int32(0)
	if q.labelled {
		if near := q.nearest(f, func(s *nearPoint, _ [3]float64) bool { return s.ahead(&f.normal) > 0 }); near != nil {
			label = near.label
			q.frameAt(f, near)
		}
	}
	q.addLabel(p, f, label)
}

// addLabel adds the points of a label that face as a frame does.
func (q *nearPoints) addLabel(p *paraboloid, f *frame, label int32) {
	for s, d := range q.within(f) {
		if share := s.ahead(&f.normal); share > 0 && (s.label == label || !q.labelled) {
			w := 1 - geom.Dot(&d, &d)/(fitReach*fitReach)
			p.add(share*w*w*w, geom.Dot(&d, &f.u), geom.Dot(&d, &f.v), geom.Dot(&d, &f.normal))
		}
	}
}

// nearest is the point nearest to a frame's origin of those that count, by themselves and their offset from there.
func (q *nearPoints) nearest(f *frame, counts func(s *nearPoint, d [3]float64) bool) (near *nearPoint) {
	least := math.Inf(1)
	for s, d := range q.within(f) {
		if square := geom.Dot(&d, &d); square < least && counts(s, d) {
			near, least = s, square
		}
	}
	return near
}

// within are the points within fitReach of a frame's origin, each with its offset from there.
func (q *nearPoints) within(f *frame) iter.Seq2[*nearPoint, [3]float64] {
	return func(yield func(*nearPoint, [3]float64) bool) {
		var lo, hi [3]int
		for a, x := range f.origin {
			lo[a], hi[a] = max(0, int(x-fitReach+pointHalo)), min(pointEdge-1, int(x+fitReach+pointHalo))
		}
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for x := lo[0]; x <= hi[0]; x++ {
					for i := q.head[x+pointEdge*(y+pointEdge*z)]; i >= 0; i = q.list[i].before {
						s := &q.list[i]
						d := [3]float64{float64(s.at[0]) - f.origin[0], float64(s.at[1]) - f.origin[1], float64(s.at[2]) - f.origin[2]}
						if geom.Dot(&d, &d) < fitReach*fitReach && !yield(s, d) {
							return
						}
					}
				}
			}
		}
	}
}

// ahead is the area of a point as seen along a direction, times the direction's length; negative from behind.
func (s *nearPoint) ahead(d *[3]float64) float64 {
	n := s.direction()
	return geom.Dot(&n, d)
}

// direction is the normal, as long as the area.
func (s *nearPoint) direction() [3]float64 {
	return [3]float64{float64(s.normal[0]), float64(s.normal[1]), float64(s.normal[2])}
}

// frameAt makes a frame that of a surface at a point: with the mean normal of what is around and faces as it does, which at an edge is between those of the two sides.
func (q *nearPoints) frameAt(f *frame, at *nearPoint) {
	own := at.direction()
	for a := range f.origin {
		f.origin[a] = float64(at.at[a])
	}
	f.normal = [3]float64{}
	for s, d := range q.within(f) {
		if s.label != at.label || s.ahead(&own) < 0 {
			continue
		}
		w := 1 - geom.Dot(&d, &d)/(fitReach*fitReach)
		for a, n := range s.direction() {
			f.normal[a] += float64(w * w * w * n)
		}
	}
	size := math.Sqrt(geom.Dot(&f.normal, &f.normal))
	for a := range f.normal {
		f.normal[a] /= size
	}
	f.u, f.v = tangents(&f.normal)
}
