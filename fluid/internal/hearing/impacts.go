package hearing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// impacts sums, per tile, the kinetic energy that the pressure takes from the liquid in a step.
type impacts struct {
	graph *graph.Graph
	pool  *par.Pool
	tiles boxes.Tiles

	before []float64 // per face: the velocity before the solve, m/s
	energy []float64 // per row: the energy lost, J
	speed  []float64 // per row: m/s, where energy is lost
	weight float64   // m/s², at least leastWeight
	rho    float64   // kg/m³
	dt     float64   // s
	slot   []int32   // per tile: 1 + its index in sums, or 0
	sums   []sum     // in the order in which tiles were hit
}

// sum is the sum over a tile. Means are weighted by energy.
type sum struct {
	tile    int32
	energy  float64 // J
	speed   float64 // J·m/s
	at      r3.Vec  // J·m
	area    float64 // J·m²
	impulse float64 // N·s on bodies
	body    int     // index of the body with the greatest impulse

	substep struct{ energy, volume float64 } // J, m³
}

// forget clears the sums after a step.
func (m *impacts) forget() {
	for i := range m.sums {
		m.slot[m.sums[i].tile] = 0
	}
	m.sums = m.sums[:0]
}

// beforeSolve stores the velocity on the faces.
func (m *impacts) beforeSolve() { m.before = append(m.before[:0], m.graph.U...) }

// rowGrain is how many rows make a chunk.
const rowGrain = 2048

// afterSolve adds the energy that the pressure has taken in a substep.
func (m *impacts) afterSolve(solids []rigid.Body, moved [][6]float64, density, weight, dt float64) {
	gr := m.graph
	if len(m.before) != gr.Faces() {
		return
	}
	m.rho, m.weight, m.dt = density, max(weight, leastWeight), dt
	m.slot = arrays.Lengthen(m.slot, m.tiles.Len())
	m.energy, m.speed = arrays.Resize(m.energy, gr.Rows), arrays.Resize(m.speed, gr.Rows)
	par.For(m.pool, gr.Rows, rowGrain, m, (*impacts).measureRows)
	for r, e := range m.energy {
		if e > 0 {
			m.add(reproducible.Vector(gr.Centre[r]), e, m.speed[r], float64(gr.Volume[r]))
		}
	}
	for i := range gr.Bodies[:min(len(gr.Bodies), len(solids), len(moved))] {
		m.addBody(i, &solids[i], &moved[i])
	}
	for i := range m.sums {
		m.sums[i].endSubstep()
	}
}

// measureRows computes the energy lost in the rows lo ≤ r < hi.
func (m *impacts) measureRows(_, lo, hi int) {
	gr := m.graph
	for r := lo; r < hi; r++ {
		m.energy[r] = 0
		was := reproducible.Vector(gr.MeanVelocity(int32(r), m.before))
		if reproducible.Norm2(was) < sounds.LeastSpeed*sounds.LeastSpeed {
			continue // slow liquid is not heard
		}
		is := reproducible.Vector(gr.MeanVelocity(int32(r), gr.U))
		u, by := reproducible.Scale(.5, r3.Add(was, is)), r3.Sub(is, was)
		m.energy[r], m.speed[r] = lost(u, by, m.weight, m.dt, m.rho*float64(gr.Volume[r]))
	}
}

// leastWeight, m/s², is the least weight assumed: sloshing without gravity is not heard either.
const leastWeight = 2

// steepest is the greatest deceleration, over its weight, of liquid in a wave that doesn't break.
//
// Source: Longuet-Higgins 1963, The generation of capillary waves by steep gravity waves: g/2 at the crest of the steepest wave.
const steepest = .5

// lost returns the kinetic energy, J, that a mass, kg, at velocity u loses by a change of velocity within dt, beyond the work of its weight, m/s²; and
// its speed. Waves that don't break lose nothing.
func lost(u, by r3.Vec, weight, dt, mass float64) (energy, speed float64) {
	speed = reproducible.Norm(u)
	if speed < sounds.LeastSpeed {
		return 0, speed
	}
	against := -reproducible.Dot(u, by)/speed - float64(weight*dt)
	if against <= float64(steepest*weight*dt) {
		return 0, speed
	}
	return float64(mass * speed * against), speed
}

// addBody adds the energy that body i loses to the liquid. was is its velocity before the solve, m/s and rad/s.
func (m *impacts) addBody(i int, b *rigid.Body, was *[6]float64) {
	at := &m.graph.Bodies[i]
	if !(b.InverseMass > 0) || len(at.Row) == 0 {
		return
	}
	mass := 1 / b.InverseMass
	by := reproducible.Scale(b.InverseMass, r3.Vec{X: b.Impulse[0], Y: b.Impulse[1], Z: b.Impulse[2]})
	u := r3.Add(r3.Vec{X: was[0], Y: was[1], Z: was[2]}, reproducible.Scale(.5, by))
	e, speed := lost(u, by, m.weight, m.dt, mass)
	if e <= 0 {
		return
	}
	middle, volume := r3.Vec{}, 0.
	for _, r := range at.Row {
		middle = r3.Add(middle, reproducible.Vector(m.graph.Centre[r]))
		volume += float64(m.graph.Volume[r])
	}
	s := m.add(reproducible.Scale(1/float64(len(at.Row)), middle), e, speed, volume)
	if impulse := e / speed; impulse > s.impulse {
		s.body = i
	}
	s.impulse += e / speed
}

// add adds an energy loss, J, at a place, of a volume, m³, that moves at a speed, m/s.
func (m *impacts) add(x r3.Vec, energy, speed, volume float64) *sum {
	tile := m.tiles.At(x)
	if m.slot[tile] == 0 {
		m.sums = append(m.sums, sum{tile: tile})
		m.slot[tile] = int32(len(m.sums))
	}
	s := &m.sums[m.slot[tile]-1]
	s.energy += energy
	s.speed += float64(energy * speed)
	s.at = r3.Add(s.at, reproducible.Scale(energy, x))
	s.substep.energy += energy
	s.substep.volume += volume
	return s
}

// endSubstep adds the area of the impact: that of a face of a cube with its volume.
func (s *sum) endSubstep() {
	across := reproducible.Cbrt(s.substep.volume)
	s.area += float64(s.substep.energy * across * across)
	s.substep.energy, s.substep.volume = 0, 0
}

// append appends the step's impacts to dst.
func (m *impacts) append(dst []sounds.Impact) []sounds.Impact {
	for i := range m.sums {
		s := &m.sums[i]
		by := 1 / s.energy
		dst = append(dst, sounds.Impact{Position: reproducible.Scale(by, s.at), Energy: s.energy, Speed: s.speed * by, Area: s.area * by, Impulse: s.impulse, Body: uint64(s.body)})
	}
	return dst
}

// appendPockets appends the bubbles of air to dst.
func (m *impacts) appendPockets(dst []sounds.Pocket) []sounds.Pocket {
	gr := m.graph
	for i := range gr.Bubbles {
		b := &gr.Bubbles[i]
		if b.Small || b.Impulse == 0 || len(b.Faces) == 0 {
			continue
		}
		sum := r3.Vec{}
		for _, f := range b.Faces {
			sum = r3.Add(sum, reproducible.Vector(gr.FaceCentre(int(f.Face))))
		}
		dst = append(dst, sounds.Pocket{Position: reproducible.Scale(1/float64(len(b.Faces)), sum), Volume: b.Volume})
	}
	return dst
}
