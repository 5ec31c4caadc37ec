package fluid_test

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// rigidDrop is a solver that knows the liquid's boundary alone: a closed mesh, which falls without changing its form and stops at the domain's sides. It is
// star-shaped about its centre. There is no grid, no pressure and no tracker: it proves that a liquid needs none.
type rigidDrop struct {
	solver.Config
	arms      []r3.Vec // from the centre to each vertex, m
	triangles [][3]int32
	volume    float64 // m³
	now, was  dropMotion
	report    solver.Report
	shown     query.Triangles
}

// dropMotion is where the drop is, and how it moves.
type dropMotion struct{ centre, velocity r3.Vec }

// makeRigidDrop is a maker.
func makeRigidDrop(c solver.Config, _ *fluid.Def) (solver.Solver, solver.Abilities) {
	d, size := &rigidDrop{Config: c}, c.Settings.Domain.Size()
	tile := boxes.Tiles{Origin: array(c.Settings.Domain.Min), Edge: max(size.X, size.Y, size.Z), Dim: [3]int{1, 1, 1}}
	return d, solver.Abilities{Tiles: tile, Momentum: true}
}

// bounds is the box of the drop, m; of none it is turned inside out.
func (d *rigidDrop) bounds() r3.Box {
	b := r3.Box{Min: r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, Max: r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}}
	for _, arm := range d.arms {
		x := r3.Add(d.now.centre, arm)
		b.Min = r3.Vec{X: min(b.Min.X, x.X), Y: min(b.Min.Y, x.Y), Z: min(b.Min.Z, x.Z)}
		b.Max = r3.Vec{X: max(b.Max.X, x.X), Y: max(b.Max.Y, x.Y), Z: max(b.Max.Z, x.Z)}
	}
	return b
}

// Demand is a vertex's row each, if the boundary's motion were to be solved for.
func (d *rigidDrop) Demand() solver.Demand {
	n := len(d.arms)
	return solver.Demand{Full: n, Seen: n, Least: n, Speed: r3.Norm(d.now.velocity), LongestStep: math.Inf(1)}
}

func (d *rigidDrop) BeginStep(solver.Plan) { d.report = solver.Report{} }

// Advance lets the drop fall: exactly, under what is the same throughout the substep.
func (d *rigidDrop) Advance() error {
	d.Times.Begin(solver.StageSurface)
	defer d.Times.Lap(len(d.arms))
	d.was = d.now
	if d.volume == 0 {
		return nil
	}
	dt, a := d.Around.Now.Dt, d.Around.Fields.At(d.now.centre)
	d.now.centre = r3.Add(d.now.centre, r3.Add(r3.Scale(dt, d.now.velocity), r3.Scale(dt*dt/2, a)))
	d.now.velocity = r3.Add(d.now.velocity, r3.Scale(dt, a))
	if !geom.FiniteVec(d.now.centre) {
		return errors.New("the drop is nowhere")
	}
	m := &d.report.Momentum
	m.Gravity = r3.Add(m.Gravity, r3.Scale(dt*d.mass(), a))
	d.stopAtSides()
	m.Liquid = r3.Add(m.Liquid, r3.Scale(d.mass(), r3.Sub(d.now.velocity, d.was.velocity)))
	return nil
}

func (d *rigidDrop) mass() float64 { return d.volume * d.Around.Material.Density }

// stopAtSides has the drop stay in the domain.
func (d *rigidDrop) stopAtSides() {
	b, room := d.bounds(), d.Settings.Domain
	before := d.now.velocity
	stop := func(x, v *float64, lo, hi, least, most float64) {
		if lo < least {
			*x, *v = *x+least-lo, max(0, *v)
		} else if hi > most {
			*x, *v = *x+most-hi, min(0, *v)
		}
	}
	c, v := &d.now.centre, &d.now.velocity
	stop(&c.X, &v.X, b.Min.X, b.Max.X, room.Min.X, room.Max.X)
	stop(&c.Y, &v.Y, b.Min.Y, b.Max.Y, room.Min.Y, room.Max.Y)
	stop(&c.Z, &v.Z, b.Min.Z, b.Max.Z, room.Min.Z, room.Max.Z)
	d.report.Momentum.Walls = r3.Add(d.report.Momentum.Walls, r3.Scale(d.mass(), r3.Sub(before, *v)))
}

// SolveAgain and Push are for coupled bodies, of which the drop knows none.
func (d *rigidDrop) SolveAgain() error { return nil }

func (d *rigidDrop) Push() {}

// Settle books what there is.
func (d *rigidDrop) Settle() { d.Remeasure(false) }

func (d *rigidDrop) Stop() { d.now.velocity = r3.Vec{} }

func (d *rigidDrop) Update(c solver.Change) {
	if c&(solver.Made|solver.NewMaterial) != 0 {
		d.Remeasure(false)
	}
}

func (d *rigidDrop) Revert(atRest bool) {
	if d.now = d.was; atRest {
		d.Stop()
	}
}

func (d *rigidDrop) Remeasure(bool) { d.was, d.Around.Ledger.HeldL = d.now, d.volume/components.Litre }

func (d *rigidDrop) Report() *solver.Report {
	r := &d.report
	r.Unknowns, r.Vertices, r.Triangles, r.MaxSpeed, r.Wet = append(r.Unknowns[:0], len(d.arms)), len(d.arms), len(d.triangles), r3.Norm(d.now.velocity), min(1, len(d.arms))
	return r
}

func (d *rigidDrop) Edit(e solver.Edit) (float64, error) {
	before := d.volume
	switch e := e.(type) {
	case solver.Fill:
		if d.volume > 0 {
			return 0, errors.New("fluid: there is a drop already")
		}
		d.fill(e.Shape)
		d.now.velocity = e.Velocity(d.now.centre)
	case solver.Drain:
		if d.holds(e.Shape) {
			*d = rigidDrop{Config: d.Config, report: d.report, shown: d.shown}
		}
	case solver.Vacate: // obstacles and the drop ignore each other
	case solver.SetVelocity:
		if u, err := e.Velocity(d.now.centre); err != nil {
			return 0, err
		} else if d.holds(e.Shape) {
			d.now.velocity = u
		}
	case solver.Blow:
		weight := 1 - r3.Norm(r3.Sub(d.now.centre, e.Centre))/e.Radius
		if d.volume == 0 || weight <= 0 {
			return 0, nil
		}
		fastest := e.Size / d.mass()
		if fastest <= e.Most {
			d.now.velocity = r3.Add(d.now.velocity, r3.Scale(1/d.mass(), e.Along(d.now.centre)))
		}
		return fastest, nil
	}
	d.Remeasure(false)
	return (d.volume - before) / components.Litre, nil
}

// holds tells whether the drop's centre is in a shape.
func (d *rigidDrop) holds(s shapes.SDF) bool {
	distance := [1]float32{}
	s.Eval(distance[:], []r3.Vec{d.now.centre})
	return d.volume > 0 && distance[0] < 0
}

// fill makes the drop of a shape that is star-shaped about the middle of its box: a ball's mesh, the vertices moved to where they meet it.
func (d *rigidDrop) fill(s shapes.SDF) {
	b := s.Bounds()
	d.now.centre = r3.Scale(.5, r3.Add(b.Min, b.Max))
	d.arms, d.triangles = testrig.Icosphere(3)
	distance := [1]float32{}
	for i, way := range d.arms {
		far := 0.
		for range 60 { // by the distance to the shape it never goes beyond it
			s.Eval(distance[:], []r3.Vec{r3.Add(d.now.centre, r3.Scale(far, way))})
			far -= float64(distance[0])
		}
		d.arms[i] = r3.Scale(far, way)
	}
	d.volume = 0
	for _, t := range d.triangles {
		d.volume += r3.Dot(d.arms[t[0]], r3.Cross(d.arms[t[1]], d.arms[t[2]])) / 6
	}
	d.stopAtSides()
}

// meets is how far along a ray of unit direction the drop's surface is first, and the normal there; not if it is further than most.
func (d *rigidDrop) meets(from, way r3.Vec, most float64) (far float64, normal r3.Vec, crossings int) {
	far = math.Inf(1)
	from = r3.Sub(from, d.now.centre)
	for _, t := range d.triangles {
		a, u, v := d.arms[t[0]], r3.Sub(d.arms[t[1]], d.arms[t[0]]), r3.Sub(d.arms[t[2]], d.arms[t[0]])
		across := r3.Cross(way, v)
		s := r3.Sub(from, a)
		det := r3.Dot(u, across)
		p, q := r3.Dot(s, across)/det, r3.Dot(way, r3.Cross(s, u))/det
		if at := r3.Dot(v, r3.Cross(s, u)) / det; p >= 0 && q >= 0 && p+q < 1 && at >= 0 && at <= most {
			if crossings++; at < far {
				far, normal = at, r3.Unit(r3.Cross(u, v))
			}
		}
	}
	return far, normal, crossings
}

func (d *rigidDrop) inside(x r3.Vec) bool {
	_, _, crossings := d.meets(x, r3.Unit(r3.Vec{X: .3718, Y: .8253, Z: .4239}), math.Inf(1)) // which meets no edge
	return crossings%2 == 1
}

func (d *rigidDrop) Sample(dst []query.Sample, at []r3.Vec, acceleration func(x r3.Vec) r3.Vec) {
	for i, x := range at {
		dst[i] = query.Sample{Inside: d.inside(x)}
		up := query.Up(acceleration(x))
		if far, _, n := d.meets(x, up, math.Inf(1)); n > 0 && dst[i].Inside {
			dst[i].Height, dst[i].Velocity = far, d.now.velocity // it falls: there is no pressure
		} else if far, _, n := d.meets(x, r3.Scale(-1, up), math.Inf(1)); n > 0 {
			dst[i].Height = -far
		}
	}
}

func (d *rigidDrop) Cast(rays []query.Ray, hits []query.Hit) {
	for i, r := range rays {
		most, way := r.Max, r3.Unit(r.Dir)
		if most == 0 {
			most = math.Inf(1)
		}
		if far, normal, n := d.meets(r.From, way, most); n > 0 {
			hits[i] = query.Hit{Hit: true, Inside: d.inside(r.From), Distance: far, Normal: normal, Point: r3.Add(r.From, r3.Scale(far, way))}
		}
	}
}

// VolumeIn counts points on a lattice of a twentieth of the shape.
func (d *rigidDrop) VolumeIn(s shapes.SDF, _ []query.Solid) (liquid, open float64) {
	const n = 20
	b, distance := s.Bounds(), [1]float32{}
	step := r3.Scale(1./n, b.Size())
	for k := range n * n * n {
		x := r3.Add(b.Min, r3.Vec{X: (float64(k%n) + .5) * step.X, Y: (float64(k/n%n) + .5) * step.Y, Z: (float64(k/n/n) + .5) * step.Z})
		if s.Eval(distance[:], []r3.Vec{x}); distance[0] < 0 {
			if open++; d.inside(x) {
				liquid++
			}
		}
	}
	cell := step.X * step.Y * step.Z
	return liquid * cell, open * cell
}

func (d *rigidDrop) WetIn(b r3.Box) bool { return boxes.Overlap(b, d.bounds()) }

func (d *rigidDrop) Surface(ahead float32) query.Triangles {
	s := &d.shown
	*s = query.Triangles{Positions: s.Positions[:0], Normals: s.Normals[:0], Velocities: s.Velocities[:0], Indices: s.Indices[:0], Foam: slices.Grow(s.Foam[:0], len(d.arms))[:len(d.arms)]}
	put := func(dst []float32, v r3.Vec) []float32 { return append(dst, float32(v.X), float32(v.Y), float32(v.Z)) }
	for _, arm := range d.arms {
		s.Positions = put(s.Positions, r3.Add(r3.Add(d.now.centre, arm), r3.Scale(float64(ahead), d.now.velocity)))
		s.Normals, s.Velocities = put(s.Normals, r3.Unit(arm)), put(s.Velocities, d.now.velocity)
	}
	for _, t := range d.triangles {
		s.Indices = append(s.Indices, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	s.Free = len(s.Indices)
	return *s
}

// Code goes along the motion and the form; triangles are those of every drop.
func (d *rigidDrop) Code(c *codec.Codec) {
	const most = 1e9
	c.Part("drop")
	c.Vec(&d.now.centre, most)
	c.Vec(&d.now.velocity, most)
	arms := d.arms
	if n := c.Count(len(arms), 1<<16, 24); !c.Writing() {
		arms = make([]r3.Vec, n)
	}
	if c.Reading() {
		if d.arms, d.triangles = arms, nil; len(arms) > 0 {
			_, d.triangles = testrig.Icosphere(3)
		}
	}
	for i := range arms {
		c.Vec(&arms[i], most)
	}
}

func (d *rigidDrop) CodeMeasured(c *codec.Codec) {
	if c.Float64(&d.volume, 0, math.MaxFloat64); c.Reading() {
		d.Remeasure(false)
	}
}

func (d *rigidDrop) Most() int { return 1<<10 + 24*(1<<16) }
