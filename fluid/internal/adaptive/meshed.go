package adaptive

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshed has blocks follow an explicit triangle mesh. The mesh goes on beyond the domain's sides, where cells can't see where it ends.
type meshed struct {
	m       *Blocks
	track   trimesh.Tracker
	rebuild trimesh.Rebuilder
	lattice trimesh.Lattice // on which the mesh is rebuilt: of the finest edges that it has
	whole   r3.Box          // what the mesh stays in
	beyond  float64         // from the domain's sides to those of whole, m
	detail  float64         // edges of triangles along one of a cell

	absorbing absorbing
	ripples   meshRipples
	fractions trimesh.Fractions // of finest cells
	parts     numbersPool
	flying    flying

	// Who asks for distances takes a probe, and gives it back.
	probes struct {
		sync.Mutex
		free []*trimesh.Probe
	}
	settled meshState
	upkeep  upkeep
	normals []r3.Vec
	told    query.SurfaceReport // of the substep
}

// Lengths of an explicit mesh, in its edges.
const (
	meshBeyond = 3.   // how many finest cells the mesh goes on beyond the sides: the band of distances that cells use
	meshMerge  = .35  // how near parts of the surface come that merge across the air: further and gaps close that cells resolve
	meshThin   = .08  // and across the liquid: a sheet stays until it is much thinner than what a cell can hold up
	meshCut    = .35  // the edges around a thread that is cut
	meshNear   = .03  // how near repulsions keep what may not merge
	meshTiny   = 1e-3 // pieces to be removed, in cubes of an edge
)

// TrackMesh has the blocks follow an explicit triangle mesh with about so many edges along one of a cell.
func (m *Blocks) TrackMesh(detail int) *Followed {
	h := m.CellSize
	edge := h / float64(detail)
	t := &meshed{m: m, detail: float64(detail), beyond: meshBeyond * h, lattice: trimesh.Lattice{Origin: m.Domain.Min, H: edge}}
	t.whole, t.absorbing.grid = boxes.Grown(m.Domain, t.beyond), m.Whole()
	t.track = trimesh.Tracker{Length: t.lengths, MergeNear: meshMerge * edge, MergeThin: meshThin * edge, CutThin: meshCut * edge, Tiny: meshTiny * edge * edge * edge}
	t.track.Mover.Near = meshNear * edge
	t.track.Mover.Pool = m.Pool
	return m.Track(t)
}

// lengths writes how long edges are to be at some places: beyond the domain's sides, where no one sees them, twice as long.
func (t *meshed) lengths(dst []float64, at []r3.Vec) {
	t.m.Edges(dst, at)
	for i := range dst {
		dst[i] /= t.detail
		if !boxes.Contains(t.m.Domain, at[i]) {
			dst[i] *= 2
		}
	}
}

// Advance moves the mesh. Where a motion can't be done without a tangle it is done with it, and the tangle is cut out.
func (t *meshed) Advance(velocity func(dst, at []r3.Vec), dt float64) {
	t.told = query.SurfaceReport{}
	if len(t.track.Mesh.Triangle) == 0 || dt <= 0 {
		return
	}
	t.track.Rest = t.upkeep.rests()
	r := t.track.Step(func(dst, at []r3.Vec, _ float64) {
		velocity(dst, at)
		t.flattenRipples(dst, at, dt)
		t.closeFilms(dst, at, dt)
		t.hold(dst, at)
	}, 0, dt)
	t.told = query.SurfaceReport{
		Merges: r.Merge.Zips + r.Merge.Snaps + r.Merge.Folds, Splits: r.Separate.Cuts + r.Separate.Copies,
		Collisions: r.Collisions, Repairs: r.Repairs, Late: max(0, 1-r.Fraction),
	}
	for _, p := range t.track.Removed {
		t.release(&p)
	}
}

// release makes a droplet of a piece that no cell could hold.
func (t *meshed) release(p *trimesh.RemovedPiece) {
	if p.Volume <= 0 || !boxes.Contains(t.m.Domain, p.Centre) {
		return
	}
	at, velocity := [1]r3.Vec{p.Centre}, [1]r3.Vec{}
	t.m.Velocity(velocity[:], at[:])
	if t.m.Spray.Add(single(p.Centre), single(velocity[0]), radiusOf(p.Volume)) {
		t.told.Flown++
	}
}

// Report is what the mesh has done since the last Advance began.
func (t *meshed) Report() query.SurfaceReport {
	r := t.told
	r.Vertices, r.Triangles = len(t.settled.position), len(t.settled.triangle)
	return r
}

// radiusOf is that of a ball of a volume, m.
func radiusOf(volume float64) float32 {
	return float32(reproducible.Cbrt(volume * (3 / (4 * math.Pi))))
}

func single(x r3.Vec) [3]float32 { return [3]float32{float32(x.X), float32(x.Y), float32(x.Z)} }

// hold takes from velocities beyond the domain's sides: the more the further out, so that the mesh ends where it does.
func (t *meshed) hold(velocity, at []r3.Vec) {
	d, h := &t.m.Domain, t.m.CellSize
	for i := range at {
		x := &at[i]
		out := max(d.Min.X-x.X, x.X-d.Max.X, d.Min.Y-x.Y, x.Y-d.Max.Y, d.Min.Z-x.Z, x.Z-d.Max.Z)
		if out > 0 {
			velocity[i] = reproducible.Scale(max(0, min(1, (t.beyond-out)/(t.beyond-h))), velocity[i])
		}
	}
}

// Distance writes distances to the mesh.
func (t *meshed) Distance(dst []float32, at []r3.Vec) {
	q := t.probe()
	q.Distance(dst, &t.track.Mesh, at, t.known())
	t.giveBack(q)
	t.farAway(dst[:len(at)])
}

// DistanceOfBlock writes the distances at the centres of a block's cells.
func (t *meshed) DistanceOfBlock(dst []float32, b int32) {
	g := t.m.Grid
	level := g.Cur.Level[b]
	h, n := g.CellSize(level), 1<<level
	half := float64(h / 2)
	low := reproducible.Vector(g.Corner(b))
	q := t.probe()
	q.Nodes(dst, &t.track.Mesh, &trimesh.NodeBox{Min: r3.Add(low, r3.Vec{X: half, Y: half, Z: half}), Spacing: h, Count: [3]int{n, n, n}}, t.known())
	t.giveBack(q)
	t.farAway(dst)
}

// known is how far from the surface distances are told, m: further than the blocks' band of their finest cells.
func (t *meshed) known() float64 { return 4 * t.m.CellSize }

// farAway makes what is not known infinite.
func (t *meshed) farAway(dst []float32) {
	limit := float32(.999 * t.known())
	for i, d := range dst {
		switch {
		case d > limit:
			dst[i] = float32(math.Inf(1))
		case d < -limit:
			dst[i] = float32(math.Inf(-1))
		}
	}
}

func (t *meshed) probe() *trimesh.Probe {
	p := &t.probes
	p.Lock()
	defer p.Unlock()
	if n := len(p.free); n > 0 {
		q := p.free[n-1]
		p.free = p.free[:n-1]
		return q
	}
	return new(trimesh.Probe)
}

func (t *meshed) giveBack(q *trimesh.Probe) {
	t.probes.Lock()
	t.probes.free = append(t.probes.free, q)
	t.probes.Unlock()
}

// Union adds a shape, as far as the mesh may go.
func (t *meshed) Union(s shapes.SDF) { t.combine(s, t.rebuild.Union) }

// Subtract takes a shape away.
func (t *meshed) Subtract(s shapes.SDF) { t.combine(s, t.rebuild.Subtract) }

type combination = func(m *trimesh.Mesh, l trimesh.Lattice, box r3.Box, shape func(dst []float32, at []r3.Vec), label int32) (trimesh.RebuildReport, error)

func (t *meshed) combine(s shapes.SDF, how combination) {
	box, inner := carriedOn(s.Bounds(), t.m.Domain, t.whole, float64(atSide*t.m.CellSize))
	if !boxes.Valid(box) {
		return
	}
	mesh := &t.track.Mesh
	_, err := how(mesh, t.lattice, boxes.Grown(box, t.lattice.H), func(dst []float32, at []r3.Vec) {
		within := make([]r3.Vec, len(at))
		for i, x := range at {
			within[i] = boxes.Max(inner.Min, boxes.Min(inner.Max, x))
		}
		s.Eval(dst, within)
		for i, x := range at {
			dst[i] = max(dst[i], float32(boxDistance(&t.whole, &x)))
		}
	}, 0)
	if err == nil {
		mesh.Compact()
	}
}

// boxDistance is how far a place is out of a box; negative inside.
func boxDistance(b *r3.Box, x *r3.Vec) float64 {
	return max(b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}

// Resized has nothing to do: the lengths of edges are asked for in each step.
func (t *meshed) Resized() {}
