package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Show makes a body visible, in time with the liquid's picture: a mesh of each of its shapes with
// the material, nil for a plain pale one, on a node at the body's own origin, which it follows.
//
// The node is drawn with the liquid and refracted by it, once the liquid is under the root that is
// drawn, and goes with the liquid. It vanishes when the body is destroyed. Shapes that come or go
// later show when Show is called again, which replaces the node; Unbind removes it. The material
// stays the caller's.
func (l *Liquid) Show(b physics.Body, mat material.IMaterial) *Binding {
	if !b.Valid() {
		panic("scene: Show: no such body")
	}
	if mat == nil {
		mat = material.NewStandard(&math32.Color{R: 0.85, G: 0.83, B: 0.78})
	}
	for _, k := range slices.Clone(l.made) {
		if k.body == b || k.Gone() {
			l.Unbind(k)
		}
	}
	node := core.NewNode()
	centre := b.MassProperties().Centre
	for s := range b.Shapes() {
		mat.GetMaterial().Incref() // each mesh lets one go
		m := NewShape(s, mat)
		p := m.Position()
		at := r3.Add(vecOf(&p), centre)
		m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
		node.Add(m)
	}
	l.bodies.Add(node)
	k := l.BindBody(b, node)
	k.made, k.body = true, b
	l.made = append(l.made, k)
	return k
}

// ShowModel makes a body of a model and shows the model where the body is: NewModelBody and
// BindBody in one. A node without a parent is drawn with the liquid, as with Show, and goes with it;
// one that has a parent stays under it. Then every node above it must be untransformed.
func (l *Liquid) ShowModel(world *physics.World, node core.INode, o ModelOptions) (physics.Body, error) {
	body, err := NewModelBody(world, node, o)
	if err != nil {
		return physics.Body{}, err
	}
	if node.GetNode().Parent() == nil {
		l.bodies.Add(node)
	}
	l.BindBody(body, node)
	return body, nil
}

// Node is what follows the body.
func (k *Binding) Node() core.INode { return k.node }

func vecOf(v *math32.Vector3) r3.Vec {
	return r3.Vec{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)}
}
