package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// What is shown of liquid that is nothing but its surface.
const (
	galley  = "galley"  // a spoon pushes a blob into another, without weight
	balloon = "balloon" // the water of a balloon that has burst: it wobbles, and falls on the floor
	train   = "train"   // drops fall from a tap on a ball that is fixed, roll off it and push another one
)

// surfaceOnly are the shows that have weight or solids, which need fluid.BoundaryOnly.
var surfaceOnly = []string{galley, balloon, train}

// edges is how long the edges of a surface without cells are, of the cells' edges.
const edges = 3

// Drops with weight are a hundred times as large as those of water, with fourteen thousand times the tension: they are a little less flat, and everything takes eight times
// as long.
const (
	heavyTension = 1e3  // N/m
	heavyThick   = 4e-2 // m²/s
	beads        = 2.4  // rad: the angle at which the surface meets solids
	stirThick    = 2e-2 // m²/s, of what the spoon stirs
)

// The galley's blobs, and its spoon, a ball on a handle, m.
const (
	blob, morsel = .26, .17 // radii
	bowl         = .2
	strokeTime   = 4.  // s, there and back
	stroke       = .19 // half the way
)

var (
	blobAt   = r3.Vec{X: -.35}
	morselAt = r3.Vec{X: .42}
	bowlAt   = r3.Vec{X: .66} // in the middle of its way
)

// The balloon.
const (
	burst    = .24 // m, its radius as a ball
	squashed = -.3 // of it
	lands    = .05 // over the floor as a ball, m: from there on it counts as landed
)

var burstAt = r3.Vec{Y: .34}

// The train: a tap, a ball below and another one on the floor, m.
const (
	dropRadius = .15
	fixed      = .3 // radius of the ball that is fixed
	toy        = .16
	toyDensity = 150 // kg/m³
	every      = .7  // s, from drop to drop
	wagons     = 6
)

var (
	tapAt   = r3.Vec{X: .27, Y: .58}
	fixedAt = r3.Vec{Y: -.25}
	toyAt   = r3.Vec{X: .8, Y: -.75 + toy}
)

// ofSurface makes a definition that of liquid which is nothing but its surface.
func ofSurface(def fluid.Def, show string) fluid.Def {
	def.Method, def.Tracker, def.Budget = fluid.BoundaryOnly, fluid.ExplicitMesh, fluid.Budget{}
	def.CellSize *= edges
	def.Numerics.MaxSubsteps = 0
	if slices.Contains(surfaceOnly, show) {
		def.Physics.ContactAngle, def.Physics.Viscosity = beads, stirThick
	}
	if show == balloon || show == train {
		def.Physics.Weightless, def.Physics.SurfaceTension, def.Physics.Viscosity = false, heavyTension, heavyThick
	}
	return def
}

// place puts the bodies of a show into its world.
func (d *drops) place() (err error) {
	switch d.show {
	case galley:
		err = d.placeSpoon()
	case train:
		err = d.placeBalls()
	}
	d.Liquid().Couple(d.World().Coupling())
	return err
}

// placeSpoon adds a spoon that is driven.
func (d *drops) placeSpoon() (err error) {
	if d.spoon, err = d.World().AddBody(physics.BodyDef{Kind: physics.Kinematic, Name: "spoon", Position: spoonAt(0)}); err != nil {
		return err
	}
	_, err = d.spoon.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, bowl)})
	return err
}

// spoonAt is where the spoon's middle is at a time, s.
func spoonAt(t float64) r3.Vec {
	return r3.Add(bowlAt, r3.Vec{X: stroke * math.Cos(2*math.Pi/strokeTime*t)})
}

// placeBalls adds a ball that is fixed, one that is not, and a box that keeps it in the domain.
func (d *drops) placeBalls() error {
	for _, b := range []struct {
		def   physics.BodyDef
		shape physics.ShapeDef
		as    *physics.Body
	}{
		{physics.BodyDef{Kind: physics.Static, NoLiquid: true}, physics.ShapeDef{Geometry: physics.OpenBox(domain, .1)}, new(physics.Body)},
		{physics.BodyDef{Kind: physics.Static, Name: "fixed", Position: fixedAt}, physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, fixed)}, new(physics.Body)},
		{physics.BodyDef{Kind: physics.Dynamic, Name: "ball", Position: toyAt}, physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, toy), Density: toyDensity}, &d.ball},
	} {
		body, err := d.World().AddBody(b.def)
		if err != nil {
			return err
		}
		if _, err := body.AddShape(b.shape); err != nil {
			return err
		}
		*b.as = body
	}
	return nil
}

// wagon is the volume of a drop of the train, litres.
var wagon = 4. / 3 * math.Pi * dropRadius * dropRadius * dropRadius * 1e3

// fillSurface fills a show of surfaceOnly.
func (d *drops) fillSurface() (err error) {
	l := d.Liquid()
	switch d.show {
	case galley:
		if err := l.Fill(fluid.Sphere(blobAt, blob)); err != nil {
			return err
		}
		return l.Fill(fluid.Sphere(morselAt, morsel))
	case balloon:
		return l.Fill(surfaces.Drop{Centre: burstAt, Along: r3.Vec{Y: 1}, Radius: burst, Stretch: squashed})
	}
	d.tap, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(tapAt, dropRadius), Velocity: r3.Vec{Y: -.3}, Rate: wagon / every})
	return err
}

// swings tells whether there is one drop that nothing keeps from swinging.
func (d *drops) swings(m *surfaces.Moments) bool {
	switch d.show {
	case cube, galley, train: // a cube has the mode from no side
		return false
	case balloon:
		d.landed = d.landed || m.Centre.Y < domain.Min.Y+burst+lands
		return !d.landed
	}
	return true
}

// Cue moves the spoon, and shuts the tap when the train has all its drops.
func (d *drops) Cue() error {
	switch d.show {
	case galley:
		return d.spoon.SetTargetPose(spoonAt(d.Time+play.Timestep), quat.Number{Real: 1}, play.Timestep)
	case train:
		if d.Liquid().Ledger().EmittedL > (wagons-.5)*wagon {
			return d.Liquid().StopEmitter(d.tap)
		}
	}
	return nil
}
