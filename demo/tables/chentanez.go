package main

import (
	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

// The parts of a step that Chentanez et al. 2007 tell apart: velocity advection and pressure with all that moves the velocity; the mesh of cells; the surface, to which
// contouring also applies, as the state is published, what else has changed it.
var (
	simulation = []fluid.Stage{
		fluid.StagePlan, fluid.StageBodies, fluid.StageAdvect, fluid.StageForces, fluid.StageVolume, fluid.StageControl, fluid.StageSolve, fluid.StageUpdate,
		fluid.StageExtrapolate,
	}
	meshing = []fluid.Stage{fluid.StageSizing, fluid.StageDiscretise}
	skin    = []fluid.Stage{fluid.StageSurface, fluid.StagePublish, fluid.StageMesh}
)

// chentanez is Table 1 of Chentanez et al. 2007, one thread of 2.8 or 3.2 GHz.
func chentanez() *table {
	return &table{
		name: "chentanez", title: "Chentanez et al. 2007, Table 1: seconds a frame; the surface by semi-Lagrangian contouring (SLC)",
		first:   "scene",
		columns: []column{{"Sim", 4}, {"Mesh", 4}, {"SLC", 4}, {"million tetrahedra, or cubes", 4}, {"million triangles", 4}},
		values: func(m *cost.Mean) []float64 {
			return []float64{m.Of(simulation...).Seconds(), m.Of(meshing...).Seconds(), m.Of(skin...).Seconds(), 1e-6 * float64(max(m.Tetrahedra, m.Unknowns)), 1e-6 * float64(m.Triangles)}
		},
		rows: []row{
			{name: "chutes", paper: []float64{61, 59, 350, 1, 2.1}, scene: later(poured(&scenes.Chutes, .015, false))},
			{name: "spray, with thickening", paper: []float64{37, 53, 169, .8, 1.4}, scene: poured(&scenes.Spray, .027, true)},
			{name: "spray, without", paper: []float64{40, 54, 176, .8, 1.4}, scene: poured(&scenes.Spray, .027, false)},
			{name: "angel", paper: []float64{30, 24, 276, 1, 1.4}, scene: poured(&scenes.Angel, .032, false)},
			{name: "dam before a hemisphere", paper: []float64{49, 42, 196, 1.3, 1.2}, scene: poured(&scenes.Obstacle, .0235, false)},
		},
	}
}

// later is a scene that begins with nothing, measured after as many steps as it is then measured for.
func later(scene func(settings) cost.Run) func(settings) cost.Run {
	return func(s settings) cost.Run {
		run := scene(s)
		run.Lead = run.Steps
		return run
	}
}

// coarser is by how much a quick run's cells are larger than a full one's.
const coarser = 2.5

// poured is a scene of the paper with cells so small, m, that a uniform lattice has about a million tetrahedra in what it holds after some seconds, 12 to a cube of that edge.
func poured(scene *scenes.Scene, cell float64, thicken bool) func(settings) cost.Run {
	return func(s settings) cost.Run {
		steps := 60
		def := fluid.Def{
			CellSize: cell, Discretisation: s.cells, Tracker: fluid.Contouring, Numerics: fluid.Numerics{Thickening: thicken}, Resources: s.resources(),
		}
		if s.size == quick {
			def.CellSize, steps = coarser*cell, 30
		}
		return cost.Run{New: func() (*fluid.Liquid, error) { return scene.New(def) }, Steps: steps, Dt: dt}
	}
}
