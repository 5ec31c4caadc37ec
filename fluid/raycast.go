package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Ray is a straight line to look for liquid on.
type Ray struct {
	From r3.Vec  // m
	Dir  r3.Vec  // of any length but 0
	Max  float64 // how far to look, m; 0 means without end
}

// RayHit is where a ray first meets the liquid's surface, from either side.
type RayHit struct {
	Hit    bool
	Inside bool // the ray starts in the liquid
	// Side tells that the liquid ends there at a side of the domain, as at a pane of glass, and not at the air.
	Side     bool
	Point    r3.Vec  // m
	Normal   r3.Vec  // unit, out of the liquid
	Distance float64 // from Ray.From, m
}

// RayCast finds the first surface on each ray and writes it into dst; if the slices differ in length, as many as the shorter one holds. It allocates
// nothing. The answer is the surface that Surface shows and that Sample measures from, to a tenth of a cell where it is no more bent than a
// ball of five cells; on sheets and drops a cell or two thick the two may differ.
//
// Only liquid stops a ray. Solids do not: the game casts it into its own bodies, too, and takes the nearer hit; in a solid the surface goes on
// as Surface's mesh does. Droplets are not met. Outside of the domain there is air: a ray that comes from there meets liquid behind a
// side at that side.
//
// A ray whose numbers are not finite, whose Dir is 0 or whose Max is negative is an error. It names the first such ray; nothing is
// looked for then, and all of dst has no hits. An infinite Max is as good as 0.
func (l *Liquid) RayCast(rays []Ray, dst []RayHit) error {
	defer l.enter(&inRayCast).leave()
	n := min(len(rays), len(dst))
	rays, dst = rays[:n], dst[:n]
	clear(dst)
	for i := range rays {
		if err := rays[i].check(); err != nil {
			return fmt.Errorf("fluid: RayCast: ray %d: %w", i, err)
		}
	}
	c := &l.casting
	if c.chunk == nil {
		c.chunk = l.castSome
	}
	c.rays, c.hits = rays, dst
	l.pool.For(n, castGrain, c.chunk)
	c.rays, c.hits = nil, nil
	return nil
}

// castGrain is how many rays a worker takes at a time.
const castGrain = 16

// casting is what RayCast hands to its workers.
type casting struct {
	rays  []Ray
	hits  []RayHit
	chunk par.Body
}

func (r *Ray) check() error {
	switch {
	case !finiteVec(r.From):
		return fmt.Errorf("From: %v m; must be finite", r.From)
	case !finiteVec(r.Dir) || r.Dir == r3.Vec{}:
		return fmt.Errorf("Dir: %v; must be finite and not 0", r.Dir)
	case !(r.Max >= 0):
		return fmt.Errorf("Max: %v m; must be ≥ 0", r.Max)
	}
	return nil
}

func (l *Liquid) castSome(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		l.cast(&l.casting.rays[i], &l.casting.hits[i])
	}
}

// castStride is by what part of the distance a march along a ray goes on, since what is shown is moved against what is kept. castWidth of a finest
// cell is how well a crossing is known in the end.
const (
	castStride = .5
	castWidth  = 1. / 256
)

// cast looks for the first surface on a ray.
func (l *Liquid) cast(r *Ray, hit *RayHit) {
	longest := r.Max
	if longest == 0 {
		longest = math.Inf(1)
	}
	dir := unitOf(r.Dir)
	enters, _, through, ok := throughBox(&l.def.Domain, r.From, dir)
	if !ok || enters > longest {
		return
	}
	start := r.From
	if enters > 0 {
		start = l.onRay(r.From, dir, enters)
	}
	was := l.phiAt(start)
	wet := was < 0
	switch {
	case enters > 0 && wet:
		*hit = RayHit{Hit: true, Side: true, Point: start, Normal: through, Distance: enters}
		return
	case wet:
		hit.Inside = true
	}
	// From here on all is measured from the start: a ray that comes from afar has no digits for a cell.
	_, leaves, through, ok := throughBox(&l.def.Domain, start, dir)
	if !ok {
		return
	}
	end := min(leaves, longest-enters)
	at := start
	for t := 0.; t < end; {
		next := min(t+l.stride(at, dir, castStride*math.Abs(was)), end)
		at = l.onRay(start, dir, next)
		now := l.phiAt(at)
		if (now < 0) != wet {
			t = l.meetOn(start, dir, t, next, was, now)
			hit.Hit, hit.Point, hit.Distance = true, l.onRay(start, dir, t), enters+t
			hit.Normal = l.normalAt(hit.Point, dir, wet)
			return
		}
		t, was = next, now
	}
	if wet && end == leaves {
		hit.Hit, hit.Side, hit.Point, hit.Normal, hit.Distance = true, true, l.onRay(start, dir, leaves), through, enters+leaves
	}
}

// stride is by how much a march along a unit vector may go on from a place, m: as asked, a quarter of a finest cell at least, and no more than a
// cell there and one where it comes to, since φ is no distance on cells that are large against what they tell of.
func (l *Liquid) stride(x, dir r3.Vec, asked float64) float64 {
	most := min(asked, l.m.SettledEdgeAt(x))
	if most > l.def.CellSize {
		most = min(most, l.m.SettledEdgeAt(r3.Add(x, reproducible.Scale(most, dir))))
	}
	return max(most, l.def.CellSize/4)
}

// meetOn is where along a ray φ is 0 between lo and hi, where it is a and b, of different signs.
func (l *Liquid) meetOn(from, dir r3.Vec, lo, hi, a, b float64) float64 {
	for width := castWidth * l.def.CellSize; hi-lo > width; {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			break
		}
		if c := l.phiAt(l.onRay(from, dir, mid)); (c < 0) == (a < 0) {
			lo, a = mid, c
		} else {
			hi, b = mid, c
		}
	}
	return lo + float64((hi-lo)*(a/(a-b)))
}

// onRay is the place on a ray t on, where rounding took it out of the domain the nearest in it.
func (l *Liquid) onRay(from, dir r3.Vec, t float64) r3.Vec {
	x := r3.Add(from, reproducible.Scale(t, dir))
	return boxes.Min(boxes.Max(x, l.def.Domain.Min), l.def.Domain.Max)
}

// normalAt is the surface's normal at a point of it, out of the liquid. Where φ has none, it is along the ray, which comes from the liquid
// if wet.
func (l *Liquid) normalAt(x, dir r3.Vec, wet bool) r3.Vec {
	half := float64(l.m.SettledEdgeAt(x) / 2)
	lo, hi := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	var slope [3]float64
	for a := range slope {
		below, above := reproducible.Array(x), reproducible.Array(x)
		below[a], above[a] = max(below[a]-half, lo[a]), min(above[a]+half, hi[a])
		if d := above[a] - below[a]; d > 0 {
			slope[a] = (l.phiAt(reproducible.Vector(above)) - l.phiAt(reproducible.Vector(below))) / d
		}
	}
	n := reproducible.Vector(slope)
	if size := reproducible.Norm(n); size > 1e-6 && finite(size) {
		return reproducible.Scale(1/size, n)
	}
	if wet {
		return dir
	}
	return reproducible.Scale(-1, dir)
}

// unitOf is a vector of any finite length but 0, made a unit one.
func unitOf(v r3.Vec) r3.Vec {
	most := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	v = r3.Vec{X: v.X / most, Y: v.Y / most, Z: v.Z / most}
	n := reproducible.Norm(v)
	return r3.Vec{X: v.X / n, Y: v.Y / n, Z: v.Z / n}
}

// throughBox is where a ray enters a box, 0 from within, and leaves it, m, and the outward normal of the side by which it enters, or
// if from within leaves. It is not ok if the ray misses the box.
func throughBox(box *r3.Box, from, dir r3.Vec) (enters, leaves float64, through r3.Vec, ok bool) {
	x, d, lo, hi := reproducible.Array(from), reproducible.Array(dir), reproducible.Array(box.Min), reproducible.Array(box.Max)
	enters, leaves = 0, math.Inf(1)
	in, out := -1, -1
	for a := range x {
		if d[a] == 0 {
			if x[a] < lo[a] || x[a] > hi[a] {
				return 0, 0, r3.Vec{}, false
			}
			continue
		}
		near, far := (lo[a]-x[a])/d[a], (hi[a]-x[a])/d[a]
		if d[a] < 0 {
			near, far = far, near
		}
		if near > enters {
			enters, in = near, a
		}
		if far < leaves {
			leaves, out = far, a
		}
	}
	if !(enters <= leaves) || math.IsInf(enters, 1) || math.IsInf(leaves, 1) || out < 0 {
		return 0, 0, r3.Vec{}, false
	}
	var normal [3]float64
	if in >= 0 {
		normal[in] = -math.Copysign(1, d[in])
	} else {
		normal[out] = math.Copysign(1, d[out])
	}
	return enters, leaves, reproducible.Vector(normal), true
}
