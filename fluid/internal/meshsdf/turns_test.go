package meshsdf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// tori is so many that overlap, as one mesh, those with odd numbers inside out.
func tori(n, count int) (vs []r3.Vec, faces [][3]int32) {
	rng := rand.New(rand.NewPCG(9, 2))
	v, f := torus(n)
	for k := range count {
		by := r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
		first := int32(len(vs))
		for _, p := range v {
			vs = append(vs, r3.Add(p, by))
		}
		for _, t := range f {
			if k&1 > 0 {
				t[1], t[2] = t[2], t[1]
			}
			faces = append(faces, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
	return vs, faces
}

// Rays tell the winding numbers that solid angles do, at points and on faces, or that they are not sure.
func TestTurnsAreWindingNumbers(t *testing.T) {
	vs, faces := tori(16, 5)
	m, err := clean(vs, faces)
	if err != nil {
		t.Fatal(err)
	}
	patches := m.splitPatches()
	if err := m.orient(patches); err != nil {
		t.Fatal(err)
	}
	s, err := m.finish(0, 0)
	if err != nil || !s.closed {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 8))
	unsure := 0
	for range 2000 {
		p := r3.Vec{X: 8*rng.Float64() - 4, Y: 8*rng.Float64() - 4, Z: 4*rng.Float64() - 2}
		n, _, sure := s.winding.Turns(p, -1)
		if !sure {
			unsure++
		} else if w := s.winding.WindingNumber(p, -1); math.Abs(w-float64(n)) > .1 {
			t.Fatalf("%d turns at %v, the winding number is %v", n, p, w)
		}
	}
	if unsure > 0 {
		t.Errorf("not sure at %d of 2000 points", unsure)
	}
	for i, f := range m.faces {
		at := m.centroid(f)
		got, want := s.windingOn(at, m.normal(f), int32(i)), s.winding.WindingNumber(at, int32(i))
		if math.Abs(got-want) > .1 {
			t.Fatalf("%v on face %d, want %v", got, i, want)
		}
	}
}

func BenchmarkOverlapping(b *testing.B) {
	for _, count := range []int{2, 4, 8} {
		vs, faces := tori(57, count)
		b.Run(fmt.Sprint(len(faces)), func(b *testing.B) {
			for b.Loop() {
				if _, err := New(vs, faces, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
