package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What of a triangle is nearest to a place: vertex 0 to 2, edge atEdge + 0 to 2 from the vertex of that number to the next, or the face between.
const (
	atEdge = 3
	atFace = 6
)

// sliver is the squared sine of the angle of a triangle below which it is taken as its three edges. For wider ones rounding moves the nearest point along the triangle by 1e-2 of
// its size at most, and the distance, which changes with the square of that angle, by less than a float32 holds.
const sliver = 1e-14

// straight is the squared sine above which the normal of a triangle is right to 1e-12.
const straight = 1e-8

// face is a triangle with the products of its sides.
type face struct {
	a, ab, ac        r3.Vec
	abab, abac, acac float64
	middle, normal   r3.Vec  // normal: of length 1, or 0 if the triangle has no area
	radius, radius2  float64 // of a disc or, without area, a ball around the middle that holds it
	t                int32
}

func (f *face) set(t int32, a, b, c r3.Vec) {
	f.t, f.a, f.ab, f.ac = t, a, r3.Sub(b, a), r3.Sub(c, a)
	f.abab, f.abac, f.acac = reproducible.Norm2(f.ab), reproducible.Dot(f.ab, f.ac), reproducible.Norm2(f.ac)
	f.middle = reproducible.Scale(1./3, r3.Add(r3.Add(a, b), c))
	far := max(reproducible.Norm2(r3.Sub(a, f.middle)), reproducible.Norm2(r3.Sub(b, f.middle)), reproducible.Norm2(r3.Sub(c, f.middle)))
	f.radius = math.Sqrt(far) * (1 + tie)
	f.radius2 = float64(f.radius * f.radius)
	f.normal = r3.Vec{}
	// That of a narrower one may be off by more than tie.
	if n := reproducible.Cross(f.ab, f.ac); reproducible.Norm2(n) > float64(straight*f.abab*f.acac) {
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

// nearest is what of the triangle is nearest to p, and the vector from there to p.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.5, with the products of the sides taken beforehand.
func (f *face) nearest(p *r3.Vec) (what int, away r3.Vec) {
	ap := r3.Vec{X: p.X - f.a.X, Y: p.Y - f.a.Y, Z: p.Z - f.a.Z}
	d1 := float64(f.ab.X*ap.X) + float64(f.ab.Y*ap.Y) + float64(f.ab.Z*ap.Z)
	d2 := float64(f.ac.X*ap.X) + float64(f.ac.Y*ap.Y) + float64(f.ac.Z*ap.Z)
	d3, d4 := d1-f.abab, d2-f.abac
	d5, d6 := d1-f.abac, d2-f.acac
	var v, w float64
	switch {
	case d1 <= 0 && d2 <= 0:
		return 0, ap
	case d3 >= 0 && d4 <= d3:
		what, v = 1, 1
	case d6 >= 0 && d5 <= d6:
		what, w = 2, 1
	default:
		wc, wb, wa := float64(d1*d4)-float64(d3*d2), float64(d5*d2)-float64(d1*d6), float64(d3*d6)-float64(d5*d4)
		switch sum := wa + wb + wc; {
		case wc <= 0 && d1 >= 0 && d3 <= 0:
			what, v = atEdge, d1/(d1-d3)
		case wb <= 0 && d2 >= 0 && d6 <= 0:
			what, w = atEdge+2, d2/(d2-d6)
		case wa <= 0 && d4 >= d3 && d5 >= d6:
			what, w = atEdge+1, (d4-d3)/((d4-d3)+(d5-d6))
			v = 1 - w
		case sum <= float64(sliver*f.abab*f.acac):
			return f.nearestEdge(p)
		default:
			what, v, w = atFace, wb/sum, wc/sum
		}
	}
	return what, r3.Vec{
		X: ap.X - float64(v*f.ab.X) - float64(w*f.ac.X),
		Y: ap.Y - float64(v*f.ab.Y) - float64(w*f.ac.Y),
		Z: ap.Z - float64(v*f.ab.Z) - float64(w*f.ac.Z),
	}
}

// nearestEdge is nearest for a triangle that is but its edges.
func (f *face) nearestEdge(p *r3.Vec) (what int, away r3.Vec) {
	corners := [3]r3.Vec{f.a, r3.Add(f.a, f.ab), r3.Add(f.a, f.ac)}
	best := math.Inf(1)
	for i := range 3 {
		a := corners[i]
		along, ap := r3.Sub(corners[(i+1)%3], a), r3.Sub(*p, a)
		at, is := reproducible.Dot(along, ap)/reproducible.Norm2(along), atEdge+i
		switch {
		case !(at > 0):
			at, is = 0, i
		case at >= 1:
			at, is = 1, (i+1)%3
		}
		d := r3.Sub(ap, reproducible.Scale(at, along))
		if n := reproducible.Norm2(d); n < best {
			what, away, best = is, d, n
		}
	}
	return what, away
}

// feature is a number for what of the mesh is nearest, the same for all triangles that share it.
func (m *Mesh) feature(t int32, what int) int64 {
	switch {
	case what < atEdge:
		return int64(m.Triangle[t][what]) << 2
	case what < atFace:
		return int64(m.Sides[t][what-atEdge])<<2 | 1
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
	case what == atFace:
		n = m.normal(t)
	case what >= atEdge:
		for _, u := range m.EdgeTriangles[m.Sides[t][what-atEdge]] {
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
	n := reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a))
	if size := reproducible.Norm(n); size > 0 {
		return reproducible.Scale(1/size, n)
	}
	return r3.Vec{}
}
