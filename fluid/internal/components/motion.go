package components

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Motion keeps the momentum of components that nothing but air touches while their velocity is carried.
//
// Carrying a velocity along its paths keeps no momentum: of a fast drop that runs into a slow one a quarter is lost, since the velocity is smoothed most
// where it is greatest. Nothing acts on liquid in the air meanwhile. So what old components had before, those that they have become have
// afterwards: what lacks is added to these, the same velocity everywhere, which leaves alone how their parts move among each other.
//
// The momentum of a component is its volume times the mean velocity of its faces, each weighted by the liquid that the pressure accelerates there. The solve
// keeps that mean exactly, and it does not depend on how the surface lies in the cells.
//
// The order of calls in a step is: Carry; Exclude; Balance; Settle.
type Motion struct {
	free []bool       // per component of the graph: nothing but air touches it
	mean [][3]float64 // per component of the graph that is free: its mean velocity, m/s, as it was carried

	wasFree []bool       // likewise of the old components,
	was     [][3]float64 // at the end of the last step

	sums   []tensor
	groups geom.Sets // of old components, and of new ones after them
	shared []sharedMotion
	gain   [][3]float64 // per component: velocity to be added, m/s
}

// tensor sums up faces: Σ volume·n·nᵀ, row by row, m³, and Σ volume·u·n, m³·m/s.
type tensor struct {
	volume [9]float64
	moves  [3]float64
}

// sharedMotion is what the old and the new components of a group have: volume, m³, and volume times velocity.
type sharedMotion struct {
	before, after   float64
	carried, wanted [3]float64
	bound           bool // to something else than air
}

// Forget has nothing balanced in the next step: the velocity was changed.
func (m *Motion) Forget() { m.wasFree, m.was = m.wasFree[:0], m.was[:0] }

// Carry measures the components of gr when their velocity has been carried.
func (m *Motion) Carry(gr *graph.Graph, c *graph.Components) {
	m.free = arrays.Resize(m.free, len(c.Closed))
	for i := range m.free {
		m.free[i] = len(gr.Held) == 0
	}
	gr.Bind(c.Label, m.free)
	m.mean = m.measure(m.mean, gr, c.Label)
}

// Exclude has a component keep the velocity with which it was carried: liquid comes or goes there.
func (m *Motion) Exclude(component int32) {
	if int(component) < len(m.free) { // else nothing was carried
		m.free[component] = false
	}
}

// Settle measures the components of gr when the pressure has acted. They are the old ones of the next step.
func (m *Motion) Settle(gr *graph.Graph, c *graph.Components) {
	m.was = m.measure(m.was, gr, c.Label)
	m.wasFree = append(m.wasFree[:0], m.free...)
}

// measure writes the mean velocity of each component that is free.
func (m *Motion) measure(mean [][3]float64, gr *graph.Graph, label []int32) [][3]float64 {
	mean = arrays.Resize(mean, len(m.free))
	clear(mean)
	if !slices.Contains(m.free, true) {
		return mean
	}
	m.sums = arrays.Resize(m.sums, len(m.free))
	clear(m.sums)
	m.eachFace(gr, label, func(f int, c int32) { m.sums[c].add(gr, f) })
	for c := range mean {
		if m.free[c] {
			mean[c], m.free[c] = m.sums[c].mean()
		}
	}
	return mean
}

// eachFace calls visit for the faces of components that are free.
func (m *Motion) eachFace(gr *graph.Graph, label []int32, visit func(f int, c int32)) {
	if len(gr.Connectivity) == 0 {
		m.eachFaceOf(gr, label, 0, int32(gr.Faces()), visit)
		return
	}
	for b := range gr.Connectivity {
		if part := &gr.Connectivity[b]; !part.Connected || part.Air || m.free[label[gr.Parts[b].Row]] { // else all is of a component that isn't
			m.eachFaceOf(gr, label, gr.Parts[b].Face, gr.Parts[b+1].Face, visit)
		}
	}
}

// eachFaceOf is eachFace for faces lo ≤ f < hi.
func (m *Motion) eachFaceOf(gr *graph.Graph, label []int32, lo, hi int32, visit func(f int, c int32)) {
	for f := int(lo); f < int(hi); f++ {
		if r := gr.FirstRow(max(gr.A[f], gr.B[f])); r >= 0 && m.free[label[r]] {
			visit(f, label[r])
		}
	}
}

func (s *tensor) add(gr *graph.Graph, f int) {
	volume, n := float64(gr.Area[f]*gr.Open[f]*gr.Dist[f]), gr.Normal(f)
	for a := range n {
		for b := range n {
			s.volume[3*a+b] += float64(volume * n[a] * n[b])
		}
	}
	gr.AddAlong(f, &s.moves, float64(volume*gr.U[f]))
}

// mean is the velocity that all would have to have for the sum to be what it is; false if that is not known.
func (s *tensor) mean() (v [3]float64, known bool) {
	dense.Factor(s.volume[:], 3)
	v = s.moves
	dense.Solve(s.volume[:], v[:])
	return v, geom.Finite(v[0]) && geom.Finite(v[1]) && geom.Finite(v[2])
}

// Balance adds to the velocity of gr what its components, whose targets are being matched with the old ones, lack of the momentum that those had.
func (m *Motion) Balance(t *Targets, gr *graph.Graph, c *graph.Components) {
	if len(m.was) != len(t.Target) || len(m.free) != len(t.Held) || !slices.Contains(m.free, true) {
		return
	}
	m.findGroups(t)
	m.gain = arrays.Resize(m.gain, len(m.free))
	clear(m.gain)
	old := int32(len(m.was))
	for i, gain := range m.gain {
		if g := &m.shared[m.groups.Find(old+int32(i))]; !g.bound && g.before > 0 && g.after > 0 {
			for a := range gain {
				m.gain[i][a] = g.wanted[a]/g.before - g.carried[a]/g.after
			}
		}
	}
	m.eachFace(gr, c.Label, func(f int, c int32) { gr.U[f] += gr.Along(f, &m.gain[c]) })
}

// findGroups sums up the old and new components that share liquid, directly or by others.
func (m *Motion) findGroups(t *Targets) {
	old := int32(len(m.was))
	m.groups.Reset(len(m.was) + len(m.free))
	for _, p := range t.pairs {
		m.groups.Join(p.From, old+p.To)
	}
	m.shared = arrays.Resize(m.shared, len(m.groups))
	clear(m.shared)
	for i, free := range m.wasFree {
		g := &m.shared[m.groups.Find(int32(i))]
		g.bound = g.bound || !free
		g.before += addMotion(&g.wanted, &m.was[i], t.Target[i])
	}
	for i, free := range m.free {
		g := &m.shared[m.groups.Find(old+int32(i))]
		g.bound = g.bound || !free
		g.after += addMotion(&g.carried, &m.mean[i], t.next[i])
	}
}

// addMotion adds what a volume, m³, has at a velocity, and returns the volume.
func addMotion(sum, velocity *[3]float64, volume float64) float64 {
	for a, v := range velocity {
		sum[a] += float64(volume * v)
	}
	return volume
}

// Known tells whether the velocity of some old component is known.
func (m *Motion) Known() bool { return slices.Contains(m.wasFree, true) }

// Code encodes or decodes the velocity of n old components, if it is known.
func (m *Motion) Code(c *codec.Codec, n int, known bool) {
	const most = 1e6 // m/s
	if c.Reading() {
		m.Forget()
	}
	if !known {
		return
	}
	if c.Reading() {
		m.wasFree, m.was = arrays.Resize(m.wasFree, n), arrays.Resize(m.was, n)
	}
	c.Bools(m.wasFree, n)
	for i := range n {
		v := [3]float64{}
		if c.Writing() {
			v = m.was[i]
		}
		for a := range v {
			c.Float64(&v[a], -most, most)
		}
		if c.Reading() {
			m.was[i] = v
		}
	}
}
