package option

import (
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
)

// Liquid is one of those that a flag chooses from.
type Liquid struct {
	Name     string
	Material fluid.Material // zero: the demo's own
}

// Liquids are all of them.
var Liquids = []Liquid{
	{"water", fluid.Material{}},
	{"sea", fluid.SeaWater},
	{"oil", fluid.Oil},
	{"honey", fluid.Honey},
	{"milk", fluid.Material{Density: 1030, Viscosity: 1.9e-6, SurfaceTension: .047}},
	{"mud", fluid.Material{Density: 1300, Viscosity: 1e-3, SurfaceTension: .07}},
	{"lava", fluid.Lava},
	{"mercury", fluid.Mercury},
	{"gold", fluid.Material{Density: 17300, Viscosity: 2.9e-7, SurfaceTension: 1.14}},
}

// Liquid adds a flag that chooses a liquid.
func (s *Set) Liquid(p *Liquid, name, usage string) {
	*p = Liquids[0]
	var words []string
	for _, l := range Liquids {
		words = append(words, l.Name)
	}
	s.choose(p.Name, words, name, usage+": "+strings.Join(words, ", "), func(i int) { *p = Liquids[i] })
}
