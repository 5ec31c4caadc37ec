package waves

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"

	"gonum.org/v1/gonum/spatial/r3"
)

// Steepest is the greatest slope of the heights in a triangle: steeper waves break.
const Steepest = .4

// limiter is scratch of Limit.
type limiter struct {
	share []float32 // per triangle: of its heights that it may keep
	of    []float64 // per vertex: the least of its triangles'
	steep []float32 // per chunk of triangles: the least share
}

// mostRings is how often Limit goes from triangle to triangle before it lowers all waves alike.
const mostRings = 24

// Limit lowers heights to at most highest, m, and in triangles that are steeper than Steepest, together with their rates.
func (w *Waves) Limit(highest float64) {
	for v, h := range w.Height {
		if a := math.Abs(h); a > highest {
			w.Height[v], w.Speed[v] = float64(h*(highest/a)), float64(w.Speed[v]*(highest/a))
		}
	}
	l := &w.limit
	triangles := len(w.triangles) / 3
	l.share = arrays.Resize(l.share, triangles)
	l.of = arrays.Resize(l.of, len(w.Height))
	l.steep = arrays.Resize(l.steep, par.Chunks(triangles, grain))
	for range mostRings {
		least := w.findSteep()
		if least >= 1 {
			return
		}
		w.lower()
	}
	if least := float64(w.findSteep()); least < 1 {
		for v := range w.Height {
			w.Height[v], w.Speed[v] = float64(w.Height[v]*least), float64(w.Speed[v]*least)
		}
	}
}

// findSteep finds what share each triangle may keep, and returns the least.
func (w *Waves) findSteep() float32 {
	par.For(w.pool, len(w.triangles)/3, grain, w, (*Waves).slopes)
	least := float32(1)
	for _, s := range w.limit.steep {
		least = min(least, s)
	}
	return least
}

func (w *Waves) slopes(_, lo, hi int) {
	least := float32(1)
	for t := lo; t < hi; t++ {
		tri := w.triangles[3*t : 3*t+3]
		share := float32(1)
		if g2 := w.slope2(tri[0], tri[1], tri[2]); g2 > Steepest*Steepest*(1+1e-6) {
			share = float32(Steepest / math.Sqrt(g2))
			least = min(least, share)
		}
		w.limit.share[t] = share
	}
	w.limit.steep[lo/grain] = least
}

// slope2 is the squared gradient of the heights in a triangle; 0 for one without area.
func (w *Waves) slope2(a, b, c uint32) float64 {
	x := at(w.positions, a)
	e, f := r3.Sub(at(w.positions, b), x), r3.Sub(at(w.positions, c), x)
	ee, ef, ff := reproducible.Norm2(e), reproducible.Dot(e, f), reproducible.Norm2(f)
	det := float64(ee*ff) - float64(ef*ef)
	if det <= 1e-9*float64(ee*ff) {
		return 0
	}
	g, h := w.Height[b]-w.Height[a], w.Height[c]-w.Height[a]
	return (float64(g*g*ff) - float64(2*g*h*ef) + float64(h*h*ee)) / det
}

// lower lowers the heights at steep triangles.
func (w *Waves) lower() {
	l := &w.limit
	for v := range l.of {
		l.of[v] = 1
	}
	for t, s := range l.share {
		if s < 1 {
			for _, v := range w.triangles[3*t : 3*t+3] {
				l.of[v] = min(l.of[v], float64(s))
			}
		}
	}
	for v, s := range l.of {
		if s < 1 {
			w.Height[v], w.Speed[v] = float64(w.Height[v]*s), float64(w.Speed[v]*s)
		}
	}
}
