package mesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// changing is the change that ApplyChange makes, and its scratch.
type changing struct {
	*track.Change
	labelBoxes []labelBox
	labels     []int32  // that may change
	grid       r3.Box   // of all tiles
	inBox      []bool   // per tile
	flipped    []r3.Box // those with cells that change sides
	touched    []int32  // vertices in the boxes,
	at         []r3.Vec // where they are,
	by         []float32
	marked     [][3]int32
	nodes      []r3.Vec
	was, now   []float32
	wide       []float32
	apart      labelRebuild
	measures   trimesh.Measures
}

// Changes of the distance, in edges: what is less than the one at a vertex, or the other at a node of the lattice, is a motion of the surface; what is more makes a new one.
const (
	mostShift = .5
	leastFlip = .5
	noShift   = 1e-5 // changes that are left out: they are rounding of single precision
)

// ApplyChange changes the surface in boxes. Where it moves by little its vertices do. Where liquid or air appears it is rebuilt.
func (t *Tracker) ApplyChange(change *track.Change) {
	a := &t.change
	a.Change = change
	t.noteBoxes()
	t.mark()
	moves := t.shift()
	mesh := &t.track.Mesh
	shared := len(a.marked) == 0 && len(a.labelBoxes) == 0 // what comes and goes somewhere is of a label of its own
	if shared {
		t.sharing.begin(t)
	}
	switch {
	case len(a.marked) == 0:
	case t.labelled():
		t.rebuildByLabel()
	case !t.rebuildAs(t.changed, a.marked, 0):
		t.report.Refused++
	}
	if moves {
		t.track.Mover.Move(mesh, 1)
	}
	if shared {
		t.sharing.finish(t)
	}
	t.rebuilt = t.rebuilt || len(a.marked) > 0
	if moves || len(a.marked) > 0 {
		t.track.CloseGaps()
	}
	a.Change, a.labelBoxes = nil, a.labelBoxes[:0]
}

// noteBoxes notes which tiles the boxes are.
func (t *Tracker) noteBoxes() {
	a := &t.change
	a.inBox = arrays.Resize(a.inBox, t.in.Tiles.Len())
	clear(a.inBox)
	for _, b := range a.Boxes {
		a.inBox[t.in.Tiles.At(r3.Add(b.Min, reproducible.Scale(.5, r3.Sub(b.Max, b.Min))))] = true
	}
}

// rebuildAs makes a label's surface anew in cells of the lattice, where a distance has it, and tells whether it could.
func (t *Tracker) rebuildAs(distance func(dst []float64, at []r3.Vec), cells [][3]int32, label int32) bool {
	_, err := t.rebuild.Rebuild(&t.track.Mesh, t.lattice, cells, distance, label)
	return err == nil
}

// shift sets the targets of vertices in the boxes, and tells whether some are to move.
func (t *Tracker) shift() (moves bool) {
	a, mesh, edge := &t.change, &t.track.Mesh, float32(t.lattice.H)
	copy(mesh.Target, mesh.Position)
	a.touched, a.at = a.touched[:0], a.at[:0]
	for v, x := range mesh.Position {
		if t.touches(&x) && t.withinOpen(x) == x && !t.besideMarked(&x) {
			a.touched, a.at = append(a.touched, int32(v)), append(a.at, x)
		}
	}
	if len(a.touched) == 0 {
		return false
	}
	a.by = arrays.Resize(a.by, len(a.at))
	clear(a.by)
	a.Apply(a.by, a.at)
	a.measures.Measure(t.in.Pool, mesh, mesh.Position)
	for i, v := range a.touched {
		by := a.by[i]
		if !(by > noShift*edge || by < -noShift*edge) || by > mostShift*edge || by < -mostShift*edge {
			continue
		}
		if n := a.measures.Normal[v]; n != (r3.Vec{}) {
			mesh.Target[v] = t.withinOpen(r3.Sub(mesh.Position[v], reproducible.Scale(float64(by), reproducible.Unit(n))))
			moves = true
		}
	}
	return moves
}

// besideMarked tells whether a place is in a cell of the lattice that is marked, or beside one: the surface there is made anew, and a vertex at its rim has
// no place to move to.
func (t *Tracker) besideMarked(x *r3.Vec) bool {
	a, l := &t.change, &t.lattice
	if len(a.marked) == 0 {
		return false
	}
	d := r3.Sub(*x, l.Origin)
	at := [3]int32{floor32(d.X / l.H), floor32(d.Y / l.H), floor32(d.Z / l.H)}
	for i := range int32(27) {
		beside := [3]int32{at[0] + i%3 - 1, at[1] + i/3%3 - 1, at[2] + i/9 - 1}
		if _, found := slices.BinarySearchFunc(a.marked, beside, compareCells); found {
			return true
		}
	}
	return false
}

// compareCells orders cells of the lattice.
func compareCells(a, b [3]int32) int {
	return cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
}

// withinOpen is the place nearest to one that is not beyond an open side: liquid there is taken away whole, and the mesh made anew.
func (t *Tracker) withinOpen(x r3.Vec) r3.Vec {
	at := reproducible.Array(x)
	low, high := reproducible.Array(t.in.Domain.Min), reproducible.Array(t.in.Domain.Max)
	for a := range at {
		if t.in.Open[2*a] {
			at[a] = max(at[a], low[a])
		}
		if t.in.Open[2*a+1] {
			at[a] = min(at[a], high[a])
		}
	}
	return reproducible.Vector(at)
}

// touches tells whether a place is in one of the boxes.
func (t *Tracker) touches(x *r3.Vec) bool {
	whole := &t.change.grid
	return boxes.Holds(whole, x) && t.change.inBox[t.in.Tiles.At(*x)]
}

// mark lists the cells of the lattice in which the surface is to be another one: those with nodes that change sides, in boxes of which some cell does.
func (t *Tracker) mark() {
	a := &t.change
	a.marked, a.flipped = a.marked[:0], a.flipped[:0]
	for _, b := range a.Boxes {
		if a.Flips(r3.Add(b.Min, reproducible.Scale(.5, r3.Sub(b.Max, b.Min)))) {
			a.flipped = append(a.flipped, b)
		}
	}
	for _, b := range a.flipped {
		t.markIn(&b)
	}
	slices.SortFunc(a.marked, compareCells)
}

// flipReach is how far from the surface, m, nodes are asked whether they change sides: no change moves it by more than two cells.
func (t *Tracker) flipReach() float64 {
	if t.track.Mover.Free {
		return 2 * t.in.CellSize
	}
	return t.known()
}

// markIn is mark in a box.
func (t *Tracker) markIn(b *r3.Box) {
	a, edge := &t.change, float32(t.lattice.H)
	n, low := t.nodesIn(b)
	if min(n[0], n[1], n[2]) < 1 {
		return
	}
	a.was, a.now = arrays.Resize(a.was, len(a.nodes)), arrays.Resize(a.now, len(a.nodes))
	q := t.probe()
	q.Nodes(a.was, &t.track.Mesh, &trimesh.NodeBox{Min: a.nodes[0], Spacing: t.lattice.H, Count: [3]int{n[0] + 1, n[1] + 1, n[2] + 1}}, t.flipReach())
	t.giveBack(q)
	copy(a.now, a.was)
	a.Apply(a.now, a.nodes)
	for i := range a.nodes {
		if !t.touches(&a.nodes[i]) { // at a box's rim: nothing changes there
			a.now[i] = a.was[i]
		}
		a.was[i], a.now[i] = t.within(&a.nodes[i], a.was[i]), t.within(&a.nodes[i], a.now[i])
	}
	row, layer := n[0]+1, (n[0]+1)*(n[1]+1)
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				at := i + j*row + k*layer
				for _, d := range [8]int{0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1} {
					was, now := a.was[at+d], a.now[at+d]
					if (was < 0) != (now < 0) && (was-now > leastFlip*edge || now-was > leastFlip*edge) {
						a.marked = append(a.marked, [3]int32{low[0] + int32(i), low[1] + int32(j), low[2] + int32(k)})
						break
					}
				}
			}
		}
	}
}

// nodesIn lists the nodes of the lattice's cells in a box, as far as the mesh may go: so many cells along each axis, from low on.
func (t *Tracker) nodesIn(b *r3.Box) (n [3]int, low [3]int32) {
	a, l := &t.change, &t.lattice
	from, to := reproducible.Array(r3.Sub(boxes.Max(b.Min, t.whole.Min), l.Origin)), reproducible.Array(r3.Sub(boxes.Min(b.Max, t.whole.Max), l.Origin))
	for axis := range 3 {
		low[axis] = floor32(from[axis] / l.H)
		n[axis] = max(0, int(floor32(to[axis]/l.H+.999)-low[axis]))
	}
	a.nodes = a.nodes[:0]
	for k := range n[2] + 1 {
		for j := range n[1] + 1 {
			for i := range n[0] + 1 {
				a.nodes = append(a.nodes, r3.Vec{
					X: l.Origin.X + float64(float64(int(low[0])+i)*l.H),
					Y: l.Origin.Y + float64(float64(int(low[1])+j)*l.H),
					Z: l.Origin.Z + float64(float64(int(low[2])+k)*l.H),
				})
			}
		}
	}
	return n, low
}

func floor32(x float64) int32 {
	n := int32(x)
	if float64(n) > x {
		n--
	}
	return n
}

// changed writes what the distances are to be: in the boxes what the change makes of them, and elsewhere what they are.
func (t *Tracker) changed(dst []float64, at []r3.Vec) {
	a := &t.change
	a.wide = arrays.Resize(a.wide, len(at))
	q := t.probe()
	q.Distance(a.wide, &t.track.Mesh, at, t.known())
	t.giveBack(q)
	for i := range at {
		if t.touches(&at[i]) {
			a.Apply(a.wide[i:i+1], at[i:i+1])
		}
	}
	for i, d := range a.wide {
		dst[i] = float64(t.within(&at[i], d))
	}
}

// within is a distance at a place of what is in the box that the mesh stays in.
func (t *Tracker) within(x *r3.Vec, d float32) float32 {
	return max(d, float32(boxDistance(&t.whole, x)))
}
