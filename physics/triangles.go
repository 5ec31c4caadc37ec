package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// planeEdge is that of the square that stands for the plane of a half-space, m.
const planeEdge = 100.0

// Triangles is the surface of the geometry for drawing, in the axes of its shape: vertices, m,
// each once, and triangles that run counterclockwise seen from outside. It is closed, except
// that a half-space is a square of 100 m about its point, and that a Mesh is as it was given
// and a HeightField its ground.
//
// round, 3 to 1000, is the number of edges of a full circle, and of cells along the longest edge of
// the bounds of an SDF, whose surface is a net through the cells that it crosses. There are no triangles
// for another round or a geometry that is not valid.
func (g Geometry) Triangles(round int) (vertices []r3.Vec, triangles [][3]int32) {
	if g.Validate() != nil || round < 3 || round > 1000 {
		return nil, nil
	}
	var m triangleMesh
	switch g.kind {
	case sphereGeometry:
		m.lathe(arc(nil, r3.Vec{}, g.radius, -math.Pi/2, math.Pi/2, (round+1)/2), round)
	case capsuleGeometry:
		middle := r3.Vec{Y: g.half.Y}
		profile := arc(nil, reproducible.Scale(-1, middle), g.radius, -math.Pi/2, 0, (round+3)/4)
		m.lathe(arc(profile, middle, g.radius, 0, math.Pi/2, (round+3)/4), round)
	case cylinderGeometry:
		r, h := g.radius, g.half.Y
		m.lathe([]r3.Vec{{Y: -h}, {X: r, Y: -h}, {X: r, Y: h}, {Y: h}}, round)
	case boxGeometry:
		m.box(g.half)
	case hullGeometry:
		m.hull(g.hull)
	case meshGeometry:
		m.surface(g.surface)
	case openBoxGeometry:
		m.openBox(g.half, g.wall)
	case halfSpaceGeometry:
		m.square(g.normal, planeEdge)
	case sdfGeometry:
		m.surfaceNet(g.dist, g.bounds, round)
	}
	if place, turn := g.pose(r3.Vec{}, identity); place != (r3.Vec{}) || turn != identity {
		for i, v := range m.vertices {
			m.vertices[i] = r3.Add(place, rotate(turn, v))
		}
	}
	return m.vertices, m.triangles
}

// triangleMesh is a surface in the making.
type triangleMesh struct {
	vertices  []r3.Vec
	triangles [][3]int32
}

func (m *triangleMesh) vertex(v r3.Vec) int32 {
	m.vertices = append(m.vertices, v)
	return int32(len(m.vertices) - 1)
}

// triangle adds one unless two of its corners are the same.
func (m *triangleMesh) triangle(a, b, c int32) {
	if a != b && b != c && c != a {
		m.triangles = append(m.triangles, [3]int32{a, b, c})
	}
}

// quad adds the two triangles of a quadrilateral, counterclockwise.
func (m *triangleMesh) quad(a, b, c, d int32) {
	m.triangle(a, b, c)
	m.triangle(a, c, d)
}

// frame adds the four corners of a level rectangle, counterclockwise seen from above.
func (m *triangleMesh) frame(x, z, y float64) (c [4]int32) {
	return [4]int32{m.vertex(r3.Vec{X: x, Y: y, Z: z}), m.vertex(r3.Vec{X: x, Y: y, Z: -z}),
		m.vertex(r3.Vec{X: -x, Y: y, Z: -z}), m.vertex(r3.Vec{X: -x, Y: y, Z: z})}
}

// skirt joins two frames; seen from outside the first is the lower.
func (m *triangleMesh) skirt(a, b [4]int32) {
	for k := range a {
		next := (k + 1) % len(a)
		m.quad(a[k], a[next], b[next], b[k])
	}
}

func (m *triangleMesh) box(h r3.Vec) {
	low, high := m.frame(h.X, h.Z, -h.Y), m.frame(h.X, h.Z, h.Y)
	m.quad(low[3], low[2], low[1], low[0])
	m.skirt(low, high)
	m.quad(high[0], high[1], high[2], high[3])
}

// openBox goes up the outside, over the rim and down to the floor.
func (m *triangleMesh) openBox(h r3.Vec, wall float64) {
	x, z := h.X-wall, h.Z-wall
	low, high := m.frame(h.X, h.Z, -h.Y), m.frame(h.X, h.Z, h.Y)
	rim, floor := m.frame(x, z, h.Y), m.frame(x, z, wall-h.Y)
	m.quad(low[3], low[2], low[1], low[0])
	m.skirt(low, high)
	m.skirt(high, rim)
	m.skirt(rim, floor)
	m.quad(floor[0], floor[1], floor[2], floor[3])
}

func (m *triangleMesh) hull(h *hull) {
	for _, v := range h.vertices {
		m.vertex(v)
	}
	for i := range h.planes {
		face := h.face(i)
		for k := 2; k < len(face); k++ {
			m.triangle(int32(face[0]), int32(face[k-1]), int32(face[k]))
		}
	}
}

func (m *triangleMesh) surface(s *surface) {
	f := s.field
	if f == nil {
		m.vertices = append(m.vertices, s.vertices...)
		m.triangles = append(m.triangles, s.triangles...)
		return
	}
	for r := range f.Rows {
		for c := range f.Columns {
			m.vertex(f.point(c, r))
		}
	}
	for r := range f.Rows - 1 {
		for c := range f.Columns - 1 {
			a := int32(r*f.Columns + c)
			b := a + int32(f.Columns)
			m.triangle(a, b, a+1) // the two of corners
			m.triangle(b+1, a+1, b)
		}
	}
}

// square adds one about the origin, facing along the unit vector n.
func (m *triangleMesh) square(n r3.Vec, edge float64) {
	u, v := reproducible.Basis(n)
	if reproducible.Dot(reproducible.Cross(u, v), n) < 0 {
		u, v = v, u
	}
	u, v = reproducible.Scale(edge/2, u), reproducible.Scale(edge/2, v)
	m.quad(m.vertex(r3.Sub(reproducible.Scale(-1, u), v)), m.vertex(r3.Sub(u, v)), m.vertex(r3.Add(u, v)), m.vertex(r3.Sub(v, u)))
}

// arc appends points of a profile for lathe: those of a circle about a centre from one angle
// to another, in n steps. X is the radius, Y the height.
func arc(dst []r3.Vec, centre r3.Vec, radius, from, to float64, n int) []r3.Vec {
	for i := range n + 1 {
		sin, cos := reproducible.PreciseSincos(from + (to-from)*float64(i)/float64(n))
		dst = append(dst, r3.Add(centre, r3.Vec{X: float64(radius * cos), Y: float64(radius * sin)}))
	}
	return dst
}

// onAxis, m: points of a profile nearer to the axis than this lie on it.
const onAxis = 1e-9

// lathe turns a profile, from its lower end on the y axis to its upper, about that axis.
func (m *triangleMesh) lathe(profile []r3.Vec, round int) {
	ring := func(p r3.Vec) []int32 {
		out := make([]int32, round)
		for k := range out {
			if k > 0 && p.X <= onAxis {
				out[k] = out[0]
				continue
			}
			sin, cos := reproducible.PreciseSincos(2 * math.Pi * float64(k) / float64(round))
			out[k] = m.vertex(r3.Vec{X: p.X * sin, Y: p.Y, Z: p.X * cos})
		}
		return out
	}
	below := ring(profile[0])
	for _, p := range profile[1:] {
		above := ring(p)
		for k := range round {
			next := (k + 1) % round
			m.quad(below[k], below[next], above[next], above[k])
		}
		below = above
	}
}
