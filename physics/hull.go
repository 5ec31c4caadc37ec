package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxHullVertices is the largest number of corners of a Hull: more slow down every contact without a visible difference.
const MaxHullVertices = 64

// maxHullPoints bounds the input. The time of the builder is proportional to points times vertices, and stays well below
// a second.
const maxHullPoints = 1 << 14

// plane holds the points p with normal·p = offset; normal is a unit vector.
type plane struct {
	normal r3.Vec
	offset float64
}

func (f *plane) above(p r3.Vec) float64 { return reproducible.Dot(f.normal, p) - f.offset }

// hullEdge runs from vertex a to b as seen by the face at its left; the face at its right has
// it the other way round.
type hullEdge struct{ a, b, left, right uint8 }

// hull is a convex polyhedron with outward planes. Face i has the vertices
// loop[first[i]:first[i+1]], counterclockwise as seen from outside.
type hull struct {
	vertices []r3.Vec
	planes   []plane
	first    []uint16
	loop     []uint8
	edges    []hullEdge
	centre   r3.Vec         // a point inside
	width    float64        // least extent between parallel planes that touch it, one of them a face's, m
	solid    MassProperties // at density 1
	bounds   r3.Box
}

func (h *hull) face(i int) []uint8 { return h.loop[h.first[i]:h.first[i+1]] }

// support is the vertex farthest along d, the first among equals.
func (h *hull) support(d r3.Vec) (best int) {
	most := math.Inf(-1)
	for i, v := range h.vertices {
		if x := reproducible.Dot(v, d); x > most {
			best, most = i, x
		}
	}
	return best
}

// boxHull is a box of half extents e as a polyhedron.
func boxHull(e r3.Vec) *hull {
	h := &hull{first: []uint16{0}}
	for k := range uint32(8) {
		h.vertices = append(h.vertices, boxCorner(e, k))
	}
	for _, f := range [6][4]uint8{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		h.loop = append(h.loop, f[:]...)
		h.first = append(h.first, uint16(len(h.loop)))
	}
	h.complete()
	return h
}

// resizeBox makes a box's hull that of one of half extents e, as far as contacts need it.
func (h *hull) resizeBox(e r3.Vec) {
	for k := range h.vertices {
		h.vertices[k] = boxCorner(e, uint32(k))
	}
	for i := range h.planes {
		h.planes[i].offset = reproducible.Dot(absVec(h.planes[i].normal), e)
	}
	h.width, h.bounds = 2*smallest(e), r3.Box{Min: reproducible.Scale(-1, e), Max: e}
}

// complete derives planes, edges, mass and extents from vertices and loops. It reports
// whether they are a closed convex polyhedron: each edge is that of two faces, V-E+F = 2,
// and no vertex is above a face's plane, which is raised to the highest.
func (h *hull) complete() bool {
	n := len(h.first) - 1
	h.planes, h.edges = h.planes[:0], h.edges[:0]
	h.centre = r3.Vec{}
	for _, v := range h.vertices {
		h.centre = r3.Add(h.centre, reproducible.Scale(1/float64(len(h.vertices)), v))
	}
	h.bounds = boxOf(h.vertices)
	h.width = math.Inf(1)
	for i := range n {
		h.planes = append(h.planes, h.facePlane(i))
		low := math.Inf(1)
		for _, v := range h.vertices {
			low = min(low, h.planes[i].above(v))
		}
		h.width = min(h.width, -low)
	}
	if !h.findEdges() || len(h.vertices)-len(h.edges)+n != 2 {
		return false
	}
	h.solid = h.unitMass()
	return h.width > 0 && h.solid.Mass > 0
}

// facePlane is the plane of face i, with the mean normal of its loop (Newell), raised to the
// highest vertex.
func (h *hull) facePlane(i int) plane {
	f := h.face(i)
	var n r3.Vec
	o := h.vertices[f[0]]
	for k := 1; k+1 < len(f); k++ {
		n = r3.Add(n, reproducible.Cross(r3.Sub(h.vertices[f[k]], o), r3.Sub(h.vertices[f[k+1]], o)))
	}
	p := plane{normal: unit(n), offset: math.Inf(-1)}
	for _, v := range h.vertices {
		p.offset = max(p.offset, reproducible.Dot(p.normal, v))
	}
	return p
}

// findEdges lists each edge once, in the order of the loops; false if some edge is not that
// of exactly two faces.
func (h *hull) findEdges() bool {
	var face [MaxHullVertices][MaxHullVertices]uint8 // 1 + the face that has the directed edge
	n := len(h.first) - 1
	for i := range n {
		f := h.face(i)
		for k, a := range f {
			b := f[(k+1)%len(f)]
			if a == b || face[a][b] != 0 {
				return false
			}
			face[a][b] = uint8(i + 1)
		}
	}
	for i := range n {
		f := h.face(i)
		for k, a := range f {
			b := f[(k+1)%len(f)]
			switch r := face[b][a]; {
			case r == 0:
				return false
			case a < b:
				h.edges = append(h.edges, hullEdge{a, b, uint8(i), r - 1})
			}
		}
	}
	return true
}

// unitMass sums signed tetrahedra between the centre and fans of the faces: of one with the
// corner c and edge vectors a, b, d the volume is det/6, and the second moment follows from
// ∫xxᵀ = det/120·(Σvvᵀ + (Σv)(Σv)ᵀ) over its vertices.
func (h *hull) unitMass() MassProperties {
	var vol float64
	var first r3.Vec
	var second mat3
	for i := range h.planes {
		f := h.face(i)
		a := r3.Sub(h.vertices[f[0]], h.centre)
		for k := 1; k+1 < len(f); k++ {
			b, c := r3.Sub(h.vertices[f[k]], h.centre), r3.Sub(h.vertices[f[k+1]], h.centre)
			six := reproducible.Dot(a, reproducible.Cross(b, c))
			sum := r3.Add(a, r3.Add(b, c))
			vol += six / 6
			first = r3.Add(first, reproducible.Scale(six/24, sum))
			va, vb, vc, vs := array(a), array(b), array(c), array(sum)
			for p := range 3 {
				for q := range 3 {
					second[p][q] += float64(six / 120 * (dot3(va[p], va[q], vb[p], vb[q], vc[p], vc[q]) + float64(vs[p]*vs[q])))
				}
			}
		}
	}
	if !(vol > 0) {
		return MassProperties{}
	}
	c := reproducible.Scale(1/vol, first)
	m := MassProperties{Mass: vol, Centre: r3.Add(h.centre, c)}
	vc, trace := array(c), second[0][0]+second[1][1]+second[2][2]-float64(vol*reproducible.Dot(c, c))
	for p := range 3 {
		for q := range 3 {
			m.Inertia[p][q] = float64(vol*vc[p]*vc[q]) - second[p][q]
		}
		m.Inertia[p][p] += trace
	}
	return m
}

// distance is the signed distance of p to the hull, m.
func (h *hull) distance(p r3.Vec) float64 {
	best, most := 0, math.Inf(-1)
	for i := range h.planes {
		if d := h.planes[i].above(p); d > most {
			best, most = i, d
		}
	}
	if most <= 0 {
		return most
	}
	// The face is nearest if p projects into it; else an edge or a corner is.
	foot := r3.Sub(p, reproducible.Scale(most, h.planes[best].normal))
	for i := range h.planes {
		if i != best && h.planes[i].above(foot) > 0 {
			at, point := worldAxes, worldAxes
			at.hull, point.pos = h, p
			return gjkGap(&at, &point, r3.Vec{}).distance
		}
	}
	return most
}
