package cubes

import "github.com/meniscus3d/meniscus/fluid/internal/arrays"

// What comes in and goes out through the sides of the domain as sources of the pressure solve.

// sealedFlow is what comes into and goes out of a component that no air touches, m³/s.
type sealedFlow struct{ in, out float64 }

// comes and goes are the parts of it that pass: as much goes as comes.
func (f *sealedFlow) comes() float64 { return min(1, f.out/f.in) }
func (f *sealedFlow) goes() float64  { return min(1, f.in/f.out) }

// Balance finds what would come and go in each component that no air touches, such as a pipe that is full. speed is that through each side, m/s:
// into the liquid, or if negative out of it.
func (f *Flow) Balance(speed [6]float64) {
	m := f.m
	f.sealed = arrays.Resize(f.sealed, len(m.Components.Closed))
	clear(f.sealed)
	for side, v := range speed {
		cells := f.of(side)
		for i := range cells {
			row := m.Solids.Row[cells[i].cell]
			if row < 0 {
				continue
			}
			s := &f.sealed[m.Components.Label[row]]
			switch {
			case v > 0:
				s.in += float64(v * cells[i].under(m.Set.Phi))
			case v < 0:
				s.out -= float64(v * cells[i].standing(m.Set.Phi))
			}
		}
	}
}

// AddToSealed lets what goes out elsewhere come into liquid that no air touches, through a side at a speed, m/s, and books it. It adds to the
// rows' sources, m³/s, and returns what comes, m³/s.
func (f *Flow) AddToSealed(side int, speed float64, rows []float64) (came float64) {
	m, cells := f.m, f.of(side)
	for i := range cells {
		row := m.Solids.Row[cells[i].cell]
		if row < 0 {
			continue
		}
		label := m.Components.Label[row]
		q := float64(speed * cells[i].under(m.Set.Phi))
		if m.Components.Closed[label] && q > 0 {
			q *= f.sealed[label].comes()
		}
		f.addRate(rows, row, side, q)
		f.volumes.Targets.Add(label, float64(q*m.Dt))
		came += q
	}
	return came
}

// Add spreads a source, m³/s, over the rows beside a side as they are wet beyond it, and adds it to theirs.
func (f *Flow) Add(side int, rate float64, rows []float64) {
	m, cells, total := f.m, f.of(side), 0.
	for i := range cells {
		if row := m.Solids.Row[cells[i].cell]; row >= 0 {
			total += cells[i].under(m.Set.Phi)
		}
	}
	if total == 0 {
		return
	}
	for i := range cells {
		if row := m.Solids.Row[cells[i].cell]; row >= 0 {
			f.addRate(rows, row, side, rate*cells[i].under(m.Set.Phi)/total)
		}
	}
}

// Draw has liquid go through a side at a speed, m/s, as high as it stands there, and books it. No more goes in a second than most times what a
// cell holds, and where no air touches it no more than comes in. What stands in cells of air leaves from the rows around. It adds to
// the rows' sources, m³/s, and returns what goes, m³/s.
func (f *Flow) Draw(side int, speed, most float64, rows []float64) (drawn float64) {
	m, cells := f.m, f.of(side)
	all, inRows := 0., 0.
	for i := range cells {
		area := cells[i].standing(m.Set.Phi)
		all += area
		if m.Solids.Row[cells[i].cell] >= 0 {
			inRows += area
		}
	}
	if inRows == 0 {
		return 0
	}
	for i := range cells {
		c := &cells[i]
		row, area := m.Solids.Row[c.cell], c.standing(m.Set.Phi)
		if row < 0 || area == 0 {
			continue
		}
		label, q := m.Components.Label[row], speed*area
		if m.Components.Closed[label] {
			q *= f.sealed[label].goes()
		} else {
			q = min(q*all/inRows, float64(most*f.survey.HeldIn(c.cell)))
		}
		f.addRate(rows, row, side, -q)
		f.volumes.Targets.Add(label, -float64(q*m.Dt))
		drawn += q
	}
	return drawn
}
