package controls

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/raster"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// fullShare is the part of its volume that a shape must hold for it to have no free surface within.
const fullShare = .7

// isFull tells whether little was missing in a shape in the last substep.
func (c *Control) isFull() bool { return c.Told.HeldL > fullShare*c.Told.WantedL }

// cellPart is what of a cell of a lattice is in a shape.
type cellPart struct {
	part   float32
	along  float32 // how much of the surface's normal is along the axis on which it was measured; 0 where no crossing is beside the cell
	beyond r3.Vec  // the centre of the cell on the other side of the surface, or of the next one out of the shape, m
}

// volume is what of a shape is in the domain, m³; what its surface encloses twice counts once.
func (c *Control) volume(domain r3.Box) float64 {
	box := boxes.Around(c.now.Positions)
	if r := &c.raster; boxes.Contains(domain, box.Min) && boxes.Contains(domain, box.Max) && r.Held > 0 {
		return c.surface.Volume() * c.once()
	}
	return c.volumeOfLines(domain)
}

// volumeOfLines is volume to some percent, for a surface that reaches out of the domain: the mean over the axes of what it cuts out of the lines through
// the centres of cells.
func (c *Control) volumeOfLines(domain r3.Box) (sum float64) {
	r := &c.raster
	lo, hi := reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	for a := range 3 {
		lo[a], hi[a] = (lo[a]-r.Origin[a])/r.H, (hi[a]-r.Origin[a])/r.H
	}
	beside := func(axis int, at [3]int) bool {
		u, v := (axis+1)%3, (axis+2)%3
		x, y := float64(at[u])+.5, float64(at[v])+.5
		return x > lo[u] && x < hi[u] && y > lo[v] && y < hi[v]
	}
	for axis := range 3 {
		for i := range r.Crossings[axis] {
			x := &r.Crossings[axis][i]
			if at := c.cell(int(x.Cell)); beside(axis, at) {
				sum += float64(float64(x.Outward) * max(lo[axis], min(hi[axis], float64(at[axis])+.5+x.Fraction)))
			}
		}
	}
	for i, in := range r.Inside {
		at := c.cell(i)
		for axis := range 3 { // lines that begin or end in the shape
			if !in || at[axis] > 0 && at[axis] < r.Dim[axis]-1 || !beside(axis, at) {
				continue
			}
			if at[axis] == 0 {
				sum -= max(0, lo[axis])
			}
			if at[axis] == r.Dim[axis]-1 {
				sum += min(float64(r.Dim[axis]), hi[axis])
			}
		}
	}
	return sum / 3 * float64(r.H*r.H*r.H)
}

// content is what is in a shape.
type content struct {
	lacks float64 // by how much less liquid there is than solids leave room for, m³
	cells float64 // the volume of its cells, m³,
	solid float64 // and what of that solids take
	given float64 // the part of other shapes in what it has room for, m³
	free  float64 // the part of its surface that air is beyond
}

// measureContent measures what is in a shape, as sums over its cells and those at its surface, with what of them is in the shape. Where there is liquid
// beyond the surface that is not of the shape, as in a pool, nothing is too much.
func (c *Control) measureContent(s *Set) (is content) {
	s.weighCells(c)
	s.pts = s.pts[:0]
	for _, i := range s.weighed {
		s.pts = append(s.pts, c.centre(int(i)))
	}
	for _, i := range s.weighed {
		s.pts = append(s.pts, s.parts[i].beyond)
	}
	c.listHeap(s)
	c.findOverlaps(s)
	liquid, open := s.measure()
	n, surface, free := len(s.weighed), 0, 0
	for k, i := range s.weighed {
		p := &s.parts[i]
		is.cells += float64(p.part)
		is.solid += float64(p.part * (1 - open[k]))
		missing := p.part - liquid[k]
		wet := float32(liquid[n+k]*open[n+k]) > .5
		if p.along > 0 {
			surface++
			if !wet {
				free++
			}
		}
		if p.part < 1 && (wet || p.part == 0 && liquid[k] > .5) {
			missing = max(0, missing) // where it is of the shape listHeap lists it
		}
		share := 1.
		if len(s.overlaps) > 0 {
			x := reproducible.Array(s.pts[k])
			share = c.shareAt(s, &x)
		}
		is.given += float64((1 - share) * float64(p.part*open[k]))
		is.lacks += float64(share * float64(missing*open[k]))
	}
	cell := float64(s.CellSize * s.CellSize * s.CellSize)
	is.lacks, is.cells, is.solid, is.given = is.lacks*cell, is.cells*cell, is.solid*cell, is.given*cell
	is.free = float64(free) / float64(max(1, surface))
	for k, r := range s.heap {
		is.lacks -= float64(float64(liquid[2*n+k]*s.regions.gr.Volume[r]) * c.shareOfRow(s, r))
	}
	return is
}

// growth is by how much what a surface encloses grows, m³/s.
func (c *Control) growth() float64 {
	return geom.VolumeRate(c.surface.Positions, c.surface.Velocities, c.surface.Triangles) * c.once()
}

// once is the part of what a surface encloses, counted as often as it does, that counts once.
func (c *Control) once() float64 {
	r := &c.raster
	return float64(r.Held) / float64(max(1, r.Held+r.Again))
}

// listHeap lists the rows of what a shape holds beyond its surface, and adds their centres to the places to be measured: films, and what a body that
// floats there has pressed up around itself, as far as air comes after it soon enough.
func (c *Control) listHeap(s *Set) {
	gr := s.regions.gr
	s.heap = s.heap[:0]
	for _, r := range c.rows {
		if i := c.index(c.lattice(&gr.Centre[r])); s.beyond[r] && (i < 0 || s.parts[i].part == 0) {
			s.heap = append(s.heap, r)
		}
	}
	for _, r := range s.heap {
		s.pts = append(s.pts, reproducible.Vector(gr.Centre[r]))
	}
}

// weighCells lists the cells that are in a shape, at least in part, and those beside its surface.
func (s *Set) weighCells(c *Control) {
	r := &c.raster
	s.parts = arrays.Resize(s.parts, len(r.Inside))
	s.weighed = s.weighed[:0]
	for i, in := range r.Inside {
		s.parts[i] = cellPart{}
		if in {
			s.parts[i].part = 1
		}
	}
	stride := r.Strides()
	for axis := range 3 {
		for k := range r.Crossings[axis] {
			x := &r.Crossings[axis][k]
			upper := x.Cell + stride[axis]
			s.cutCell(c, x, axis, x.Cell, x.Fraction, 1)
			s.cutCell(c, x, axis, upper, 1-x.Fraction, -1)
		}
	}
	for i := range s.parts {
		if (s.parts[i].part > 0 || s.parts[i].along > 0) && boxes.Contains(s.Domain, c.centre(i)) {
			s.weighed = append(s.weighed, int32(i))
		}
	}
}

// cutCell measures the part of a cell that a crossing leaves in the shape, if none of the cell's is along an axis closer to the surface's normal: so
// many cells away along an axis, upwards or downwards.
func (s *Set) cutCell(c *Control, x *raster.Crossing, axis int, cell int32, away, way float64) {
	n := &x.Normal
	along := math.Abs(n[axis])
	p := &s.parts[cell]
	if float32(along) <= p.along {
		return
	}
	p.along = float32(along)
	depth, out := away*along, way // from a cell in the shape to the one beyond the surface; from that on
	if !c.raster.Inside[cell] {
		depth, out = -depth, -way
	}
	width := math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2])
	p.part = float32(max(0, min(1, .5+depth/max(width, 1))))
	p.beyond = r3.Add(c.centre(int(cell)), c.along(axis, out))
}

// measure is what part solids leave open of the cells at s.pts, and what part of that is liquid.
func (s *Set) measure() (liquid, open []float32) {
	s.fraction, s.open = arrays.Resize(s.fraction, len(s.pts)), arrays.Resize(s.open, len(s.pts))
	s.Cells.Measure(s.fraction, s.open, s.pts)
	return s.fraction, s.open
}

// cell is where cell i of the lattice is, counted in cells.
func (c *Control) cell(i int) [3]int {
	d := &c.raster.Dim
	return [3]int{i % d[0], i / d[0] % d[1], i / (d[0] * d[1])}
}

// centre is that of a cell of the lattice, m.
func (c *Control) centre(i int) r3.Vec {
	r, n := &c.raster, c.cell(i)
	at := func(a int) float64 { return r.Origin[a] + float64((float64(n[a])+.5)*r.H) }
	return r3.Vec{X: at(0), Y: at(1), Z: at(2)}
}

// along is so many cells along an axis, m.
func (c *Control) along(axis int, cells float64) (v r3.Vec) {
	switch axis {
	case 0:
		v.X = float64(cells * c.raster.H)
	case 1:
		v.Y = float64(cells * c.raster.H)
	default:
		v.Z = float64(cells * c.raster.H)
	}
	return v
}
