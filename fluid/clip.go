package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// clipper keeps the ways that liquid is traced along from passing through thin walls.
type clipper struct {
	walls   []wall
	ahead   float64 // 1 where the solids are a step ahead of the surface, else 0
	scratch []clipScratch
}

// wall is a solid of the step that has walls thinner than a cell.
type wall struct {
	distance blocks.Distance
	bounds   r3.Box
	reach    r3.Box // of the ways that may meet it in this step, base cells
	centre   r3.Vec
	twist    [6]float64 // over the last step, about the centre
}

type clipScratch struct {
	ways   []int     // those that come to the wall at hand
	starts []r3.Vec  // of these, in the wall's frame
	ends   []r3.Vec  // likewise
	dist   []float32 // at the starts
	one    [1]r3.Vec
	d      [1]float32
	cell   float64   // finest, m
	probe  [6]r3.Vec // around a place in a wall
	near   [6]float32
	sight  sight
}

// newClipScratch has room for a block's ways; cell is the finest cells' edge, m.
func newClipScratch(cell float64) clipScratch {
	const most = grid.Edge * grid.Edge * grid.Edge
	return clipScratch{ways: make([]int, most), starts: make([]r3.Vec, most), ends: make([]r3.Vec, most), dist: make([]float32, most), cell: cell}
}

// wallGap, in finest cells, is how far from a wall a way that meets it ends.
const wallGap = .02

// marches is enough to go along a wall, gap by gap, for more than a cell.
const marches = 64

// slip, in gaps, is by how much a way along a wall may near it in a step without meeting it: more than rounding.
const slip = .1

// readThin lists the thin walls and marks the blocks whose ways must be checked.
func (l *Liquid) readThin() {
	c, k := &l.coupling, &l.clipper
	k.walls = k.walls[:0]
	if len(l.world.static.shapes) > 0 {
		k.walls = append(k.walls, wall{distance: l.world.distance, bounds: l.world.static.Bounds()})
	}
	for i := range c.solid {
		if s := &c.solid[i]; s.Thin {
			k.walls = append(k.walls, wall{distance: s.Distance, bounds: s.Bounds, centre: s.Centre, twist: c.moved[i]})
		}
	}
	for i := range k.walls {
		w := &k.walls[i]
		box := grown(w.bounds, 2*wallGap*l.def.CellSize+w.farthest(l.step.dt))
		w.reach = r3.Box{Min: r3.Vec(l.grid.ToPoint(box.Min.X, box.Min.Y, box.Min.Z)), Max: r3.Vec(l.grid.ToPoint(box.Max.X, box.Max.Y, box.Max.Z))}
	}
	l.set.ClipBlocks = l.solids.ThinBlocks(l.set.ClipBlocks)
	for b, thin := range l.set.ClipBlocks {
		if thin {
			l.set.ClipBlocks[b] = l.nearWalls(int32(b))
		}
	}
}

// nearWalls tells whether a wall may be so near to a block that it stands in the way of what gets there in the step, or
// between a place and a cell whose value is used there.
func (l *Liquid) nearWalls(b int32) bool {
	g := l.grid
	h := g.CellSize(min(g.Cur.Level[b], g.Prev.Level[b]))
	half := g.H * grid.Edge / 2
	near := sightCells*h + l.step.dt*l.blocksInfo.maxSpeed + 2*wallGap*l.def.CellSize
	lo := toVec(g.Corner(b))
	middle := r3.Add(lo, r3.Vec{X: half, Y: half, Z: half})
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		near := near + w.farthest(l.step.dt)
		if contains(grown(w.bounds, half+near), middle) && l.clipper.scratch[0].within(w.distance, middle, half, near) {
			return true
		}
	}
	return false
}

// within tells whether a solid may be nearer than near to a cube, by the distance in its middle or in those of its
// eighths.
func (s *clipScratch) within(solid blocks.Distance, middle r3.Vec, half, near float64) bool {
	switch d := s.at(middle, solid); {
	case d <= half+near:
		return true
	case d > math.Sqrt(3)*half+near:
		return false
	}
	half /= 2
	pts, d := &s.sight.corner, &s.sight.dist
	for c := range pts {
		pts[c] = r3.Add(middle, r3.Scale(half, r3.Vec{X: float64(2*(c&1) - 1), Y: float64(c&2 - 1), Z: float64(c>>1&2 - 1)}))
	}
	solid(d[:], pts[:])
	return float64(slices.Min(d[:])) <= math.Sqrt(3)*half+near
}

// clipBack ends each way from → to, base cells, that leads back in time at the first thin wall.
func (l *Liquid) clipBack(worker int, from, to []grid.Point) { l.clipWays(worker, from, to, 0, 1) }

// clipAhead is clipBack for ways that lead forward in time.
func (l *Liquid) clipAhead(worker int, from, to []grid.Point) { l.clipWays(worker, from, to, 1, 0) }

// clipNow is clipBack for ways between two places at the present of the surface.
func (l *Liquid) clipNow(worker int, from, to []grid.Point) {
	l.clipWays(worker, from, to, l.clipper.ahead, l.clipper.ahead)
}

// clipWays checks ways in the walls' frames: a moving wall was elsewhere at an end that is ago,
// 0 or 1, of a step back.
func (l *Liquid) clipWays(worker int, from, to []grid.Point, ago, endAgo float64) {
	s := &l.clipper.scratch[worker]
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		l.findWays(s, w, from, to, ago, endAgo)
		l.clipAt(s, w, to, endAgo)
	}
}

// moved is by how much the wall moved at x in a step of dt.
func (w *wall) moved(x r3.Vec, dt float64) r3.Vec {
	v := &w.twist
	if *v == [6]float64{} {
		return r3.Vec{}
	}
	return r3.Scale(dt, r3.Add(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, r3.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, r3.Sub(x, w.centre))))
}

// farthest is by how much the wall may have moved anywhere in its bounds.
func (w *wall) farthest(dt float64) float64 {
	v := &w.twist
	if *v == [6]float64{} {
		return 0
	}
	size := r3.Norm(w.bounds.Size())
	return dt * (r3.Norm(r3.Vec{X: v[0], Y: v[1], Z: v[2]}) + 2*size*r3.Norm(r3.Vec{X: v[3], Y: v[4], Z: v[5]}))
}

// findWays lists the ways that may meet a wall: those that come to its reach.
func (l *Liquid) findWays(s *clipScratch, w *wall, from, to []grid.Point, ago, endAgo float64) {
	n, box := len(from), &w.reach
	s.ways, s.starts, s.ends = resize(s.ways, n)[:0], resize(s.starts, n)[:0], resize(s.ends, n)[:0]
	for i, p := range from {
		q := to[i]
		if p.X < box.Min.X && q.X < box.Min.X || p.X > box.Max.X && q.X > box.Max.X || p.Y < box.Min.Y && q.Y < box.Min.Y ||
			p.Y > box.Max.Y && q.Y > box.Max.Y || p.Z < box.Min.Z && q.Z < box.Min.Z || p.Z > box.Max.Z && q.Z > box.Max.Z {
			continue
		}
		a, b := l.metres(p), l.metres(q)
		a = r3.Add(a, w.moved(a, ago*l.step.dt))
		b = r3.Add(b, w.moved(b, endAgo*l.step.dt))
		s.ways, s.starts, s.ends = append(s.ways, i), append(s.starts, a), append(s.ends, b)
	}
}

func (l *Liquid) metres(p grid.Point) (v r3.Vec) {
	v.X, v.Y, v.Z = l.grid.ToMetres(p)
	return v
}

// clipAt ends those of s.ways that meet a wall.
func (l *Liquid) clipAt(s *clipScratch, w *wall, to []grid.Point, endAgo float64) {
	gap, solid := wallGap*l.def.CellSize, w.distance
	s.dist = resize(s.dist, cap(s.starts))[:len(s.starts)]
	solid(s.dist, s.starts)
	for i, d := range s.dist {
		a, b := s.starts[i], s.ends[i]
		way := r3.Sub(b, a)
		length := math.Sqrt(r3.Norm2(way)) // r3.Norm takes three times as long
		if float64(d) < -l.def.CellSize || float64(d) > length+gap || length == 0 {
			continue
		}
		if d < 0 {
			a, d = s.outOf(a, float64(d), 2*gap, solid), float32(2*gap)
			way = r3.Sub(b, a)
			length = math.Sqrt(r3.Norm2(way))
		}
		end := b
		if t := s.march(a, r3.Scale(1/length, way), length, gap, float64(d), solid); t < length {
			end = s.slide(r3.Add(a, r3.Scale(t/length, way)), r3.Scale(1-t/length, way), gap, solid)
		}
		if end = s.offWall(end, gap, solid); end == b {
			continue
		}
		end = r3.Sub(end, w.moved(l.metres(to[s.ways[i]]), endAgo*l.step.dt))
		to[s.ways[i]] = l.grid.ToPoint(end.X, end.Y, end.Z)
	}
}

// at is a solid's distance at x.
func (s *clipScratch) at(x r3.Vec, solid blocks.Distance) float64 {
	s.one[0] = x
	solid(s.d[:], s.one[:])
	return float64(s.d[0])
}

// slide goes on from x, where a way met a solid, along its surface as far as what is left of the way leads: liquid
// slips along walls.
func (s *clipScratch) slide(x, rest r3.Vec, gap float64, solid blocks.Distance) r3.Vec {
	n := s.normal(x, gap, solid)
	rest = r3.Sub(rest, r3.Scale(r3.Dot(rest, n), n))
	length := math.Sqrt(r3.Norm2(rest))
	if length < gap {
		return x
	}
	t := s.march(x, r3.Scale(1/length, rest), length, gap, s.at(x, solid), solid)
	return r3.Add(x, r3.Scale(t/length, rest))
}

// offWall is x, or if that is nearer to a solid than gap, the place beside it that is not: what creeps along a wall
// step by step must not get into it.
func (s *clipScratch) offWall(x r3.Vec, gap float64, solid blocks.Distance) r3.Vec {
	if d := s.at(x, solid); d < gap {
		return s.outOf(x, d, gap, solid)
	}
	return x
}

// outOf is the place, gap from a solid's surface, that is nearest to x, which is in the solid at a distance d: a
// cell whose centre is in a thin wall is on the wall's nearer side.
func (s *clipScratch) outOf(x r3.Vec, d, gap float64, solid blocks.Distance) r3.Vec {
	return r3.Add(x, r3.Scale(gap-d, s.normal(x, gap, solid)))
}

// normal is a solid's at x, from the distances by around it.
func (s *clipScratch) normal(x r3.Vec, by float64, solid blocks.Distance) r3.Vec {
	s.probe = [6]r3.Vec{x, x, x, x, x, x}
	s.probe[0].X += by
	s.probe[1].X -= by
	s.probe[2].Y += by
	s.probe[3].Y -= by
	s.probe[4].Z += by
	s.probe[5].Z -= by
	solid(s.near[:], s.probe[:])
	n := r3.Vec{X: float64(s.near[0] - s.near[1]), Y: float64(s.near[2] - s.near[3]), Z: float64(s.near[4] - s.near[5])}
	size := math.Sqrt(r3.Norm2(n))
	if size < 1e-4*s.cell { // in the middle of a wall
		return s.thinnest(x, solid)
	}
	return r3.Scale(1/size, n)
}

// thinnest is the axis along which the way out of a wall's middle leads furthest away. The grid chooses in the same way, but
// takes more of the wall for its middle.
func (s *clipScratch) thinnest(x r3.Vec, solid blocks.Distance) (n r3.Vec) {
	most := 0.
	for _, e := range [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}} {
		if d := s.at(r3.Add(x, r3.Scale(s.cell, e)), solid); d > most+1e-6*s.cell {
			n, most = e, d
		}
	}
	return n
}

// march goes from a along dir by what the distance allows and returns how far it came before the
// solid was nearer than gap, or length. A way that starts nearer may lead away from the wall or along it.
func (s *clipScratch) march(a, dir r3.Vec, length, gap, d float64, solid blocks.Distance) float64 {
	t := 0.
	for range marches {
		before := d
		t += max(d, gap)
		if t >= length {
			return length
		}
		if d = s.at(r3.Add(a, r3.Scale(t, dir)), solid); d < gap && d < before-slip*gap || d < -slip*gap && d < before {
			return max(0, t-gap)
		}
	}
	return length
}
