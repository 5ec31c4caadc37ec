package validation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// Each method runs the entries that are for it, once, and its rows name it unless it is the usual one.
func TestEntriesOfEachMethod(t *testing.T) {
	for _, c := range []struct {
		m            Method
		prefix, want string
	}{
		{Method{fluid.Tetrahedra, fluid.LevelSet}, "tetrahedra, ", "V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11 V16 V17 V26 V27 V28 V31 V32 V33 V34 V35 V36 V37 V38 V40 V41 V42 V43 V45 V46"},
		{Method{fluid.Tetrahedra, fluid.Contouring}, "tetrahedra, contouring, ", "V3 V4 V9 V10 V26 V27 V41 V42 V43"},
		{Method{fluid.Cubes, fluid.Contouring}, "contouring, ", "V3 V4 V9 V10 V12 V13 V14 V26 V27 V41 V42 V43"},
		{Method{fluid.Cubes, fluid.ExplicitMesh}, "explicit mesh, ", "V3 V4 V9 V10 V12 V13 V14 V22 V26 V27 V41 V42 V43"},
	} {
		var got []string
		for _, e := range entries {
			if e.runs(c.m) {
				got = append(got, e.id)
			}
		}
		if ids := strings.Join(got, " "); ids != c.want {
			t.Errorf("%v runs %s, want %s", c.m, ids, c.want)
		}
		e := entry{"V0", func(m Method) ([]Row, error) { return []Row{{Name: "row"}}, nil }, 0}
		if rows, _ := e.with(c.m)(); rows[0].Name != c.prefix+"row" {
			t.Errorf("%v: %q", c.m, rows[0].Name)
		}
	}
	seen := map[string]bool{}
	for _, x := range Tests() {
		key := x.ID + x.prefix()
		if seen[key] || !slices.Contains(discretisations, x.Discretisation) {
			t.Errorf("%s is there twice, or with cells that there are none of", key)
		}
		seen[key] = true
		if x.Method != (Method{}) && !x.Long && x.ID != "V22" {
			t.Errorf("%s counts as short", key)
		}
	}
}

// The frequency of a wave that runs on and a weaker one that comes back is found from a period of it, however far the guess is off.
func TestFrequency(t *testing.T) {
	const omega, dt = 7.3, 1. / 60
	for _, guess := range []float64{omega, .9 * omega, 1.15 * omega} {
		var c []complex128
		for n := range 52 {
			sin, cos := math.Sincos(omega * dt * float64(n))
			c = append(c, complex(1.2*cos, .8*sin))
		}
		if got := frequency(c, dt, guess); got < omega-1e-9 || got > omega+1e-9 {
			t.Errorf("guess %g: %.12g, want %g", guess, got, omega)
		}
	}
}
