package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/cost"
	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/fluid"
)

// A quick run of a step a row prints every table with a figure in each column of each row that has a scene, and tells how far it is, with any cells that there are.
func TestQuickRun(t *testing.T) {
	for i, word := range option.Discretisations {
		if (fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1, Discretisation: fluid.Discretisation(i)}).Validate() != nil {
			continue
		}
		var out, errs bytes.Buffer
		asked := names()
		if i > 0 && testing.Short() {
			asked = asked[:1]
		}
		if code := run([]string{"-frames", "1", "-workers", "1", "-cells", word, "-tables", strings.Join(asked, ",")}, &out, &errs); code != 0 {
			t.Fatalf("%s: exit code %d: %s", word, code, errs.String())
		}
		text := out.String()
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.HasPrefix(text, word+", size quick") {
			t.Errorf("%s:\n%s", word, text)
		}
		for _, table := range tables()[:len(asked)] {
			if !strings.Contains(text, table.title) {
				t.Errorf("%s: no %s", word, table.name)
			}
			for _, r := range table.rows {
				line := ""
				for _, l := range strings.Split(text[strings.Index(text, table.title):], "\n") {
					if strings.HasPrefix(l, "| "+r.name+" |") {
						line = l
						break
					}
				}
				if measured := !strings.Contains(line, " - ("); line == "" || measured != (r.scene != nil) || !measured && !strings.HasSuffix(line, r.note+" |") {
					t.Errorf("%s, %s: %q", table.name, r.name, line)
				}
				if r.scene != nil && !strings.Contains(errs.String(), table.name+" "+r.name+" 1/1") {
					t.Errorf("%s, %s: no progress", table.name, r.name)
				}
			}
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-tables brochu", "klingner, chentanez, kim1, kim2, dambreak, trackers"}, {"-tables kim1,kim1", "without repeats"}, {"-size huge", "quick, full, paper"},
		{"-frames -1", "from 0 to 10000"}, {"-workers 0", "from 1 to 256"}, {"-across -1", "from 0 to 1000"}, {"-cells hexagons", "cubes, tetrahedra"}, {"now", "only flags"},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), &out, &errs); code != option.BadUsage {
			t.Errorf("%s: exit code %d", c.args, code)
		}
		if s := errs.String(); !strings.HasPrefix(s, "tables: ") || strings.Count(s, "\n") != 1 || !strings.Contains(s, c.want) || out.Len() > 0 {
			t.Errorf("%s: %q, want one line with %q", c.args, s, c.want)
		}
	}
}

// Every row of a paper has as many of its figures as its table has columns, and either a scene or a note of what it lacks; a larger size has no larger cells.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range tables() {
		if seen[table.name] {
			t.Errorf("two tables %s", table.name)
		}
		seen[table.name] = true
		if n := len(table.values(&cost.Mean{Step: time.Second})); n != len(table.columns) {
			t.Errorf("%s: %d figures, %d columns", table.name, n, len(table.columns))
		}
		for _, r := range table.rows {
			if r.paper != nil && len(r.paper) != len(table.columns) || (r.scene == nil) != (r.note != "") {
				t.Errorf("%s: %+v", table.name, r)
			}
			if r.scene != nil {
				for size := quick; size <= paper; size++ {
					if c := r.scene(settings{size: size}); c.Steps < 30 || c.Dt != dt || c.New == nil {
						t.Errorf("%s, %s, %s: %+v", table.name, r.name, sizes[size], c)
					}
				}
			}
		}
	}
}

// What was measured stands beside the paper's figures, what was not is a dash, and the ratios are to the first row.
func TestTable(t *testing.T) {
	table := table{
		name: "x", title: "Title", first: "scene", columns: []column{{"s", 2}, {"cells", 0}}, ratios: true,
		rows: []row{
			{name: "a", paper: []float64{12.5, 2038250}, here: []float64{2, 1000}},
			{name: "b", paper: []float64{5, 1019125}, here: []float64{.5, 250}, note: "3 of 4 steps were rolled back"},
			{name: "c", paper: []float64{5, 4076500}, note: "needs smoke"},
		},
	}
	const want = `
Title

| scene | s | cells | |
|---|---|---|---|
| a | 2.00 (12.5) | 1000 (2038250) |  |
| b | 0.50 (5) | 250 (1019125) | 3 of 4 steps were rolled back |
| c | - (5) | - (4076500) | needs smoke |

| over a | s | cells | |
|---|---|---|---|
| b | 0.250 (0.400) | 0.250 (0.500) | |
| c | - (0.400) | - (2.000) | |
`
	if got := table.String(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
	table.rows[0].here = nil
	if strings.Contains(table.String(), "over a") {
		t.Error("ratios to what was not measured")
	}
}

// A row whose scene fails ends the run, and is named.
func TestFailure(t *testing.T) {
	table := table{name: "x", rows: []row{{name: "a", scene: func(settings) cost.Run {
		return cost.Run{New: func() (*fluid.Liquid, error) { return fluid.New(fluid.Def{}) }}
	}}}}
	if err := table.measure(settings{}, &bytes.Buffer{}); err == nil || !strings.HasPrefix(err.Error(), "a: ") {
		t.Errorf("got %v", err)
	}
}
