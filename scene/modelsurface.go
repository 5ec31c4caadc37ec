package scene

import (
	"errors"
	"fmt"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// ModelSurface is the surface of the meshes under a node, as their skeletons, morph targets and nodes have it: a control.Source, so that a liquid follows a character
// that the game animates. It is in the node's axes, with all scales: a Control that follows the node has it where the model is.
//
// A Control moves the surface before each step to what the meshes are then; it serves all Controls of one Liquid. A game that uses
// fluid.Liquid.AddControl itself calls Update before each step. Vertices are computed here as g3n's shaders compute them, some .1 ms for
// a thousand.
type ModelSurface struct {
	surface *adapter.ModelSurface
	node    core.INode
	meshes  []deformedMesh
	states  []adapter.Deformation // of meshes
	roots   []*core.Node          // of skeletons that are elsewhere than the node
}

// deformedMesh is a mesh and what deforms it, each nil if there is none.
type deformedMesh struct {
	mesh     *graphic.Mesh
	skeleton *graphic.Skeleton
	morph    *geometry.MorphGeometry
}

// NewModelSurface takes the meshes under a node, such as LoadModel's, as they are now. Vertices at one place at rest, but
// for rounding, are one if they deform alike, or if the surface is open otherwise.
//
// Each mesh must close a surface: an error names the mesh and says how many edges are open, or what else is wrong with it. g3n draws no
// more than eight morph targets of a mesh; one with more is refused.
func NewModelSurface(node core.INode) (*ModelSurface, error) {
	s := &ModelSurface{node: node}
	place := placeOf(node) // brings the world matrices up to date too
	var meshes []adapter.DeformableMesh
	for n := range under(node) {
		m, ok := deformedMeshOf(n)
		if !ok {
			continue
		}
		name := nameOf(n, len(meshes))
		d, err := m.buffers(name)
		if err != nil {
			return nil, fmt.Errorf("scene: NewModelSurface: %s: %w", name, err)
		}
		meshes, s.meshes = append(meshes, d), append(s.meshes, m)
		s.addRoots(m.skeleton)
	}
	if len(meshes) == 0 {
		return nil, errors.New("scene: NewModelSurface: no mesh")
	}
	s.states = make([]adapter.Deformation, len(meshes))
	s.read(&place)
	var err error
	if s.surface, err = adapter.NewModelSurface(meshes, s.states); err != nil {
		return nil, fmt.Errorf("scene: NewModelSurface: %w", errors.Unwrap(err)) // without the other package's name
	}
	return s, nil
}

// deformedMeshOf is the mesh that a node is, if it is one.
func deformedMeshOf(n core.INode) (m deformedMesh, ok bool) {
	switch g := n.(type) {
	case *graphic.RiggedMesh:
		m.mesh, m.skeleton = g.Mesh, g.Skeleton()
	case *graphic.Mesh:
		m.mesh = g
	default:
		return m, false
	}
	m.morph, _ = m.mesh.IGeometry().(*geometry.MorphGeometry)
	return m, true
}

// buffers are a mesh's.
func (m *deformedMesh) buffers(name string) (d adapter.DeformableMesh, err error) {
	g := m.mesh.GetGeometry()
	d = adapter.DeformableMesh{Name: name, Positions: attributeOf(g, gls.VertexPosition, 3)}
	if n := g.Indices(); len(n) > 0 {
		d.Indices = n
	}
	if m.morph != nil {
		targets, _ := m.morph.ActiveMorphTargets()
		if n := len(targets); n > geometry.MaxActiveMorphTargets {
			return d, fmt.Errorf("%d morph targets; must be at most %d", n, geometry.MaxActiveMorphTargets)
		}
		for _, t := range targets {
			difference := attributeOf(t, gls.VertexPosition, 3)
			if difference == nil {
				difference = make([]float32, len(d.Positions)) // it changes colours, say
			}
			d.Targets = append(d.Targets, difference)
		}
	}
	if m.skeleton != nil {
		d.JointCount = len(m.skeleton.Bones())
		for _, j := range attributeOf(g, gls.SkinIndex, 4) {
			d.Joints = append(d.Joints, uint16(max(0, min(j, 65535))))
		}
		d.JointWeights = attributeOf(g, gls.SkinWeight, 4)
	}
	return d, nil
}

// attributeOf reads an attribute of so many numbers per vertex out of a buffer that may hold more. It is nil if there is none.
func attributeOf(g *geometry.Geometry, kind gls.AttribType, count int) []float32 {
	v := g.VBO(kind)
	if v == nil {
		return nil
	}
	const size = 4 // bytes of a float32
	stride, first := v.StrideSize()/size, int(v.Attrib(kind).ByteOffset)/size
	all := *v.Buffer()
	if stride == count {
		return all
	}
	var values []float32
	for i := first; i+count <= len(all); i += stride {
		values = append(values, all[i:i+count]...)
	}
	return values
}

// addRoots notes the trees that a skeleton's joints are in, but for the node's own.
func (s *ModelSurface) addRoots(skeleton *graphic.Skeleton) {
	if skeleton == nil {
		return
	}
	own := topOf(s.node)
	for _, b := range skeleton.Bones() {
		top := topOf(b)
		known := top == own
		for _, r := range s.roots {
			known = known || r == top
		}
		if !known {
			s.roots = append(s.roots, top)
		}
	}
}

// topOf is the root of the tree that a node is in.
func topOf(node core.INode) *core.Node {
	n := node.GetNode()
	for n.Parent() != nil {
		n = n.Parent().GetNode()
	}
	return n
}

// read takes how the meshes are deformed, in the axes of a place.
func (s *ModelSurface) read(at *place) {
	for _, r := range s.roots {
		r.UpdateMatrixWorld()
	}
	back := quat.Conj(at.rotation)
	inverse := math32.Matrix4(adapter.Matrix(r3.Scale(-1, r3.Rotation(back).Rotate(at.origin)), back))
	for i := range s.meshes {
		m, state := &s.meshes[i], &s.states[i]
		state.Matrices = state.Matrices[:0]
		if m.skeleton != nil {
			for _, b := range m.skeleton.BoneMatrices(&inverse) {
				state.Matrices = append(state.Matrices, b)
			}
		} else {
			world := m.mesh.MatrixWorld()
			world.MultiplyMatrices(&inverse, &world)
			state.Matrices = append(state.Matrices, world)
		}
		if m.morph != nil {
			state.Weights = append(state.Weights[:0], m.morph.Weights()...)
		}
	}
}

// move takes the meshes as they are, a part of the way there, within dt seconds.
func (s *ModelSurface) move(dt, part float64) error {
	place := placeOf(s.node)
	s.read(&place)
	if err := s.surface.Move(s.states, dt, part); err != nil {
		return fmt.Errorf("scene: ModelSurface: %w", errors.Unwrap(err))
	}
	return nil
}

// Update takes the meshes as they are, to be reached within dt seconds, > 0, on straight ways. After an error, which says what is not finite or too far
// away, the surface stands where it was.
func (s *ModelSurface) Update(dt float64) error { return s.move(dt, 1) }

// Jump takes the meshes as they are, without velocities: after the animation has been changed for another. Errors are those of Update. With
// LiquidOptions.Async it is for BeforeStep and BetweenSteps.
func (s *ModelSurface) Jump() error {
	place := placeOf(s.node)
	s.read(&place)
	if err := s.surface.Jump(s.states); err != nil {
		return fmt.Errorf("scene: ModelSurface: %w", errors.Unwrap(err))
	}
	return nil
}

// At fills m with the surface as it is, whatever the time.
func (s *ModelSurface) At(t float64, m *control.Mesh) { s.surface.At(t, m) }

// Duration is 0: it has no end.
func (s *ModelSurface) Duration() float64 { return 0 }

// RealTime is true: its velocities are by the game's clock, whatever the speed at which it is played.
func (s *ModelSurface) RealTime() bool { return true }
