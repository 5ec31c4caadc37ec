package stage

import (
	"testing"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/site"
)

// The demos have one daylight in a window and by ray tracing.
func TestTracedSky(t *testing.T) {
	sky := raytrace.Afternoon()
	for _, c := range []struct {
		what         string
		shown, drawn r3.Vec
	}{
		{"horizon", vec(Sky.Horizon.R, Sky.Horizon.G, Sky.Horizon.B), sky.Horizon},
		{"sun", vec(Sky.Sun.X, Sky.Sun.Y, Sky.Sun.Z), sky.Sun},
	} {
		if r3.Norm(r3.Sub(c.shown, c.drawn)) > 1e-6 {
			t.Errorf("%s: %v in a window, %v traced", c.what, c.shown, c.drawn)
		}
	}
	if Sky.Zenith != (math32.Color{}) || Sky.SunLit != (math32.Color{}) || Sky.Ground != (math32.Color{}) {
		t.Error("the sky in the window is not scene's default, which raytrace.Afternoon has")
	}
}

// So is the water in narrow tanks.
func TestTracedNarrow(t *testing.T) {
	c := Narrow.Tint
	if d := r3.Norm(r3.Sub(vec(c.R, c.G, c.B), site.Narrow.Tint)); d > 1e-6 || float64(Narrow.Turbidity) != site.Narrow.Turbidity {
		t.Errorf("%+v in a window, %+v traced", Narrow, site.Narrow)
	}
}

func vec(x, y, z float32) r3.Vec { return r3.Vec{X: float64(x), Y: float64(y), Z: float64(z)} }

// A geometry comes over with its corners, normals and the places on its texture.
func TestTracedGeometry(t *testing.T) {
	m := Traced(geometry.NewSphere(2, 16, 8), raytrace.Place{}, &raytrace.Material{})
	if len(m.Triangles) < 16*7 || len(m.Normals) != len(m.Positions) || len(m.UVs) != len(m.Positions) {
		t.Fatalf("%d triangles, %d corners, %d normals, %d places on the texture", len(m.Triangles), len(m.Positions), len(m.Normals), len(m.UVs))
	}
	for i, p := range m.Positions {
		if r3.Norm(r3.Sub(p, r3.Scale(2, m.Normals[i]))) > 1e-5 {
			t.Fatalf("corner %v with the normal %v", p, m.Normals[i])
		}
	}
	for _, c := range m.Triangles {
		a, b, e := m.Positions[c[0]], m.Positions[c[1]], m.Positions[c[2]]
		if r3.Dot(r3.Cross(r3.Sub(b, a), r3.Sub(e, a)), a) < -1e-9 {
			t.Fatal("a triangle looks inwards")
		}
	}
}
