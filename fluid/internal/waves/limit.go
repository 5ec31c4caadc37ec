package waves

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
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
	triangles := len(w.now.triangles) / 3
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
	par.For(w.pool, len(w.now.triangles)/3, grain, w, (*Waves).shares)
	least := float32(1)
	for _, s := range w.limit.steep {
		least = min(least, s)
	}
	return least
}

func (w *Waves) shares(_, lo, hi int) {
	least := float32(1)
	for t := lo; t < hi; t++ {
		tri := w.now.triangles[3*t : 3*t+3]
		share := float32(1)
		g, _ := w.gradient(tri[0], tri[1], tri[2])
		if g2 := reproducible.Norm2(g); g2 > Steepest*Steepest*(1+1e-6) {
			share = float32(Steepest / math.Sqrt(g2))
			least = min(least, share)
		}
		w.limit.share[t] = share
	}
	w.limit.steep[lo/grain] = least
}

// lower lowers the heights at steep triangles.
func (w *Waves) lower() {
	l := &w.limit
	for v := range l.of {
		l.of[v] = 1
	}
	for t, s := range l.share {
		if s < 1 {
			for _, v := range w.now.triangles[3*t : 3*t+3] {
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
