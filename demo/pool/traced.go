package main

import (
	"image/color"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/site"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
)

// freeboard is how high a garden's pool stands over its water at the beginning, m.
const freeboard = .26

// trace builds what a pool looks like for ray tracing. It needs no OpenGL.
func trace(p *pool.Pool, garden bool, eye r3.Vec) *site.Site {
	s := site.New(p.Liquid().Surface(), site.Water, garden)
	top := pool.WallTop
	if garden {
		top = pool.WaterLevel + freeboard
	}
	s.Basin(pool.Domain, top, site.Walls{})
	if garden {
		s.Dress(leisure(top), eye)
	} else {
		s.Dress(terrace(top), eye)
	}
	pale := site.PaleTiles()
	for _, b := range pool.Steps() {
		s.Box(b, pale)
	}
	stone := site.Stone(color.RGBA{206, 190, 166, 255}, 8, 1)
	s.Add(raytrace.NewCylinder(pool.ColumnRadius, pool.ColumnTop, raytrace.Place{Position: r3.Add(pool.ColumnFoot, r3.Vec{Y: pool.ColumnTop / 2})}, stone))
	tracePipe(s)
	for _, t := range p.Toys {
		traceToy(s, t)
	}
	return s
}

// tracePipe leads from the ground outside to the spout's mouth.
func tracePipe(s *site.Site) {
	radius := pool.Spout.Radius + .015
	mouth := pool.Spout.Mouth
	bend := r3.Vec{X: mouth.X, Y: mouth.Y, Z: pool.Domain.Min.Z - .45}
	s.Tube(radius, bend, mouth, site.Brass)
	s.Tube(radius, r3.Vec{X: bend.X, Z: bend.Z}, bend, site.Brass)
	s.Add(raytrace.NewBall(1.12*radius, raytrace.Place{Position: bend}, site.Brass))
	lip := shapes.Torus(radius, .018, 48, 12)
	s.Meshes = append(s.Meshes, raytrace.Mesh{Place: raytrace.Place{Position: mouth, Rotation: site.Along(r3.Vec{Z: 1})}, Positions: lip.Positions, Triangles: lip.Triangles, Material: site.Brass})
}

// traceToy adds a toy where it is.
func traceToy(s *site.Site, t pool.Toy) {
	at := site.At(t.Body)
	switch t.Kind {
	case pool.Ball:
		gores := picture.Ball(stage.TextureSize, 6, red, white, blue, white, yellow, white)
		s.Add(raytrace.NewBall(pool.BallRadius, at, &raytrace.Material{Texture: raytrace.Painted(gores, 1, 1), Gloss: 1}))
	case pool.Dinghy:
		skin := picture.Rubber(stage.TextureSize, orange, navy, grey)
		s.Meshes = append(s.Meshes, stage.Traced(newHull(pool.DinghySize.X, pool.DinghySize.Y, pool.DinghySize.Z, pool.DinghyWall), at,
			&raytrace.Material{Texture: raytrace.Painted(skin, 1, 1), Gloss: .8, Rough: .06}))
	default:
		for i, w := range woods {
			if t.Ratio < w.below {
				edge := raytrace.Grey(pool.CrateEdge)
				s.Add(raytrace.NewBox(edge, at, site.Wood(w.wood, uint32(40+i))))
				return
			}
		}
	}
}
