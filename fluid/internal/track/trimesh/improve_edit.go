package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// edit is a change of the mesh that is tried before it is made: some triangles go, others come in their place along the same boundary, and some vertices
// move. All triangles of a vertex that moves go and come again.
type edit struct {
	gone  []int32
	come  [][3]int32
	label []int32 // of those that come
	from  []int32 // for each of them the place of the one that went for it, or Gone
	moved []int32
	to    []r3.Vec // where they are then
	// apex is the point from which the space between the old and the new surface is covered by tetrahedra.
	apex r3.Vec

	corner [][3]r3.Vec // of those that come
	before [][3]r3.Vec // of those that go
	bounds []r3.Box    // of those that come
	swept  []r3.Box    // of the tetrahedra from the apex, of those before and those that come
	rim    []int32     // the vertices of both
	near   []int32     // triangles around
}

func (e *edit) reset() {
	e.gone, e.come, e.label, e.from, e.moved, e.to = e.gone[:0], e.come[:0], e.label[:0], e.from[:0], e.moved[:0], e.to[:0]
}

// remove lets a triangle go. It returns false if it goes already.
func (e *edit) remove(t int32) bool {
	if slices.Contains(e.gone, t) {
		return false
	}
	e.gone = append(e.gone, t)
	return true
}

func (e *edit) add(a, b, c, label int32) {
	e.come, e.label, e.from = append(e.come, [3]int32{a, b, c}), append(e.label, label), append(e.from, Gone)
}

// replace lets a triangle come in the place of the one that was removed last.
func (e *edit) replace(v [3]int32, label int32) {
	e.come, e.label, e.from = append(e.come, v), append(e.label, label), append(e.from, int32(len(e.gone)-1))
}

// move puts a vertex somewhere else.
func (e *edit) move(v int32, x r3.Vec) { e.moved, e.to = append(e.moved, v), append(e.to, x) }

func (e *edit) at(m *Mesh, v int32) r3.Vec {
	for i, w := range e.moved {
		if w == v {
			return e.to[i]
		}
	}
	return m.Position[v]
}

// prepare looks the corners up. The other methods that judge an edit need it before them, once all is added.
func (e *edit) prepare(m *Mesh) {
	e.corner, e.bounds, e.before, e.rim = e.corner[:0], e.bounds[:0], e.before[:0], e.rim[:0]
	for _, v := range e.come {
		p := [3]r3.Vec{e.at(m, v[0]), e.at(m, v[1]), e.at(m, v[2])}
		e.corner, e.bounds = append(e.corner, p), append(e.bounds, boxes.Around(p[:]))
		e.border(v)
	}
	for _, t := range e.gone {
		a, b, c := m.Corners(t)
		e.before = append(e.before, [3]r3.Vec{a, b, c})
		e.border(m.Triangle[t])
	}
}

func (e *edit) border(v [3]int32) {
	for _, w := range v {
		if !slices.Contains(e.rim, w) {
			e.rim = append(e.rim, w)
		}
	}
}

// volume is by how much the edit changes the volume inside, m³.
func (e *edit) volume() (v float64) {
	for i := range e.corner {
		v += tetrahedron(&e.corner[i], e.apex)
	}
	for i := range e.before {
		v -= tetrahedron(&e.before[i], e.apex)
	}
	return v
}

// tetrahedron is the volume of that of a triangle and a point behind it.
func tetrahedron(p *[3]r3.Vec, x r3.Vec) float64 {
	return geom.Sixfold(x, p[0], p[1], p[2]) / 6
}

// safe tells whether a mesh without intersections has none after the edit, and nothing changes sides: nothing lies between the old and the new surface. What
// crosses neither of the two and has no vertex between them is not there. The tetrahedra that are searched may cover more than the space between, which costs
// some edits that would have been safe.
//
// Source: Brochu 2006, section 3.3: the pseudo-motion, here by its two ends and the space that it sweeps.
func (e *edit) safe(m *Mesh) bool {
	if !e.sound() {
		return false
	}
	bounds := e.sweep()
	e.near = m.Boxes.Overlapping(e.near[:0], &bounds)
	for _, t := range e.near {
		if !slices.Contains(e.gone, t) && (e.meets(m, t) || e.encloses(m, t)) {
			return false
		}
	}
	return true
}

// sweep makes the boxes of the tetrahedra, and returns that of them all.
func (e *edit) sweep() r3.Box {
	e.swept = e.swept[:0]
	bounds := r3.Box{Min: e.apex, Max: e.apex}
	for _, list := range [2][][3]r3.Vec{e.before, e.corner} {
		for i := range list {
			box := boxes.Around(list[i][:])
			boxes.Enclose(&box, &e.apex)
			e.swept = append(e.swept, box)
			boxes.Enclose(&bounds, &box.Min)
			boxes.Enclose(&bounds, &box.Max)
		}
	}
	return bounds
}

// sound tells whether none of the triangles that come is flat or meets another.
func (e *edit) sound() bool {
	for i := range e.corner {
		if reproducible.Norm2(areaVector(&e.corner[i])) == 0 {
			return false
		}
		for j := range i {
			if within(&e.bounds[i], &e.bounds[j], 0) && trianglesMeet(e.come[i], &e.corner[i], e.come[j], &e.corner[j]) {
				return false
			}
		}
	}
	return true
}

// meets tells whether one of the triangles that come meets one that stays.
func (e *edit) meets(m *Mesh, t int32) bool {
	v := m.Triangle[t]
	var p [3]r3.Vec
	p[0], p[1], p[2] = m.Corners(t)
	box := boxes.Around(p[:])
	for i := range e.corner {
		if within(&e.bounds[i], &box, 0) && trianglesMeet(e.come[i], &e.corner[i], v, &p) {
			return true
		}
	}
	return false
}

// encloses tells whether a vertex of a triangle that stays lies between the old and the new surface. It looks at a vertex when it is asked for the first triangle of
// it: one that lies there has none that the boxes leave out.
func (e *edit) encloses(m *Mesh, t int32) bool {
	for _, v := range m.Triangle[t] {
		if m.VertexTriangles[v][0] != t || slices.Contains(e.rim, v) {
			continue
		}
		x := &m.Position[v]
		for i := range e.swept {
			if boxes.Holds(&e.swept[i], x) && e.holds(i, x) {
				return true
			}
		}
	}
	return false
}

// holds tells whether a point is in a tetrahedron. A flat one holds nothing.
func (e *edit) holds(i int, x *r3.Vec) bool {
	p := e.before
	if i >= len(p) {
		i, p = i-len(p), e.corner
	}
	return predicates.Orient(p[i][0], p[i][1], p[i][2], e.apex) != 0 && predicates.PointTetrahedron(*x, p[i][0], p[i][1], p[i][2], e.apex)
}

// apply makes the change.
func (e *edit) apply(m *Mesh) {
	for _, t := range e.gone {
		m.RemoveTriangle(t)
	}
	for i, v := range e.moved {
		m.Move(v, e.to[i])
	}
	for i, v := range e.come {
		m.AddTriangle(v[0], v[1], v[2], e.label[i])
	}
}

// areaVector is twice the area of a triangle along its normal.
func areaVector(p *[3]r3.Vec) r3.Vec {
	return geom.TwiceArea(p[0], p[1], p[2])
}

// sine2 is the squared sine of the smallest angle of a triangle: 0.75 at best.
func sine2(p *[3]r3.Vec) float64 {
	var l [3]float64
	for i := range 3 {
		l[i] = reproducible.Norm2(r3.Sub(p[(i+1)%3], p[i]))
	}
	longer := float64(l[0]*l[1]) * l[2]
	if longer == 0 {
		return 0
	}
	return reproducible.Norm2(areaVector(p)) * min(l[0], l[1], l[2]) / longer
}
