package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Where a body stands on a solid no row is between the two, and without more nothing would press on it from below. Real bodies don't fit that well: a film of
// liquid comes in from the rim of the gap. It is thin and slow, so that still liquid's pressure is the same along it but for its height, and what it moves is
// nothing against the rest.
//
// A film is at a vertex none of whose edges is open but in whose cell a body has some surface. It presses as what is nearest to it along the gap: rows at the rim,
// to whose K it is added, so that what the body leaves as it rises comes from there; or air, which doesn't press. The gap's height below the row's vertex is in
// BodyCoupling.Rests.

// film is a vertex of a gap.
type film struct {
	v int32

	normal vec     // the body's area there, as a vector into it, m²
	area   float64 // its size
	high   float64 // how high it is along Up, m

	push [6]float64 // what a pressure of 1 exerts on the body there, m² and m³
	head [6]float64 // likewise, one that is its place's height along Up, m³ and m⁴
	step int32      // how many vertices of the gap are from here to its rim; 0: not known
	ways int32      // to vertices nearer to the rim, or beyond it
	wet  float64    // the part of them that leads to rows
}

// films is the gaps of the body at hand.
type films struct {
	list   []film
	order  []int32   // of the list, from the rim inwards
	ways   []filmWay // from films to those nearer to the rim, in the order of the latter
	rims   []filmWay // from films to vertices beyond the rim
	beyond [6]float64
}

// filmWay leads from a film to another, or to a vertex.
type filmWay struct{ from, to int32 }

const (
	// leastFilm is the area of a film at least, of a face of its cell of the layout: less is rounding.
	leastFilm = 1e-3
	// acrossFilm is how much a film's area vector points along an edge at least, as a cosine, for the gap not to lead that way.
	acrossFilm = .87
)

// hasFilms tells whether liquid between a body and other solids is looked for. Between thin walls the lattice can't tell which side is which, and samples bear a body
// without it.
func hasFilms(body *rigid.Solid) bool { return !body.Thin && !body.Sampled }

// coupleFilms adds a body's films to the patches of the rows at their rims. What their height adds is Rests.
func (cp *coupling) coupleFilms(s *scratch, w *graph.BodyCoupling, jobs []job) {
	v := &s.films
	v.list, v.rims = v.list[:0], v.rims[:0]
	if !hasFilms(jobs[0].at) {
		return
	}
	for i := range jobs {
		cp.findFilms(s, &jobs[i])
	}
	if len(v.list) == 0 {
		return
	}
	for side := range v.beyond {
		v.beyond[side] = cp.beyond(jobs[0].at.Bounds, side)
	}
	for i := range v.list {
		v.list[i].settle(&v.beyond, cp.d.cellEdge(v.list[i].v))
	}
	if cp.orderFilms(s) {
		w.Sealed = cp.sealed(s)
		rests := cp.drainFilms(s, w)
		w.Rests = graph.StepInertia(&cp.d.Up, &rests)
	} else {
		v.rims = v.rims[:0]
	}
}

// sealed is the area of the body at air that gaps lead to: the films' part, and what it has in the cells of the vertices in the air at the rims, which reach into the gaps.
func (cp *coupling) sealed(s *scratch) (area float64) {
	v := &s.films
	for _, e := range v.order {
		m := &v.list[e]
		area += float64((1 - m.wet) * m.area)
	}
	for _, rim := range v.rims {
		if i := s.ids[rim.to]; cp.isDry(rim.to) && i != none {
			area += v.list[i].area
			v.list[i].area = 0 // several films may lead there
		}
	}
	return area
}

// clearFilms forgets which vertices have films.
func (s *scratch) clearFilms() {
	for i := range s.films.list {
		s.ids[s.films.list[i].v] = none
	}
}

// hasFilm tells whether a vertex that is shut has a film of the body at hand.
func (s *scratch) hasFilm(v int32) bool { return s.ids[v] != none && s.films.list[s.ids[v]].area > 0 }

// beyond is how far a box goes beyond a side of the domain, m.
func (cp *coupling) beyond(box r3.Box, side int) float64 {
	if a := side / 2; side&1 == 0 {
		return cp.d.domain.lo[a] - reproducible.Array(box.Min)[a]
	} else {
		return reproducible.Array(box.Max)[a] - cp.d.domain.hi[a]
	}
}

// findFilms lists the vertices of a job where films may be, or air beside them, with what a pressure exerts on the body there: the area of its surface in a cell is minus
// what it has of the polygons.
func (cp *coupling) findFilms(s *scratch, j *job) {
	d, l := cp.d, cp.d.l
	if cp.isAlone(j) {
		return
	}
	for n := range j.list.covers {
		c := &j.list.covers[n]
		e := l.EdgeRuns[j.base] + c.edge
		if !cp.isDry(l.Ends[e][0]) && !cp.isDry(l.Ends[e][1]) {
			continue
		}
		push, high := pushOf(l.Normal(e), c, j.at), geom.Dot(&d.Up, &c.at)
		for side, v := range l.Ends[e] {
			if !cp.isDry(v) {
				continue
			}
			m := s.filmAt(v)
			sign := 1 - 2*float64(side)
			for i, x := range push {
				m.push[i] += float64(sign * x)
				m.head[i] += float64(sign * high * x)
			}
			f := &c.own[side]
			turn := geom.Cross(&f.moment, &d.Up)
			for a, up := range d.Up {
				m.head[a] -= float64(f.volume * up)
				m.head[3+a] -= turn[a]
			}
		}
	}
}

// isDry tells whether a vertex is no row: it is in a gap, or in the air, perhaps at the rim of one.
func (cp *coupling) isDry(v int32) bool { return cp.d.Row[v] == none }

// isAlone tells whether a job's body is alone at its base cell and at those around, which share vertices with it.
func (cp *coupling) isAlone(j *job) bool {
	d := cp.d
	for _, nb := range d.g.Nearby(j.base) {
		if nb < 0 {
			continue
		}
		st, hit := &d.static.bases[nb], d.bodies.hits[nb]
		if st.sides != 0 || len(st.list.covers) > 0 || hit != nil && (hit.body != j.body || hit.next != nil) {
			return false
		}
	}
	return true
}

// filmAt is the film of a vertex, which it lists.
func (s *scratch) filmAt(v int32) *film {
	list := &s.films.list
	if s.ids[v] == none {
		s.ids[v] = int32(len(*list))
		*list = append(*list, film{v: v})
	}
	return &(*list)[s.ids[v]]
}

// settle finds the normal and the height of a film, at a cell of an edge, m. One that is none has no area: where a body goes on beyond a side of the domain, no surface
// of it is at that side.
func (m *film) settle(beyond *[6]float64, edge float64) {
	copy(m.normal[:], m.push[:3])
	n := &m.normal
	m.area = math.Sqrt(geom.Dot(n, n))
	isNone := m.area < leastFilm*edge*edge
	for side, by := range beyond {
		from := float64(1-2*(side&1)) * n[side/2] // it points away from the side
		isNone = isNone || by > edge/2 && from > m.area/2
	}
	if isNone {
		m.area = 0
		return
	}
	m.high = (float64(n[0]*m.head[0]) + float64(n[1]*m.head[1]) + float64(n[2]*m.head[2])) / (m.area * m.area)
}

// beside is what a film has across an edge: another film, or a vertex at the rim with room for liquid; none for what is not there.
func (cp *coupling) beside(s *scratch, m *film, e int32) (other, rim int32) {
	d := cp.d
	n := d.l.Normal(e)
	if math.Abs(geom.Dot(&m.normal, &n)) > acrossFilm*m.area || !(d.l.Area[e] > 0) {
		return none, none
	}
	v := d.across(e, m.v)
	switch {
	case d.l.Beyond[v]:
		return none, none
	case !d.rows.shut[v]:
		return none, v
	case s.hasFilm(v):
		return s.ids[v], none
	}
	return none, none
}

// findRims finds the ways from the films to vertices beyond the rim, and tells whether there is liquid.
func (cp *coupling) findRims(s *scratch) (wet bool) {
	v, l := &s.films, cp.d.l
	for i := range v.list {
		m := &v.list[i]
		if m.area == 0 || !cp.d.rows.shut[m.v] {
			continue
		}
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[m.v]:l.VertexEdgeRuns[m.v+1]] {
			if _, rim := cp.beside(s, m, e); rim != none {
				v.rims = append(v.rims, filmWay{int32(i), rim})
				m.ways++
				if cp.d.Row[rim] != none {
					m.wet++
					wet = true
				}
			}
		}
		if m.ways > 0 {
			m.step = 1
			v.order = append(v.order, int32(i))
		}
	}
	return wet
}

// orderFilms finds the ways from the films to the rim, and tells whether there is liquid.
func (cp *coupling) orderFilms(s *scratch) (wet bool) {
	v, l := &s.films, cp.d.l
	v.order, v.rims, v.ways = v.order[:0], v.rims[:0], v.ways[:0]
	wet = cp.findRims(s)
	for i := 0; wet && i < len(v.order); i++ { // the list grows
		m := &v.list[v.order[i]]
		m.wet /= float64(m.ways)
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[m.v]:l.VertexEdgeRuns[m.v+1]] {
			at, _ := cp.beside(s, m, e)
			if at == none {
				continue
			}
			other := &v.list[at]
			if other.step == 0 {
				other.step = m.step + 1
				v.order = append(v.order, at)
			}
			if other.step == m.step+1 {
				v.ways = append(v.ways, filmWay{at, v.order[i]})
				other.ways++
				other.wet += m.wet
			}
		}
	}
	return wet
}

// drainFilms hands what the films exert on to the rows at the rim, from the inside outwards. It returns what their heights add.
func (cp *coupling) drainFilms(s *scratch, w *graph.BodyCoupling) (rests [6]float64) {
	d, v := cp.d, &s.films
	for _, e := range v.order {
		for i, x := range v.list[e].head {
			rests[i] -= x
		}
	}
	for i := len(v.ways) - 1; i >= 0; i-- {
		from, to := &v.list[v.ways[i].from], &v.list[v.ways[i].to]
		for i, x := range from.push {
			to.push[i] += x / float64(from.ways)
		}
	}
	for _, rim := range v.rims {
		m := &v.list[rim.from]
		high, share := m.high, 1/float64(m.ways) // of air, which presses no more than the film there does
		if r := d.Row[rim.to]; r != none {
			film := m.push
			for i := range film {
				film[i] *= share
			}
			s.pushFilm(w, rim.to, r, &film)
			high = geom.Dot(&d.Up, &d.l.Position[rim.to])
		}
		for i, x := range m.push {
			rests[i] += float64(high * share * x)
		}
	}
	return rests
}

// pushFilm adds a film to the patch of a vertex, which is a row.
func (s *scratch) pushFilm(w *graph.BodyCoupling, v, row int32, film *[6]float64) {
	s.push(w, v, row, &[6]float64{}, 1)
	to := &s.patches[s.ids[v]].film
	for i, x := range film {
		to[i] += x
	}
}
