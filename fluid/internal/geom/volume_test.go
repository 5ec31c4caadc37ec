package geom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// The volume of a ring is right, also far from the origin, where it keeps its digits, and less than 0 inside out.
func TestVolume(t *testing.T) {
	vs, faces := torus(60)
	at := Volume(vs, faces)
	if want := 4 * math.Pi * math.Pi; math.Abs(at/want-1) > .01 {
		t.Errorf("%g, want about %g", at, want)
	}
	for i := range vs {
		vs[i].X += 1 << 20
	}
	if far := Volume(vs, faces); math.Abs(far/at-1) > 1e-8 {
		t.Errorf("%.12g far from the origin, %.12g near it", far, at)
	}
	for i, f := range faces {
		faces[i] = [3]int32{f[0], f[2], f[1]}
	}
	if out := Volume(vs, faces); math.Abs(out/at+1) > 1e-8 {
		t.Errorf("%g inside out, want %g", out, -at)
	}
	if v := Volume(nil, nil); v != 0 {
		t.Errorf("nothing encloses %g", v)
	}
}

// The four tetrahedra of a point and the triangles of a tetrahedron add up to that, wherever the point is.
func TestSixfold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces, volume := tetrahedron(t)
		o, sum := place(t, "o"), 0.
		for _, f := range faces {
			sum += Sixfold(o, f[0], f[1], f[2])
		}
		if math.Abs(sum/6-volume) > 1e-14 {
			t.Fatalf("%g, want %g", sum/6, volume)
		}
	})
}

// The rate of change of a volume is what two volumes a short time apart differ by.
func TestVolumeRate(t *testing.T) {
	vs, faces := torus(12)
	velocities, before, after := make([]r3.Vec, len(vs)), make([]r3.Vec, len(vs)), make([]r3.Vec, len(vs))
	const dt = 1e-4
	for i, x := range vs {
		velocities[i] = r3.Vec{X: x.Y * x.Z, Y: x.X + x.Y*x.Y, Z: .3 * x.Z}
		before[i], after[i] = r3.Sub(x, r3.Scale(dt, velocities[i])), r3.Add(x, r3.Scale(dt, velocities[i]))
	}
	got, want := VolumeRate(vs, velocities, faces), (Volume(after, faces)-Volume(before, faces))/(2*dt)
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%g, want %g", got, want)
	}
}
