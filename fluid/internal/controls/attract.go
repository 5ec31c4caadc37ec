package controls

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// attraction moves the vertices of a picture to the control surfaces that attract them.
//
// Source: Raveendran et al. 2012, section 6.1: a damped spring to the nearest point, here at rest, so that it needs no state.
type attraction struct {
	targets []target
	count   int // of targets in use

	domain             r3.Box
	cell               float64
	positions, normals []float32 // of the picture: arguments of the loops
	pulls              []pulled  // per vertex
	least              []float64 // per vertex: the least part of it and of those around it
}

// target is a control surface that attracts.
type target struct {
	surface      *control.Mesh
	weights      []float32 // per vertex; none if all are 1
	boxes        []r3.Box  // per triangle
	numbers      []int32   // of the triangles
	tree         geom.BoxTree
	revision     uint64   // of the triangles that tree was made of
	normal       []r3.Vec // per vertex, unit
	strength     float64
	inner, outer float64 // m
	quadratic    bool
}

// attractGrain is how many vertices a worker takes at a time.
const attractGrain = 512

// defaultReach is how many cells away a control attracts if its definition doesn't say.
const defaultReach = 2

// The cosines between the normals of picture and control surface from which on there is some attraction, and all of it: a pool's surface around a figure that
// rises from it stays.
const leastFacing, mostFacing = .4, .8

// Attracts tells whether some control attracts the picture.
func (s *Set) Attracts() bool {
	for _, c := range s.All {
		if c.Strength > 0 && c.Def.Attraction.Strength > 0 {
			return true
		}
	}
	return false
}

// Attract moves the vertices of a picture, xyz each, to the control surfaces that attract them, and turns their normals, unit; triangles have three indices
// each. Nothing else of the liquid follows.
func (s *Set) Attract(positions, normals []float32, triangles []uint32) {
	a := &s.attraction
	a.count = 0
	for _, c := range s.All {
		if c.Strength > 0 && c.Def.Attraction.Strength > 0 {
			a.add(c, s.CellSize)
		}
	}
	if a.count == 0 {
		return
	}
	n := len(positions) / 3
	a.pulls, a.least = arrays.Resize(a.pulls, n), arrays.Resize(a.least, n)
	a.domain, a.cell = s.Domain, s.CellSize
	a.positions, a.normals = positions, normals
	par.For(s.Pool, n, attractGrain, a, (*attraction).pullRange)
	for v := range a.least {
		a.least[v] = a.pulls[v].part
	}
	for k := 0; k+2 < len(triangles); k += 3 { // so that triangles at a border are not folded over
		t := triangles[k : k+3]
		least := min(a.pulls[t[0]].part, a.pulls[t[1]].part, a.pulls[t[2]].part)
		for _, v := range t {
			a.least[v] = min(a.least[v], least)
		}
	}
	par.For(s.Pool, n, attractGrain, a, (*attraction).moveRange)
	a.positions, a.normals = nil, nil
}

// add makes a control's surface a target, if there is one where its clock is.
func (a *attraction) add(c *Control, cell float64) {
	m := c.Surface()
	if len(m.Triangles) == 0 || inspect(m) != (fault{}) {
		return
	}
	if a.count == len(a.targets) {
		a.targets = append(a.targets, target{})
	}
	t := &a.targets[a.count]
	a.count++
	d := &c.Def.Attraction
	t.surface, t.strength, t.quadratic = m, d.Strength, d.Falloff == control.QuadraticFalloff
	t.inner, t.outer = d.Inner, d.Outer
	for _, r := range []*float64{&t.inner, &t.outer} {
		if *r == 0 {
			*r = defaultReach * cell
		}
	}
	t.weights = nil
	if len(c.weights.smooth) == len(m.Positions) {
		t.weights = c.weights.smooth
	}
	t.prepare()
}

// prepare makes the tree of the triangles, and the normals of the vertices.
func (t *target) prepare() {
	m := t.surface
	t.boxes, t.normal = arrays.Resize(t.boxes, len(m.Triangles)), arrays.Resize(t.normal, len(m.Positions))
	clear(t.normal)
	for i, v := range m.Triangles {
		x := [3]r3.Vec{m.Positions[v[0]], m.Positions[v[1]], m.Positions[v[2]]}
		n := geom.TwiceArea(x[0], x[1], x[2])
		for _, k := range v {
			t.normal[k] = r3.Add(t.normal[k], n)
		}
		t.boxes[i] = boxes.Around(x[:])
	}
	for i, n := range t.normal {
		if size := reproducible.Norm(n); size > 0 {
			t.normal[i] = reproducible.Scale(1/size, n)
		}
	}
	if t.tree.Len() == len(t.boxes) && t.revision == m.Revision {
		t.tree.SetAll(t.boxes)
		return
	}
	t.numbers, t.revision = arrays.Resize(t.numbers, len(t.boxes)), m.Revision
	for i := range t.numbers {
		t.numbers[i] = int32(i)
	}
	t.tree.Clear()
	t.tree.Build(t.numbers, t.boxes)
}

// pullRange finds how some of the vertices are pulled, each by the target that pulls hardest.
func (a *attraction) pullRange(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		x, out := vectorAt(a.positions, v), vectorAt(a.normals, v)
		var best pulled
		for i := range a.targets[:a.count] {
			if at := a.targets[i].pull(x, out); at.part > best.part {
				best = at
			}
		}
		best.part *= a.inDomain(&x)
		a.pulls[v] = best
	}
}

// moveRange moves some of the vertices.
func (a *attraction) moveRange(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		part := a.least[v]
		if !(part > 0) {
			continue
		}
		x, out := vectorAt(a.positions, v), vectorAt(a.normals, v)
		x, out = geom.Lerp(part, &x, &a.pulls[v].to), geom.Lerp(part, &out, &a.pulls[v].normal)
		p, n := a.positions[3*v:3*v+3], a.normals[3*v:3*v+3]
		if size := reproducible.Norm(out); size > 0 {
			out = reproducible.Scale(1/size, out)
			n[0], n[1], n[2] = float32(out.X), float32(out.Y), float32(out.Z)
		}
		p[0], p[1], p[2] = float32(x.X), float32(x.Y), float32(x.Z)
	}
}

// vectorAt is the vector of a vertex.
func vectorAt(xyz []float32, v int) r3.Vec {
	return r3.Vec{X: float64(xyz[3*v]), Y: float64(xyz[3*v+1]), Z: float64(xyz[3*v+2])}
}

// inDomain falls from 1 to 0 over the last cell before the domain's sides, where the picture is closed along them.
func (a *attraction) inDomain(x *r3.Vec) float64 {
	lo, hi := r3.Sub(*x, a.domain.Min), r3.Sub(a.domain.Max, *x)
	return max(0, min(1, min(lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z)/a.cell))
}

// pulled is where a vertex is pulled to, by which part of the way there, and the surface's normal there.
type pulled struct {
	to, normal r3.Vec
	part       float64
}

// pull returns how a target pulls a vertex with a normal. What faces another way than the target's surface, as a pool around it or the other
// side of a sheet does, is not pulled.
func (t *target) pull(x, out r3.Vec) (at pulled) {
	i, w, ok := t.nearest(&x)
	if !ok {
		return at
	}
	v := t.surface.Triangles[i]
	weight := 0.
	for k := range v {
		at.to = r3.Add(at.to, reproducible.Scale(w[k], t.surface.Positions[v[k]]))
		at.normal = r3.Add(at.normal, reproducible.Scale(w[k], t.normal[v[k]]))
		if t.weights != nil {
			weight += float64(w[k] * float64(t.weights[v[k]]))
		}
	}
	if t.weights == nil {
		weight = 1
	}
	to := r3.Sub(at.to, x)
	reach := t.outer
	if reproducible.Dot(to, at.normal) > 0 {
		reach = t.inner
	}
	facing := reproducible.Dot(out, at.normal)
	at.part = max(0, min(1, 2-2*reproducible.Norm(to)/reach))
	if t.quadratic {
		at.part *= at.part
	}
	at.part *= max(0, min(1, (facing-leastFacing)/(mostFacing-leastFacing))) * t.strength * weight
	return at
}

// nearest returns the triangle that is nearest to x, and the weights of its corners at the nearest point, if that is within reach.
func (t *target) nearest(x *r3.Vec) (triangle int32, w [3]float64, ok bool) {
	best := max(t.inner, t.outer)
	triangle = -1
	var stack [64]int32 // the tree of any mesh is far less deep
	n := 0
	if p := t.tree.Root(); p >= 0 {
		stack[0], stack[1], n = p, p+1, 2
	}
	m := t.surface
	for n > 0 {
		n--
		box, item, below := t.tree.Place(stack[n])
		if (item < 0 && below < 0) || boxes.DistanceOutside(box, x) >= best {
			continue
		}
		if below >= 0 {
			near, far := below, below+1
			if a, b := t.boxDistanceAt(near, x), t.boxDistanceAt(far, x); b < a {
				near, far = far, near
			}
			stack[n], stack[n+1] = far, near
			n += 2
			continue
		}
		v := m.Triangles[item]
		a, b, c := m.Positions[v[0]], m.Positions[v[1]], m.Positions[v[2]]
		wa, wb, wc := geom.Nearest(*x, a, b, c)
		at := r3.Add(r3.Add(reproducible.Scale(wa, a), reproducible.Scale(wb, b)), reproducible.Scale(wc, c))
		if d := reproducible.Norm(r3.Sub(at, *x)); d < best || d == best && item < triangle {
			best, triangle, w = d, item, [3]float64{wa, wb, wc}
		}
	}
	return triangle, w, triangle >= 0
}

// boxDistanceAt is how far a place of the tree is from x, m; infinite if nothing is there.
func (t *target) boxDistanceAt(place int32, x *r3.Vec) float64 {
	box, item, below := t.tree.Place(place)
	if item < 0 && below < 0 {
		return math.Inf(1)
	}
	return boxes.DistanceOutside(box, x)
}
