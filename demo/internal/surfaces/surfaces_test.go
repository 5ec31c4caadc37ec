package surfaces

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
)

// surface is that of a liquid of the meshes' shapes, in which every triangle has vertices of its own.
func surface(meshes ...shapes.Mesh) *fluid.Surface {
	s := &fluid.Surface{}
	for _, m := range meshes {
		for _, t := range m.Triangles {
			for _, v := range t {
				p := m.Positions[v]
				s.Indices = append(s.Indices, uint32(len(s.Positions)/3))
				s.Positions = append(s.Positions, float32(p.X), float32(p.Y), float32(p.Z))
			}
		}
	}
	return s
}

// inside out is the skin of air.
func insideOut(m shapes.Mesh) shapes.Mesh {
	out := shapes.Mesh{Positions: m.Positions}
	for _, t := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]int32{t[0], t[2], t[1]})
	}
	return out
}

func TestTopology(t *testing.T) {
	ball, ring := shapes.Sphere(1, 3), shapes.Torus(1, .2, 32, 12)
	far := ring.Deformed(shapes.Translate(r3.Vec{X: 5}))
	bubble := insideOut(shapes.Sphere(.5, 2))
	for name, c := range map[string]struct {
		s       *fluid.Surface
		want    Topology
		largest float64
	}{
		"nothing": {surface(), Topology{}, 0},
		"ball":    {surface(ball), Topology{Pieces: 1}, ball.Volume()},
		"ring":    {surface(ring), Topology{Pieces: 1, Holes: 1}, ring.Volume()},
		"all":     {surface(ball, bubble, far), Topology{Pieces: 2, Bubbles: 1, Holes: 1}, ball.Volume()},
	} {
		got := TopologyOf(c.s)
		if math.Abs(got.Largest-c.largest) > .02 {
			t.Errorf("%s: the largest piece has %.3f m³, want %.3f", name, got.Largest, c.largest)
		}
		if got.Largest = 0; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A stretched ball has the moments of an ellipsoid: V = 4π abc/3 and V a²/5 along an axis a.
func TestMoments(t *testing.T) {
	about, at := r3.Vec{X: 3, Y: -1, Z: 2}, r3.Vec{X: 3.5, Y: -1, Z: 2}
	s := surface(shapes.Sphere(1, 5).Deformed(func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: 2 * p.Y, Z: .5 * p.Z} }, shapes.Translate(at)))
	m := MomentsOf(s, about)
	volume := 4 * math.Pi / 3
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > .004*math.Max(1, math.Abs(want)) { // 10,242 vertices on the ellipsoid
			t.Errorf("%s: %.5f, want %.5f", name, got, want)
		}
	}
	near("volume", m.Volume, volume)
	near("centre", r3.Norm(r3.Sub(m.Centre, r3.Sub(at, about))), 0)
	near("x²", m.Square.X, volume*(1./5+.25))
	near("y²", m.Square.Y, volume*4/5)
	near("z²", m.Square.Z, volume*.25/5)
	ball := surface(shapes.Sphere(.5, 5))
	near("area", Area(ball), math.Pi)
	near("sphericity", Sphericity(MomentsOf(ball, r3.Vec{}).Volume, Area(ball)), 1)
	near("a cube's", Sphericity(1, 6), math.Cbrt(math.Pi/6))
	near("radius", Radius(volume), 1)
	near("Lamb", Lamb(.4, 1000, 1000), 2*math.Pi/math.Sqrt(8/.064))
}
