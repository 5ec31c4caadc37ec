package lattice

import "math"

// mesh is what of the lattice never changes. Places are counted in quarters of an edge from the corner of the box: those of vertices, of the
// corners of their Voronoi cells and of what sides of the box cut off these are whole.
type mesh struct {
	lo       [3]float64 // corner of the box, m
	edge     float64    // of a cube, m
	cubes    [3]int
	vertices [][3]int32
	points   [][3]int32 // corners of polygons
	faces    []face     // between vertices
	walls    []face     // what of the box's sides belongs to each vertex: b is none
	volume   []float64  // per vertex: of its cell, m³

	pointAt []int32 // while the mesh is built: place → point, or -1
	slots   []int32 // cube and kind of place → vertex, or none
}

// none is no vertex.
const none int32 = -1

// face is a polygon between the cells of two vertices, or of one and a wall. Its normal points from a to b, or out of the box.
type face struct {
	a, b    int32
	corners [8]int32 // points, in order around the polygon
	n       int      // of them
	area    float64  // m²
	dist    float64  // between a and b, m
	normal  [3]float64
	centre  [3]float64 // m
}

// neighbours are the neighbours of a vertex on one side of it, and the polygons between, relative to it: four across hexagons, three across squares.
// The others are the same the other way round.
var neighbours = makeNeighbours()

type neighbour struct {
	step    [3]int32 // to the neighbour
	polygon [][3]int32
}

func makeNeighbours() (all []neighbour) {
	for _, y := range [2]int32{1, -1} {
		for _, z := range [2]int32{1, -1} {
			n := neighbour{step: [3]int32{2, 2 * y, 2 * z}}
			for _, p := range [6][3]int32{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}} {
				n.polygon = append(n.polygon, [3]int32{p[0], p[1] * y, p[2] * z})
			}
			all = append(all, n)
		}
	}
	for axis := range 3 {
		n := neighbour{polygon: across(axis, 2, [][2]int32{{1, 0}, {0, 1}, {-1, 0}, {0, -1}})}
		n.step[axis] = 4
		all = append(all, n)
	}
	return all
}

// across places a polygon's corners so far along an axis, given by their places along the next two.
func across(axis int, far int32, corners [][2]int32) (polygon [][3]int32) {
	for _, c := range corners {
		var p [3]int32
		p[axis], p[(axis+1)%3], p[(axis+2)%3] = far, c[0], c[1]
		polygon = append(polygon, p)
	}
	return polygon
}

// octagon is what a plane through a vertex across an axis cuts out of its cell.
var octagon = [][2]int32{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}

// square is where cells meet along an axis, and where one whose vertex is the centre of a cube meets the box's side.
var square = [][2]int32{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

func (m *mesh) build(lo [3]float64, cubes [3]int, edge float64) {
	m.lo, m.cubes, m.edge = lo, cubes, edge
	m.addVertices()
	side := func(axis int) int { return 4*cubes[axis] + 1 }
	m.pointAt = make([]int32, side(0)*side(1)*side(2))
	for i := range m.pointAt {
		m.pointAt[i] = none
	}
	for v, at := range m.vertices {
		for i := range neighbours {
			t := &neighbours[i]
			if b := m.vertexAt(add(at, t.step)); b != none {
				m.faces = append(m.faces, m.newFace(int32(v), b, t.step, t.polygon))
			}
		}
		m.addWalls(int32(v))
	}
	m.pointAt = nil
	m.measureCells()
}

// addVertices lists the vertices, cube by cube: first its low corner, then its centre.
func (m *mesh) addVertices() {
	m.slots = make([]int32, 2*(m.cubes[0]+1)*(m.cubes[1]+1)*(m.cubes[2]+1))
	for i := range m.slots {
		m.slots[i] = none
	}
	for z := range m.cubes[2] + 1 {
		for y := range m.cubes[1] + 1 {
			for x := range m.cubes[0] + 1 {
				corner := [3]int32{4 * int32(x), 4 * int32(y), 4 * int32(z)}
				for _, at := range [2][3]int32{corner, add(corner, [3]int32{2, 2, 2})} {
					if m.inside(at) {
						m.slots[m.slot(at)] = int32(len(m.vertices))
						m.vertices = append(m.vertices, at)
					}
				}
			}
		}
	}
}

func add(a, b [3]int32) [3]int32 { return [3]int32{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// inside tells whether a place is in the box or on its sides.
func (m *mesh) inside(at [3]int32) bool {
	for axis, x := range at {
		if x < 0 || int(x) > 4*m.cubes[axis] {
			return false
		}
	}
	return true
}

// slot is where the vertex at a place is in slots.
func (m *mesh) slot(at [3]int32) int {
	kind := int(at[0] & 3 / 2)
	x, y, z := int(at[0]>>2), int(at[1]>>2), int(at[2]>>2)
	return 2*(x+(m.cubes[0]+1)*(y+(m.cubes[1]+1)*z)) + kind
}

// vertexAt is the vertex at a place, or none.
func (m *mesh) vertexAt(at [3]int32) int32 {
	if !m.inside(at) {
		return none
	}
	return m.slots[m.slot(at)]
}

// addWalls lists what of the box's sides belongs to a vertex.
func (m *mesh) addWalls(v int32) {
	at := m.vertices[v]
	for axis := range 3 {
		for _, sign := range [2]int32{-1, 1} {
			step, beyond := [3]int32{}, at
			step[axis] = sign
			if beyond[axis] += 2 * sign; at[axis]&3 == 2 && (beyond[axis] == 0 || int(beyond[axis]) == 4*m.cubes[axis]) {
				m.walls = append(m.walls, m.newFace(v, none, step, across(axis, 2*sign, square)))
			} else if !m.inside(add(at, step)) {
				m.walls = append(m.walls, m.newFace(v, none, step, across(axis, 0, octagon)))
			}
		}
	}
}

// newFace makes one from a to b, or a wall, with a polygon that is relative to a.
func (m *mesh) newFace(a, b int32, step [3]int32, polygon [][3]int32) face {
	f := face{a: a, b: b}
	length := math.Sqrt(float64(step[0]*step[0] + step[1]*step[1] + step[2]*step[2]))
	for axis, s := range step {
		f.normal[axis] = float64(s) / length
	}
	f.dist = length * m.edge / 4
	var places [][3]int32
	for _, p := range polygon {
		places = append(places, add(m.vertices[a], p))
	}
	for axis := range 3 {
		places = clip(clip(places, axis, 0, 1), axis, 4*int32(m.cubes[axis]), -1)
	}
	var corners [8][3]float64
	for i, p := range places {
		f.corners[i], corners[i] = m.point(p), m.position(p)
	}
	f.n = len(places)
	f.area, f.centre = areaAndCentroid(corners[:f.n], &f.normal)
	return f
}

// clip leaves of a polygon what is on one side of a plane across an axis. Where an edge crosses it, it does so at a whole place.
func clip(polygon [][3]int32, axis int, plane, sign int32) (left [][3]int32) {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		in, next := (p[axis]-plane)*sign, (q[axis]-plane)*sign
		if in >= 0 {
			left = append(left, p)
		}
		if in < 0 && next > 0 || in > 0 && next < 0 {
			var cut [3]int32
			for d := range cut {
				cut[d] = p[d] + (q[d]-p[d])*in/(in-next)
			}
			left = append(left, cut)
		}
	}
	return left
}

// point is the number of the point at a place.
func (m *mesh) point(at [3]int32) int32 {
	slot := &m.pointAt[int(at[0])+(4*m.cubes[0]+1)*(int(at[1])+(4*m.cubes[1]+1)*int(at[2]))]
	if *slot == none {
		*slot = int32(len(m.points))
		m.points = append(m.points, at)
	}
	return *slot
}

// position is where a place is, m.
func (m *mesh) position(at [3]int32) (x [3]float64) {
	for axis := range x {
		x[axis] = m.lo[axis] + float64(m.edge*float64(at[axis])/4)
	}
	return x
}

// measureCells sums up the volumes of the cells, pyramid by pyramid.
func (m *mesh) measureCells() {
	m.volume = make([]float64, len(m.vertices))
	for i := range m.faces {
		f := &m.faces[i]
		pyramid := f.area * f.dist / 6
		m.volume[f.a] += pyramid
		m.volume[f.b] += pyramid
	}
	for i := range m.walls {
		f := &m.walls[i]
		m.volume[f.a] += float64(f.area * m.height(f) / 3)
	}
}

// height is how far a wall is from its vertex, m.
func (m *mesh) height(f *face) float64 {
	x := m.position(m.vertices[f.a])
	return dot(&f.normal, &f.centre) - dot(&f.normal, &x)
}

// areaAndCentroid is the area of a flat polygon with a normal, m², and its centroid. One of no area has its first corner for that.
func areaAndCentroid(corners [][3]float64, normal *[3]float64) (area float64, centre [3]float64) {
	if len(corners) == 0 {
		return 0, centre
	}
	var sum [3]float64
	for i := 2; i < len(corners); i++ {
		p, q := sub(&corners[i-1], &corners[0]), sub(&corners[i], &corners[0])
		turn := cross(&p, &q)
		part := float64(dot(&turn, normal) / 2)
		area += part
		for d := range sum {
			sum[d] += float64(part * (p[d] + q[d]) / 3)
		}
	}
	centre = corners[0]
	if area != 0 {
		for d := range centre {
			centre[d] += sum[d] / area
		}
	}
	return math.Abs(area), centre
}

func sub(a, b *[3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b *[3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}
