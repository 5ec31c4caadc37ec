package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// How the surface of blocks moves in which thin sheets have gained or lost volume.

// planShift chooses how far a block's surface is to move: by what is to be taken away over its area. A block that stayed stays on
// if nothing has moved within reach of its probes.
func (v *Volumes) planShift(_ int, i int32) {
	m := v.m
	b := v.losses.list[i]
	x, cur := &v.losses, &m.Grid.Cur
	if !x.near[b] && x.by[b] == 0 && cur.Level[b] >= reachLevel {
		return
	}
	first, n := int(cur.First[b]), 1<<(3*cur.Level[b])
	h := float32(m.Grid.CellSize(cur.Level[b]))
	phi, open, part := m.Set.Phi[first:][:n], m.Solids.Volume[first:][:n], x.part[first:][:n]
	area, whole := float32(0), float32(0)
	for i, p := range phi {
		part[i] = 0
		if a := surfaceArea(p, open[i], h); a > 0 {
			part[i] = v.thinness(b, i, h)
			area += float32(a * part[i])
			whole += a
		}
	}
	x.by[b] = 0
	if !(area > thinPart*whole) {
		return
	}
	most := correctLimit * h
	x.by[b] = max(-most, min(most, float32(x.rest[b])*h*h/area))
	for i, p := range phi { // those that move along
		if p < 2*h && p > -2*h && !(surfaceArea(p, open[i], h) > 0) {
			part[i] = v.thinness(b, i, h)
		}
	}
}

// surfaceArea is in proportion to a cell's part in the area of the surface.
func surfaceArea(phi, open, h float32) float32 { return float32(open * max(0, h-max(phi, -phi))) }

// reachLevel is the level from which on blocks are as wide as probes reach: 6 cells from a cell's middle.
const reachLevel = 3

// A sheet is thin up to leastDeep cells from its surface to its middle, and not from mostDeep on.
const leastDeep, mostDeep = .9, 1.4

// thinProbes is how many cells below the surface its depth is asked for. φ is less than the depth in a crest, or along the grid's end.
var thinProbes = [2]float32{2, 3}

// thinPart is the part of a block's surface that must be a thin sheet's for the block to be corrected.
const thinPart = .1

// thinness is 1 where the liquid at a cell near the surface is too thin for the grid to carry well, and 0 where it is deep enough.
func (v *Volumes) thinness(b int32, i int, h float32) float32 {
	m := v.m
	bits := int(m.Grid.Cur.Level[b])
	first, n := int(m.Grid.Cur.First[b]), 1<<bits
	phi := m.Set.Phi[first:][:1<<(3*bits)]
	var slope [3]float64
	sum := 0.
	for a := range 3 {
		step := 1 << (bits * a)
		lo, hi := i, i
		if c := i >> (bits * a) & (n - 1); c > 0 {
			lo -= step
			if c < n-1 {
				hi += step
			}
		} else if n > 1 {
			hi += step
		}
		slope[a] = float64(phi[hi] - phi[lo])
		if hi-lo == step { // one-sided
			slope[a] *= 2
		}
		sum += float64(slope[a] * slope[a])
	}
	if sum == 0 {
		return 1
	}
	x, lo := [3]float64{}, m.Grid.Corner(b)
	least := float32(0)
	for _, depth := range thinProbes {
		deep := float64(float32(depth*h)+phi[i]) / math.Sqrt(sum)
		for a := range 3 {
			at := float64(i>>(bits*a)&(n-1)) + .5
			x[a] = lo[a] + float64(at*float64(h)) - float64(deep*slope[a])
		}
		if m.Solids.Volume[m.Grid.CellAt(x)] == 0 {
			if least == 0 {
				return 1
			}
			break
		}
		if least = min(least, m.phiAt(x, m.Grid.Cur.Level[b], float64(h))); least == 0 {
			return 1
		}
		if mostDeep+least/h <= 0 {
			return 0
		}
	}
	return max(0, min(1, (mostDeep+least/h)/(mostDeep-leastDeep)))
}

// phiAt is φ at a place, m, linear between the centres of cells of a level's edge h.
func (m *Cells) phiAt(x [3]float64, level uint8, h float64) (phi float32) {
	var low [3]float64  // the centre below it
	var at [3][2]int    // those around it, in cells
	var part [3]float32 // where between them it is
	lo := m.Grid.Corner(0)
	for a := range 3 {
		c := (x[a]-lo[a])/h - .5
		below := math.Floor(c)
		low[a], part[a] = lo[a]+float64((below+.5)*h), float32(c-below)
		n := m.Grid.Dim[a] << level
		at[a] = [2]int{withinCells(below, n), withinCells(below+1, n)}
	}
	for i := range 8 {
		dx, dy, dz := i&1, i>>1&1, i>>2
		weight := float32(1)
		for a, d := range [3]int{dx, dy, dz} {
			if d == 1 {
				weight *= part[a]
			} else {
				weight *= 1 - part[a]
			}
		}
		if weight > 0 {
			cell := m.Grid.CellOf(level, at[0][dx], at[1][dy], at[2][dz])
			if cell == layout.None { // the cells there have another edge
				cell = m.Grid.CellAt([3]float64{low[0] + float64(float64(dx)*h), low[1] + float64(float64(dy)*h), low[2] + float64(float64(dz)*h)})
			}
			phi += float32(weight * m.Set.Phi[cell])
		}
	}
	return phi
}

// withinCells is the nearest of n cells; the first for what is no number.
func withinCells(at float64, n int) int {
	switch {
	case !(at > 0):
		return 0
	case at >= float64(n):
		return n - 1
	}
	return int(at)
}

// shiftBlock moves a block's surface as planned.
func (v *Volumes) shiftBlock(_ int, i int32) {
	m := v.m
	b := v.losses.list[i]
	x, cur := &v.losses, &m.Grid.Cur
	by := x.by[b]
	if by == 0 {
		return
	}
	first, n := int(cur.First[b]), 1<<(3*cur.Level[b])
	phi, part := m.Set.Phi[first:][:n], x.part[first:][:n]
	for i, p := range part {
		phi[i] += float32(by * p)
	}
	m.Set.Measure(b)
}

// remeasureShifted measures what a corrected block holds, and what of its error is left.
func (v *Volumes) remeasureShifted(worker int, i int32) {
	x := &v.losses
	b := x.list[i]
	if !x.near[b] {
		return
	}
	was := v.survey.Volume[b]
	v.survey.MeasureBlock(worker, b)
	x.rest[b] -= was - v.survey.Volume[b]
}
