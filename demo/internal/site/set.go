package site

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
)

// Dress adds what a camera at eye sees of what stands about the basin, and the lamps' glass. It hides the horizon, and there is no haze before it.
func (p *Site) Dress(set *decor.Set, eye r3.Vec) {
	if !p.Garden {
		p.Sky.Haze = 0
	}
	materials := map[decor.Stuff]*raytrace.Material{}
	for _, g := range set.Groups {
		if !g.Visible(eye) {
			continue
		}
		for _, part := range g.Parts {
			m := materials[part.Stuff]
			if m == nil {
				m = part.Stuff.Traced()
				materials[part.Stuff] = m
			}
			p.List(part.TriangleList, raytrace.Place{Position: part.Position, Rotation: part.Rotation}, m)
		}
	}
	glass := &raytrace.Material{Colour: raytrace.Display(.95, .93, .88), Gloss: .8}
	for _, l := range set.Lamps {
		p.Add(raytrace.NewBall(l.Radius, raytrace.Place{Position: l.At}, glass))
	}
}
