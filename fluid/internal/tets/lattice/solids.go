package lattice

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// Solid is a rigid body, or what stands still.
type Solid struct {
	Distance Distance
	Body     int    // which of the graph's; less than 0: it stands still
	Centre   r3.Vec // of mass, m: of a body
}

// leastOpen is the open part of a face below which it is shut, more than rounding leaves of one.
const leastOpen = 1e-9

// leastVolume is the part of its cell that a row's volume is at least.
const leastVolume = 1e-6

// cuts is what solids leave of the mesh.
type cuts struct {
	distances   [][]float64  // per solid: its distance at every point, then at every vertex, m
	open        []float64    // per face: what no solid covers, as a part of it
	middle      [][3]float64 // per face: the centroid of that, m
	openVolume  []float64    // per vertex: volume that no solid fills, m³
	solidVolume [][]float64  // per solid and vertex: volume that it fills, m³
	covers      []cover
}

// cover is what a solid covers of a face, or of a wall.
type cover struct {
	face   *face
	solid  int32
	area   float64    // m²
	centre [3]float64 // m
}

// Solids measures what solids leave open of faces and cells. Distances are taken as linear between the corners of a face, and between those and
// the vertices. Bodies is how many the graph has.
//
// Where several solids cover parts of one face, what is covered in all goes to each by how much it covers alone.
func (l *Lattice) Solids(solids []Solid, bodies int) {
	l.solids, l.bodies = append(l.solids[:0], solids...), bodies
	c, points := &l.cuts, len(l.points)+len(l.vertices)
	for len(c.distances) < len(solids) {
		c.distances, c.solidVolume = append(c.distances, nil), append(c.solidVolume, nil)
	}
	for i := range solids {
		c.distances[i], c.solidVolume[i] = arrays.Resize(c.distances[i], points), arrays.Resize(c.solidVolume[i], len(l.vertices))
		l.measure(c.distances[i], solids[i].Distance, l.points)
		l.measure(c.distances[i][len(l.points):], solids[i].Distance, l.vertices)
		clear(c.solidVolume[i])
	}
	c.open, c.middle = arrays.Resize(c.open, len(l.faces)), arrays.Resize(c.middle, len(l.faces))
	c.openVolume, c.covers = append(c.openVolume[:0], l.volume...), c.covers[:0]
	for i := range l.faces {
		c.open[i], c.middle[i] = l.cut(&l.faces[i])
	}
	for i := range l.walls {
		l.cut(&l.walls[i])
	}
	for v, whole := range l.volume {
		if c.openVolume[v] < leastVolume*whole {
			c.openVolume[v] = leastVolume * whole
		}
	}
}

// cut notes what solids cover of a face, and fill of the cells on its two sides. It returns what is left open, and its centroid.
func (l *Lattice) cut(f *face) (open float64, middle [3]float64) {
	var all field
	alone := 0.
	first := len(l.covers)
	for i := range l.solids {
		at := l.fieldAt(i, f)
		if i == 0 {
			all = at
		} else {
			all.unite(&at)
		}
		if !at.touches(f) {
			continue
		}
		l.fill(f, &at, l.solidVolume[i])
		if part, _, covered := l.openPart(f, &at); part < 1 {
			alone += 1 - part
			l.covers = append(l.covers, cover{f, int32(i), 1 - part, covered})
		}
	}
	if len(l.solids) > 0 && all.touches(f) {
		l.fill(f, &all, nil)
	}
	if alone == 0 {
		return 1, f.centre
	}
	open, middle, _ = l.openPart(f, &all)
	for i := first; i < len(l.covers); i++ {
		c := &l.covers[i]
		c.area = f.area * (1 - open) * (c.area / alone)
	}
	return open, middle
}

// field is distances, m, at the corners of a face and at the vertices on its two sides.
type field struct {
	corner [8]float64
	vertex [2]float64
}

func (l *Lattice) fieldAt(solid int, f *face) (at field) {
	values := l.distances[solid]
	for i, p := range f.corners[:f.n] {
		at.corner[i] = values[p]
	}
	at.vertex[0] = values[len(l.points)+int(f.a)]
	at.vertex[1] = at.vertex[0]
	if f.b != none {
		at.vertex[1] = values[len(l.points)+int(f.b)]
	}
	return at
}

// unite makes it that of two solids together.
func (d *field) unite(other *field) {
	for i, v := range other.corner {
		d.corner[i] = min(d.corner[i], v)
	}
	for i, v := range other.vertex {
		d.vertex[i] = min(d.vertex[i], v)
	}
}

// touches tells whether some of a face, or of the pyramids on it, is solid.
func (d *field) touches(f *face) bool {
	least := min(d.vertex[0], d.vertex[1])
	for _, v := range d.corner[:f.n] {
		least = min(least, v)
	}
	return least < 0
}

// openPart is what is open of a face, as a part of it, and the centroids of that and of what is not, m.
func (l *Lattice) openPart(f *face, at *field) (open float64, middle, covered [3]float64) {
	var left [16][3]float64
	n := 0
	for i := range f.n {
		k := (i + 1) % f.n
		here, next := at.corner[i], at.corner[k]
		x := l.position(l.points[f.corners[i]])
		if here >= 0 {
			left[n] = x
			n++
		}
		if (here < 0) != (next < 0) {
			y, t := l.position(l.points[f.corners[k]]), here/(here-next)
			for d := range x {
				x[d] += float64(t * (y[d] - x[d]))
			}
			left[n] = x
			n++
		}
	}
	area, middle := areaAndCentroid(left[:n], &f.normal)
	switch {
	case area < leastOpen*f.area:
		return 0, f.centre, f.centre
	case area > (1-leastOpen)*f.area:
		return 1, f.centre, f.centre
	}
	for d, x := range middle { // the two make up the face
		covered[d] = x + (f.centre[d]-x)*f.area/(f.area-area)
	}
	return area / f.area, middle, covered
}

// fill adds what a solid fills of the pyramids on a face to what it fills of the two cells; nil: takes it off the room there.
func (l *Lattice) fill(f *face, at *field, to []float64) {
	var corners [8][3]float64
	for i, p := range f.corners[:f.n] {
		corners[i] = l.position(l.points[p])
	}
	for side, v := range [2]int32{f.a, f.b} {
		if v == none {
			continue
		}
		height := f.dist / 2
		if f.b == none {
			height = l.height(f)
		}
		solid := 0.
		for i := 2; i < f.n; i++ {
			p, q := sub(&corners[i-1], &corners[0]), sub(&corners[i], &corners[0])
			turn := cross(&p, &q)
			base := dot(&turn, &f.normal) / 2
			if base < 0 {
				base = -base
			}
			solid += float64(base * height / 3 * negativePart([4]float64{at.vertex[side], at.corner[0], at.corner[i-1], at.corner[i]}))
		}
		if to == nil {
			l.openVolume[v] -= solid
		} else {
			to[v] += solid
		}
	}
}

// negativePart is the part of a tetrahedron where a field that is linear in it, given at its corners, is less than 0.
func negativePart(at [4]float64) float64 {
	n := 0
	for i, v := range at { // those below first
		if v < 0 {
			at[n], at[i] = v, at[n]
			n++
		}
	}
	cut := func(in, out int) float64 { return at[in] / (at[in] - at[out]) } // how far along the edge the field is 0
	switch n {
	case 1:
		return cut(0, 1) * cut(0, 2) * cut(0, 3)
	case 2:
		ac, ad, bc, bd := cut(0, 2), cut(0, 3), cut(1, 2), cut(1, 3)
		return float64(ac*ad) + float64(bc*bd*(1-ac)) + float64(ac*bd*(1-ad))
	case 3:
		return 1 - float64(cut(3, 0)*cut(3, 1)*cut(3, 2))
	case 4:
		return 1
	}
	return 0
}
