package pressure

import (
	"errors"
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Failure is the error of a solve that found no pressure, and where.
type Failure struct {
	Err        error
	Residual   float64 // relative
	Iterations int
	Row        int32 // the one that is furthest from its equation, or the first that is not finite; -1 if there are none
	Rows       int   // of its component
	Closed     bool  // no air touches it
	Body       int   // whose velocity was not finite; -1 if none
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("%v: residual %.3g after %d iterations", f.Err, f.Residual, f.Iterations)
	if f.Row >= 0 {
		kind := "open"
		if f.Closed {
			kind = "closed"
		}
		text += fmt.Sprintf(", worst in one of %d cells that hang together, %s", f.Rows, kind)
	}
	if f.Body >= 0 {
		text += fmt.Sprintf(", body %d is not finite", f.Body)
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Err }

// Locate adds to the error of a solve where in the liquid it is, and which body, of the known ones, has a velocity that is not finite.
func Locate(err error, gr *graph.Graph, known int, identity func(body int) string) error {
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	if f.Row >= 0 {
		err = fmt.Errorf("%w, at %.4g m", err, gr.Centre[f.Row])
	}
	if f.Body >= 0 && f.Body < known {
		err = fmt.Errorf("%w (%s)", err, identity(f.Body))
	}
	return err
}

// failed describes a solve that ended with an error.
func (s *Solver) failed(err error, bodies []rigid.Body, rep *Report) *Failure {
	f := &Failure{Err: err, Residual: rep.Residual, Iterations: rep.Iterations, Row: s.worstRow(len(bodies)), Body: -1}
	if f.Row >= 0 {
		own := s.Label[f.Row]
		f.Closed = s.Closed[own]
		for _, label := range s.Label {
			if label == own {
				f.Rows++
			}
		}
	}
	for i := range bodies {
		for _, v := range bodies[i].V {
			if !geom.Finite(v) && f.Body < 0 {
				f.Body = i
			}
		}
	}
	return f
}

// worstRow is the row where pi is furthest from the solution.
func (s *Solver) worstRow(bodies int) int32 {
	s.receive(bodies)
	left := make([]float64, len(s.rhs))
	for i := range left {
		part, in := &s.matrix.Part[i/amg.PartRows], i%amg.PartRows
		left[i] = s.rhs[i] - float64(s.matrix.Diag[i]*s.pi[i])
		for p := part.Ptr[in]; p < part.Ptr[in+1]; p++ {
			left[i] -= float64(part.Val[p] * s.pi[part.Col[p]])
		}
	}
	for i := range s.gr.Bodies {
		w := &s.gr.Bodies[i]
		for e, r := range w.Row {
			left[r] -= rigid.Dot(&w.K[e], (*[6]float64)(s.impulse[6*i:]))
		}
	}
	worst, most := int32(-1), -1.
	for i, r := range left {
		if r-r != 0 {
			return int32(i)
		}
		if r = math.Abs(r); r > most {
			worst, most = int32(i), r
		}
	}
	return worst
}
