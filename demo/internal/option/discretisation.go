package option

import (
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
)

// Discretisations are the words for what cells space is divided into, in the order of their numbers.
var Discretisations = []string{"cubes", "tetrahedra"}

// Discretisation adds a flag that chooses what cells space is divided into.
func (s *Set) Discretisation(p *fluid.Discretisation, name, usage string) {
	s.choose(Discretisations[*p], Discretisations, name, usage+": "+strings.Join(Discretisations, ", "), func(i int) { *p = fluid.Discretisation(i) })
}
