package decor

import (
	"sync"

	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/scene"
)

// Stuff is what a part is made of: a pattern of scene's, in colours as a display shows them.
type Stuff struct {
	pattern int
	a, b    math32.Color
}

const (
	paint = iota
	wood
	stone
	concrete
	metal
	cloth
	rope
	leaves
	plaster
	pane
)

func rgb(r, g, b float32) math32.Color { return math32.Color{R: r, G: g, B: b} }

// Stuffs that sets share.
var (
	Oak      = Stuff{pattern: wood, a: rgb(.60, .42, .26)}
	Pine     = Stuff{pattern: wood, a: rgb(.80, .63, .42)}
	Teak     = Stuff{pattern: wood, a: rgb(.66, .44, .27)}
	Tarred   = Stuff{pattern: wood, a: rgb(.33, .27, .23)}
	Grey     = Stuff{pattern: wood, a: rgb(.62, .58, .52)} // weathered boards
	Granite  = Stuff{pattern: stone, a: rgb(.62, .61, .58)}
	Sand     = Stuff{pattern: stone, a: rgb(.86, .78, .64)} // sandstone
	Concrete = Stuff{pattern: concrete, a: rgb(.66, .66, .64)}
	Plaster  = Stuff{pattern: plaster, a: rgb(.90, .84, .74)}
	Ochre    = Stuff{pattern: plaster, a: rgb(.86, .70, .46)}
	Rose     = Stuff{pattern: plaster, a: rgb(.82, .60, .50)}
	Coping   = Stuff{pattern: plaster, a: rgb(.90, .86, .79)} // of a pool
	Kerb     = Stuff{pattern: concrete, a: rgb(.74, .72, .67)}
	Mud      = Stuff{pattern: plaster, a: rgb(.46, .44, .36)}
	Iron     = Stuff{pattern: metal, a: rgb(.26, .27, .29)}
	Steel    = Stuff{pattern: metal, a: rgb(.62, .64, .66)}
	Hemp     = Stuff{pattern: rope, a: rgb(.80, .68, .48)}
	Leaves   = Stuff{pattern: leaves, a: rgb(.30, .46, .20)}
	Slate    = Stuff{pattern: wood, a: rgb(.34, .36, .40)}
	Tiles    = Stuff{pattern: wood, a: rgb(.55, .30, .22)} // of roofs
	Velvet   = Stuff{pattern: cloth, a: rgb(.42, .05, .08), b: rgb(.42, .05, .08)}
	Awning   = Stuff{pattern: cloth, a: rgb(.94, .92, .86), b: rgb(.20, .42, .58)}
	Towels   = Stuff{pattern: cloth, a: rgb(.95, .93, .88), b: rgb(.90, .42, .30)}
	Canvas   = Stuff{pattern: cloth, a: rgb(.93, .90, .82), b: rgb(.93, .90, .82)}
	Clay     = Stuff{pattern: plaster, a: rgb(.66, .38, .26)}
	Crimson  = Stuff{pattern: cloth, a: rgb(.72, .16, .14), b: rgb(.82, .58, .22)}
	Timber   = Stuff{pattern: wood, a: rgb(.55, .43, .31)} // oiled beams
	Boards   = Stuff{pattern: wood, a: rgb(.40, .29, .21)} // of a stage
	Glass    = Stuff{a: rgb(.10, .14, .18)}
	Pane     = Stuff{pattern: pane, a: Glass.a} // behind which somebody has light at night
	White    = Stuff{a: rgb(.92, .91, .88)}
)

// look is the pattern of a stuff; one of plain paint has none.
func (s Stuff) look() scene.Pattern {
	switch s.pattern {
	case wood:
		return scene.WoodPattern(s.a)
	case stone:
		return scene.StonePattern(s.a)
	case concrete:
		return scene.ConcretePattern(s.a)
	case metal:
		return scene.MetalPattern(s.a)
	case cloth:
		return scene.ClothPattern(s.a, s.b)
	case rope:
		return scene.RopePattern(s.a)
	case plaster:
		return scene.PlasterPattern(s.a)
	case leaves:
		return scene.LeafPattern(s.a)
	}
	return scene.Pattern{}
}

// looks are the patterns that were made: a demo that starts again needs them again.
var looks sync.Map

func (s Stuff) made() scene.Pattern {
	if p, ok := looks.Load(s); ok {
		return p.(scene.Pattern)
	}
	p := s.look()
	looks.Store(s, p)
	return p
}

// Material is the stuff in a window, while lamps are lit or not. It needs the window's OpenGL context when it is drawn.
func (s Stuff) Material(lit bool) *material.Standard {
	switch {
	case s.pattern == pane && lit:
		return scene.NewGlow(Warm, .7)
	case s.plain():
		return scene.NewPaint(s.a, .3)
	}
	return s.made().Material()
}

// plain tells that a stuff has no pattern.
func (s Stuff) plain() bool { return s.pattern == paint || s.pattern == pane }

// Traced is the stuff for ray tracing.
func (s Stuff) Traced() *raytrace.Material {
	if s.plain() {
		return &raytrace.Material{Colour: raytrace.Display(s.a.R, s.a.G, s.a.B), Gloss: .3, Rough: .1}
	}
	p := s.made()
	return &raytrace.Material{Texture: raytrace.Painted(p.Picture, 1/p.Edge, 1/p.Edge), Gloss: float64(p.Gloss), Rough: .3}
}
