package main

import (
	"image/color"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// Dress ties a node to each body, and a rod to each distance joint.
func (r *run) Dress(root *core.Node, binder *scene.Binder) {
	painted := map[paint]material.IMaterial{} // only looked up
	for b := range r.world.Bodies() {
		p := r.paints[b]
		if p == (paint{}) {
			continue // the floor, which is the ground
		}
		if painted[p] == nil {
			painted[p] = p.material()
		}
		node := scene.NewBody(b, painted[p])
		root.Add(node)
		binder.Bind(r.world.Coupling(), b.Index(), node)
	}
	wire := stage.Plain(math32.Color{R: 0.2, G: 0.2, B: 0.22}, 0.4, 30)
	for joint := range r.world.Joints() {
		if joint.Def().Kind == physics.DistanceJoint {
			rod := graphic.NewMesh(geometry.NewCylinder(0.004, joint.Translation(), 8, 1, false, false), wire)
			root.Add(rod)
			r.rods = append(r.rods, rod)
			r.held = append(r.held, joint)
		}
	}
}

// Show lays the rods between their anchors.
func (r *run) Show() {
	for i, rod := range r.rods {
		from, to := r.held[i].Anchors()
		up, along := math32.Vector3{Y: 1}, r3.Unit(r3.Sub(to, from))
		var q math32.Quaternion
		q.SetFromUnitVectors(&up, &math32.Vector3{X: float32(along.X), Y: float32(along.Y), Z: float32(along.Z)})
		rod.SetRotationQuat(&q)
		mid := r3.Scale(.5, r3.Add(from, to))
		rod.SetPosition(float32(mid.X), float32(mid.Y), float32(mid.Z))
	}
}

// material is the paint's, its picture centred on each face.
func (p paint) material() material.IMaterial {
	if p.look == steel {
		return stage.Plain(math32.Color{R: 0.62, G: 0.65, B: 0.70}, .9, 90)
	}
	img, gloss := picture.Stone(stage.TextureSize, color.RGBA{206, 190, 166, 255}, 8), float32(.1)
	switch p.look {
	case wood:
		img = picture.Crate(stage.TextureSize, color.RGBA{226, 186, 128, 255}, 40)
	case dark:
		img = picture.Crate(stage.TextureSize, color.RGBA{146, 86, 48, 255}, 41)
	case card:
		img = picture.Stone(stage.TextureSize, color.RGBA{176, 44, 40, 255}, 5)
	case ivory:
		img = picture.Stone(stage.TextureSize, color.RGBA{238, 230, 208, 255}, 6)
	}
	m := stage.Painted(img, gloss, 14)
	m.Textures()[0].SetRepeat(float32(1/p.tile), float32(1/p.tile))
	m.Textures()[0].SetOffset(.5, .5)
	return m
}
