package shapes

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestDeep tests boxes and their differences.
func TestDeep(t *testing.T) {
	box := func(x0, x1 float64) SDF {
		return Box(r3.Box{Min: r3.Vec{X: x0, Y: -1}, Max: r3.Vec{X: x1, Y: .2, Z: .9}})
	}
	domain := r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}
	for _, c := range []struct {
		name string
		s    SDF
		want bool
	}{
		{"box", box(.33, .9), true},
		{"sheet", box(.33, .36), false},
		{"thick sheet", box(.33, .39), true},
		{"the same box gone", Difference(box(.33, .9), box(.33, .9)), false},
		{"a wider one", Difference(box(.33, .9), box(.3, 1)), false},
		{"one beside", Difference(box(.33, .9), box(.3, .8)), true},
		{"one a little aside", Difference(box(.33, .9), box(.35, .92)), false},
		{"outside", box(5, 6), false},
	} {
		if got := Deep(c.s, domain, .025); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
