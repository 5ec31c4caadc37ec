package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Sources is what puts liquid into the grid and takes it out: openings, drops that join it, and open sides. It is asked with shapes, places and
// volumes, and books what comes and goes with the components there.
type Sources struct {
	m       *Cells
	surface *Surface
	survey  *Survey
	volumes *Volumes
	opening Opening // scratch: see Sources.Opening
	outflow outflow
	rows    []int32      // scratch of Distribute and Join
	probe   shapes.Probe // scratch of SetVelocityIn
	claimed []claimed
	fresh   []bool // per row: it is of claimed
}

// claimed is a cell that an opening has filled in this substep, and its liquid's velocity, m/s.
type claimed struct {
	cell     int32
	velocity r3.Vec
}

// BeginInflow forgets what openings have taken on.
func (s *Sources) BeginInflow() { s.claimed = s.claimed[:0] }

// KeepInflow keeps what the last opening has taken on, m³, as liquid of a label, if the tracker has labels, and notes its velocity. It returns what the liquid has grown by.
func (s *Sources) KeepInflow(took float64, label int32, velocity r3.Vec) float64 {
	took = s.keep(took, label)
	if velocity == (r3.Vec{}) { // others set it in all of the opening
		s.noteClaimed(velocity)
	}
	return took
}

// noteClaimed notes the velocity, m/s, of what the last opening has taken on.
func (s *Sources) noteClaimed(velocity r3.Vec) {
	phi := s.m.Set.Phi
	for i := range s.opening.cells {
		if c := &s.opening.cells[i]; c.before >= 0 && phi[c.cell] < 0 {
			s.claimed = append(s.claimed, claimed{c.cell, velocity})
		}
	}
}

// SetInflowVelocity gives the faces of what openings have taken on its velocity, but for those of other liquid.
func (s *Sources) SetInflowVelocity() {
	m := s.m
	gr := m.Graph
	if len(s.claimed) == 0 {
		return
	}
	s.fresh = arrays.Resize(s.fresh, gr.Rows)
	clear(s.fresh)
	for _, c := range s.claimed {
		if r := m.Solids.Row[c.cell]; r >= 0 {
			s.fresh[r] = true
		}
	}
	for _, c := range s.claimed {
		if r := m.Solids.Row[c.cell]; r >= 0 {
			s.markBetween(r)
		}
	}
	for _, c := range s.claimed {
		if r := m.Solids.Row[c.cell]; r >= 0 {
			s.setFreshVelocity(r, reproducible.Array(c.velocity))
		}
	}
}

// markBetween counts the rows beside one that are in the middle of no cell as fresh, if all rows beside them that are in the middle of one are.
func (s *Sources) markBetween(row int32) {
	cells := s.m.Mesh.RowCells()
	s.eachBeside(row, func(_, other int32) {
		if other < 0 || s.fresh[other] || cells[other] >= 0 {
			return
		}
		all := true
		s.eachBeside(other, func(_, next int32) { all = all && (next < 0 || cells[next] < 0 || s.fresh[next]) })
		s.fresh[other] = all
	})
}

// setFreshVelocity gives the faces of a row, and of rows beside it that are in the middle of no cell, a velocity, m/s, where they lead to air or to fresh rows.
func (s *Sources) setFreshVelocity(row int32, v [3]float64) {
	gr, cells := s.m.Graph, s.m.Mesh.RowCells()
	s.eachBeside(row, func(f, other int32) {
		if other >= 0 && !s.fresh[other] {
			return
		}
		gr.U[f] = gr.Along(int(f), &v)
		if other >= 0 && cells[other] < 0 && cells[row] >= 0 {
			s.setFreshVelocity(other, v)
		}
	})
}

// eachBeside calls visit for the faces of a row, and what is beyond each.
func (s *Sources) eachBeside(row int32, visit func(f, other int32)) {
	gr := s.m.Graph
	for _, f := range gr.FacesOf(row) {
		if f < 0 {
			continue
		}
		other := gr.A[f]
		if other == row {
			other = gr.B[f]
		}
		visit(f, other)
	}
}

// HasRowsAround tells whether there is liquid to be solved for in the blocks that a shape in a box, m, may draw from.
func (s *Sources) HasRowsAround(box r3.Box) (some bool) {
	m := s.m
	if box = boxes.Grown(box, 2*m.Grid.CellSize(0)); !boxes.Overlap(box, m.Grid.Whole()) {
		return false
	}
	m.Grid.EachBase(box, func(b int32) { some = some || m.Graph.Parts[b].Row < m.Graph.Parts[b+1].Row })
	return some
}

// draw adds a negative source, m³/s, to a row, and takes it from what the row's component is to hold.
func (s *Sources) draw(rows []float64, row int32, rate float64) {
	m := s.m
	rows[row] += rate
	s.volumes.Targets.Add(m.Components.Label[row], float64(rate*m.Dt))
}

// Distribute spreads a source, m³/s, over the rows in a shape grown by grow, m, by their volume, and adds it to theirs. A draw, which is less than 0, takes no more than
// half of what is there in a step, and nothing where no air follows, and is booked; no row brings more than it has room for. It returns what it spread.
func (s *Sources) Distribute(shape shapes.SDF, grow, rate float64, rows []float64) float64 {
	m := s.m
	total := s.rowsIn(shape, grow, !(rate > 0))
	if total == 0 {
		return 0
	}
	rate = max(-.5*total/m.Dt, min(total/m.Dt, rate))
	for _, r := range s.rows {
		q := rate * float64(m.Graph.Volume[r]) / total
		if rate < 0 {
			s.draw(rows, r, q)
		} else {
			rows[r] += q
		}
	}
	return rate
}

// rowsIn lists in s.rows those in a shape grown by grow, m, and with open those only that air can follow. It returns their volume, m³.
func (s *Sources) rowsIn(shape shapes.SDF, grow float64, open bool) (total float64) {
	m := s.m
	gr, box := m.Graph, boxes.Grown(shape.Bounds(), grow)
	s.rows, m.Centres.Pts = s.rows[:0], m.Centres.Pts[:0]
	m.Grid.EachBase(box, func(b int32) {
		for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
			if !open || !m.Components.Closed[m.Components.Label[r]] {
				if x := reproducible.Vector(gr.Centre[r]); boxes.Contains(box, x) {
					s.rows, m.Centres.Pts = append(s.rows, r), append(m.Centres.Pts, x)
				}
			}
		}
	})
	m.Centres.Dist = arrays.Resize(m.Centres.Dist, len(m.Centres.Pts))
	shape.Eval(m.Centres.Dist, m.Centres.Pts)
	within := s.rows[:0]
	for i, r := range s.rows {
		if float64(m.Centres.Dist[i]) < grow {
			within = append(within, r)
			total += float64(gr.Volume[r])
		}
	}
	s.rows = within
	return total
}

// Join has the liquid within reach, m, of a place grow at a rate, m³/s, where air can give way: it adds to the rows' sources. A row brings no more in a
// step than solids leave room in it, and none brings anything where they leave none: what so does not come is booked all the same, and the volume's
// controller brings it.
func (s *Sources) Join(x r3.Vec, reach, rate float64, rows []float64) {
	m := s.m
	gr, total := m.Graph, 0.
	s.rows = s.rows[:0]
	m.Grid.EachBase(boxes.Grown(r3.Box{Min: x, Max: x}, reach), func(b int32) {
		for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
			if arm := r3.Sub(reproducible.Vector(gr.Centre[r]), x); reproducible.Dot(arm, arm) < float64(reach*reach) && !m.Components.Closed[m.Components.Label[r]] {
				s.rows = append(s.rows, r)
				total += float64(gr.Volume[r])
			}
		}
	})
	if total == 0 {
		return
	}
	rate = min(rate, total/m.Dt)
	for _, r := range s.rows {
		rows[r] += rate * float64(gr.Volume[r]) / total
	}
}

// SetVelocityIn gives the faces in a shape grown by grow, m, a velocity, m/s.
func (s *Sources) SetVelocityIn(shape shapes.SDF, grow float64, velocity r3.Vec) {
	m := s.m
	gr, v, box := m.Graph, reproducible.Array(velocity), boxes.Grown(shape.Bounds(), grow)
	m.Grid.EachBase(box, func(b int32) {
		for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
			x := reproducible.Vector(gr.FaceCentre(int(f)))
			if boxes.Contains(box, x) && s.probe.Distance(shape.Eval, x) < grow {
				gr.U[f] = gr.Along(int(f), &v)
			}
		}
	})
}
