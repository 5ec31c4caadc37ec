package scene

import (
	"reflect"
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Show makes a body visible, in time with the liquid's surface: a mesh of each of its shapes with
// the material, nil for a plain pale one, on a node at the body's own origin, which it follows.
//
// The node is drawn with the liquid and refracted by it, once the liquid is under the root that is
// drawn, and is disposed of with the liquid. Shapes that come or go later do so on the screen from the next step
// on, in the same material. The node vanishes when the body is destroyed; showing the body again replaces it,
// and Unbind removes it. The material stays the caller's.
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
	l.bodies.Add(node)
	k := l.BindBody(b, node)
	k.made, k.body, k.material = true, b, mat
	k.reshape()
	l.made = append(l.made, k)
	return k
}

// shown is a shape that a node of Show's has a mesh of.
type shown struct {
	shape    physics.Shape
	geometry physics.Geometry
	offset   r3.Vec
	rotation quat.Number
}

// reshape updates the nodes of Show to the present shapes of their bodies. No step is under way.
func (l *Liquid) reshape() {
	for _, k := range l.made {
		k.reshape()
	}
}

func (k *Binding) reshape() {
	i := k.body.Index()
	if i < 0 {
		return
	}
	revision := k.body.World().Coupling().Revision(i)
	if revision == k.revision {
		return
	}
	k.revision = revision
	n, same := 0, true
	for s := range k.body.Shapes() {
		same = same && n < len(k.shapes) && k.shapes[n].is(s)
		n++
	}
	if same && n == len(k.shapes) {
		return
	}
	node := k.node.GetNode()
	node.DisposeChildren(true)
	k.shapes = k.shapes[:0]
	centre := k.body.MassProperties().Centre
	for s := range k.body.Shapes() {
		k.material.GetMaterial().Incref() // each mesh lets one go
		m := NewShape(s, k.material)
		p := m.Position()
		at := r3.Add(vecOf(&p), centre)
		m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
		node.Add(m)
		d := s.Def()
		k.shapes = append(k.shapes, shown{s, d.Geometry, d.Offset, d.Rotation})
	}
}

// is reports whether the mesh is the shape's still: after a world is rolled back, another shape may have the handle.
func (m *shown) is(s physics.Shape) bool {
	d := s.Def()
	return s == m.shape && d.Offset == m.offset && d.Rotation == m.rotation &&
		(reflect.DeepEqual(d.Geometry, m.geometry) || !reflect.DeepEqual(m.geometry, m.geometry)) // one with a function equals none
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
