package meshsdf

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// mesh is the working copy New cleans and orients; positions are relative to origin.
type mesh struct {
	origin r3.Vec
	tol    float64 // weld tolerance, m
	verts  []r3.Vec
	faces  [][3]int32
}

// clean checks the input, welds it, and drops repeated faces and faces without corners.
func clean(vertices []r3.Vec, triangles [][3]int32) (*mesh, error) {
	lo, hi, err := checkInput(vertices, triangles)
	if err != nil {
		return nil, err
	}
	diagonal := reproducible.Norm(r3.Sub(hi, lo))
	if !(diagonal >= MinSize) {
		return nil, fmt.Errorf("the mesh is %.3g m across; it must be at least %g m", diagonal, MinSize)
	}
	origin := r3.Add(lo, reproducible.Scale(0.5, r3.Sub(hi, lo)))
	far := max(math.Abs(lo.X), math.Abs(lo.Y), math.Abs(lo.Z), math.Abs(hi.X), math.Abs(hi.Y), math.Abs(hi.Z))
	const eps = 0x1p-52
	m := &mesh{origin: origin, tol: float64(weldShare*diagonal) + float64(4*eps*far)}
	m.weld(vertices, triangles)
	m.dropRepeated()
	if len(m.faces) < 4 {
		return nil, fmt.Errorf("%d of %d triangles are left after welding; a solid has at least 4", len(m.faces), len(triangles))
	}
	return m, nil
}

// checkInput returns the box of the vertices in use.
func checkInput(vertices []r3.Vec, triangles [][3]int32) (lo, hi r3.Vec, err error) {
	if len(triangles) < 4 {
		return lo, hi, fmt.Errorf("%d triangles; a solid has at least 4", len(triangles))
	}
	if len(triangles) > MaxTriangles {
		return lo, hi, fmt.Errorf("%d triangles; at most %d are taken", len(triangles), MaxTriangles)
	}
	if len(vertices) > 3*MaxTriangles {
		return lo, hi, fmt.Errorf("%d vertices; at most %d are taken", len(vertices), 3*MaxTriangles)
	}
	for i, v := range vertices {
		if !(math.Abs(v.X) <= MaxCoord && math.Abs(v.Y) <= MaxCoord && math.Abs(v.Z) <= MaxCoord) {
			return lo, hi, fmt.Errorf("vertex %d is %v m; coordinates must be within ±%g m", i, v, MaxCoord)
		}
	}
	inf := math.Inf(1)
	lo, hi = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	for i, t := range triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(vertices) {
				return lo, hi, fmt.Errorf("triangle %d has index %d; there are %d vertices", i, v, len(vertices))
			}
			lo, hi = boxes.Min(lo, vertices[v]), boxes.Max(hi, vertices[v])
		}
	}
	return lo, hi, nil
}

// weld merges vertices within tol of an earlier one, in the order of their first use.
func (m *mesh) weld(vertices []r3.Vec, triangles [][3]int32) {
	moved := make([]r3.Vec, len(vertices))
	for i, v := range vertices {
		moved[i] = r3.Sub(v, m.origin)
	}
	first, faces := geom.Weld(moved, triangles, m.tol)
	m.verts, m.faces = make([]r3.Vec, len(first)), faces
	for i, v := range first {
		m.verts[i] = moved[v]
	}
}

// dropRepeated keeps the first of faces with the same three corners, however oriented.
func (m *mesh) dropRepeated() {
	type keyed struct {
		corners [3]int32
		face    int32
	}
	keys := make([]keyed, len(m.faces))
	for i, f := range m.faces {
		slices.Sort(f[:])
		keys[i] = keyed{f, int32(i)}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if c := slices.Compare(a.corners[:], b.corners[:]); c != 0 {
			return c
		}
		return int(a.face - b.face)
	})
	drop := make([]bool, len(m.faces))
	for i := 1; i < len(keys); i++ {
		drop[keys[i].face] = keys[i].corners == keys[i-1].corners
	}
	m.keep(func(i int) bool { return !drop[i] })
}

// keep filters the faces in place.
func (m *mesh) keep(ok func(i int) bool) {
	n := 0
	for i, f := range m.faces {
		if ok(i) {
			m.faces[n] = f
			n++
		}
	}
	m.faces = m.faces[:n]
}

// dropSlivers drops faces lower than the weld tolerance: they hold no area, but they do
// connect, so they go only once the mesh is oriented.
func (m *mesh) dropSlivers() {
	m.keep(func(i int) bool {
		f := m.faces[i]
		a, b, c := m.verts[f[0]], m.verts[f[1]], m.verts[f[2]]
		longest := math.Sqrt(max(reproducible.Norm2(r3.Sub(b, a)), reproducible.Norm2(r3.Sub(c, b)), reproducible.Norm2(r3.Sub(a, c))))
		return reproducible.Norm(m.normal(f)) > m.tol*longest
	})
}

// normal is the face's normal, as long as twice its area.
func (m *mesh) normal(f [3]int32) r3.Vec {
	return geom.TwiceArea(m.verts[f[0]], m.verts[f[1]], m.verts[f[2]])
}

func (m *mesh) centroid(f [3]int32) r3.Vec {
	return reproducible.Scale(1./3, r3.Add(m.verts[f[0]], r3.Add(m.verts[f[1]], m.verts[f[2]])))
}

// areaVolume sums the faces' areas and their signed cones to the origin.
func (m *mesh) areaVolume() (area, volume float64) {
	for _, f := range m.faces {
		n := m.normal(f)
		area += float64(0.5 * reproducible.Norm(n))
		volume += reproducible.Dot(m.verts[f[0]], n) / 6
	}
	return area, volume
}

// bounds is the box of some faces, at least one.
func (m *mesh) bounds(faces [][3]int32) r3.Box {
	first := m.verts[faces[0][0]]
	box := r3.Box{Min: first, Max: first}
	for _, f := range faces {
		for _, v := range f {
			box.Min, box.Max = boxes.Min(box.Min, m.verts[v]), boxes.Max(box.Max, m.verts[v])
		}
	}
	return box
}
