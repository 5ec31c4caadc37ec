package meshsdf

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

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
			lo, hi = minVec(lo, vertices[v]), maxVec(hi, vertices[v])
		}
	}
	return lo, hi, nil
}

// welder finds, for a position, the first earlier one within a tolerance.
type welder struct {
	tol   float64
	cells map[[3]int64]int32 // cell → newest position in it; looked up, never ranged over
	next  []int32            // older position in the same cell, or -1
	verts []r3.Vec
}

// cell edges are 4 tolerances: most positions then look into one cell only.
func (w *welder) cell(x float64) int64 { return int64(math.Floor(x / (4 * w.tol))) }

func (w *welder) index(p r3.Vec) int32 {
	best := int32(math.MaxInt32)
	t := w.tol
	for x := w.cell(p.X - t); x <= w.cell(p.X+t); x++ {
		for y := w.cell(p.Y - t); y <= w.cell(p.Y+t); y++ {
			for z := w.cell(p.Z - t); z <= w.cell(p.Z+t); z++ {
				i, ok := w.cells[[3]int64{x, y, z}]
				for ; ok && i >= 0; i = w.next[i] {
					if i < best && reproducible.Norm2(r3.Sub(p, w.verts[i])) <= t*t {
						best = i
					}
				}
			}
		}
	}
	if best < math.MaxInt32 {
		return best
	}
	key := [3]int64{w.cell(p.X), w.cell(p.Y), w.cell(p.Z)}
	older, ok := w.cells[key]
	if !ok {
		older = -1
	}
	i := int32(len(w.verts))
	w.cells[key] = i
	w.verts, w.next = append(w.verts, p), append(w.next, older)
	return i
}

// weld merges vertices within tol of an earlier one, in the order of their first use.
func (m *mesh) weld(vertices []r3.Vec, triangles [][3]int32) {
	w := welder{tol: m.tol, cells: make(map[[3]int64]int32, len(vertices))}
	to := make([]int32, len(vertices))
	for i := range to {
		to[i] = -1
	}
	m.faces = make([][3]int32, 0, len(triangles))
	for _, t := range triangles {
		var f [3]int32
		for k, v := range t {
			if to[v] < 0 {
				to[v] = w.index(r3.Sub(vertices[v], m.origin))
			}
			f[k] = to[v]
		}
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			m.faces = append(m.faces, f)
		}
	}
	m.verts = w.verts
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
	a := m.verts[f[0]]
	return reproducible.Cross(r3.Sub(m.verts[f[1]], a), r3.Sub(m.verts[f[2]], a))
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

func (m *mesh) bounds() (lo, hi r3.Vec) {
	lo = m.verts[m.faces[0][0]]
	hi = lo
	for _, f := range m.faces {
		for _, v := range f {
			lo, hi = minVec(lo, m.verts[v]), maxVec(hi, m.verts[v])
		}
	}
	return lo, hi
}

func minVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func maxVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}
