package raster

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// pockets are the outside cells as FillPockets sees them.
type pockets struct {
	runs  []run
	sets  geom.Sets // of runs that touch
	first []int32   // per row along x: its first run; one more at the end
}

// run is outside cells from lo to hi-1 that follow each other along x. Run 0 has no cells; it stands for the lattice's border.
type run struct {
	lo, hi   int32
	resolved bool // of the lowest of its set: a cell has all its six neighbours outside
}

// FillPockets sets Inside in pockets that only the resolution makes, and takes their crossings out: cells outside that are not connected
// through faces with the border of the lattice, none of which has all six neighbours outside. A cavity that has such a cell stays.
// filled is the number of cells. It allocates nothing once its arrays are long enough.
//
// Source: Raveendran et al. 2012, section 5, which asks for it without a method.
func (r *Raster) FillPockets() (filled int) {
	r.findRuns()
	r.joinRuns()
	p := &r.pockets
	for i := 1; i < len(p.runs); i++ {
		if root := p.sets.Find(int32(i)); root > 0 && !p.runs[root].resolved {
			p.runs[root].resolved = r.resolves(&p.runs[i])
		}
	}
	for i := 1; i < len(p.runs); i++ {
		if root := p.sets.Find(int32(i)); root > 0 && !p.runs[root].resolved {
			run := p.runs[i]
			for cell := run.lo; cell < run.hi; cell++ {
				r.Inside[cell] = true
			}
			filled += int(run.hi - run.lo)
		}
	}
	if filled > 0 {
		r.dropCrossings()
	}
	return filled
}

// findRuns lists the runs of all rows, which end where the surface crosses between centres along x.
func (r *Raster) findRuns() {
	p := &r.pockets
	nx, rows := int32(r.Dim[0]), len(r.rows)
	p.first = arrays.Resize(p.first, rows+1)
	p.runs = append(arrays.Resize(p.runs, rows+len(r.Crossings[0])+1)[:0], run{})
	next := 0
	for row := range rows {
		p.first[row] = int32(len(p.runs))
		lo, end := int32(row)*nx, int32(row+1)*nx
		for lo < end {
			hi, inside := end, r.Inside[lo]
			if next < len(r.Crossings[0]) && r.Crossings[0][next].Cell < end {
				hi = r.Crossings[0][next].Cell + 1
				next++
			}
			if !inside {
				p.runs = append(p.runs, run{lo: lo, hi: hi})
			}
			lo = hi
		}
	}
	p.first[rows] = int32(len(p.runs))
}

// joinRuns joins the runs that touch each other or the border.
func (r *Raster) joinRuns() {
	p := &r.pockets
	p.sets.Reset(len(p.runs))
	nx, ny, nz := r.Dim[0], r.Dim[1], r.Dim[2]
	for k := range nz {
		for j := range ny {
			row := j + ny*k
			side := j == 0 || j == ny-1 || k == 0 || k == nz-1
			lo, hi := int32(row*nx), int32((row+1)*nx)
			for i := p.first[row]; i < p.first[row+1]; i++ {
				if side || p.runs[i].lo == lo || p.runs[i].hi == hi {
					p.sets.Join(0, i)
				}
			}
			if j > 0 {
				p.joinRows(row-1, row, r.strides[1])
			}
			if k > 0 {
				p.joinRows(row-ny, row, r.strides[2])
			}
		}
	}
}

// joinRows joins the runs of two rows, whose cells differ by a stride, that have cells side by side.
func (p *pockets) joinRows(before, row int, stride int32) {
	a, b := p.first[before], p.first[row]
	for a < p.first[before+1] && b < p.first[row+1] {
		lower, upper := &p.runs[a], &p.runs[b]
		if lower.lo+stride < upper.hi && upper.lo < lower.hi+stride {
			p.sets.Join(a, b)
		}
		if lower.hi+stride < upper.hi {
			a++
		} else {
			b++
		}
	}
}

// resolves tells whether a cell of a run that is not on the border has all six neighbours outside.
func (r *Raster) resolves(run *run) bool {
	y, z := r.strides[1], r.strides[2]
	for c := run.lo + 1; c < run.hi-1; c++ {
		if !r.Inside[c-y] && !r.Inside[c+y] && !r.Inside[c-z] && !r.Inside[c+z] {
			return true
		}
	}
	return false
}

// dropCrossings takes out the crossings between cells that are both inside.
func (r *Raster) dropCrossings() {
	for axis := range 3 {
		all, at := r.Crossings[axis], r.At[axis]
		kept := all[:0]
		for _, c := range all {
			if r.Inside[c.Cell] == r.Inside[c.Cell+r.strides[axis]] {
				at[c.Cell] = -1
				continue
			}
			at[c.Cell] = int32(len(kept))
			kept = append(kept, c)
		}
		r.Crossings[axis] = kept
	}
}
