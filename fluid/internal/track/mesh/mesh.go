// Package mesh tracks the liquid's surface by an explicit triangle mesh: package trimesh moves it, joins and separates its parts, and improves it; here it is changed by
// shapes and by what cells do, and asked for distances, liquid parts of cells and triangles.
package mesh

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracker is an explicit triangle mesh. It goes on beyond the domain's sides, where cells can't see where it ends.
type Tracker struct {
	in      track.Surroundings
	can     track.Abilities
	parts   fractions
	scan    trimesh.Scan
	track   trimesh.Tracker
	rebuild trimesh.Rebuilder
	lattice trimesh.Lattice // on which the mesh is rebuilt: of the finest edges that it has
	shaping trimesh.Lattice // on which shapes change it: its nodes are at the corners of cells, where thin shapes are between their centres
	whole   r3.Box          // what the mesh stays in
	gravity float64         // of the motion in progress, m/s²
	beyond  float64         // from the domain's sides to those of whole, m
	detail  float64         // edges of triangles along one of a cell
	most    float64         // vertices that there is memory for
	coarser float64         // by how much edges are longer, so that there are no more
	fitting fitting
	placing placing
	keeping keeping
	moved   bool // since the mesh was settled
	rebuilt bool // the surface has been made anew somewhere since the mesh was last improved
	sharing sharing
	seeing  seeing

	change  changing
	ripples rippleFilter
	evening evening
	flying  flying
	points  points
	cells   cellDistances

	// Who asks for distances takes a probe, and gives it back.
	probes struct {
		sync.Mutex
		free []*trimesh.Probe
	}
	settled state
	upkeep  upkeep
	inner   []r3.Vec // scratch of beside
	picture picture
	report  query.SurfaceReport // of the substep
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

// New makes a mesh of no triangles with about so many edges along one of a cell, or fewer if it needed more memory than some bytes. One that is free moves freely, and what meets at the
// end is cut out, and finds distances by a scan; else it looks for all that collides on the way of a motion.
func New(in track.Surroundings, detail int, bytes float64, free bool) *Tracker {
	h := in.CellSize
	edge := h / float64(detail)
	half := float64(h / 2) // cells' centres are nodes of the lattice, so that liquid in one alone is seen
	t := &Tracker{
		in: in, detail: float64(detail), coarser: 1, most: min(mostVertices, bytes/bytesPerVertex), beyond: meshBeyond * h,
		lattice: trimesh.Lattice{Origin: r3.Add(in.Domain.Min, r3.Vec{X: half, Y: half, Z: half}), H: edge},
		shaping: trimesh.Lattice{Origin: in.Domain.Min, H: edge},
	}
	t.parts.in, t.parts.mesh = &t.in, &t.track.Mesh
	t.whole, t.change.grid = boxes.Grown(in.Domain, t.beyond), in.Tiles.Whole()
	t.track = trimesh.Tracker{Length: t.lengths, MergeNear: meshMerge * edge, MergeThin: meshThin * edge, CutThin: meshCut * edge, Tiny: meshTiny * edge * edge * edge}
	t.track.Mover.Near = meshNear * edge
	t.track.Mover.Pool, t.track.Mover.Free, t.scan.Pool = in.Pool, free, in.Pool
	t.track.Improver.Curved, t.track.Adjust = true, t.keepVolumes
	if t.in.Distance == nil {
		t.in.Distance = t.Distance
	}
	t.picture.cellSize, t.picture.distance = h, t.in.Distance
	t.can = track.Abilities{
		Triangles: t.triangles, TrianglesLater: t.trianglesLater, SurfacePoints: t.surfacePoints,
		Fractions: t.parts.box, Areas: t.parts.areas, MeasureFractions: t.parts.measure,
		DistanceInBox: t.distanceInBox, MeasureDistances: t.measureDistances, Near: t.near, Label: t.label, Grow: t.grow, DetachDroplets: t.detachDroplets, CutAtSides: t.cutAtSides,
		SetUpkeepInterval: t.setUpkeepInterval, Report: t.reportStep, Check: t.check, EndsBeyond: true,
	}
	return t
}

// Abilities are all but those to thicken.
func (t *Tracker) Abilities() *track.Abilities { return &t.can }

// lengths writes how long edges are to be at some places.
func (t *Tracker) lengths(dst []float64, at []r3.Vec) {
	t.in.Edges(dst, at)
	for i := range dst {
		dst[i] *= t.longer(&at[i]) * t.coarser / t.detail
	}
}

// longer is how many times as long edges are at a place: beyond the domain's sides, where no one sees them, twice within a cell, from where cells see the surface, and farBeyond times further
// out, as they are everywhere there of a mesh that moves freely.
func (t *Tracker) longer(x *r3.Vec) float64 {
	const farBeyond = 4
	switch out := boxDistance(&t.in.Domain, x); {
	case out <= 0:
		return 1
	case out <= t.in.CellSize && !t.track.Mover.Free:
		return 2
	}
	return farBeyond
}

// Advance moves the mesh. Where a motion can't be done without a tangle it is done with it, and the tangle is cut out.
func (t *Tracker) Advance(by *track.Motion) {
	dt := by.Dt
	t.report, t.moved = query.SurfaceReport{}, true
	if len(t.track.Mesh.Triangle) == 0 || dt <= 0 {
		return
	}
	t.track.Rest, t.gravity, t.evening.on = t.upkeep.rests() || t.hardlyMoves(by), by.Gravity, by.Tension
	t.fit()
	t.sharing.begin(t)
	t.keeping.begin(t, by)
	r := t.track.Step(func(dst, at []r3.Vec, _ float64) {
		by.Velocity(dst, t.beside(at))
		t.flattenRipples(dst, at, dt)
		t.closeFilms(dst, at, dt)
		t.evenOut(dst, at, dt)
		t.hold(dst, at)
		t.keeping.add(t, dst, dt)
	}, 0, dt)
	t.sharing.finish(t)
	t.rebuilt = r.Repairs > 0
	t.report = query.SurfaceReport{
		Merges: r.Merge.Zips + r.Merge.Snaps + r.Merge.Folds, Splits: r.Separate.Cuts + r.Separate.Copies,
		Collisions: r.Collisions + r.Zones, Repairs: r.Repairs, Late: max(0, 1-r.Fraction), Coarser: t.coarser,
	}
	for _, p := range t.track.Removed {
		t.release(&p, by)
	}
}

// A mesh hardly moves in a step in which no vertex goes restWay of an edge, nor what moves by restSpeed edges a second. Its upkeep would change it by more than the
// step does: a game that takes many steps of no length would lose litres.
const restWay, restSpeed = 1e-3, 20

// hardlyMoves tells whether the mesh hardly moves in a step.
func (t *Tracker) hardlyMoves(by *track.Motion) bool {
	return float64(by.MaxSpeed*by.Dt) < float64((restWay-float64(restSpeed*by.Dt))*t.lattice.H)
}

// release makes a droplet of a piece that no cell could hold.
func (t *Tracker) release(p *trimesh.RemovedPiece, by *track.Motion) {
	if p.Volume <= 0 || !boxes.Contains(t.in.Domain, p.Centre) {
		return
	}
	at, velocity := [1]r3.Vec{p.Centre}, [1]r3.Vec{}
	by.Velocity(velocity[:], at[:])
	if t.in.Spray.Add(single(p.Centre), single(velocity[0]), radiusOf(p.Volume)) {
		t.report.Flown++
	}
}

// reportStep is what the mesh has done since the last Advance began.
func (t *Tracker) reportStep() query.SurfaceReport {
	r := t.report
	r.Vertices, r.Triangles = len(t.settled.position), len(t.settled.triangle)
	return r
}

// radiusOf is that of a ball of a volume, m.
func radiusOf(volume float64) float32 {
	return float32(reproducible.Cbrt(volume * (3 / (4 * math.Pi))))
}

func single(x r3.Vec) [3]float32 { return [3]float32{float32(x.X), float32(x.Y), float32(x.Z)} }

// beside is some places, those beyond the domain's sides moved to these: the surface goes on there as it is at the side.
func (t *Tracker) beside(at []r3.Vec) []r3.Vec {
	t.inner = arrays.Resize(t.inner, len(at))
	for i, x := range at {
		t.inner[i] = boxes.Max(t.in.Domain.Min, boxes.Min(t.in.Domain.Max, x))
	}
	return t.inner
}

// deepBeyond is from how deep on in the liquid at a side, in cells, the surface beyond it rests: no cell sees it.
const deepBeyond = 2

// hold takes from velocities beyond the domain's sides, which beside has moved to these: along the side where the liquid is deep, and across it the more the further out, so
// that the mesh ends where it does.
func (t *Tracker) hold(velocity, at []r3.Vec) {
	in, c := &t.in, &t.cells
	h := in.CellSize
	lo, hi := reproducible.Array(in.Domain.Min), reproducible.Array(in.Domain.Max)
	c.begin()
	for i := range at {
		if at[i] != t.inner[i] {
			c.ask(i, t.inner[i])
		}
	}
	c.answer(in.Distance)
	for k, i := range c.of {
		share := max(0, min(1, deepBeyond+float64(c.distance[k])/h))
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

// cellDistances asks for the distance that cells have at some places, each with the number of what it is for.
type cellDistances struct {
	of       []int32
	at       []r3.Vec
	distance []float32 // m
}

func (c *cellDistances) begin() { c.of, c.at = c.of[:0], c.at[:0] }

func (c *cellDistances) ask(i int, x r3.Vec) { c.of, c.at = append(c.of, int32(i)), append(c.at, x) }

func (c *cellDistances) answer(distance func(dst []float32, at []r3.Vec)) {
	c.distance = arrays.Resize(c.distance, len(c.at))
	distance(c.distance, c.at)
}

// Distance writes distances to the mesh.
func (t *Tracker) Distance(dst []float32, at []r3.Vec) {
	q := t.probe()
	q.Distance(dst, &t.track.Mesh, at, t.known())
	t.giveBack(q)
	t.farAway(dst[:len(at)], t.known())
}

// near is the distance of one place to the mesh.
func (t *Tracker) near(x r3.Vec, within float64) (d float64, ok bool) {
	q := t.probe()
	d, ok = q.Near(&t.track.Mesh, x, within)
	t.giveBack(q)
	return d, ok
}

// bandCells is how far from the surface, in cells, cells use distances.
const bandCells = 3

// measureDistances prepares distanceInBox for the mesh as it is.
func (t *Tracker) measureDistances() {
	if !t.track.Mover.Free {
		return
	}
	tiles, h := &t.in.Tiles, t.in.CellSize
	half := float64(h / 2)
	t.scan.Measure(&t.track.Mesh, trimesh.ScanGrid{
		Min: r3.Add(reproducible.Vector(tiles.Origin), r3.Vec{X: half, Y: half, Z: half}), Spacing: h, Dim: tiles.Dim, Band: bandCells,
	})
}

// distanceInBox writes the distances at the centres of a box's cells: of a mesh that moves freely those that were measured in a tile of finest cells.
func (t *Tracker) distanceInBox(dst []float32, box track.Box, within float64) {
	q := t.probe()
	limit := min(t.known(), within)
	if t.track.Mover.Free && t.parts.tileEdge() == trimesh.ScanEdge && box.Count == [3]int{trimesh.ScanEdge, trimesh.ScanEdge, trimesh.ScanEdge} && within <= bandCells*t.in.CellSize*(1+1e-9) {
		q.ScannedNodes(dst, &t.track.Mesh, &t.scan, t.in.Tiles.At(box.Middle()), limit)
	} else {
		half := float64(box.Edge / 2)
		q.Nodes(dst, &t.track.Mesh, &trimesh.NodeBox{Min: r3.Add(box.Low, r3.Vec{X: half, Y: half, Z: half}), Spacing: box.Edge, Count: box.Count}, limit)
	}
	t.giveBack(q)
	t.farAway(dst, limit)
}

// known is how far from the surface Distance is right, m: further than the band of the finest cells.
func (t *Tracker) known() float64 { return 4 * t.in.CellSize }

// farAway makes what is not known up to a distance infinite.
func (t *Tracker) farAway(dst []float32, known float64) {
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

func (t *Tracker) probe() *trimesh.Probe {
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

func (t *Tracker) giveBack(q *trimesh.Probe) {
	t.probes.Lock()
	t.probes.free = append(t.probes.free, q)
	t.probes.Unlock()
}

// boxDistance is how far a place is out of a box; negative inside.
func boxDistance(b *r3.Box, x *r3.Vec) float64 {
	return max(b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}

// Resized has nothing to do: the lengths of edges are asked for in each step.
func (t *Tracker) Resized(*track.Motion) {}

// check returns an error if the mesh is not closed, not what its tables say, or meets itself.
func (t *Tracker) check() error {
	if err := t.track.Mesh.Check(); err != nil {
		return fmt.Errorf("surface mesh: %w", err)
	}
	return nil
}
