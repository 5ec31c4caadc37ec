// Package boundary moves liquid that is known by its surface alone: closed triangle meshes with a velocity per face, whose inside has neither divergence nor curl but for a rotation as a whole. It needs no grid. It
// stands on the integrals of package bem and on the surfaces of package trimesh.
//
// The velocity of a face is that of the liquid at its centroid. Lengths are in m, masses in kg, times in s.
//
// Sources: Da, Hahn, Batty, Wojtan, Grinspun 2016, Surface-Only Liquids (SOL); Brochu 2006, chapters 4 and 5.
package boundary

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// What can be wrong with an input.
var (
	ErrNotFinite = errors.New("boundary: not finite")
	ErrSurface   = errors.New("boundary: the surface can't be added")
	ErrFaces     = errors.New("boundary: too many faces")
	ErrMaterial  = errors.New("boundary: the material, the edge or the time step is out of range")
)

// Material is what the liquid is.
type Material struct {
	Density      float64 // kg/m³, > 0
	Viscosity    float64 // Pa·s
	Tension      float64 // N/m
	ContactAngle float64 // rad, with solids, within the liquid
}

// Liquid is any number of pieces of liquid, each within one closed surface, or one and those of the bubbles in it.
type Liquid struct {
	Material
	Edge      float64 // wanted length of edges, m, > 0
	MostFaces int     // of a piece: one with more is refused, and edges grow longer where one comes near it; 0, and at most: 1600, which package bem takes pair by pair
	// Tracker moves the surface, which is its Mesh. The labels of triangles are those that Add was given.
	Tracker trimesh.Tracker

	pool     *par.Pool
	velocity []r3.Vec // of each face, m/s
	volumes  trimesh.Pieces
	seen     trimesh.Pieces // of dropInverted
	origin   []int32
	regions  []region
	pieces   []Piece
	impulses []Impulse
	work     []workspace // of each worker
	step     stepInput
	motion   motion
	carry    carry
	follower follower
	coupling coupling
	solids   Solids
	contacts []Contact     // of each vertex
	free     []bool        // vertices that no solid holds
	gained   []rigidMotion // what each body's velocity has changed by in the step
	struck   []int32       // regions that collisions have changed
	before   State
	scratch  trimesh.Mesh // of Add
	pairs    [][2]int32
	kept     []bool
	onWay    trimesh.VelocityField // velocityOnWay, made once
}

// directFaces is the most faces of a piece.
const directFaces = 1600

// New returns liquid without any piece. pool shares the work on pieces; the results have the same bits for any number of workers.
func New(pool *par.Pool) *Liquid {
	return &Liquid{pool: pool, work: make([]workspace, pool.Workers())}
}

// Piece is a connected piece of the liquid, with the bubbles in it.
type Piece struct {
	Label    int32
	Faces    int
	Volume   float64 // m³
	Area     float64 // m²
	Centre   r3.Vec  // of mass
	Velocity r3.Vec  // mean, of mass, m/s
	Spin     r3.Vec  // angular velocity of the rigid motion with the same angular momentum, rad/s
	Box      r3.Box
}

// StepReport says how a step went.
type StepReport struct {
	Track trimesh.TrackReport
	// Merged and Parted are how many pieces fewer and more there are by changes of the topology.
	Merged, Parted int
	// Removed is the volume, m³, of pieces that were removed for being tiny and that had no other to go to.
	Removed float64
	// Unsolved is how many pieces moved without a pressure, since package bem refused their surface, and Unsolvable why the last of them did.
	Unsolved   int
	Unsolvable error
	// Wetted is how many faces lie on solids at the end.
	Wetted   int
	Substeps int
}

// check returns an error that names what of the parameters is out of range.
func (l *Liquid) check(dt float64) error {
	for _, p := range []struct {
		name   string
		v      float64
		lo, hi float64
	}{
		{"Density", l.Density, math.SmallestNonzeroFloat32, math.MaxFloat32}, {"Viscosity", l.Viscosity, 0, math.MaxFloat32}, {"Tension", l.Tension, 0, math.MaxFloat32},
		{"ContactAngle", l.ContactAngle, 0, math.Pi}, {"Edge", l.Edge, math.SmallestNonzeroFloat32, math.MaxFloat32}, {"dt", dt, 0, math.MaxFloat32},
	} {
		if !(p.v >= p.lo && p.v <= p.hi) {
			return fmt.Errorf("%w: %s is %g; must be from %g to %g", ErrMaterial, p.name, p.v, p.lo, p.hi)
		}
	}
	return nil
}

// finite returns an error unless all vectors are.
func finite(what string, v []r3.Vec) error {
	for i, x := range v {
		if !geom.FiniteVec(x) {
			return fmt.Errorf("%w: %s %d is %v", ErrNotFinite, what, i, x)
		}
	}
	return nil
}
