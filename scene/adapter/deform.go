package adapter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// DeformableMesh is a mesh as an engine's buffers have it, and what it can be deformed with.
type DeformableMesh struct {
	Name      string    // for errors
	Positions []float32 // at rest: xyz per vertex, in the mesh's axes
	Indices   []uint32  // three per triangle, or nil if every three vertices are one
	// Targets are morph targets: what is added to Positions if a target has the weight 1.
	Targets [][]float32
	// JointCount is how many joints the mesh's skeleton has, 0 without one. Of each vertex Joints are the four that move it, and JointWeights
	// how much: parts of their sum.
	JointCount   int
	Joints       []uint16
	JointWeights []float32
}

// Deformation is how a mesh is deformed at one time.
type Deformation struct {
	Weights []float32 // of the targets
	// Matrices lead from the mesh's axes at rest to those of the surface, column-major: of each joint that of the joint times its inverse
	// bind matrix. Without a skeleton there is one.
	Matrices [][16]float32
}

// influences is how many joints move a vertex.
const influences = 4

// deformable is a mesh whose vertices are joined, so that its triangles close a surface.
type deformable struct {
	name      string
	rest      []r3.Vec
	targets   [][]r3.Vec
	joints    [][influences]uint16 // nil without a skeleton
	weights   [][influences]float64
	matrices  int
	triangles [][3]int32
}

// newDeformable joins the vertices that lie at one place at rest: those that deform alike, or, as long as the surface is open then, all, or
// all that lie as near to each other as rounding takes them apart.
func newDeformable(m *DeformableMesh) (*deformable, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var open error
	for _, keyOf := range []func([]byte, int) []byte{m.keyOfAll, m.keyOfPlace, nil} {
		if keyOf == nil {
			keyOf = m.keyOfNeighbour(m.neighbours())
		}
		d, err := m.joined(keyOf)
		if err != nil {
			return nil, err
		}
		if open = checkEdges(d.triangles); open == nil {
			return d, nil
		}
	}
	return nil, open
}

// check returns an error if buffers do not fit each other, or have what is no number.
func (m *DeformableMesh) check() error {
	n := len(m.Positions) / 3
	numbers := func(what string, v []float32, per int) error {
		if len(v) != per*n {
			return fmt.Errorf("%s are %d numbers; must be %d for each of %d vertices", what, len(v), per, n)
		}
		for i, x := range v {
			if x := float64(x); math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%s of vertex %d: %v; must be finite", what, i/per, x)
			}
		}
		return nil
	}
	if err := numbers("Positions", m.Positions, 3); err != nil {
		return err
	}
	for i, t := range m.Targets {
		if err := numbers(fmt.Sprintf("Targets[%d]", i), t, 3); err != nil {
			return err
		}
	}
	if m.JointCount == 0 {
		return nil
	}
	if len(m.Joints) != influences*n {
		return fmt.Errorf("Joints are %d; must be %d for each of %d vertices", len(m.Joints), influences, n)
	}
	for i, j := range m.Joints {
		if int(j) >= m.JointCount {
			return fmt.Errorf("Joints of vertex %d: %d; there are %d", i/influences, j, m.JointCount)
		}
	}
	if err := numbers("JointWeights", m.JointWeights, influences); err != nil {
		return err
	}
	for i := range n {
		if sum := m.weightSum(i); !(sum > 0) {
			return fmt.Errorf("JointWeights of vertex %d have the sum %v; must be > 0", i, sum)
		}
	}
	return nil
}

func (m *DeformableMesh) weightSum(vertex int) (sum float64) {
	for _, w := range m.JointWeights[influences*vertex : influences*(vertex+1)] {
		sum += float64(w)
	}
	return sum
}

// keyOfPlace appends what vertices at one place have in common.
func (m *DeformableMesh) keyOfPlace(key []byte, vertex int) []byte {
	return appendFloats(key, m.Positions[3*vertex:3*vertex+3])
}

// keyOfAll appends what vertices at one place that deform alike have in common.
func (m *DeformableMesh) keyOfAll(key []byte, vertex int) []byte {
	key = m.keyOfPlace(key, vertex)
	for _, t := range m.Targets {
		key = appendFloats(key, t[3*vertex:3*vertex+3])
	}
	if m.JointCount > 0 {
		for _, j := range m.Joints[influences*vertex : influences*(vertex+1)] {
			key = binary.LittleEndian.AppendUint16(key, j)
		}
		key = appendFloats(key, m.JointWeights[influences*vertex:influences*(vertex+1)])
	}
	return key
}

// keyOfNeighbour is keyOfPlace for vertices that neighbours has joined.
func (m *DeformableMesh) keyOfNeighbour(first []int32) func([]byte, int) []byte {
	return func(key []byte, vertex int) []byte {
		return binary.LittleEndian.AppendUint32(key, uint32(first[vertex]))
	}
}

// rounding is how far from each other vertices may lie to be one that rounding has taken apart, in parts of the largest coordinate: sine and cosine of a whole
// turn in float32 miss those of none by 2e-7.
const rounding = 2e-6

// neighbours lists, for each vertex, the first one that lies as near as rounding.
func (m *DeformableMesh) neighbours() []int32 {
	largest := 0.0
	for _, x := range m.Positions {
		largest = max(largest, math.Abs(float64(x)))
	}
	near := rounding * largest
	cell := func(x float64) int64 { return int64(math.Floor(x / (2 * near))) }
	first := make([]int32, len(m.Positions)/3)
	cells := map[[3]int64][]int32{} // the vertices that are the first of theirs; only looked up, never ranged over
	for i := range first {
		p := vectorOf(m.Positions, i)
		first[i] = int32(i)
		at := [3]int64{cell(p.X), cell(p.Y), cell(p.Z)}
	search:
		for k := range 27 {
			for _, other := range cells[[3]int64{at[0] + int64(k%3) - 1, at[1] + int64(k/3%3) - 1, at[2] + int64(k/9) - 1}] {
				if r3.Norm(r3.Sub(p, vectorOf(m.Positions, int(other)))) <= near {
					first[i] = other
					break search
				}
			}
		}
		if first[i] == int32(i) {
			cells[at] = append(cells[at], int32(i))
		}
	}
	return first
}

func appendFloats(key []byte, v []float32) []byte {
	for _, x := range v {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(x+0)) // -0 is 0
	}
	return key
}

// joined is the mesh with one vertex for each key. Triangles with two corners at one vertex are left out.
func (m *DeformableMesh) joined(keyOf func(key []byte, vertex int) []byte) (*deformable, error) {
	d := &deformable{name: m.Name, targets: make([][]r3.Vec, len(m.Targets)), matrices: max(1, m.JointCount)}
	n, count := len(m.Positions)/3, len(m.Indices)
	if m.Indices == nil {
		count = n
	}
	vertexOf := make([]int32, n) // counted from 1
	known := map[string]int32{}  // only looked up, never ranged over
	var key []byte
	for i := 0; i+2 < count; i += 3 {
		var t [3]int32
		for k := range t {
			v := i + k
			if m.Indices != nil {
				v = int(m.Indices[v])
			}
			if v >= n {
				return nil, fmt.Errorf("Indices[%d] is %d; there are %d vertices", i+k, v, n)
			}
			if vertexOf[v] == 0 {
				key = keyOf(key[:0], v)
				if known[string(key)] == 0 {
					m.addTo(d, v)
					known[string(key)] = int32(len(d.rest))
				}
				vertexOf[v] = known[string(key)]
			}
			t[k] = vertexOf[v] - 1
		}
		if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			d.triangles = append(d.triangles, t)
		}
	}
	if len(d.triangles) == 0 {
		return nil, errors.New("no triangles")
	}
	return d, nil
}

// addTo adds a vertex to a deformable.
func (m *DeformableMesh) addTo(d *deformable, vertex int) {
	d.rest = append(d.rest, vectorOf(m.Positions, vertex))
	for i, t := range m.Targets {
		d.targets[i] = append(d.targets[i], vectorOf(t, vertex))
	}
	if m.JointCount == 0 {
		return
	}
	sum := m.weightSum(vertex)
	var weights [influences]float64
	for k := range weights {
		weights[k] = float64(m.JointWeights[influences*vertex+k]) / sum
	}
	d.joints = append(d.joints, [influences]uint16(m.Joints[influences*vertex:]))
	d.weights = append(d.weights, weights)
}

func vectorOf(xyz []float32, i int) r3.Vec {
	return r3.Vec{X: float64(xyz[3*i]), Y: float64(xyz[3*i+1]), Z: float64(xyz[3*i+2])}
}

// checkEdges returns an error if triangles don't close a surface whose two sides can be told apart.
func checkEdges(triangles [][3]int32) error {
	count := make(map[[2]int32]int, 3*len(triangles)) // by direction
	for _, t := range triangles {
		for k := range t {
			count[[2]int32{t[k], t[(k+1)%3]}]++
		}
	}
	open, crowded, twisted := 0, 0, 0
	for e, n := range count {
		back := count[[2]int32{e[1], e[0]}]
		if back > 0 && e[0] > e[1] {
			continue // seen from its other end
		}
		switch {
		case n+back == 1:
			open++
		case n+back > 2:
			crowded++
		case n != back:
			twisted++
		}
	}
	switch {
	case open > 0:
		return fmt.Errorf("the surface is open: %d edges have one triangle; each must have two", open)
	case crowded > 0:
		return fmt.Errorf("%d edges have more than two triangles; each must have two", crowded)
	case twisted > 0:
		return fmt.Errorf("at %d edges the two triangles do not face the same side", twisted)
	}
	return nil
}

// deform writes where the vertices are: morphed, then moved by each joint, of which the weighted mean counts.
func (d *deformable) deform(dst []r3.Vec, by *Deformation) {
	if len(by.Weights) != len(d.targets) || len(by.Matrices) != d.matrices {
		panic(fmt.Sprintf("adapter: ModelSurface: %d weights and %d matrices for mesh %q; it has %d targets and needs %d matrices",
			len(by.Weights), len(by.Matrices), d.name, len(d.targets), d.matrices))
	}
	for i, x := range d.rest {
		for k, t := range d.targets {
			x = r3.Add(x, r3.Scale(float64(by.Weights[k]), t[i]))
		}
		if d.joints == nil {
			dst[i] = transformed(&by.Matrices[0], x)
			continue
		}
		var sum r3.Vec
		for k, j := range d.joints[i] {
			if w := d.weights[i][k]; w != 0 {
				sum = r3.Add(sum, r3.Scale(w, transformed(&by.Matrices[j], x)))
			}
		}
		dst[i] = sum
	}
}

// transformed is a place moved by a matrix, column-major.
func transformed(m *[16]float32, v r3.Vec) r3.Vec {
	row := func(i int) float64 {
		return float64(m[i])*v.X + float64(m[i+4])*v.Y + float64(m[i+8])*v.Z + float64(m[i+12])
	}
	return r3.Vec{X: row(0), Y: row(1), Z: row(2)}
}
