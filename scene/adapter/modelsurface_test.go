package adapter

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

var still = Matrix(r3.Vec{}, quat.Number{Real: 1})

// facedCube is a cube of edge 1 from the origin as engines have it: each face has four vertices of its own. Its top has -0 for some zeros.
func facedCube() DeformableMesh {
	m := DeformableMesh{Name: "cube"}
	for axis := range 3 {
		for side := range 2 {
			first := uint32(len(m.Positions) / 3)
			for _, uv := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
				var p [3]float32
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = float32(side), uv[0], uv[1]
				if axis == 1 && side == 1 && p[0] == 0 {
					p[0] = float32(math.Copysign(0, -1))
				}
				m.Positions = append(m.Positions, p[:]...)
			}
			if side == 1 {
				m.Indices = append(m.Indices, first, first+1, first+2, first, first+2, first+3)
			} else {
				m.Indices = append(m.Indices, first, first+2, first+1, first, first+3, first+2)
			}
		}
	}
	return m
}

func TestModelSurfaceJoinsVertices(t *testing.T) {
	m := facedCube()
	s, err := NewModelSurface([]DeformableMesh{m, m}, []Deformation{{Matrices: [][16]float32{still}}, {Matrices: [][16]float32{Matrix(r3.Vec{X: 3}, quat.Number{Real: 1})}}})
	if err != nil {
		t.Fatal(err)
	}
	var got control.Mesh
	s.At(99, &got)
	if len(got.Positions) != 16 || len(got.Triangles) != 24 || math.Abs(got.Volume()-2) > 1e-12 {
		t.Errorf("%d vertices, %d triangles, %v m³; want 16, 24 and 2", len(got.Positions), len(got.Triangles), got.Volume())
	}
	if s.Duration() != 0 || !s.RealTime() || !slices.Equal(s.Triangles(), got.Triangles) || !slices.Equal(s.Positions(nil), got.Positions) {
		t.Error("the surface is not what At gives")
	}
	one, err := NewModelSurface([]DeformableMesh{m}, []Deformation{{Matrices: [][16]float32{still}}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewModelSurface([]DeformableMesh{m}, []Deformation{{Matrices: [][16]float32{still}}})
	if err != nil || one.revision != again.revision || one.revision == s.revision || one.revision == 0 {
		t.Errorf("revisions %d, %d of the same triangles, %d of others", one.revision, again.revision, s.revision)
	}
	unindexed := m
	unindexed.Indices, unindexed.Positions = nil, nil
	for _, i := range m.Indices {
		unindexed.Positions = append(unindexed.Positions, m.Positions[3*i:3*i+3]...)
	}
	if s, err := NewModelSurface([]DeformableMesh{unindexed}, []Deformation{{Matrices: [][16]float32{still}}}); err != nil || len(s.positions) != 8 {
		t.Errorf("without indices: %v", err)
	}
}

// Vertices that part when the mesh deforms stay apart if each side is closed; seams of one surface are joined whatever their weights.
func TestModelSurfaceSeams(t *testing.T) {
	m := facedCube()
	lower := len(m.Indices)
	n := uint32(len(m.Positions) / 3)
	for i := range n { // a cube on top, whose bottom is the top of the other
		m.Positions = append(m.Positions, m.Positions[3*i], m.Positions[3*i+1]+1, m.Positions[3*i+2])
	}
	for _, i := range m.Indices[:lower] {
		m.Indices = append(m.Indices, i+n)
	}
	target := make([]float32, len(m.Positions))
	for i := n; i < 2*n; i++ {
		target[3*i+1] = 2 // the upper rises
	}
	m.Targets = [][]float32{target}
	s, err := NewModelSurface([]DeformableMesh{m}, []Deformation{{[]float32{1}, [][16]float32{still}}})
	if err != nil || len(s.positions) != 16 || math.Abs(enclosed(s.positions, s.triangles)-2) > 1e-12 {
		t.Fatalf("two cubes that part: %v, %v", err, s)
	}
	seam := facedCube()
	seam.Targets = [][]float32{make([]float32, len(seam.Positions))}
	seam.Targets[0][0] = .001 // of one of three vertices at the origin
	if s, err = NewModelSurface([]DeformableMesh{seam}, []Deformation{{[]float32{0}, [][16]float32{still}}}); err != nil || len(s.positions) != 8 {
		t.Errorf("a cube with a seam: %v", err)
	}
}

// A vertex that two joints share is half way between where each would have it, after its morph target.
func TestModelSurfaceByHand(t *testing.T) {
	m := facedCube()
	m.JointCount = 2
	n := len(m.Positions) / 3
	target := make([]float32, len(m.Positions))
	for i := range n {
		joint, weights := []uint16{0, 1, 0, 0}, []float32{1, 0, 0, 0}
		if m.Positions[3*i+1] == 1 { // the top: by both, whose weights have the sum 4
			weights = []float32{2, 2, 0, 0}
			target[3*i] = .5
		}
		m.Joints = append(m.Joints, joint...)
		m.JointWeights = append(m.JointWeights, weights...)
	}
	m.Targets = [][]float32{target}
	quarter := quat.Number{Real: math.Sqrt2 / 2, Kmag: math.Sqrt2 / 2} // about z: x to y, y to -x
	by := []Deformation{{[]float32{0}, [][16]float32{still, still}}}
	s, err := NewModelSurface([]DeformableMesh{m}, by)
	if err != nil {
		t.Fatal(err)
	}
	before := s.Positions(nil)
	by[0] = Deformation{[]float32{1}, [][16]float32{Matrix(r3.Vec{Z: 2}, quat.Number{Real: 1}), Matrix(r3.Vec{X: 4, Z: 2}, quarter)}}
	const dt = .125
	if err := s.Move(by, dt, 1); err != nil {
		t.Fatal(err)
	}
	for i, x := range before {
		want := r3.Add(x, r3.Vec{Z: 2})
		if x.Y == 1 { // morphed to x+.5; by the first joint that, by the second (4 - 1, x+.5)
			want = r3.Vec{X: (x.X + .5 + 3) / 2, Y: (1 + x.X + .5) / 2, Z: x.Z + 2}
		}
		if d := r3.Norm(r3.Sub(s.positions[i], want)); d > 1e-6 {
			t.Errorf("vertex %v goes to %v; want %v", x, s.positions[i], want)
		}
		if d := r3.Norm(r3.Sub(s.velocities[i], r3.Scale(1/dt, r3.Sub(want, x)))); d > 1e-5 {
			t.Errorf("vertex %v has velocity %v", x, s.velocities[i])
		}
	}
	there := s.Positions(nil)
	by[0] = Deformation{[]float32{1}, [][16]float32{Matrix(r3.Vec{Z: 3}, quat.Number{Real: 1}), Matrix(r3.Vec{X: 4, Z: 3}, quarter)}}
	if err := s.Move(by, dt, .25); err != nil {
		t.Fatal(err)
	}
	for i, x := range there {
		if d := r3.Norm(r3.Sub(s.positions[i], r3.Add(x, r3.Vec{Z: .25}))); d > 1e-6 || math.Abs(s.velocities[i].Z-2) > 1e-5 {
			t.Errorf("a quarter of the way up: from %v to %v at %v m/s", x, s.positions[i], s.velocities[i])
		}
	}
	if err := s.Jump(by); err != nil || math.Abs(s.positions[0].Z-there[0].Z-1) > 1e-6 || s.velocities[0] != (r3.Vec{}) {
		t.Errorf("%v: from %v it jumps to %v at %v m/s", err, there[0], s.positions[0], s.velocities[0])
	}
	if n := testing.AllocsPerRun(10, func() { _ = s.Move(by, dt, .5) }); n > 0 {
		t.Errorf("Move allocates %v times", n)
	}
}

// Whether a mesh is mirrored or inside out, the surface faces outward.
func TestModelSurfaceFacesOutward(t *testing.T) {
	mirror := still
	mirror[0] = -1
	inside := facedCube()
	for i := 0; i < len(inside.Indices); i += 3 {
		inside.Indices[i], inside.Indices[i+1] = inside.Indices[i+1], inside.Indices[i]
	}
	for name, c := range map[string]struct {
		mesh DeformableMesh
		by   [16]float32
	}{"mirrored": {facedCube(), mirror}, "inside out": {inside, still}} {
		s, err := NewModelSurface([]DeformableMesh{c.mesh}, []Deformation{{Matrices: [][16]float32{c.by}}})
		if err != nil || math.Abs(enclosed(s.positions, s.triangles)-1) > 1e-12 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelSurfaceRefusals(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(*DeformableMesh)
		want   string
	}{
		"open":   {func(m *DeformableMesh) { m.Indices = m.Indices[6:] }, "cube: the surface is open: 4 edges have one triangle"},
		"three":  {func(m *DeformableMesh) { m.Indices = append(m.Indices, m.Indices[:3]...) }, "3 edges have more than two triangles"},
		"turned": {func(m *DeformableMesh) { m.Indices[0], m.Indices[1] = m.Indices[1], m.Indices[0] }, "at 3 edges the two triangles do not face the same side"},
		"flat":   {func(m *DeformableMesh) { m.Indices = []uint32{0, 1, 2, 0, 2, 1} }, "encloses 0 m³"},
		"none":   {func(m *DeformableMesh) { m.Indices = nil; m.Positions = nil }, "no triangles"},
		"index":  {func(m *DeformableMesh) { m.Indices[4] = 24 }, "Indices[4] is 24; there are 24 vertices"},
		"number": {func(m *DeformableMesh) { m.Positions[7] = nan }, "Positions of vertex 2: NaN"},
		"length": {func(m *DeformableMesh) { m.Positions = m.Positions[:71] }, "Positions are 71 numbers"},
		"target": {func(m *DeformableMesh) { m.Targets = [][]float32{{1}} }, "Targets[0] are 1 numbers"},
		"joints": {func(m *DeformableMesh) { m.JointCount = 1 }, "Joints are 0; must be 4 for each of 24"},
		"joint":  {func(m *DeformableMesh) { m.JointCount, m.Joints = 1, make([]uint16, 96); m.Joints[5] = 1 }, "Joints of vertex 1: 1; there are 1"},
		"no weights": {func(m *DeformableMesh) {
			m.JointCount, m.Joints = 1, make([]uint16, 96)
			m.JointWeights = make([]float32, 96)
		}, "have the sum 0"},
	} {
		m := facedCube()
		c.change(&m)
		_, err := NewModelSurface([]DeformableMesh{m}, []Deformation{{Weights: make([]float32, len(m.Targets)), Matrices: [][16]float32{still}}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "adapter: NewModelSurface: cube: ") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := NewModelSurface(nil, nil); err == nil {
		t.Error("nothing has a surface")
	}
	s, err := NewModelSurface([]DeformableMesh{facedCube()}, []Deformation{{Matrices: [][16]float32{still}}})
	if err != nil {
		t.Fatal(err)
	}
	up := []Deformation{{Matrices: [][16]float32{Matrix(r3.Vec{Y: 1}, quat.Number{Real: 1})}}}
	if err := s.Move(up, .1, 1); err != nil {
		t.Fatal(err)
	}
	before := s.Positions(nil)
	bad := still
	bad[13] = nan
	if err := s.Move([]Deformation{{Matrices: [][16]float32{bad}}}, .1, 1); err == nil || !strings.Contains(err.Error(), "cube: vertex 0") {
		t.Error(err)
	}
	if !slices.Equal(before, s.positions) || s.velocities[0] != (r3.Vec{}) {
		t.Errorf("after an error the surface is at %v with %v m/s", s.positions[0], s.velocities[0])
	}
	for name, f := range map[string]func(){
		"dt":       func() { _ = s.Move(up, 0, 1) },
		"part":     func() { _ = s.Move(up, 1, 1.5) },
		"meshes":   func() { _ = s.Move(nil, 1, 1) },
		"weights":  func() { _ = s.Jump([]Deformation{{[]float32{1}, [][16]float32{still}}}) },
		"matrices": func() { _ = s.Jump([]Deformation{{}}) },
	} {
		func() {
			defer func() {
				if v, ok := recover().(string); !ok || !strings.HasPrefix(v, "adapter: ") {
					t.Errorf("%s: panic %q", name, v)
				}
			}()
			f()
		}()
	}
}

// What rounding has taken apart is joined; what lies further apart is a hole.
func TestModelSurfaceJoinsWhatRoundingTookApart(t *testing.T) {
	for apart, closed := range map[float32]bool{2e-6: true, 1e-4: false} {
		m := facedCube()
		for i := 0; i < 12; i += 3 { // of one face
			m.Positions[i] += 8
			m.Positions[i+1] += apart / 2
		}
		for i := 12; i < len(m.Positions); i += 3 {
			m.Positions[i] += 8
		}
		_, err := NewModelSurface([]DeformableMesh{m}, []Deformation{{Matrices: [][16]float32{still}}})
		if (err == nil) != closed {
			t.Errorf("%g apart: %v", apart, err)
		}
	}
}
