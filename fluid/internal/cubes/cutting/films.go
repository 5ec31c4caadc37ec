package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// Where a body stands on a solid no row is between the two, and without more nothing would press on it from below. Real bodies
// don't fit that well: a film of liquid comes in from the rim of the gap. It is thin and slow, so that still liquid's pressure is the same along
// it but for its height, and what it moves is nothing against the rest.
//
// A film is in a cell that solids leave nothing of but in which a body has some surface. It presses as what is nearest to it along the gap:
// rows at the rim, to whose K it is added, so that what the body leaves as it rises comes from there; or air, which doesn't press. The gap's height
// below the row's centre is in BodyCoupling.Rests.

// film is a cell of a gap.
type film struct {
	cell int32
	b    int32    // its block,
	at   [3]uint8 // and place there
	h    float64  // its edge, m

	normal [3]float64 // the body's area there, as a vector into it, m²
	area   float64    // its size
	high   float64    // how high it is along Up, m

	push [6]float64 // what a pressure of 1 exerts on the body there, m² and m³
	head [6]float64 // likewise, one that is its place's height along Up, m³ and m⁴
	step int32      // how many cells of the gap are from here to its rim; 0: not known
	ways int32      // to cells nearer to the rim, or beyond it
	wet  float64    // the part of them that leads to rows
}

// films is the gaps of the body at hand.
type films struct {
	of    []int32 // cell → its entry in list, or -1
	list  []film
	order []int32   // of the list, from the rim inwards
	ways  []filmWay // from films to those nearer to the rim, in the order of the latter
	rims  []filmWay // from films to cells beyond the rim

	beyond [6]float64 // how far the body goes beyond each side of the domain, m
}

// filmWay leads from a film to another, or to a cell.
type filmWay struct{ from, to int32 }

// leastFilm is the area of a film at least, of its cell's faces: less is rounding.
const leastFilm = 1e-3

// findFilm lists a cell of a block, unless liquid has room there.
func (cp *coupling) findFilm(s *scratch, k block, cell int32) {
	d := cp.d
	if d.Row[cell] >= 0 || float64(d.Volume[cell]) > slit*k.h*k.h*k.h {
		return
	}
	v := &s.films
	if v.of[cell] < 0 {
		v.of[cell] = int32(len(v.list))
		v.list = append(v.list, film{cell: cell, b: k.b, at: small(k.place(int(cell - k.first))), h: k.h})
	}
}

// walled tells whether a static solid or a side of the domain shuts a face: what a body covers of it is in a gap.
func (d *Discretiser) walled(f *solidFace) bool { return f.end || d.static.open[f.axis][f.slot] == 0 }

// hasFilms tells whether liquid between a body and other solids is looked for. Between thin walls the grid can't tell which side is which, and
// samples bear a body without it.
func hasFilms(body *rigid.Solid) bool { return !body.Thin && !body.Sampled }

// coupleFilms adds a body's films to the patches of the rows at their rims, and tells whether there are any. What their height adds is Rests.
func (cp *coupling) coupleFilms(s *scratch, w *graph.BodyCoupling, jobs []job) (some bool) {
	if !hasFilms(jobs[0].at) || !cp.findFilms(s, jobs) {
		return false
	}
	cp.measureFilms(s, jobs)
	s.films.beyond = cp.d.domain.beyond(jobs[0].at.Bounds)
	if some = cp.orderFilms(s); some {
		for _, e := range s.films.order {
			m := &s.films.list[e]
			w.Sealed += float64((1 - m.wet) * m.area)
		}
		rests := cp.drainFilms(s, w)
		w.Rests = graph.StepInertia(&cp.d.Up, &rests)
	}
	for i := range s.films.list {
		s.films.of[s.films.list[i].cell] = -1
	}
	return some
}

// findFilms lists the cells in which films may be: those faces that another solid has, and those that
// the body shares with one.
func (cp *coupling) findFilms(s *scratch, jobs []job) bool {
	d, v := cp.d, &s.films
	v.list = v.list[:0]
	if len(v.of) < len(d.Row) {
		from := len(v.of)
		v.of = arrays.Lengthen(v.of, len(d.Row))
		for i := from; i < len(v.of); i++ {
			v.of[i] = -1
		}
	}
	for i := range jobs {
		j := &jobs[i]
		if !j.hit {
			continue
		}
		if d.static.plain[j.base] && d.bodies.merged[j.base].hits == 1 {
			continue // the body is alone there
		}
		k := d.block(j.base)
		for i := range j.faces {
			if f := &j.faces[i]; f.taken < f.solid || d.walled(f) {
				cp.eachSide(k, f, func(of block, cell int32, _ float64) { cp.findFilm(s, of, cell) })
			}
		}
		for i := range j.cells {
			if c := &j.cells[i]; c.solid > 0 && cp.isShared(k, c) {
				cp.findFilm(s, k, c.cell)
			}
		}
	}
	return len(v.list) > 0
}

// isShared tells whether other solids have a part of a cell that a body cuts, or shut one of its sides.
func (cp *coupling) isShared(k block, c *solidCell) bool {
	d, whole := cp.d, k.h*k.h*k.h
	if d.Row[c.cell] >= 0 || float64(d.Volume[c.cell]) > slit*whole {
		return false
	}
	if float64(d.Volume[c.cell])+float64(c.taken*whole) < (1-leastFilm)*whole {
		return true
	}
	for side := range 6 {
		at := k.place(int(c.cell - k.first))
		at[side/2] += side & 1
		if slot := d.g.FaceCell(k.b, side/2, at); slot < 0 || d.static.open[side/2][slot] == 0 {
			return true
		}
	}
	return false
}

// eachSide visits the cells on both sides of a face, with their blocks and the part of the area vector that is theirs.
func (cp *coupling) eachSide(k block, f *solidFace, visit func(of block, cell int32, part float64)) {
	d, a := cp.d, int(f.axis)
	at := [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])}
	switch {
	case f.end:
		visit(k, f.slot, 1)
	case f.at[a] > 0:
		visit(k, f.slot-1<<(k.bits*a), 1)
		visit(k, f.slot, -1)
	default:
		lo, hi := d.sides(&k, a, at)
		for _, c := range hi.cells[:hi.n] {
			visit(k, c, -1/float64(hi.n))
		}
		if lo.n > 0 {
			of := d.block(d.g.Neighbour[k.b][2*a])
			for _, c := range lo.cells[:lo.n] {
				visit(of, c, 1/float64(lo.n))
			}
		}
	}
}

// measureFilms finds what the films exert on the body: the area of its surface in their cells is minus what it has of their faces.
func (cp *coupling) measureFilms(s *scratch, jobs []job) {
	d, v := cp.d, &s.films
	for i := range jobs {
		j := &jobs[i]
		if !j.hit {
			continue
		}
		k := d.block(j.base)
		for i := range j.faces {
			f := &j.faces[i]
			if f.taken == 0 || d.walled(f) {
				continue
			}
			area := f.taken * d.area(&k, int(f.axis), [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])})
			high, arm := cp.along(f.x), r3.Sub(f.x, j.at.Centre)
			cp.eachSide(k, f, func(_ block, cell int32, part float64) {
				if e := v.of[cell]; e >= 0 {
					v.list[e].add(wrenchOf(int(f.axis), part*area, arm), high)
				}
			})
		}
		for i := range j.cells {
			c := &j.cells[i]
			e := v.of[c.cell]
			if e < 0 {
				continue
			}
			volume, arm := min(c.solid*k.h*k.h*k.h, float64(d.static.volume[c.cell])), r3.Sub(c.x, j.at.Centre)
			for a, up := range d.Up {
				for i, x := range wrenchOf(a, up*volume, arm) {
					v.list[e].head[i] -= x
				}
			}
		}
	}
}

func (m *film) add(push [6]float64, high float64) {
	for i, x := range push {
		m.push[i] += x
		m.head[i] += float64(high * x)
	}
}

// settle finds the normal and the height of a film. One that is none has no area: where a body goes on beyond a side of the domain, no surface of it is
// at that side.
func (m *film) settle(beyond *[6]float64) {
	copy(m.normal[:], m.push[:3])
	n := &m.normal
	m.area = math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	none := m.area < leastFilm*m.h*m.h
	for side, by := range beyond {
		from := float64(1-2*(side&1)) * n[side/2] // it points away from the side
		none = none || by > m.h/2 && from > m.area/2
	}
	if none {
		m.area = 0
		return
	}
	m.high = (float64(n[0]*m.head[0]) + float64(n[1]*m.head[1]) + float64(n[2]*m.head[2])) / (m.area * m.area)
}

// acrossFilm is how much a film's area vector points along an axis at least, as a cosine, for the gap not to lead that way: one aslant leads
// along the stairs that its cells are.
const acrossFilm = .87

// beside is what a film has on a side: another film, or a cell at the rim with room for liquid; -1 for what is not there.
func (cp *coupling) beside(s *scratch, m *film, side int) (other, rim int32) {
	d := cp.d
	if math.Abs(m.normal[side/2]) > acrossFilm*m.area {
		return -1, -1
	}
	k, at := d.block(m.b), [3]int{int(m.at[0]), int(m.at[1]), int(m.at[2])}
	cell, _ := d.next(&k, side, at)
	if cell < 0 {
		return -1, -1
	}
	if e := s.films.of[cell]; e >= 0 && s.films.list[e].area > 0 {
		return e, -1
	}
	if cp.hasRoom(cell, k.h) {
		return -1, cell
	}
	return -1, cp.besideAcross(m, &k, at, side)
}

// besideAcross is the cell at the rim with room on a side, one cell off: a gap between two cells has its film in one of them, and past the rim
// the other may have the room.
func (cp *coupling) besideAcross(m *film, k *block, at [3]int, side int) int32 {
	d, a := cp.d, 0
	for b := range 3 {
		if math.Abs(m.normal[b]) > math.Abs(m.normal[a]) {
			a = b
		}
	}
	if a == side/2 {
		return -1
	}
	for up := range 2 {
		of, to := *k, at
		if to[a] += 2*up - 1; to[a] < 0 || to[a] >= k.n {
			nb := d.g.Neighbour[k.b][2*a+up]
			if !d.sameLevel(k, nb) {
				continue
			}
			of, to[a] = d.block(nb), (to[a]+k.n)%k.n
		}
		if cell, _ := d.next(&of, side, to); cell >= 0 && cp.hasRoom(cell, k.h) {
			return cell
		}
	}
	return -1
}

// hasRoom tells whether solids leave a cell room for liquid.
func (cp *coupling) hasRoom(cell int32, h float64) bool {
	return cp.d.Row[cell] >= 0 || float64(cp.d.Volume[cell]) > slit*h*h*h
}

// orderFilms finds the ways from the films to the rim, and tells whether there is liquid.
func (cp *coupling) orderFilms(s *scratch) (wet bool) {
	v := &s.films
	v.order, v.rims, v.ways = v.order[:0], v.rims[:0], v.ways[:0]
	for i := range v.list {
		v.list[i].settle(&v.beyond)
	}
	for i := range v.list {
		m := &v.list[i]
		for side := 0; m.area > 0 && side < 6; side++ {
			if _, cell := cp.beside(s, m, side); cell >= 0 {
				v.rims = append(v.rims, filmWay{int32(i), cell})
				m.ways++
				if cp.d.Row[cell] >= 0 {
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
	for i := 0; wet && i < len(v.order); i++ { // the list grows
		m := &v.list[v.order[i]]
		m.wet /= float64(m.ways)
		for side := range 6 {
			e, _ := cp.beside(s, m, side)
			if e < 0 {
				continue
			}
			other := &v.list[e]
			if other.step == 0 {
				other.step = m.step + 1
				v.order = append(v.order, e)
			}
			if other.step == m.step+1 {
				v.ways = append(v.ways, filmWay{e, v.order[i]})
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
		if r := d.Row[rim.to]; r >= 0 {
			p := cp.rowPatch(s, w, rim.to)
			for i, x := range m.push {
				p.film[i] += float64(share * x)
			}
			c := &d.gr.Centre[r]
			high = cp.along(r3.Vec{X: c[0], Y: c[1], Z: c[2]})
		}
		for i, x := range m.push {
			rests[i] += float64(high * share * x)
		}
	}
	return rests
}
