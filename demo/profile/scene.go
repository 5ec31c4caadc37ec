package main

import (
	"sync/atomic"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// timestep, s.
const timestep = 1.0 / 60

// scene is what is stepped.
type scene struct {
	liquid *fluid.Liquid
	// before does what is due before step n, from 1: bodies drop, the camera moves.
	before func(n int) error
	// after books the step.
	after func()
	// box makes a black box beside it.
	box func(o fluidtrace.FlightRecorderOptions) (*fluidtrace.FlightRecorder, error)
	// loaded tells whether something else has a processor in step n; nil: never.
	loaded func(n int) bool
}

// sceneKind makes scenes.
type sceneKind struct {
	name string
	cell float64 // m
	make func(def fluid.Def, s settings) (*scene, error)
}

var sceneKinds = []sceneKind{
	{"pool", pool.Cell, newPool},
	{"play", pool.Cell, newPlay},
	{"damtank", .025, newDamTank},
}

func sceneNames() (names []string) {
	for _, k := range sceneKinds {
		names = append(names, k.name)
	}
	return names
}

// newScene makes the scene that the settings name and says how large its finest cells are.
func newScene(s settings) (*scene, error) {
	for _, k := range sceneKinds {
		if k.name != s.scene {
			continue
		}
		def := fluid.Def{CellSize: k.cell, Tracker: s.tracker, Budget: fluid.Budget{Step: s.budget}, Resources: fluid.Resources{Workers: s.workers}}
		if s.work > 0 {
			def.Budget = fluid.Budget{Work: s.work}
		}
		if s.cell > 0 {
			def.CellSize = s.cell
		}
		return k.make(def, s)
	}
	panic("profile: no scene " + s.scene) // the flag knows them all
}

// newPool is the main job, seen from the camera that goes round it, as demo/pool draws it.
func newPool(def fluid.Def, s settings) (*scene, error) {
	p, err := pool.New(def, s.seed)
	if err != nil {
		return nil, err
	}
	return &scene{
		liquid: p.Liquid(),
		before: func(n int) error {
			if err := p.Liquid().SetView(seenFrom(pool.Orbit.At(float64(n) * timestep))); err != nil {
				return err
			}
			return p.Cue()
		},
		after: p.Advanced,
		box:   p.Box,
	}, nil
}

// seenFrom is what a player's camera sees.
func seenFrom(pose view.Pose) fluid.View {
	return pose.See(42, 16./9, .1, 200, 720)
}

// When something else has a processor while one plays, in steps: for two seconds of each minute.
const loadEvery, loadFrom, loadSteps = 60 * 60, 30 * 60, 2 * 60

// newPlay is the pool with all that players do to it.
func newPlay(def fluid.Def, s settings) (*scene, error) {
	p, err := pool.New(def, s.seed)
	if err != nil {
		return nil, err
	}
	script := pool.NewScript(p)
	loaded := func(n int) bool { return n%loadEvery >= loadFrom && n%loadEvery < loadFrom+loadSteps }
	var burning atomic.Bool
	return &scene{
		liquid: p.Liquid(),
		before: func(n int) error {
			if on := loaded(n); burning.Swap(on) != on && on {
				go burn(&burning)
			}
			pose, err := script.Before(n)
			if err != nil {
				return err
			}
			return p.Liquid().SetView(seenFrom(pose))
		},
		after:  p.Advanced,
		box:    p.Box,
		loaded: loaded,
	}, nil
}

// burn keeps a processor busy until it is told to stop.
func burn(on *atomic.Bool) {
	for on.Load() {
	}
}

// newDamTank is the dam break, seen by the paper's camera.
func newDamTank(def fluid.Def, s settings) (*scene, error) {
	def.Resources.MaxMemory = 16 << 30
	liq, err := dam.New(def)
	if err != nil {
		return nil, err
	}
	return &scene{
		liquid: liq,
		before: func(n int) error { return liq.SetView(dam.ViewAt(float64(n)*timestep, float64(s.frames)*timestep)) },
		after:  func() {},
		box:    fluidtrace.NewFlightRecorder,
	}, nil
}
