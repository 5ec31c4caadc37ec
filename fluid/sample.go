package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Medium is what there is at a point.
type Medium uint8

// The media.
const (
	MediumAir Medium = iota
	MediumLiquid
	MediumSolid // an obstacle or a coupled body
)

// sampleBatch is how many points at a time are asked for the solids that they are in.
const sampleBatch = 64

// Sample looks the liquid up at points, m, and writes the results into dst; if the slices
// differ in length, as many as the shorter one holds. It allocates nothing. Points outside of
// the domain are in the air.
func (l *Liquid) Sample(points []r3.Vec, dst []Sample) {
	defer l.enter(&inSample).leave()
	n := min(len(points), len(dst))
	for lo := 0; lo < n; lo += sampleBatch {
		hi := min(lo+sampleBatch, n)
		for i, x := range points[lo:hi] {
			l.sample(x, &dst[lo+i])
		}
		l.sampleSolids(points[lo:hi], dst[lo:hi])
	}
}

// sample looks the liquid up at a point as if there were no solids.
func (l *Liquid) sample(x r3.Vec, s *Sample) {
	*s = Sample{}
	if !boxes.Contains(l.def.Domain, x) {
		s.Height = math.Inf(-1)
		return
	}
	p := l.kept(x)
	phi := l.m.Set.Tiles.At(p)
	vx, vy, vz := l.m.Vel.At(p)
	s.Velocity = r3.Vec{X: float64(vx), Y: float64(vy), Z: float64(vz)}
	s.Height = l.height(x, float64(phi), l.upAt(x))
	if phi < 0 {
		s.Inside, s.Medium = true, MediumLiquid
		s.Pressure = l.pressureAt(l.m.Metres(p), p)
	}
}

// sampleSolids corrects the samples of points, no more than a batch, that are in solids.
func (l *Liquid) sampleSolids(points []r3.Vec, dst []Sample) {
	q, w, bodies := &l.query, &l.world, l.coupling.Bodies
	if len(w.static.Shapes()) > 0 && q.gather(&l.def.Domain, l.def.Domain, points) {
		w.distance(q.dist[:q.n], q.pts[:q.n])
		q.mark(dst)
	}
	for i := range l.coupling.Count() {
		if box := bodies.Bounds(i); l.coupling.Takes(i) && q.gather(&box, l.def.Domain, points) {
			bodies.Distance(i, q.dist[:q.n], q.pts[:q.n])
			q.mark(dst)
		}
	}
	for _, o := range w.obstacles {
		if !o.moves || o.setAside {
			continue
		}
		if box := o.placed.Bounds(); q.gather(&box, l.def.Domain, points) {
			o.placed.Eval(q.dist[:q.n], q.pts[:q.n])
			q.mark(dst)
		}
	}
}

// query is scratch of Sample: n points of a batch that may be in a solid, which ones they are, and how far from it, m.
type query struct {
	n    int
	pts  [sampleBatch]r3.Vec
	of   [sampleBatch]int
	dist [sampleBatch]float32
}

// gather takes the points in a solid's bounds and the domain, and tells whether there are any.
func (q *query) gather(bounds *r3.Box, domain r3.Box, points []r3.Vec) bool {
	q.n = 0
	for i, x := range points {
		if boxes.Contains(*bounds, x) && boxes.Contains(domain, x) {
			q.pts[q.n], q.of[q.n] = x, i
			q.n++
		}
	}
	return q.n > 0
}

// mark has the samples of the gathered points that are in the solid say so.
func (q *query) mark(dst []Sample) {
	for k, d := range q.dist[:q.n] {
		if d < 0 {
			s := &dst[q.of[k]]
			s.Inside, s.Medium, s.Pressure = false, MediumSolid, 0
		}
	}
}

// sampled is one of the cells around a point of which the pressure is asked.
type sampled struct {
	weight   float64 // of linear interpolation
	pressure float64 // that was solved for, Pa; 0: the cell is no row
	fall     float64 // by how much still liquid's pressure is greater there than at the point, Pa
	phi      float64 // m
}

// pressureAt is the pressure at a point in the liquid, Pa. It is linear between the centres of the cells around, where those have a
// pressure. In those of air it goes on as it falls from the deepest of the others to the surface, in those of solids as in still liquid.
func (l *Liquid) pressureAt(x r3.Vec, p grid.Point) float64 {
	g := l.m.Grid
	b, _, _, _ := g.Locate(p)
	h, corner := g.CellSize(g.Prev.Level[b]), g.Corner(b)
	weight := reproducible.Scale(l.def.Density, l.accelerationAt(x)) // of the liquid, N/m³
	var around [8]sampled
	deepest := -1
	for i := range around {
		var at [3]float64
		part := 1.
		for a, u := range reproducible.Array(x) {
			cells := float64((u-corner[a])/h) - .5
			low := math.Floor(cells)
			up := float64(i >> a & 1)
			part *= math.Abs(1 - up - (cells - low))
			at[a] = corner[a] + float64((low+up+.5)*h)
		}
		c := &around[i]
		*c = l.readSampled(reproducible.Vector(at), x, weight)
		c.weight = part
		if c.pressure != 0 && c.phi < 0 && (deepest < 0 || c.phi < around[deepest].phi) {
			deepest = i
		}
	}
	if deepest < 0 {
		return 0
	}
	return interpolate(&around, &around[deepest])
}

// interpolate is the pressure, Pa, at the point that cells are around, of which one is the deepest row.
func interpolate(around *[8]sampled, deepest *sampled) float64 {
	sum, total := 0., 0.
	for i := range around {
		c := &around[i]
		pressure := c.pressure
		if pressure == 0 {
			if c.phi < 0 {
				continue
			}
			pressure = deepest.pressure * c.phi / deepest.phi
		}
		sum += float64(c.weight * (pressure - c.fall))
		total += c.weight
	}
	if total <= 0 {
		return deepest.pressure - deepest.fall
	}
	return sum / total
}

// readSampled reads the cell at a place, for a point x.
func (l *Liquid) readSampled(at, x, weight r3.Vec) sampled {
	g := l.m.Grid
	b, fx, fy, fz := g.Locate(g.ToPoint(at.X, at.Y, at.Z))
	cell := g.Prev.CellIn(b, fx, fy, fz)
	level, h, corner := g.Prev.Level[b], g.CellSize(g.Prev.Level[b]), g.Corner(b)
	in, mask := cell-g.Prev.First[b], int32(1)<<level-1
	for a := range corner {
		corner[a] += float64((float64(in>>(a*int(level))&mask) + .5) * h)
	}
	return sampled{pressure: l.m.Press[cell], phi: float64(l.m.Set.Phi[cell]), fall: reproducible.Dot(weight, r3.Sub(reproducible.Vector(corner), x))}
}

// height finds how far above x the surface is, marching along up (or down from the air) by what the
// distance and the cells allow; see stride.
func (l *Liquid) height(x r3.Vec, phi float64, up r3.Vec) float64 {
	sign := 1.
	if phi >= 0 {
		sign = -1
	}
	t, before, was, at, way := 0., 0., phi, x, reproducible.Scale(sign, up)
	for range 10000 {
		t += float64(sign * l.stride(at, way, math.Abs(was)))
		at = r3.Add(x, reproducible.Scale(t, up))
		if !boxes.Contains(l.def.Domain, at) {
			if sign < 0 {
				return math.Inf(-1)
			}
			return t
		}
		now := l.phiAt(at)
		if (now < 0) != (was < 0) {
			return l.crossing(x, up, before, t, was, now)
		}
		before, was = t, now
	}
	return t
}

// crossing is where between lo and hi from x along up φ is 0, which is a and b there: by false position, that keeps both
// ends moving, since between cells φ has kinks.
//
// Source: Dowell, Jarratt 1971, the Illinois algorithm.
func (l *Liquid) crossing(x, up r3.Vec, lo, hi, a, b float64) float64 {
	for range 5 {
		t := lo + (hi-lo)*a/(a-b)
		c := l.phiAt(r3.Add(x, reproducible.Scale(t, up)))
		if (c < 0) == (b < 0) {
			a /= 2
		} else {
			lo, a = hi, b
		}
		hi, b = t, c
	}
	return hi
}

func (l *Liquid) phiAt(x r3.Vec) float64 {
	return float64(l.m.Set.Tiles.At(l.kept(x)))
}
