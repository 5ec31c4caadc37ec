package testrig

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// Cases is how many cases of a test to run: in a short run so many on cubes and so many on tetrahedra, which take several times as long, and else all.
func Cases(of fluid.Discretisation, cubes, tetrahedra, all int) int {
	if of == fluid.Tetrahedra {
		return InShort(tetrahedra, all)
	}
	return InShort(cubes, all)
}

// LongOnTetrahedra skips a test on tetrahedra in a short run.
func LongOnTetrahedra(t *testing.T, of fluid.Discretisation) {
	t.Helper()
	if of == fluid.Tetrahedra && testing.Short() {
		t.Skip("takes longer on tetrahedra")
	}
}
