package cost

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// The means are those of the steps' reports, the stages make up most of a step, and the liquid takes memory.
func TestMeasure(t *testing.T) {
	unknowns, steps, told := 0, 0, 0
	m, err := Run{
		New: func() (*fluid.Liquid, error) {
			l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .05, Resources: fluid.Resources{Workers: 1}})
			if err != nil {
				return nil, err
			}
			return l, l.Fill(fluid.Below(.3))
		},
		Before: func(_ *fluid.Liquid, n int) error {
			if steps++; n != steps {
				t.Errorf("before step %d: %d", steps, n)
			}
			return nil
		},
		Lead: 2, Steps: 3, Dt: 1. / 60,
		Done: func(n int, r *fluid.Report) {
			if told++; n != told {
				t.Errorf("step %d is told as %d", told, n)
			}
			unknowns += r.UnknownCount()
		},
	}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	if steps != 5 || told != 3 || m.Unknowns != unknowns/3 || m.Unknowns == 0 || m.Nonzeros < m.Unknowns || m.Triangles == 0 || m.Bytes == 0 || m.RolledBack != 0 {
		t.Errorf("%d and %d steps, %d unknowns: %+v", steps, told, unknowns, m)
	}
	var all []fluid.Stage
	for s := range fluid.StageCount {
		all = append(all, s)
	}
	if sum := m.Of(all...); sum > m.Step || sum < m.Step/2 {
		t.Errorf("the stages take %v of %v", sum, m.Step)
	}
}

// What goes wrong before a step, or when the liquid is made, ends the run.
func TestErrors(t *testing.T) {
	bad := errors.New("bad")
	if _, err := (Run{New: func() (*fluid.Liquid, error) { return nil, bad }}).Measure(); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
	made := func() (*fluid.Liquid, error) {
		return fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
	}
	if _, err := (Run{New: made, Before: func(*fluid.Liquid, int) error { return bad }, Steps: 1, Dt: .01}).Measure(); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
}
