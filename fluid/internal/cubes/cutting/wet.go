package cutting

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// coupling fills the graph's couplings to bodies.
type coupling struct{ d *Discretiser }

// clear empties the couplings of the bodies.
func (cp *coupling) clear(bodies int) {
	gr := cp.d.gr
	for len(gr.Bodies) < bodies {
		gr.Bodies = append(gr.Bodies, graph.BodyCoupling{})
	}
	gr.Bodies = gr.Bodies[:bodies]
	for b := range gr.Bodies {
		w := &gr.Bodies[b]
		w.Row, w.K, w.Gap, w.Films = w.Row[:0], w.K[:0], w.Gap[:0], w.Films[:0]
		w.More, w.Less = [6][6]float64{}, [6][6]float64{}
		w.Area, w.Sealed, w.Volume, w.Whole, w.Moment = 0, 0, 0, 0, [3]float64{}
		w.Steps, w.Rests, w.Still = [6][6]float64{}, [6][6]float64{}, [6]float64{}
	}
}

// fillOrWet couples a body or fills a chunk of blocks: an item of a loop over both, which do not depend on each other.
func (d *Discretiser) fillOrWet(worker, i, _ int) {
	i, isBody := par.Between(i, len(d.gr.Bodies), par.Chunks(d.g.Bases(), fillGrain))
	if !isBody {
		for b := fillGrain * i; b < min(fillGrain*(i+1), d.g.Bases()); b++ {
			d.faces.fillFaces(int32(b))
		}
	} else if jobs := d.bodies.jobs[i]; len(jobs) > 0 && !jobs[0].at.Fixed {
		d.coupling.coupleBody(&d.work[worker], &d.gr.Bodies[i], jobs)
	}
}

// patch is where a body meets the liquid of one row, or the air of a cell at the surface.
type patch struct {
	cell int32
	k    [6]float64
	film [6]float64 // likewise, of the films that the row is at the rim of
	// gap is, per axis, the liquid between the plane through the row's centre and the body's
	// surface: volume, first and second moments along the next two axes about the body's centre. It is
	// the half cells on the faces that the body covers less the part of the cell that it fills.
	gap [3][6]float64
	// walled are the axes along which a thin wall bounds the gap: it is all that there is of the body.
	walled [3]bool
	// steps is what still liquid presses with and a row doesn't, per weight of liquid, m³ and m⁴, if it is at the surface, and edge the
	// cell's, m.
	steps [6]float64
	edge  float64
}

// add puts a volume v at an arm x into an axis's gap.
func (p *patch) add(a int, v float64, x [3]float64) {
	y, z := x[(a+1)%3], x[(a+2)%3]
	for i, m := range [6]float64{1, y, z, y * y, y * z, z * z} {
		p.gap[a][i] += float64(v * m)
	}
}

// inertia adds liquid of unit density that gives way along an axis only: v w wᵀ with w the wrench of
// a unit force along the axis.
func inertia(to *[6][6]float64, a int, gap *[6]float64) {
	// A force along a at y and z along the next two axes turns by z about the first, -y about the second.
	i, j, k := a, 3+(a+1)%3, 3+(a+2)%3
	to[i][i] += gap[0]
	to[i][j] += gap[2]
	to[j][i] += gap[2]
	to[i][k] -= gap[1]
	to[k][i] -= gap[1]
	to[j][j] += gap[5]
	to[j][k] -= gap[4]
	to[k][j] -= gap[4]
	to[k][k] += gap[3]
}

// coupleBody gathers a body's K from the faces it covers: the wetted patch of a cell is minus
// the solid parts of its faces, and so are its area vector and its moment.
func (cp *coupling) coupleBody(s *scratch, w *graph.BodyCoupling, jobs []job) {
	d := cp.d
	for len(s.ids) < len(d.Row) {
		s.ids = append(s.ids, -1)
	}
	s.met = s.met[:0]
	line := cp.waterline(jobs)
	for i := range jobs {
		if j := &jobs[i]; j.hit {
			k := d.block(j.base)
			for f := range j.faces {
				cp.coupleFace(s, w, &k, &j.faces[f], j.at)
			}
		}
	}
	for i := range jobs {
		if j := &jobs[i]; j.hit {
			k := d.block(j.base)
			for c := range j.cells {
				cp.coupleCell(s, w, &line, &k, &j.cells[c], j.at)
			}
		}
	}
	films := cp.coupleFilms(s, w, jobs)
	slices.Sort(w.Row)
	for _, r := range w.Row {
		p := &s.met[s.ids[d.gr.Cell[r]]]
		w.K = append(w.K, p.k)
		if films {
			w.Films = append(w.Films, [3]float64{p.film[0], p.film[1], p.film[2]})
			for i, x := range p.film {
				w.K[len(w.K)-1][i] += x
			}
		}
		w.Area += reproducible.Norm(r3.Vec{X: p.k[0], Y: p.k[1], Z: p.k[2]})
		w.Gap = append(w.Gap, [3]float64{p.gap[0][0], p.gap[1][0], p.gap[2][0]})
		for a := range p.gap {
			if jobs[0].at.Sampled {
				cp.addGapStill(w, a, &p.gap[a])
			}
			if p.gap[a][0] > 0 {
				inertia(&w.More, a, &p.gap[a])
			} else {
				inertia(&w.Less, a, &p.gap[a])
			}
		}
	}
	steps := cp.sumSteps(s.met, &line)
	w.Steps = graph.StepInertia(&d.Up, &steps)
	for i := range s.met {
		s.ids[s.met[i].cell] = -1
	}
}

// patchAt is the patch of a cell.
func (s *scratch) patchAt(cell int32) *patch {
	e := s.ids[cell]
	if e < 0 {
		e = int32(len(s.met))
		s.ids[cell] = e
		s.met = append(s.met, patch{cell: cell})
	}
	return &s.met[e]
}

// coupleCell adds a cell's share to the body's volume, and takes what it fills of a row's cell off the gaps.
func (cp *coupling) coupleCell(s *scratch, w *graph.BodyCoupling, line *waterline, k *block, c *solidCell, body *rigid.Solid) {
	solid := float64(c.solid * k.h * k.h * k.h)
	under := float64(solid * cp.fill(line, k, c, body.Thin))
	arm := r3.Sub(c.x, body.Centre)
	w.Volume += under
	w.Whole += solid
	for a, x := range [3]float64{arm.X, arm.Y, arm.Z} {
		w.Moment[a] += float64(under * x)
	}
	e := s.ids[c.cell]
	if e < 0 {
		return
	}
	p := &s.met[e]
	if cp.steps(body) {
		cp.stepCell(p, line, k, c, arm)
	}
	if cp.d.Row[c.cell] < 0 {
		return
	}
	if body.Sheet {
		solid = (c.taken - c.porous) * k.h * k.h * k.h
	}
	for a := range 3 {
		if !p.walled[a] {
			p.add(a, -solid, [3]float64{arm.X, arm.Y, arm.Z})
		}
	}
}

// rowPatch is the patch of a cell that is a row, which it lists as one of the body's; of another cell it is nil.
func (cp *coupling) rowPatch(s *scratch, w *graph.BodyCoupling, cell int32) *patch {
	r := cp.d.Row[cell]
	if r < 0 {
		return nil
	}
	if s.ids[cell] < 0 {
		w.Row = append(w.Row, r)
	}
	return s.patchAt(cell)
}

func (cp *coupling) coupleFace(s *scratch, w *graph.BodyCoupling, k *block, f *solidFace, body *rigid.Solid) {
	d := cp.d
	if f.taken == 0 || hasFilms(body) && d.walled(f) {
		return
	}
	a, area := int(f.axis), f.taken*(k.h*k.h)
	var lo, hi side
	switch {
	case f.end:
		lo.cells[0], lo.n = f.slot, 1
	case f.at[a] > 0:
		lo.cells[0], lo.n = f.slot-1<<(k.bits*a), 1
		hi.cells[0], hi.n = f.slot, 1
	default:
		at := [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])}
		lo, hi = d.sides(k, a, at)
		area = f.taken * d.area(k, a, at)
	}
	arm := r3.Sub(f.x, body.Centre)
	if body.Sampled {
		cp.addStill(w, &lo, &hi, int(f.axis), area, arm)
	}
	if f.porous > 0 {
		cp.couplePorous(s, w, &lo, &hi, f, area*f.porous/f.solid, arm)
		area -= float64(area * f.porous / f.solid)
	}
	if d.rowsOn(&lo)+d.rowsOn(&hi) > 0 && area > 0 {
		cp.spread(s, w, &lo, f, area, arm, 1, k.h*(float64(f.from)-.5))
		cp.spread(s, w, &hi, f, area, arm, -1, k.h*(float64(f.to)-.5))
	}
	if cp.steps(body) && lo.n == 1 && hi.n == 1 && !f.end {
		cp.stepFace(s, k, f, lo.cells[0], hi.cells[0], area, arm)
	}
}

// spread adds a face's share to the rows of one side. The body is beyond the face by some way, m.
func (cp *coupling) spread(s *scratch, w *graph.BodyCoupling, on *side, f *solidFace, area float64, arm r3.Vec, sign, beyond float64) {
	d := cp.d
	a := int(f.axis)
	area /= float64(on.n)
	x, y, z := [3]float64{arm.X, arm.Y, arm.Z}, (a+1)%3, (a+2)%3
	force := float64(sign * area)
	for _, c := range on.cells[:on.n] {
		p := cp.rowPatch(s, w, c)
		if p == nil {
			continue
		}
		p.k[a] += force
		p.k[3+y] += float64(x[z] * force)
		p.k[3+z] -= float64(x[y] * force)
		p.add(a, area*(float64(float64(d.gr.Size[d.Row[c]])/2)+beyond), x)
		p.walled[a] = p.walled[a] || f.walled
	}
}

// wrenchOf is a force along an axis at an arm.
func wrenchOf(a int, force float64, arm r3.Vec) [6]float64 {
	var n [3]float64
	n[a] = force
	m := reproducible.Cross(arm, r3.Vec{X: n[0], Y: n[1], Z: n[2]})
	return [6]float64{n[0], n[1], n[2], m.X, m.Y, m.Z}
}
