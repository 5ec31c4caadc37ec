package stage

import (
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
)

// How thick a pane of glass is, and the steel along its edges, m.
const (
	paneThick = .014
	steelWide = .022
)

// Glass puts panes at the sides of a domain up to a height, m, in a frame of steel, on a plinth.
func (s *Stage) Glass(domain r3.Box, top float64) {
	lo, hi := r3.Sub(domain.Min, r3.Vec{X: Behind, Y: Behind, Z: Behind}), r3.Add(domain.Max, r3.Vec{X: Behind, Z: Behind})
	hi.Y = top
	for _, b := range []r3.Box{
		{Min: r3.Vec{X: lo.X - paneThick, Y: lo.Y, Z: lo.Z}, Max: r3.Vec{X: lo.X, Y: hi.Y, Z: hi.Z}},
		{Min: r3.Vec{X: hi.X, Y: lo.Y, Z: lo.Z}, Max: r3.Vec{X: hi.X + paneThick, Y: hi.Y, Z: hi.Z}},
		{Min: r3.Vec{X: lo.X, Y: lo.Y, Z: lo.Z - paneThick}, Max: r3.Vec{X: hi.X, Y: hi.Y, Z: lo.Z}},
		{Min: r3.Vec{X: lo.X, Y: lo.Y, Z: hi.Z}, Max: r3.Vec{X: hi.X, Y: hi.Y, Z: hi.Z + paneThick}},
	} {
		s.Box(b, glass())
	}
	steel := decor.Iron.Material(false)
	edge := func(from, to r3.Vec) {
		half := r3.Vec{X: steelWide / 2, Y: steelWide / 2, Z: steelWide / 2}
		s.Box(r3.Box{Min: r3.Sub(from, half), Max: r3.Add(to, half)}, steel)
	}
	out := paneThick / 2
	x, z := [2]float64{lo.X - out, hi.X + out}, [2]float64{lo.Z - out, hi.Z + out}
	for i := range 2 {
		for k := range 2 {
			edge(r3.Vec{X: x[i], Y: lo.Y, Z: z[k]}, r3.Vec{X: x[i], Y: hi.Y, Z: z[k]})
		}
		edge(r3.Vec{X: x[0], Y: hi.Y, Z: z[i]}, r3.Vec{X: x[1], Y: hi.Y, Z: z[i]})
		edge(r3.Vec{X: x[i], Y: hi.Y, Z: z[0]}, r3.Vec{X: x[i], Y: hi.Y, Z: z[1]})
	}
	const beyond, thick = .06, .07
	s.Box(r3.Box{Min: r3.Vec{X: lo.X - beyond, Y: lo.Y - thick, Z: lo.Z - beyond}, Max: r3.Vec{X: hi.X + beyond, Y: lo.Y, Z: hi.Z + beyond}}, s.PaleTiles())
}

// glass is what panes are made of.
func glass() *material.Standard {
	m := Plain(math32.Color{R: .75, G: .9, B: .86}, .9, 120)
	m.SetOpacity(.1)
	m.SetTransparent(true)
	m.SetDepthMask(false)
	return m
}
