package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// search finds the contacts: pairs of triangles that are near each other, and face each other or are back to back. It walks through the tree of boxes against itself, and leaves out the
// parts of the surface that do not turn enough for any two of their triangles to be such a pair, which is most of a smooth one.
func (g *Merger) search(m *Mesh, near, thin float64) {
	g.contacts = g.contacts[:0]
	root := m.Boxes.Root()
	if root < 0 {
		return
	}
	reach, blunt := max(near, thin), g.Blunt
	if blunt == 0 {
		blunt = -0.2
	}
	for len(g.cones) < m.Boxes.Places() {
		g.cones = append(g.cones, r3.Box{})
	}
	g.cone(m, root)
	g.pairs = append(g.pairs[:0], [2]int32{root, root}, [2]int32{root + 1, root + 1}, [2]int32{root, root + 1})
	for len(g.pairs) > 0 {
		p := g.pairs[len(g.pairs)-1]
		g.pairs = g.pairs[:len(g.pairs)-1]
		if leastDot(&g.cones[p[0]], &g.cones[p[1]]) >= blunt {
			continue
		}
		a, t, below := m.Boxes.Place(p[0])
		b, u, under := m.Boxes.Place(p[1])
		switch {
		case p[0] == p[1]:
			if below >= 0 {
				g.pairs = append(g.pairs, [2]int32{below, below}, [2]int32{below + 1, below + 1}, [2]int32{below, below + 1})
			}
		case !within(a, b, reach):
		case t >= 0 && u >= 0:
			g.pair(m, t, u, near, thin, blunt)
		case u >= 0 || t < 0 && perimeter(a) >= perimeter(b):
			g.pairs = append(g.pairs, [2]int32{below, p[1]}, [2]int32{below + 1, p[1]})
		default:
			g.pairs = append(g.pairs, [2]int32{p[0], under}, [2]int32{p[0], under + 1})
		}
	}
}

// pair looks for a contact of two triangles.
func (g *Merger) pair(m *Mesh, t, u int32, near, thin, blunt float64) {
	t, u = min(t, u), max(t, u)
	if m.Label[t] >= 0 && m.Label[u] == m.Label[t] && reproducible.Dot(g.normal[t], g.normal[u]) < blunt && apart(m.Triangle[t], m.Triangle[u]) {
		g.compare(m, t, u, near, thin)
	}
}

// cone makes the boxes around the normals of the triangles at the two places of a node and at all below them, and returns that of both.
func (g *Merger) cone(m *Mesh, place int32) r3.Box {
	for side := range int32(2) {
		c := r3.Box{}
		switch _, t, below := m.Boxes.Place(place + side); {
		case t >= 0:
			c = r3.Box{Min: g.normal[t], Max: g.normal[t]}
		case below >= 0:
			c = g.cone(m, below)
		}
		g.cones[place+side] = c
	}
	c := g.cones[place]
	boxes.Enclose(&c, &g.cones[place+1].Min)
	boxes.Enclose(&c, &g.cones[place+1].Max)
	return c
}

// leastDot is not more than the product of any vector in one box with any in another.
func leastDot(a, b *r3.Box) float64 {
	return least(a.Min.X, a.Max.X, b.Min.X, b.Max.X) + least(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y) + least(a.Min.Z, a.Max.Z, b.Min.Z, b.Max.Z)
}

// least is the least product of a number from a to b with one from c to d.
func least(a, b, c, d float64) float64 {
	return min(float64(a*c), float64(a*d), float64(b*c), float64(b*d))
}

// within tells whether two boxes are nearer than reach along each axis.
func within(a, b *r3.Box, reach float64) bool {
	return a.Min.X-reach <= b.Max.X && b.Min.X-reach <= a.Max.X && a.Min.Y-reach <= b.Max.Y && b.Min.Y-reach <= a.Max.Y && a.Min.Z-reach <= b.Max.Z && b.Min.Z-reach <= a.Max.Z
}

func perimeter(b *r3.Box) float64 {
	return (b.Max.X - b.Min.X) + (b.Max.Y - b.Min.Y) + (b.Max.Z - b.Min.Z)
}

// apart tells whether two triangles share no vertex.
func apart(v, w [3]int32) bool {
	for _, x := range v {
		if x == w[0] || x == w[1] || x == w[2] {
			return false
		}
	}
	return true
}
