package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// How shapes that are filled and drained change an explicit mesh.

// Union adds a shape, as far as the mesh may go, with a label. Liquid of other labels stays.
func (t *Tracker) Union(s shapes.SDF, label int32) {
	if !t.combine(s, t.rebuild.Union, label, true) {
		t.report.Refused++
	}
}

// Subtract takes a shape away, whatever label is there. Where another label stands in the way of a new surface it gives way by some cells more.
func (t *Tracker) Subtract(s shapes.SDF) {
	labels := t.track.Mesh.AppendLabels(nil)
	for _, label := range labels {
		if t.combine(s, t.rebuild.Subtract, label, false) {
			continue
		}
		for _, other := range labels {
			if other != label {
				t.combine(grownShape{s, clearance * t.lattice.H}, t.rebuild.Subtract, other, false)
			}
		}
		if !t.combine(s, t.rebuild.Subtract, label, false) {
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

// combine changes a label's surface by a shape, or by what of it is apart from other labels. Where these stand in the way of new triangles the surface
// retreats from them, and what is new is made further off. It tells whether it could.
func (t *Tracker) combine(s shapes.SDF, how combination, label int32, apart bool) bool {
	box, inner := carriedOn(s.Bounds(), t.in.Domain, t.whole, float64(atSide*t.in.CellSize))
	if !boxes.Valid(box) {
		return true
	}
	mesh, others, gap := &t.track.Mesh, t.othersThan(label), gaps[0]
	box = boxes.Grown(box, t.lattice.H)
	change := func(dst []float32, at []r3.Vec) {
		within := make([]r3.Vec, len(at))
		for i, x := range at {
			within[i] = boxes.Max(inner.Min, boxes.Min(inner.Max, x))
		}
		s.Eval(dst, within)
		for i, x := range at {
			dst[i] = max(dst[i], float32(boxDistance(&t.whole, &x)))
		}
		if apart && others {
			t.keepApart(dst, at, label, gap)
		}
	}
	_, err := how(mesh, t.shaping, box, change, label)
	for _, gap = range gaps {
		if err == nil || !others {
			break
		}
		t.retreat(box, label, gap)
		_, err = how(mesh, t.shaping, box, change, label)
	}
	if err == nil {
		t.placeExactly(change)
	}
	mesh.Compact()
	return err == nil
}

// Vertices of a new shape are put on it if that is less than mostPlaced edges away, in placedSteps steps of Newton's method, with slopes over placedReach edges to both
// sides. Where slopes change by more than placedBend times what they are, as at rims and in sheets as thin as an edge, vertices stay as they are: so much is the
// bend of a ball of four edges a radius.
const (
	mostPlaced  = .25
	placedSteps = 2
	placedReach = .5
	placedBend  = .25
)

// placeExactly puts the vertices that the Rebuilder has placed for a shape alone on its surface. They are between points of the lattice's edges, and those by linear interpolation: the roughness
// that this leaves would be waves with tension.
func (t *Tracker) placeExactly(shape func(dst []float32, at []r3.Vec)) {
	mesh, edge := &t.track.Mesh, t.lattice.H
	placed := t.rebuild.Placed
	copy(mesh.Target, mesh.Position)
	at, value := make([]r3.Vec, 7*len(placed)), make([]float32, 7*len(placed))
	reach := float64(placedReach * edge)
	moves := false
	for range placedSteps {
		for i, v := range placed {
			x := mesh.Target[v]
			at[7*i] = x
			for a, d := range [3]r3.Vec{{X: reach}, {Y: reach}, {Z: reach}} {
				at[7*i+1+2*a], at[7*i+2+2*a] = r3.Add(x, d), r3.Sub(x, d)
			}
		}
		shape(value, at)
		for i, v := range placed {
			way, smooth := wayTo((*[7]float32)(value[7*i:]), reach)
			if x := r3.Add(mesh.Target[v], way); smooth && reproducible.Norm(r3.Sub(x, mesh.Position[v])) < mostPlaced*edge {
				moves = moves || way != (r3.Vec{})
				mesh.Target[v] = x
			}
		}
	}
	if moves {
		near := t.track.Mover.Near
		t.track.Mover.Near = 0 // the lattice may have put vertices nearer to each other than that
		t.track.Mover.Move(mesh, 1)
		t.track.Mover.Near = near
	}
}

// wayTo is the way to where distances are 0, m, by those at a place and so many m beside it along each axis, to both sides. It is not smooth where they say little of that.
func wayTo(d *[7]float32, reach float64) (way r3.Vec, smooth bool) {
	g := r3.Vec{X: float64(d[1] - d[2]), Y: float64(d[3] - d[4]), Z: float64(d[5] - d[6])} // twice the slope, over reach
	bend := float64(d[1]+d[2]-2*d[0]) + float64(d[3]+d[4]-2*d[0]) + float64(d[5]+d[6]-2*d[0])
	square := reproducible.Norm2(g) / (4 * reach * reach)
	if !(square > .5 && square < 2 && math.Abs(bend) < placedBend*reach) {
		return way, false
	}
	return reproducible.Scale(-float64(d[0])/(2*reach*square), g), true
}
