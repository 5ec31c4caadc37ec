// Package pressure makes the liquid incompressible and moves the rigid bodies in it, in
// one symmetric positive definite solve.
//
// Unknown is the pressure impulse π = dt·p per row, Pa·s:
//
//	(L + Kᵀ W K) π = Q - D u* - Kᵀ V*,   u = u* - Δπ/(ρ d),   V = V* + W K π,
//
// with W the inverse mass, reduced by the joints and by the contacts that press (Klingner
// et al. 2006 §3.4; Batty, Bertails, Bridson 2007; Ng, Min, Gibou 2009).
package pressure

import (
	"errors"

	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Options bound a solve.
type Options struct {
	Tolerance     float64 // of the residual against the right-hand side
	MaxIterations int
	Deadline      func() bool // true ends the solve once that is of use; may be nil
	// Apart, if not nil, is the components in place of those that Prepare found: those that are left where held faces part them.
	Apart *graph.Components
	// Tension says that the air's pressures, Jump, are of surface tension.
	Tension bool
	// Again says that Solve has been called for this graph and these bodies, which are as they were before it but for the liquid's impulse.
	Again bool
	// Method is how the multigrid is made; the zero value takes the graph's Levels, or aggregates rows by the matrix where there are none.
	Method amg.Method
}

// Report says how a solve went.
type Report struct {
	Iterations int
	Residual   float64 // true, relative
	Nonzeros   int     // diagonal and upper triangle
	Components int
	Converged  bool
}

// Usable tells whether a solve that returned err has applied what it found.
func Usable(err error) bool { return solved(err) }

// Solver holds the scratch of a solve.
type Solver struct {
	pool   *par.Pool
	amg    *amg.Solver
	matrix amg.Matrix
	levels []amg.Level
	k      amg.Coupling
	mass   mass

	equations graph.Equations
	rhs       []float64

	graph.Components
	Fastest []float64 // per FaceChunk faces: the greatest velocity after Solve, m/s; NaN if one is not finite
	sealed
	bubbles
	kpi     []float64
	impulse []float64

	gr      *graph.Graph
	rho, dt float64
	source  []float64
	pi      []float64
	squares []float64 // scratch of reference

	filled bool         // Gaps has been called
	bodies []rigid.Body // within Gaps
	parts  []float64    // within Gaps: of the negative gaps, what each body took on
}

// New makes a solver.
func New(pool *par.Pool) *Solver {
	s := &Solver{pool: pool, amg: amg.New(pool)}
	s.k.Apply = s.respond
	return s
}

const grain = 1024

// FaceChunk is how many faces an entry of Fastest is for.
const FaceChunk = grain

// worstResidual is the relative residual above which an iterate is no use: doing nothing leaves 1. Until it is below
// usefulResidual a solve goes on, whatever its options say, for up to lastIteration.
const (
	worstResidual  = .9
	usefulResidual = .3
	lastIteration  = 60
)

// ErrDiverged says that the solve got nowhere; nothing was applied.
var ErrDiverged = errors.New("pressure: the solve did not converge")

// Prepare labels the graph's connected components in Label, tells in Closed which of them touch
// no air, and returns how many there are. Solve must follow with the same graph. Built with the tag check it panics if the graph is unsound.
func (s *Solver) Prepare(gr *graph.Graph) int {
	if graph.Checking {
		if err := gr.Check(); err != nil {
			panic(err)
		}
	}
	s.Find(gr)
	return len(s.Closed)
}

// Solve finds the pressure impulses and applies them to the faces' velocities and the bodies.
//
// pi: len rows, Pa·s; initial guess in, solution out. source: len rows, wanted outflow of each
// row, m³/s. bodies go with gr.Bodies: predicted velocities in, final ones out, and the impulse
// received. Contacts among the joints are left out if they would pull or slide. An error leaves
// U and bodies as they were, and is a *Failure; but for amg.ErrNotConverged, with which the best iterate has been
// applied.
func (s *Solver) Solve(gr *graph.Graph, rho, dt float64, bodies []rigid.Body, joints []rigid.Joint, source, pi []float64, opt Options) (Report, error) {
	if !s.filled && !opt.Again {
		s.Gaps(gr, rho, bodies)
	}
	s.filled = false
	if opt.Apart != nil {
		whole := s.Components
		s.Components = *opt.Apart
		defer func() { s.Components = whole }()
	}
	for i := range bodies {
		includeGap(&bodies[i])
	}
	s.gr, s.rho, s.dt, s.source, s.pi = gr, rho, dt, source, pi
	defer func() { s.gr, s.source, s.pi = nil, nil, nil }()
	s.beginBubbles(opt.Again)
	s.assemble()
	if graph.Checking {
		if err := s.matrix.CheckSymmetric(); err != nil {
			panic(err)
		}
	}
	s.couple(bodies)
	s.mass.set(bodies, joints)
	s.enterBubbles(bodies)
	s.hierarchy()
	rep := Report{Components: len(s.Closed), Nonzeros: s.nonzeros()}
	s.drive(bodies, -1)
	err := s.find(0, bodies, opt, &rep)
	for round := 1; solved(err) && round <= rounds && s.releaseContacts(bodies); round++ {
		err = s.find(round, bodies, opt, &rep)
	}
	if !solved(err) {
		return rep, s.failed(err, bodies, &rep)
	}
	s.raiseAir()
	s.Fastest = arrays.Resize(s.Fastest, par.Chunks(gr.Faces(), FaceChunk))
	par.For(s.pool, gr.Faces(), FaceChunk, s, (*Solver).updateFaces)
	s.moveBodies(bodies)
	return rep, err
}

// find finds the pressure with the bodies held as they are now. From round to round the liquid's matrix stays.
func (s *Solver) find(round int, bodies []rigid.Body, opt Options, rep *Report) error {
	s.findSealed(bodies)
	rhs := s.bubbleRhs(bodies)
	r, err := s.amg.Solve(amg.System{L: &s.matrix, K: &s.k, Levels: s.levels, Again: round > 0}, s.pi, rhs, amg.Options{
		Tol: opt.Tolerance, Norm: s.reference(opt.Tension), MaxIter: opt.MaxIterations, Deadline: opt.Deadline,
		Component: s.Label, Singular: s.singular, Method: opt.Method, Leaky: s.kept > 0 || len(s.active) > 0, Useful: usefulResidual, Last: lastIteration,
	})
	rep.Iterations += r.Iterations
	rep.Residual, rep.Converged = r.Residual, r.Converged
	switch {
	case !solved(err):
		return err
	case rep.Residual > worstResidual:
		return ErrDiverged
	}
	s.inflate()
	s.press(len(bodies))
	s.inflate()
	return err
}

// solved tells whether there is a pressure to go on with.
func solved(err error) bool { return err == nil || err == amg.ErrNotConverged }

// hierarchy hands the graph's aggregation to the multigrid. Levels on which no two unknowns join are
// left out. A graph without Levels that is too large to be solved directly leaves aggregation and colours to the multigrid.
func (s *Solver) hierarchy() {
	g := s.gr
	s.levels = s.levels[:0]
	if len(g.Levels) == 0 && g.Rows > amg.DirectRows {
		s.matrix.Colour(&s.k)
		return
	}
	size := g.Size
	for i := range g.Levels {
		l := &g.Levels[i]
		if l.Count == len(l.Parent) {
			continue
		}
		s.levels = append(s.levels, amg.Level{Parent: l.Parent, Size: size})
		size = l.Size
	}
	s.levels = append(s.levels, amg.Level{Size: size})
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// updateFaces takes the pressure's part off the velocities of a chunk of faces, and notes the greatest.
func (s *Solver) updateFaces(_, lo, hi int) {
	g, pi, top, nan := s.gr, s.pi, 0., 0.
	u := g.U[lo:hi]
	a, b, dist := g.A[lo:hi][:len(u)], g.B[lo:hi][:len(u)], g.Dist[lo:hi][:len(u)]
	held := g.Held
	if len(held) > 0 {
		held = held[lo:hi]
	}
	for i, v := range u {
		if len(held) > 0 && held[i] {
			// v stays
		} else if a[i]|b[i] >= 0 {
			v -= (pi[b[i]] - pi[a[i]]) / (s.rho * dist[i])
		} else {
			air := float64(g.Jump[lo+i] * s.dt)
			lean := float64((g.HydrostaticOffset(b[i]) - g.HydrostaticOffset(a[i])) * s.dt)
			v -= (g.Mean(b[i], pi, air) - g.Mean(a[i], pi, air) - lean) / (s.rho * dist[i])
		}
		u[i] = v
		nan += v - v // NaN, if it is not finite
		if v > top || v < -top {
			top = abs(v)
		}
	}
	s.Fastest[lo/FaceChunk] = top + nan
}
