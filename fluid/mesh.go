package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// MeshOptions says how to take a mesh; the zero value suits a closed mesh of a few thousand triangles.
type MeshOptions struct {
	// MaxOpen is the largest [Mesh.Open] taken, in (0, 1]; 0 means 0.15. Raise it for
	// meshes with large holes, which are then closed by a sagging surface.
	MaxOpen float64

	// Resolution, if > 0, bakes the mesh into a grid of that many cells along the longest side of its box, at most 400: as cheap to evaluate as a few
	// boxes whatever the number of triangles, but edges are rounded by half a cell and parts thinner than a cell are lost. 0 keeps the triangles. See
	// [Bake].
	Resolution int
}

// Mesh is a solid bounded by triangles. It does not change once made; all methods are safe for concurrent calls.
type Mesh struct {
	mesh shapes.Mesh
}

// NewMesh makes a solid from triangles as games have them.
//
// vertices:  m; equal ones, within 10⁻⁶ of the box diagonal, are taken as one.
// triangles: three indices into vertices each; the orientation does not matter.
//
// Repeated faces are dropped. Connected faces are oriented alike, and pieces so that they point outwards; a closed piece within another is a cavity
// if it was given the other way round than that one, and solid otherwise. Overlapping pieces are one solid. Walls inside the solid and fins outside
// it do not count. Inside is where the generalised winding number exceeds ½ (Jacobson et al. 2013, in the fast form of Barill et al. 2018), so small
// holes are closed by a surface across them. Across a hole the distance is an estimate, continuous and right in sign, whose slope may exceed 1 near
// the rim; with parts that overlap, it may be told too short inside.
//
// NewMesh returns an error that names what is wrong: a vertex that is not finite or beyond 10⁹ m, an index out of range, fewer than 4 or more than
// 4 194 304 triangles, a mesh less than 1 µm across, more than 4096 closed pieces, a mesh more open than MaxOpen, no volume, or bad options. It takes
// about 10 µs a triangle.
func NewMesh(vertices []r3.Vec, triangles [][3]int32, opts MeshOptions) (*Mesh, error) {
	mesh, err := shapes.NewMesh(vertices, triangles, opts.MaxOpen, opts.Resolution)
	if err != nil {
		return nil, fmt.Errorf("fluid: NewMesh: %w", err)
	}
	return &Mesh{mesh}, nil
}

// inner is the mesh as package shapes knows it, or nil.
func (m *Mesh) inner() *shapes.Mesh {
	if m == nil {
		return nil
	}
	return &m.mesh
}

// Eval writes signed distances (m, negative inside), as [SDF] says. It does not allocate. Points near one another in a batch make each other cheaper.
func (m *Mesh) Eval(dst []float32, pts []r3.Vec) { m.inner().Eval(dst, pts) }

// Bounds is the box of the mesh, m; a baked mesh's is a cell larger on every side.
func (m *Mesh) Bounds() r3.Box { return m.inner().Bounds() }

// Validate reports a mesh that was not made by [NewMesh].
func (m *Mesh) Validate() error { return m.inner().Validate() }

// Volume is the enclosed volume, m³, by the divergence theorem: holes count as closed by
// cones to the middle of the box, and where pieces overlap the overlap counts twice.
func (m *Mesh) Volume() float64 { return m.inner().Volume() }

// Open is how open the mesh is: 0 when closed, 1 for a lone sheet, in between about the share of the surface that is missing.
//
// It is the mean over the surface of twice the share of all directions that look through a hole, which is how far the winding numbers on both sides
// of a face are from integers; a hole hidden inside another piece thus hardly counts, and loose sheets count in full.
func (m *Mesh) Open() float64 { return m.inner().Open() }

// Triangles is how many triangles are in use, after repeated and flat ones are dropped.
func (m *Mesh) Triangles() int { return m.inner().Triangles() }
