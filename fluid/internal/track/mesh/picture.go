package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// picture cuts a mesh at a domain's sides. What is beyond them is put onto them, and so closes the surface there.
type picture struct {
	cellSize        float64 // m
	distance        func(dst []float32, at []r3.Vec)
	probe           [1 + 2*3]r3.Vec  // places that the distance is asked for,
	found           [1 + 2*3]float32 // and the distances there, m
	places, normals []r3.Vec         // per vertex
	moved           []r3.Vec         // per vertex of the mesh: by how much, m
	labels          []uint8
	free, side      []uint32 // vertices of triangles
}

// triangles writes the mesh as far as it is in a domain.
func (t *Tracker) triangles(dst *query.Triangles, domain r3.Box) {
	t.trianglesLater(dst, domain, nil, 0)
}

// trianglesLater writes it as it will be.
func (t *Tracker) trianglesLater(dst *query.Triangles, domain r3.Box, velocity func(dst, at []r3.Vec), later float64) {
	p, s := &t.picture, &t.settled
	p.begin(s)
	t.moveOn(velocity, later)
	for _, v := range s.triangle {
		p.part(&polygon{3, [9]uint32{uint32(v[0]), uint32(v[1]), uint32(v[2])}}, 0, false, &domain)
	}
	p.lower(len(s.position), domain)
	n := len(p.places)
	dst.Positions, dst.Normals = arrays.Resize(dst.Positions, 3*n), arrays.Resize(dst.Normals, 3*n)
	for i, x := range p.places {
		x, n := boxes.Min(boxes.Max(x, domain.Min), domain.Max), p.normals[i]
		dst.Positions[3*i], dst.Positions[3*i+1], dst.Positions[3*i+2] = float32(x.X), float32(x.Y), float32(x.Z)
		dst.Normals[3*i], dst.Normals[3*i+1], dst.Normals[3*i+2] = float32(n.X), float32(n.Y), float32(n.Z)
	}
	dst.Indices = append(append(dst.Indices[:0], p.free...), p.side...)
	dst.Free = len(p.free)
	dst.Labels = append(dst.Labels[:0], p.labels...)
}

// moveOn moves the picture's vertices for so many s by the velocity half a finest cell under the surface, as far as they come without meeting each other there.
func (t *Tracker) moveOn(velocity func(dst, at []r3.Vec), later float64) {
	p, mesh := &t.picture, &t.track.Mesh
	n := len(p.places)
	p.moved = arrays.Resize(p.moved, n)
	clear(p.moved)
	if later == 0 || n != len(mesh.Position) {
		return
	}
	for i, x := range p.places {
		mesh.Target[i] = t.in.Under(x, p.normals[i])
	}
	velocity(p.moved, mesh.Target[:n])
	for i, x := range p.places {
		mesh.Target[i] = r3.Add(x, reproducible.Scale(later, p.moved[i]))
	}
	t.track.Mover.ResolveEnd(mesh, later)
	for i, x := range p.places {
		p.places[i], p.moved[i], mesh.Target[i] = mesh.Target[i], r3.Sub(mesh.Target[i], x), x
	}
}

// begin takes a mesh, with the normals and labels of its vertices.
func (p *picture) begin(s *state) {
	p.places = append(p.places[:0], s.position...)
	p.normals, p.labels = arrays.Resize(p.normals, len(s.position)), arrays.Resize(p.labels, len(s.position))
	clear(p.normals)
	for i, v := range s.triangle {
		a, b, c := s.position[v[0]], s.position[v[1]], s.position[v[2]]
		n := geom.TwiceArea(a, b, c)
		for _, w := range v {
			p.normals[w] = r3.Add(p.normals[w], n)
			p.labels[w] = uint8(s.label[i])
		}
	}
	for i, n := range p.normals {
		p.normals[i] = unitOrNone(n)
	}
	p.free, p.side = p.free[:0], p.side[:0]
}

func unitOrNone(n r3.Vec) r3.Vec {
	if n == (r3.Vec{}) {
		return n
	}
	return reproducible.Unit(n)
}

// polygon is a part of a triangle: three vertices and one more at most for each side that cuts it.
type polygon struct {
	n int
	v [3 + 6]uint32
}

func (q *polygon) add(v uint32) {
	q.v[q.n] = v
	q.n++
}

// part cuts a polygon at a side and those after it. What is left within all of them is free. What lies beyond one is cut at the others too, so that the parts have
// their edges in common.
func (p *picture) part(q *polygon, side int, beyond bool, domain *r3.Box) {
	if side == 6 {
		to := &p.free
		if beyond {
			to = &p.side
		}
		for i := 2; i < q.n; i++ {
			*to = append(*to, q.v[0], q.v[i-1], q.v[i])
		}
		return
	}
	inside, outside := false, false
	for _, v := range q.v[:q.n] {
		d := beyondSide(&p.places[v], side, domain)
		inside, outside = inside || d < 0, outside || d > 0
	}
	if !inside || !outside { // what lies in the side counts as beyond it
		p.part(q, side+1, beyond || !inside, domain)
		return
	}
	var in, out polygon
	for i, v := range q.v[:q.n] {
		w := q.v[(i+1)%q.n]
		d, e := beyondSide(&p.places[v], side, domain), beyondSide(&p.places[w], side, domain)
		if d <= 0 {
			in.add(v)
		}
		if d >= 0 {
			out.add(v)
		}
		if d < 0 && e > 0 || d > 0 && e < 0 {
			x := p.crossing(v, w, side, domain)
			in.add(x)
			out.add(x)
		}
	}
	p.part(&in, side+1, beyond, domain)
	p.part(&out, side+1, true, domain)
}

// beyondSide is how far a place is beyond a side, m; negative within.
func beyondSide(x *r3.Vec, side int, domain *r3.Box) float64 {
	switch side {
	case 0:
		return domain.Min.X - x.X
	case 1:
		return x.X - domain.Max.X
	case 2:
		return domain.Min.Y - x.Y
	case 3:
		return x.Y - domain.Max.Y
	case 4:
		return domain.Min.Z - x.Z
	}
	return x.Z - domain.Max.Z
}

// crossing adds the vertex where a side cuts an edge: at the same place whichever triangle's edge it is.
func (p *picture) crossing(v, w uint32, side int, domain *r3.Box) uint32 {
	if beyondSide(&p.places[v], side, domain) > 0 {
		v, w = w, v
	}
	a, b := p.places[v], p.places[w]
	d, e := beyondSide(&a, side, domain), beyondSide(&b, side, domain)
	s := d / (d - e)
	between := func(a, b r3.Vec) r3.Vec { return r3.Add(a, reproducible.Scale(s, r3.Sub(b, a))) }
	x, at := reproducible.Array(between(a, b)), [2][3]float64{reproducible.Array(domain.Min), reproducible.Array(domain.Max)}
	x[side/2] = at[side%2][side/2]
	p.places = append(p.places, reproducible.Vector(x))
	p.normals = append(p.normals, unitOrNone(between(p.normals[v], p.normals[w])))
	p.labels = append(p.labels, p.labels[v])
	return uint32(len(p.places) - 1)
}

// lowerSteps is how often a place is moved towards the surface.
const lowerSteps = 4

// lower moves the first places beyond the domain's sides that come to lie out of the liquid, along the side onto its surface: the mesh there lags behind the one within, and
// would stand up on the side.
func (p *picture) lower(n int, domain r3.Box) {
	for i, x := range p.places[:n] {
		if boxes.Contains(domain, x) {
			continue
		}
		x = boxes.Min(boxes.Max(x, domain.Min), domain.Max)
		for range lowerSteps {
			d, slope := p.distanceAlong(x, p.moved[i], domain)
			way := reproducible.Vector(slope)
			if d <= 0 || way == (r3.Vec{}) {
				break
			}
			x = r3.Sub(x, reproducible.Scale(d, reproducible.Unit(way)))
			x = boxes.Min(boxes.Max(x, domain.Min), domain.Max)
		}
		p.places[i] = x
	}
}

// distanceAlong is the cells' distance, m, at a place that has moved, and how it increases about that, but not across the sides that the place is on.
func (p *picture) distanceAlong(x, moved r3.Vec, domain r3.Box) (d float64, slope [3]float64) {
	at, lo, hi := reproducible.Array(x), reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	half := float64(p.cellSize / 2)
	p.probe[0] = p.within(r3.Sub(x, moved), domain) // the distance is to the settled surface
	for a := range at {
		before, after := at, at
		before[a] -= half
		after[a] += half
		p.probe[1+2*a] = p.within(r3.Sub(reproducible.Vector(before), moved), domain)
		p.probe[2+2*a] = p.within(r3.Sub(reproducible.Vector(after), moved), domain)
	}
	p.distance(p.found[:], p.probe[:])
	for a := range at {
		if at[a] > lo[a] && at[a] < hi[a] {
			slope[a] = float64(p.found[2+2*a]) - float64(p.found[1+2*a])
		}
	}
	return float64(p.found[0]), slope
}

// within is a place or, nearer to a side than half a cell, that far within.
func (p *picture) within(x r3.Vec, domain r3.Box) r3.Vec {
	inner := boxes.Grown(domain, -float64(p.cellSize/2))
	return boxes.Min(boxes.Max(x, inner.Min), inner.Max)
}
