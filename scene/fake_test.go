package scene

import (
	"math"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// fakeLiquid is a basin of waves with foam on the crests and a spray of droplets.
type fakeLiquid struct {
	min, max r3.Vec // of the liquid; max.Y is the mean level
	cells    int    // along x and z
	height   float64
	foam     float64
	spray    int
	time     float64
	steps    int
	views    int
	shape    func(x, z float64) float64 // of the surface over its mean level, in place of waves
	surface  fluid.Surface
	events   fluid.Events
	report   fluid.Report
}

func (f *fakeLiquid) wave(x, z float64) (y, vy float64) {
	if f.shape != nil {
		return f.max.Y + f.shape(x, z), 0
	}
	a, t := f.height, f.time
	p1, p2, p3 := 2.1*x+0.7*z-2*t, -1.3*x+2.4*z-2.6*t, 4.7*x+3.9*z-4*t
	y = f.max.Y + a*(math.Sin(p1)+0.6*math.Sin(p2)+0.22*math.Sin(p3))
	return y, -a * (2*math.Cos(p1) + 0.6*2.6*math.Cos(p2) + 0.22*4*math.Cos(p3))
}

// fakeCells and fakeUnknowns are what a fakeLiquid reports by levels.
var fakeCells, fakeUnknowns = []int{42000, 12800, 900, 0}, []int{21000, 5200, 310, 0}

func (f *fakeLiquid) Step(dt float64) *fluid.Report {
	f.time += dt
	f.steps++
	f.build()
	r := &f.report
	*r = fluid.Report{Step: f.steps, Time: f.time, Duration: 5e6, Iterations: 9}
	r.Cells, r.Unknowns = fakeCells, fakeUnknowns
	for i := range r.Stages {
		r.Stages[i].Duration = r.Duration / time.Duration(fluid.StageCount)
	}
	r.Ledger = f.Ledger()
	return r
}

func (f *fakeLiquid) Surface() *fluid.Surface {
	if f.surface.Positions == nil && f.cells > 0 {
		f.build()
	}
	return &f.surface
}

func (f *fakeLiquid) SetView(fluid.View) error { f.views++; return nil }

func (f *fakeLiquid) Ledger() fluid.Ledger {
	return fluid.Ledger{FilledL: 12000, EmittedL: 31.5, DrainedL: 12.25, HeldL: 12019.2, DriftL: -0.05}
}

func (f *fakeLiquid) Levels(dst []fluid.LevelBox) []fluid.LevelBox {
	for i := 0; i < 4; i++ {
		for j := 0; j < 3; j++ {
			lo := r3.Vec{X: f.min.X + float64(i), Y: f.min.Y, Z: f.min.Z + float64(j)}
			dst = append(dst, fluid.LevelBox{Box: r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: 1, Y: 1, Z: 1})}, Level: (i + j) % 4, Wet: true})
		}
	}
	return dst
}

func (f *fakeLiquid) Events() *fluid.Events { return &f.events }

// build makes the wavy top, then four sides and a bottom that share its rim.
func (f *fakeLiquid) build() {
	s := &f.surface
	s.Positions, s.Normals, s.Velocities = s.Positions[:0], s.Normals[:0], s.Velocities[:0]
	s.Foam, s.Indices = s.Foam[:0], s.Indices[:0]
	n := f.cells
	add := func(x, y, z float64, normal r3.Vec, vy, foam float64) {
		s.Positions = append(s.Positions, float32(x), float32(y), float32(z))
		s.Normals = append(s.Normals, float32(normal.X), float32(normal.Y), float32(normal.Z))
		s.Velocities = append(s.Velocities, 0.9, float32(vy), 0.4)
		s.Foam = append(s.Foam, float32(foam))
	}
	at := func(i, j int) (x, z float64) {
		return f.min.X + (f.max.X-f.min.X)*float64(i)/float64(n), f.min.Z + (f.max.Z-f.min.Z)*float64(j)/float64(n)
	}
	for j := 0; j <= n; j++ {
		for i := 0; i <= n; i++ {
			x, z := at(i, j)
			y, vy := f.wave(x, z)
			const e = 1e-3
			yx, _ := f.wave(x+e, z)
			yz, _ := f.wave(x, z+e)
			normal := r3.Unit(r3.Vec{X: -(yx - y) / e, Y: 1, Z: -(yz - y) / e})
			crest := math.Max(0, (y-f.max.Y)/(f.height+1e-9)-0.6) + math.Exp(-3*((x-1)*(x-1)+(z+0.5)*(z+0.5)))
			add(x, y, z, normal, vy, math.Min(1, f.foam*crest))
		}
	}
	quad := func(a, b, c, d uint32) { s.Indices = append(s.Indices, a, b, c, a, c, d) }
	id := func(i, j int) uint32 { return uint32(j*(n+1) + i) }
	for j := 0; j < n; j++ {
		for i := 0; i < n; i++ {
			quad(id(i, j), id(i, j+1), id(i+1, j+1), id(i+1, j))
		}
	}
	s.Free = len(s.Indices)
	f.sides(add, quad, id, at)
	f.addSpray()
}

func (f *fakeLiquid) sides(add func(x, y, z float64, n r3.Vec, vy, foam float64), quad func(a, b, c, d uint32),
	id func(i, j int) uint32, at func(i, j int) (x, z float64)) {
	n := f.cells
	base := uint32(len(f.surface.Foam))
	for j := 0; j <= n; j++ {
		for i := 0; i <= n; i++ {
			x, z := at(i, j)
			add(x, f.min.Y, z, r3.Vec{Y: -1}, 0, 0)
		}
	}
	low := func(i, j int) uint32 { return base + id(i, j) }
	for k := 0; k < n; k++ {
		quad(id(k, 0), id(k+1, 0), low(k+1, 0), low(k, 0))
		quad(id(k+1, n), id(k, n), low(k, n), low(k+1, n))
		quad(id(0, k+1), id(0, k), low(0, k), low(0, k+1))
		quad(id(n, k), id(n, k+1), low(n, k+1), low(n, k))
	}
	quad(low(0, 0), low(n, 0), low(n, n), low(0, n))
}

func (f *fakeLiquid) addSpray() {
	s := &f.surface
	s.Droplets, s.DropletVelocities = s.Droplets[:0], s.DropletVelocities[:0]
	for k := 0; k < f.spray; k++ {
		a := float64(k) * 2.399
		r := 0.9 * math.Sqrt(float64(k)/float64(f.spray))
		up := 0.2 + 0.9*scatter(k, 3, 1)*(1-r)
		s.Droplets = append(s.Droplets, float32(1+r*math.Cos(a)), float32(f.max.Y+up), float32(-0.5+r*math.Sin(a)),
			float32(0.006+0.02*scatter(k, 5, 2)))
		s.DropletVelocities = append(s.DropletVelocities, float32(math.Cos(a)), 1, float32(math.Sin(a)))
	}
}

// stageSet is a pool with a crate and a dinghy under a sky.
func stageSet(l *Liquid, dry bool) *core.Node {
	root := core.NewNode()
	root.Add(NewSky(SkyOptions{}))
	tiles := NewTiles(l, TileOptions{})
	slab := func(x, y, z, w, h, d float32) {
		m := graphic.NewMesh(geometry.NewBox(w, h, d), tiles)
		m.SetPosition(x, y, z)
		root.Add(m)
	}
	slab(0, -0.1, 0, 8.4, 0.2, 6.4)
	if !dry {
		slab(-4.1, 0.75, 0, 0.2, 1.9, 6.4)
		slab(4.1, 0.75, 0, 0.2, 1.9, 6.4)
		slab(0, 0.75, -3.1, 8, 1.9, 0.2)
		slab(0, 0.75, 3.1, 8, 1.9, 0.2)
	}
	crate := graphic.NewMesh(geometry.NewCube(0.7), material.NewStandard(&math32.Color{R: 0.62, G: 0.42, B: 0.24}))
	crate.SetPosition(-1.2, 1.25, 0.3)
	crate.SetRotation(0.2, 0.5, 0.1)
	root.Add(crate)
	ball := graphic.NewMesh(geometry.NewSphere(0.35, 32, 16), material.NewStandard(&math32.Color{R: 0.85, G: 0.2, B: 0.15}))
	ball.SetPosition(-2.4, 0.35, -1)
	root.Add(ball)
	ring := graphic.NewMesh(geometry.NewTorus(0.6, 0.2, 20, 40, 2*math.Pi), material.NewStandard(&math32.Color{R: 0.95, G: 0.62, B: 0.1}))
	ring.SetPosition(0.6, 1.25, 1.1)
	ring.SetRotation(math.Pi/2, 0, 0)
	root.Add(ring)
	root.Add(light.NewAmbient(&math32.Color{R: 0.75, G: 0.85, B: 1}, 0.5))
	sun := light.NewDirectional(&math32.Color{R: 1, G: 0.95, B: 0.85}, 0.8)
	sun.SetPosition(0.45, 0.72, -0.35)
	root.Add(sun)
	return root
}

func pool(height, foam float64, spray int) *fakeLiquid {
	return &fakeLiquid{min: r3.Vec{X: -4, Y: 0, Z: -3}, max: r3.Vec{X: 4, Y: 1.2, Z: 3}, cells: 120,
		height: height, foam: foam, spray: spray}
}

// stepped is a liquid that steps a world.
type stepped struct {
	*fakeLiquid
	world *physics.World
}

func (s *stepped) Step(dt float64) *fluid.Report {
	s.world.Step(dt)
	return s.fakeLiquid.Step(dt)
}

func positionOf(n *core.Node) r3.Vec {
	p := n.Position()
	return r3.Vec{X: float64(p.X), Y: float64(p.Y), Z: float64(p.Z)}
}
