package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// throughSolids is a shape extended into solids where it ends at them, as throughWalls does it at the domain's sides: liquid that fills a basin up to a wall has no
// surface there.
type throughSolids struct {
	SDF
	solids []Distance
	band   float64 // m; within this distance of a solid, and of the end of the extension in it, Eval changes distances
	deep   float64 // m; so deep into a solid the shape goes on
	slack  float64 // m; a shape this close to a solid's surface ends there
}

// deepInSolids, in finest cells, is more than what the level set and vertices beside a solid take slopes and means from.
const deepInSolids = 3

// ThroughSolids returns s, extended into solids where s ends at their surface.
//
// cell: edge of the finest cells, m.
func ThroughSolids(s SDF, solids []Distance, cell float64) SDF {
	if len(solids) == 0 {
		return s
	}
	return &throughSolids{s, solids, wallBand * cell, deepInSolids * cell, wallSlack * cell}
}

// Bounds are the shape's, with what it has in solids.
func (w *throughSolids) Bounds() r3.Box { return boxes.Grown(w.SDF.Bounds(), w.deep) }

// Eval sets dst to the distances.
func (w *throughSolids) Eval(dst []float32, pts []r3.Vec) {
	w.SDF.Eval(dst, pts)
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	for len(pts) > 0 {
		n := min(len(pts), chunk)
		w.evalChunk(s, dst[:n], pts[:n])
		dst, pts = dst[n:], pts[n:]
	}
}

// evalChunk is Eval for at most a chunk of points.
func (w *throughSolids) evalChunk(s *scratch, dst []float32, pts []r3.Vec) {
	var away [chunk]float32
	w.solid(s, away[:len(pts)], pts)
	for i, x := range pts {
		d := float64(away[i])
		far := math.Abs(d) + w.slack
		if d < 0 {
			far += w.band // in a solid the shape's surface goes on, too, from where it meets the wall
		}
		if !(d < w.band && d > -w.deep-w.band) || math.Abs(float64(dst[i])) > far {
			continue
		}
		open, ok := w.moveOff(s, x, d)
		if !ok {
			continue
		}
		dst[i] = min(dst[i], max(w.continued(s, open, x), float32(-d-w.deep)))
	}
}

// solid writes the distance of the nearest solid from points, at most a chunk.
func (w *throughSolids) solid(s *scratch, dst []float32, pts []r3.Vec) {
	for i, f := range w.solids {
		if i == 0 {
			f(dst, pts)
			continue
		}
		f(s.val[:len(pts)], pts)
		for k, d := range s.val[:len(pts)] {
			dst[k] = min(dst[k], d)
		}
	}
}

// continued is what the shape's distance at a place in the open goes on to at another one, m, but for that of the surface along the solid.
func (w *throughSolids) continued(s *scratch, open, x r3.Vec) float32 {
	up, ok := w.slope(s, w.SDF.Eval, open)
	d := w.distance(s, open)
	s.pts[0] = open
	w.SDF.Eval(s.val[:1], s.pts[:1])
	if !ok || math.Abs(float64(s.val[0])+d) < w.slack {
		return s.val[0]
	}
	return s.val[0] + float32(reproducible.Dot(up, r3.Sub(x, open)))
}

// mostFaces is how many faces of solids can meet where a shape ends at all of them.
const mostFaces = 3

// moveOff returns a point moved out of and away from solids by the band, or to the middle between two, as long as it finds the shape to end at the nearest one, which is
// d away, m. It reports false where it ends at none.
func (w *throughSolids) moveOff(s *scratch, x r3.Vec, d float64) (r3.Vec, bool) {
	moved := false
	for range mostFaces {
		out, ok := w.outward(s, x)
		foot := r3.Sub(x, reproducible.Scale(d, out))
		if !ok || !w.reaches(s, foot, out) {
			break
		}
		moved, x = true, r3.Add(foot, reproducible.Scale(w.band, out))
		if d = w.distance(s, x); d > w.band-w.slack {
			break
		}
		if other, ok := w.outward(s, x); ok && reproducible.Dot(other, out) < -.5 { // across a gap
			d = (w.band + d) / 2
			x = r3.Add(foot, reproducible.Scale(d, out))
		}
	}
	return x, moved
}

// endsAt tells whether the shape's surface lies along that of a solid at a foot on it: there, and alongDepth into the open, its distance is minus the solid's.
func (w *throughSolids) endsAt(s *scratch, foot, out r3.Vec) bool {
	near := [2]r3.Vec{foot, r3.Add(foot, reproducible.Scale(alongDepth*w.slack, out))}
	for i, x := range near {
		d := w.distance(s, x)
		s.pts[0] = x
		w.SDF.Eval(s.val[:1], s.pts[:1])
		if math.Abs(d+float64(s.val[0])) > w.slack || i == 1 && d < 0 {
			return false
		}
	}
	return true
}

// reaches tells whether the shape's surface lies along that of a solid at a foot on it or where, along the solid, the shape begins.
func (w *throughSolids) reaches(s *scratch, foot, out r3.Vec) bool {
	if w.endsAt(s, foot, out) {
		return true
	}
	const clear = 2 * alongDepth
	beside := r3.Add(foot, reproducible.Scale(clear*w.slack, out))
	up, ok := w.slope(s, w.SDF.Eval, beside)
	s.pts[0] = beside
	w.SDF.Eval(s.val[:1], s.pts[:1])
	away, aslant := float64(s.val[0]), reproducible.Dot(up, out)
	if flat := 1 - float64(aslant*aslant); ok && math.Abs(away) < w.band && flat > flattest {
		along := r3.Sub(up, reproducible.Scale(aslant, out))
		foot = r3.Sub(foot, reproducible.Scale((away+float64(2*clear*w.slack))/flat, along))
		return w.endsAt(s, r3.Sub(foot, reproducible.Scale(w.distance(s, foot), out)), out)
	}
	return false
}

// flattest is the square of the sine of the angle between the shape's surface and a solid's, below which they don't count as meeting.
const flattest = .05

// distance is that of the nearest solid from a point, m.
func (w *throughSolids) distance(s *scratch, x r3.Vec) float64 {
	var dst [1]float32
	s.pts[0] = x
	w.solid(s, dst[:], s.pts[:1])
	return float64(dst[0])
}

// outward is the unit vector away from the nearest solid. It reports false where there is none.
func (w *throughSolids) outward(s *scratch, x r3.Vec) (r3.Vec, bool) {
	return w.slope(s, func(dst []float32, pts []r3.Vec) { w.solid(s, dst, pts) }, x)
}

// slope is the unit vector along which a distance grows at a point. It reports false at edges, where there is none.
func (w *throughSolids) slope(s *scratch, f Distance, x r3.Vec) (r3.Vec, bool) {
	var dst [6]float32
	by := float64(alongDepth * w.slack)
	for a := range 3 {
		p := reproducible.Array(x)
		p[a] += by
		s.pts[2*a] = reproducible.Vector(p)
		p[a] -= float64(2 * by)
		s.pts[2*a+1] = reproducible.Vector(p)
	}
	f(dst[:], s.pts[:6])
	n := r3.Vec{X: float64(dst[0]) - float64(dst[1]), Y: float64(dst[2]) - float64(dst[3]), Z: float64(dst[4]) - float64(dst[5])}
	size := reproducible.Norm(n)
	if !(size > by) { // half of what it is off edges
		return r3.Vec{}, false
	}
	return reproducible.Scale(1/size, n), true
}
