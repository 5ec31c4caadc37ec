package fluid

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/meshsdf"
)

// defaultMaxOpen takes a cube with a missing triangle (0.09) and the open patches of a
// teapot (0.07), but no cube without a lid (0.2): whether that is a solid or a cup, no one can tell.
const defaultMaxOpen = 0.15

// maxMeshResolution keeps a baked cube within [Bake]'s limit.
const maxMeshResolution = 400

// MeshOptions says how to take a mesh; the zero value suits a closed mesh of a few
// thousand triangles.
type MeshOptions struct {
	// MaxOpen is the largest [Mesh.Open] taken, in (0, 1]; 0 means 0.15. Raise it for
	// meshes with large holes, which are then closed by a sagging surface.
	MaxOpen float64

	// Resolution, if > 0, bakes the mesh into a grid of that many cells along the longest
	// side of its box, at most 400: as cheap to evaluate as a few boxes whatever the
	// number of triangles, but edges are rounded by half a cell and parts thinner than a
	// cell are lost. 0 keeps the triangles. See [Bake].
	Resolution int
}

// Mesh is a solid bounded by triangles. It does not change once made; all methods are
// safe for concurrent calls.
type Mesh struct {
	solid *meshsdf.Solid
	grid  *gridSDF // or nil
}

// NewMesh makes a solid from triangles as games have them.
//
// vertices:  m; equal ones, within 10⁻⁶ of the box diagonal, are taken as one.
// triangles: three indices into vertices each; the orientation does not matter.
//
// Repeated faces are dropped. Connected faces are oriented alike, and pieces so that they
// point outwards; a closed piece within another is a cavity if it was given the other way
// round than that one, and solid otherwise. Overlapping pieces are one solid. Walls inside
// the solid and fins outside it do not count. Inside is where the generalised winding
// number exceeds ½ (Jacobson et al. 2013, in the fast form of Barill et al. 2018), so small
// holes are closed by a surface across them. Across a hole the distance is an estimate,
// continuous and right in sign, whose slope may exceed 1 near the rim; with parts that
// overlap, it may be told too short inside.
//
// NewMesh returns an error that names what is wrong: a vertex that is not finite or
// beyond 10⁹ m, an index out of range, fewer than 4 or more than 4 194 304 triangles, a
// mesh less than 1 µm across, more than 4096 closed pieces, a mesh more open than
// MaxOpen, no volume, or bad options. It takes about 10 µs a triangle.
func NewMesh(vertices []r3.Vec, triangles [][3]int32, opts MeshOptions) (*Mesh, error) {
	if opts.MaxOpen == 0 {
		opts.MaxOpen = defaultMaxOpen
	}
	if !(opts.MaxOpen > 0 && opts.MaxOpen <= 1) {
		return nil, fmt.Errorf("fluid: NewMesh: MaxOpen is %v; it must be in (0, 1], or 0 for %v", opts.MaxOpen, defaultMaxOpen)
	}
	if opts.Resolution < 0 || opts.Resolution > maxMeshResolution {
		return nil, fmt.Errorf("fluid: NewMesh: Resolution is %d; it must be in [0, %d]", opts.Resolution, maxMeshResolution)
	}
	solid, err := meshsdf.New(vertices, triangles, opts.MaxOpen)
	if err != nil {
		return nil, fmt.Errorf("fluid: NewMesh: %w", err)
	}
	m := &Mesh{solid: solid}
	if opts.Resolution > 0 {
		size := solid.Bounds().Size()
		cell := max(size.X, size.Y, size.Z) / float64(opts.Resolution)
		if m.grid, err = bake(solid, cell); err != nil {
			return nil, fmt.Errorf("fluid: NewMesh: Resolution %d: %w", opts.Resolution, err)
		}
	}
	return m, nil
}

// Eval writes signed distances (m, negative inside), as [SDF] says. It does not allocate.
// Points near one another in a batch make each other cheaper.
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

// Bounds is the box of the mesh, m; a baked mesh's is a cell larger on every side.
func (m *Mesh) Bounds() r3.Box {
	switch {
	case m.Validate() != nil:
		return r3.Box{}
	case m.grid != nil:
		return m.grid.Bounds()
	}
	return m.solid.Bounds()
}

// Validate reports a mesh that was not made by [NewMesh].
func (m *Mesh) Validate() error {
	if m == nil || m.solid == nil {
		return errors.New("Mesh: not made by NewMesh")
	}
	return nil
}

// Volume is the enclosed volume, m³, by the divergence theorem: holes count as closed by
// cones to the middle of the box, and where pieces overlap the overlap counts twice.
func (m *Mesh) Volume() float64 {
	if m.Validate() != nil {
		return 0
	}
	return m.solid.Volume()
}

// Open is how open the mesh is: 0 when closed, 1 for a lone sheet, in between about the
// share of the surface that is missing.
//
// It is the mean over the surface of twice the share of all directions that look through
// a hole, which is how far the winding numbers on both sides of a face are from integers;
// a hole hidden inside another piece thus hardly counts, and loose sheets count in full.
func (m *Mesh) Open() float64 {
	if m.Validate() != nil {
		return math.NaN()
	}
	return m.solid.Open()
}

// Triangles is how many triangles are in use, after repeated and flat ones are dropped.
func (m *Mesh) Triangles() int {
	if m.Validate() != nil {
		return 0
	}
	return m.solid.Triangles()
}
