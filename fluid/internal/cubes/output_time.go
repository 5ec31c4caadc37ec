package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Surface and velocity are staggered in time: the surface moves through a step by the velocity that it has in its middle, and the pressure is
// found for where the surface is there (drift, kick, drift; Störmer and Verlet's scheme). The state is stored between the kick and the
// second half of the drift. Queries and the mesh are of the output time, the step's end: of the stored state extrapolated by that half, with its own
// velocity. So what falls freely has come by ½gt², whatever the step is.

// Queries answers what is asked of the settled state, for the output time.
type Queries struct {
	m       *Cells
	surface *Surface
	survey  *Survey
	casts   rayCasts
	fine    fineCell // of the cell at hand
}

// OutputDelay is from the time of the stored state to the output time, s.
func (m *Cells) OutputDelay() float64 { return m.Dt / 2 }

// toStored is where in the stored state what is at x, m, at the output time is, base cells. It inverts, to second order, x + delay·u(x).
func (q *Queries) toStored(x r3.Vec) layout.Point {
	m := q.m
	p := m.Grid.ToPoint(x.X, x.Y, x.Z)
	at := q.advected(p, p, -m.OutputDelay())
	return q.advected(p, at, -m.OutputDelay())
}

// advected is a place t seconds on from p with the velocity at another, base cells.
func (q *Queries) advected(p, at layout.Point, t float64) layout.Point {
	m := q.m
	s := t / (m.Grid.H * layout.Edge)
	x, y, z := m.Vel.At(at)
	return layout.Point{X: p.X + float64(s*float64(x)), Y: p.Y + float64(s*float64(y)), Z: p.Z + float64(s*float64(z))}
}

// toOutput moves places of the stored state, m, to where what is there is at the output time.
func (q *Queries) toOutput(pts []r3.Vec) {
	m := q.m
	t := m.OutputDelay()
	for i, x := range pts {
		u, v, w := m.Vel.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
		if u != 0 || v != 0 || w != 0 {
			pts[i] = r3.Add(x, r3.Vec{X: float64(t * float64(u)), Y: float64(t * float64(v)), Z: float64(t * float64(w))})
		}
	}
}

// distanceAt is the surface's signed distance from a place, m, at the output time.
func (q *Queries) distanceAt(x r3.Vec) float64 {
	return q.storedDistance(q.toStored(x))
}

// nearBy is how far from the surface, in cells, a tracker of its own is asked, by φ: from there on no surface is as near as φ may be wrong.
const nearBy = 2

// storedDistance is the surface's signed distance from a place in the stored state, m. Near the surface it is that of the tracker that blocks follow, if
// they do: φ is its copy at the cells' centres.
func (q *Queries) storedDistance(p layout.Point) float64 {
	m := q.m
	phi := float64(m.Set.Tiles.At(p))
	if !q.surface.copies() || q.surface.can.Near == nil {
		return phi
	}
	x := m.Grid.Metres(p)
	reach := float64(nearBy * m.Grid.SettledEdgeAt(x))
	if math.Abs(phi) > reach {
		return phi
	}
	d, ok := q.surface.can.Near(x, reach)
	switch {
	case ok:
		return d
	case d != 0:
		return math.Copysign(phi, d)
	}
	return phi
}
