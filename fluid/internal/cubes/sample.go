package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Sample looks the liquid up at points, m, as if there were no solids. Outside of the domain is air. acceleration tells that of still liquid at a
// place, m/s²: heights are measured against it, and between cells the pressure is that of still liquid.
//
// dst: len ≥ len(pts).
func (q *Queries) Sample(dst []query.Sample, pts []r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	for i, x := range pts {
		q.sample(&dst[i], x, acceleration)
	}
}

func (q *Queries) sample(s *query.Sample, x r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	m := q.m
	*s = query.Sample{}
	if !boxes.Contains(m.Domain, x) {
		s.Height = math.Inf(-1)
		return
	}
	p := q.toStored(x)
	phi := q.storedDistance(p)
	vx, vy, vz := m.Vel.At(p)
	s.Velocity = r3.Vec{X: float64(vx), Y: float64(vy), Z: float64(vz)}
	s.Height = q.height(x, phi, query.Up(acceleration(x)))
	if phi < 0 {
		s.Inside = true
		at := m.Grid.Metres(p)
		s.Pressure = q.pressureAt(at, p, acceleration(at))
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
func (q *Queries) pressureAt(x r3.Vec, p layout.Point, acceleration r3.Vec) float64 {
	m := q.m
	g := m.Grid
	b, _, _, _ := g.Locate(p)
	h, corner := g.CellSize(g.Prev.Level[b]), g.Corner(b)
	weight := reproducible.Scale(m.Density, acceleration) // of the liquid, N/m³
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
		*c = q.readSampled(reproducible.Vector(at), x, weight)
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
func (q *Queries) readSampled(at, x, weight r3.Vec) sampled {
	m := q.m
	g := m.Grid
	b, fx, fy, fz := g.Locate(g.ToPoint(at.X, at.Y, at.Z))
	cell := g.Prev.CellIn(b, fx, fy, fz)
	level, h, corner := g.Prev.Level[b], g.CellSize(g.Prev.Level[b]), g.Corner(b)
	in, mask := cell-g.Prev.First[b], int32(1)<<level-1
	for a := range corner {
		corner[a] += float64((float64(in>>(a*int(level))&mask) + .5) * h)
	}
	return sampled{pressure: m.Press[cell], phi: float64(m.Set.Phi[cell]), fall: reproducible.Dot(weight, r3.Sub(reproducible.Vector(corner), x))}
}

// height finds how far above x the surface is, marching along up (or down from the air) by what the
// distance and the cells allow; see stride.
func (q *Queries) height(x r3.Vec, phi float64, up r3.Vec) float64 {
	sign := 1.
	if phi >= 0 {
		sign = -1
	}
	t, before, was, at, dir := 0., 0., phi, x, reproducible.Scale(sign, up)
	for range 10000 {
		t += float64(sign * q.stride(at, dir, math.Abs(was)))
		at = r3.Add(x, reproducible.Scale(t, up))
		if !boxes.Contains(q.m.Domain, at) {
			if sign < 0 {
				return math.Inf(-1)
			}
			return t
		}
		now := q.distanceAt(at)
		if (now < 0) != (was < 0) {
			return q.crossing(x, up, before, t, was, now)
		}
		before, was = t, now
	}
	return t
}

// crossing is where between lo and hi from x along up φ is 0, which is a and b there: by false position, that keeps both
// ends moving, since between cells φ has kinks.
//
// Source: Dowell, Jarratt 1971, the Illinois algorithm.
func (q *Queries) crossing(x, up r3.Vec, lo, hi, a, b float64) float64 {
	for range 5 {
		t := lo + (hi-lo)*a/(a-b)
		c := q.distanceAt(r3.Add(x, reproducible.Scale(t, up)))
		if (c < 0) == (b < 0) {
			a /= 2
		} else {
			lo, a = hi, b
		}
		hi, b = t, c
	}
	return hi
}
