package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// straight is the squared sine above which the normal of a triangle is right to 1e-12.
const straight = 1e-8

// face is a triangle in a disc.
type face struct {
	geom.Triangle
	middle, normal  r3.Vec  // normal: of length 1, or 0 if the triangle has no area
	radius, radius2 float64 // of a disc or, without area, a ball around the middle that holds it
	t               int32
}

func (f *face) set(t int32, a, b, c r3.Vec) {
	f.t, f.Triangle = t, geom.NewTriangle(a, b, c)
	f.middle = reproducible.Scale(1./3, r3.Add(r3.Add(a, b), c))
	far := max(reproducible.Norm2(r3.Sub(a, f.middle)), reproducible.Norm2(r3.Sub(b, f.middle)), reproducible.Norm2(r3.Sub(c, f.middle)))
	f.radius = math.Sqrt(far) * (1 + tie)
	f.radius2 = float64(f.radius * f.radius)
	f.normal = r3.Vec{}
	// That of a narrower one may be off by more than tie.
	if n := reproducible.Cross(f.AB, f.AC); reproducible.Norm2(n) > float64(straight*f.ABAB*f.ACAC) {
		f.normal = reproducible.Scale(1/reproducible.Norm(n), n)
	}
}

// mayBe tells whether a triangle may be within a distance of a place. It lies in a disc around its middle: what is high above that, or farther from its axis than its radius, is not nearer
// than the height or the rim.
func (f *face) mayBe(x *r3.Vec, within float64) bool {
	dx, dy, dz := x.X-f.middle.X, x.Y-f.middle.Y, x.Z-f.middle.Z
	height := float64(dx*f.normal.X) + float64(dy*f.normal.Y) + float64(dz*f.normal.Z)
	height2 := float64(height * height)
	room := float64(float64(within*within)*(1+4*tie)) - height2
	if room < 0 {
		return false
	}
	aside := float64(dx*dx) + float64(dy*dy) + float64(dz*dz) - height2
	if aside <= f.radius2 {
		return true
	}
	rim := math.Sqrt(room) + f.radius
	return aside <= float64(rim*rim)
}

// feature is a number for what of the mesh is nearest, the same for all triangles that share it.
func (m *Mesh) feature(t int32, what int) int64 {
	switch {
	case what < geom.AtEdge:
		return int64(m.Triangle[t][what]) << 2
	case what < geom.AtFace:
		return int64(m.Sides[t][what-geom.AtEdge])<<2 | 1
	}
	return int64(t)<<2 | 2
}

// leastCosine is that of the angle between the way to a place and the normal at the nearest point, below which it does not tell the side.
const leastCosine = 1e-6

// side is +1 if the way from what is nearest leads outside, -1 if inside, and 0 if the normal does not tell.
//
// Source: Bærentzen and Aanæs 2005: of a vertex's normals each counts by the angle of its triangle. Their proof takes a small ball around the vertex, and what is inside of it
// may be in several parts: so it holds as well where more than two triangles meet at an edge, or several fans of them at a vertex.
func (m *Mesh) side(t int32, what int, away r3.Vec) int {
	var n r3.Vec
	switch {
	case what == geom.AtFace:
		n = m.normal(t)
	case what >= geom.AtEdge:
		for _, u := range m.EdgeTriangles[m.Sides[t][what-geom.AtEdge]] {
			n = r3.Add(n, m.normal(u))
		}
	default:
		v := m.Triangle[t][what]
		for _, u := range m.VertexTriangles[v] {
			w := m.Triangle[u]
			k := corner(w, v)
			x := m.Position[v]
			angle := angleBetween(r3.Sub(m.Position[w[(k+1)%3]], x), r3.Sub(m.Position[w[(k+2)%3]], x))
			n = r3.Add(n, reproducible.Scale(angle, m.normal(u)))
		}
	}
	along := reproducible.Dot(n, away)
	if !(math.Abs(along) > leastCosine*math.Sqrt(float64(reproducible.Norm2(n)*reproducible.Norm2(away)))) {
		return 0
	}
	if along > 0 {
		return 1
	}
	return -1
}

// normal is a triangle's unit normal, or 0 if it has no area.
func (m *Mesh) normal(t int32) r3.Vec {
	a, b, c := m.Corners(t)
	n := geom.TwiceArea(a, b, c)
	if size := reproducible.Norm(n); size > 0 {
		return reproducible.Scale(1/size, n)
	}
	return r3.Vec{}
}
