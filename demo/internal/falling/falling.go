// Package falling is bodies of liquid that fall into a pool, of which a player may have more: what the demos angel and shape share.
package falling

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

// Most is how many shapes fall.
const Most = 5

// Fall is a pool and a shape of liquid that falls into it, without any picture.
type Fall struct {
	play.Base
	Shape  *fluid.Mesh
	Shapes int     // that have fallen
	Level  float64 // of the pool, m

	skin surfaces.Topology
}

// Begin fills the pool, and the shape.
func (f *Fall) Begin(def fluid.Def) error { return f.Base.Begin(def, f.fill, f.Another) }

func (f *Fall) fill() error { return f.Liquid().Fill(fluid.Below(f.Level)) }

// Another fills one more shape, at rest.
func (f *Fall) Another() error {
	if f.Shapes == Most {
		return nil
	}
	f.Shapes++
	if err := f.Liquid().Fill(f.Shape); err != nil {
		return err
	}
	return f.Liquid().SetVelocity(fluid.Offset(f.Shape, .1), func(r3.Vec) r3.Vec { return r3.Vec{} })
}

// countEvery is after how many steps the surface's pieces are counted.
const countEvery = 12

// Advanced books a step that was taken, and counts the surface's pieces when that is due.
func (f *Fall) Advanced() {
	if int(math.Round(f.Time/play.Timestep))%countEvery == 0 {
		f.skin = surfaces.TopologyOf(f.Liquid().Surface())
	}
	f.Base.Advanced()
}

// Subject is what a chasing camera follows: where the shape goes under.
func (f *Fall) Subject() r3.Vec { return r3.Vec{Y: f.Level} }

// Readings are the litres, and how the surface hangs together.
func (f *Fall) Readings() []report.Reading {
	l := f.Liquid().Ledger()
	return []report.Reading{
		{Name: "shape", Value: 1e3 * f.Shape.Volume(), Unit: "l"},
		{Name: "all", Value: l.HeldL, Unit: "l"},
		{Name: "missing", Value: -l.DriftL, Unit: "l"},
		{Name: "pieces", Value: float64(f.skin.Pieces)},
		{Name: "bubbles", Value: float64(f.skin.Bubbles)},
	}
}

// Source is where the shape comes from.
type Source struct {
	file string
	// Load reads a mesh from an OBJ file, or makes the usual one where none is named.
	Load func(file string) (shapes.Mesh, error)
	// Over is the mesh, which stands on y = 0, as the liquid that falls over the pool.
	Over func(m shapes.Mesh) (*fluid.Mesh, error)
	// Room is the pool's, and Level how deep the pool is, m.
	Room  r3.Box
	Level float64
}

// Flag adds -mesh to the flags.
func (s *Source) Flag(set *option.Set, usage string) { set.Text(&s.file, "mesh", usage) }

// New begins what the flags say.
func (s *Source) New(settings play.Settings) (*Fall, error) {
	mesh, err := s.Load(s.file)
	if err != nil {
		return nil, err
	}
	return s.Of(settings.Liquid(), mesh)
}

// Of begins with a mesh.
func (s *Source) Of(def fluid.Def, mesh shapes.Mesh) (*Fall, error) {
	shape, err := s.Over(mesh)
	if err != nil {
		return nil, err
	}
	def.Domain = s.Room
	f := &Fall{Shape: shape, Level: s.Level}
	return f, f.Begin(def)
}
