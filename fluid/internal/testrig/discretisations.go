package testrig

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// EachDiscretisation runs a test on cubes and on tetrahedra, as subtests of these names.
func EachDiscretisation(t *testing.T, test func(t *testing.T, of fluid.Discretisation)) {
	t.Helper()
	for _, of := range []fluid.Discretisation{fluid.Cubes, fluid.Tetrahedra} {
		t.Run(of.String(), func(t *testing.T) { test(t, of) })
	}
}
