package control

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Welding a torus whose triangles have three vertices of their own each restores the torus.
func TestWeld(t *testing.T) {
	ring, tr := torus(1, .4, 8, 6)
	var soup []r3.Vec
	var own [][3]int32
	for _, f := range tr {
		n := int32(len(soup))
		own = append(own, [3]int32{n, n + 1, n + 2})
		soup = append(soup, ring[f[0]], ring[f[1]], ring[f[2]])
	}
	if err := checkTriangles(len(soup), own); err == nil {
		t.Fatal("the soup is closed")
	}
	own = append(own, [3]int32{0, 0, 1}) // of no area
	soup = append(soup, r3.Vec{X: 99})   // in no triangle
	first, welded := Weld(soup, own)
	if len(first) != len(ring) || len(welded) != len(tr) {
		t.Fatalf("%d vertices and %d triangles; must be %d and %d", len(first), len(welded), len(ring), len(tr))
	}
	x := make([]r3.Vec, len(first))
	for i, v := range first {
		x[i] = soup[v]
	}
	if err := checkTriangles(len(x), welded); err != nil {
		t.Error(err)
	}
	if err := checkConnected(len(x), welded); err != nil {
		t.Error(err)
	}
	for i, f := range tr {
		for k, v := range f {
			if x[welded[i][k]] != ring[v] {
				t.Fatalf("corner %d of triangle %d is elsewhere", k, i)
			}
		}
	}
	_, bad := Weld(ring[:3], [][3]int32{{0, 1, 7}, {0, -1, 2}})
	if !slices.Equal(bad, [][3]int32{{0, 1, 7}, {0, -1, 2}}) {
		t.Errorf("indices out of range: %v", bad)
	}
}
