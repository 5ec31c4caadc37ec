package main

import (
	"image/color"
	"math"
	"sync"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/site"
)

// iron is the window's.
var iron = sync.OnceValue(decor.Iron.Traced)

// trace builds what the channel looks like for ray tracing: in a garden clear water behind a pane of glass, else as in the window. It needs no OpenGL.
func trace(f *flood, garden bool, eye r3.Vec) *site.Site {
	look := site.Narrow
	if garden {
		look = site.Water
	}
	s := site.New(f.Liquid().Surface(), look, garden)
	if garden {
		s.Basin(domain, wallTop, site.Walls{Open: true, Glass: true})
	} else {
		s.Ground(-.06)
		s.Dress(yard(), eye)
	}
	oak, pine := site.Wood(color.RGBA{150, 96, 52, 255}, 7), site.Boards(color.RGBA{214, 168, 104, 255}, 9)
	inside := domain.Size().Z - .004
	s.Add(raytrace.NewBox(r3.Vec{X: gateThick, Y: gateTop - gateFoot, Z: inside}, site.At(f.gate), oak))
	across := r3.Vec{Z: inside/2 + .15}
	s.Rod(.05, r3.Sub(r3.Vec{Y: gateTop}, across), r3.Add(r3.Vec{Y: gateTop}, across), iron())
	if f.strut.Valid() {
		s.Rod(.025, strutFoot(), strutHead(), iron())
	}
	s.Add(raytrace.NewBall(ballRadius, site.At(f.ball), site.Stone(color.RGBA{120, 118, 116, 255}, 4, 1)))
	s.Rod(.018, ropeTop, f.ball.Position(), site.Paint(color.RGBA{178, 161, 129, 255}, 0))
	traceWheel(s, f, pine)
	traceGallows(s, pine)
	return s
}

// traceWheel is the hub, its paddles and two rims.
func traceWheel(s *site.Site, f *flood, wood *raytrace.Material) {
	s.Body(f.wheel, wood)
	axle := func(long float64) (a, b r3.Vec) {
		return r3.Sub(wheelAt, r3.Vec{Z: long / 2}), r3.Add(wheelAt, r3.Vec{Z: long / 2})
	}
	a, b := axle(paddleWide + .01)
	s.Rod(hubRadius, a, b, iron())
	a, b = axle(domain.Size().Z + .2)
	s.Rod(.04, a, b, iron())
	rim := shapes.Torus(.8*wheelRadius, .018, 96, 16)
	for _, way := range []float64{-1, 1} {
		at := raytrace.Place{Position: r3.Add(f.wheel.Position(), r3.Vec{Z: way * paddleWide / 2}), Rotation: quat.Mul(f.wheel.Rotation(), site.Along(r3.Vec{Z: 1}))}
		s.Meshes = append(s.Meshes, raytrace.Mesh{Place: at, Positions: rim.Positions, Triangles: rim.Triangles, Material: iron()})
	}
}

// traceGallows holds the rope's end up and the river's pipe in its place.
func traceGallows(s *site.Site, wood *raytrace.Material) {
	const side, reach = .1, .55
	z := domain.Min.Z - reach
	post := func(x0, x1, y0, y1, z0, z1 float64) {
		size, mid := r3.Vec{X: x1 - x0, Y: y1 - y0, Z: z1 - z0}, r3.Vec{X: (x0 + x1) / 2, Y: (y0 + y1) / 2, Z: (z0 + z1) / 2}
		s.Add(raytrace.NewBox(size, raytrace.Place{Position: mid}, wood))
	}
	post(ropeTop.X-side/2, ropeTop.X+side/2, -.06, ropeTop.Y+side, z-side, z)
	post(ropeTop.X-side/2, ropeTop.X+side/2, ropeTop.Y, ropeTop.Y+side, z, side/2)
	top := riverMouth.Y + .1
	s.Pipe(riverRadius+.02, iron(), r3.Vec{X: riverMouth.X, Z: z}, r3.Vec{X: riverMouth.X, Y: top, Z: z}, r3.Vec{X: riverMouth.X, Y: top}, r3.Sub(riverMouth, r3.Vec{Y: math.Min(.1, riverRadius)}))
}
