package transport

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// flow is a velocity at a place, m/s.
type flow func(x [3]float64) [3]float64

// rig is a grid of base cells with a lattice and a transport.
type rig struct {
	t    testing.TB
	grid *layout.Grid
	pool *par.Pool
	l    *bcc.Lattice
	tr   *Transport
}

// newRig makes one whose base cells have the levels that level says.
func newRig(t testing.TB, dim [3]int, h float64, workers int, level func(b int32) uint8) *rig {
	t.Helper()
	r := &rig{t: t, grid: layout.New([3]float64{-.3, .2, .1}, h, dim, 3), pool: par.New(workers)}
	r.grid.SetBalance(layout.BalanceEdges)
	t.Cleanup(r.pool.Close)
	r.lay(level)
	r.tr = New(r.grid, r.pool)
	r.tr.Start(r.l)
	return r
}

// lay gives the grid levels, balanced, and makes another lattice.
func (r *rig) lay(level func(b int32) uint8) {
	for b := range int32(r.grid.Bases()) {
		r.grid.Set(b, level(b))
	}
	r.grid.Grade()
	r.l = &bcc.Lattice{}
	r.l.Build(r.grid, &r.grid.Cur, r.pool)
}

func uniform(l uint8) func(int32) uint8 { return func(int32) uint8 { return l } }

// mixed has a third of the base cells be of other levels.
func mixed(seed uint64) func(int32) uint8 {
	r := rand.New(rand.NewPCG(seed, 1))
	return func(int32) uint8 {
		if r.IntN(3) == 0 {
			return uint8(2 * r.IntN(2))
		}
		return 1
	}
}

// fill makes the graph of liquid where a field is negative, without a surface's distance; nil: of all.
func (r *rig) fill(where func(x [3]float64) float64) *graph.Graph {
	g, l := &graph.Graph{}, r.l
	row := make([]int32, l.Vertices())
	for v := range row {
		row[v] = graph.Air
		if !l.Beyond[v] && (where == nil || where(l.Position[v]) < 0) {
			row[v] = int32(g.Rows)
			g.Rows++
			g.Cell, g.Size = append(g.Cell, int32(v)), append(g.Size, float32(r.grid.CellSize(l.Level[v])))
			g.Volume, g.Centre = append(g.Volume, float32(l.Volume[v])), append(g.Centre, l.Position[v])
		}
	}
	for e := range int32(l.Edges()) {
		a, b := row[l.Ends[e][0]], row[l.Ends[e][1]]
		if l.Area[e] == 0 || a < 0 && b < 0 {
			continue
		}
		g.A, g.B, g.Slot = append(g.A, a), append(g.B, b), append(g.Slot, e)
		g.Normals, g.FaceCentres = append(g.Normals, l.Normal(e)), append(g.FaceCentres, l.Middle[e])
		g.Area, g.Dist, g.Open = append(g.Area, l.Area[e]), append(g.Dist, l.Dist[e]), append(g.Open, 1)
		g.Jump, g.U = append(g.Jump, 0), append(g.U, 0)
	}
	g.ListFaces()
	return g
}

// set gives a graph's faces the velocity of a flow in the middle of their edges' polygons.
func (r *rig) set(g *graph.Graph, u flow) {
	for f, e := range g.Slot {
		v := u(r.l.Middle[e])
		g.U[f] = geom.Dot(&g.Normals[f], &v)
	}
}

// start makes a flow the settled velocity of liquid.
func (r *rig) start(g *graph.Graph, u flow) {
	r.set(g, u)
	r.tr.Begin(r.l)
	r.tr.Extrapolate(g, &Solids{})
	r.tr.Publish()
}

// energy is Σ A d u²/2 of a graph, which counts each direction's share: three times the kinetic energy of liquid of unit density, m⁵/s².
func energy(g *graph.Graph) (sum float64) {
	for f, u := range g.U {
		sum += g.Area[f] * g.Open[f] * g.Dist[f] * u * u / 2
	}
	return sum
}

// gradients are those of a flow that is linear: u_i = Σ_j g_ij x_j.
func gradient(g [3][3]float64) flow {
	return func(x [3]float64) (u [3]float64) {
		for i := range u {
			u[i] = g[i][0]*x[0] + g[i][1]*x[1] + g[i][2]*x[2]
		}
		return u
	}
}

// worst is the greatest difference.
func worst(a, b [3]float64) float64 {
	return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1]), math.Abs(a[2]-b[2]))
}

func vec(x [3]float64) r3.Vec { return r3.Vec{X: x[0], Y: x[1], Z: x[2]} }

// inside is a random place in the grid, so far from its sides, in parts of its extent.
func (r *rig) inside(rnd *rand.Rand, margin float64) (x [3]float64) {
	for a := range x {
		e := r.grid.H * layout.Edge * float64(r.grid.Dim[a])
		x[a] = r.grid.Origin[a] + e*(margin+(1-2*margin)*rnd.Float64())
	}
	return x
}

// rigGraph is a lattice with a graph on it.
type rigGraph struct {
	l *bcc.Lattice
	g *graph.Graph
}
