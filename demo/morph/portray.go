package main

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
)

// The direction that portraits are seen from, and that of their light.
var (
	portraitBack  = r3.Unit(r3.Vec{X: .28, Y: .3, Z: 1})
	portraitLight = r3.Unit(r3.Vec{X: -.4, Y: .8, Z: .6})
)

// portray draws a mesh without perspective into a frame, whose middle is the origin, at a scale, pixels per m. No sky, no liquid: shaded
// triangles and their depth.
func portray(img *image.RGBA, frame image.Rectangle, m shapes.Mesh, scale float64, c color.RGBA) {
	side := r3.Unit(r3.Cross(r3.Vec{Y: 1}, portraitBack))
	up := r3.Cross(portraitBack, side)
	mid := frame.Min.Add(frame.Max).Div(2)
	seen, normals := make([]r3.Vec, len(m.Positions)), make([]r3.Vec, len(m.Positions))
	for i, p := range m.Positions {
		seen[i] = r3.Vec{X: float64(mid.X) + scale*r3.Dot(p, side), Y: float64(mid.Y) - scale*r3.Dot(p, up), Z: r3.Dot(p, portraitBack)}
	}
	for _, t := range m.Triangles {
		n := r3.Cross(r3.Sub(m.Positions[t[1]], m.Positions[t[0]]), r3.Sub(m.Positions[t[2]], m.Positions[t[0]]))
		for _, v := range t {
			normals[v] = r3.Add(normals[v], n)
		}
	}
	lit := make([]float64, len(normals))
	for i, n := range normals {
		lit[i] = .3 + .7*max(0, r3.Dot(r3.Unit(n), portraitLight))
	}
	depth := make([]float64, frame.Dx()*frame.Dy())
	for i := range depth {
		depth[i] = math.Inf(-1)
	}
	for _, t := range m.Triangles {
		a, b, e := seen[t[0]], seen[t[1]], seen[t[2]]
		area := (b.X-a.X)*(e.Y-a.Y) - (b.Y-a.Y)*(e.X-a.X)
		if area == 0 {
			continue
		}
		box := image.Rect(int(min(a.X, b.X, e.X)), int(min(a.Y, b.Y, e.Y)), int(max(a.X, b.X, e.X))+1, int(max(a.Y, b.Y, e.Y))+1).Intersect(frame)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				px, py := float64(x)+.5-a.X, float64(y)+.5-a.Y
				u := (px*(e.Y-a.Y) - py*(e.X-a.X)) / area
				v := ((b.X-a.X)*py - (b.Y-a.Y)*px) / area
				if u < 0 || v < 0 || u+v > 1 {
					continue
				}
				near := &depth[(y-frame.Min.Y)*frame.Dx()+x-frame.Min.X]
				z := (1-u-v)*a.Z + u*b.Z + v*e.Z
				if z <= *near {
					continue
				}
				*near = z
				l := (1-u-v)*lit[t[0]] + u*lit[t[1]] + v*lit[t[2]]
				img.SetRGBA(x, y, color.RGBA{uint8(l * float64(c.R)), uint8(l * float64(c.G)), uint8(l * float64(c.B)), 255})
			}
		}
	}
}
