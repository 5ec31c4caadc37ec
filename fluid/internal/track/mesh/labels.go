package mesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshApart is how far surfaces of two labels are made apart, in edges: what is nearer may meet, since triangles cut corners.
const meshApart = .25

// retreatReach is how far around where a surface is made anew it retreats from others, in edges: new triangles reach some cells further.
const retreatReach = 4

// labelBox is where liquid that appears is of a label.
type labelBox struct {
	box   r3.Box
	label int32
}

// label has what liquid appears in a box until the next change be of a label's surface.
func (t *Tracker) label(box r3.Box, label int32) {
	t.change.labelBoxes = append(t.change.labelBoxes, labelBox{box, label})
}

// labelAt is the label that liquid which appears at a place is of, or none: the first box counts.
func (a *changing) labelAt(x *r3.Vec) int32 {
	for i := range a.labelBoxes {
		if boxes.Holds(&a.labelBoxes[i].box, x) {
			return a.labelBoxes[i].label
		}
	}
	return trimesh.Gone
}

// labelled lists the labels that there are or that boxes have, with 0, and tells whether there is another.
func (t *Tracker) labelled() bool {
	a := &t.change
	a.labels = t.track.Mesh.AppendLabels(append(a.labels[:0], 0))
	for _, c := range a.labelBoxes {
		if at, found := slices.BinarySearch(a.labels, c.label); !found {
			a.labels = slices.Insert(a.labels, at, c.label)
		}
	}
	return len(a.labels) > 1
}

// labelNear is the label of the surface nearest to the middle of a box, of several the lowest, or 0 where none is near.
func (t *Tracker) labelNear(box r3.Box) (label int32) {
	at := [1]r3.Vec{reproducible.Scale(.5, r3.Add(box.Min, box.Max))}
	best := float32(math.Inf(1))
	for _, l := range t.track.Mesh.AppendLabels(nil) {
		var d [1]float32
		if t.distanceAmong(d[:], &t.track.Mesh, at[:], trimesh.Only, l); d[0] < best {
			best, label = d[0], l
		}
	}
	return label
}

// othersThan tells whether there is a surface of another label.
func (t *Tracker) othersThan(label int32) bool {
	for _, l := range t.track.Mesh.Label {
		if l != label {
			return true
		}
	}
	return false
}

// keepApart makes a shape's distances those of what of it is so many edges or more apart from all labels but one.
func (t *Tracker) keepApart(dst []float32, at []r3.Vec, label int32, gap float64) {
	others := make([]float32, len(at))
	t.distanceAmong(others, &t.track.Mesh, at, trimesh.Without, label)
	for i, d := range others {
		dst[i] = max(dst[i], float32(gap*t.lattice.H)-d)
	}
}

// retreat moves a label's surface, in a box and somewhat around it, so many edges away from others: there is room then for new triangles.
func (t *Tracker) retreat(box r3.Box, label int32, gap float64) {
	a, mesh := &t.change, &t.track.Mesh
	gap = float64(gap * t.lattice.H)
	box = boxes.Grown(box, retreatReach*t.lattice.H)
	copy(mesh.Target, mesh.Position)
	a.touched, a.at = a.touched[:0], a.at[:0]
	for v, x := range mesh.Position {
		if list := mesh.VertexTriangles[v]; len(list) > 0 && mesh.Label[list[0]] == label && boxes.Holds(&box, &x) {
			a.touched, a.at = append(a.touched, int32(v)), append(a.at, x)
		}
	}
	a.by = arrays.Resize(a.by, len(a.at))
	t.distanceAmong(a.by, mesh, a.at, trimesh.Without, label)
	a.measures.Measure(t.in.Pool, mesh, mesh.Position)
	for i, v := range a.touched {
		if n := a.measures.Normal[v]; float64(a.by[i]) < gap && n != (r3.Vec{}) {
			mesh.Target[v] = r3.Sub(mesh.Position[v], reproducible.Scale(gap-float64(a.by[i]), reproducible.Unit(n)))
		}
	}
	t.track.Mover.Move(mesh, 1)
}

// distanceAmong is Distance to the triangles of a mesh that are of a label, or of all others.
func (t *Tracker) distanceAmong(dst []float32, mesh *trimesh.Mesh, at []r3.Vec, among trimesh.Among, label int32) {
	q := t.probe()
	q.Among, q.Label = among, label
	q.Distance(dst, mesh, at, t.known())
	q.Among, q.Label = trimesh.All, 0
	t.giveBack(q)
}

// labelRebuild is scratch of rebuildByLabel.
type labelRebuild struct {
	before      trimesh.Mesh // as it was before the first label's surface changed
	label       int32
	cells       [][3]int32 // that are marked, in which the label's surface changes
	own, others []float32  // distances to it and to all others,
	was, now    []float32  // and to all, before and after
	corners     [][3]int32 // of the marked cells, each once, in order,
	nodes       []r3.Vec   // and where they are, m
	after       []float64
}

// rebuildByLabel makes the surface anew in the cells that are marked, one label's after the other, all as they were before. Air that comes takes of every label. Liquid that
// comes is of the label that a box gives it, else of that of the nearest surface, and where none is near of label 0; it keeps apart from others.
func (t *Tracker) rebuildByLabel() {
	a, s, mesh := &t.change, &t.change.apart, &t.track.Mesh
	s.before.SetLabelled(mesh.Position, mesh.Triangle, mesh.Label)
	s.listCorners(&t.lattice, a.marked)
	for _, s.label = range a.labels {
		t.markLabel()
		if len(s.cells) == 0 || t.rebuildAs(t.changedOfLabel, s.cells, s.label) {
			continue
		}
		t.retreat(boxOfCells(&t.lattice, s.cells), s.label, meshApart)
		s.before.SetLabelled(mesh.Position, mesh.Triangle, mesh.Label)
		if !t.rebuildAs(t.changedOfLabel, s.cells, s.label) {
			t.report.Refused++
		}
	}
}

// boxOfCells is a box around cells of the lattice.
func boxOfCells(l *trimesh.Lattice, cells [][3]int32) r3.Box {
	b := boxes.Nowhere()
	for _, c := range cells {
		low := r3.Add(l.Origin, reproducible.Scale(l.H, r3.Vec{X: float64(c[0]), Y: float64(c[1]), Z: float64(c[2])}))
		b.Min, b.Max = boxes.Min(b.Min, low), boxes.Max(b.Max, r3.Add(low, r3.Vec{X: l.H, Y: l.H, Z: l.H}))
	}
	return b
}

// listCorners lists the corners of the marked cells.
func (s *labelRebuild) listCorners(l *trimesh.Lattice, marked [][3]int32) {
	s.corners, s.nodes = s.corners[:0], s.nodes[:0]
	for _, c := range marked {
		for i := range int32(8) {
			s.corners = append(s.corners, corner(c, i))
		}
	}
	slices.SortFunc(s.corners, compareCells)
	s.corners = slices.Compact(s.corners)
	for _, c := range s.corners {
		s.nodes = append(s.nodes, r3.Vec{
			X: l.Origin.X + float64(float64(c[0])*l.H), Y: l.Origin.Y + float64(float64(c[1])*l.H), Z: l.Origin.Z + float64(float64(c[2])*l.H),
		})
	}
}

// corner is the i-th corner of a cell of the lattice.
func corner(c [3]int32, i int32) [3]int32 { return [3]int32{c[0] + i&1, c[1] + i>>1&1, c[2] + i>>2} }

// markLabel lists the marked cells with corners that come into the label's liquid, or out of it.
func (t *Tracker) markLabel() {
	s := &t.change.apart
	s.after = arrays.Resize(s.after, len(s.nodes))
	t.changedOfLabel(s.after, s.nodes)
	s.cells = s.cells[:0]
	for _, c := range t.change.marked {
		for i := range int32(8) {
			if k, _ := slices.BinarySearchFunc(s.corners, corner(c, i), compareCells); (s.after[k] < 0) != (s.own[k] < 0) {
				s.cells = append(s.cells, c)
				break
			}
		}
	}
}

// changedOfLabel writes what the distances to the label's surface are to be, as changed does to all.
func (t *Tracker) changedOfLabel(dst []float64, at []r3.Vec) {
	a, s := &t.change, &t.change.apart
	s.own, s.others, s.was = arrays.Resize(s.own, len(at)), arrays.Resize(s.others, len(at)), arrays.Resize(s.was, len(at))
	t.distanceAmong(s.own, &s.before, at, trimesh.Only, s.label)
	t.distanceAmong(s.others, &s.before, at, trimesh.Without, s.label)
	for i := range at {
		s.was[i] = min(s.own[i], s.others[i])
	}
	s.now = append(s.now[:0], s.was...)
	gap, known := float32(meshApart*t.lattice.H), float32(.999*t.known())
	for i := range at {
		if t.touches(&at[i]) {
			a.Apply(s.now[i:i+1], at[i:i+1])
		}
		dst[i] = max(float64(s.distance(i, a.labelAt(&at[i]), gap, known)), boxDistance(&t.whole, &at[i]))
	}
}

// distance is what the distance to the label's surface is to be at the i-th place, where what liquid comes has a label: a gap, m, from others'.
// Distances from known on, m, are not measured.
func (s *labelRebuild) distance(i int, given int32, gap, known float32) float32 {
	own, others, was, now := s.own[i], s.others[i], s.was[i], s.now[i]
	switch {
	case now == was:
		return own
	case now > was:
		return max(own, now)
	case given == s.label:
		return min(own, max(now, gap-others))
	case given != trimesh.Gone:
		return own
	case was >= known:
		if s.label == 0 {
			return now
		}
		return own
	case own < others:
		return min(own, max(now, float32((own-others)/2)+gap))
	}
	return own
}
