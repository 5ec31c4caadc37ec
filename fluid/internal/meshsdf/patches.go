package meshsdf

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// patch is a run of faces connected over edges that two faces share, oriented alike.
type patch struct {
	first, count int // in mesh.faces
	area         float64
	volume       float64 // signed, about the middle of its own box
	holes        float64 // area of fans over its boundary, m²
	box          r3.Box
}

// countsAsSolid patches enclose a volume by themselves; the rest are sheets that may do so
// together. A quarter is past the 1/5 of a cube without its lid's missing sixth, and
// short of the 1/3 of a half sphere without its base.
func (p *patch) countsAsSolid() bool { return p.holes <= 0.25*p.area }

// halfEdge is one side of a face; forward when the face runs from lo to hi.
type halfEdge struct {
	lo, hi  int32
	face    int32
	forward bool
}

// halfEdges lists all sides, those of one edge together.
func halfEdges(faces [][3]int32) []halfEdge {
	es := make([]halfEdge, 0, 3*len(faces))
	for i, f := range faces {
		for k := range f {
			a, b := f[k], f[(k+1)%3]
			es = append(es, halfEdge{min(a, b), max(a, b), int32(i), a < b})
		}
	}
	slices.SortFunc(es, func(a, b halfEdge) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi), cmp.Compare(a.face, b.face))
	})
	return es
}

// eachEdge calls f with the half edges of every edge.
func eachEdge(es []halfEdge, f func(sides []halfEdge)) {
	for i := 0; i < len(es); {
		j := i + 1
		for j < len(es) && es[j].lo == es[i].lo && es[j].hi == es[i].hi {
			j++
		}
		f(es[i:j])
		i = j
	}
}

// boundaryFree reports whether the oriented faces are a closed surface: every edge is
// run through as often one way as the other.
func (m *mesh) boundaryFree() bool {
	free := true
	eachEdge(halfEdges(m.faces), func(sides []halfEdge) {
		sum := 0
		for _, s := range sides {
			if s.forward {
				sum++
			} else {
				sum--
			}
		}
		free = free && sum == 0
	})
	return free
}

// neighbour is a face across a manifold edge; alike when both faces are oriented alike.
type neighbour struct {
	face  int32
	alike bool
}

// splitPatches sorts the faces by patch, orients each patch alike (the way most of its
// area was given) and measures it.
func (m *mesh) splitPatches() []patch {
	near := make([][3]neighbour, len(m.faces))
	count := make([]uint8, len(m.faces))
	eachEdge(halfEdges(m.faces), func(sides []halfEdge) {
		if len(sides) != 2 || sides[0].face == sides[1].face {
			return
		}
		a, b := sides[0], sides[1]
		alike := a.forward != b.forward
		near[a.face][count[a.face]] = neighbour{b.face, alike}
		near[b.face][count[b.face]] = neighbour{a.face, alike}
		count[a.face]++
		count[b.face]++
	})
	var patches []patch
	seen, flip := make([]bool, len(m.faces)), make([]bool, len(m.faces))
	sorted := make([][3]int32, 0, len(m.faces))
	var queue []int32
	for start := range m.faces {
		if seen[start] {
			continue
		}
		seen[start] = true
		queue = append(queue[:0], int32(start))
		for k := 0; k < len(queue); k++ {
			f := queue[k]
			for _, n := range near[f][:count[f]] {
				if !seen[n.face] {
					seen[n.face] = true
					flip[n.face] = flip[f] == n.alike
					queue = append(queue, n.face)
				}
			}
		}
		patches = append(patches, patch{first: len(sorted), count: len(queue)})
		sorted = m.appendPatch(sorted, queue, flip)
	}
	m.faces = sorted
	for i := range patches {
		m.measure(&patches[i])
	}
	return patches
}

// appendPatch appends the queued faces, turned where flip says so, or all the other way
// round where that keeps more of the area as it was.
func (m *mesh) appendPatch(sorted [][3]int32, queue []int32, flip []bool) [][3]int32 {
	var turned, kept float64
	for _, f := range queue {
		a := reproducible.Norm(m.normal(m.faces[f]))
		if flip[f] != flip[queue[0]] {
			turned += a
		} else {
			kept += a
		}
	}
	base := flip[queue[0]] != (turned > kept)
	for _, f := range queue {
		c := m.faces[f]
		if flip[f] != base {
			c[1], c[2] = c[2], c[1]
		}
		sorted = append(sorted, c)
	}
	return sorted
}

func (m *mesh) faceRun(p *patch) [][3]int32 { return m.faces[p.first : p.first+p.count] }

// measure fills in what a patch has besides its run of faces.
func (m *mesh) measure(p *patch) {
	faces := m.faceRun(p)
	p.box = m.bounds(faces)
	mid := reproducible.Scale(0.5, r3.Add(p.box.Min, p.box.Max))
	p.area, p.volume = 0, 0
	for _, f := range faces {
		n := m.normal(f)
		p.area += float64(0.5 * reproducible.Norm(n))
		p.volume += reproducible.Dot(r3.Sub(m.verts[f[0]], mid), n) / 6
	}
	p.holes = m.holeArea(faces)
}

// holeArea sums, over the connected pieces of the boundary, a fan of triangles from the
// piece's middle.
func (m *mesh) holeArea(faces [][3]int32) float64 {
	var rim [][2]int32
	eachEdge(halfEdges(faces), func(sides []halfEdge) {
		if len(sides)%2 == 1 {
			rim = append(rim, [2]int32{sides[0].lo, sides[0].hi})
		}
	})
	if len(rim) == 0 {
		return 0
	}
	first := make(map[int32]int32, len(rim)) // vertex → the first edge of the rim that has it; looked up, never ranged over
	var pieces geom.Sets                     // of edges
	pieces.Reset(len(rim))
	for i, e := range rim {
		for _, v := range e {
			if j, ok := first[v]; ok {
				pieces.Join(int32(i), j)
			} else {
				first[v] = int32(i)
			}
		}
	}
	type middle struct {
		sum r3.Vec
		n   float64
	}
	middles := make([]middle, len(rim)) // by piece
	for i, e := range rim {
		c := &middles[pieces.Find(int32(i))]
		c.sum, c.n = r3.Add(c.sum, r3.Add(m.verts[e[0]], m.verts[e[1]])), c.n+2
	}
	var area float64
	for i, e := range rim {
		c := middles[pieces.Find(int32(i))]
		mid := reproducible.Scale(1/c.n, c.sum)
		area += float64(0.5 * reproducible.Norm(geom.TwiceArea(mid, m.verts[e[0]], m.verts[e[1]])))
	}
	return area
}
