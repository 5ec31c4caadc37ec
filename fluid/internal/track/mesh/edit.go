package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// How shapes that are filled and drained change an explicit mesh.

// Union adds a shape, as far as the mesh may go, with a label. Liquid of other labels stays.
func (t *Tracker) Union(s shapes.SDF, label int32) {
	if !t.combine(s, t.rebuild.Union, label, 1, t.gain) {
		t.report.Refused++
	}
}

// grow adds a shape within a step, so that what the mesh encloses in the domain grows by a volume, m³. If that is no number, it grows by what the lattice tells of the shape.
func (t *Tracker) grow(s shapes.SDF, label int32, volume float64) {
	if label == track.NearestLabel {
		label = t.labelNear(s.Bounds())
	}
	known := func(r3.Box, func([]float32, []r3.Vec), int32, float64) float64 { return volume }
	if !t.combine(s, t.rebuild.Union, label, 1, known) {
		t.report.Refused++
	}
}

// Subtract takes a shape away, whatever label is there. Where another label stands in the way of a new surface it gives way by some cells more.
func (t *Tracker) Subtract(s shapes.SDF) {
	labels := t.track.Mesh.AppendLabels(nil)
	for _, label := range labels {
		if t.combine(s, t.rebuild.Subtract, label, -1, t.gain) {
			continue
		}
		for _, other := range labels {
			if other != label {
				t.combine(grownShape{s, clearance * t.lattice.H}, t.rebuild.Subtract, other, -1, t.gain)
			}
		}
		if !t.combine(s, t.rebuild.Subtract, label, -1, t.gain) {
			t.report.Refused++
		}
	}
}

// clearance is how far around what is taken away of a surface others that stand in the way are taken away too, in edges.
const clearance = 3

// grownShape is a shape and what is within a distance of it, m.
type grownShape struct {
	shapes.SDF
	by float64
}

// Eval writes how far places are from it.
func (g grownShape) Eval(dst []float32, at []r3.Vec) {
	g.SDF.Eval(dst, at)
	for i := range at {
		dst[i] -= float32(g.by)
	}
}

// Bounds is a box around it.
func (g grownShape) Bounds() r3.Box { return boxes.Grown(g.SDF.Bounds(), g.by) }

type combination = func(m *trimesh.Mesh, l trimesh.Lattice, box r3.Box, shape func(dst []float32, at []r3.Vec), label int32) (trimesh.RebuildReport, error)

// gaps are how far from surfaces of other labels a new one is made, in edges. Its triangles cut corners: where they meet those of others it is tried again further off.
var gaps = [...]float64{meshApart, 2 * meshApart, 4 * meshApart}

// gained is by how much, m³, a label's liquid in the domain is to grow where a shape in a box is added to it, or with a sign of -1 taken away.
type gained = func(box r3.Box, shape func(dst []float32, at []r3.Vec), label int32, sign float64) float64

// combine changes a label's surface by a shape: sign is 1 where the shape, as far as it is apart from other labels, is added, and -1 where it is taken away. Where others stand in the
// way of new triangles their surfaces are retreated from, and what is new is made further off. It tells whether it could.
func (t *Tracker) combine(s shapes.SDF, how combination, label int32, sign float64, gain gained) bool {
	box, inner := carriedOn(s.Bounds(), t.in.Domain, t.whole, float64(atSide*t.in.CellSize))
	if !boxes.Valid(box) {
		return true
	}
	mesh, others, gap := &t.track.Mesh, t.othersThan(label), gaps[0]
	box = boxes.Grown(box, t.lattice.H)
	change := func(dst []float32, at []r3.Vec) {
		t.carryOn(s, dst, at, &inner)
		if sign > 0 && others {
			t.keepApart(dst, at, label, gap)
		}
	}
	lattice := t.shaping
	if !t.moved { // what comes within a step is no thinner than a cell
		lattice = t.latticeFor(box, change)
	}
	wanted := volumeIn(mesh, &t.in.Domain) + gain(box, change, label, sign)
	_, err := how(mesh, lattice, box, change, label)
	for _, gap = range gaps {
		if err == nil || !others {
			break
		}
		t.retreat(box, label, gap)
		wanted = volumeIn(mesh, &t.in.Domain) + gain(box, change, label, sign)
		_, err = how(mesh, lattice, box, change, label)
	}
	if err == nil {
		t.rebuilt = t.rebuilt || t.moved
		t.placing.place(t, change, lattice.H, wanted)
		t.coarsenBeyond()
	}
	mesh.Compact()
	return err == nil
}

// coarsenBeyond gives edges that a shape has made further than a cell beyond the domain's sides the lengths that they have there, which are longer than those that shapes are made with.
func (t *Tracker) coarsenBeyond() {
	t.track.Improver.ImproveWhere(&t.track.Mesh, t.lengths, func(x *r3.Vec) bool { return boxDistance(&t.in.Domain, x) > t.in.CellSize })
}

// carryOn writes the distances of a shape that goes on beyond the domain's sides as it is just within them, in inner, or as it is there by itself.
func (t *Tracker) carryOn(s shapes.SDF, dst []float32, at []r3.Vec, inner *r3.Box) {
	within, far := make([]r3.Vec, 0, len(at)), make([]float32, len(at))
	for _, x := range at {
		within = append(within, boxes.Max(inner.Min, boxes.Min(inner.Max, x)))
	}
	s.Eval(dst, within)
	s.Eval(far, at)
	for i := range at {
		dst[i] = max(min(dst[i], far[i]), float32(boxDistance(&t.whole, &at[i])))
	}
}

// gain is by how much, m³, a label's liquid in the domain is to grow where a shape is added to it, or with a sign of -1 taken away.
func (t *Tracker) gain(box r3.Box, shape func(dst []float32, at []r3.Vec), label int32, sign float64) float64 {
	if box = boxes.Intersection(box, t.in.Domain); !boxes.Valid(box) {
		return 0
	}
	if !t.someOf(&box, label) {
		var in [1]float32
		t.distanceAmong(in[:], &t.track.Mesh, []r3.Vec{box.Min}, trimesh.Only, label)
		if (in[0] < 0) == (sign > 0) {
			return 0
		}
		return sign * shapes.Volume(shape, box, t.lattice.H)
	}
	near := float32(2 * t.lattice.H)
	var where []int
	var places []r3.Vec
	var own []float32
	changed := func(dst []float32, at []r3.Vec) {
		shape(dst, at)
		where, places = where[:0], places[:0]
		for i, d := range dst[:len(at)] {
			if d < near {
				where, places = append(where, i), append(places, at[i])
			}
		}
		own = arrays.Resize(own, len(places))
		t.distanceAmong(own, &t.track.Mesh, places, trimesh.Only, label)
		for k, i := range where {
			dst[i] = max(dst[i], -float32(sign)*own[k])
		}
	}
	return sign * shapes.Volume(changed, box, t.lattice.H)
}

// someOf tells whether there are triangles of a label in a box.
func (t *Tracker) someOf(box *r3.Box, label int32) bool {
	for _, i := range t.track.Mesh.Boxes.Overlapping(nil, box) {
		if t.track.Mesh.Label[i] == label {
			return true
		}
	}
	return false
}
