// Package dam is the dam break of Kim, Ihm, Cha 2006 (Table 1 and Figure 4): water behind a dam at one
// end of a long tank, and a camera that flies against the flood.
package dam

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// Tank is the domain and Water what is behind the dam, m: a fifth of it, as the paper's order of
// 2,038,250 for 160 × 200 × 320 cells says.
var (
	Tank  = r3.Box{Max: r3.Vec{X: 1.6, Y: 2, Z: 3.2}}
	Water = r3.Box{Max: r3.Vec{X: 1.6, Y: 1, Z: 1.28}}
)

// The paper's camera, degrees, and the height of a picture, pixels.
const (
	wide, high    = 80.0, 60.0
	pictureHeight = 480
)

// Flight takes the camera through the tank against the flood.
var Flight = []view.Pose{
	{Eye: r3.Vec{X: 0.8, Y: 1.3, Z: 3.1}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 1.6}},
	{Eye: r3.Vec{X: 1.2, Y: 1.0, Z: 2.7}, Target: r3.Vec{X: 0.6, Y: 0.3, Z: 1.5}},
	{Eye: r3.Vec{X: 1.3, Y: 0.9, Z: 2.0}, Target: r3.Vec{X: 0.5, Y: 0.3, Z: 2.6}},
	{Eye: r3.Vec{X: 0.8, Y: 1.1, Z: 1.2}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 2.8}},
}

// New fills a liquid in Tank, whatever the definition says of its domain. The caller closes it.
func New(def fluid.Def) (*fluid.Liquid, error) {
	def.Domain = Tank
	liq, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	if err := liq.Fill(fluid.Box(Water)); err != nil {
		liq.Close()
		return nil, err
	}
	return liq, nil
}

// ViewAt is the camera at t of the seconds that its flight takes.
func ViewAt(t, seconds float64) fluid.View { return NarrowedAt(t, seconds, 1) }

// NarrowedAt is ViewAt with a part of the angles of view.
func NarrowedAt(t, seconds, part float64) fluid.View {
	path := view.Path{Poses: Flight, Duration: seconds}
	return path.At(t).See(part*high, view.AspectOf(part*wide, part*high), 0.05, 10, pictureHeight)
}
