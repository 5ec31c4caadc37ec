package scene

import (
	"math"

	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// NewWood returns a lit material of boards of a colour, as a display shows it: eight to a metre on
// bodies that Show or NewBody makes visible. Its texture goes when the material is disposed of, as those of the materials below do.
func NewWood(c math32.Color) *material.Standard { return WoodPattern(c).Material() }

// NewStone returns a lit material of dressed stones in courses with mortar, about 40 by 25 cm: a quay, a wall, or paving.
func NewStone(c math32.Color) *material.Standard { return StonePattern(c).Material() }

// NewConcrete returns a lit material of concrete as it leaves the formwork: panels of 1 m with the holes of their ties, pores and stains.
func NewConcrete(c math32.Color) *material.Standard { return ConcretePattern(c).Material() }

// NewPlaster returns a lit material of plaster with stains: a house, or dry ground.
func NewPlaster(c math32.Color) *material.Standard { return PlasterPattern(c).Material() }

// NewMetal returns a lit material of brushed metal with worn spots.
func NewMetal(c math32.Color) *material.Standard { return MetalPattern(c).Material() }

// NewCloth returns a lit material of woven cloth in stripes of two colours, 10 cm wide: a towel, an awning. One colour twice gives plain cloth.
func NewCloth(a, b math32.Color) *material.Standard { return ClothPattern(a, b).Material() }

// NewRope returns a lit material of laid rope, for cylinders about their own axis.
func NewRope(c math32.Color) *material.Standard { return RopePattern(c).Material() }

// NewLeaves returns a lit material of leaves in light and shade: a clipped hedge.
func NewLeaves(c math32.Color) *material.Standard { return LeafPattern(c).Material() }

// NewGlow returns a material that gives light of its own, such as a lamp's glass: light times a colour as a display shows it. 1 is as bright as white
// paint in a light of 1. It lights nothing else: put a g3n light where it is.
func NewGlow(c math32.Color, light float32) *material.Standard {
	m := material.NewStandard(&c)
	m.SetUseLights(material.UseLightNone)
	black := math32.Color{}
	m.SetColor(&black)
	m.SetEmissiveColor(&math32.Color{R: stronger(c.R, light), G: stronger(c.G, light), B: stronger(c.B, light)})
	return m
}

// stronger is a display's value whose light is so many times that of v.
func stronger(v, light float32) float32 {
	return float32(math.Pow(float64(light), 1/2.4)*(float64(v)+.055) - .055)
}

// WoodPattern is that of NewWood.
func WoodPattern(c math32.Color) Pattern {
	const boards = 8
	grain, fibre := grains(3, 9, 3, 30), grains(8, 160, 2, 31)
	return painted(1, .08, func(x, y int) math32.Color {
		u, v := texelAt(x, y)
		row := int(v * boards)
		across := v*boards - float64(row)
		shift := int(scatter(row, 3, 21) * patternSize) // each board is cut elsewhere, and from another tree
		i := y*patternSize + (x+shift)%patternSize
		ring := .5 + .5*math.Sin(2*math.Pi*(2.5*across+2.5*float64(grain[i])+scatter(row, 7, 22)))
		gap := min(across, 1-across) / boards
		along := u + float64(shift)/patternSize
		end := math.Abs(along - math.Round(along))
		seam := 1 - .6*math.Exp(-gap/.004) - .6*math.Exp(-end/.002)
		return shaded(c, (.86+.2*scatter(row, 1, 23))*(.92+.14*ring+.15*float64(fibre[i]))*max(seam, .2))
	})
}

// A stone pattern's courses, and the stones of each.
const (
	stoneCourses = 8
	stonesOf     = 5
	stoneEdge    = 2.0 // m
)

// StonePattern is that of NewStone.
func StonePattern(c math32.Color) Pattern {
	rough, fine, warp := grains(8, 8, 4, 40), grains(64, 64, 3, 41), grains(16, 16, 2, 42)
	return painted(stoneEdge, .1, func(x, y int) math32.Color {
		u, v := texelAt(x, y)
		i := y*patternSize + x
		wave := .006 * float64(warp[i])
		course, stone, edge := stoneAt(u+wave, v+wave)
		body := rise(.004, .011, edge+.003*float64(fine[i]))
		worn := .86 + .14*rise(.01, .05, edge)
		tone := .80 + .26*scatter(course, stone, 43)
		light := tone * worn * (1 + .16*float64(rough[i]) + .12*float64(fine[i]))
		warm := .10 * (scatter(course, stone, 44) - .5)
		face, mortar := shaded(tinted(c, warm), light), shaded(c, .52+.08*float64(fine[i]))
		return *mortar.Lerp(&face, float32(body))
	})
}

// stoneAt is the stone at a place of the pattern, and how far its edge is, of the pattern's.
func stoneAt(u, v float64) (course, stone int, edge float64) {
	row := math.Floor(v * stoneCourses)
	course = (int(row) + stoneCourses) % stoneCourses
	across := v*stoneCourses - row
	along := u + scatter(course, 5, 45)
	along = (along - math.Floor(along)) * stonesOf
	joint := func(k int) float64 { // where stone k begins
		return float64(k) + .3*(scatter(course, (k+stonesOf)%stonesOf, 46)-.5)
	}
	k := int(along)
	switch {
	case along < joint(k):
		k--
	case along > joint(k+1):
		k++
	}
	edge = min(min(along-joint(k), joint(k+1)-along)/stonesOf, min(across, 1-across)/stoneCourses)
	return course, (k + stonesOf) % stonesOf, edge
}

// ConcretePattern is that of NewConcrete.
func ConcretePattern(c math32.Color) Pattern {
	const panels = 2 // to each side
	pore := grains(120, 120, 1, 53)
	return plastered(c, func(u, v float64, i int) float64 {
		a, b := u*panels-math.Floor(u*panels), v*panels-math.Floor(v*panels)
		joint := rise(0, .008, min(a, 1-a, b, 1-b))
		tie := rise(.013, .019, math.Hypot(min(a, 1-a)-.2, min(b, 1-b)-.2))
		hole := 1 - .22*rise(.72, .95, float64(pore[i]))
		tone := .96 + .08*scatter(int(u*panels), int(v*panels), 54)
		return tone * hole * (.62 + .38*joint) * (.6 + .4*tie)
	})
}

// PlasterPattern is that of NewPlaster.
func PlasterPattern(c math32.Color) Pattern {
	return plastered(c, func(u, v float64, i int) float64 { return 1 })
}

// plastered is a smooth wall with stains that run down, times a light.
func plastered(c math32.Color, light func(u, v float64, texel int) float64) Pattern {
	cloud, fine, streak := grains(4, 4, 5, 50), grains(96, 96, 2, 51), grains(48, 2, 3, 52)
	return painted(2, .06, func(x, y int) math32.Color {
		u, v := texelAt(x, y)
		i := y*patternSize + x
		stain := .94 + .16*float64(cloud[i]) + .05*float64(fine[i]) + .06*float64(streak[i])
		return shaded(tinted(c, .03*float64(cloud[i])), stain*light(u, v, i))
	})
}

// MetalPattern is that of NewMetal.
func MetalPattern(c math32.Color) Pattern {
	brush, cloud, worn := grains(6, 128, 3, 60), grains(4, 4, 4, 61), grains(24, 24, 4, 62)
	return painted(1, .7, func(x, y int) math32.Color {
		i := y*patternSize + x
		spot := rise(.42, .62, float64(worn[i])+.3*float64(cloud[i]))
		light := .9 + .10*float64(brush[i]) + .14*float64(cloud[i])
		return shaded(tinted(c, .28*spot), light*(1-.3*spot))
	})
}

// ClothPattern is that of NewCloth.
func ClothPattern(a, b math32.Color) Pattern {
	const stripes, threads = 4, 128
	crease, nap := grains(6, 3, 3, 70), grains(100, 100, 2, 71)
	return painted(.4, .02, func(x, y int) math32.Color {
		u, v := texelAt(x, y)
		i := y*patternSize + x
		c := a
		if int(u*stripes)%2 == 1 {
			c = b
		}
		weave := math.Sin(2*math.Pi*threads*u) * math.Sin(2*math.Pi*threads*v)
		return shaded(c, .9+.05*weave+.07*float64(crease[i])+.05*float64(nap[i]))
	})
}

// RopePattern is that of NewRope.
func RopePattern(c math32.Color) Pattern {
	const strands, fibres = 4, 20
	nap := grains(60, 60, 2, 80)
	return painted(.2, .03, func(x, y int) math32.Color {
		u, v := texelAt(x, y)
		lay := math.Abs(math.Sin(math.Pi * strands * (u + v)))
		fibre := math.Sin(2 * math.Pi * fibres * (v - u))
		return shaded(c, .45+.5*math.Sqrt(lay)+.05*fibre+.08*float64(nap[y*patternSize+x]))
	})
}

// LeafPattern is that of NewLeaves.
func LeafPattern(c math32.Color) Pattern {
	clump, twig, leaf := grains(5, 5, 3, 90), grains(34, 34, 2, 91), grains(96, 80, 2, 92)
	return painted(1, .04, func(x, y int) math32.Color {
		i := y*patternSize + x
		deep := rise(-.75, .75, .35*float64(clump[i])+.5*float64(twig[i])+.8*float64(leaf[i]))
		return shaded(tinted(c, .16*(deep-.6)), .34+.7*deep)
	})
}
