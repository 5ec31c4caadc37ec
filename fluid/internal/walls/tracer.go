package walls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracer traces rays against a solid by its distance (sphere tracing: Hart 1996), in batches: each step evaluates the distance for
// all rays at once.
type Tracer struct {
	Solid shapes.Distance
	Rays  []Ray
	// Steps is the greatest number of steps of a ray. A ray that has not ended by then counts as having met the solid where it is.
	Steps int
	// Creep lets rays go on within their gap of the solid, as long as a step doesn't bring them nearer to it; a step is at least a gap
	// long. Rays that meet the solid go back by a gap. So liquid moves along a wall, or away from it.
	//
	// Without Creep a ray meets the solid where that is nearer than the gap, even at the ray's start, and stays there. No
	// step is longer than the distance; the last one may lead past the ray's end. The distance of a wall from a cell's centre is
	// measured so, and decides the cell's volume.
	Creep bool

	pts   []r3.Vec // where to evaluate the distance
	dist  []float32
	going []int32 // rays under way
}

// Ray is a straight line that ends at its length or at the solid.
type Ray struct {
	Of        int     // index of the caller's trace
	From, Dir r3.Vec  // m; Dir has length 1
	Length    float64 // m
	Gap       float64 // distance at which the solid is met, m
	T, D      float64 // current position on the ray, and the solid's distance there, m; the caller sets D at the start
	far       float64 // the solid's distance at the ray's end, m, if that is known
}

// creepTolerance, in gaps, is how much nearer to the solid a step may bring a creeping ray: more than rounding.
const creepTolerance = .1

// MakeTracer returns a Tracer with room for a number of rays.
func MakeTracer(rays, steps int, creep bool) Tracer {
	return Tracer{
		Steps: steps, Creep: creep,
		Rays: make([]Ray, 0, rays), pts: make([]r3.Vec, 0, rays), dist: make([]float32, rays), going: make([]int32, 0, rays),
	}
}

// evaluate sets t.dist to the solid's distances at t.pts.
func (t *Tracer) evaluate() {
	if len(t.pts) == 0 {
		return
	}
	t.dist = arrays.Resize(t.dist, len(t.pts))
	t.Solid(t.dist, t.pts)
}

// Trace moves the rays on until they meet the solid or end.
func (t *Tracer) Trace() {
	t.going = t.going[:0]
	for i := range t.Rays {
		t.going = append(t.going, int32(i))
	}
	for range t.Steps {
		t.pts = t.pts[:0]
		for _, i := range t.going {
			if r := &t.Rays[i]; t.advance(r) {
				t.going[len(t.pts)] = i
				t.pts = append(t.pts, r.End())
			}
		}
		if len(t.pts) == 0 {
			break
		}
		t.evaluate()
		n := 0
		for k, i := range t.going[:len(t.pts)] {
			if d := float64(t.dist[k]); !t.meets(&t.Rays[i], d) {
				t.going[n] = i
				n++
			}
		}
		t.going = t.going[:n]
	}
}

// advance makes a step of a ray, and reports whether the distance at its new position is needed.
func (t *Tracer) advance(r *Ray) bool {
	switch {
	case t.Creep:
		r.T = min(r.T+max(r.D, r.Gap), r.Length)
	case r.D < r.Gap:
		return false
	default:
		r.T += r.D
	}
	return r.Stopped()
}

// meets sets the distance at a ray's position, and reports whether a creeping ray meets the solid there. It then moves the ray back by a gap. Other
// rays are stopped by advance.
func (t *Tracer) meets(r *Ray, d float64) bool {
	before := r.D
	r.D = d
	if t.Creep && (d < r.Gap && d < before-float64(creepTolerance*r.Gap) || d < -creepTolerance*r.Gap && d < before) {
		r.T = max(0, r.T-r.Gap)
		return true
	}
	return false
}

// Stopped reports whether a ray has not reached its length. After Trace that means that it met the solid.
func (r *Ray) Stopped() bool { return r.T < r.Length }

// End returns the current position of a ray, m.
func (r *Ray) End() r3.Vec { return r3.Add(r.From, reproducible.Scale(r.T, r.Dir)) }
