package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A row's pressure is that of its vertex, and presses on the body at the row's patch. Where the pressure is linear, as in still liquid, all patches together press
// with Σ A d n nᵀ times its gradient, over what the body covers of polygons, where it should be the body's volume. The difference, a hundredth of the body at three
// cells a radius and not the same in all directions, would drive along a body that is at rest. So it counts as liquid that moves with the body: in the solve it
// belongs to the body's inertia, and its weight to the load. As a motion's inertia is quadratic it is, with w = (n, r×n) at the centroid of what is covered,
//
//	Σ A d w wᵀ - ∫ W Wᵀ dV,
//
// W for the three unit vectors and the integral over the body. Its positive part is BodyCoupling.More and its negative one Less: the solve leaves out of
// the latter what a light body can't lose.
//
// Where the surface meets the body the rows end in steps. They press on it as if the liquid were cut along these, with the pressure that it has there. What still
// liquid presses with is known in each cell: its depth, which is -φ at the vertex. BodyCoupling.Steps is the difference.

// inertia is a symmetric matrix: that of liquid of unit density, m³, m⁴ and m⁵.
type inertia [6][6]float64

// addForce adds an area times a length, m³, that gives way along a wrench of unit force.
func (m *inertia) addForce(w *[6]float64, by float64) {
	for i, x := range w {
		for j := range i + 1 {
			m[i][j] += float64(by * x * w[j])
		}
	}
}

// addVolume adds so many times some volume.
func (m *inertia) addVolume(f *filled, by float64) {
	v := float64(by * f.volume)
	if v == 0 {
		return
	}
	var x vec
	for a := range x {
		x[a] = f.moment[a] / f.volume
	}
	square := geom.Dot(&x, &x)
	for a := range 3 {
		y, z := (a+1)%3, (a+2)%3
		m[a][a] += v
		// the moment of a unit force along a at x is x[z] about y and -x[y] about z
		m[3+y][a] += float64(v * x[z])
		m[3+z][a] -= float64(v * x[y])
		for b := range a + 1 {
			m[3+a][3+b] -= float64(v * x[a] * x[b])
		}
		m[3+a][3+a] += float64(v * square)
	}
}

// surfaceReach, in edges of its cell, is how far from the surface a vertex is at most whose cell the surface may cross.
const surfaceReach = ringReach

// scales is what is summed up of a body that is weighed.
type scales struct {
	gap   inertia
	steps [6]float64
	line  waterline
	part  float64 // of the body's volume, for each m³ of what is measured
}

// mostOff is by which part the measured volume of a body differs from its own at most. It differs by more where the body's shapes overlap, and what they have
// together isn't known.
const mostOff = .3

// partOf is a body's volume for each m³ that it is measured to fill: walls thinner than a cell and edges are not measured well.
func (cp *coupling) partOf(jobs []job) float64 {
	d, measured := cp.d, 0.
	for i := range jobs {
		j := &jobs[i]
		for n := range j.list.covers {
			c := &j.list.covers[n]
			for side, v := range d.l.Ends[d.l.EdgeRuns[j.base]+c.edge] {
				if d.room[v] > 0 {
					measured += c.filled[side].volume
				}
			}
		}
	}
	at := jobs[0].at
	whole := at.Volume * (1 - at.Porous)
	if !(math.Abs(float64(measured)-float64(whole)) < float64(mostOff*whole)) {
		return 1
	}
	return whole / measured
}

// weigh finds the body's volume, what still liquid presses with, and what the patches leave out of that.
func (cp *coupling) weigh(s *scratch, w *graph.BodyCoupling, jobs []job) {
	var sum scales
	steps := !jobs[0].at.Sampled && cp.d.Up != [3]float64{}
	sum.line, sum.part = cp.waterline(jobs), cp.partOf(jobs)
	for i := range jobs {
		j := &jobs[i]
		for n := range j.list.covers {
			cp.weighCover(s, w, &sum, j, &j.list.covers[n], steps)
		}
	}
	sum.gap.split(&w.More, &w.Less, reproducible.Cbrt(max(w.Whole, math.SmallestNonzeroFloat32)))
	if steps {
		w.Steps = graph.StepInertia(&cp.d.Up, &sum.steps)
	}
}

// weighCover adds what is at one edge.
func (cp *coupling) weighCover(s *scratch, w *graph.BodyCoupling, sum *scales, j *job, c *cover, steps bool) {
	d, l := cp.d, cp.d.l
	e := l.EdgeRuns[j.base] + c.edge
	n, arm := l.Normal(e), armOf(&c.at, j.at)
	force := wrench(&n, &arm)
	for side, v := range l.Ends[e] {
		f := c.own[side]
		f.scale(sum.part)
		w.Whole += f.volume
		wet := cp.submerged(s, sum, j, c, e, side, &f)
		w.Volume += wet.volume
		for a, m := range wet.moment {
			w.Moment[a] += m
		}
		if d.Row[v] != none || d.rows.shut[v] && !s.hasFilm(v) {
			sum.gap.addForce(&force, c.taken*l.Dist[e]*(float64(side)+float64(c.way*float64(1-2*side))))
			sum.gap.addVolume(&f, -1)
		}
		if steps && !d.rows.shut[v] && math.Abs(cp.phi[v]) <= surfaceReach*d.cellEdge(v) {
			cp.addSteps(s, sum, j, c, e, side, &f, &wet)
		}
	}
}

// surface is a level surface: places whose height along Up is less are under it.
type surface struct {
	up   vec
	high float64
}

// above is how far a place is above it, m.
func (p *surface) above(x *vec) float64 { return geom.Dot(&p.up, x) - p.high }

// surfaceAt is the surface as a vertex sees it.
func (cp *coupling) surfaceAt(v int32) surface {
	return surface{cp.d.Up, geom.Dot(&cp.d.Up, &cp.d.l.Position[v]) - cp.phi[v]}
}

// submerged is what the body fills under the surface of the pyramid on an edge's polygon from one of its ends: f, all of it, if that is deep, nothing in the air.
// In the body φ means little, and the surface is taken to be where it is around.
func (cp *coupling) submerged(s *scratch, sum *scales, j *job, c *cover, e int32, side int, f *filled) (wet filled) {
	d := cp.d
	v := d.l.Ends[e][side]
	phi, at := cp.phi[v], cp.surfaceAt(v)
	if d.rows.shut[v] && sum.line.parts > 0 {
		at.high = sum.line.height / sum.line.parts
		phi = at.above(&d.l.Position[v])
	}
	if f.volume == 0 || !(phi <= surfaceReach*d.cellEdge(v)) {
		return filled{}
	}
	if phi < -surfaceReach*d.cellEdge(v) || d.Up == [3]float64{} {
		if phi < 0 {
			return *f
		}
		return filled{}
	}
	switch low, high := cp.heights(e, v, &at); {
	case high <= 0 || c.thin && phi < 0:
		return *f
	case low >= 0 || c.thin:
		return filled{}
	}
	wet = cp.clipped(s, j, c, e, side, &at)
	wet.scale(sum.part)
	return wet
}

// heights are the least and the greatest of how far the pyramid on an edge's polygon from a vertex is above a surface, m.
func (cp *coupling) heights(e, v int32, at *surface) (low, high float64) {
	l := cp.d.l
	low = at.above(&l.Position[v])
	high = low
	for _, k := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
		h := at.above(&l.Centres[k])
		low, high = min(low, h), max(high, h)
	}
	return low, high
}

// clipped is what the body fills of a pyramid under a level surface.
func (cp *coupling) clipped(s *scratch, j *job, c *cover, e int32, side int, at *surface) (wet filled) {
	d, l := cp.d, cp.d.l
	sides, centre := d.static.bases[j.base].sides, vec{j.at.Centre.X, j.at.Centre.Y, j.at.Centre.Z}
	of := solidAt{ends: [2]float64{-1, -1}, feet: [2]float64{-1, -1}, about: &centre}
	if c.values != none {
		n := l.RingRuns[e+1] - l.RingRuns[e]
		values := j.list.values[c.values:][:n+beyondRing]
		d.outline(s, &d.domain, sides, e, values)
		of = solidOf(values, int(n), &centre)
		of.bend = d.bendOf(e, values).all
	} else {
		d.outline(s, &d.domain, sides, e, nil)
		for i := range s.poly.d {
			s.poly.d[i] = -1
		}
	}
	wet.addPyramid(&s.poly, &l.Position[l.Ends[e][side]], of.ends[side], &centre, of.bend, at)
	if sides != 0 {
		d.addSides(s, &d.domain, sides, e, side, &of, at, &wet)
	}
	if whole := c.filled[side].volume; whole > 0 {
		wet.scale(c.own[side].volume / whole)
	}
	return wet
}

// addSteps adds what still liquid presses with at one end of an edge, a row or in the air, less what the row and its gap do. What is wet of the body in the cell weighs
// as much as liquid; the part of the polygon that the body covers under the surface bears its pressure. Between two rows the latter is the same from either side; so
// it is, summed up, around a vertex in the body that is wholly under the surface.
func (cp *coupling) addSteps(s *scratch, sum *scales, j *job, c *cover, e int32, side int, f, wet *filled) {
	d, l := cp.d, cp.d.l
	v, other := l.Ends[e][side], l.Ends[e][1-side]
	isRow := d.Row[v] != none
	part := *wet
	if isRow {
		part.volume -= f.volume
		for a := range part.moment {
			part.moment[a] -= f.moment[a]
		}
	}
	turn := geom.Cross(&part.moment, &d.Up)
	for a, up := range d.Up {
		sum.steps[a] += float64(part.volume * up)
		sum.steps[3+a] += turn[a]
	}
	if c.thin && !isRow {
		return // the surface that is near is perhaps across the wall
	}
	at := cp.surfaceAt(v)
	if c.taken == 0 || isRow && d.Row[other] != none || isRow && d.rows.shut[other] && at.above(&l.Position[other]) < -d.cellRadius(other) {
		return
	}
	out := l.Normal(e)
	at.high -= float64((c.way - .5) * l.Dist[e] * geom.Dot(&out, &d.Up)) // what is covered is so far beyond the polygon
	foot := l.Position[v]
	for a := range out {
		if side == 1 {
			out[a] = -out[a]
		}
		foot[a] += float64(out[a] * l.Dist[e] / 2)
	}
	pressed, centre := cp.pressed(s, j, c, e, &at)
	cp.addPressure(sum, &out, pressed, &centre, j)
	if isRow {
		cp.addPressure(sum, &out, float64(c.taken*at.above(&foot)), &c.at, j)
	}
}

// addPressure adds to the steps what a pressure, in m³ per weight of liquid, exerts on the body along a normal at a place.
func (cp *coupling) addPressure(sum *scales, n *vec, pressure float64, x *vec, j *job) {
	arm := armOf(x, j.at)
	for i, v := range wrench(n, &arm) {
		sum.steps[i] += float64(pressure * v)
	}
}

// pressed is what still liquid under a surface presses with on what the body covers of an edge's polygon, in m³ per weight of liquid, and where.
func (cp *coupling) pressed(s *scratch, j *job, c *cover, e int32, at *surface) (sum float64, centre vec) {
	d, l := cp.d, cp.d.l
	sides := d.static.bases[j.base].sides
	n := l.Normal(e)
	if c.values != none && c.area > 0 {
		values := j.list.values[c.values:][:l.RingRuns[e+1]-l.RingRuns[e]+beyondRing]
		d.outline(s, &d.domain, sides, e, values)
		off := d.bendOf(e, values).off
		for i := range s.poly.d {
			s.poly.d[i] = off - s.poly.d[i]
		}
		s.poly.clip(&s.other, s.poly.d)
		s.poly, s.other = s.other, s.poly
	} else {
		d.outline(s, &d.domain, sides, e, nil)
	}
	s.values = s.values[:0]
	for i := range s.poly.x {
		depth := -at.above(&s.poly.x[i])
		s.poly.d[i] = depth
		s.values = append(s.values, depth)
	}
	s.poly.clip(&s.other, s.values)
	sum, centre = s.other.integrate(&n)
	if c.area > 0 {
		sum *= c.taken / c.area
	}
	return sum, centre
}

// integrate is the integral over a polygon with a normal of its values, which are linear, and the centroid of that.
func (p *polygon) integrate(n *vec) (sum float64, centre vec) {
	var moment vec
	for i := 2; i < len(p.x); i++ {
		u, v := geom.Sub(&p.x[i-1], &p.x[0]), geom.Sub(&p.x[i], &p.x[0])
		turn := geom.Cross(&u, &v)
		area := math.Abs(geom.Dot(&turn, n)) / 2
		all := p.d[0] + p.d[i-1] + p.d[i]
		sum += float64(area * all / 3)
		for a := range moment {
			x, y, z := p.x[0][a], p.x[i-1][a], p.x[i][a]
			moment[a] += float64(area / 12 * (float64(all*(x+y+z)) + float64(p.d[0]*x) + float64(p.d[i-1]*y) + float64(p.d[i]*z)))
		}
	}
	if sum > 0 {
		for a := range centre {
			centre[a] = moment[a] / sum
		}
	}
	return sum, centre
}
