package stuffing

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Check returns what is wrong with a mesh that Connect has been called for, or nil: indices, orientation, geometry, neighbours, boundary faces, and
// that the boundary is closed. It is slow. CheckAngles tells whether the angles keep their bounds, Mesher.CheckCuts what the surface crosses.
func (m *Mesh) Check() error {
	if len(m.Neighbours) != m.Tets() {
		return fmt.Errorf("stuffing: %d tetrahedra, neighbours of %d", m.Tets(), len(m.Neighbours))
	}
	for v, p := range m.Position {
		for _, x := range p {
			if !geom.Finite(x) {
				return fmt.Errorf("stuffing: vertex %d is at %v", v, p)
			}
		}
	}
	volume := 0.
	for t := range int32(m.Tets()) {
		if err := m.checkTet(t); err != nil {
			return fmt.Errorf("stuffing: tetrahedron %d at %v: %w", t, m.Centre(t), err)
		}
		volume += m.Volume(t)
	}
	for b := range m.Boundary {
		if err := m.checkFace(int32(b)); err != nil {
			return fmt.Errorf("stuffing: boundary face %d: %w", b, err)
		}
	}
	return m.checkClosed(volume)
}

func (m *Mesh) checkTet(t int32) error {
	c := &m.Corners[t]
	for i, v := range c {
		if v < 0 || int(v) >= m.Vertices() {
			return fmt.Errorf("no vertex %d", v)
		}
		for _, w := range c[:i] {
			if v == w {
				return fmt.Errorf("vertex %d twice", v)
			}
		}
	}
	want := measureShape(&m.Position[c[0]], &m.Position[c[1]], &m.Position[c[2]], &m.Position[c[3]])
	got := m.Shape(t)
	if !(want.Volume > 0) {
		return fmt.Errorf("volume %g", want.Volume)
	}
	size := reproducible.Cbrt(want.Volume)
	if math.Abs(got.Volume-want.Volume) > 1e-6*want.Volume {
		return fmt.Errorf("volume %g, want %g", got.Volume, want.Volume)
	}
	for i := range want.Area {
		for a := range 3 {
			if math.Abs(got.Area[i][a]-want.Area[i][a]) > 1e-6*size*size {
				return fmt.Errorf("areas %v, want %v", got.Area, want.Area)
			}
		}
	}
	return m.checkNeighbours(t)
}

func (m *Mesh) checkNeighbours(t int32) error {
	for corner, nb := range m.Neighbours[t] {
		if nb < 0 {
			if b := ^nb; int(b) >= len(m.Boundary) || m.Boundary[b].Tet != t || int(m.Boundary[b].Corner) != corner {
				return fmt.Errorf("boundary face %d isn't its face %d", b, corner)
			}
			continue
		}
		face := m.FaceVertices(t, corner)
		back := -1
		for i, x := range m.Neighbours[nb] {
			if x == t && turned(face, m.FaceVertices(nb, i)) {
				back = i
			}
		}
		if back < 0 {
			return fmt.Errorf("neighbour %d doesn't have its face %d", nb, corner)
		}
	}
	return nil
}

// turned tells whether two triangles are the same seen from both sides.
func turned(a, b [3]int32) bool {
	for i := range 3 {
		if a[0] == b[i] && a[1] == b[(i+2)%3] && a[2] == b[(i+1)%3] {
			return true
		}
	}
	return false
}

func (m *Mesh) checkFace(b int32) error {
	f := m.Boundary[b]
	if f.Tet < 0 || int(f.Tet) >= m.Tets() || f.Corner > 3 || m.Neighbours[f.Tet][f.Corner] != ^b {
		return fmt.Errorf("no face of tetrahedron %d", f.Tet)
	}
	for _, v := range m.FaceVertices(f.Tet, int(f.Corner)) {
		if m.Flags[v]&OnSurface == 0 {
			return fmt.Errorf("vertex %d at %v isn't on the surface", v, m.Position[v])
		}
	}
	if g := m.boundaryFace(f.Tet, int(f.Corner)); g != f {
		return fmt.Errorf("is %+v, want %+v", f, g)
	}
	return nil
}

// checkClosed tells whether the boundary is closed: an even number of faces meets at each edge, as often one way around as the other, and the volume
// within is that of the tetrahedra. Two parts may touch at an edge or a vertex.
func (m *Mesh) checkClosed(volume float64) error {
	edges := map[[2]int32]int{}
	enclosed, area := 0., r3.Vec{}
	size := 0.
	for _, f := range m.Boundary {
		v := m.FaceVertices(f.Tet, int(f.Corner))
		for i := range 3 {
			a, b := v[i], v[(i+1)%3]
			if a < b {
				edges[[2]int32{a, b}]++
			} else {
				edges[[2]int32{b, a}]--
			}
		}
		n := m.Area(f.Tet, int(f.Corner))
		x := r3.Sub(m.FaceCentre(f.Tet, int(f.Corner)), reproducible.Vector(m.Position[0]))
		enclosed += reproducible.Dot(n, x) / 3
		area = r3.Add(area, n)
		size += reproducible.Norm(n)
	}
	for e, n := range edges {
		if n != 0 {
			return fmt.Errorf("stuffing: the boundary is open at the edge from %v to %v", m.Position[e[0]], m.Position[e[1]])
		}
	}
	if d := reproducible.Norm(area); d > 1e-9*size {
		return fmt.Errorf("stuffing: the boundary's area adds up to %v", area)
	}
	if math.Abs(enclosed-volume) > 1e-6*volume {
		return fmt.Errorf("stuffing: the boundary encloses %g m³, the tetrahedra are %g", enclosed, volume)
	}
	return nil
}

// Angles are a tetrahedron's least and greatest dihedral angle, degrees.
func (m *Mesh) Angles(t int32) (least, most float64) {
	s := m.Shape(t)
	return s.angles()
}

// angles are the least and the greatest dihedral angle, degrees.
func (s *Shape) angles() (least, most float64) {
	var n [4]r3.Vec
	for i, a := range s.Area {
		n[i] = reproducible.Vector(a)
		n[3] = r3.Sub(n[3], n[i])
	}
	for i := range n {
		n[i] = reproducible.Scale(1/reproducible.Norm(n[i]), n[i])
	}
	low, high := 1., -1. // of the cosines
	for i := range n {
		for _, q := range n[:i] {
			c := -reproducible.Dot(n[i], q)
			low, high = min(low, c), max(high, c)
		}
	}
	return degrees(high), degrees(low)
}

func degrees(cosine float64) float64 {
	return reproducible.Atan2(math.Sqrt(max(0, 1-float64(cosine*cosine))), cosine) * (180 / math.Pi)
}

// CheckAngles returns an error that names the first tetrahedron one of whose dihedral angles is beyond the bounds of an Alpha.
func (m *Mesh) CheckAngles(bounds Alpha) error {
	for t := range int32(m.Tets()) {
		if least, most := m.Angles(t); !(least >= bounds.Least && most <= bounds.Most) {
			return fmt.Errorf("stuffing: tetrahedron %d at %v has dihedral angles of %.4f° to %.4f°, beyond %.4f° to %.4f°",
				t, m.Centre(t), least, most, bounds.Least, bounds.Most)
		}
	}
	return nil
}
