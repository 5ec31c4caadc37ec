package scene

import (
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// BodyOverlay draws a world as its solver sees it, over everything else: the edges of shapes,
// yellow where a body is awake, blue where it sleeps and grey where nothing moves it; contacts
// as red lines along their normals; joints as green lines between the centres of mass and the
// anchors. Add it to the Liquid node, or to the scene.
type BodyOverlay struct {
	graphic.Lines
	world     *physics.World
	wires     map[physics.Shape][]r3.Vec // pairs of ends in the shape's axes; only looked up
	positions math32.ArrayF32
	colors    math32.ArrayF32
	buffers   [2]*gls.VBO
}

// Colours of the overlay.
var (
	awakeColor     = [3]float32{1, 0.85, 0.25}
	asleepColor    = [3]float32{0.25, 0.5, 1}
	immovableColor = [3]float32{0.55, 0.55, 0.55}
	contactColor   = [3]float32{1, 0.15, 0.1}
	jointColor     = [3]float32{0.2, 1, 0.35}
)

// NewBodyOverlay returns an overlay of a world, hidden and empty until Update.
func NewBodyOverlay(world *physics.World) *BodyOverlay {
	if world == nil {
		panic("scene: NewBodyOverlay: nil world")
	}
	o := &BodyOverlay{world: world, wires: map[physics.Shape][]r3.Vec{}}
	geom := geometry.NewGeometry()
	o.buffers[0] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexPosition) })
	o.buffers[1] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexColor) })
	mat := material.NewBasic()
	mat.SetDepthTest(false)
	mat.SetTransparent(true) // g3n draws what is transparent last
	o.Lines.Init(geom, mat)
	o.SetCullable(false)
	o.SetRenderOrder(30)
	o.SetRenderable(false)
	o.SetVisible(false)
	return o
}

// contactLength is how long a contact's normal is drawn, m.
const contactLength = 0.1

// Update takes the world as it is now: with LiquidOptions.Async, call it in each or BetweenSteps.
func (o *BodyOverlay) Update() {
	o.positions, o.colors = o.positions[:0], o.colors[:0]
	for b := range o.world.Bodies() {
		c := immovableColor
		if b.Kind() == physics.Dynamic {
			c = asleepColor
			if b.Awake() {
				c = awakeColor
			}
		}
		for s := range b.Shapes() {
			o.shape(s, c)
		}
	}
	for c := range o.world.Contacts() {
		half := r3.Scale(contactLength/2, c.Normal)
		o.line(r3.Sub(c.Point, half), r3.Add(c.Point, half), contactColor)
	}
	for b := range o.world.Bodies() {
		for j := range b.Joints() {
			onA, onB := j.Anchors()
			o.line(onA, onB, jointColor)
			if j.Def().B == b {
				o.line(onB, b.CentreOfMass(), jointColor)
			} else {
				o.line(onA, b.CentreOfMass(), jointColor)
			}
		}
	}
	o.buffers[0].SetBuffer(o.positions)
	o.buffers[1].SetBuffer(o.colors)
	o.SetRenderable(len(o.positions) > 0)
}

// Toggle shows or hides the overlay.
func (o *BodyOverlay) Toggle() { o.SetVisible(!o.Visible()) }

func (o *BodyOverlay) shape(s physics.Shape, c [3]float32) {
	wire, known := o.wires[s]
	if !known {
		wire = wires(s.Def().Geometry)
		o.wires[s] = wire
	}
	at, turned := s.Pose()
	turn := r3.Rotation(turned)
	for i := 0; i < len(wire); i += 2 {
		o.line(r3.Add(at, turn.Rotate(wire[i])), r3.Add(at, turn.Rotate(wire[i+1])), c)
	}
}

func (o *BodyOverlay) line(from, to r3.Vec, c [3]float32) {
	o.positions = append(o.positions, float32(from.X), float32(from.Y), float32(from.Z), float32(to.X), float32(to.Y), float32(to.Z))
	o.colors = append(o.colors, c[0], c[1], c[2], c[0], c[1], c[2])
}

// wireEdges is how many edges a circle has as a wire.
const wireEdges = 12

// wires are the edges at which two triangles of a solid are not in one plane, as pairs of ends.
func wires(g physics.Geometry) (ends []r3.Vec) {
	const flat = 1 - 1e-6 // cosine of the angle between triangles of one face
	vertices, triangles := g.Triangles(wireEdges)
	across := map[[2]int32]r3.Vec{} // unit normal of the triangle that an edge was seen with first
	for _, t := range triangles {
		a := vertices[t[0]]
		n := r3.Unit(r3.Cross(r3.Sub(vertices[t[1]], a), r3.Sub(vertices[t[2]], a)))
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			other, seen := across[[2]int32{b, a}]
			if seen && r3.Dot(n, other) < flat {
				ends = append(ends, vertices[a], vertices[b])
			}
			across[[2]int32{a, b}] = n
		}
	}
	return ends
}
