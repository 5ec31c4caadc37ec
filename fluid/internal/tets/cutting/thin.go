package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// thinnest, in cells, is how thick a wall is that may stand between two vertices without one of them in it, at a slant.
const thinnest = 1.5

// wall is a solid's walls.
type wall struct {
	thickness float64 // of the thinnest, m; 0: not known; less than 0: none is thinner than a cell
	sheet     bool    // they are thinner than a cell seen straight on
}

const (
	// leastThickness is the part of its thickness that a wall has at least: distances are rounded, and those of baked solids interpolated.
	leastThickness = .9
	// deepest, in cells, is how deep a vertex may be in a thin wall.
	deepest = .75
	// thickest, in cells, is how deep a place in a wall thinner than a cell is at most.
	thickest = .5
	// off, in cells, is how far outside of a wall a vertex that is in it is taken to be, on the side that it is nearer to.
	off = .06
	// onSurface, in cells, is how near to a solid a vertex counts as in it.
	onSurface = 1e-3
	// slopeBy, in cells, is how far from a place the distances are that tell its slope, and leastSlope the slope below which neither side of a wall is nearer.
	slopeBy, leastSlope = .05, 1e-3
	// raySteps is by how many distances a ray may go, and rayGap, in cells, how near it comes to a wall that it meets.
	raySteps, rayGap = 40, 1e-3
)

// spot is a vertex, or the place beside a wall where one that is in it counts as being.
type spot struct {
	vertex r3.Vec
	x      r3.Vec
	d      float64 // there, m
	slope  r3.Vec  // how the distance grows, m in twice slopeBy cells
	edge   float64 // of its cell, m
	sloped bool
}

// crossings is scratch to find which edges thin walls are across.
type crossings struct {
	spots   []spot
	of      []int32 // per sample: its spot, or none
	edges   []int32 // in scratch.list: those that a wall may be across
	which   []int32 // spots at hand
	stuck   []int32
	stencil []r3.Vec
	d       []float32
}

// findWalled marks those of s.list that a thin wall is across: the segment between the ends meets the solid, whose nearest surfaces at the two ends differ.
func (t *lattice) findWalled(s *scratch, c *cutter) {
	if c.wall.thickness < 0 {
		return
	}
	w := &s.cross
	w.spots, w.edges, w.of = w.spots[:0], w.edges[:0], lengthen(w.of, len(s.x))
	for i := range s.list {
		e := &s.list[i]
		p, q := t.l.Ends[e.edge][0], t.l.Ends[e.edge][1]
		dp, dq := s.atVertex(p), s.atVertex(q)
		edge := max(t.cellEdge(p), t.cellEdge(q))
		if e.full || dp+dq >= t.l.Dist[e.edge]-float64(leastThickness*c.wall.thickness) || min(dp, dq) < -deepest*edge {
			continue
		}
		w.edges = append(w.edges, int32(i))
		for _, v := range [2]int32{p, q} {
			if k := s.ofVertex[v]; w.of[k] == none {
				w.of[k] = int32(len(w.spots))
				w.spots = append(w.spots, spot{vertex: s.x[k], x: s.x[k], d: s.atVertex(v), edge: t.cellEdge(v)})
			}
		}
	}
	w.leaveWalls(c.distance)
	t.trace(s, c)
	for _, i := range w.edges {
		for _, v := range t.l.Ends[s.list[i].edge] {
			w.of[s.ofVertex[v]] = none
		}
	}
}

// leaveWalls moves the spots that are in walls along the slope until they are beside them; three times, since where walls join, one's surface may lie in the other.
func (w *crossings) leaveWalls(f shapes.Distance) {
	w.which = w.which[:0]
	for i := range w.spots {
		if p := &w.spots[i]; p.d < float64(onSurface*p.edge) {
			w.which = append(w.which, int32(i))
		}
	}
	w.stuck = w.stuck[:0]
	for range 3 {
		w.moveOut(f)
	}
	w.which = append(w.which, w.stuck...)
	w.leaveAlongAxes(f)
	w.which = w.which[:0]
	for i := range w.spots {
		if p := &w.spots[i]; !p.sloped && p.d >= 0 {
			w.which = append(w.which, int32(i))
		}
	}
	w.slopes(f)
}

// moveOut moves the spots which along the slope by how deep they are, and a little more, and keeps those that are in the solid still.
func (w *crossings) moveOut(f shapes.Distance) {
	w.slopes(f)
	n := 0
	w.stencil = w.stencil[:0]
	for _, i := range w.which {
		p := &w.spots[i]
		size := reproducible.Norm(p.slope)
		if size < leastSlope*p.edge {
			w.stuck = append(w.stuck, i) // in the middle of a wall: neither side is nearer
			continue
		}
		p.x = r3.Add(p.x, reproducible.Scale((float64(off*p.edge)-p.d)/size, p.slope))
		w.stencil = append(w.stencil, p.x)
		w.which[n] = i
		n++
	}
	w.which = w.which[:n]
	w.evaluate(f)
	n = 0
	for k, i := range w.which {
		p := &w.spots[i]
		if p.d, p.sloped = sound(w.d[k], 0), false; p.d < 0 {
			w.which[n] = i
			n++
		}
	}
	w.which = w.which[:n]
}

// leaveAlongAxes puts the spots which just outside of the wall that their vertices are in the middle of, along the axis that leads furthest away.
func (w *crossings) leaveAlongAxes(f shapes.Distance) {
	w.stencil = w.stencil[:0]
	for _, i := range w.which {
		w.stencil = walls.AppendStencil(w.stencil, w.spots[i].vertex, w.spots[i].edge)
	}
	w.evaluate(f)
	for k, i := range w.which {
		p, most := &w.spots[i], 0.
		p.x, p.sloped = p.vertex, false
		for n, d := range w.d[len(walls.Axes)*k:][:len(walls.Axes)] {
			if d := sound(d, 0); d > most+float64(1e-6*p.edge) {
				p.x, most = r3.Add(p.vertex, reproducible.Scale(max(0, p.edge-d)+float64(off*p.edge), walls.Axes[n])), d
			}
		}
	}
	w.stencil = w.stencil[:0]
	for _, i := range w.which {
		w.stencil = append(w.stencil, w.spots[i].x)
	}
	w.evaluate(f)
	for k, i := range w.which {
		w.spots[i].d = sound(w.d[k], 0)
	}
}

// slopes finds the slope at the spots which.
func (w *crossings) slopes(f shapes.Distance) {
	w.stencil = w.stencil[:0]
	for _, i := range w.which {
		p := &w.spots[i]
		w.stencil = walls.AppendStencil(w.stencil, p.x, float64(slopeBy*p.edge))
	}
	w.evaluate(f)
	for k, i := range w.which {
		p := &w.spots[i]
		p.slope, p.sloped = walls.Slope((*[6]float32)(w.d[6*k:])), true
		if size := reproducible.Norm2(p.slope); !(size <= farthest) {
			p.slope = r3.Vec{}
		}
	}
}

func (w *crossings) evaluate(f shapes.Distance) {
	w.d = arrays.Resize(w.d, len(w.stencil))
	for lo := 0; lo < len(w.stencil); lo += batch {
		hi := min(lo+batch, len(w.stencil))
		f(w.d[lo:hi], w.stencil[lo:hi])
	}
}

// trace marks the edges at hand that lead through the solid. Where an end is in it all the same, cut polygons tell what is open, but for a sheet, unless it is
// thicker there. Where the segment only grazes a thick solid, the nearest surface is the same at both ends, and so is its normal; beside a wall it is not.
func (t *lattice) trace(s *scratch, c *cutter) {
	w, rays := &s.cross, &s.tracer
	rays.Solid, rays.Steps, rays.Rays = c.distance, raySteps, rays.Rays[:0]
	for _, i := range w.edges {
		e := &s.list[i]
		p, q := t.l.Ends[e.edge][0], t.l.Ends[e.edge][1]
		near, far := &w.spots[w.of[s.ofVertex[p]]], &w.spots[w.of[s.ofVertex[q]]]
		way := r3.Sub(far.x, near.x)
		length := reproducible.Norm(way)
		edge := max(near.edge, far.edge)
		switch {
		case length == 0 || near.d < 0 || far.d < 0:
			e.walled = c.wall.sheet && min(s.atVertex(p), s.atVertex(q)) > -thickest*edge
			continue
		case alongside(near, far):
			continue
		}
		gap := float64(rayGap * edge)
		rest := length - max(0, far.d-gap) // beyond it nothing is so near
		rays.Rays = append(rays.Rays, walls.Ray{Of: int(i), From: near.x, Dir: reproducible.Scale(1/length, way), Length: rest, Gap: gap, D: near.d})
	}
	rays.Trace()
	for i := range rays.Rays {
		if r := &rays.Rays[i]; r.Stopped() {
			s.list[r.Of].walled = true
		}
	}
	for _, i := range w.edges {
		if e := &s.list[i]; c.wall.sheet && !t.isDeep(s, e) {
			t.findSlab(s, e)
		}
	}
}

// findSlab finds what of a thin wall is on an edge, by the distances at its ends and the slope beside it: that of the end for which less is on it, since beyond the
// wall's rim the slope is not the wall's normal.
func (t *lattice) findSlab(s *scratch, e *candidate) {
	w := &s.cross
	e.slabbed, e.slab, e.way = true, 0, .5
	p, q := s.ofVertex[t.l.Ends[e.edge][0]], s.ofVertex[t.l.Ends[e.edge][1]]
	near, far := max(0, sound(s.d[p], 0)), max(0, sound(s.d[q], 0))
	if !e.walled && near > 0 && far > 0 {
		return
	}
	way, across := r3.Sub(s.x[q], s.x[p]), math.Inf(1)
	for _, i := range [2]int32{p, q} {
		n := w.spots[w.of[i]].slope
		if size := reproducible.Norm(n); size > 0 {
			across = min(across, math.Abs(reproducible.Dot(n, way))/size)
		}
	}
	if thickness := across - near - far; across > 0 && thickness > 0 && thickness < farthest {
		e.slab = thickness * (across / t.l.Dist[e.edge])
		e.way = max(0, min(1, (near+float64(thickness/2))/across))
	}
}

// fillSlab has a wall fill of the pyramids on an edge's polygon, one half each, what of it is across the edge. Summed up over the edges that a wall is across, whose
// polygons are stairs along it, that is its volume: the corners of polygons, most of which it passes between, don't show it.
func (t *lattice) fillSlab(c *cutter, to *cover, e *candidate) {
	volume, n := t.l.Area[e.edge]*e.slab/2, t.l.Normal(e.edge)
	x := t.l.Middle[e.edge]
	if to.thin {
		to.way = e.way
	}
	for i := range to.filled {
		f := &to.filled[i]
		f.volume = volume
		for a := range f.moment {
			f.moment[a] = float64(volume * (x[a] + float64(n[a]*(e.way-.5)*t.l.Dist[e.edge]) - c.centre[a]))
		}
	}
}

// isDeep tells whether an end of an edge is deeper in a solid than in a wall thinner than a cell.
func (t *lattice) isDeep(s *scratch, e *candidate) bool {
	p, q := t.l.Ends[e.edge][0], t.l.Ends[e.edge][1]
	return min(s.atVertex(p), s.atVertex(q)) < -thickest*max(t.cellEdge(p), t.cellEdge(q))
}

// alongside tells whether the nearest surface has the same normal at both ends of a segment.
func alongside(near, far *spot) bool {
	a, b := near.slope, far.slope
	return reproducible.Dot(a, b) >= float64(.5*math.Sqrt(float64(reproducible.Norm2(a)*reproducible.Norm2(b))))
}
