package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// perimeterPoint is a point of the surface on the boundary of a face.
type perimeterPoint struct {
	point  int32
	side   int8 // of the face, 0 to 3 counter-clockwise
	leaves bool // the boundary, followed counter-clockwise, leaves the inside here
}

// listPart is a part of a list.
type listPart struct{ first, end int32 }

// chords are the surface's arcs in a face within the region, which is given by the cell above it. Both cells of the face ask for them, and get the same. An arc goes from a point where the face's boundary, followed counter-clockwise as seen
// from above, leaves the inside, to one where it comes inside.
func (r refiller) chords(axis int, face [3]int32) [][2]int32 {
	f := &r.refilling
	at, fresh := f.faceAt.add(latticeKey(axis, face), int32(len(f.chordsAt)))
	if fresh {
		first := int32(len(f.chords))
		r.findPerimeter(axis, face)
		r.joinPerimeter()
		r.bend(axis, face, first)
		f.chordsAt = append(f.chordsAt, listPart{first, int32(len(f.chords))})
	}
	return f.chords[f.chordsAt[at].first:f.chordsAt[at].end]
}

// findPerimeter lists the points on the boundary of a face.
func (r refiller) findPerimeter(axis int, face [3]int32) {
	f := &r.refilling
	f.perimeter = f.perimeter[:0]
	b, c := (axis+1)%3, (axis+2)%3
	for side := range int8(4) {
		along, node := b, face
		switch side {
		case 1:
			along, node = c, shifted(face, b, 1)
		case 2:
			node = shifted(face, c, 1)
		case 3:
			along = c
		}
		first := len(f.perimeter)
		p, count := r.pointsOn(along, node)
		for range count {
			f.perimeter = append(f.perimeter, perimeterPoint{p, side, r.seam.points[p].out == (side < 2)})
			p = r.seam.points[p].above
		}
		if side >= 2 {
			slices.Reverse(f.perimeter[first:])
		}
	}
}

// joinPerimeter joins neighbours among the points that are left, the nearest first, until none is left. So no chords cross.
func (r refiller) joinPerimeter() {
	f := &r.refilling
	if len(f.perimeter)%2 != 0 {
		r.seam.degenerate = true
		return
	}
	for n := len(f.perimeter); n > 0; n = len(f.perimeter) {
		best, least := 0, math.Inf(1)
		for i := 0; i < n && n > 2; i++ {
			p, q := &r.seam.points[f.perimeter[i].point].at, &r.seam.points[f.perimeter[(i+1)%n].point].at
			if d := reproducible.Norm2(r3.Sub(*p, *q)); d < least {
				best, least = i, d
			}
		}
		p, q := f.perimeter[best], f.perimeter[(best+1)%n]
		if !p.leaves {
			p, q = q, p
		}
		f.chords = append(f.chords, [2]int32{p.point, q.point})
		if best+1 < n {
			f.perimeter = slices.Delete(f.perimeter, best, best+2)
		} else {
			f.perimeter = slices.Delete(f.perimeter[:n-1], 0, 1)
		}
	}
}

// bend puts a point in the middle of chords between two points of the same side, so that they reach into the face: all at one slope, so that those around others don't meet them, and flat enough
// to meet no other chord, nor a shape that is taken away.
func (r refiller) bend(axis int, face [3]int32, first int32) {
	f, s := &r.refilling, &r.seam
	last := len(f.chords)
	flat := len(s.points)
	for i := int(first); i < last; i++ {
		p, q := f.chords[i][0], f.chords[i][1]
		x, y := &s.points[p], &s.points[q]
		if x.axis != y.axis || x.cell != y.cell {
			continue
		}
		middle := int32(len(s.points))
		s.points = append(s.points, seamPoint{kind: offLattice, axis: x.axis, cell: x.cell, origin: x.origin, vertex: Gone, next: Gone, above: Gone})
		f.chords = append(f.chords, [2]int32{middle, q})
		f.chords[i][1] = middle
	}
	if len(s.points) == flat {
		return
	}
	for slope := 0.5; slope > 1e-9; slope /= 2 {
		k := last
		for i := int(first); i < last; i++ {
			if middle := f.chords[i][1]; int(middle) >= flat {
				r.raise(axis, face, f.chords[i][0], middle, f.chords[k][1], slope)
				k++
			}
		}
		r.places = r.places[:0]
		for i := range s.points[flat:] {
			r.places = append(r.places, s.points[flat+i].at)
		}
		if !r.chordsMeet(f.chords[first:]) && !r.inShape(r.places) {
			return
		}
	}
	s.degenerate = true
}

// inShape tells whether one of some places is in a shape that is taken away.
func (r refiller) inShape(at []r3.Vec) bool {
	if r.mode != fromDifference {
		return false
	}
	return r.sampleShape(at) != nil || slices.ContainsFunc(r.values, func(d float64) bool { return d < 0 })
}

// raise puts the middle of a chord from p to q, both on one lattice edge, into a face.
func (r refiller) raise(axis int, face [3]int32, p, middle, q int32, slope float64) {
	s := &r.seam
	x, y, m := &s.points[p], &s.points[q], &s.points[middle]
	a, b := coordinate(&x.at, int(m.axis)), coordinate(&y.at, int(m.axis))
	m.at = x.at
	setCoordinate(&m.at, int(m.axis), (a+b)/2)
	across := 3 - axis - int(m.axis)
	level, far := face[across], face[across]+1
	if m.cell[across] == far {
		level, far = far, level
	}
	from, to := r.lattice.plane(across, level), r.lattice.plane(across, far)
	step := float64(slope * math.Abs(a-b) / 2)
	if to < from {
		step = -step
	}
	setCoordinate(&m.at, across, from+step)
}

// chordsMeet tells whether chords have points in common other than their ends.
func (r refiller) chordsMeet(chords [][2]int32) bool {
	at := func(p int32) r3.Vec { return r.seam.points[p].at }
	for i, c := range chords {
		for _, d := range chords[:i] {
			if c[0] != d[0] && c[0] != d[1] && c[1] != d[0] && c[1] != d[1] && predicates.SegmentSegment(at(c[0]), at(c[1]), at(d[0]), at(d[1])) {
				return true
			}
		}
	}
	return false
}
