package walls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracer traces rays against a solid by its distance (sphere tracing: Hart 1996), many at a time: it asks for the distance where all of
// them have come to at once.
type Tracer struct {
	Solid shapes.Distance
	Rays  []Ray
	// Steps is the most that a ray makes. One that has not come to its end by then counts as having met the solid where it is.
	Steps int
	// Creep has rays go on nearer to the solid than their gap as long as they do not near it, by at least a gap in a step, and takes
	// those that meet it back by a gap. So liquid moves along a wall, or away from it.
	//
	// Without it a ray meets the solid as soon as that is nearer than the gap, even where the ray begins, and stays where it found that; no
	// step is longer than the distance, and the last one may lead past the ray's end. So the distance of a wall from a cell's centre is
	// measured, which decides what volume the cell has.
	Creep bool

	pts   []r3.Vec // places to ask about
	dist  []float32
	going []int32 // rays that go on
}

// Ray is a straight line that leads as far as a solid allows.
type Ray struct {
	Of        int     // which of the caller's traces it is of
	From, Dir r3.Vec  // m; Dir has length 1
	Length    float64 // where it ends, m
	Gap       float64 // how near the solid must be to be met, m
	T, D      float64 // how far it has come, and the solid's distance there, m; D is to be set for where it begins
	far       float64 // the solid's distance where it ends, m, if that is known
}

// creepTolerance, in gaps, is by how much a ray that creeps may near the solid in a step without meeting it: more than rounding.
const creepTolerance = .1

// MakeTracer has room for so many rays, which creep or not: see Tracer.
func MakeTracer(rays, steps int, creep bool) Tracer {
	return Tracer{
		Steps: steps, Creep: creep,
		Rays: make([]Ray, 0, rays), pts: make([]r3.Vec, 0, rays), dist: make([]float32, rays), going: make([]int32, 0, rays),
	}
}

// ask sets the distances at t.pts.
func (t *Tracer) ask() {
	if len(t.pts) == 0 {
		return
	}
	t.dist = arrays.Resize(t.dist, len(t.pts))
	t.Solid(t.dist, t.pts)
}

// Trace goes on with the rays by what the distance allows, until they meet the solid or come to their ends.
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
		t.ask()
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

// advance makes a step, and tells whether the distance where it leads is to be asked for.
func (t *Tracer) advance(r *Ray) bool {
	switch {
	case t.Creep:
		r.T = min(r.T+max(r.D, r.Gap), r.Length)
	case r.D < r.Gap:
		return false
	default:
		r.T += r.D
	}
	return r.Short()
}

// meets takes the distance where a ray has come to, and tells whether it meets the solid there. One that creeps is taken back to before
// it then; one that does not is stopped by advance.
func (t *Tracer) meets(r *Ray, d float64) bool {
	before := r.D
	r.D = d
	if t.Creep && (d < r.Gap && d < before-float64(creepTolerance*r.Gap) || d < -creepTolerance*r.Gap && d < before) {
		r.T = max(0, r.T-r.Gap)
		return true
	}
	return false
}

// Short tells whether a ray has not come to its end; after Trace, that it met the solid.
func (r *Ray) Short() bool { return r.T < r.Length }

// End is where a ray has come to, m.
func (r *Ray) End() r3.Vec { return r3.Add(r.From, reproducible.Scale(r.T, r.Dir)) }
