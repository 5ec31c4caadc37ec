package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// crossing is the straight segment between the centres of two cells beside each other. A thin wall may be across it.
type crossing struct {
	at        [3]int // of the upper cell, in the block
	axis      int
	p, q      r3.Vec  // the centres, m
	dp, dq    float64 // a solid's distances there, m
	low, high int32   // where they count as being: in scratch.centres
	length    float64 // between where the two count as being, m
	met       r3.Vec  // where the ray from p to q met the wall
	walled    bool    // a thin wall separates the two
	around    bool    // what is across is only the solid's rim: there is a way around it
	from, to  float64 // how far in cells from p and q it is, below zero where that is in the wall
}

// shiftedCentre is where a cell's centre counts as being: where it is, or, if that is in a wall, beside it on the side that it is
// nearer to, where its cell has more room. One that is too deep for a thin wall counts as being a cell further on along the crossing.
//
// Package walls moves places out of a solid too, for traces: in one step and by a unit normal. Centres are moved in up to three, by
// the slope of a wider stencil, and those in a wall's middle from the centre by the distance on the axis. What volume cells have depends on
// each of these, so that the two share the stencil and the slope only.
type shiftedCentre struct {
	centre, at r3.Vec
	d          float64 // a solid's distance at at, m
	beyond     bool    // a cell further on, where the distance is not known yet
	slope      r3.Vec  // by how much the distance grows along each axis within a tenth of an edge, m
	sloped     bool    // slope is known
}

// crossingsAtOnce and centresAtOnce are how many are measured together: a solid is asked for six distances about each
// centre, and mostPoints at once.
const (
	crossingsAtOnce = 128
	centresAtOnce   = 2 * crossingsAtOnce
)

const (
	// deepest, in cells, is how deep a centre may be in a thin wall.
	deepest = .75
	// off, in cells, is how far outside of a wall a centre that is in it is taken to be.
	off = .06
	// leastSlope is that within a tenth of an edge below which neither side of a wall is nearer. Trace segments past the wall
	// know the side as exactly.
	leastSlope = 1e-4
	// onSurface, in cells, is how deep a centre on an edge of a solid counts as being on its surface.
	onSurface = 1e-3
	// raySteps is by how many distances a ray may go, and rimSteps one past a rim.
	raySteps, rimSteps = 40, 120
	// rimBy, in gaps of rays, is how far beside a rim a ray passes it.
	rimBy = 12
)

// wall is a solid that may have walls thinner than a cell.
type wall struct {
	distance  shapes.Distance
	thickness float64 // m; 0: not known
	sheet     bool    // walls are thinner than a cell seen straight on
}

// leastThickness is the part of its thickness that a wall has at least: distances are rounded, and those of baked solids interpolated.
const leastThickness = .9

// findCrossings lists the crossings to and from the block's cells lo ≤ cell < hi that may meet the solid, and where they begin and end.
//
// One that leads through a wall, from what is nearer to one of its sides to what is nearer to the other, has the two distances, negative ones
// in the wall, and the wall's thickness in its length.
func (s *scratch) findCrossings(w *wall, k *block, lo, hi [3]int) {
	s.pts, s.crossings, s.centres = s.pts[:0], s.crossings[:0], s.centres[:0]
	for z := lo[2] - 1; z <= hi[2]; z++ {
		for y := lo[1] - 1; y <= hi[1]; y++ {
			for x := lo[0] - 1; x <= hi[0]; x++ {
				s.pts = append(s.pts, k.centre(x, y, z))
			}
		}
	}
	mids := s.mids[:len(s.pts)]
	w.distance(mids, s.pts)
	clear(s.shiftedOf[:len(s.pts)])
	e := [3]int{hi[0] - lo[0] + 2, hi[1] - lo[1] + 2, hi[2] - lo[2] + 2}
	h, room := float32(k.h), float32(k.h-float64(leastThickness*w.thickness))
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				at := [3]int{x, y, z}
				i := x - lo[0] + 1 + e[0]*(y-lo[1]+1+e[1]*(z-lo[2]+1))
				if mids[i]-h >= room || mids[i] < -h { // as no cell beside it makes up for
					continue
				}
				for a, stride := range [3]int{1, e[0], e[0] * e[1]} {
					p, q := (a+1)%3, (a+2)%3
					if high, low := mids[i], mids[i-stride]; at[p] < hi[p] && at[q] < hi[q] && high+low < room && min(high, low) >= -h {
						s.addCrossing(at, a, i-stride, i, k.h)
					}
				}
			}
		}
	}
}

// addCrossing lists the crossing between the places low and high of s.pts.
func (s *scratch) addCrossing(at [3]int, a, low, high int, h float64) {
	p, q := s.pts[low], s.pts[high]
	dir := reproducible.Scale(1/h, r3.Sub(q, p))
	s.crossings = append(s.crossings, crossing{
		at: at, axis: a, p: p, q: q, dp: float64(s.mids[low]), dq: float64(s.mids[high]),
		low: s.shift(low, reproducible.Scale(-1, dir), h), high: s.shift(high, dir, h),
	})
}

// shift is the entry in s.centres of a place of s.pts on a crossing that goes on along dir beyond it.
func (s *scratch) shift(i int, dir r3.Vec, h float64) int32 {
	x, d := s.pts[i], float64(s.mids[i])
	if d < -deepest*h {
		s.centres = append(s.centres, shiftedCentre{at: r3.Add(x, reproducible.Scale(h, dir)), beyond: true})
		return int32(len(s.centres) - 1)
	}
	if s.shiftedOf[i] == 0 {
		s.centres = append(s.centres, shiftedCentre{centre: x, at: x, d: d})
		s.shiftedOf[i] = int32(len(s.centres))
	}
	return s.shiftedOf[i] - 1
}

// moveOutside moves s.centres out of the walls that they are in.
func (s *scratch) moveOutside(f shapes.Distance, h float64) {
	for lo := 0; lo < len(s.centres); lo += centresAtOnce {
		s.which = s.which[:0]
		for i := lo; i < min(lo+centresAtOnce, len(s.centres)); i++ {
			if s.centres[i].beyond {
				s.which = append(s.which, int32(i))
			}
		}
		s.measureCentres(f)
		s.which = s.which[:0]
		for i := lo; i < min(lo+centresAtOnce, len(s.centres)); i++ {
			if p := &s.centres[i]; p.d < float64(onSurface*h) && !p.beyond {
				s.which = append(s.which, int32(i))
			}
		}
		s.leaveWalls(f, h)
	}
}

// measureCentres asks for the distance where the centres s.which count as being.
func (s *scratch) measureCentres(f shapes.Distance) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = append(s.pts, s.centres[i].at)
	}
	s.evaluate(f)
	for j, i := range s.which {
		s.centres[i].d, s.centres[i].sloped = float64(s.dist[j]), false
	}
}

// leaveWalls moves the centres s.which, which are in walls, along the slope until they are beside it; three times, since
// where walls join, one's surface may lie in the other. Those in the middle of a wall, and those for which three times are not
// enough, move along the axis that leads furthest away.
func (s *scratch) leaveWalls(f shapes.Distance, h float64) {
	s.stuck = s.stuck[:0]
	for range 3 {
		s.slopes(f, h)
		n := 0
		for _, i := range s.which {
			p := &s.centres[i]
			size := math.Sqrt(reproducible.Norm2(p.slope))
			if size < leastSlope*h || size < .9*.1*h && p.d > -onSurface*h {
				s.stuck = append(s.stuck, i)
				continue
			}
			p.at = r3.Add(p.at, reproducible.Scale((float64(off*h)-p.d)/size, p.slope))
			s.which[n] = i
			n++
		}
		s.which = s.which[:n]
		s.measureCentres(f)
		n = 0
		for _, i := range s.which {
			if s.centres[i].d < 0 {
				s.which[n] = i
				n++
			}
		}
		s.which = s.which[:n]
	}
	s.which = append(s.which, s.stuck...)
	s.leaveAlongAxes(f, h)
}

// leaveAlongAxes puts the centres s.which just outside of the wall that their centres are in the middle of, along the axis that
// leads furthest away.
func (s *scratch) leaveAlongAxes(f shapes.Distance, h float64) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = walls.AppendStencil(s.pts, s.centres[i].centre, h)
	}
	s.evaluate(f)
	for j, i := range s.which {
		p, most := &s.centres[i], 0.
		p.at = p.centre
		for w, d := range s.dist[len(walls.Axes)*j:][:len(walls.Axes)] {
			if d := float64(d); d > most+float64(1e-6*h) {
				p.at, most = r3.Add(p.centre, reproducible.Scale(h-d+float64(off*h), walls.Axes[w])), d
			}
		}
	}
	s.measureCentres(f)
}

// slopes measures the slope at the centres s.which.
func (s *scratch) slopes(f shapes.Distance, h float64) {
	s.pts = s.pts[:0]
	for _, i := range s.which {
		s.pts = walls.AppendStencil(s.pts, s.centres[i].at, float64(.05*h))
	}
	s.evaluate(f)
	for j, i := range s.which {
		p := &s.centres[i]
		p.slope, p.sloped = walls.Slope((*[6]float32)(s.dist[6*j:])), true
	}
}

// thickest, in cells, is how deep a place in a wall thinner than a cell is at most.
const thickest = .5

// cross finds which crossings a thin wall separates, and how far it is from their ends. Where an end is in the solid all the same,
// cut faces tell what is open, but for a sheet, a wall thinner than a cell, unless it is thicker there. Where the segment only grazes a thick
// solid, the nearest surface is the same at both ends, and so is its normal; beside a wall, or where two walls
// meet, it is not.
func (s *scratch) cross(w *wall, crossings []crossing, h float64) {
	f := w.distance
	touches := float64(1e-3 * h)
	s.wantSlopes(crossings)
	s.slopes(f, h)
	t := &s.tracer
	t.Solid, t.Rays = f, t.Rays[:0]
	for i := range crossings {
		c := &crossings[i]
		near, far := &s.centres[c.low], &s.centres[c.high]
		segment := r3.Sub(far.at, near.at)
		switch {
		case segment == r3.Vec{} || near.d < 0 || far.d < 0:
			c.from, c.to, c.walled = -.5, -.5, w.sheet && min(c.dp, c.dq) > float64(-thickest*h)
			continue
		case alongside(near, far):
			continue
		}
		c.length = math.Sqrt(reproducible.Norm2(segment))
		rest := c.length - max(0, far.d-touches) // beyond it nothing is so near
		t.Rays = append(t.Rays, walls.Ray{Of: i, From: near.at, Dir: reproducible.Scale(1/c.length, segment), Length: rest, Gap: touches, D: near.d})
	}
	t.Trace()
	s.turnBack(crossings)
	t.Trace()
	s.goAround(crossings, w, touches)
	for i := range t.Rays {
		r := &t.Rays[i]
		c := &crossings[r.Of]
		if c.around {
			continue
		}
		dir := reproducible.Scale(1/h, r3.Sub(c.q, c.p))
		from := reproducible.Dot(r3.Sub(c.met, c.p), dir) / h
		to := reproducible.Dot(r3.Sub(c.q, r.End()), dir) / h
		c.from, c.to, c.walled = limit(from, c.dp/h), limit(to, c.dq/h), true
	}
}

// alongside tells whether the nearest surface has the same normal at both ends of a segment.
func alongside(near, far *shiftedCentre) bool {
	a, b := near.slope, far.slope
	return reproducible.Dot(a, b) >= .5*math.Sqrt(reproducible.Norm2(a)*reproducible.Norm2(b))
}

// limit is the room t towards a wall, in cells, of a centre that is d cells from it: none if it is in the wall.
func limit(t, d float64) float64 {
	if d < 0 {
		return min(t, d)
	}
	return t
}

// turnBack keeps the rays that met the solid, notes where, and sends them back from the far end.
func (s *scratch) turnBack(crossings []crossing) {
	n := 0
	for _, r := range s.tracer.Rays {
		if r.Stopped() {
			c := &crossings[r.Of]
			far := &s.centres[c.high]
			c.met = r.End()
			s.tracer.Rays[n] = walls.Ray{Of: r.Of, From: far.at, Dir: reproducible.Scale(-1, r.Dir), Length: c.length, Gap: r.Gap, D: far.d}
			n++
		}
	}
	s.tracer.Rays = s.tracer.Rays[:n]
}

// goAround finds which crossings from a centre in a wall only meet the rim of that, beyond which both of its sides meet. The centre counts as being beside
// the wall, and the straight way from there to one beyond the rim is through the rim. Beside both sides of the wall the crossing then leads past it.
func (s *scratch) goAround(crossings []crossing, w *wall, gap float64) {
	s.passBy(crossings, gap)
	if !w.sheet || !(w.thickness > 0) {
		return
	}
	s.listRims(crossings, w)
	s.evaluate(w.distance)
	t := &s.rim
	t.Rays = t.Rays[:0]
	for i := range s.rims {
		r := &s.rims[i]
		for n, x := range [2]r3.Vec{r.end.at, s.pts[i]} {
			beyond := r3.Add(x, r.along)
			d := [2]float64{r.end.d, float64(s.dist[i])}[n]
			t.Rays = append(t.Rays, rayBetween(r.of, x, beyond, d, gap), rayBetween(r.of, r.other.at, beyond, r.other.d, gap))
		}
	}
	t.Trace()
	for i := range s.rims {
		free := true
		for n := range 4 {
			free = free && !t.Rays[4*i+n].Stopped()
		}
		crossings[s.rims[i].of].around = free
	}
}

// rim is a crossing between a centre in a wall and one that is not, which may be beyond the wall's rim.
type rim struct {
	of         int // crossing
	end, other *shiftedCentre
	along      r3.Vec // from the one in the wall to the other, m
}

// listRims lists in s.rims the crossings that met a wall and of which one end is in it, and in s.pts where those are on the wall's other side.
func (s *scratch) listRims(crossings []crossing, w *wall) {
	s.rims, s.pts = s.rims[:0], s.pts[:0]
	for i := range s.tracer.Rays {
		of := s.tracer.Rays[i].Of
		c := &crossings[of]
		end, other, from, to := &s.centres[c.low], &s.centres[c.high], c.p, c.q
		if end.at == from {
			end, other, from, to = other, end, to, from
		}
		out := r3.Sub(end.at, from)
		size := math.Sqrt(reproducible.Norm2(out))
		if c.around || end.beyond || other.beyond || size == 0 || other.at != to {
			continue
		}
		h := math.Sqrt(reproducible.Norm2(r3.Sub(to, from)))
		s.rims = append(s.rims, rim{of, end, other, r3.Sub(to, from)})
		s.pts = append(s.pts, r3.Sub(end.at, reproducible.Scale((w.thickness+float64(2*off*h))/size, out)))
	}
}

// rayBetween is the ray from one place to another. The solid is d away from the first.
func rayBetween(of int, from, to r3.Vec, d, gap float64) walls.Ray {
	way := r3.Sub(to, from)
	size := math.Sqrt(reproducible.Norm2(way))
	return walls.Ray{Of: of, From: from, Dir: reproducible.Scale(1/max(size, 1e-300), way), Length: size, Gap: gap, D: d}
}

// passBy finds which crossings only touch a solid's edge: a little further up along the two other axes they lead past it. So of two rows of crossings at
// the two edges of a plate one counts.
func (s *scratch) passBy(crossings []crossing, gap float64) {
	t := &s.rim
	t.Solid = s.tracer.Solid
	t.Rays = t.Rays[:0]
	for i := range s.tracer.Rays {
		r := &s.tracer.Rays[i]
		c := &crossings[r.Of]
		near, far := &s.centres[c.low], &s.centres[c.high]
		beside := [3]float64{rimBy * gap, rimBy * gap, rimBy * gap}
		beside[c.axis] = 0
		if d := near.d - float64(1.5*rimBy*gap); near.at == c.p && far.at == c.q && d > gap {
			t.Rays = append(t.Rays, walls.Ray{Of: r.Of, From: r3.Add(c.p, reproducible.Vector(beside)), Dir: reproducible.Scale(-1, r.Dir), Length: c.length, Gap: gap, D: d})
		}
	}
	t.Trace()
	for i := range t.Rays {
		crossings[t.Rays[i].Of].around = !t.Rays[i].Stopped()
	}
}

// wantSlopes lists in s.which the ends of some crossings that are out of walls and whose slope is not known.
func (s *scratch) wantSlopes(crossings []crossing) {
	s.which = s.which[:0]
	for i := range crossings {
		for _, e := range [2]int32{crossings[i].low, crossings[i].high} {
			if p := &s.centres[e]; !p.sloped && p.d >= 0 {
				p.sloped = true
				s.which = append(s.which, e)
			}
		}
	}
}
