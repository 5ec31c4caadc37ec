package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ghostPressures sets the pressures across composite faces that the surface cuts through.
type ghostPressures struct {
	d         *Discretiser
	junctions []junction // per quad

	// While SetGhostPressures runs.
	pressure []float64  // per cell of Cur, Pa
	weight   [3]float64 // of the liquid, N/m³
	still    float64    // its size: the gradient of still liquid
}

// junction is where the composite face of a quad is: its face, and the base cell whose low side it is on.
type junction struct{ face, base int32 }

// SetGhostPressures makes the pressure across composite faces that the surface cuts through, some of whose
// four fine cells are liquid and some air, agree with one that grows linearly with depth: air cells
// take part as ghosts at p = -Gφ, where G is the gradient that the face's liquid cells had at the
// end of the last step, or that of still liquid if they are new; it is bounded, since a part of a face's pressure of the last step
// enters its next one. Counting ghosts as 0 instead, or
// putting the surface between the two sides, would drive still liquid along the junction.
//
// It adds to Jump and writes Dist and Still of gr, the graph of the last Fill. phi and pressure are per cell of
// Cur, m and Pa, the latter the last step's; weight is density times gravity.
func (d *Discretiser) SetGhostPressures(gr *graph.Graph, phi []float32, pressure []float64, weight [3]float64) {
	d.gr, d.phi = gr, phi
	gp := &d.ghosts
	gp.pressure, gp.weight, gp.still = pressure, weight, reproducible.Norm(r3.Vec{X: weight[0], Y: weight[1], Z: weight[2]})
	par.For(d.pool, len(gr.Cubes.Quads), 256, gp, (*ghostPressures).setQuads)
	d.gr, d.phi, gp.pressure = nil, nil, nil
}

func (gp *ghostPressures) setQuads(_, lo, hi int) {
	for q, rows := range gp.d.gr.Cubes.Quads[lo:hi] {
		air := 0
		for _, r := range rows {
			if r == graph.Air {
				air++
			}
		}
		if air != 0 && air != 4 {
			gp.setFace(gp.junctions[lo+q], float64(air))
		}
		gp.setStill(lo + q)
	}
}

// setStill writes what still liquid presses with in the middles of a quad's cells.
func (gp *ghostPressures) setStill(q int) {
	d := gp.d
	f := gp.junctions[q].face
	axis, reach := d.gr.Cubes.Axis[f], math.Sqrt(d.gr.Area[f])/4
	w := &gp.weight
	x, y := float64(reach*w[(axis+1)%3]), float64(reach*w[(axis+2)%3])
	d.gr.Cubes.Still[q] = [4]float64{-x - y, x - y, y - x, x + y}
}

// setFace sets the ghost pressures of one composite face, so many of whose fine cells are air.
func (gp *ghostPressures) setFace(at junction, air float64) {
	d := gp.d
	gr, f, k := d.gr, at.face, d.block(at.base)
	axis := int(gr.Cubes.Axis[f])
	lo, hi := d.sides(&k, axis, k.place(int(gr.Slot[f]-k.first)))
	fine, coarse := &lo, hi.cells[0]
	if lo.n == 1 {
		fine, coarse = &hi, lo.cells[0]
	}
	ghosts := 0.
	for _, c := range fine.cells {
		if d.Row[c] < 0 {
			ghosts += float64(d.phi[c])
		}
	}
	gradient, known := gp.gradient(fine, coarse)
	if !known || d.g.Cur.First[k.b] != d.g.Prev.First[k.b] {
		gradient = gp.stillGradient(axis, fine, coarse, math.Sqrt(gr.Area[f]), lo.n == 1)
	}
	if d.Row[coarse] >= 0 {
		gr.Jump[f] -= gradient * ghosts / air
	} else {
		gr.Jump[f] -= gradient * (float64(d.phi[coarse]) - float64(ghosts/4)) / (1 - float64(air/4))
	}
	gr.Dist[f] = .75 * math.Sqrt(gr.Area[f])
}

// steepest bounds the gradient, in units of that of still liquid.
const steepest = 2

// gradient is the pressure's, Pa/m, away from the surface, fitted to the liquid cells of a face. It
// is not known where these had no pressure yet.
func (gp *ghostPressures) gradient(fine *side, coarse int32) (g float64, known bool) {
	d := gp.d
	var pull, square float64
	for _, c := range [...]int32{fine.cells[0], fine.cells[1], fine.cells[2], fine.cells[3], coarse} {
		if phi := float64(d.phi[c]); d.Row[c] >= 0 {
			pull -= float64(gp.pressure[c] * phi)
			square += float64(phi * phi)
		}
	}
	if pull == 0 {
		return 0, false
	}
	return max(0, min(pull/square, steepest*gp.still)), true
}

// stillGradient is gradient for still liquid. size is the coarse cell's edge, m; above tells whether
// the fine cells lie above the face.
func (gp *ghostPressures) stillGradient(axis int, fine *side, coarse int32, size float64, above bool) float64 {
	d := gp.d
	var phi [4]float64
	for i, c := range fine.cells {
		phi[i] = float64(d.phi[c])
	}
	w := &gp.weight
	along := (float64((phi[0]+phi[1]+phi[2]+phi[3])/4) - float64(d.phi[coarse])) / .75
	if !above {
		along = -along
	}
	p := phi[1] + phi[3] - phi[0] - phi[2]
	q := phi[2] + phi[3] - phi[0] - phi[1]
	return max(0, -(float64(w[axis]*along)+float64(w[(axis+1)%3]*p)+float64(w[(axis+2)%3]*q))/size)
}
