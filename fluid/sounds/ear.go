package sounds

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// mostSplashes is the greatest number of splashes of a step, the strongest ones; mostDrops is that of single droplets: more are Rain.
	mostSplashes, mostDrops = 32, 32
	// leastEnergy, J, is the least energy of a splash: that of a drop of a millilitre that falls by a tenth of a millimetre.
	leastEnergy = 1e-6
)

// Ear turns the facts of steps into sources. The zero value is ready.
type Ear struct {
	sources  []Source
	splashes []splash
	lasting  lasting
	flowing  []flowing // in the last step
	before   []flowing // scratch
	rain     rain
	pockets  pockets
}

// splash is a group of impacts that are heard as one.
type splash struct {
	Impact
	at    r3.Vec  // J·m: sum of energy · position
	speed float64 // J·m/s
	reach float64 // m
}

// Hear returns the sources of a step, which are valid until the next: splashes, the strongest first, with their bubbles; then droplets, rain, flows and
// pockets. It allocates only when there are more than before.
func (e *Ear) Hear(s *Step) []Source {
	e.sources = e.sources[:0]
	if !(s.Dt > 0) {
		return e.sources
	}
	e.hearSplashes(s)
	e.hearDrops(s)
	if src, ok := e.rain.hear(s); ok {
		e.sources = append(e.sources, src)
	}
	for i := range s.Flows {
		if src, ok := s.Flows[i].source(s); ok {
			e.sources = append(e.sources, src)
		}
	}
	e.sources = e.pockets.hear(s, e.sources)
	for i := range e.sources {
		e.sources[i].Power = e.sources[i].Energy / s.Dt
	}
	e.markStarts()
	return e.sources
}

// flowing identifies a flow or rain.
type flowing struct {
	kind Kind
	key  uint64
}

// markStarts sets Starts of flows and rain that were not in the last step.
func (e *Ear) markStarts() {
	e.before, e.flowing = e.flowing, e.before[:0]
	for i := range e.sources {
		if s := &e.sources[i]; s.Kind.GoesOn() && s.Kind != Splash && s.Kind != Bubbles {
			is := flowing{s.Kind, s.Key}
			s.Starts = !slices.Contains(e.before, is)
			e.flowing = append(e.flowing, is)
		}
	}
}

// hearSplashes groups impacts that are near each other into splashes.
func (e *Ear) hearSplashes(s *Step) {
	e.splashes = e.splashes[:0]
	e.lasting.begin(s.Dt)
	for i := range s.Impacts {
		e.join(&s.Impacts[i], s.CellSize)
	}
	slices.SortStableFunc(e.splashes, func(a, b splash) int { return cmp.Compare(b.Energy, a.Energy) })
	for i := range e.splashes[:min(mostSplashes, len(e.splashes))] {
		if p := &e.splashes[i]; p.Energy >= leastEnergy {
			src := p.source()
			src.Key, src.Starts = e.lasting.key(&src)
			e.sources = append(e.sources, src)
			if b, ok := src.bubbles(s); ok {
				e.sources = append(e.sources, b)
			}
		}
	}
}

// join adds an impact to the first splash near it, or starts one.
func (e *Ear) join(m *Impact, cell float64) {
	reach := radiusOf(m.Area) + float64(joinCells*cell)
	to := e.near(m.Position, reach)
	if to == nil {
		e.splashes = append(e.splashes, splash{Impact: Impact{Position: m.Position}, reach: reach})
		to = &e.splashes[len(e.splashes)-1]
	}
	to.Energy, to.Area = to.Energy+m.Energy, to.Area+m.Area
	to.at = r3.Add(to.at, reproducible.Scale(m.Energy, m.Position))
	to.speed += float64(m.Energy * m.Speed)
	if m.Impulse > to.Impulse {
		to.Body = m.Body
	}
	to.Impulse += m.Impulse
	to.reach = max(to.reach, reproducible.Norm(r3.Sub(m.Position, to.Position))+float64(reach/2))
}

// joinCells, in cells, is added to the radii within which impacts are heard as one: parts of space are 8 cells wide.
const joinCells = 8

// near returns the first splash within reach of a place.
func (e *Ear) near(x r3.Vec, reach float64) *splash {
	for i := range e.splashes {
		if p := &e.splashes[i]; reproducible.Norm(r3.Sub(p.Position, x)) <= p.reach+float64(reach/2) {
			return p
		}
	}
	return nil
}

func (p *splash) source() Source {
	return Source{
		Kind: Splash, Position: reproducible.Scale(1/p.Energy, p.at), Size: radiusOf(p.Area), Spread: p.reach,
		Energy: p.Energy, Speed: p.speed / p.Energy, Impulse: p.Impulse, Body: p.Body,
	}
}

// hearDrops appends single droplets.
func (e *Ear) hearDrops(s *Step) {
	if len(s.Drops) > mostDrops {
		return
	}
	for i := range s.Drops {
		d := &s.Drops[i]
		e.sources = append(e.sources, Source{
			Kind: Drop, Starts: true, Position: d.Position, Size: d.Radius, Spread: d.Radius, Energy: d.energy(s.Density), Speed: d.Speed, Litres: sphere(d.Radius) / litre / s.Dt, Rate: 1 / s.Dt,
		})
	}
}

const litre = 1e-3 // m³

// energy returns the droplet's kinetic energy, J.
func (d *Droplet) energy(density float64) float64 {
	return float64(density * sphere(d.Radius) * d.Speed * d.Speed / 2)
}

// source returns the sound of a flow.
func (f *Flow) source(s *Step) (src Source, ok bool) {
	q := math.Abs(f.Volume) / s.Dt
	if !(q > 0) {
		return src, false
	}
	speed, size := f.Speed, f.Size
	switch {
	case speed > 0 && !(size > 0):
		size = radiusOf(q / speed)
	case size > 0 && !(speed > 0):
		speed = q / float64(math.Pi*size*size)
	}
	return Source{
		Kind: f.Kind, Key: f.Key, Position: f.Position, Size: size, Spread: size,
		Energy: s.Density * q * speed * speed / 2 * s.Dt, Speed: speed, Litres: q / litre,
	}, true
}

// radiusOf returns the radius of a disc, m, from its area, m².
func radiusOf(area float64) float64 { return math.Sqrt(area / math.Pi) }

// sphere returns the volume of a sphere, m³, from its radius, m.
func sphere(r float64) float64 { return float64(4. / 3 * math.Pi * r * r * r) }

// sphereRadius returns the radius of a sphere, m, from its volume, m³.
func sphereRadius(v float64) float64 { return reproducible.Cbrt(v * 3 / (4 * math.Pi)) }
