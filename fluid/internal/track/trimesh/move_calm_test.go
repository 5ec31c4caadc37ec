package trimesh

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Two balls come nearer slowly, trembling, and press on each other, and a drop falls on one of them. What a mover knows of a mesh at rest changes no result by a bit: one that searches each time gives the same positions
// and reports. While they are apart it is all known.
func TestCalmChangesNothing(t *testing.T) {
	var m, other Mesh
	for _, mesh := range []*Mesh{&m, &other} {
		icosphere(r3.Vec{X: -.545}, .5, 5).addTo(mesh, 0)
		icosphere(r3.Vec{X: .545}, .5, 5).addTo(mesh, 1)
		icosphere(r3.Vec{X: .5, Y: 1.5}, .2, 2).addTo(mesh, 0)
	}
	drop := len(m.Position) - 42 // falls all the time
	r, searching := Mover{Near: .01}, Mover{Near: .01, calm: calm{never: true}}
	known, near := 0, 0
	for i := range 80 {
		size := 1. // now and then all is fast
		if i%20 == 19 {
			size = 20
		}
		for v, x := range m.Position {
			sin, cos := math.Sincos(float64(i) + 9*x.Y)
			m.Target[v] = r3.Add(x, r3.Vec{X: -math.Copysign(size*.0008, x.X) + .001*sin, Y: .001 * cos, Z: .001 * sin})
			if v >= drop {
				m.Target[v].Y -= .012
			}
			other.Target[v] = m.Target[v]
		}
		got, want := r.Move(&m, .01), searching.Move(&other, .01)
		if got != want || !slices.Equal(m.Position, other.Position) {
			t.Fatalf("step %d: %+v, and with a search %+v", i, got, want)
		}
		if r.calm.known && got.Proximities == 0 {
			known++
		}
		near += got.Proximities
		if i%8 == 0 {
			legal(t, &m, "step", i)
		}
	}
	if known < 20 || near == 0 {
		t.Errorf("%d motions known, %d near", known, near)
	}
}

// Where triangles change what is known is of them, and not of those that were there before.
func TestCalmForgets(t *testing.T) {
	var m Mesh
	var r Mover
	icosphere(r3.Vec{}, .5, 3).addTo(&m, 0)
	for range 3 {
		for v := range m.Target {
			m.Target[v].Y += 1e-3
		}
		r.Move(&m, .01)
	}
	if !r.calm.known {
		t.Fatal("a mesh that moves slowly is not known")
	}
	first := int32(len(m.Position))
	icosphere(r3.Vec{X: 1.01}, .5, 3).addTo(&m, 0)
	for v := range m.Target {
		if int32(v) >= first {
			m.Target[v].X -= .3
		}
	}
	if report := r.Move(&m, .01); report.Collisions == 0 {
		t.Errorf("%+v", report)
	}
	legal(t, &m, "at the end")
}

// Where little moves, that alone is searched, and it collides as in a search of all. What rests is not pushed apart.
func TestFewMove(t *testing.T) {
	var m, other Mesh
	for _, mesh := range []*Mesh{&m, &other} {
		icosphere(r3.Vec{X: -.51}, .5, 6).addTo(mesh, 0)
		icosphere(r3.Vec{X: .51}, .5, 6).addTo(mesh, 0)
		icosphere(r3.Vec{X: -.51, Y: .72}, .2, 2).addTo(mesh, 0)
		drop := len(mesh.Position) - 42
		for v := range mesh.Target[drop:] {
			mesh.Target[drop+v].Y -= .1
		}
	}
	for v := range other.Target { // so much that all is searched
		if other.Target[v] == other.Position[v] {
			other.Target[v].X += 1e-12
		}
	}
	few, all := Mover{Near: .03}, Mover{Near: .03, calm: calm{never: true}}
	got, want := few.Move(&m, .01), all.Move(&other, .01)
	legal(t, &m, "few")
	if got.Collisions == 0 || got.Fraction != 1 {
		t.Errorf("%+v", got)
	}
	if got.Proximities == 0 || got.Proximities >= want.Proximities {
		t.Errorf("%d pairs are near, of all that are %d", got.Proximities, want.Proximities)
	}
}
