package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// clipper keeps the ways that liquid is traced along from passing through thin walls.
type clipper struct {
	walls   []wall
	near    []uint64 // per base cell that ClipBlocks marks: which walls may be near to its block
	scratch []clipScratch
	open    [6]bool // the sides of the domain that are
	sides   r3.Box  // of the domain, base cells
}

// wall is a solid of the step that has walls thinner than a cell.
type wall struct {
	distance   rigid.Distance
	bounds     r3.Box
	reach      r3.Box                    // of the ways that may meet it in this step, base cells
	hides      [grid.MaxLevel + 1]r3.Box // by level: where it may hide one of the cells around, base cells
	wallMotion                           // since the surface was moved last
	travel     float64                   // by how much at most, anywhere in its bounds, m
}

// traceSegment is one of the ways that may meet a wall, in the wall's frame.
type traceSegment struct {
	of            int // among those asked about
	from, to, end r3.Vec
	d             float64 // the wall's distance at from, m
}

type clipScratch struct {
	sphereTracer
	segments  []traceSegment
	ambiguous []ambiguousSample
	samples   []visibilitySample
	rays      []ray
}

// newClipScratch has room for a block's ways; cell is the finest cells' edge, m.
func newClipScratch(cell float64) clipScratch {
	const most = grid.Edge * grid.Edge * grid.Edge
	return clipScratch{
		sphereTracer: newSphereTracer(most, cell), segments: make([]traceSegment, 0, most),
		ambiguous: make([]ambiguousSample, 0, most), samples: make([]visibilitySample, 0, samplesAtOnce), rays: make([]ray, 0, 8*samplesAtOnce),
	}
}

// wallGap, in finest cells, is how far from a wall a way that meets it ends.
const wallGap = .02

// beside, in finest cells, is how far from a wall the blocks beside its own reach at least, less what is looked at around a way.
const beside = grid.Edge - 3

// readThin lists the thin walls and marks the blocks whose ways must be checked.
func (l *Liquid) readThin() {
	c, k := l.coupling, &l.clipper
	k.walls = k.walls[:0]
	if len(l.world.static.Shapes()) > 0 {
		k.walls = append(k.walls, wall{distance: l.world.distance, bounds: l.world.static.Bounds()})
	}
	for i := range c.Solids {
		if s := &c.Solids[i]; s.Thin && boxes.Overlap(s.Bounds, l.def.Domain) {
			k.walls = append(k.walls, wall{distance: s.Distance, bounds: s.Bounds, wallMotion: l.world.motions[i]})
		}
	}
	for i := range k.walls {
		w := &k.walls[i]
		w.travel = w.farthest(l.inDomain(w.bounds))
		w.reach = l.around(w, 2*wallGap*l.def.CellSize)
		for level := range w.hides {
			w.hides[level] = l.around(w, sightCells*l.m.Grid.CellSize(uint8(level)))
		}
	}
	l.m.Set.ClipBlocks = l.m.Solids.ThinBlocks(l.m.Set.ClipBlocks)
	for i := range k.walls { // those are the blocks at walls and beside them
		if w := &k.walls[i]; w.travel+float64(l.m.Dt*l.m.Survey.MaxSpeed) > beside*l.def.CellSize {
			l.m.EachBase(boxes.Grown(w.bounds, w.travel), func(b int32) { l.m.Set.ClipBlocks[b] = true })
		}
	}
	k.near = arrays.Resize(k.near, len(l.m.Set.ClipBlocks))
	par.Each(l.pool, len(k.near), 4, l, (*Liquid).markNearWalls)
}

// markNearWalls finds out which walls may be near to a block that is marked, and takes the mark away if none is.
func (l *Liquid) markNearWalls(worker int, b int32) {
	if mark := &l.m.Set.ClipBlocks[b]; *mark {
		l.clipper.near[b] = l.nearWalls(worker, b)
		*mark = l.clipper.near[b] != 0
	}
}

// wallBit is a wall's in clipper.near: those beyond the 63rd have the last one together.
func wallBit(wall int) uint64 { return 1 << min(wall, 63) }

// isNear tells whether a wall may be near to a block that ClipBlocks marks.
func (k *clipper) isNear(b int32, wall int) bool { return k.near[b]&wallBit(wall) != 0 }

// around is the box, base cells, of what may come as near to a wall in this step, m.
func (l *Liquid) around(w *wall, near float64) r3.Box {
	return l.m.InBases(boxes.Grown(w.bounds, near+w.travel))
}

// nearWalls tells which walls may be so near to a block that they stand in the way of what gets there in the step, or
// clipLines a place and a cell whose value is used there.
func (l *Liquid) nearWalls(worker int, b int32) (walls uint64) {
	g := l.m.Grid
	h := g.CellSize(min(g.Cur.Level[b], g.Prev.Level[b]))
	half := float64(g.H * grid.Edge / 2)
	near := float64(sightCells*h) + float64(l.m.Dt*l.m.Survey.MaxSpeed) + float64(2*wallGap*l.def.CellSize)
	lo := reproducible.Vector(g.Corner(b))
	middle := r3.Add(lo, r3.Vec{X: half, Y: half, Z: half})
	f := &l.clipper.scratch[worker].sphereTracer
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		near := near + w.travel
		f.solid = w.distance
		if boxes.Contains(boxes.Grown(w.bounds, half+near), middle) && f.within(middle, half, near) {
			walls |= wallBit(i)
		}
	}
	return walls
}

// within tells whether the solid may be nearer than near to a cube, by the distance in its middle or in those of its
// eighths.
func (f *sphereTracer) within(middle r3.Vec, half, near float64) bool {
	f.pts = append(f.pts[:0], middle)
	f.ask()
	switch d := float64(f.dist[0]); {
	case d <= half+near:
		return true
	case d > float64(math.Sqrt(3)*half)+near:
		return false
	}
	half /= 2
	f.pts = f.pts[:0]
	for c := range 8 {
		f.pts = append(f.pts, r3.Add(middle, reproducible.Scale(half, r3.Vec{X: float64(2*(c&1) - 1), Y: float64(c&2 - 1), Z: float64(c>>1&2 - 1)})))
	}
	f.ask()
	return float64(slices.Min(f.dist)) <= float64(math.Sqrt(3)*half)+near
}

// clipBack ends each way from → to, base cells, that leads back in time at the first thin wall.
func (l *Liquid) clipBack(worker int, b int32, from, to []grid.Point) {
	l.clipSegments(worker, b, from, to, false, true)
}

// clipAhead is clipBack for ways that lead forward in time.
func (l *Liquid) clipAhead(worker int, b int32, from, to []grid.Point) {
	l.clipSegments(worker, b, from, to, true, false)
}

// clipSegments checks ways in the walls' frames: a moving wall was elsewhere at a beginning, or an end, that is before it moved.
func (l *Liquid) clipSegments(worker int, b int32, from, to []grid.Point, before, endBefore bool) {
	s := &l.clipper.scratch[worker]
	for i := range l.clipper.walls {
		w := &l.clipper.walls[i]
		if l.clipper.isNear(b, i) && l.findSegments(s, w, from, to, before, endBefore) > 0 {
			l.clipAt(s, w, to, endBefore)
		}
	}
}

// carried is where in the wall's frame a place is that was there before the wall moved, if so.
func (w *wall) carried(x r3.Vec, before bool) r3.Vec {
	if before && w.moves {
		return w.forth(x)
	}
	return x
}

// findSegments lists the ways that may meet a wall, those that come to its reach, and returns how many there are.
func (l *Liquid) findSegments(s *clipScratch, w *wall, from, to []grid.Point, before, endBefore bool) (n int) {
	box := &w.reach
	for i := range from {
		p, q := &from[i], &to[i]
		if p.X < box.Min.X && q.X < box.Min.X || p.X > box.Max.X && q.X > box.Max.X || p.Y < box.Min.Y && q.Y < box.Min.Y ||
			p.Y > box.Max.Y && q.Y > box.Max.Y || p.Z < box.Min.Z && q.Z < box.Min.Z || p.Z > box.Max.Z && q.Z > box.Max.Z {
			continue
		}
		v := &s.segments[:n+1][n]
		v.of, v.from = i, w.carried(l.m.Metres(*p), before)
		v.to = w.carried(l.m.Metres(*q), endBefore)
		v.end = v.to
		n++
	}
	s.segments = s.segments[:n]
	return n
}

// clipAt ends those of s.ways that meet a wall.
func (l *Liquid) clipAt(s *clipScratch, w *wall, to []grid.Point, endBefore bool) {
	gap := wallGap * l.def.CellSize
	s.solid = w.distance
	s.startMarches(gap)
	s.run()
	s.stop()
	s.slide()
	s.pts, s.outs = s.pts[:0], s.outs[:0]
	for i := range s.segments {
		s.pts = append(s.pts, s.segments[i].end)
	}
	s.ask()
	for i := range s.segments {
		if d := float64(s.dist[i]); d < gap { // what creeps along a wall step by step must not get into it
			s.outs = append(s.outs, out{of: i, x: s.segments[i].end, d: d, gap: gap})
		}
	}
	s.moveOutside()
	for _, o := range s.outs {
		s.segments[o.of].end = o.x
	}
	for i := range s.segments {
		if v := &s.segments[i]; v.end != v.to {
			x := v.end
			if endBefore && w.moves {
				x = w.back(x)
			}
			to[v.of] = l.m.Grid.ToPoint(x.X, x.Y, x.Z)
		}
	}
}

// startMarches makes marches of s.ways, and drops those that can't meet the wall, or begin deeper in a solid than thin walls are.
func (s *clipScratch) startMarches(gap float64) {
	s.pts, s.outs = s.pts[:0], s.outs[:0]
	for i := range s.segments {
		s.pts = append(s.pts, s.segments[i].from)
	}
	s.ask()
	n := 0
	for i := range s.segments {
		v := &s.segments[i]
		long := reproducible.Norm(r3.Sub(v.to, v.from))
		if v.d = float64(s.dist[i]); v.d < -s.cell || v.d > long+gap || long == 0 {
			continue
		}
		if v.d < 0 {
			s.outs = append(s.outs, out{of: n, x: v.from, d: v.d, gap: 2 * gap})
		}
		if n < i {
			s.segments[n] = *v
		}
		n++
	}
	s.segments = s.segments[:n]
	s.moveOutside()
	for _, o := range s.outs {
		s.segments[o.of].from, s.segments[o.of].d = o.x, o.gap
	}
	s.marches = s.marches[:0]
	for i := range s.segments {
		v := &s.segments[i]
		way := r3.Sub(v.to, v.from)
		long := reproducible.Norm(way)
		s.marches = append(s.marches, march{of: i, from: v.from, dir: reproducible.Scale(1/long, way), length: long, gap: gap, d: v.d})
	}
}

// stop keeps the marches that met the solid, and ends their ways there.
func (s *clipScratch) stop() {
	s.marches = slices.DeleteFunc(s.marches, func(m march) bool { return !m.short() })
	for i := range s.marches {
		m := &s.marches[i]
		s.segments[m.of].end = m.end()
	}
}

// slide goes on from where ways met the solid along its surface as far as what is left of them leads: liquid slips along
// walls.
func (s *clipScratch) slide() {
	if len(s.marches) == 0 {
		return
	}
	s.pts = s.pts[:0]
	for i := range s.marches {
		s.pts = append(s.pts, s.marches[i].end())
	}
	s.normals()
	n := 0
	for i, m := range s.marches {
		x, normal, rest := s.pts[i], s.normal[i], reproducible.Scale(m.length-m.t, m.dir)
		rest = r3.Sub(rest, reproducible.Scale(reproducible.Dot(rest, normal), normal))
		if long := reproducible.Norm(rest); long >= m.gap {
			s.marches[n], s.pts[n] = march{of: m.of, from: x, dir: reproducible.Scale(1/long, rest), length: long, gap: m.gap}, x
			n++
		}
	}
	s.marches, s.pts = s.marches[:n], s.pts[:n]
	s.ask()
	for i := range s.marches {
		s.marches[i].d = float64(s.dist[i])
	}
	s.run()
	for i := range s.marches {
		m := &s.marches[i]
		s.segments[m.of].end = m.end()
	}
}
