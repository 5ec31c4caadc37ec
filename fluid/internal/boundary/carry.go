package boundary

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// carry is the surface before a change, of which faces get their velocities after it.
type carry struct {
	position []r3.Vec
	triangle [][3]int32
	label    []int32
	velocity []r3.Vec
	middle   []r3.Vec // centroids
	radius   []float64
	vertex   []r3.Vec // velocity of each vertex
	weight   []float64
	known    []placed // faces by centroid, before and after
	asked    []placed
}

// placed is a face by its centroid.
type placed struct {
	at   r3.Vec
	face int32
}

func compareVec(a, b r3.Vec) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

func comparePlaced(a, b placed) int {
	return cmp.Or(compareVec(a.at, b.at), cmp.Compare(a.face, b.face))
}

// take keeps the surface as it is, without gaps.
func (c *carry) take(l *Liquid) {
	m := &l.Tracker.Mesh
	c.position, c.triangle = append(c.position[:0], m.Position...), append(c.triangle[:0], m.Triangle...)
	c.label, c.velocity = append(c.label[:0], m.Label...), append(c.velocity[:0], l.velocity...)
}

// same tells whether the surface is what it was.
func (c *carry) same(l *Liquid) bool {
	m := &l.Tracker.Mesh
	return slices.Equal(c.position, m.Position) && slices.Equal(c.triangle, m.Triangle) && slices.Equal(c.label, m.Label)
}

// give sets the velocities of the faces as they are. A face that was there keeps its own; another has what the nearest face of its label had at the place nearest to its centroid.
func (c *carry) give(l *Liquid) {
	m := &l.Tracker.Mesh
	l.velocity = arrays.Resize(l.velocity, len(m.Triangle))
	if c.same(l) {
		copy(l.velocity, c.velocity)
		return
	}
	c.prepare()
	c.asked = c.asked[:0]
	for t, v := range m.Triangle {
		c.asked = append(c.asked, placed{centroid(m.Position, v), int32(t)})
	}
	slices.SortFunc(c.asked, comparePlaced)
	k := 0
	for _, a := range c.asked {
		for k < len(c.known) && compareVec(c.known[k].at, a.at) < 0 {
			k++
		}
		if k < len(c.known) && c.known[k].at == a.at {
			l.velocity[a.face] = c.velocity[c.known[k].face]
		} else {
			l.velocity[a.face] = c.at(a.at, m.Label[a.face])
		}
	}
}

// prepare makes what is looked up.
func (c *carry) prepare() {
	n := len(c.triangle)
	c.middle, c.radius, c.known = arrays.Resize(c.middle, n), arrays.Resize(c.radius, n), c.known[:0]
	c.vertex, c.weight = arrays.Resize(c.vertex, len(c.position)), arrays.Resize(c.weight, len(c.position))
	clear(c.vertex)
	clear(c.weight)
	for t, v := range c.triangle {
		x := centroid(c.position, v)
		c.middle[t], c.radius[t] = x, 0
		c.known = append(c.known, placed{x, int32(t)})
		area := reproducible.Norm(geom.TwiceArea(c.position[v[0]], c.position[v[1]], c.position[v[2]]))
		for _, k := range v {
			c.radius[t] = max(c.radius[t], reproducible.Norm(r3.Sub(c.position[k], x)))
			c.vertex[k] = r3.Add(c.vertex[k], reproducible.Scale(area, c.velocity[t]))
			c.weight[k] += area
		}
	}
	for k, w := range c.weight {
		if w > 0 {
			c.vertex[k] = reproducible.Scale(1/w, c.vertex[k])
		}
	}
	slices.SortFunc(c.known, comparePlaced)
}

// at is the velocity that the surface had near a place: that of the nearest face, which changes along it as the means at the vertices do.
func (c *carry) at(x r3.Vec, label int32) (u r3.Vec) {
	best := math.Inf(1)
	for t, v := range c.triangle {
		if c.label[t] != label || reproducible.Norm(r3.Sub(x, c.middle[t]))-c.radius[t] >= best {
			continue
		}
		p, q, r := c.position[v[0]], c.position[v[1]], c.position[v[2]]
		a, b, w := geom.Nearest(x, p, q, r)
		y := mix(a, b, w, p, q, r)
		if d := reproducible.Norm(r3.Sub(x, y)); d < best {
			best = d
			mean := mix(1./3, 1./3, 1./3, c.vertex[v[0]], c.vertex[v[1]], c.vertex[v[2]])
			u = r3.Add(c.velocity[t], r3.Sub(mix(a, b, w, c.vertex[v[0]], c.vertex[v[1]], c.vertex[v[2]]), mean))
		}
	}
	return u
}

// mix is a sum of three vectors with weights.
func mix(a, b, c float64, p, q, r r3.Vec) r3.Vec {
	return r3.Add(reproducible.Scale(a, p), r3.Add(reproducible.Scale(b, q), reproducible.Scale(c, r)))
}
