// Package dam is the two scenes of Kim, Ihm, Cha 2006: water behind a dam at one end of a tank, and a camera that flies against the flood.
package dam

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// Scene is a tank, what is behind its dam, m, and how the camera flies.
type Scene struct {
	Tank, Water r3.Box
	Flight      []view.Pose
}

// First is that of Table 1 and Figure 4. Tank is its domain and Water a fifth of it, as the paper's order of 2,038,250 for 160 × 200 × 320 cells says.
var First = Scene{Tank, Water, Flight}

// Tank, Water and Flight are those of the first scene: its camera goes through the tank against the flood.
var (
	Tank   = r3.Box{Max: r3.Vec{X: 1.6, Y: 2, Z: 3.2}}
	Water  = r3.Box{Max: r3.Vec{X: 1.6, Y: 1, Z: 1.28}}
	Flight = []view.Pose{
		{Eye: r3.Vec{X: 0.8, Y: 1.3, Z: 3.1}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 1.6}},
		{Eye: r3.Vec{X: 1.2, Y: 1.0, Z: 2.7}, Target: r3.Vec{X: 0.6, Y: 0.3, Z: 1.5}},
		{Eye: r3.Vec{X: 1.3, Y: 0.9, Z: 2.0}, Target: r3.Vec{X: 0.5, Y: 0.3, Z: 2.6}},
		{Eye: r3.Vec{X: 0.8, Y: 1.1, Z: 1.2}, Target: r3.Vec{X: 0.8, Y: 0.5, Z: 2.8}},
	}
)

// Second is that of Table 2: 440 × 280 × 440 cells. The paper does not tell what its picture shows: here the dam is in a corner, and holds a seventh of the tank. The camera comes
// forward from the far corner for the first fifth of the time and stays there, as the paper's Figure 6 says of the part that it sees.
var Second = Scene{
	Tank:  r3.Box{Max: r3.Vec{X: 4.4, Y: 2.8, Z: 4.4}},
	Water: r3.Box{Max: r3.Vec{X: 2.2, Y: 1.5, Z: 2.4}},
	Flight: []view.Pose{
		{Eye: r3.Vec{X: 4.3, Y: 2, Z: 4.3}, Target: r3.Vec{X: 1.5, Y: .8, Z: 1.5}},
		{Eye: r3.Vec{X: 3.2, Y: 1.7, Z: 3.2}, Target: r3.Vec{X: 1, Y: .6, Z: 1}},
		{Eye: r3.Vec{X: 3.1, Y: 1.7, Z: 3.1}, Target: r3.Vec{X: 1, Y: .6, Z: 1}},
		{Eye: r3.Vec{X: 3, Y: 1.7, Z: 3}, Target: r3.Vec{X: 1, Y: .6, Z: 1}},
		{Eye: r3.Vec{X: 2.9, Y: 1.7, Z: 2.9}, Target: r3.Vec{X: 1, Y: .6, Z: 1}},
		{Eye: r3.Vec{X: 2.8, Y: 1.7, Z: 2.8}, Target: r3.Vec{X: 1, Y: .6, Z: 1}},
	},
}

// The paper's camera, degrees, and the height of a picture, pixels.
const (
	wide, high    = 80.0, 60.0
	pictureHeight = 480
)

// New fills a liquid in the tank, whatever the definition says of its domain. The caller closes it.
func (s *Scene) New(def fluid.Def) (*fluid.Liquid, error) {
	def.Domain = s.Tank
	liq, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	if err := liq.Fill(fluid.Box(s.Water)); err != nil {
		liq.Close()
		return nil, err
	}
	return liq, nil
}

// ViewAt is the camera at t of the seconds that its flight takes, with a part of the paper's angles of view.
func (s *Scene) ViewAt(t, seconds, part float64) fluid.View {
	return s.poseAt(t, seconds).See(part*high, view.AspectOf(part*wide, part*high), 0.05, 10, pictureHeight)
}

func (s *Scene) poseAt(t, seconds float64) view.Pose {
	path := view.Path{Poses: s.Flight, Duration: seconds}
	return path.At(t)
}

// AppendRays appends rays through the whole picture that the camera has at t of the seconds that its flight takes, one for every square of so many pixels.
func (s *Scene) AppendRays(dst []fluid.Ray, t, seconds, square float64) []fluid.Ray {
	pose := s.poseAt(t, seconds)
	m := pose.LookAt()
	row := func(k int) r3.Vec { return r3.Vec{X: float64(m[k]), Y: float64(m[4+k]), Z: float64(m[8+k])} }
	side, up, ahead := row(0), row(1), r3.Scale(-1, row(2))
	top := math.Tan(high * math.Pi / 360)
	across := top * view.AspectOf(wide, high)
	step := 2 * top * square / pictureHeight
	for y := step/2 - top; y < top; y += step {
		for x := step/2 - across; x < across; x += step {
			dst = append(dst, fluid.Ray{From: pose.Eye, Dir: r3.Add(ahead, r3.Add(r3.Scale(x, side), r3.Scale(y, up)))})
		}
	}
	return dst
}

// Pixels is how many pixels a metre has in the picture at a distance, m.
func Pixels(distance float64) float64 {
	return pictureHeight / 2 / math.Tan(high*math.Pi/360) / max(distance, 0.05)
}

// New fills a liquid in the first scene's tank.
func New(def fluid.Def) (*fluid.Liquid, error) { return First.New(def) }

// ViewAt is the first scene's camera with the whole of its angles of view.
func ViewAt(t, seconds float64) fluid.View { return First.ViewAt(t, seconds, 1) }
