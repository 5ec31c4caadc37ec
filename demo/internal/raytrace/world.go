package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// world is a scene made ready for rays: triangles, then solids, then droplets, in a tree.
type world struct {
	tree
	triangles []triangle
	owners    []owner // of the triangles
	solids    []placed
	droplets  []placed
	cutaway   []bool // of the triangles
	bounds    r3.Box
}

// owner is the mesh that a triangle is of, or liquid, and which of its triangles it is.
type owner struct{ mesh, index int32 }

// ofLiquid is the owner of a liquid's triangles.
const ofLiquid = -1

// placed is a solid, and the axes that it is turned to.
type placed struct {
	*Solid
	x, y, z r3.Vec // of the solid, in the world
}

func place(s *Solid) placed {
	turn := s.turn()
	return placed{s, turn.Rotate(r3.Vec{X: 1}), turn.Rotate(r3.Vec{Y: 1}), turn.Rotate(r3.Vec{Z: 1})}
}

// own is a direction in the solid's axes, and out is one of those in the world.
func (s *placed) own(d r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(d, s.x), Y: r3.Dot(d, s.y), Z: r3.Dot(d, s.z)}
}

func (s *placed) out(d r3.Vec) r3.Vec {
	return r3.Add(r3.Scale(d.X, s.x), r3.Add(r3.Scale(d.Y, s.y), r3.Scale(d.Z, s.z)))
}

func (s *placed) bounds() r3.Box {
	h := s.half
	switch s.kind {
	case sphereSolid:
		h = Grey(h.X)
	case cylinderSolid:
		h.Z = h.X
	}
	reach := r3.Vec{
		X: math.Abs(h.X*s.x.X) + math.Abs(h.Y*s.y.X) + math.Abs(h.Z*s.z.X),
		Y: math.Abs(h.X*s.x.Y) + math.Abs(h.Y*s.y.Y) + math.Abs(h.Z*s.z.Y),
		Z: math.Abs(h.X*s.x.Z) + math.Abs(h.Y*s.y.Z) + math.Abs(h.Z*s.z.Z),
	}
	return r3.Box{Min: r3.Sub(s.Position, reach), Max: r3.Add(s.Position, reach)}
}

// newWorld makes a valid scene ready.
func newWorld(s *Scene) *world {
	w := &world{}
	for i := range s.Meshes {
		m := &s.Meshes[i]
		turn := m.turn()
		at := func(k int32) r3.Vec { return r3.Add(m.Position, turn.Rotate(m.Positions[k])) }
		for k, t := range m.Triangles {
			w.add(at(t[0]), at(t[1]), at(t[2]), owner{int32(i), int32(k)}, m.Material.Cutaway)
		}
	}
	if l := s.Liquid; l != nil {
		for k := 0; k < len(l.Indices); k += 3 {
			w.add(vec(l.Positions, l.Indices[k]), vec(l.Positions, l.Indices[k+1]), vec(l.Positions, l.Indices[k+2]), owner{ofLiquid, int32(k / 3)}, false)
		}
		for k := 0; k+3 < len(l.Droplets); k += 4 {
			ball := NewBall(float64(l.Droplets[k+3]), Place{Position: vec(l.Droplets[k:], 0)}, nil)
			w.droplets = append(w.droplets, place(&ball))
		}
	}
	for i := range s.Solids {
		w.solids = append(w.solids, place(&s.Solids[i]))
	}
	boxes := w.boxes()
	w.bounds = empty()
	for i := range boxes {
		include(&w.bounds, boxes[i].Min, boxes[i].Max)
	}
	w.tree = newTree(boxes)
	return w
}

// add adds a triangle unless it has no area.
func (w *world) add(a, b, c r3.Vec, o owner, cutaway bool) {
	t := triangle{a, r3.Sub(b, a), r3.Sub(c, a)}
	if r3.Norm2(r3.Cross(t.ab, t.ac)) == 0 {
		return
	}
	w.triangles = append(w.triangles, t)
	w.owners = append(w.owners, o)
	w.cutaway = append(w.cutaway, cutaway)
}

// boxes are those of the items.
func (w *world) boxes() []r3.Box {
	var boxes []r3.Box
	for i := range w.triangles {
		t := &w.triangles[i]
		b := empty()
		for _, p := range [3]r3.Vec{t.a, r3.Add(t.a, t.ab), r3.Add(t.a, t.ac)} {
			include(&b, p, p)
		}
		boxes = append(boxes, b)
	}
	for _, all := range [2][]placed{w.solids, w.droplets} {
		for i := range all {
			boxes = append(boxes, all[i].bounds())
		}
	}
	return boxes
}

// hit is where a ray meets an item first.
type hit struct {
	far    float64
	item   int32   // -1: nothing
	u, v   float64 // of a triangle
	normal r3.Vec  // in the world, unit, outwards
}

// solid is item i, which is no triangle.
func (w *world) solid(i int) *placed {
	i -= len(w.triangles)
	if i < len(w.solids) {
		return &w.solids[i]
	}
	return &w.droplets[i-len(w.solids)]
}

// test meets a ray with an item and keeps what is nearer than before.
func (w *world) test(item int32, r *ray, h *hit, cut bool) {
	i := int(item)
	if i < len(w.triangles) {
		q := &w.triangles[i]
		t, u, v, ok := q.hit(r, nearest, h.far)
		if ok && !(cut && w.cutaway[i] && r3.Dot(r3.Cross(q.ab, q.ac), r.to) > 0) {
			h.far, h.item, h.u, h.v = t, item, u, v
		}
		return
	}
	s := w.solid(i)
	local := newRay(s.own(r3.Sub(r.from, s.Position)), s.own(r.to))
	if t, n, ok := s.meet(&local, nearest, h.far); ok {
		h.far, h.item, h.normal = t, item, s.out(n)
	}
}

// nearest is how far from its start a ray meets things at least, m.
const nearest = 1e-7

// first is the first item that a ray meets before far. cut: not what is cut away.
func (w *world) first(r *ray, far float64, cut bool) hit {
	h := hit{far: far, item: -1}
	w.walk(r, &h, cut, false)
	if h.item >= 0 && int(h.item) < len(w.triangles) {
		h.normal = w.triangles[h.item].normal()
	}
	return h
}

// blocked tells whether a ray meets anything before far.
func (w *world) blocked(r *ray, far float64) bool {
	h := hit{far: far, item: -1}
	w.walk(r, &h, false, true)
	return h.item >= 0
}

// walk visits the tree's leaves that a ray meets, the nearer first, until one has an item if any is enough.
func (w *world) walk(r *ray, h *hit, cut, any bool) {
	if len(w.nodes) == 0 {
		return
	}
	var stack [stackSize]int32
	var enter [3]int // which of a node's sides the ray meets first
	for k := range enter {
		enter[k] = k
		if component(&r.inv, k) < 0 {
			enter[k] += 4
		}
	}
	ex, ey, ez := enter[0], enter[1], enter[2]
	from, inv := r.from, r.inv
	n, at := 0, int32(0)
	for {
		nd := &w.nodes[at]
		// Where a side lies in the ray, 0 times infinity is no number, and no comparison holds.
		t0, t1 := 0., h.far
		if a := (float64(nd.sides[ex&7]) - from.X) * inv.X; a > t0 {
			t0 = a
		}
		if b := (float64(nd.sides[(ex+4)&7]) - from.X) * inv.X; b < t1 {
			t1 = b
		}
		if a := (float64(nd.sides[ey&7]) - from.Y) * inv.Y; a > t0 {
			t0 = a
		}
		if b := (float64(nd.sides[(ey+4)&7]) - from.Y) * inv.Y; b < t1 {
			t1 = b
		}
		if a := (float64(nd.sides[ez&7]) - from.Z) * inv.Z; a > t0 {
			t0 = a
		}
		if b := (float64(nd.sides[(ez+4)&7]) - from.Z) * inv.Z; b < t1 {
			t1 = b
		}
		if t0 <= t1 {
			if nd.count == 0 {
				near, other := at+1, nd.second
				if enter[nd.axis] >= 4 {
					near, other = other, near
				}
				stack[n] = other
				n++
				at = near
				continue
			}
			for _, item := range w.items[nd.first : nd.first+nd.count] {
				w.test(item, r, h, cut)
			}
			if any && h.item >= 0 {
				return
			}
		}
		if n == 0 {
			return
		}
		n--
		at = stack[n]
	}
}
