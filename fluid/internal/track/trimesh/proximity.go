package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// pair is a vertex and the three corners of a triangle, or the ends of two edges. No vertex is there twice.
type pair struct {
	v     [4]int32
	edges bool
}

// encounter is where a pair is close or collides.
type encounter struct {
	predicates.Contact
	pair pair
}

// repel pushes apart what is near.
//
// Source: Bridson, Fedkiw, Anderson 2002, section 7.1.
func (r *Mover) repel() {
	for i := range r.repelled {
		h := &r.repelled[i]
		apart, weight := 0., 0.
		for j, v := range h.pair.v {
			x := &r.motion[v]
			apart += float64(h.Weights[j] * reproducible.Dot(r3.Sub(x[1], x[0]), h.Normal))
			weight += float64(float64(h.Weights[j]*h.Weights[j]) * r.inverse[v])
		}
		depth := r.Near - h.Distance
		change := max(0, float64(.1*depth)-apart) // of the displacement: dt times that of the velocity
		if r.Stiffness > 0 {
			change = min(change, float64(r.dt*r.dt)*r.Stiffness*depth)
		}
		if change > 0 && weight > 0 {
			r.push(h, change/max(weight, .02*r.greater(&h.pair)))
		}
	}
}

// most is the inverse of the lightest vertex's mass.
func (r *Mover) greater(p *pair) float64 {
	return max(r.inverse[p.v[0]], r.inverse[p.v[1]], r.inverse[p.v[2]], r.inverse[p.v[3]])
}

// trianglesApart tells whether a plane is between two triangles all the time, as vertexBeyond does.
func (r *Mover) trianglesApart(t, u *[3]int32) bool {
	a, b, c := &r.motion[t[0]], &r.motion[t[1]], &r.motion[t[2]]
	d, e, f := &r.motion[u[0]], &r.motion[u[1]], &r.motion[u[2]]
	n := r3.Vec{
		X: (a[0].X + a[1].X + b[0].X + b[1].X + c[0].X + c[1].X) - (d[0].X + d[1].X + e[0].X + e[1].X + f[0].X + f[1].X),
		Y: (a[0].Y + a[1].Y + b[0].Y + b[1].Y + c[0].Y + c[1].Y) - (d[0].Y + d[1].Y + e[0].Y + e[1].Y + f[0].Y + f[1].Y),
		Z: (a[0].Z + a[1].Z + b[0].Z + b[1].Z + c[0].Z + c[1].Z) - (d[0].Z + d[1].Z + e[0].Z + e[1].Z + f[0].Z + f[1].Z),
	}
	for k, distance := range [2]float64{r.apart(), r.slack} {
		low := lower(lower(along(&n, &a[k]), along(&n, &b[k])), along(&n, &c[k]))
		if !beyond(low-higher(higher(along(&n, &d[k]), along(&n, &e[k])), along(&n, &f[k])), &n, distance) {
			return false
		}
	}
	return true
}

// apart is the distance at the beginning from which on a pair is of no interest.
func (r *Mover) apart() float64 {
	if r.search.all {
		return r.Near + r.slack
	}
	return r.slack
}

// lookAtVertex looks whether a vertex and a triangle are close, or collide.
func (r *Mover) lookAtVertex(f *found, v int32, t *[3]int32) {
	s := &r.search
	if !s.all && !(r.changed[v] || r.changed[t[0]] || r.changed[t[1]] || r.changed[t[2]]) {
		return
	}
	x, a, b, c := &r.motion[v], &r.motion[t[0]], &r.motion[t[1]], &r.motion[t[2]]
	u := r3.Vec{
		X: float64(3*(x[0].X+x[1].X)) - (a[0].X + a[1].X + b[0].X + b[1].X + c[0].X + c[1].X),
		Y: float64(3*(x[0].Y+x[1].Y)) - (a[0].Y + a[1].Y + b[0].Y + b[1].Y + c[0].Y + c[1].Y),
		Z: float64(3*(x[0].Z+x[1].Z)) - (a[0].Z + a[1].Z + b[0].Z + b[1].Z + c[0].Z + c[1].Z),
	}
	if vertexBeyond(&u, x, a, b, c, r.apart(), r.slack) {
		return
	}
	h := encounter{predicates.NearVertexTriangle(x[0], a[0], b[0], c[0]), pair{v: [4]int32{v, t[0], t[1], t[2]}}}
	if s.all && h.Distance < r.Near && (s.still || r.moves(&h.pair)) {
		f.proximities = append(f.proximities, h)
	}
	if !vertexBeyond(&h.Normal, x, a, b, c, r.slack, r.slack) {
		r.keep(f, &h)
	}
}

// lookAtEdges looks whether two edges are close, or collide.
func (r *Mover) lookAtEdges(f *found, i, j, k, l int32) {
	s := &r.search
	if !s.all && !(r.changed[i] || r.changed[j] || r.changed[k] || r.changed[l]) {
		return
	}
	p, q, a, b := &r.motion[i], &r.motion[j], &r.motion[k], &r.motion[l]
	u := r3.Vec{
		X: (p[0].X + p[1].X + q[0].X + q[1].X) - (a[0].X + a[1].X + b[0].X + b[1].X),
		Y: (p[0].Y + p[1].Y + q[0].Y + q[1].Y) - (a[0].Y + a[1].Y + b[0].Y + b[1].Y),
		Z: (p[0].Z + p[1].Z + q[0].Z + q[1].Z) - (a[0].Z + a[1].Z + b[0].Z + b[1].Z),
	}
	if edgeBeyond(&u, p, q, a, b, r.apart(), r.slack) {
		return
	}
	h := encounter{predicates.NearEdgeEdge(p[0], q[0], a[0], b[0]), pair{[4]int32{i, j, k, l}, true}}
	if s.all && h.Distance < r.Near && (s.still || r.moves(&h.pair)) {
		f.proximities = append(f.proximities, h)
	}
	if !edgeBeyond(&h.Normal, p, q, a, b, r.slack, r.slack) {
		r.keep(f, &h)
	}
}

// moves tells whether some of a pair does.
func (r *Mover) moves(p *pair) bool {
	for _, v := range p.v {
		if x := &r.motion[v]; x[0] != x[1] {
			return true
		}
	}
	return false
}

// keep keeps a pair that may collide, or in later searches one that does.
func (r *Mover) keep(f *found, h *encounter) {
	if r.search.all {
		f.close = append(f.close, h.pair)
	} else if r.collide(h) {
		f.hits = append(f.hits, *h)
	}
}

// vertexBeyond tells whether a vertex is further along a direction than a triangle, by more than a distance at the beginning and by more than the slack at the end. A
// difference of two points along it changes evenly: so at each time a plane is between the two that neither touches. They do not collide, and are further
// apart at the beginning than the distance.
func vertexBeyond(u *r3.Vec, x, a, b, c *predicates.Motion, distance, slack float64) bool {
	return beyond(along(u, &x[0])-higher(higher(along(u, &a[0]), along(u, &b[0])), along(u, &c[0])), u, distance) &&
		beyond(along(u, &x[1])-higher(higher(along(u, &a[1]), along(u, &b[1])), along(u, &c[1])), u, slack)
}

// edgeBeyond is vertexBeyond for two edges, the first being the further one.
func edgeBeyond(u *r3.Vec, p, q, a, b *predicates.Motion, distance, slack float64) bool {
	return beyond(lower(along(u, &p[0]), along(u, &q[0]))-higher(along(u, &a[0]), along(u, &b[0])), u, distance) &&
		beyond(lower(along(u, &p[1]), along(u, &q[1]))-higher(along(u, &a[1]), along(u, &b[1])), u, slack)
}

// beyond tells whether a gap between projections on u is greater than a distance times |u|.
func beyond(gap float64, u *r3.Vec, distance float64) bool {
	return gap > 0 && float64(gap*gap) > float64(distance*distance)*along(u, u)
}

func along(u, x *r3.Vec) float64 {
	return float64(u.X*x.X) + float64(u.Y*x.Y) + float64(u.Z*x.Z)
}

func lower(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func higher(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}
