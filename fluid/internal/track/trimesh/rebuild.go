package trimesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Rebuilder replaces the surface in cells of a lattice by another one that is known by what is inside, and joins it to the rest without a gap. Its zero value is ready.
//
// The mesh is cut along the faces at which the region of replaced cells ends, what is inside of it is thrown away, and each cell is filled anew from the signs at its corners. The region
// grows until the mesh is simple enough at its boundary: along each lattice edge there it goes in and out by turns, as the signs at the ends say, and what it has in the faces are simple curves. So sheets
// and threads thinner than a cell end in front of the region, and stay around it. What a cell can't resolve vanishes in the region: sheets and
// threads thinner than H, and drops and bubbles of less than leastPart. Far from the region nothing changes, not by a bit.
//
// The lattice is moved by up to H/8 along each axis, so that no vertex comes to lie on its planes. A triangle near the region is followed through all cells that it passes: few should be larger than some
// hundreds of cells. New triangles may be slivers where the region ends.
//
// Sources: Wojtan, Thürey, Gross and Turk 2009, section 4, for the idea and for the tests of faces; Heiss-Synak et al. 2024 for that of cutting out tangles. Here the new surface in a cell is cones
// over the loops that the arcs on its faces make.
type Rebuilder struct {
	// Origin is that of new vertices which have no old ones near.
	Origin int32
	// MostShift is the share of H by which the lattice is moved at most along each axis; 0: an eighth.
	MostShift [3]float64
	// Placed are the vertices that the last Union or Subtract has put where the shape alone has its surface, no other label's being within H. They are within some H²/8 times its curvature of it.
	Placed []int32

	mesh     *Mesh
	lattice  Lattice // as it has been moved
	label    int32
	mode     rebuildMode
	distance func(dst []float64, at []r3.Vec)
	shape    func(dst []float32, at []r3.Vec)

	seam      seam
	region    region
	refilling refilling
	splitting splitting
	lines     latticeLines
	nodes     []latticeNode
	nodeAt    keyed // node → nodes
	newCuts   keyed // lattice edge → refilling.cuts
	origins   keyed // cell → an old vertex in it
	fresh     []newTriangle
	pieces    int    // of fresh, the first ones: pieces of triangles that reach out of the region
	lone      []bool // by point of the seam
	removed   []int32
	isRemoved keyed
	scraps    scraps
	boxes     []freshBox // of fresh triangles that others may meet
	foreign   bool       // there are triangles of other labels
	blocked   bool       // one of them has been met

	wanted  [][3]int32 // cells that the region is to have in the next round
	marked  [][3]int32
	pairs   [][2]int32 // of triangles that meet
	near    []r3.Vec   // vertices that planes of the lattice avoid
	gaps    [3][]shiftGap
	shares  []float64
	hits    []int32
	places  []r3.Vec
	values  []float64
	singles []float32
	hasMesh []bool
}

// rebuildMode tells what is inside after a change.
type rebuildMode int8

const (
	fromDistance rebuildMode = iota
	fromUnion
	fromDifference
	fromRepair
)

// RebuildReport tells what a change did.
type RebuildReport struct {
	Cells, Marked  int     // of the region in the end, and at the beginning
	Removed, Added int     // triangles
	Dropped        int     // closed parts that were too small for the lattice
	VolumeChange   float64 // m³; where the mesh overlaps itself its volume before counts as often as it winds around it
	Rounds         int     // how often the region was refilled, until nothing met
}

const (
	mostCells   = 1 << 20 // of a region
	mostNodes   = 1 << 24 // of a box
	mostRefills = 12
	mostTries   = 8

	blockedRounds = 3 // a larger region moves the new surface where it began, but not further inside
)

var (
	errTooLarge   = fmt.Errorf("trimesh: Rebuilder: the region has more than %d cells", mostCells)
	errNotFinite  = errors.New("trimesh: Rebuilder: a distance is not finite")
	errDegenerate = errors.New("trimesh: Rebuilder: planes of the lattice pass too close to vertices")
	errBlocked    = errors.New("trimesh: Rebuilder: the new surface meets one of another label")
	errMeets      = errors.New("trimesh: Rebuilder: the new surface meets the old one")
)

// Rebuild replaces the surface of a label in the marked cells, and in as many around them as it takes for a clean seam, by that at which distance is 0; it is negative inside. It is asked at places in
// batches, also outside of the marked cells, where it has to agree with the mesh: else the region grows there. If there is an error, the mesh is as it was.
func (r *Rebuilder) Rebuild(m *Mesh, l Lattice, marked [][3]int32, distance func(dst []float64, at []r3.Vec), label int32) (RebuildReport, error) {
	r.mode, r.distance = fromDistance, distance
	if err := r.begin(m, l, label); err != nil {
		return RebuildReport{}, err
	}
	for _, cell := range marked {
		for _, i := range cell {
			if i < -mostIndex || i > mostIndex {
				return RebuildReport{}, fmt.Errorf("trimesh: Rebuilder: marked cell %v is beyond ±%d", cell, mostIndex)
			}
		}
		box := r3.Box{Min: l.node(cell), Max: l.node([3]int32{cell[0] + 1, cell[1] + 1, cell[2] + 1})}
		r.avoid(&box)
	}
	return r.run(func() error {
		r.marked = append(r.marked[:0], marked...)
		return nil
	})
}

// begin checks the input and forgets what was there before.
func (r *Rebuilder) begin(m *Mesh, l Lattice, label int32) error {
	r.mesh, r.lattice, r.label = m, l, label
	if !(l.H > 0) || math.IsInf(l.H, 0) || math.IsNaN(reproducible.Norm2(l.Origin)) || math.IsInf(reproducible.Norm2(l.Origin), 0) {
		return fmt.Errorf("trimesh: Rebuilder: lattice %v: H must be positive and all finite", l)
	}
	if b, ok := m.Boxes.Bounds(); ok && !l.holds(&b) {
		return fmt.Errorf("trimesh: Rebuilder: a mesh from %v to %v reaches over more than ±%d cells of size %v", b.Min, b.Max, mostIndex, l.H)
	}
	r.near = r.near[:0]
	return nil
}

// avoid lets planes of the lattice keep off the vertices of triangles that touch a box.
func (r *Rebuilder) avoid(box *r3.Box) {
	r.hits = r.mesh.Boxes.Overlapping(r.hits[:0], box)
	for _, t := range r.hits {
		if r.mesh.Label[t] == r.label {
			a, b, c := r.mesh.Corners(t)
			r.near = append(r.near, a, b, c)
		}
	}
}

// run moves the lattice, marks cells and replaces what is in them, and tries other moves if it fails.
func (r *Rebuilder) run(mark func() error) (report RebuildReport, err error) {
	r.findGaps()
	base := r.lattice
	for try := range mostTries {
		r.lattice = base
		for axis := range 3 {
			setCoordinate(&r.lattice.Origin, axis, coordinate(&base.Origin, axis)+float64(r.shift(axis, try)*base.H))
		}
		r.clear()
		if err = mark(); err != nil {
			return RebuildReport{}, err
		}
		report.Marked = len(r.marked)
		if len(r.marked) == 0 {
			return report, nil
		}
		for _, cell := range r.marked {
			r.region.add(cell)
		}
		if err = r.plan(&report); err == nil {
			r.apply(&report)
			return report, nil
		}
		if err != errDegenerate && err != errMeets {
			break
		}
	}
	return RebuildReport{}, err
}

// clear forgets what another lattice gave.
func (r *Rebuilder) clear() {
	r.seam.clear()
	r.region.clear()
	r.wanted, r.Placed = r.wanted[:0], r.Placed[:0]
	r.lines.clear()
	r.nodeAt.clear()
	r.nodes = r.nodes[:0]
	r.foreign = false
}

// plan finds the region, and what comes in it: it fills removed and fresh.
func (r *Rebuilder) plan(report *RebuildReport) error {
	for round := range mostRefills {
		report.Rounds++
		before := len(r.region.cells)
		for _, cell := range r.wanted {
			r.region.add(cell)
		}
		if r.wanted = r.wanted[:0]; round > 0 && len(r.region.cells) == before {
			break
		}
		if err := r.grow(); err != nil {
			return err
		}
		r.newCuts.clear()
		r.refilling.faceAt.clear()
		r.refilling.chords, r.refilling.chordsAt = r.refilling.chords[:0], r.refilling.chordsAt[:0]
		r.origins.clear()
		r.isRemoved.clear()
		r.removed, r.fresh = r.removed[:0], r.fresh[:0]
		ok, err := r.split()
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		r.pieces = len(r.fresh)
		ok, err = refiller{r}.refill()
		if err != nil {
			return err
		}
		if ok && r.verify() {
			report.Dropped = r.dropScraps()
			return nil
		}
		if ok && r.blocked && report.Rounds >= blockedRounds {
			return errBlocked
		}
	}
	return errMeets
}

// apply changes the mesh.
func (r *Rebuilder) apply(report *RebuildReport) {
	m := r.mesh
	report.Cells, report.Removed, report.Added = len(r.region.cells), len(r.removed), len(r.fresh)
	r.findLone()
	for _, t := range r.removed {
		a, b, c := m.Corners(t)
		report.VolumeChange -= r.signedVolume(a, b, c)
	}
	for i := range r.fresh {
		c := r.corners(&r.fresh[i])
		report.VolumeChange += r.signedVolume(c[0], c[1], c[2])
	}
	r.hits = r.hits[:0]
	for _, t := range r.removed {
		v := m.Triangle[t]
		m.RemoveTriangle(t)
		r.hits = append(r.hits, v[:]...)
	}
	for i := range r.fresh {
		var v [3]int32
		for k, w := range r.fresh[i].v {
			if v[k] = w; w < 0 {
				p := &r.seam.points[-1-w]
				if p.vertex == Gone {
					p.vertex = m.AddVertex(p.at, p.origin)
					if r.lone[-1-w] {
						r.Placed = append(r.Placed, p.vertex)
					}
				}
				v[k] = p.vertex
			}
		}
		m.AddTriangle(v[0], v[1], v[2], r.label)
	}
	slices.Sort(r.hits)
	for _, v := range slices.Compact(r.hits) {
		if len(m.VertexTriangles[v]) == 0 {
			m.RemoveVertex(v)
		}
	}
}

// findLone marks the points of the new surface that are the shape's alone.
func (r *Rebuilder) findLone() {
	r.lone = arrays.Resize(r.lone, len(r.seam.points))
	reach := r3.Vec{X: r.lattice.H, Y: r.lattice.H, Z: r.lattice.H}
	for i := range r.seam.points {
		p := &r.seam.points[i]
		r.lone[i] = false
		if p.told {
			r.hits = r.mesh.Boxes.Overlapping(r.hits[:0], &r3.Box{Min: r3.Sub(p.at, reach), Max: r3.Add(p.at, reach)})
			r.lone[i] = !slices.ContainsFunc(r.hits, func(t int32) bool { return r.mesh.Label[t] != r.label })
		}
	}
}

// signedVolume is that between a triangle and a point near the region.
func (r *Rebuilder) signedVolume(a, b, c r3.Vec) float64 {
	return geom.Sixfold(r.lattice.node(r.region.cells[0]), a, b, c) / 6
}

// corners are where those of a new triangle are.
func (r *Rebuilder) corners(t *newTriangle) (c [3]r3.Vec) {
	for k, w := range t.v {
		if w >= 0 {
			c[k] = r.mesh.Position[w]
		} else {
			c[k] = r.seam.points[-1-w].at
		}
	}
	return c
}
