package main

import (
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
	box func(o fluidtrace.BoxOptions) (*fluidtrace.Box, error)
}

// sceneKind makes scenes.
type sceneKind struct {
	name string
	cell float64 // m
	make func(def fluid.Def, s settings) (*scene, error)
}

var sceneKinds = []sceneKind{
	{"pool", .08, newPool},
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
		def := fluid.Def{CellSize: k.cell, Budget: fluid.Budget{Step: s.budget}, Workers: s.workers}
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
	lens := view.Perspective(42, 16./9, .1, 200)
	return &scene{
		liquid: p.Liquid(),
		before: func(n int) error {
			pose := pool.Orbit.At(float64(n) * timestep)
			if err := p.Liquid().SetView(fluid.View{View: pose.LookAt(), Projection: lens, Height: 720}); err != nil {
				return err
			}
			return p.Cue()
		},
		after: p.Advanced,
		box:   p.Box,
	}, nil
}

// newDamTank is the dam break, seen by the paper's camera.
func newDamTank(def fluid.Def, s settings) (*scene, error) {
	def.MaxMemory = 16 << 30
	liq, err := dam.New(def)
	if err != nil {
		return nil, err
	}
	return &scene{
		liquid: liq,
		before: func(n int) error { return liq.SetView(dam.ViewAt(float64(n)*timestep, float64(s.frames)*timestep)) },
		after:  func() {},
		box:    fluidtrace.NewBox,
	}, nil
}
