package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// look is the material where a ray meets what is no liquid. at becomes the place.
func (t *Tracer) look(r *ray, h *hit, at *Point) *Material {
	*at = Point{Position: r.at(h.far), Normal: h.normal}
	i := int(h.item)
	if i >= len(t.triangles) {
		s := t.solid(i)
		at.Local = s.own(r3.Sub(at.Position, s.Position))
		at.U, at.V = s.unfold(at.Local, s.own(h.normal))
		return s.Material
	}
	o := t.owners[i]
	m := &t.scene.Meshes[o.mesh]
	c := m.Triangles[o.index]
	w := [3]float64{1 - h.u - h.v, h.u, h.v}
	var n r3.Vec
	for k, corner := range c {
		at.Local = r3.Add(at.Local, r3.Scale(w[k], m.Positions[corner]))
		if m.UVs != nil {
			at.U += w[k] * m.UVs[corner][0]
			at.V += w[k] * m.UVs[corner][1]
		}
		if m.Normals != nil {
			n = r3.Add(n, r3.Scale(w[k], m.Normals[corner]))
		}
	}
	if r3.Norm2(n) > .01 {
		turn := m.turn()
		at.Normal = r3.Unit(turn.Rotate(n))
	}
	return m.Material
}

// unfold is where a place on a solid lies in its texture.
func (s *Solid) unfold(p, n r3.Vec) (u, v float64) {
	around := func() float64 {
		a := math.Atan2(p.Z, -p.X) / (2 * math.Pi)
		return a - math.Floor(a)
	}
	switch s.kind {
	case sphereSolid:
		return around(), math.Acos(max(-1, min(1, -p.Y/s.half.X))) / math.Pi
	case cylinderSolid:
		return around(), .5 + p.Y/(2*s.half.Y)
	}
	x, y, z := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	h := s.half
	switch {
	case y >= x && y >= z:
		return .5 + p.X/(2*h.X), .5 - p.Z/(2*h.Z)
	case x >= z:
		return .5 - math.Copysign(.5, n.X)*p.Z/h.Z, .5 + p.Y/(2*h.Y)
	}
	return .5 + math.Copysign(.5, n.Z)*p.X/h.X, .5 + p.Y/(2*h.Y)
}
