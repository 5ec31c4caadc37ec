package adaptive

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Refresh gives the blocks that are new in Cur the old velocity and pressure, and wakes them.
func (m *Blocks) Refresh() {
	g, i := m.Grid, &m.Survey
	i.Fresh = i.Fresh[:0]
	for b := range int32(g.Bases()) {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.Fresh = append(i.Fresh, b)
		}
	}
	if len(i.Fresh) > 0 {
		par.Each(m.Pool, len(i.Fresh), 1, m, (*Blocks).refreshBlock)
		m.Carrier.Refresh(&m.Faces)
		m.wakeFresh()
	}
}

// refreshBlock gives the cells of a new block what the old cells at their middles had.
func (m *Blocks) refreshBlock(_ int, i int32) {
	b := m.Survey.Fresh[i]
	g, label := m.Grid, m.Volumes.label
	now, was := g.Cur.Level[b], g.Prev.Level[b]
	first, old := g.Cur.First[b], g.Prev.First[b]
	at := func(i int32) int32 { return (2*i + 1) << was >> (now + 1) }
	n := int32(1) << now
	to := first
	for z := range n {
		for y := range n {
			row := old + (at(y)+at(z)<<was)<<was
			for x := range n {
				from := row + at(x)
				m.Press[to], label[to] = m.Press[from], label[from]
				to++
			}
		}
	}
}

// CarryOver carries surface and foam over to levels that were changed outside of a step, and to what solids leave open now.
func (m *Blocks) CarryOver() {
	m.Set.Advance(m.Vel, 0)
	m.Foam.Advance(m.Set.Phi, m.Vel, 0)
}

// Settle makes levels, surface, velocity and foam at hand those that the next step begins with.
func (m *Blocks) Settle() {
	m.Grid.Settle()
	m.Vel.Gather(m.Pool, &m.Faces)
	m.Set.Publish()
	m.Foam.Publish()
}
