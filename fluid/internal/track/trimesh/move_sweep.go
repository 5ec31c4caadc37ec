package trimesh

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
)

// sweep finds the triangles that may come near each other. Its tree has boxes that move: one at the beginning, one at the end, and evenly from the one to the other in
// between. Two are apart if they are so along an axis at both ends: so what moves fast together is not near what it only passes behind.
//
// Leaves are some triangles each, along a Morton curve. Node 1 is the root, nodes 2i and 2i+1 are the children of node i, and the last half are leaves.
type sweep struct {
	order []uint64    // triangles, the low 32 bits, along the curve
	boxes []movingBox // in this order
	nodes []movingBox
	first []int32 // leaf → the first of the order that it has; one more
	place []int32 // triangle → where it is in the order
	grow  float64 // m, by which boxes are grown to every side
	reach float64 // m, the greatest of the sums of sizes of coordinates
}

// movingBox is the lower and upper bounds along three axes at the beginning and at the end, m, rounded outwards.
type movingBox struct{ low, high [6]float32 }

func emptyBox() movingBox {
	inf := float32(math.Inf(1))
	return movingBox{[6]float32{inf, inf, inf, inf, inf, inf}, [6]float32{-inf, -inf, -inf, -inf, -inf, -inf}}
}

// join makes b the box of a and b.
func (b *movingBox) join(a *movingBox) {
	for i, x := range a.low {
		if x < b.low[i] {
			b.low[i] = x
		}
	}
	for i, x := range a.high {
		if x > b.high[i] {
			b.high[i] = x
		}
	}
}

// near tells whether two boxes may have a point in common at some time.
func (b *movingBox) near(a *movingBox) bool {
	return !(b.high[0] < a.low[0] && b.high[3] < a.low[3] || a.high[0] < b.low[0] && a.high[3] < b.low[3] ||
		b.high[1] < a.low[1] && b.high[4] < a.low[4] || a.high[1] < b.low[1] && a.high[4] < b.low[4] ||
		b.high[2] < a.low[2] && b.high[5] < a.low[5] || a.high[2] < b.low[2] && a.high[5] < b.low[5])
}

// leaves is how many there are.
func (s *sweep) leaves() int { return len(s.nodes) / 2 }

// leaf is the part of the order that a leaf has.
func (s *sweep) leaf(i int) (lo, hi int) { return int(s.first[i]), int(s.first[i+1]) }

// sort puts the triangles in order, and measures.
func (s *sweep) sort(m *Mesh, motion []predicates.Motion) {
	s.order, s.place = s.order[:0], arrays.Resize(s.place, len(m.Triangle))
	low, high := r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	s.reach = 0
	for v := range motion {
		if len(m.VertexTriangles[v]) > 0 {
			x, y := &motion[v][0], &motion[v][1]
			low = r3.Vec{X: lower(low.X, x.X), Y: lower(low.Y, x.Y), Z: lower(low.Z, x.Z)}
			high = r3.Vec{X: higher(high.X, x.X), Y: higher(high.Y, x.Y), Z: higher(high.Z, x.Z)}
			s.reach = higher(s.reach, higher(math.Abs(x.X)+math.Abs(x.Y)+math.Abs(x.Z), math.Abs(y.X)+math.Abs(y.Y)+math.Abs(y.Z)))
		}
	}
	size := higher(higher(high.X-low.X, high.Y-low.Y), high.Z-low.Z)
	scale := 0.
	if size > 0 {
		scale = 1023 / size
	}
	for t, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		a, b, c := &motion[v[0]][0], &motion[v[1]][0], &motion[v[2]][0]
		x := spreadBits(scale * ((a.X+b.X+c.X)/3 - low.X))
		y := spreadBits(scale * ((a.Y+b.Y+c.Y)/3 - low.Y))
		z := spreadBits(scale * ((a.Z+b.Z+c.Z)/3 - low.Z))
		s.order = append(s.order, (x|y<<1|z<<2)<<32|uint64(t))
	}
	slices.Sort(s.order)
	for i, o := range s.order {
		s.place[uint32(o)] = int32(i)
	}
}

// spreadBits puts two zeros between each two of the lowest ten bits of a number, 0 to 1023.
func spreadBits(f float64) uint64 {
	x := uint64(max(0, min(1023, f)))
	x = (x | x<<16) & 0x30000ff
	x = (x | x<<8) & 0x300f00f
	x = (x | x<<4) & 0x30c30c3
	return (x | x<<2) & 0x9249249
}

// build makes the tree of triangles in order, with boxes grown by half of Near.
func (r *Mover) build() {
	s := &r.sweep
	// Rounding to float32 is off by at most 2⁻²⁴ of a number; and a little more is for that of the difference before.
	s.grow = float64(r.Near/2) + float64(0x1p-23*s.reach)
	n := len(s.order)
	s.boxes = arrays.Resize(s.boxes, n)
	r.share(n, 8*searchGrain, (*Mover).boxChunk)
	leaves := 1 << max(0, bits.Len(uint(max(1, n-1)))-2) // of two to four triangles
	s.nodes, s.first = arrays.Resize(s.nodes, 2*leaves), arrays.Resize(s.first, leaves+1)
	for i := range s.first {
		s.first[i] = int32(i * n / leaves)
	}
	for i := 2*leaves - 1; i > 0; i-- {
		s.refit(i)
	}
}

func (r *Mover) boxChunk(_, lo, hi int) {
	s := &r.sweep
	for i, o := range s.order[lo:hi] {
		s.boxes[lo+i] = s.box(&r.mesh.Triangle[uint32(o)], r.motion)
	}
}

// refit makes a node's box that of what is below it.
func (s *sweep) refit(node int) {
	if i := node - s.leaves(); i >= 0 {
		b := emptyBox()
		lo, hi := s.leaf(i)
		for j := lo; j < hi; j++ {
			b.join(&s.boxes[j])
		}
		s.nodes[node] = b
		return
	}
	s.nodes[node] = s.nodes[2*node]
	s.nodes[node].join(&s.nodes[2*node+1])
}

// box is that of a triangle.
func (s *sweep) box(v *[3]int32, motion []predicates.Motion) (box movingBox) {
	a, b, c := &motion[v[0]], &motion[v[1]], &motion[v[2]]
	for k := range 2 {
		x, y, z := &a[k], &b[k], &c[k]
		box.low[3*k] = float32(lower(lower(x.X, y.X), z.X) - s.grow)
		box.low[3*k+1] = float32(lower(lower(x.Y, y.Y), z.Y) - s.grow)
		box.low[3*k+2] = float32(lower(lower(x.Z, y.Z), z.Z) - s.grow)
		box.high[3*k] = float32(higher(higher(x.X, y.X), z.X) + s.grow)
		box.high[3*k+1] = float32(higher(higher(x.Y, y.Y), z.Y) + s.grow)
		box.high[3*k+2] = float32(higher(higher(x.Z, y.Z), z.Z) + s.grow)
	}
	return box
}

// update takes over new targets of a triangle's vertices.
func (s *sweep) update(t int32, v *[3]int32, motion []predicates.Motion) {
	place := int(s.place[t])
	s.boxes[place] = s.box(v, motion)
	n, leaves := len(s.order), s.leaves()
	i := place * leaves / n
	for {
		if lo, hi := s.leaf(i); place < lo {
			i--
		} else if place >= hi {
			i++
		} else {
			break
		}
	}
	for node := leaves + i; node > 0; node /= 2 {
		was := s.nodes[node]
		if s.refit(node); s.nodes[node] == was {
			break
		}
	}
}

// nearTriangle appends the triangles that are near one, itself among them.
func (s *sweep) nearTriangle(dst []int32, t int32) []int32 {
	box := s.boxes[s.place[t]] // no pointer: it stays in registers and on the stack
	var stack [64]int32
	stack[0] = 1
	leaves := int32(s.leaves())
	for n := 1; n > 0; {
		n--
		node := stack[n]
		if !s.nodes[node].near(&box) {
			continue
		}
		if node < leaves {
			stack[n], stack[n+1] = 2*node+1, 2*node
			n += 2
			continue
		}
		lo, hi := s.leaf(int(node - leaves))
		for i := lo; i < hi; i++ {
			if s.boxes[i].near(&box) {
				dst = append(dst, int32(uint32(s.order[i])))
			}
		}
	}
	return dst
}

// tops is how many nodes the search of all pairs begins at: each is a chunk of it.
const tops = 64

// nearPairs appends the pairs of triangles that are near each other, of which the first is below a node and the second below it too or below a later one beside it. It ends when there are too many.
func (s *sweep) nearPairs(dst [][2]int32, top, mostPairs int) [][2]int32 {
	first := min(tops, s.leaves())
	for other := first + top; other < 2*first && len(dst) <= mostPairs; other++ {
		dst = s.nearNodes(dst, int32(first+top), int32(other), mostPairs)
	}
	return dst
}

// nearNodes appends the pairs below two nodes of one depth.
func (s *sweep) nearNodes(dst [][2]int32, a, b int32, mostPairs int) [][2]int32 {
	leaves := int32(s.leaves())
	var stack [128][2]int32
	stack[0] = [2]int32{a, b}
	for n := 1; n > 0; {
		n--
		a, b := stack[n][0], stack[n][1]
		if a != b && !s.nodes[a].near(&s.nodes[b]) {
			continue
		}
		if a < leaves {
			stack[n], stack[n+1] = [2]int32{2*a + 1, 2*b + 1}, [2]int32{2 * a, 2*b + 1}
			n += 2
			if a != b {
				stack[n] = [2]int32{2*a + 1, 2 * b}
				n++
			}
			stack[n] = [2]int32{2 * a, 2 * b}
			n++
			continue
		}
		if dst = s.nearLeaves(dst, int(a-leaves), int(b-leaves)); len(dst) > mostPairs {
			break
		}
	}
	return dst
}

// nearLeaves appends the pairs of two leaves, or of one.
func (s *sweep) nearLeaves(dst [][2]int32, a, b int) [][2]int32 {
	lo, hi := s.leaf(a)
	from, to := s.leaf(b)
	for i := lo; i < hi; i++ {
		if a == b {
			from = i + 1
		}
		for j := from; j < to; j++ {
			if s.boxes[i].near(&s.boxes[j]) {
				dst = append(dst, [2]int32{int32(uint32(s.order[i])), int32(uint32(s.order[j]))})
			}
		}
	}
	return dst
}
