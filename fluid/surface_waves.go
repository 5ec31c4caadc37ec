package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/waves"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SurfaceWaves are small waves on the surface that is shown, some 5 to 20 of its triangles long, which the cells are too coarse for. The zero value is none.
//
// They move at the speed of their length and go with the liquid. Bends of the surface, bodies and obstacles that move, and drops that land set them going. Surface tells
// of them: positions, normals and velocities. The liquid does not know of them, nor do Sample, RayCast and all other queries, nor Hash. CopyTo
// copies them. They are no part of what is saved: after Restore the surface is without, and they come anew.
type SurfaceWaves struct {
	// Amplitude is how high waves may be, m, up to CellSize. 0 means that there are none. A fifth of CellSize suits most scenes.
	Amplitude float64
	// Depth is that of the liquid, m, up to 1e9: waves that are longer than it are slower. 0 means that it is deep.
	Depth float64
	// Strength is how much of what sets waves going does so, up to 10. 0 means 1.
	Strength float64
	// Fade is the time in which waves fall to 1/e, 0.01 s to 1000 s. 0 means 2 s.
	Fade float64
}

// validate reports fields out of their limits.
func (s SurfaceWaves) validate(d *Def, inRange func(name string, v, lo, hi float64, unit string)) {
	most := d.CellSize
	if d.Tracker == NoSurface {
		most = 0
	}
	inRange("SurfaceWaves.Amplitude", s.Amplitude, 0, most, " m")
	inRange("SurfaceWaves.Depth", s.Depth, 0, deep, " m")
	inRange("SurfaceWaves.Strength", s.Strength, 0, 10, "")
	inRange("SurfaceWaves.Fade", s.Fade, .01, 1000, " s")
}

// deep is a depth, m, that no wave feels.
const deep = 1e9

// leastWave is how high waves are, in Amplitude, that a surface at rest is shown with.
const leastWave = 1e-3

// detail is the surface waves of a liquid.
type detail struct {
	of      SurfaceWaves
	domain  r3.Box
	cell    float64 // edge of the finest cells, m
	waves   *waves.Waves
	shown   waves.Shown
	known   bool // there is a mesh with waves; otherwise the next one is without
	rests   bool // there are no waves, and the mesh is shown as it is
	strikes []waves.Strike
	solids  []waves.Solid
}

// newDetail makes the surface waves of a definition; nil: none.
func newDetail(l *simulation) *detail {
	if l.def.SurfaceWaves.Amplitude == 0 {
		return nil
	}
	return &detail{of: l.def.SurfaceWaves, domain: l.def.Domain, cell: l.def.CellSize, waves: waves.New(l.pool)}
}

// forget drops all waves.
func (d *detail) forget() {
	if d != nil {
		d.known, d.strikes = false, d.strikes[:0]
	}
}

// copyTo makes the waves of another liquid, which is at the same state, what these are.
func (d *detail) copyTo(dst *detail) {
	if d == nil || dst == nil || !d.known {
		return
	}
	d.waves.CopyTo(dst.waves)
	dst.known, dst.rests = true, d.rests
}

// medium is what decides the waves' speed.
func (d *detail) medium(a *solver.Surroundings) waves.Medium {
	m := waves.Medium{Gravity: reproducible.Norm(a.Fields.Gravity), Depth: d.of.Depth, Tension: a.Material.Tension / a.Material.Density}
	if m.Depth == 0 {
		m.Depth = deep
	}
	return m
}

// note remembers what lands in a substep.
func (d *detail) note(a *solver.Surroundings, spray *droplets.Spray) {
	if d == nil {
		return
	}
	d.add(a.Flows.Drops.Joined)
	if spray != nil {
		d.add(spray.MergedDrops)
	}
}

// mostStrikes bounds how many drops that land in a step make waves.
const mostStrikes = 4096

func (d *detail) add(drops []droplets.Drop) {
	for i := range drops {
		if len(d.strikes) < mostStrikes {
			d.strikes = append(d.strikes, waves.Strike{At: drops[i].X, Velocity: drops[i].V, Volume: drops[i].Volume})
		}
	}
}

// take takes the surface as it is dt later, ≥ 0, and the waves on to it.
func (d *detail) take(m *query.Triangles, a *solver.Surroundings, dt float64) {
	switch {
	case !d.known:
		d.waves.SetMesh(m)
	case dt > 0 || !d.waves.Stay(m):
		d.waves.Carry(m, dt)
	}
	d.known, d.rests = true, false
	if dt > 0 {
		d.excite(a, dt)
		d.advance(a, dt)
	}
	d.waves.Show(&d.shown, d.domain)
}

// excite sets waves going.
func (d *detail) excite(a *solver.Surroundings, dt float64) {
	medium, part := d.medium(a), d.of.Strength
	d.waves.Bend(medium, d.cell, part, dt)
	c := a.Coupling
	d.solids = d.solids[:0]
	for i := range c.Solids {
		s, b := &c.Solids[i], &c.Rigid[i]
		if b.V != ([6]float64{}) {
			d.solids = append(d.solids, waves.Solid{Solid: query.Solid{Distance: s.Distance, Bounds: s.Bounds}, Centre: s.Centre, Twist: b.V})
		}
	}
	for i := range d.solids {
		d.waves.Push(&d.solids[i], medium, part, dt)
	}
	for _, s := range d.strikes {
		d.waves.Strike(s, part)
	}
	d.strikes = d.strikes[:0]
}

// advance moves waves on, over a surface that has been carried.
func (d *detail) advance(a *solver.Surroundings, dt float64) {
	d.waves.Step(d.medium(a), dt)
	d.waves.Damp(d.of.Fade, dt)
	d.waves.Limit(d.of.Amplitude)
}

// fade moves waves on over a surface that rests, until there are none to be seen.
func (d *detail) fade(a *solver.Surroundings, dt float64) {
	if d.advance(a, dt); d.waves.Highest() < leastWave*d.of.Amplitude {
		d.waves.Clear()
		d.rests = true
	}
	d.waves.Show(&d.shown, d.domain)
}

// showWaves shows the surface with its waves.
func (o *output) showWaves() {
	s, from := &o.surface, &o.detail.shown
	s.Positions, s.Normals, s.Velocities = from.Positions, from.Normals, from.Velocities
}
