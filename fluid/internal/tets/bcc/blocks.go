package bcc

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// block is how what belongs to a base cell is ordered. It follows from the levels of the base cells around it alone, but for where it begins.
//
// Parts of a base cell are numbered as its neighbours are: along each axis 0 is its low side, 1 what is between and 2 its high side, x fastest. A part is of
// the base cell that has it by its low sides; what is at the layout's high sides is of the cell there.
type block struct {
	around [27]int8  // levels, -1 beyond the layout
	finest [27]int8  // per part: the finest level of the base cells that touch it
	corner [27]int32 // per part that it has: its first corner, counted from the base cell's first vertex
	beyond [6]int32  // per side of the layout that it touches (low and high along each axis): the first centre beyond, counted alike
	faces  int32     // its first entry of Lattice.faces
	side   int32     // its first entry of Centres, counted from the last tetrahedron
	count  counts
}

// counts are how much belongs to a base cell.
type counts struct{ vertices, tets, edges, faces, sides int32 }

// level is the base cell's.
func (k *block) level() int8 { return k.around[13] }

// strides of parts and of neighbours along each axis.
var partStride = [3]int{1, 3, 9}

// neighbour is the level beyond a side (0 or 1) along an axis, or -1.
func (k *block) neighbour(axis, side int) int8 { return k.around[13+(2*side-1)*partStride[axis]] }

// owns tells whether a part is the base cell's own.
func (k *block) owns(part int) bool {
	for a := range 3 {
		if part/partStride[a]%3 == 2 && k.neighbour(a, 1) >= 0 {
			return false
		}
	}
	return true
}

// read takes the levels around and tells whether they have changed.
func (k *block) read(g *layout.Grid, m *layout.Map, b int32) bool {
	var around [27]int8
	for i, nb := range g.Nearby(b) {
		around[i] = -1
		if nb != layout.None {
			around[i] = int8(m.Level[nb])
		}
	}
	if around == k.around {
		return false
	}
	for i, other := range around {
		if !isCorner(i) && other >= 0 && max(other-around[13], around[13]-other) > 1 {
			panic("bcc: the layout is not balanced across faces and edges")
		}
	}
	k.around = around
	k.arrange()
	return true
}

// arrange counts what belongs to the base cell.
func (k *block) arrange() {
	k.finest = k.around
	for _, s := range partStride {
		for p := range 27 {
			if p/s%3 == 1 {
				k.finest[p-s] = max(k.finest[p-s], k.finest[p])
				k.finest[p+s] = max(k.finest[p+s], k.finest[p])
			}
		}
	}
	k.count = counts{}
	k.arrangeVertices()
	k.countTets()
	k.countEdges()
}

// arrangeVertices tells where each part's corners, and the centres beyond each side, begin.
func (k *block) arrangeVertices() {
	n := int32(1) << k.level()
	k.count.vertices = n * n * n
	for p := range 27 {
		if !k.owns(p) {
			continue
		}
		k.corner[p] = k.count.vertices
		size, between := int32(1), int32(1)<<k.finest[p]-1
		for _, s := range partStride {
			if p/s%3 == 1 {
				size *= between
			}
		}
		k.count.vertices += size
	}
	for i := range k.beyond {
		if k.neighbour(i/2, i%2) < 0 {
			k.beyond[i] = k.count.vertices
			k.count.vertices += n * n
		}
	}
}

// part is that at parts along an axis and the two after it.
func part(axis, along, u, v int) int {
	return along*partStride[axis] + u*partStride[(axis+1)%3] + v*partStride[(axis+2)%3]
}

// bisected are the edges of faces across an axis on a plane (a part along it) that are bisected, if they are on the base cell's sides.
func (k *block) bisected(axis, plane int) (mask faceCode) {
	for i, p := range [4]int{part(axis, plane, 1, 0), part(axis, plane, 2, 1), part(axis, plane, 1, 2), part(axis, plane, 0, 1)} {
		if k.finest[p] > k.level() {
			mask |= 1 << i
		}
	}
	return mask
}

// masked is what of a plane's bisected edges a face has that is at (i, j) of n along u and v.
func masked(plane faceCode, n, i, j int) (mask faceCode) {
	if plane == 0 {
		return 0
	}
	if j == 0 {
		mask |= 1
	}
	if i == n-1 {
		mask |= 2
	}
	if j == n-1 {
		mask |= 4
	}
	if i == 0 {
		mask |= 8
	}
	return mask & plane
}

// onPlane are the tetrahedra of a plane of n² faces between cells of one size, and its tips' corners, per level, ghost and bisected edges.
var onPlane = func() (all [layout.MaxLevel + 1][3][16]struct{ tets, tips int32 }) {
	for l := range all {
		n := 1 << l
		for ghost := range 3 {
			for plane := range faceCode(16) {
				c := &all[l][ghost][plane]
				for j := range n {
					for i := range n {
						mask := masked(plane, n, i, j)
						c.tets += int32(ofCode[uint32(ghost)<<4|uint32(mask)].count)
						for x := range 4 {
							if tipped(mask, x) {
								c.tips++
							}
						}
					}
				}
			}
		}
	}
	return all
}()

// lowCode is the code of the faces on the low side across an axis, without bisected edges.
func (k *block) lowCode(axis int) faceCode {
	switch nb := k.neighbour(axis, 0); {
	case nb < 0:
		return lowGhost << 4
	case nb < k.level():
		return highSmall
	case nb > k.level():
		return lowSmall
	}
	return 0
}

// countTets counts faces, their tetrahedra, and the edges that belong to a face: between centres, and diagonals.
func (k *block) countTets() {
	l := k.level()
	n := int32(1) << l
	square := n * n
	k.count.faces = 3 * n * square
	for a := range 3 {
		between := &onPlane[l][noGhost][k.bisected(a, 1)]
		k.count.tets += (n - 1) * between.tets
		k.count.edges += (n - 1) * (between.tips + square) // with the edges between centres
		switch code := k.lowCode(a); code {
		case highSmall:
			k.count.tets += 4 * square
			k.count.edges += square // diagonals
		case lowSmall:
			k.count.tets += 16 * square
			k.count.edges += 4 * square
		default:
			plane := &onPlane[l][code>>4][k.bisected(a, 0)]
			k.count.tets += plane.tets
			k.count.edges += plane.tips
			if code == 0 {
				k.count.edges += square
			}
		}
		if k.neighbour(a, 1) < 0 {
			plane := &onPlane[l][highGhost][k.bisected(a, 2)]
			k.count.tets += plane.tets
			k.count.edges += plane.tips
			k.count.faces += square
		}
	}
}

// countEdges adds the edges from centres to corners, and along axes.
func (k *block) countEdges() {
	l := k.level()
	n := int32(1) << l
	k.count.edges += 8 * n * n * n
	for a := range 3 {
		for side := range 2 {
			if k.neighbour(a, side) > l {
				k.count.edges += n * n
			}
			if k.neighbour(a, side) < 0 {
				k.count.sides += 4
			}
		}
	}
	for p := range 27 {
		c := [3]int{p % 3, p / 3 % 3, p / 9}
		for a := range 3 {
			if c[a] != 1 {
				continue
			}
			u, v := c[(a+1)%3], c[(a+2)%3]
			along := int32(1) << k.finest[p]
			if k.owns(p) {
				k.count.edges += along * times(u, along-1) * times(v, along-1)
			}
			if k.finest[p] > l {
				// The middles of edges, once per cell of the base cell at them.
				k.count.edges += n * times(u, 2*(n-1)) * times(v, 2*(n-1))
			}
			if u != 1 && v != 1 && k.neighbour((a+1)%3, u/2) < 0 && k.neighbour((a+2)%3, v/2) < 0 {
				k.count.sides += n
			}
		}
	}
}

// times is between for the part between two sides, and 1 for a side.
func times(part int, between int32) int32 {
	if part == 1 {
		return between
	}
	return 1
}
