package main

import (
	rl "github.com/gen2brain/raylib-go/raylib"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// droplets come after the kinds of white water.
const (
	droplets = max(fluid.WhiteSpray, fluid.WhiteFoam, fluid.WhiteBubble) + 1
	kinds    = droplets + 1
)

// looks are how particles are drawn: half their width in their radii, the share of light that they stop, the seconds of whose way they are as
// long, how far they are moved towards the eye, m.
var looks = [kinds][4]float32{
	fluid.WhiteSpray:  {1.5, .35, 1. / 60, 0},
	fluid.WhiteFoam:   {3.5, .13, 1. / 60, .04},
	fluid.WhiteBubble: {2, .06, 0, 0},
	droplets:          {1, .08, 1. / 60, 0},
}

// particles are the droplets and the white water, each as a streak that faces the eye.
type particles struct {
	program
	quad mesh
	all  [kinds][]rl.Matrix // of each a column of its place and radius, one of its velocity and share of life, and one of looks
}

func (p *particles) open() {
	p.program = newProgram("particle_vertex", "light", "particle")
	p.quad.upload(&adapter.TriangleList{
		Positions: []float32{-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0}, Texcoords: make([]float32, 12), Normals: make([]float32, 18),
	})
}

// take takes a surface's particles, lag seconds back along their ways.
func (p *particles) take(s *adapter.SurfaceCopy, lag float64) {
	for k := range p.all {
		p.all[k] = p.all[k][:0]
	}
	back := float32(lag)
	put := func(k uint8, c, v []float32, life float32) {
		l := looks[k]
		p.all[k] = append(p.all[k], rl.NewMatrix(
			c[0]-back*v[0], v[0], l[0], 0,
			c[1]-back*v[1], v[1], l[1], 0,
			c[2]-back*v[2], v[2], l[2], 0,
			c[3], life, l[3], 0))
	}
	w := &s.WhiteWater
	for i, k := range w.Kind {
		put(k, w.Spheres[4*i:], w.Velocities[3*i:], w.Life[i])
	}
	for i := range len(s.Droplets) / 4 {
		put(droplets, s.Droplets[4*i:], s.DropletVelocities[3*i:], 1)
	}
}

// draw draws some kinds. They don't hide each other, so that their order hardly shows.
func (p *particles) draw(in *picture, of ...uint8) {
	in.lend(&p.program)
	rl.DisableDepthMask()
	rl.BeginBlendMode(rl.BlendAlphaPremultiply)
	for _, k := range of {
		if n := len(p.all[k]); n > 0 {
			rl.DrawMeshInstanced(p.quad.Mesh, p.Material, p.all[k], n)
		}
	}
	rl.EndBlendMode()
	rl.EnableDepthMask()
}
