package shapes

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/meshsdf"
)

// defaultMaxOpen accepts a cube with a missing triangle (0.09) and the open patches of a
// teapot (0.07), but not a cube without a lid (0.2), which may be a solid or a cup.
const defaultMaxOpen = 0.15

// maxMeshResolution keeps a baked cube within the limit of [Bake].
const maxMeshResolution = 400

// Mesh is a solid bounded by triangles, immutable.
type Mesh struct {
	solid *meshsdf.Solid
	grid  *gridSDF // or nil
}

// NewMesh returns a solid made of triangles, as package fluid documents it. maxOpen and resolution are those of MeshOptions.
func NewMesh(vertices []r3.Vec, triangles [][3]int32, maxOpen float64, resolution int) (m Mesh, err error) {
	if maxOpen == 0 {
		maxOpen = defaultMaxOpen
	}
	if !(maxOpen > 0 && maxOpen <= 1) {
		return Mesh{}, fmt.Errorf("MaxOpen is %v; it must be in (0, 1], or 0 for %v", maxOpen, defaultMaxOpen)
	}
	if resolution < 0 || resolution > maxMeshResolution {
		return Mesh{}, fmt.Errorf("Resolution is %d; it must be in [0, %d]", resolution, maxMeshResolution)
	}
	if m.solid, err = meshsdf.New(vertices, triangles, maxOpen); err != nil {
		return Mesh{}, err
	}
	if resolution > 0 {
		size := m.solid.Bounds().Size()
		cell := max(size.X, size.Y, size.Z) / float64(resolution)
		if m.grid, err = bake(m.solid, cell); err != nil {
			return Mesh{}, fmt.Errorf("Resolution %d: %w", resolution, err)
		}
	}
	return m, nil
}

// Eval sets dst to the signed distances. It does not allocate.
func (m *Mesh) Eval(dst []float32, pts []r3.Vec) {
	switch {
	case m.Validate() != nil:
		noShape{}.Eval(dst, pts)
	case m.grid != nil:
		m.grid.Eval(dst, pts)
	default:
		m.solid.Eval(dst, pts)
	}
}

// Bounds returns the box of the mesh, m; that of a baked mesh is a cell larger on every side.
func (m *Mesh) Bounds() r3.Box {
	switch {
	case m.Validate() != nil:
		return r3.Box{}
	case m.grid != nil:
		return m.grid.Bounds()
	}
	return m.solid.Bounds()
}

// Validate returns an error if the mesh was not made by [NewMesh].
func (m *Mesh) Validate() error {
	if m == nil || m.solid == nil {
		return errors.New("Mesh: not made by NewMesh")
	}
	return nil
}

// Volume returns the enclosed volume, m³, or 0 for an invalid mesh.
func (m *Mesh) Volume() float64 {
	if m.Validate() != nil {
		return 0
	}
	return m.solid.Volume()
}

// Open returns how open the mesh is, from 0 to 1, or NaN for an invalid mesh.
func (m *Mesh) Open() float64 {
	if m.Validate() != nil {
		return math.NaN()
	}
	return m.solid.Open()
}

// Triangles returns the number of triangles, without repeated and degenerate ones.
func (m *Mesh) Triangles() int {
	if m.Validate() != nil {
		return 0
	}
	return m.solid.Triangles()
}
