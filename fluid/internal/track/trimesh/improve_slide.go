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
		if m.Triangle[t][0] == Gone || !im.freshTriangle(m, t) {
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
			if im.slide(m, v, fanWorst(m, v), r) {
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
// is safe. It tries the whole way and half of it. Where the surface is to stay round it goes along the bend of what is around instead.
//
// Source: Jiao 2007: null-space smoothing, here with the exact gradient of the volume.
func (im *Improver) slide(m *Mesh, v int32, was float64, r *ImproveReport) bool {
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
	fan, round := fanCurve{}, false
	if im.Curved {
		fan, round = im.fanCurve(m, v, n, d)
	}
	for _, part := range [2]float64{1, 0.5} {
		ed.to[0] = r3.Add(x, reproducible.Scale(part, d))
		if round {
			ed.to[0] = r3.Add(ed.to[0], reproducible.Scale(fan.height(part), n))
		}
		ed.apex = ed.to[0]
		ed.prepare(m)
		if worst(ed.corner) < 1.1*was || im.deviation(ed.apex) > float64(im.limit.deviation*im.Length[v])/4 || !im.kept() || !ed.safe(m) {
			continue
		}
		if round {
			r.Volume += ed.volume()
		}
		m.Move(v, ed.apex)
		im.touch()
		return true
	}
	return false
}

// fanCurve is how high a surface rises along its normal at a vertex, a part of a way from there: part·slope + part²·bend, m.
type fanCurve struct{ slope, bend float64 }

func (c *fanCurve) height(part float64) float64 {
	return float64(part*c.slope) + float64(float64(part*part)*c.bend)
}

// fanCurve fits a paraboloid of revolution through a vertex with the normal n, tilted as it may be, to its neighbours, and tells how it rises on the way d, which is at right angles to n. ok is
// false at features, and where the neighbours don't determine it.
func (im *Improver) fanCurve(m *Mesh, v int32, n, d r3.Vec) (c fanCurve, ok bool) {
	length := reproducible.Norm(d)
	if length == 0 {
		return c, false
	}
	along := reproducible.Scale(1/length, d)
	across := reproducible.Cross(n, along)
	var l [3][3]float64 // of the normal equations, and then Cholesky's factor
	var z [3]float64
	for _, e := range m.VertexEdges[v] {
		w := m.Other(e, v)
		if !(reproducible.Dot(reproducible.Unit(m.fanArea(w)), n) > im.limit.turn) {
			return c, false
		}
		q := r3.Sub(m.Position[w], m.Position[v])
		a, b, height := reproducible.Dot(q, along), reproducible.Dot(q, across), reproducible.Dot(q, n)
		row := [3]float64{a, b, float64(a*a) + float64(b*b)}
		for i, x := range row {
			z[i] += float64(x * height)
			for j := range i + 1 {
				l[i][j] += float64(x * row[j])
			}
		}
	}
	for i := range 3 {
		for j := range i + 1 {
			s := l[i][j]
			for k := range j {
				s -= float64(l[i][k] * l[j][k])
			}
			if i > j {
				l[i][j] = s / l[j][j]
				continue
			}
			if !(s > 1e-6*l[i][i]) {
				return c, false
			}
			l[i][i] = math.Sqrt(s)
		}
	}
	x := z
	for i := range 3 {
		for k := range i {
			x[i] -= float64(l[i][k] * x[k])
		}
		x[i] /= l[i][i]
	}
	for i := 2; i >= 0; i-- {
		for k := i + 1; k < 3; k++ {
			x[i] -= float64(l[k][i] * x[k])
		}
		x[i] /= l[i][i]
	}
	return fanCurve{float64(x[0] * length), float64(x[2] * length * length)}, true
}
