package graph

// shortestFace is the part of a face's length that ShortenGaps leaves at least.
const shortestFace = .2

// ShortenGaps takes a part of the negative gaps off the faces that lead from a body's rows into the liquid. Only cubes have gaps: those are along axes, as
// their faces are.
func (g *Graph) ShortenGaps(w *BodyCoupling, part float64) {
	if len(w.Gap) == 0 || !g.cubic() {
		return
	}
	for e, r := range w.Row {
		for side, f := range &g.Cubes.Sides[r] {
			if f < 0 {
				continue
			}
			a := side / 2
			into := w.K[e][a] // how far the face leads into the body
			if side&1 == 0 {
				into = -into
			}
			if gap := w.Gap[e][a]; gap < 0 && into < 0 && g.A[f] >= 0 && g.B[f] >= 0 {
				g.Dist[f] = max(shortestFace*g.Dist[f], g.Dist[f]+part*gap/g.Area[f])
			}
		}
	}
}
