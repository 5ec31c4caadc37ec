package cubes

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sampledField is φ as it was sampled from a tracker, and by how much it has changed since then.
type sampledField struct {
	sampled  []float32 // per cell, m
	change   []float32 // per cell: what φ has changed by, m
	tiles    *layout.Scalar
	changed  []sides // per base cell: which sides of the block a change comes to
	large    []sides // likewise, one that moves a surface by more than a part of a cell, or makes or ends one
	marked   []bool  // per base cell: a change reaches into it
	update   track.Change
	all      []int32  // base cells whose φ was sampled
	list     []int32  // base cells whose φ is sampled at once,
	first    []int32  // where in the next two each begins,
	pts      []r3.Vec // the centres of their cells, m,
	dist     []float32
	sampleIn func(blocks []int32)
}

// sampledAtOnce is how many blocks a tracker is asked about at once.
const sampledAtOnce = 64

// sides tells whether a block's φ has changed, and which of its sides cells that have are at: -x, +x, -y, …
type sides struct {
	some bool
	at   [6]bool
}

// leastInSolids is the least change in solids that counts, in cells: the surface in solids is only extrapolated, and matters when one moves away.
const leastInSolids = .02

// farOff is how far from the surface, in cells, changes are left out: the surface is nowhere interpolated between cells as far off.
const farOff = 1.75

func (c *sampledField) init(s *Surface) {
	m := s.m
	n := m.Grid.Bases()
	c.tiles, c.changed, c.large, c.marked = layout.NewScalar(m.Grid), make([]sides, n), make([]sides, n), make([]bool, n)
	m.Grid.OnGrow(func(n int) {
		c.sampled, c.change = arrays.Lengthen(c.sampled, n), arrays.Lengthen(c.change, n)
	})
	c.sampleIn = s.sampleBlocks
	c.update = track.Change{Apply: s.changed, Flips: s.flips, Appears: s.appears}
}

// sample makes φ the tracker's distance after the surface has moved for dt; with a nil velocity wherever it is. Droplets move on
// too. A caller that adds or removes some calls Spray.Keep first.
func (s *Surface) sample(v *layout.Velocity, dt float64) {
	m := s.m
	m.Set.SampleFrom(v, dt, s.field.sampleIn)
	if v != nil {
		m.Spray.Begin()
		m.Spray.Advance(dt, m.Spray.Len(), m.Set)
	}
	copy(s.field.sampled, m.Set.Phi)
	if s.residual.weighs {
		s.residual.measure()
	}
}

// sampleBlocks writes the tracker's distance at the centres of some blocks' cells.
func (s *Surface) sampleBlocks(blocks []int32) {
	m, c := s.m, &s.field
	c.all = append(c.all[:0], blocks...)
	if s.can.DistanceInBox != nil {
		s.can.MeasureDistances()
		c.list = blocks
		par.Each(m.Pool, len(blocks), 1, s, (*Surface).sampleBlock)
		return
	}
	for len(blocks) > 0 {
		c.list = blocks[:min(len(blocks), sampledAtOnce)]
		blocks = blocks[len(c.list):]
		n := int32(0)
		c.first = c.first[:0]
		for _, b := range c.list {
			c.first = append(c.first, n)
			n += 1 << (3 * m.Grid.Cur.Level[b])
		}
		c.pts, c.dist = arrays.Resize(c.pts, int(n)), arrays.Resize(c.dist, int(n))
		par.Each(m.Pool, len(c.list), 4, s, (*Surface).placeBlock)
		s.tracker.Distance(c.dist, c.pts)
		for i, b := range c.list {
			copy(m.Set.Phi[m.Grid.Cur.First[b]:][:1<<(3*m.Grid.Cur.Level[b])], c.dist[c.first[i]:])
		}
	}
}

// sampleBlock writes the distances of a listed block.
func (s *Surface) sampleBlock(_ int, i int32) {
	m, b := s.m, s.field.list[i]
	level := m.Grid.Cur.Level[b]
	s.can.DistanceInBox(m.Set.Phi[m.Grid.Cur.First[b]:][:1<<(3*level)], m.blockBox(b, 0), float64(m.Set.Band*m.Grid.CellSize(level))) // φ is bounded to the band
}

// placeBlock writes the centres of a listed block's cells.
func (s *Surface) placeBlock(_ int, i int32) {
	g, c := s.m.Grid, &s.field
	b := c.list[i]
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	pts := c.pts[c.first[i]:][:1<<(3*level)]
	for k := range pts {
		x, y, z := float64(k&(n-1))+.5, float64(k>>level&(n-1))+.5, float64(k>>(2*level))+.5
		pts[k] = r3.Vec{X: lo[0] + float64(x*h), Y: lo[1] + float64(y*h), Z: lo[2] + float64(z*h)}
	}
}

// applyChange has the tracker apply what φ, which is published, has changed by since it was sampled.
func (s *Surface) applyChange() {
	m, c := s.m, &s.field
	par.Each(m.Pool, m.Grid.Bases(), 4, s, (*Surface).findChange)
	if s.mark() {
		c.tiles.GatherIn(m.Pool, c.change, c.marked)
		s.tracker.ApplyChange(&c.update)
	}
}

// findChange finds what has changed in a block. Near thin walls φ is the block's own, so all of the band counts as changed.
func (s *Surface) findChange(_ int, b int32) {
	m, c := s.m, &s.field
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	n, h := 1<<(3*level), float32(m.Grid.CellSize(level))
	phi, sampled, change, open := m.Set.Phi[first:][:n], c.sampled[first:][:n], c.change[first:][:n], m.Solids.Volume[first:][:n]
	c.changed[b], c.large[b] = sides{}, sides{}
	limit := float32(m.Set.Band) * h
	clipped := m.Set.Clipped(b) && m.Set.Nearest(b) < .999*limit
	if !clipped && slices.Equal(phi, sampled) {
		clear(change)
		return
	}
	for i, p := range phi {
		p = max(-limit, min(limit, p))
		d := p - sampled[i]
		switch far := farOff * h; {
		case p > far && sampled[i] > far, p < -far && sampled[i] < -far:
			d = 0
		case open[i] == 0 && d < leastInSolids*h && d > -leastInSolids*h:
			d = 0
		case d != 0 && s.can.EndsBeyond && !s.inDomain(b, i):
			d = 0
		}
		change[i] = d
		if d == 0 {
			continue
		}
		c.changed[b].add(i, level)
		if max(d, -d) > s.can.LeastMove*h && ((p < 0) != (sampled[i] < 0) || min(max(p, -p), max(sampled[i], -sampled[i])) < nearCells*h) {
			c.large[b].add(i, level)
		}
	}
	if clipped {
		all := sides{true, [6]bool{true, true, true, true, true, true}}
		c.changed[b].some, c.large[b] = true, all
	}
}

// nearCells is the greatest distance, in cells, of a surface from a cell's centre that passes between it and a cell beside it.
const nearCells = 1.8

// add adds a cell of a block.
func (s *sides) add(cell int, level uint8) {
	s.some = true
	for a := range 3 {
		at, last := cell>>(int(level)*a)&(1<<level-1), 1<<level-1
		s.at[2*a] = s.at[2*a] || at == 0
		s.at[2*a+1] = s.at[2*a+1] || at == last
	}
}

// inDomain tells whether a cell's centre is in the domain. Beyond it φ is extrapolated, and no side ever moves away from there.
func (s *Surface) inDomain(b int32, cell int) bool {
	m := s.m
	level := m.Grid.Cur.Level[b]
	h, x, within := m.Grid.CellSize(level), m.Grid.Corner(b), true
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for a := range x {
		at := x[a] + float64((float64(cell>>(int(level)*a)&(1<<level-1))+.5)*h)
		within = within && at > lo[a] && at < hi[a]
	}
	return within
}

// flips tells whether the block at a place has a cell in which liquid has come or gone.
func (s *Surface) flips(x r3.Vec) bool {
	m := s.m
	b := m.Grid.BaseOf(x)
	first := m.Grid.Cur.First[b]
	phi := m.Set.Phi[first:][:1<<(3*m.Grid.Cur.Level[b])]
	for i, was := range s.field.sampled[first:][:len(phi)] {
		if (phi[i] < 0) != (was < 0) {
			return true
		}
	}
	return false
}

// appears tells whether the surface in the block at a place moves by more than the tracker's least move, or appears or goes.
func (s *Surface) appears(x r3.Vec) bool {
	g := s.m.Grid
	for o, nb := range g.Nearby(g.BaseOf(x)) {
		if nb == layout.None {
			continue
		}
		if large := &s.field.large[nb]; large.some && large.reaches(26-o) {
			return true
		}
	}
	return false
}

// mark marks and lists the blocks that changes reach into: by interpolation also blocks beside a changed one. It tells whether there are any.
func (s *Surface) mark() bool {
	m, c := s.m, &s.field
	clear(c.marked)
	for b := range c.changed {
		changed := &c.changed[b]
		if !changed.some {
			continue
		}
		for o, nb := range m.Grid.Nearby(int32(b)) {
			if nb != layout.None && changed.reaches(o) {
				c.marked[nb] = true
			}
		}
	}
	c.update.Boxes = c.update.Boxes[:0]
	edge := float64(m.Grid.H * layout.Edge)
	for b, marked := range c.marked {
		if marked {
			lo := reproducible.Vector(m.Grid.Corner(int32(b)))
			c.update.Boxes = append(c.update.Boxes, r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})})
		}
	}
	return len(c.update.Boxes) > 0
}

// reaches tells whether a change comes to the block beside this one that is the o-th of 27 around it.
func (s *sides) reaches(o int) bool {
	for a, step := range [3]int{o % 3, o / 3 % 3, o / 9} {
		if step == 0 && !s.at[2*a] || step == 2 && !s.at[2*a+1] {
			return false
		}
	}
	return true
}

// changed writes what the tracker's distances become: what they were plus the change of φ, interpolated. The larger the change, up to a cell, the less of the
// difference between the tracker's distance and the interpolated φ is kept.
func (s *Surface) changed(dst []float32, at []r3.Vec) {
	m := s.m
	for i, x := range at {
		p := m.Grid.ToPoint(x.X, x.Y, x.Z)
		b := m.Grid.BaseOf(x)
		change, clipped := s.field.tiles.At(p), m.Set.Clipped(b)
		switch phi := m.Set.Tiles.At(p); {
		case clipped:
			dst[i] = phi
		case change != 0:
			h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
			limit := float32(m.Set.Band) * h
			own := max(-limit, min(limit, dst[i]))
			detail := own - (phi - change)
			dst[i] = phi + float32(max(0, 1-max(change, -change)/h)*detail)
		}
	}
}
