package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// castGrain is how many rays a worker takes at a time.
const castGrain = 16

// rayCasts is the rays that workers share, and their hits.
type rayCasts struct {
	rays []query.Ray
	hits []query.Hit
}

// Cast finds the first surface on each ray. hits[i] is ray i's, and empty before.
func (q *Queries) Cast(rays []query.Ray, hits []query.Hit) {
	q.casts = rayCasts{rays, hits}
	par.Each(q.m.Pool, len(rays), castGrain, q, (*Queries).castRay)
	q.casts = rayCasts{}
}

func (q *Queries) castRay(_ int, i int32) { q.cast(&q.casts.rays[i], &q.casts.hits[i]) }

// castStride is by what part of the distance a march along a ray goes on, since the distance of the stored state is extrapolated. castWidth of a finest
// cell is how well a crossing is known in the end.
const (
	castStride = .5
	castWidth  = 1. / 256
)

// cast looks for the first surface on a ray.
func (q *Queries) cast(r *query.Ray, hit *query.Hit) {
	m := q.m
	longest := r.Max
	if longest == 0 {
		longest = math.Inf(1)
	}
	dir := query.Unit(r.Dir)
	enters, _, through, ok := boxes.Through(&m.Domain, r.From, dir)
	if !ok || enters > longest {
		return
	}
	start := r.From
	if enters > 0 {
		start = q.onRay(r.From, dir, enters)
	}
	was := q.distanceAt(start)
	wet := was < 0
	switch {
	case enters > 0 && wet:
		*hit = query.Hit{Hit: true, Side: true, Point: start, Normal: through, Distance: enters}
		return
	case wet:
		hit.Inside = true
	}
	// From here on all is measured from the start: a ray that comes from afar has no digits for a cell.
	_, leaves, through, ok := boxes.Through(&m.Domain, start, dir)
	if !ok {
		return
	}
	end := min(leaves, longest-enters)
	at := start
	for t := 0.; t < end; {
		next := min(t+q.stride(at, dir, castStride*math.Abs(was)), end)
		at = q.onRay(start, dir, next)
		now := q.distanceAt(at)
		if (now < 0) != wet {
			t = q.meetOn(start, dir, t, next, was, now)
			hit.Hit, hit.Point, hit.Distance = true, q.onRay(start, dir, t), enters+t
			hit.Normal = q.normalAt(hit.Point, dir, wet)
			return
		}
		t, was = next, now
	}
	if wet && end == leaves {
		hit.Hit, hit.Side, hit.Point, hit.Normal, hit.Distance = true, true, q.onRay(start, dir, leaves), through, enters+leaves
	}
}

// stride is by how much a march along a unit vector may go on from a place, m: as asked, a quarter of a finest cell at least, and no more than a
// cell there and one where it comes to, since φ is no distance on cells that are large against what they tell of.
func (q *Queries) stride(x, dir r3.Vec, asked float64) float64 {
	m := q.m
	most := min(asked, m.Grid.SettledEdgeAt(x))
	if most > m.CellSize {
		most = min(most, m.Grid.SettledEdgeAt(r3.Add(x, reproducible.Scale(most, dir))))
	}
	return max(most, m.CellSize/4)
}

// meetOn is where along a ray φ is 0 between lo and hi, where it is a and b, of different signs.
func (q *Queries) meetOn(from, dir r3.Vec, lo, hi, a, b float64) float64 {
	for width := castWidth * q.m.CellSize; hi-lo > width; {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			break
		}
		if c := q.distanceAt(q.onRay(from, dir, mid)); (c < 0) == (a < 0) {
			lo, a = mid, c
		} else {
			hi, b = mid, c
		}
	}
	return lo + float64((hi-lo)*(a/(a-b)))
}

// onRay is the place on a ray t on, where rounding took it out of the domain the nearest in it.
func (q *Queries) onRay(from, dir r3.Vec, t float64) r3.Vec {
	m := q.m
	x := r3.Add(from, reproducible.Scale(t, dir))
	return boxes.Min(boxes.Max(x, m.Domain.Min), m.Domain.Max)
}

// normalAt is the surface's normal at a point of it, out of the liquid. Where φ has none, it is along the ray, which comes from the liquid
// if wet.
func (q *Queries) normalAt(x, dir r3.Vec, wet bool) r3.Vec {
	m := q.m
	half := float64(m.Grid.SettledEdgeAt(x) / 2)
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	var slope [3]float64
	for a := range slope {
		below, above := reproducible.Array(x), reproducible.Array(x)
		below[a], above[a] = max(below[a]-half, lo[a]), min(above[a]+half, hi[a])
		if d := above[a] - below[a]; d > 0 {
			slope[a] = (q.distanceAt(reproducible.Vector(above)) - q.distanceAt(reproducible.Vector(below))) / d
		}
	}
	n := reproducible.Vector(slope)
	if size := reproducible.Norm(n); size > 1e-6 && size <= math.MaxFloat64 {
		return reproducible.Scale(1/size, n)
	}
	if wet {
		return dir
	}
	return reproducible.Scale(-1, dir)
}
