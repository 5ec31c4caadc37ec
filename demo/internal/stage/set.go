package stage

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/scene"
)

// Dress adds what stands about the basin: a mesh for each stuff of each group, and the lamps.
func (s *Stage) Dress(set *decor.Set) {
	materials := map[decor.Stuff]material.IMaterial{}
	for _, g := range set.Groups {
		node := core.NewNode()
		s.Root.Add(node)
		if g.Normal != (r3.Vec{}) {
			s.sides = append(s.sides, side{node, g.Normal, g.Offset})
		}
		var stuffs []decor.Stuff
		parts := map[decor.Stuff][]decor.Part{}
		for _, p := range g.Parts {
			if parts[p.Stuff] == nil {
				stuffs = append(stuffs, p.Stuff)
			}
			parts[p.Stuff] = append(parts[p.Stuff], p)
		}
		for _, stuff := range stuffs {
			mat := materials[stuff]
			if mat == nil {
				mat = stuff.Material(s.lampsLit())
				materials[stuff] = mat
			} else {
				mat.GetMaterial().Incref() // each mesh lets one go
			}
			node.Add(graphic.NewMesh(joined(parts[stuff]), mat))
		}
	}
	for _, l := range set.Lamps {
		s.Lamp(s.Root, l)
	}
}

// joined is one geometry of all parts, in their places.
func joined(parts []decor.Part) *geometry.Geometry {
	positions, normals, uvs, index := math32.NewArrayF32(0, 0), math32.NewArrayF32(0, 0), math32.NewArrayF32(0, 0), math32.NewArrayU32(0, 0)
	for _, p := range parts {
		turn := r3.Rotation(p.Rotation)
		put := func(out *math32.ArrayF32, v []float32, shift r3.Vec) {
			q := r3.Add(shift, turn.Rotate(r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}))
			out.Append(float32(q.X), float32(q.Y), float32(q.Z))
		}
		for i := 0; i < len(p.Positions); i += 3 {
			put(&positions, p.Positions[i:], p.Position)
			put(&normals, p.Normals[i:], r3.Vec{})
			index.Append(uint32(len(index)))
		}
		uvs.Append(p.Texcoords...)
	}
	geom := geometry.NewGeometry()
	geom.SetIndices(index)
	geom.AddVBO(gls.NewVBO(positions).AddAttrib(gls.VertexPosition))
	geom.AddVBO(gls.NewVBO(normals).AddAttrib(gls.VertexNormal))
	geom.AddVBO(gls.NewVBO(uvs).AddAttrib(gls.VertexTexcoord))
	return geom
}

// lampLit is the daylight below which lamps are lit, as scene.SkyOptions.Brightness has it: dusk has .16.
const lampLit = .3

func (s *Stage) lampsLit() bool { return s.sky.Brightness() < lampLit }

// glow is how bright a lit glass is: enough to bloom, and not so much that its colour is lost.
const glow = 3

// rim is how bright a spotlight is at the rim of its cone, of its middle.
const rim = .02

// Lamp adds a lamp's glass to a node, and its light if it shines.
func (s *Stage) Lamp(to *core.Node, l decor.Lamp) {
	at := math32.Vector3{X: float32(l.At.X), Y: float32(l.At.Y), Z: float32(l.At.Z)}
	lit := l.Always || s.lampsLit()
	glass := scene.NewPaint(math32.Color{R: .95, G: .93, B: .88}, .8)
	if lit {
		glass = scene.NewGlow(l.Colour, glow)
	}
	bulb := graphic.NewMesh(geometry.NewSphere(l.Radius, 16, 8), glass)
	bulb.SetPositionVec(&at)
	to.Add(bulb)
	if !lit {
		return
	}
	if l.Aim == (r3.Vec{}) {
		lamp := light.NewPoint(&l.Colour, l.Light)
		lamp.SetLinearDecay(0)
		lamp.SetQuadraticDecay(1)
		lamp.SetPositionVec(&at)
		to.Add(lamp)
		return
	}
	lamp := light.NewSpot(&l.Colour, l.Light)
	lamp.SetCutoffAngle(float32(l.Wide))
	lamp.SetAngularDecay(float32(math.Log(rim) / math.Log(math.Cos(l.Wide*math.Pi/180))))
	lamp.SetLinearDecay(0)
	lamp.SetQuadraticDecay(1)
	lamp.SetPositionVec(&at)
	d := r3.Unit(r3.Sub(l.Aim, l.At))
	var turn math32.Quaternion
	turn.SetFromUnitVectors(&math32.Vector3{Z: 1}, &math32.Vector3{X: float32(d.X), Y: float32(d.Y), Z: float32(d.Z)})
	lamp.SetRotationQuat(&turn)
	to.Add(lamp)
}
