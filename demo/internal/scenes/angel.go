package scenes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
)

// Angel is an angel of liquid that falls into a pool (Chentanez et al. 2007, Figure 6).
var Angel = Scene{
	Name: "angel", Domain: r3.Box{Min: r3.Vec{X: -1.2, Z: -1.2}, Max: r3.Vec{X: 1.2, Y: 2.8, Z: 1.2}}, Cell: .04,
	Build: func(l *fluid.Liquid) error {
		angel, err := Falling(shapes.Angel(AngelTall))
		if err != nil {
			return err
		}
		if err := l.Fill(fluid.Below(PoolLevel)); err != nil {
			return err
		}
		return l.Fill(angel)
	},
}

// AngelTall is how tall the angel is, PoolLevel how deep the pool, m.
const (
	AngelTall = 1.5
	PoolLevel = .55

	foot   = 1 // of the angel, over the floor, m
	turned = 20 * math.Pi / 180
)

// Falling is a mesh that stands on y = 0 as the liquid that falls: over the pool, turned.
func Falling(m shapes.Mesh) (*fluid.Mesh, error) {
	m = m.Deformed(shapes.Turn(turned), shapes.Translate(r3.Vec{Y: foot}))
	return fluid.NewMesh(m.Positions, m.Triangles, fluid.MeshOptions{})
}
