package raster

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// neighbours are the cells of a row along x and the next ones along an axis; nothing where it is known that no two differ.
func (r *Raster) neighbours(axis, j, k int) (lower, upper []bool) {
	nx := r.Dim[0]
	row := j + r.Dim[1]*k
	next := row
	switch {
	case nx == 0:
		return nil, nil
	case axis == 0:
		if r.rows[row] != mixed {
			return nil, nil
		}
		return r.Inside[row*nx : (row+1)*nx-1], r.Inside[row*nx+1 : (row+1)*nx]
	case axis == 1 && j+1 < r.Dim[1]:
		next += 1
	case axis == 2 && k+1 < r.Dim[2]:
		next += r.Dim[1]
	default:
		return nil, nil
	}
	if r.rows[row] == r.rows[next] && r.rows[row] != mixed {
		return nil, nil
	}
	return r.Inside[row*nx : (row+1)*nx], r.Inside[next*nx : (next+1)*nx]
}

// countCrossings counts those of some layers.
func (r *Raster) countCrossings(_, lo, hi int) {
	for k := lo; k < hi; k++ {
		l := layer{}
		for j := range r.Dim[1] {
			for axis := range 3 {
				lower, upper := r.neighbours(axis, j, k)
				for i, inside := range lower {
					if inside != upper[i] {
						l.crossings[axis]++
					}
				}
			}
		}
		r.layers[k] = l
	}
}

// placeCrossings makes room for the crossings of all layers.
func (r *Raster) placeCrossings() {
	var sum [3]int32
	for k := range r.layers {
		for axis, n := range r.layers[k].crossings {
			r.layers[k].crossings[axis] = sum[axis]
			sum[axis] += n
		}
	}
	for axis, n := range sum {
		r.Crossings[axis] = arrays.Resize(r.Crossings[axis], int(n))
	}
}

// fillCrossings makes those of some layers.
func (r *Raster) fillCrossings(_, lo, hi int) {
	for k := lo; k < hi; k++ {
		l := &r.layers[k]
		next := l.crossings
		for j := range r.Dim[1] {
			for axis := range 3 {
				lower, upper := r.neighbours(axis, j, k)
				for i, inside := range lower {
					if inside == upper[i] {
						continue
					}
					at := [3]int32{int32(i), int32(j), int32(k)}
					n := next[axis]
					r.fillCrossing(&r.Crossings[axis][n], axis, at, inside, l)
					r.At[axis][r.index(at)] = n
					next[axis]++
				}
			}
		}
	}
}

func (r *Raster) index(at [3]int32) int32 { return at[0] + at[1]*r.strides[1] + at[2]*r.strides[2] }

// fillCrossing makes the crossing between a cell and the next one.
func (r *Raster) fillCrossing(c *Crossing, axis int, at [3]int32, lowerInside bool, l *layer) {
	c.Cell, c.Outward = r.index(at), -1
	if lowerInside {
		c.Outward = 1
	}
	if h := r.outermost(axis, c.Cell, lowerInside); h >= 0 {
		c.Fraction = r.hits[axis][h].fraction
		r.interpolate(c, axis, axis, at, r.hits[axis][h].triangle)
		return
	}
	l.made++
	near := r.nearest(axis, at)
	c.Fraction = near.fraction
	if near.triangle < 0 {
		c.Velocity, c.Normal, c.Weight = [3]float64{}, [3]float64{}, 0
		c.Normal[axis] = float64(c.Outward)
		return
	}
	l.farthest = max(l.farthest, near.distance)
	r.interpolate(c, axis, near.axis, near.at, near.triangle)
}

// outermost is the hit between a cell and the next one at which the winding number passes between 0 and 1 last on the way outside; -1 where there is none.
func (r *Raster) outermost(axis int, cell int32, lowerInside bool) int32 {
	hits := r.hits[axis]
	h := r.first[axis][cell]
	if h < 0 || hits[h].next < 0 {
		return h
	}
	found, lowest := int32(-1), h
	winding := r.winding(cell)
	for ; h >= 0; h = hits[h].next {
		before := winding > 0
		winding += hits[h].delta
		switch after := winding > 0; {
		case lowerInside && before && !after:
			found = h
		case !lowerInside && !before && after:
			return h
		}
	}
	if found < 0 { // rounding has put the one that counts beyond a centre
		return lowest
	}
	return found
}

// interpolate sets what a crossing has of a triangle, where the line along hitAxis through a cell's centre meets it.
func (r *Raster) interpolate(c *Crossing, axis, hitAxis int, at [3]int32, triangle int32) {
	t := r.surface.Triangles[triangle]
	o, v, w := &r.vertices[t[0]].at, &r.vertices[t[1]].at, &r.vertices[t[2]].at
	vx, vy, vz := v[0]-o[0], v[1]-o[1], v[2]-o[2]
	wx, wy, wz := w[0]-o[0], w[1]-o[1], w[2]-o[2]
	n := [3]float64{float64(vy*wz) - float64(vz*wy), float64(vz*wx) - float64(vx*wz), float64(vx*wy) - float64(vy*wx)}
	length := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	if length > 0 {
		c.Normal = [3]float64{n[0] / length, n[1] / length, n[2] / length}
	} else {
		c.Normal = [3]float64{}
		c.Normal[axis] = float64(c.Outward)
	}

	// Areas seen along the axis, on which the two others follow cyclically.
	b, d := (hitAxis+1)%3, (hitAxis+2)%3
	x, y := float64(at[b])-o[b], float64(at[d])-o[d]
	ofV := within(float64(x*(w[d]-o[d]))-float64(y*(w[b]-o[b])), n[hitAxis])
	ofW := within(float64(y*(v[b]-o[b]))-float64(x*(v[d]-o[d])), n[hitAxis])
	if sum := ofV + ofW; sum > 1 {
		ofV, ofW = ofV/sum, ofW/sum
	}

	// Differences from the first vertex: what is the same at all three comes out with the same bits.
	c.Velocity, c.Weight = [3]float64{}, 1
	if u := r.surface.Velocities; u != nil {
		a, b, d := &u[t[0]], &u[t[1]], &u[t[2]]
		c.Velocity = [3]float64{
			a.X + float64(ofV*(b.X-a.X)) + float64(ofW*(d.X-a.X)),
			a.Y + float64(ofV*(b.Y-a.Y)) + float64(ofW*(d.Y-a.Y)),
			a.Z + float64(ofV*(b.Z-a.Z)) + float64(ofW*(d.Z-a.Z)),
		}
	}
	if u := r.surface.Weights; u != nil {
		a, b, d := float64(u[t[0]]), float64(u[t[1]]), float64(u[t[2]])
		c.Weight = float32(a + float64(ofV*(b-a)) + float64(ofW*(d-a)))
	}
}

// within is part/whole between 0 and 1; 0 where it is NaN, of a triangle along the line.
func within(part, whole float64) float64 {
	share := part / whole
	if !(share > 0) {
		return 0
	}
	return min(share, 1)
}

// candidate is a hit that a crossing may be made with.
type candidate struct {
	triangle int32    // -1: none
	axis     int      // of the hit
	at       [3]int32 // the cell below it
	fraction float64  // of the crossing
	distance float64  // from the hit to one of the crossing's centres, edges of cells
}

// nearest is the hit next to the centres of a cell and the next one along an axis, of those on the lines through them to their neighbours.
// Where there is none, it is the nearest one on the lines along x through them.
func (r *Raster) nearest(axis int, at [3]int32) candidate {
	best := candidate{triangle: -1, fraction: .5, distance: math.Inf(1)}
	for end := range 2 {
		centre := at
		centre[axis] += int32(end)
		for other := range 3 {
			below := centre
			below[other]--
			r.consider(&best, other, centre, centre[other], float64(end))
			r.consider(&best, other, below, centre[other], float64(end))
		}
	}
	for end := 0; end < 2 && best.triangle < 0; end++ {
		centre := at
		centre[axis] += int32(end)
		for below := centre; below[0] >= 0; below[0]-- {
			r.consider(&best, 0, below, centre[0], float64(end))
		}
		for above := centre; int(above[0]) < r.Dim[0]; above[0]++ {
			r.consider(&best, 0, above, centre[0], float64(end))
		}
	}
	return best
}

// consider takes the hits above a cell for best where one is nearer to the centre at coordinate from.
func (r *Raster) consider(best *candidate, axis int, below [3]int32, from int32, fraction float64) {
	if below[axis] < 0 {
		return
	}
	for h := r.first[axis][r.index(below)]; h >= 0; h = r.hits[axis][h].next {
		hit := &r.hits[axis][h]
		if d := math.Abs(float64(below[axis]-from) + hit.fraction); d < best.distance {
			*best = candidate{hit.triangle, axis, below, fraction, d}
		}
	}
}
