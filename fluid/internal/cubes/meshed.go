package cubes

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshed has blocks follow an explicit triangle mesh. The mesh goes on beyond the domain's sides, where cells can't see where it ends.
type meshed struct {
	meshParts
	track   trimesh.Tracker
	rebuild trimesh.Rebuilder
	lattice trimesh.Lattice // on which the mesh is rebuilt: of the finest edges that it has
	shaping trimesh.Lattice // on which shapes change it: its nodes are at the corners of cells, where thin shapes are between their centres
	whole   r3.Box          // what the mesh stays in
	beyond  float64         // from the domain's sides to those of whole, m
	detail  float64         // edges of triangles along one of a cell
	most    float64         // vertices that there is memory for
	coarser float64         // by how much edges are longer, so that there are no more
	fitting meshFitting

	absorbing absorbing
	ripples   meshRipples
	flying    flying
	points    meshPoints

	// Who asks for distances takes a probe, and gives it back.
	probes struct {
		sync.Mutex
		free []*trimesh.Probe
	}
	settled meshState
	upkeep  upkeep
	inner   []r3.Vec // scratch of beside
	picture meshPicture
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

// TrackMesh has the blocks follow an explicit triangle mesh with about so many edges along one of a cell, or fewer if it needed more memory than some bytes.
func (m *Blocks) TrackMesh(detail int, bytes float64) *Followed {
	h := m.CellSize
	edge := h / float64(detail)
	half := float64(h / 2) // cells' centres are nodes of the lattice, so that liquid in one alone is seen
	t := &meshed{detail: float64(detail), coarser: 1, most: min(mostMeshed, bytes/bytesPerVertex), beyond: meshBeyond * h, lattice: trimesh.Lattice{Origin: r3.Add(m.Domain.Min, r3.Vec{X: half, Y: half, Z: half}), H: edge}}
	t.m, t.mesh, t.picture.m = m, &t.track.Mesh, m
	t.shaping = trimesh.Lattice{Origin: m.Domain.Min, H: edge}
	t.whole, t.absorbing.grid = boxes.Grown(m.Domain, t.beyond), m.Grid.Whole()
	t.track = trimesh.Tracker{Length: t.lengths, MergeNear: meshMerge * edge, MergeThin: meshThin * edge, CutThin: meshCut * edge, Tiny: meshTiny * edge * edge * edge}
	t.track.Mover.Near = meshNear * edge
	t.track.Mover.Pool = m.Pool
	t.track.Improver.Curved = true
	return m.Track(t)
}

// lengths writes how long edges are to be at some places: beyond the domain's sides, where no one sees them, twice as long.
func (t *meshed) lengths(dst []float64, at []r3.Vec) {
	t.m.Grid.Edges(dst, at)
	for i := range dst {
		dst[i] *= t.coarser / t.detail
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
	t.track.Rest = t.upkeep.rests() || t.hardlyMoves(dt)
	t.fit()
	r := t.track.Step(func(dst, at []r3.Vec, _ float64) {
		velocity(dst, t.beside(at))
		t.flattenRipples(dst, at, dt)
		t.closeFilms(dst, at, dt)
		t.hold(dst, at)
	}, 0, dt)
	t.told = query.SurfaceReport{
		Merges: r.Merge.Zips + r.Merge.Snaps + r.Merge.Folds, Splits: r.Separate.Cuts + r.Separate.Copies,
		Collisions: r.Collisions, Repairs: r.Repairs, Late: max(0, 1-r.Fraction), Coarser: t.coarser,
	}
	for _, p := range t.track.Removed {
		t.release(&p)
	}
}

// A mesh hardly moves in a step in which no vertex goes restWay of an edge, nor what moves by restSpeed edges a second. Its upkeep would change it by more than the
// step does: a game that takes many steps of no length would lose litres.
const restWay, restSpeed = 1e-3, 20

// hardlyMoves tells whether the mesh hardly moves in a step of dt seconds.
func (t *meshed) hardlyMoves(dt float64) bool {
	return float64(t.m.Survey.MaxSpeed*dt) < float64((restWay-float64(restSpeed*dt))*t.lattice.H)
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

// beside is some places, those beyond the domain's sides moved to these: the surface goes on there as it is at the side.
func (t *meshed) beside(at []r3.Vec) []r3.Vec {
	t.inner = arrays.Resize(t.inner, len(at))
	for i, x := range at {
		t.inner[i] = boxes.Max(t.m.Domain.Min, boxes.Min(t.m.Domain.Max, x))
	}
	return t.inner
}

// deepBeyond is from how deep on in the liquid at a side, in cells, the surface beyond it rests: no cell sees it.
const deepBeyond = 2

// hold takes from velocities beyond the domain's sides, which beside has moved to these: along the side where the liquid is deep, and across it the more the further out, so
// that the mesh ends where it does.
func (t *meshed) hold(velocity, at []r3.Vec) {
	m := t.m
	h := m.CellSize
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for i := range at {
		if at[i] == t.inner[i] {
			continue
		}
		p := t.inner[i]
		share := max(0, min(1, deepBeyond+float64(m.Set.Tiles.At(m.Grid.ToPoint(p.X, p.Y, p.Z)))/h))
		x, v := reproducible.Array(at[i]), reproducible.Array(velocity[i])
		for a := range v {
			v[a] *= share
			if out := max(lo[a]-x[a], x[a]-hi[a]); out > 0 {
				v[a] *= max(0, min(1, (t.beyond-out)/(t.beyond-h)))
			}
		}
		velocity[i] = reproducible.Vector(v)
	}
}

// EndsBeyond says that the mesh does.
func (t *meshed) EndsBeyond() {}

// Distance writes distances to the mesh.
func (t *meshed) Distance(dst []float32, at []r3.Vec) {
	q := t.probe()
	q.Distance(dst, &t.track.Mesh, at, t.known())
	t.giveBack(q)
	t.farAway(dst[:len(at)], t.known())
}

// Near is the distance of one place to the mesh.
func (t *meshed) Near(x r3.Vec, within float64) (d float64, ok bool) {
	q := t.probe()
	d, ok = q.Near(&t.track.Mesh, x, within)
	t.giveBack(q)
	return d, ok
}

// DistanceOfBlock writes the distances at the centres of a block's cells.
func (t *meshed) DistanceOfBlock(dst []float32, b int32) {
	g := t.m.Grid
	level := g.Cur.Level[b]
	h, n := g.CellSize(level), 1<<level
	half := float64(h / 2)
	low := reproducible.Vector(g.Corner(b))
	limit := min(t.known(), float64(t.m.Set.Band*h)) // φ is bounded to the band
	q := t.probe()
	q.Nodes(dst, &t.track.Mesh, &trimesh.NodeBox{Min: r3.Add(low, r3.Vec{X: half, Y: half, Z: half}), Spacing: h, Count: [3]int{n, n, n}}, limit)
	t.giveBack(q)
	t.farAway(dst, limit)
}

// known is how far from the surface distances are told, m: further than the blocks' band of their finest cells.
func (t *meshed) known() float64 { return 4 * t.m.CellSize }

// farAway makes what is not known up to a distance infinite.
func (t *meshed) farAway(dst []float32, known float64) {
	limit := float32(.999 * known)
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

// boxDistance is how far a place is out of a box; negative inside.
func boxDistance(b *r3.Box, x *r3.Vec) float64 {
	return max(b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}

// Resized has nothing to do: the lengths of edges are asked for in each step.
func (t *meshed) Resized() {}
