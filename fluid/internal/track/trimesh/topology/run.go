// Package topology has small runs in which a surface changes its topology: shapes that are carried by a flow that is given, and by tension, while every piece
// keeps its volume. As in its source there is no liquid in them, only a surface.
//
// Source: Brochu 2006, section 4.4 and chapter 6.
package topology

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Lengths of a run, in its edges.
const (
	mergeNear = .35  // across the outside
	mergeThin = .25  // across the inside: a sheet stays while its triangles still show it
	cutThin   = .35  // a tube with three such edges around it is cut
	tiny      = .01  // cubes of an edge: what is removed
	near      = .03  // how near surfaces come that may not merge
	mostShift = .2   // of a correction of volume
	mostMove  = .2   // of the flow in a step
	mostPull  = .05  // squares of an edge: of tension in a step, so that ripples of the shortest edges do not grow
	mostCurve = 4.   // by edge: curvatures beyond it are those of one bad triangle
	keptTo    = 1e-9 // of its volume: what each piece is kept to
	mostTries = 6    // corrections of volume in a step, where collisions stand in the way
)

// Flow writes the velocities of vertices that are at some places at a time. With the number of a vertex the run knows its piece: see PieceOf.
type Flow func(r *Run, dst, at []r3.Vec, time float64)

// Run is a surface on its way.
type Run struct {
	Tracker trimesh.Tracker
	// Pieces have the volumes that are kept. What is removed for being tiny goes to the nearest piece.
	Pieces trimesh.Pieces
	// Flow carries the surface, m/s; nil: nothing does. Fastest is its greatest speed.
	Flow    Flow
	Fastest float64
	// Mobility is the speed by curvature that tension gives, m²/s.
	Mobility float64
	// Steer, if it is not nil, changes the run before each step.
	Steer func(r *Run)
	// Time is how long it has gone, s.
	Time float64

	edge    float64
	tension trimesh.Tension
	normals trimesh.Measures
}

// StepReport says how a step went.
type StepReport struct {
	trimesh.TrackReport
	// Off is by which part of its target the volume of a piece is off at most.
	Off float64
	// Corrections is how often volumes were corrected.
	Corrections int
}

// NewRun is a run of shapes that do not meet, of edges of a length, m.
func NewRun(edge float64, shapes ...Shape) *Run {
	r := &Run{edge: edge}
	t := &r.Tracker
	for _, s := range shapes {
		first := int32(len(t.Mesh.Position))
		for _, x := range s.Position {
			t.Mesh.AddVertex(x, 0)
		}
		for _, v := range s.Triangle {
			t.Mesh.AddTriangle(first+v[0], first+v[1], first+v[2], s.Label)
		}
	}
	t.Mesh.Compact()
	t.Length = func(dst []float64, _ []r3.Vec) {
		for i := range dst {
			dst[i] = edge
		}
	}
	t.MergeNear, t.MergeThin, t.CutThin, t.Tiny = mergeNear*edge, mergeThin*edge, cutThin*edge, tiny*edge*edge*edge
	t.Mover.Near = near * edge
	r.Pieces.Begin(&t.Mesh)
	return r
}

// PieceOf is the piece that a vertex was of at the end of the last step.
func (r *Run) PieceOf(v int) *trimesh.Piece { return &r.Pieces.Piece[r.Tracker.Mesh.Origin[v]] }

// Advance goes one step on, as long as flow and tension allow.
func (r *Run) Advance() StepReport {
	if r.Steer != nil {
		r.Steer(r)
	}
	return r.Step(r.longestStep())
}

// longestStep is in s.
func (r *Run) longestStep() float64 {
	dt := math.Inf(1)
	if r.Flow != nil {
		dt = mostMove * r.edge / r.Fastest
	}
	if r.Mobility > 0 {
		dt = min(dt, mostPull*r.edge*r.edge/r.Mobility)
	}
	return dt
}

// Step goes on by dt, s, and gives every piece its volume back.
func (r *Run) Step(dt float64) (out StepReport) {
	m := &r.Tracker.Mesh
	out.TrackReport = r.Tracker.Step(r.velocity, r.Time, dt)
	r.Time += dt
	r.Pieces.Follow(m)
	r.Pieces.Adopt(m)
	// Repulsions would change volumes again: a correction goes on until something collides.
	repels := r.Tracker.Mover.Near
	r.Tracker.Mover.Near = 0
	for out.Off = r.off(); out.Off > keptTo && out.Corrections < mostTries; out.Off = r.off() {
		r.Pieces.CorrectExactly(m, nil, mostShift*r.edge)
		r.Tracker.Mover.Move(m, dt)
		r.Pieces.Follow(m)
		out.Corrections++
	}
	r.Tracker.Mover.Near = repels
	return out
}

// off is by which part of its target a piece's volume is off at most.
func (r *Run) off() (off float64) {
	for i := range r.Pieces.Piece {
		p := &r.Pieces.Piece[i]
		off = max(off, math.Abs(p.Volume-p.Target)/math.Abs(p.Target))
	}
	return off
}

// velocity is that of flow and tension.
func (r *Run) velocity(dst, at []r3.Vec, time float64) {
	clear(dst)
	if r.Flow != nil {
		r.Flow(r, dst, at, time)
	}
	if r.Mobility <= 0 {
		return
	}
	m := &r.Tracker.Mesh
	r.tension.Pull(r.Tracker.Mover.Pool, m, at, nil)
	r.normals.Measure(r.Tracker.Mover.Pool, m, at)
	most := mostCurve / r.edge
	for v := range dst {
		n := r.normals.Normal[v]
		if size := reproducible.Norm(n); size > 0 {
			curvature := max(-most, min(most, r.tension.Curvature[v]))
			dst[v] = r3.Sub(dst[v], reproducible.Scale(float64(r.Mobility*curvature)/size, n))
		}
	}
}

// Euler is the Euler characteristic of the surface: 2 for each sphere, 0 for a torus.
func (r *Run) Euler() int {
	m := &r.Tracker.Mesh
	used := 0
	for _, list := range m.VertexTriangles {
		if len(list) > 0 {
			used++
		}
	}
	return used - m.Edges() + m.Triangles()
}
