package surfaceonly

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Edit changes the settled state.
func (s *Solver) Edit(e solver.Edit) (float64, error) {
	switch e := e.(type) {
	case solver.Fill:
		return s.grow("Fill", func() error { return s.fill(e.Shape, e.Velocity) })
	case solver.Drain:
		return s.grow("Drain", func() error { return s.drain(e.Shape) })
	case solver.Vacate:
		return 0, nil // solids hold no liquid that would have to leave
	case solver.SetVelocity:
		return 0, s.setVelocity(&e)
	case solver.Blow:
		return s.blow(&e), nil
	}
	panic("surfaceonly: Edit: unknown edit")
}

// grow makes a change, and returns by how many litres the liquid has grown.
func (s *Solver) grow(call string, change func() error) (float64, error) {
	before := s.Around.Ledger.HeldL
	if err := change(); err != nil {
		if errors.Is(err, boundary.ErrFaces) {
			err = fmt.Errorf("%w; enlarge Def.CellSize, or put in less liquid in one piece", err)
		}
		return 0, fmt.Errorf("fluid: %s: %w; nothing has changed", call, err)
	}
	s.measure()
	return s.Around.Ledger.HeldL - before, nil
}

// fill adds what of a shape is in the domain and in no solid, with a velocity where there was no liquid.
func (s *Solver) fill(shape shapes.SDF, velocity func(x r3.Vec) r3.Vec) error {
	s.rereadSolids()
	return s.add(shape, velocity)
}

// add is fill with the solids as they were last read.
func (s *Solver) add(shape shapes.SDF, velocity func(x r3.Vec) r3.Vec) error {
	of := &clipped{shape, s.Settings.Domain, s.solids.list}
	box, m := of.Bounds(), &s.meshing
	if !boxes.Valid(box) {
		return nil
	}
	m.begin(s.liquid, box)
	if err := m.shaper.Union(of); err != nil {
		return err
	}
	return m.replace(s.liquid, velocity)
}

// drain takes away what of the liquid is in a shape.
func (s *Solver) drain(shape shapes.SDF) error {
	m := &s.meshing
	of := &clipped{SDF: shape, domain: boxes.Grown(s.Settings.Domain, s.Settings.CellSize)}
	box := of.Bounds()
	if !boxes.Valid(box) {
		return nil
	}
	if m.begin(s.liquid, box); len(m.touched) == 0 {
		return nil
	}
	if err := m.shaper.Subtract(of); err != nil {
		return err
	}
	return m.replace(s.liquid, func(r3.Vec) r3.Vec { return r3.Vec{} })
}

// setVelocity gives the faces in a shape a velocity. After an error of Velocity nothing has changed.
func (s *Solver) setVelocity(e *solver.SetVelocity) error {
	at := s.centroids()
	in := make([]float32, len(at))
	e.Shape.Eval(in, at)
	u := slices.Clone(s.liquid.FaceVelocities())
	for t, d := range in {
		if !(d < 0) {
			continue
		}
		v, err := e.Velocity(at[t])
		if err != nil {
			return err
		}
		u[t] = v
	}
	return s.liquid.SetVelocities(u)
}

// centroids are those of all faces.
func (s *Solver) centroids() []r3.Vec {
	m := &s.liquid.Tracker.Mesh
	at := make([]r3.Vec, len(m.Triangle))
	for t := range m.Triangle {
		at[t] = centroid(m.Corners(int32(t)))
	}
	return at
}

// blow gives the liquid around a place an impulse, if that makes none too fast. The faces get what there is at their places, and each piece the momenta that its parts get.
func (s *Solver) blow(b *solver.Blow) (fastest float64) {
	radius, density := max(b.Radius, s.Settings.CellSize), s.Around.Material.Density
	part := func(x r3.Vec) float64 { return max(0, 1-reproducible.Norm(r3.Sub(x, b.Centre))/radius) }
	box, mass := boxes.Grown(r3.Box{Min: b.Centre, Max: b.Centre}, radius), 0.
	pieces := slices.Clone(s.liquid.Pieces())
	linear, angular := make([]r3.Vec, len(pieces)), make([]r3.Vec, len(pieces))
	for i, p := range pieces {
		s.reading.eachInside(s.liquid, i, boxes.Intersection(p.Box, box), s.Settings.CellSize/2, func(x r3.Vec, volume float64) {
			m := float64(density * volume * part(x))
			mass += m
			push := reproducible.Scale(m, b.Along(x))
			linear[i], angular[i] = r3.Add(linear[i], push), r3.Add(angular[i], reproducible.Cross(r3.Sub(x, p.Centre), push))
		})
	}
	if mass == 0 || b.Size == 0 {
		return 0
	}
	if fastest = b.Size / mass; fastest > b.Most {
		return fastest
	}
	u := slices.Clone(s.liquid.FaceVelocities())
	for t, x := range s.centroids() {
		u[t] = r3.Add(u[t], reproducible.Scale(part(x)/mass, b.Along(x)))
	}
	for i := range pieces {
		linear[i], angular[i] = reproducible.Scale(1/mass, linear[i]), reproducible.Scale(1/mass, angular[i])
	}
	if s.liquid.Push(u, linear, angular) != nil { // too fast to be told
		return math.Inf(1)
	}
	return fastest
}
