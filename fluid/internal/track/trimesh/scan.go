package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Scan finds the triangles nearest to the nodes of a lattice, in tiles of ScanEdge³ of them: up to a spacing from the surface exactly, by visiting the nodes around each triangle; further
// off from node to node, where it may miss a triangle that is nearer by a little. That is much faster than to look each node's up. Probe.ScannedNodes tells the distances.
//
// Source: Mauch 2000 for nodes around triangles; Tsai 2002 for nearest triangles that are passed on.
type Scan struct {
	Pool *par.Pool

	grid  ScanGrid
	mesh  *Mesh
	place []int32 // per tile: which of those that are kept, or Gone
	kept  []int32 // tiles near the surface
	// Of each tile that is kept: where its triangles begin in the list, and the tiles beside it, -x, +x, -y, …, that are kept, or Gone.
	first  []int32
	list   []int32
	beside [][6]int32
	nodes  [2][]scanNode // as they are, and as the next pass makes them; ScanEdge³ for each tile that is kept
}

// ScanGrid is where a Scan's nodes are: Dim tiles along each axis, the first node of which is at Min, and Spacing, m, from one node to the next. Band is how far from the surface, in spacings,
// distances are wanted.
type ScanGrid struct {
	Min     r3.Vec
	Spacing float64
	Dim     [3]int
	Band    int
}

// ScanEdge is how many nodes a tile has along an edge.
const ScanEdge = 8

const (
	scanNodes = ScanEdge * ScanEdge * ScanEdge
	scanReach = 1 + 1e-6 // spacings around a triangle in which nodes are visited
)

// scanNode is what is known of a node.
type scanNode struct {
	d2       float64 // squared distance to the nearest triangle, m²
	triangle int32   // or Gone
	what     int8    // is nearest of it
	doubtful bool    // something else is as near
}

// Measure finds the triangles nearest to the nodes.
func (s *Scan) Measure(m *Mesh, grid ScanGrid) {
	s.mesh, s.grid = m, grid
	s.keep()
	s.sort()
	n := scanNodes * len(s.kept)
	s.nodes[0], s.nodes[1] = arrays.Resize(s.nodes[0], n), arrays.Resize(s.nodes[1], n)
	par.Each(s.Pool, len(s.kept), 4, s, (*Scan).visit)
	for range grid.Band {
		par.Each(s.Pool, len(s.kept), 4, s, (*Scan).pass)
		s.nodes[0], s.nodes[1] = s.nodes[1], s.nodes[0]
	}
	s.mesh = nil
}

// keep lists the tiles that the surface is near.
func (s *Scan) keep() {
	s.place = arrays.Resize(s.place, s.grid.Dim[0]*s.grid.Dim[1]*s.grid.Dim[2])
	for i := range s.place {
		s.place[i] = Gone
	}
	s.each(float64(s.grid.Band), func(tile, _ int32) { s.place[tile] = 0 })
	s.kept = s.kept[:0]
	for tile, near := range s.place {
		if near == 0 {
			s.place[tile] = int32(len(s.kept))
			s.kept = append(s.kept, int32(tile))
		}
	}
	s.beside = arrays.Resize(s.beside, len(s.kept))
	dim := &s.grid.Dim
	for i, tile := range s.kept {
		at := [3]int{int(tile) % dim[0], int(tile) / dim[0] % dim[1], int(tile) / (dim[0] * dim[1])}
		step := 1
		for a, x := range at {
			s.beside[i][2*a], s.beside[i][2*a+1] = Gone, Gone
			if x > 0 {
				s.beside[i][2*a] = s.place[int(tile)-step]
			}
			if x < dim[a]-1 {
				s.beside[i][2*a+1] = s.place[int(tile)+step]
			}
			step *= dim[a]
		}
	}
}

// each visits the tiles with nodes in each triangle's box grown by so many spacings.
func (s *Scan) each(grown float64, visit func(tile, t int32)) {
	dim := &s.grid.Dim
	for t, v := range s.mesh.Triangle {
		if v[0] == Gone {
			continue
		}
		low, high := s.around(int32(t), grown)
		for a := range low {
			low[a], high[a] = max(low[a], 0), min(high[a], ScanEdge*dim[a]-1)
			if low[a] > high[a] {
				low[2], high[2] = 1, 0
				break
			}
			low[a], high[a] = low[a]/ScanEdge, high[a]/ScanEdge
		}
		for z := low[2]; z <= high[2]; z++ {
			for y := low[1]; y <= high[1]; y++ {
				for x := low[0]; x <= high[0]; x++ {
					visit(int32(x+dim[0]*(y+dim[1]*z)), int32(t))
				}
			}
		}
	}
}

// around is the range of the nodes in a triangle's box grown by so many spacings.
func (s *Scan) around(t int32, grown float64) (low, high [3]int) {
	a, b, c := s.mesh.Corners(t)
	box := r3.Box{Min: boxes.Min(a, boxes.Min(b, c)), Max: boxes.Max(a, boxes.Max(b, c))}
	lo, hi := reproducible.Array(r3.Sub(box.Min, s.grid.Min)), reproducible.Array(r3.Sub(box.Max, s.grid.Min))
	for a := range low {
		low[a], high[a] = int(math.Ceil(lo[a]/s.grid.Spacing-grown)), int(math.Floor(hi[a]/s.grid.Spacing+grown))
	}
	return low, high
}

// sort lists the triangles whose nodes are in each tile that is kept.
func (s *Scan) sort() {
	s.first = arrays.Resize(s.first, len(s.kept)+1)
	clear(s.first)
	s.each(scanReach, func(tile, _ int32) { s.first[s.place[tile]]++ })
	sum := int32(0)
	for i, n := range s.first {
		s.first[i] = sum
		sum += n
	}
	s.list = arrays.Resize(s.list, int(sum))
	s.each(scanReach, func(tile, t int32) {
		at := &s.first[s.place[tile]]
		s.list[*at] = t
		*at++
	})
	copy(s.first[1:], s.first)
	s.first[0] = 0
}

// low is the first node of a tile that is kept, counted from that of all.
func (s *Scan) low(i int32) [3]int {
	tile, dim := int(s.kept[i]), &s.grid.Dim
	return [3]int{tile % dim[0] * ScanEdge, tile / dim[0] % dim[1] * ScanEdge, tile / (dim[0] * dim[1]) * ScanEdge}
}

// at is the place of a node.
func (g *ScanGrid) at(i, j, k int) r3.Vec {
	return r3.Vec{X: g.Min.X + float64(float64(i)*g.Spacing), Y: g.Min.Y + float64(float64(j)*g.Spacing), Z: g.Min.Z + float64(float64(k)*g.Spacing)}
}

// visit shows its triangles to the nodes of a tile around them.
func (s *Scan) visit(_ int, i int32) {
	nodes := s.nodes[0][scanNodes*int(i):][:scanNodes]
	for n := range nodes {
		nodes[n] = scanNode{d2: math.Inf(1), triangle: Gone}
	}
	from := s.low(i)
	for _, t := range s.list[s.first[i]:s.first[i+1]] {
		low, high := s.around(t, scanReach)
		for a := range low {
			low[a], high[a] = max(low[a]-from[a], 0), min(high[a]-from[a], ScanEdge-1)
		}
		a, b, c := s.mesh.Corners(t)
		f := geom.NewTriangle(a, b, c)
		for z := low[2]; z <= high[2]; z++ {
			for y := low[1]; y <= high[1]; y++ {
				for x := low[0]; x <= high[0]; x++ {
					at := s.grid.at(from[0]+x, from[1]+y, from[2]+z)
					s.improve(&nodes[x+ScanEdge*(y+ScanEdge*z)], &f, t, &at)
				}
			}
		}
	}
}

// improve takes a triangle into account.
func (s *Scan) improve(n *scanNode, f *geom.Triangle, t int32, at *r3.Vec) {
	what, away := f.Nearest(at)
	d2 := float64(away.X*away.X) + float64(away.Y*away.Y) + float64(away.Z*away.Z)
	switch {
	case d2 < n.d2*(1-tie):
		*n = scanNode{d2: d2, triangle: t, what: int8(what)}
	case d2 <= n.d2*(1+tie) && n.triangle != Gone && n.triangle != t && !n.doubtful:
		n.doubtful = s.mesh.feature(t, what) != s.mesh.feature(n.triangle, int(n.what))
	}
}

// pass shows the nodes of a tile that are not nearest to what they have for sure the triangles of the nodes beside them.
func (s *Scan) pass(_ int, i int32) {
	now := s.nodes[0]
	own, next := now[scanNodes*int(i):][:scanNodes], s.nodes[1][scanNodes*int(i):][:scanNodes]
	from, beside := s.low(i), &s.beside[i]
	sure := float64(s.grid.Spacing * s.grid.Spacing)
	for n := range own {
		next[n] = own[n]
		if own[n].d2 <= sure {
			continue
		}
		x := [3]int{n % ScanEdge, n / ScanEdge % ScanEdge, n / (ScanEdge * ScanEdge)}
		var tried [6]int32
		tries, step := 0, 1
		var at r3.Vec
		for side := range 6 {
			a, up := side/2, side&1
			o, other := n+step*(2*up-1), i
			if x[a] == up*(ScanEdge-1) {
				o, other = n-step*(ScanEdge-1)*(2*up-1), beside[side]
			}
			if up == 1 {
				step *= ScanEdge
			}
			if other == Gone {
				continue
			}
			t := now[scanNodes*int(other)+o].triangle
			if t == Gone || t == own[n].triangle || contains(tried[:tries], t) {
				continue
			}
			if tried[tries] = t; tries == 0 {
				at = s.grid.at(from[0]+x[0], from[1]+x[1], from[2]+x[2])
			}
			tries++
			a0, b0, c0 := s.mesh.Corners(t)
			f := geom.NewTriangle(a0, b0, c0)
			s.improve(&next[n], &f, t, &at)
		}
	}
}

func contains(list []int32, t int32) bool {
	for _, u := range list {
		if u == t {
			return true
		}
	}
	return false
}

// ScannedNodes writes the distances of a tile's nodes that a scan of the mesh has found, as Nodes does.
func (q *Probe) ScannedNodes(dst []float32, m *Mesh, s *Scan, tile int32, limit float64) {
	q.mesh = m
	dim, g := &s.grid.Dim, &s.grid
	b := NodeBox{Spacing: g.Spacing, Count: [3]int{ScanEdge, ScanEdge, ScanEdge},
		Min: g.at(int(tile)%dim[0]*ScanEdge, int(tile)/dim[0]%dim[1]*ScanEdge, int(tile)/(dim[0]*dim[1])*ScanEdge)}
	q.nodes = arrays.Resize(q.nodes, scanNodes)
	for n := range q.nodes {
		q.nodes[n] = nodeState{best: limit, triangle: Gone}
	}
	if i := s.place[tile]; i != Gone {
		limit2 := float64(limit * limit)
		for n, found := range s.nodes[0][scanNodes*int(i):][:scanNodes] {
			if found.d2 >= limit2 {
				continue
			}
			a, b0, c := m.Corners(found.triangle)
			f := geom.NewTriangle(a, b0, c)
			x := b.at(n%ScanEdge, n/ScanEdge%ScanEdge, n/(ScanEdge*ScanEdge))
			what, away := f.Nearest(&x)
			q.nodes[n] = nodeState{best: math.Sqrt(found.d2), away: away, triangle: found.triangle, what: int8(what), doubtful: found.doubtful}
		}
	}
	q.signs(dst[:scanNodes], &b, limit)
	q.mesh = nil
}
