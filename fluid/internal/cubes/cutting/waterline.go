package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// waterline is where the surface meets a body, from the cells that the body cuts: φ in the cells
// deep inside of it means nothing.
type waterline struct {
	height, at float64 // sum over the cells at the surface, m, along Up; how many, each by what is open of it
	wet, cut   float64 // liquid fractions of the cells that are cut, summed; how many
	tilt       tilt
}

// sloping is how far from 1 the derivative of φ along Up may be where a surface lies. In a dry hull φ falls and rises
// with the liquid beside and below it.
const sloping = .2

// slit is what a body leaves open of a cell that it fills but for rounding: its faces may be shut.
const slit = .02

// waterline finds the waterline of a body from the cells that it cuts.
func (cp *coupling) waterline(jobs []job) (w waterline) {
	d := cp.d
	w.tilt = tiltOf(d.Up)
	down := d.Down()
	for i := range jobs {
		j := &jobs[i]
		if !j.hit {
			continue
		}
		k := d.block(j.base)
		for i := range j.cells {
			c := &j.cells[i]
			if c.solid == 0 || c.solid == 1 {
				continue
			}
			phi := float64(d.phi[c.cell])
			w.wet += w.tilt.part(phi, k.h)
			w.cut++
			if math.Abs(phi) < .75*k.h && cp.isSurface(&k, c, down) {
				open := 1 - c.solid
				w.height += float64(open * (cp.along(k.cellMiddle(c.cell)) - phi))
				w.at += open
			}
		}
	}
	if w.at == 0 {
		cp.waterlineBeside(&w, jobs, down)
	}
	return w
}

// waterlineBeside adds the open cells level with those that a body fills, for a body whose sides lie between cells and cut none.
func (cp *coupling) waterlineBeside(w *waterline, jobs []job, down int) {
	d := cp.d
	for i := range jobs {
		j := &jobs[i]
		if !j.hit {
			continue
		}
		k := d.block(j.base)
		for i := range j.cells {
			c := &j.cells[i]
			at := k.place(int(c.cell - k.first))
			for side := range 6 {
				if side/2 == down/2 || c.solid < 1-slit {
					continue
				}
				beside, h := d.next(&k, side, at)
				if beside < 0 || h != k.h || float64(d.Volume[beside]) < (1-slit)*h*h*h {
					continue
				}
				if phi := float64(d.phi[beside]); math.Abs(phi) < .75*h {
					x := k.cellMiddle(c.cell)
					step := float64(h * float64(side&1*2-1) * d.Up[side/2])
					w.height += cp.along(x) + step - phi
					w.at++
				}
			}
		}
	}
}

// isSurface tells whether the surface is level at a cell that a body cuts: by the derivative of φ along Up, by the axis of the side
// down. It is not where the grid ends, where the body is above or below or, in a cell that it leaves open, where the surface seems to
// be in its floor.
func (cp *coupling) isSurface(k *block, c *solidCell, down int) bool {
	d := cp.d
	at := k.place(int(c.cell - k.first))
	low, below := d.next(k, down, at)
	high, above := d.next(k, down^1, at)
	if low < 0 || high < 0 || d.Volume[low] <= 0 || d.Volume[high] <= 0 {
		return false
	}
	side, beyond, size := down, low, below // towards the surface
	if d.phi[c.cell] < 0 {
		side, beyond, size = down^1, high, above
	}
	face := c.cell
	if side&1 == 1 {
		face = beyond
	}
	if 1-c.solid > slit && size == k.h && d.Open[side/2][face] <= 0 {
		return false
	}
	rise := float64(d.phi[high]-d.phi[low]) / (math.Abs(d.Up[down/2]) * (k.h + float64((below+above)/2)))
	return math.Abs(rise-1) < sloping
}

// along is the height of a place, its distance from the origin along Up, m.
func (cp *coupling) along(x r3.Vec) float64 {
	d := cp.d
	return float64(x.X*d.Up[0]) + float64(x.Y*d.Up[1]) + float64(x.Z*d.Up[2])
}

// cellMiddle is the centre of a cell, m.
func (k *block) cellMiddle(cell int32) r3.Vec {
	at := k.place(int(cell - k.first))
	return k.centre(at[0], at[1], at[2])
}

// fill is the part of a cell of the body that is under the surface: by its own φ where that is clear, by the waterline in the body
// and near the surface.
func (cp *coupling) fill(w *waterline, k *block, c *solidCell, thin bool) float64 {
	d := cp.d
	phi, deep := float64(d.phi[c.cell]), c.solid >= 1-slit && (w.cut > 0 || w.at > 0)
	if thin && !deep && phi > -k.h { // else it is not asked for, or the cell is full anyhow
		phi = min(phi, cp.deepest(k, c))
	}
	switch known := w.at > 0 && d.Up != [3]float64{}; {
	case known && (deep || math.Abs(phi) < k.h):
		return w.partOf(cp.along(c.x)-w.height/w.at, cp.along(c.x)-cp.along(k.cellMiddle(c.cell)), k.h)
	case deep:
		return w.wet / w.cut
	}
	return w.tilt.part(phi, k.h)
}

// partOf is the tilt's part of what a body fills of a cell of edge h, whose centroid is some way above the surface and some way off
// the cell's middle: what of a box is on one side of a plane is twice as far from the other side as its centroid.
func (w *waterline) partOf(distance, off, h float64) float64 {
	return w.tilt.part(distance, max(.01*h, h-2*math.Abs(off)/w.tilt.size))
}

// deepest is φ at a cell by the cells beside it, whichever is deepest: there is liquid on one side of a hull and air
// on the other.
func (cp *coupling) deepest(k *block, c *solidCell) float64 {
	d := cp.d
	at, deepest := k.place(int(c.cell-k.first)), math.Inf(1)
	for side := range 6 {
		a, up := side/2, side&1*2-1
		cell, h := c.cell+int32(up)<<(k.bits*a), k.h
		if u := at[a] + up; u < 0 || u >= k.n {
			if cell, h = d.next(k, side, at); cell < 0 {
				continue
			}
		}
		rise := float64(d.Up[a] * float64(up) * (k.h + h) / 2) // of the cell there
		deepest = min(deepest, float64(d.phi[cell])-rise)
	}
	return deepest
}
