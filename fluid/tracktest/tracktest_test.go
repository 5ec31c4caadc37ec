package tracktest

import (
	"flag"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// go test -run Tracking -v -edge 96 -trackers ./fluid/tracktest
var (
	allTrackers = flag.Bool("trackers", false, "compare the level set with and without markers")
	edgeCells   = flag.Int("edge", 56, "cells along the cube; a multiple of 8")
)

// The level set with its markers returns a slotted sphere and Enright's with the expected errors.
func TestTracking(t *testing.T) {
	for _, test := range []struct {
		name       string
		of         func(int) scenario
		volume, l1 float64 // of 56 cells, at most
	}{{"Zalesak", zalesak, .08, .2}, {"Enright", enright, .08, .16}} {
		if testing.Short() && test.name != "Zalesak" {
			continue
		}
		for _, v := range []struct {
			name    string
			perCell int
		}{{"markers", 4}, {"bare", 0}, {"8", 8}} {
			if !*allTrackers && v.name != "markers" {
				continue
			}
			k := test.of(*edgeCells)
			k.perCell = v.perCell
			got, err := k.run(newLevelSet(k, *edgeCells), k.steps, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d cells, %s: volume %.2f %%, L1 %.2f %%", test.name, *edgeCells, v.name, 100*got.Volume, 100*got.L1)
			if v.name == "markers" && *edgeCells == 56 && (math.Abs(got.Volume-1) > test.volume || got.L1 > test.l1) {
				t.Errorf("%s: %+v is worse than what was reached", test.name, got)
			}
		}
	}
}

// Watch gets a closed surface at the given times, and at the end one with the volume of the result.
func TestWatch(t *testing.T) {
	const cells = 24
	asked := []float64{0, .25, .5, 1}
	var seen []float64
	var volumes []float64
	got, err := Zalesak(Run{Size: cells, At: asked, Watch: func(m Moment) {
		seen, volumes = append(seen, m.Time), append(volumes, geom.Volume(m.Positions, m.Triangles))
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, volumes %.6f", got, volumes)
	if !slices.Equal(seen, asked) {
		t.Errorf("seen at %v s, asked for %v", seen, asked)
	}
	if kept := volumes[3] / volumes[0]; math.Abs(kept-got.Volume) > .05 { // the slot is a cell wide: the triangles cut its corners
		t.Errorf("the surfaces keep %.3f of their volume, the result says %.3f", kept, got.Volume)
	}
	if got.Steps != 628*cells/100 || got.Vertices < 4*cells || got.Seconds <= 0 {
		t.Errorf("got %+v", got)
	}
}

// The volume between two balls matches geometry: both for separate balls, the shell for nested ones, none for the same ball.
func TestBetween(t *testing.T) {
	ball := func(centre r3.Vec, radius float64) ([]r3.Vec, [][3]int32) { return globe(centre, radius, 96) }
	small, triangles := ball(r3.Vec{X: .3, Y: .4, Z: .5}, .1)
	far, _ := ball(r3.Vec{X: .7, Y: .4, Z: .5}, .1)
	large, _ := ball(r3.Vec{X: .3, Y: .4, Z: .5}, .2)
	v := geom.Volume(small, triangles)
	for name, c := range map[string]struct {
		a, b []r3.Vec
		want float64
	}{"apart": {small, far, 2 * v}, "within": {small, large, 7 * v}, "the same": {small, small, 0}} {
		got := between([2][]r3.Vec{c.a, c.b}, [2][][3]int32{triangles, triangles})
		if math.Abs(got-c.want) > .002*v { // columns cut the rim of a ball of 80 across in steps
			t.Errorf("%s: %.7f m³, want %.7f", name, got, c.want)
		}
	}
}

// globe returns a ball with so many vertices around and half as many rows from pole to pole.
func globe(centre r3.Vec, radius float64, around int) (positions []r3.Vec, triangles [][3]int32) {
	rows := around / 2
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case rows:
			return 1
		}
		return int32(2 + (i-1)*around + j%around)
	}
	positions = []r3.Vec{r3.Add(centre, r3.Vec{Z: radius}), r3.Add(centre, r3.Vec{Z: -radius})}
	for i := 1; i < rows; i++ {
		for j := range around {
			s, c := math.Sincos(math.Pi * float64(i) / float64(rows))
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			positions = append(positions, r3.Add(centre, r3.Scale(radius, r3.Vec{X: s * cos, Y: s * sin, Z: c})))
		}
	}
	for i := range rows {
		for j := range around {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			if i > 0 {
				triangles = append(triangles, [3]int32{a, b, d})
			}
			if i < rows-1 {
				triangles = append(triangles, [3]int32{d, b, c})
			}
		}
	}
	return positions, triangles
}

// An invalid run returns an error with the field's name and limits.
func TestBadRuns(t *testing.T) {
	for want, r := range map[string]Run{
		"Run.Tracker: 3":                {Tracker: 3, Size: 24},
		"Run.Size: 20 cells; must be a": {Size: 20},
		"Run.Size: 0 cells":             {},
		"Run.Size: 520 cells":           {Size: 520},
		"Run.Size: 24 vertices":         {Tracker: ExplicitMesh, Size: 24},
		"Run.At: [1 0] s":               {Size: 24, At: []float64{1, 0}},
	} {
		for _, test := range []func(Run) (Result, error){Zalesak, Enright} {
			if _, err := test(r); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v", r, err)
			}
		}
	}
}
