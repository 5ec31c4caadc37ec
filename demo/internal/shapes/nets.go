package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// contour makes a mesh of where a distance is 0 by surface nets: one vertex in each cell that the surface passes
// through, and two triangles across each edge of the grid that it cuts. Such a mesh has no cracks, but is not manifold
// where the corners of a side of a cell are inside and outside by turns. Then a shifted grid is tried, which ends where
// no part of the shape, and no gap, is thinner than two cells. The shape must lie within the box by more than a cell.
// Source: Gibson 1998.
func contour(field func(r3.Vec) float64, box r3.Box, cell float64) Mesh {
	var m Mesh
	var err error
	for try := range 16 {
		s := sampled(field, shifted(box, float64(try), cell), cell)
		m = s.net()
		if err = m.Check(); err == nil {
			break
		}
	}
	if err != nil {
		panic("shapes: contour: the cells are too large: " + err.Error())
	}
	for range 3 {
		relax(m, field, 5)
		flip(m)
	}
	relax(m, field, 5)
	return m
}

// shifted lets the box begin up to a cell before, elsewhere within a cell at each try.
func shifted(box r3.Box, try, cell float64) r3.Box {
	part := func(step float64) float64 { return cell * (try*step - math.Floor(try*step)) }
	box.Min = r3.Sub(box.Min, r3.Vec{X: part(.29), Y: part(.41), Z: part(.37)})
	return box
}

// samples are a distance at the nodes of a grid.
type samples struct {
	n      [3]int // nodes along x, y, z
	origin r3.Vec
	cell   float64
	value  []float64
}

func sampled(field func(r3.Vec) float64, box r3.Box, cell float64) samples {
	size := box.Size()
	s := samples{origin: box.Min, cell: cell}
	for a, length := range [3]float64{size.X, size.Y, size.Z} {
		s.n[a] = int(math.Ceil(length/cell)) + 1
	}
	s.value = make([]float64, 0, s.n[0]*s.n[1]*s.n[2])
	for k := range s.n[2] {
		for j := range s.n[1] {
			for i := range s.n[0] {
				s.value = append(s.value, field(s.place(i, j, k)))
			}
		}
	}
	return s
}

func (s samples) place(i, j, k int) r3.Vec {
	return r3.Add(s.origin, r3.Scale(s.cell, r3.Vec{X: float64(i), Y: float64(j), Z: float64(k)}))
}

func (s samples) index(i, j, k int) int { return (k*s.n[1]+j)*s.n[0] + i }

// net puts a vertex in each cut cell and two triangles across each cut edge.
func (s samples) net() Mesh {
	var m Mesh
	vertex := make([]int32, len(s.value)) // of the cell above the node
	for k := range s.n[2] - 1 {
		for j := range s.n[1] - 1 {
			for i := range s.n[0] - 1 {
				if p, cut := s.vertex(i, j, k); cut {
					vertex[s.index(i, j, k)] = int32(len(m.Positions))
					m.Positions = append(m.Positions, p)
				}
			}
		}
	}
	stride := [3]int{1, s.n[0], s.n[0] * s.n[1]}
	for k := 1; k < s.n[2]-1; k++ {
		for j := 1; j < s.n[1]-1; j++ {
			for i := 1; i < s.n[0]-1; i++ {
				at := s.index(i, j, k)
				for a := range 3 {
					inside, beyond := s.value[at] < 0, s.value[at+stride[a]] < 0
					if inside == beyond {
						continue
					}
					u, v := stride[(a+1)%3], stride[(a+2)%3]
					quad := [4]int32{vertex[at-u-v], vertex[at-v], vertex[at], vertex[at-u]} // counter-clockwise about +a
					if beyond {
						quad[1], quad[3] = quad[3], quad[1]
					}
					m.addQuad(quad)
				}
			}
		}
	}
	return m
}

// vertex is the mean of the points where the surface cuts the edges of a cell.
func (s samples) vertex(i, j, k int) (r3.Vec, bool) {
	var sum r3.Vec
	n := 0
	for a := range 3 {
		for c := range 4 {
			lo := [3]int{i, j, k}
			lo[(a+1)%3] += c & 1
			lo[(a+2)%3] += c >> 1
			hi := lo
			hi[a]++
			f, g := s.value[s.index(lo[0], lo[1], lo[2])], s.value[s.index(hi[0], hi[1], hi[2])]
			if (f < 0) == (g < 0) {
				continue
			}
			t := f / (f - g)
			sum = r3.Add(sum, r3.Add(r3.Scale(1-t, s.place(lo[0], lo[1], lo[2])), r3.Scale(t, s.place(hi[0], hi[1], hi[2]))))
			n++
		}
	}
	if n == 0 {
		return r3.Vec{}, false
	}
	return r3.Scale(1/float64(n), sum), true
}

// addQuad adds two triangles, parted by the shorter diagonal.
func (m *Mesh) addQuad(q [4]int32) {
	p := func(i int) r3.Vec { return m.Positions[q[i]] }
	if r3.Norm2(r3.Sub(p(0), p(2))) <= r3.Norm2(r3.Sub(p(1), p(3))) {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	} else {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[3]}, [3]int32{q[1], q[2], q[3]})
	}
}

// relax moves each vertex towards the middle of its neighbours, and then back onto the surface.
func relax(m Mesh, field func(r3.Vec) float64, rounds int) {
	rings := neighbours(m)
	to := make([]r3.Vec, len(m.Positions))
	for range rounds {
		for v, ring := range rings {
			var middle r3.Vec
			for _, w := range ring {
				middle = r3.Add(middle, m.Positions[w])
			}
			p := r3.Add(r3.Scale(.5, m.Positions[v]), r3.Scale(.5/float64(len(ring)), middle))
			g := gradient(field, p)
			if n := r3.Norm2(g); n > 1e-6 {
				p = r3.Sub(p, r3.Scale(field(p)/n, g)) // one step of Newton's method
			}
			to[v] = p
		}
		copy(m.Positions, to)
	}
}

// neighbours lists the vertices that share an edge with each.
func neighbours(m Mesh) [][]int32 {
	rings := make([][]int32, len(m.Positions))
	for _, t := range m.Triangles {
		for c, a := range t {
			rings[a] = append(rings[a], t[(c+1)%3]) // each edge of a closed mesh leaves each of its ends once
		}
	}
	return rings
}

// flip turns the edges between two triangles whose least angle grows by it.
func flip(m Mesh) {
	type side struct{ triangle, opposite int32 }
	sides := make(map[[2]int32]side, 3*len(m.Triangles))
	enter := func(i int) {
		t := m.Triangles[i]
		for c := range t {
			sides[[2]int32{t[c], t[(c+1)%3]}] = side{int32(i), t[(c+2)%3]}
		}
	}
	for i := range m.Triangles {
		enter(i)
	}
	for i := range m.Triangles {
		for c := range 3 {
			a, b := m.Triangles[i][c], m.Triangles[i][(c+1)%3]
			here, there := sides[[2]int32{a, b}], sides[[2]int32{b, a}]
			x, y := here.opposite, there.opposite
			if _, has := sides[[2]int32{x, y}]; has {
				continue
			}
			if _, has := sides[[2]int32{y, x}]; has || !m.betterFlipped(a, b, x, y) {
				continue
			}
			delete(sides, [2]int32{a, b})
			delete(sides, [2]int32{b, a})
			m.Triangles[here.triangle] = [3]int32{a, y, x}
			m.Triangles[there.triangle] = [3]int32{b, x, y}
			enter(int(here.triangle))
			enter(int(there.triangle))
			break
		}
	}
}

// betterFlipped says whether the triangles a, b, x and b, a, y, nearly in one plane, are better a, y, x and b, x, y.
func (m Mesh) betterFlipped(a, b, x, y int32) bool {
	pa, pb, px, py := m.Positions[a], m.Positions[b], m.Positions[x], m.Positions[y]
	normal := r3.Unit(r3.Add(r3.Cross(r3.Sub(pb, pa), r3.Sub(px, pa)), r3.Cross(r3.Sub(pa, pb), r3.Sub(py, pb))))
	for _, t := range [2][3]r3.Vec{{pa, py, px}, {pb, px, py}} {
		n := r3.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
		if r3.Dot(n, normal) < .9*r3.Norm(n) {
			return false
		}
	}
	return min(leastAngle(pa, py, px), leastAngle(pb, px, py)) > min(leastAngle(pa, pb, px), leastAngle(pb, pa, py))+.02
}

// leastAngle is the least of a triangle's.
func leastAngle(a, b, c r3.Vec) float64 {
	least := math.Pi
	for range 3 {
		u, v := r3.Sub(b, a), r3.Sub(c, a)
		least = min(least, math.Atan2(r3.Norm(r3.Cross(u, v)), r3.Dot(u, v)))
		a, b, c = b, c, a
	}
	return least
}
