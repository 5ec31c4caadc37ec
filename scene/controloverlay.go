package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// wire is what a Control shows of its surface.
type wire struct {
	mesh      control.Mesh
	edges     math32.ArrayU32
	revision  uint64 // of the mesh that edges are of
	vertices  int    // that it had
	triangles int
	normals   []r3.Vec
	buffers   [3]*gls.VBO
	numbers   [3]math32.ArrayF32 // of buffers: positions, normals and colours
	uniforms  uniformSet
}

// Colours of surfaces that hold the liquid loosely, by half and fully.
var controlColors = [3][3]float32{{0.3, 0.55, 1}, {1, 0.85, 0.25}, {1, 0.3, 0.2}}

func (c *Control) initWire() {
	geom := geometry.NewGeometry()
	c.wire.buffers[0] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexPosition) })
	c.wire.buffers[1] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexNormal) })
	c.wire.buffers[2] = streamed(geom, func(v *gls.VBO) { v.AddAttrib(gls.VertexColor) })
	mat := newMaterial(wireProgram)
	mat.SetDepthTest(false)
	mat.SetTransparent(true) // g3n draws what is transparent last
	c.Graphic.Init(c, geom, gls.LINES)
	c.AddMaterial(c, mat, 0, 0)
	c.SetCullable(false)
	c.SetRenderOrder(30)
	c.SetRenderable(false)
	c.SetVisible(false)
}

// RenderSetup is called by g3n before drawing.
func (c *Control) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	c.wire.uniforms.mat4(gs, "View", &info.ViewMatrix)
	c.wire.uniforms.mat4(gs, "Proj", &info.ProjMatrix)
}

// Toggle shows or hides the surface.
func (c *Control) Toggle() {
	c.SetVisible(!c.Visible())
	c.refresh()
}

// refresh takes the surface as it is at the shown moment, if it is to be seen.
func (c *Control) refresh() {
	if c.released || !c.Visible() {
		return
	}
	w := &c.wire
	c.def.Clip.At(c.report.Time, &w.mesh)
	if w.findEdges() {
		c.GetGeometry().SetIndices(w.edges)
	}
	lag := c.water.stepper.Lag() // from the shown moment to the end of the steps that report tells of
	at := c.at.moved(c.def.Pose.Velocity, c.def.Pose.AngularVelocity, -lag-c.water.underway)
	turn := r3.Rotation(at.rotation)
	ahead := c.clipAhead(lag)
	w.findNormals()
	for k := range w.numbers {
		w.numbers[k] = w.numbers[k][:0]
	}
	for i, x := range w.mesh.Positions {
		x = r3.Add(at.origin, turn.Rotate(r3.Sub(x, r3.Scale(ahead, w.mesh.Velocities[i]))))
		w.numbers[0] = append(w.numbers[0], float32(x.X), float32(x.Y), float32(x.Z))
		n := turn.Rotate(w.normals[i])
		w.numbers[1] = append(w.numbers[1], float32(n.X), float32(n.Y), float32(n.Z))
		strength := c.def.Strength
		if len(c.def.Weights) == len(w.mesh.Positions) {
			strength *= float64(c.def.Weights[i])
		}
		color := controlColor(float32(strength))
		w.numbers[2] = append(w.numbers[2], color[:]...)
	}
	for k, v := range w.buffers {
		v.SetBuffer(w.numbers[k])
	}
	c.SetRenderable(len(w.edges) > 0)
}

// clipAhead is how many seconds of its velocities the clip's surface is ahead of the shown moment.
func (c *Control) clipAhead(lag float64) float64 {
	if live, ok := c.def.Clip.(interface{ RealTime() bool }); ok && live.RealTime() {
		return lag + c.water.underway // it is where the steps end that have been started
	}
	switch {
	case c.def.Paused:
		return 0
	case c.def.Speed == 0:
		return lag
	}
	return lag * c.def.Speed
}

// findEdges lists the edges of the mesh, each once: of the two triangles of one, that counts which has it from the smaller to the larger index. It
// reports whether they are others than before.
func (w *wire) findEdges() bool {
	m := &w.mesh
	if m.Revision == w.revision && len(m.Positions) == w.vertices && len(m.Triangles) == w.triangles {
		return false
	}
	w.revision, w.vertices, w.triangles = m.Revision, len(m.Positions), len(m.Triangles)
	w.edges = w.edges[:0]
	for _, t := range m.Triangles {
		for k := range t {
			if a, b := t[k], t[(k+1)%3]; a < b {
				w.edges = append(w.edges, uint32(a), uint32(b))
			}
		}
	}
	return true
}

// findNormals finds which way the vertices face, by the areas of their triangles, m².
func (w *wire) findNormals() {
	w.normals = w.normals[:0]
	for range w.mesh.Positions {
		w.normals = append(w.normals, r3.Vec{})
	}
	for _, t := range w.mesh.Triangles {
		a := w.mesh.Positions[t[0]]
		n := r3.Cross(r3.Sub(w.mesh.Positions[t[1]], a), r3.Sub(w.mesh.Positions[t[2]], a))
		for _, v := range t {
			w.normals[v] = r3.Add(w.normals[v], n)
		}
	}
}

// controlColor is the colour of a strength.
func controlColor(strength float32) (c [3]float32) {
	from, part := 0, 2*strength
	if part > 1 {
		from, part = 1, part-1
	}
	for k := range c {
		c[k] = controlColors[from][k] + part*(controlColors[from+1][k]-controlColors[from][k])
	}
	return c
}
