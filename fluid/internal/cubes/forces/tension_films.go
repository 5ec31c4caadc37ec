package forces

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// films are where surfaces of two labels touch. No cell of air is between them, so that the pressure sees one liquid there; but each surface has its tension.
type films struct {
	some bool // there are surfaces of several labels
	// Of each cell of liquid near a surface in blocks with several labels: 1 more than the label, and the curvature of that label's surface where it is nearest, 1/m. Of others
	// within is 0.
	within []int32
	kappa  []float32
}

// begin makes room for so many cells.
func (s *films) begin(points []track.SurfacePoint, cells int) {
	s.some = false
	for i := range points {
		s.some = s.some || points[i].Label != points[0].Label
	}
	if s.some {
		s.within, s.kappa = arrays.Resize(s.within, cells), arrays.Resize(s.kappa, cells)
	}
}

// filmReach, in cells, is how far from a film the centres of the cells on its two sides are at most.
const filmReach = 1

// fitFilms writes the curvatures of a block's cells at films.
func (t *Tension) fitFilms(q *fitter, first int, h float32) {
	n := q.n
	within, kappa := t.films.within[first:][:n*n*n], t.films.kappa[first:][:n*n*n]
	for c := range within {
		x := [3]int{c % n, c / n % n, c / (n * n)}
		v := q.phi[q.halo+x[0]+q.edge*(q.halo+x[1]+q.edge*(q.halo+x[2]))]
		if v >= 0 || v < -filmReach {
			continue
		}
		f := frame{origin: [3]float64{float64(x[0]) + .5, float64(x[1]) + .5, float64(x[2]) + .5}}
		// It is the surface that the cell is inside of.
		s := q.near.nearest(&f, func(s *nearPoint, d [3]float64) bool { return s.ahead(&d) > 0 })
		if s == nil {
			continue
		}
		var p paraboloid
		q.near.frameAt(&f, s)
		q.near.addLabel(&p, &f, s.label)
		if k, ok := p.curvature(); ok {
			within[c], kappa[c] = s.label+1, float32(max(-1, min(1, k)))/h
		}
	}
}

// pullFilms adds to the velocity on faces between liquid of two labels what the tension of both surfaces gives it: the pressure changes there by
// γ times the difference of their curvatures.
func (t *Tension) pullFilms(_, lo, hi int) {
	gr := t.gr
	for f := lo; f < hi; f++ {
		a, b := gr.A[f], gr.B[f]
		if a < 0 || b < 0 {
			continue
		}
		i, p := t.filmAt(a)
		j, q := t.filmAt(b)
		if i != 0 && j != 0 && i != j {
			gr.U[f] -= t.push * t.gamma * (p - q) / gr.Dist[f]
		}
	}
}

// filmAt is what films has of a row: of its cell, or where it is a corner of several what most of them agree on, of as many the least label, with the mean of their curvatures.
func (t *Tension) filmAt(r int32) (within int32, kappa float64) {
	gr, s := t.gr, &t.films
	if !t.aslant {
		return s.within[gr.Cell[r]], float64(s.kappa[gr.Cell[r]])
	}
	cells := t.cellsAround(gr.Centre[r])
	most := 0
	for _, c := range cells {
		count, sum := 0, 0.
		for _, d := range cells {
			if s.within[c] == s.within[d] {
				count, sum = count+1, sum+float64(s.kappa[d])
			}
		}
		if w := s.within[c]; w != 0 && (count > most || count == most && w < within) {
			within, kappa, most = w, sum/float64(count), count
		}
	}
	return within, kappa
}
