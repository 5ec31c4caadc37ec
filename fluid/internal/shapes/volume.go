package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Cells that a surface may pass are halved until the volume changes by less than volumeTolerance of itself, or there are more than mostVolumeCells of them.
const (
	volumeTolerance = 1e-3
	mostVolumeCells = 1 << 18
)

// Volume returns the volume of what is inside of a shape and of a box, m³, to about a thousandth where the shape is not too large for that: it begins with cells of an edge, m.
// Distances may be shorter than they are, but not longer.
func Volume(eval Distance, box r3.Box, edge float64) float64 {
	v := volume{eval: eval, box: box}
	v.begin(edge)
	whole, last := 0., 0. // what the cells have that no surface passes; the sum before the last halving
	for round := 0; ; round++ {
		passed := v.classify(&whole)
		sum := whole + passed
		if round > 0 && math.Abs(sum-last) <= volumeTolerance*sum || len(v.cells) == 0 || 8*len(v.cells) > mostVolumeCells {
			if round == 0 {
				return sum
			}
			return sum + (sum-last)/3 // what the surface's bend adds falls with the square of the edge
		}
		last = sum
		v.halve()
	}
}

// volume is scratch of Volume.
type volume struct {
	eval  Distance
	box   r3.Box
	edge  float64  // of cells, m
	cells []r3.Vec // centres of those that the surface may pass
	finer []r3.Vec
	dist  []float32
}

// begin lists cells that cover the box.
func (v *volume) begin(edge float64) {
	size := r3.Sub(v.box.Max, v.box.Min)
	for size.X/edge*(size.Y/edge)*(size.Z/edge) > mostVolumeCells {
		edge *= 2
	}
	v.edge = edge
	nx, ny, nz := int(math.Ceil(size.X/edge)), int(math.Ceil(size.Y/edge)), int(math.Ceil(size.Z/edge))
	for k := range nz {
		for j := range ny {
			for i := range nx {
				v.cells = append(v.cells, r3.Add(v.box.Min, reproducible.Scale(edge, r3.Vec{X: float64(i) + .5, Y: float64(j) + .5, Z: float64(k) + .5})))
			}
		}
	}
}

// classify drops the cells that no surface passes, and adds their volume to whole. It returns that in the others, m³.
func (v *volume) classify(whole *float64) (passed float64) {
	if cap(v.dist) < len(v.cells) {
		v.dist = make([]float32, len(v.cells))
	}
	v.dist = v.dist[:len(v.cells)]
	v.eval(v.dist, v.cells)
	reach, kept := float64(math.Sqrt(.75)*v.edge), 0
	for i, x := range v.cells {
		d := float64(v.dist[i])
		switch {
		case d >= reach:
		case d <= -reach:
			*whole += v.within(x)
		default:
			passed += float64(max(0, min(1, .5-d/v.edge)) * v.within(x))
			v.cells[kept] = x
			kept++
		}
	}
	v.cells = v.cells[:kept]
	return passed
}

// within is the volume of what of a cell is in the box, m³.
func (v *volume) within(centre r3.Vec) float64 {
	half := float64(v.edge / 2)
	side := func(x, lo, hi float64) float64 { return max(0, min(x+half, hi)-max(x-half, lo)) }
	b := &v.box
	return side(centre.X, b.Min.X, b.Max.X) * side(centre.Y, b.Min.Y, b.Max.Y) * side(centre.Z, b.Min.Z, b.Max.Z)
}

// halve divides the cells into eight each.
func (v *volume) halve() {
	v.edge /= 2
	v.finer = v.finer[:0]
	for _, x := range v.cells {
		cell := r3.Box{Min: r3.Sub(x, reproducible.Scale(v.edge/2, r3.Vec{X: 1, Y: 1, Z: 1})), Max: r3.Add(x, reproducible.Scale(v.edge/2, r3.Vec{X: 1, Y: 1, Z: 1}))}
		for c := range 8 {
			v.finer = append(v.finer, boxes.Corner(&cell, c))
		}
	}
	v.cells, v.finer = v.finer, v.cells
}
