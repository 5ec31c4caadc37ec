package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// slideAll moves the vertices of triangles with an angle that is too small along the surface.
func (im *Improver) slideAll(m *Mesh, r *ImproveReport) {
	for t := range m.Triangle {
		var p [3]r3.Vec
		if m.Triangle[t][0] == Gone {
			continue
		}
		p[0], p[1], p[2] = m.Corners(int32(t))
		if sine2(&p) >= im.limit.sine2 {
			continue
		}
		for _, v := range m.Triangle[t] {
			if m.Heavy[v] || im.touched[v]+1 < im.round {
				continue
			}
			if im.slide(m, v, fanWorst(m, v)) {
				r.Slides++
			}
		}
	}
}

func fanWorst(m *Mesh, v int32) float64 {
	s := 1.0
	for _, t := range m.VertexTriangles[v] {
		var p [3]r3.Vec
		p[0], p[1], p[2] = m.Corners(t)
		s = min(s, sine2(&p))
	}
	return s
}

// slide moves a vertex towards the middle of its neighbours, at right angles to the area around it, which keeps the volume, if that makes its worst triangle better by a tenth, and
// is safe. It tries the whole way and half of it.
//
// Source: Jiao 2007: null-space smoothing, here with the exact gradient of the volume.
func (im *Improver) slide(m *Mesh, v int32, was float64) bool {
	x := m.Position[v]
	var middle r3.Vec
	for _, e := range m.VertexEdges[v] {
		middle = r3.Add(middle, m.Position[m.Other(e, v)])
	}
	d := r3.Sub(reproducible.Scale(1/float64(len(m.VertexEdges[v])), middle), x)
	n := reproducible.Unit(m.fanArea(v))
	d = r3.Sub(d, reproducible.Scale(reproducible.Dot(d, n), n))
	if math.IsNaN(d.X) {
		return false
	}
	ed := &im.edit
	ed.reset()
	ed.move(v, x)
	for _, t := range m.VertexTriangles[v] {
		ed.remove(t)
		ed.replace(m.Triangle[t], m.Label[t])
	}
	for _, part := range [2]float64{1, 0.5} {
		ed.to[0] = r3.Add(x, reproducible.Scale(part, d))
		ed.apex = ed.to[0]
		ed.prepare(m)
		if worst(ed.corner) < 1.1*was || im.deviation(ed.apex) > float64(im.limit.deviation*im.Length[v])/4 || !im.kept() || !ed.safe(m) {
			continue
		}
		m.Move(v, ed.apex)
		im.touch()
		return true
	}
	return false
}
