package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Wind drags the liquid's surface along: it is a traction, N/m², of 1.2 kg/m³ · drag · |w| · w, where w is what of the wind's velocity
// against the liquid's is along the surface. The zero Wind is none. It acts on every surface, whatever is upwind of it, and raises no waves: on
// water 10 m/s give a sixth of a newton per square metre, a current of some centimetres per second after a minute.
type Wind struct {
	Velocity r3.Vec // m/s
	// Drag is the drag coefficient; a game may want more than is real. 0 means (0.8 + 0.065 s/m · |w|)/1000, up to 0.003.
	//
	// Source: Wu 1982, "Wind-stress coefficients over sea surface from breeze to hurricane".
	Drag float64
}

const (
	airDensity  = 1.2 // kg/m³
	maxWindDrag = 10  // of a wind
)

// SetWind changes the wind from the next step on; the zero Wind ends it. A velocity that is not finite or faster than 1e3 m/s, or a drag that is
// not 0 to 10, is an error, and the last wind stays.
func (l *Liquid) SetWind(w Wind) error {
	defer l.enter(&inSetWind).leave()
	switch {
	case !(reproducible.Norm(w.Velocity) <= maxMotion):
		return fmt.Errorf("fluid: SetWind: Velocity %v m/s; must be finite and at most %g long", w.Velocity, maxMotion)
	case !(w.Drag >= 0 && w.Drag <= maxWindDrag):
		return fmt.Errorf("fluid: SetWind: Drag %v; must be 0 to %g", w.Drag, float64(maxWindDrag))
	}
	if w != l.world.wind {
		l.world.wind = w
		l.wakeAll()
	}
	return nil
}

// drag is the wind's coefficient at a speed against the liquid, m/s.
func (w *Wind) drag(speed float64) float64 {
	if w.Drag > 0 {
		return w.Drag
	}
	return min(3e-3, .8e-3+float64(.065e-3*speed))
}

// dragByWind adds to the faces along the surface what the wind gives them: to a cell's two faces across an axis half each.
func (l *Liquid) dragByWind() {
	w, gr := &l.world.wind, &l.graph
	if *w == (Wind{}) {
		return
	}
	for r := range gr.Rows {
		area, ok := l.surfaceIn(r)
		if !ok {
			continue
		}
		size := reproducible.Norm(area)
		normal, h := reproducible.Scale(1/size, area), float64(gr.Size[r])
		against := r3.Sub(w.Velocity, l.velocityOf(r))
		against = r3.Sub(against, reproducible.Scale(reproducible.Dot(against, normal), normal))
		speed := reproducible.Norm(against)
		// The part of the speed against the cell that it takes on in the step.
		part := airDensity * w.drag(speed) * speed * size * l.m.Dt / (l.def.Density * h * h * h)
		gain := reproducible.Array(reproducible.Scale(.5*part/(1+part), against))
		for side, f := range gr.Sides[r] {
			if f >= 0 {
				gr.U[f] += gain[side/2]
			}
		}
	}
}

// surfaceIn is the area of the surface in a row's cell, m², as a vector out of the liquid. It is not ok if there is none.
func (l *Liquid) surfaceIn(r int) (area r3.Vec, ok bool) {
	gr := &l.graph
	var sum [3]float64
	for side, f := range gr.Sides[r] {
		if f < 0 {
			continue
		}
		if beyond := [2]int32{gr.A[f], gr.B[f]}[side&1]; beyond == graph.Air {
			sum[side/2] += float64(float64(2*(side&1)-1) * float64(gr.Area[f]*gr.Open[f]))
		}
	}
	return reproducible.Vector(sum), sum != [3]float64{}
}

// velocityOf is the mean of what crosses the faces of a row's cell, m/s.
func (l *Liquid) velocityOf(r int) r3.Vec {
	gr := &l.graph
	var v [3]float64
	for a := range v {
		n := 0.
		for _, f := range gr.Sides[r][2*a : 2*a+2] {
			if f >= 0 {
				v[a] += gr.U[f]
				n++
			}
		}
		v[a] /= max(1, n)
	}
	return reproducible.Vector(v)
}
