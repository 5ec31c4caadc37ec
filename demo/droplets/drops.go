package main

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// What is shown.
const (
	collide = "collide" // two drops fly into each other, merge and wobble
	swing   = "swing"   // a drop that was stretched swings
	cube    = "cube"    // a cube becomes a ball
	bounce  = "bounce"  // two drops that must not merge flatten on each other, and fly apart again
)

var shows = append([]string{collide, swing, cube, bounce}, surfaceOnly...)

// Drops as on a space station, but ten times as large, with a thousand times the tension and a hundred times the viscosity: they move as those do, and are seen as
// other water is.
const (
	radius   = .3   // m
	apart    = .43  // of a drop's middle from that of the domain, m
	speed    = .5   // of each of two, m/s: a Weber number of 8
	stretch  = .15  // of a drop that swings, of its radius
	tension  = 72.8 // N/m
	thick    = 5e-3 // m²/s, of drops that collide: what is as small as a cell comes to rest
	syrup    = 3e-2 // m²/s, of the cube: its swing dies away within a second or two
	pokeSize = .2   // m
	poke     = 12   // N·s
)

// domain is around the drops, m. Their walls are further away than they come.
var domain = r3.Box{Min: r3.Vec{X: -1.1, Y: -.75, Z: -.75}, Max: r3.Vec{X: 1.1, Y: .75, Z: .75}}

// errLabels says what a show wants.
var errLabels = errors.New("-show bounce: needs -tracker mesh, whose surfaces have labels that keep them from merging")

// drops is weightless liquid and what is measured of it, without any picture.
type drops struct {
	play.Base
	show       string
	pokes      int
	topology   surfaces.Topology
	sphericity float64
	area       float64 // m²
	adrift     float64 // of the liquid's middle from where it was, m: no force from outside moves it
	swing      period
	spoon      physics.Body    // of the galley
	ball       physics.Body    // of the train, which its drops push
	tap        fluid.EmitterID // of the train
	landed     bool            // of the balloon
}

// newDrops makes what a show begins with, by a method if the show does not need one.
func newDrops(def fluid.Def, show string, method fluid.Method) (*drops, error) {
	if show == bounce && def.Tracker != fluid.ExplicitMesh {
		return nil, errLabels
	}
	def.Domain, def.Physics.Weightless = domain, true
	def.Physics.SurfaceTension = tension
	switch show {
	case collide, bounce:
		def.Physics.Viscosity = thick
	case cube:
		def.Physics.Viscosity = syrup
	}
	// Slow motion is not to be damped, and waves of tension on small cells want short substeps.
	def.Numerics.Undamped, def.Numerics.MaxSubsteps = true, 16
	if method == fluid.BoundaryOnly || slices.Contains(surfaceOnly, show) {
		def = ofSurface(def, show)
	}
	d := &drops{show: show}
	return d, d.Begin(def, d.place, d.fill)
}

func (d *drops) fill() error {
	switch d.show {
	case galley, balloon, train:
		return d.fillSurface()
	case swing:
		return d.Liquid().Fill(surfaces.Drop{Along: r3.Vec{X: 1}, Radius: radius, Stretch: stretch})
	case cube:
		e := math.Cbrt(4*math.Pi/3) * radius / 2
		return d.Liquid().Fill(fluid.Box(r3.Box{Min: r3.Vec{X: -e, Y: -e, Z: -e}, Max: r3.Vec{X: e, Y: e, Z: e}}))
	}
	for i, side := range [2]float64{-1, 1} {
		ball, label := surfaces.Drop{Centre: r3.Vec{X: side * apart}, Radius: radius}, 0
		if d.show == bounce {
			label = i
		}
		if err := d.Liquid().Fill(fluid.Labelled(ball, label)); err != nil {
			return err
		}
		around := fluid.Sphere(ball.Centre, 1.3*radius)
		if err := d.Liquid().SetVelocity(around, func(r3.Vec) r3.Vec { return r3.Vec{X: -side * speed} }); err != nil {
			return err
		}
	}
	return nil
}

// whole is what share of the liquid the largest drop must have for its swing to be measured: there may be a few splashes.
const whole = .95

// measureEvery is after how many steps the surface's pieces are counted.
const measureEvery = 6

// Advanced books a step that was taken, and measures the surface.
func (d *drops) Advanced() {
	d.Base.Advanced()
	s := d.Liquid().Surface()
	m := surfaces.MomentsOf(s, r3.Vec{})
	if steps := int(math.Round(d.Time / play.Timestep)); steps%measureEvery == 1 {
		d.topology = surfaces.TopologyOf(s)
		d.area = surfaces.Area(s)
		d.sphericity = surfaces.Sphericity(m.Volume, d.area)
	}
	d.adrift = r3.Norm(m.Centre)
	if d.swings(&m) && d.topology.Largest > whole*m.Volume {
		q := surfaces.MomentsOf(s, m.Centre).Square
		d.swing.add(d.Time, q.X-(q.Y+q.Z)/2)
	}
}

// pokeIt hits the drop in turn from each side.
func (d *drops) pokeIt() error {
	from := [3]r3.Vec{{Y: 1}, {Z: 1}, {X: 1}}[d.pokes%3]
	d.pokes++
	m := surfaces.MomentsOf(d.Liquid().Surface(), r3.Vec{})
	return d.Liquid().Impulse(r3.Add(m.Centre, r3.Scale(surfaces.Radius(m.Volume), from)), pokeSize, r3.Scale(-poke, from))
}

// Subject is what a chasing camera follows: the middle of the liquid.
func (d *drops) Subject() r3.Vec { return surfaces.MomentsOf(d.Liquid().Surface(), r3.Vec{}).Centre }

// Readings are the drops' shape, the litres, what the surface's tension holds and, when there is one drop that has swung, its period beside Lamb's for its litres.
func (d *drops) Readings() []report.Reading {
	def, ledger := d.Liquid().Def(), d.Liquid().Ledger()
	out := []report.Reading{
		{Name: "drops", Value: float64(d.topology.Pieces)},
		{Name: "like a ball", Value: 100 * d.sphericity, Unit: "%"},
	}
	if !slices.Contains(surfaceOnly, d.show) {
		out = append(out, report.Reading{Name: "adrift", Value: 1e3 * d.adrift, Unit: "mm"})
	}
	out = append(out,
		report.Reading{Name: "all", Value: ledger.HeldL, Unit: "l"}, report.Reading{Name: "missing", Value: -1e3 * ledger.DriftL, Unit: "ml"},
		report.Reading{Name: "surface", Value: def.Physics.SurfaceTension * d.area, Unit: "J"})
	if t := d.swing.mean(); t > 0 {
		lamb := surfaces.Lamb(surfaces.Radius(1e-3*ledger.HeldL), def.Physics.Density, def.Physics.SurfaceTension)
		out = append(out, report.Reading{Name: "period", Value: t, Unit: "s"}, report.Reading{Name: "Lamb's", Value: lamb, Unit: "s"})
	}
	return out
}

// Bodies reports the ball that the train pushes.
func (d *drops) Bodies() []report.Body {
	if d.show != train {
		return nil
	}
	return []report.Body{d.Describe(d.ball, toyDensity/d.Liquid().Def().Physics.Density)}
}
