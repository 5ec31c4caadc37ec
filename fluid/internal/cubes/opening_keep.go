package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// keep keeps what the last opening has taken on, m³, as liquid of a label. An exact tracker takes on the filled shape itself: φ can't tell it where the shape's surface is between two
// centres, and what the tracker has is then another volume than what φ tells. It returns what the liquid has grown by.
func (s *Sources) keep(took float64, label int32) float64 {
	o := &s.opening
	around := boxes.Grown(o.box, 2*o.m.CellSize)
	if !s.surface.takesShapes(around) {
		if label != track.NearestLabel {
			s.surface.label(boxes.Grown(o.box, o.m.CellSize), label)
		}
		return took
	}
	for i := range o.cells {
		c := &o.cells[i]
		o.m.Set.Phi[c.cell] = c.before
	}
	if o.cut {
		took = math.NaN()
	}
	s.surface.addShape(&filledShape{o.shape, o.filled, o.deepest.centre}, around, label, took)
	return max(0, o.volumes.countTally())
}

// filledShape is what is filled of an opening.
type filledShape struct {
	shapes.SDF
	filling
	deepest r3.Vec // the centre of the opening's deepest cell, m
}

// Eval writes distances, m.
func (f *filledShape) Eval(dst []float32, pts []r3.Vec) {
	f.SDF.Eval(dst, pts)
	for i, x := range pts {
		dst[i] -= float32(f.grow)
		if !math.IsInf(f.ball, 1) {
			dst[i] = max(dst[i], float32(reproducible.Norm(r3.Sub(x, f.deepest))-f.ball))
		}
	}
}

// Bounds is a box around it.
func (f *filledShape) Bounds() r3.Box {
	b := boxes.Grown(f.SDF.Bounds(), f.grow)
	if !math.IsInf(f.ball, 1) {
		b = boxes.Intersection(b, boxes.Grown(r3.Box{Min: f.deepest, Max: f.deepest}, f.ball))
	}
	return b
}
