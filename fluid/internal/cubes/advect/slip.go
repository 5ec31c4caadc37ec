package advect

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Liquid slips along solids. The faces that a wall across an axis shuts have its velocity, which says all that there is to say. Those that a curved or a
// slanting wall shuts form steps: with the wall's velocity they would hold back what is interpolated beside them. They get the velocity with which the
// liquid would go on there, less what of it leads into the wall. Faces further in the wall, and those that it leaves open by less than half, get the former alone.

// Slip extends the velocity into curved and slanting static walls.
type Slip struct {
	g      *layout.Grid
	pool   *par.Pool
	solids *Solids
	faces  *Faces
	state  *[3][]uint8
	work   []slipWork // per worker
}

// Solids is what Slip asks about solids. Those that may move are no part of it: faces that they shut keep their velocity.
type Solids struct {
	Open   *[3][]float64 // per face slot: the part of the face that is not solid
	Volume *[]float32    // per cell: what of it is not solid, m³
	Row    *[]int32      // per cell: not negative in the liquid
	// In tells whether solids come into a block or beside it.
	In func(b int32) bool
}

// slipWork is what one worker works with.
type slipWork struct {
	shut    []stepFace
	changes []change
	changed []change // in the rounds so far
}

// stepFace is a face that a curved or slanting wall shuts.
type stepFace struct {
	p      spot // the cell of the liquid that it is a side of
	slot   int32
	axis   uint8
	normal [3]float64 // into the wall
	u      float32    // what the face gets, m/s
}

// spot is a cell of a block of n³, or of one around it.
type spot struct {
	b  int32
	n  int
	at [3]int
}

// next is the cell next to it along an axis.
func (p spot) next(axis, step int) spot {
	p.at[axis] += step
	return p
}

const (
	// extended is the state of a face that a round has set, until End.
	extended uint8 = 3
	// slipRounds is how many layers of faces a place in the liquid is interpolated from that are not known.
	slipRounds = 2
	// sharpest, in cells, is the radius of the narrowest bend that the grid holds: within it flow turns by no more from face to face.
	sharpest = 4
	// alike is the cosine of the greatest angle between a wall's normals in cells beside each other.
	alike = .7
	// flat is the cosine of the angle to an axis up to which a wall counts as across it: where box's sides lie on those of cells, faces are a few per cent off.
	flat = .995
	// box is the relative error with which cut volumes and faces tell a box.
	box = .01
	// rounded is more than the relative error with which they are rounded.
	rounded = 1e-6
)

// NewSlip makes one for a grid.
func NewSlip(g *layout.Grid, pool *par.Pool, solids *Solids) *Slip {
	return &Slip{g: g, pool: pool, solids: solids, work: make([]slipWork, pool.Workers())}
}

// Begin lists the faces that curved and slanting walls shut, and makes their state 0, so that Extrapolate fills them.
func (s *Slip) Begin(faces *Faces, state *[3][]uint8) {
	s.faces, s.state = faces, state
	for i := range s.work {
		w := &s.work[i]
		w.shut, w.changed = w.shut[:0], w.changed[:0]
	}
	par.Each(s.pool, s.g.Bases(), 4, s, (*Slip).listShut)
}

// End corrects what Extrapolate has made of the faces in curved and slanting walls, and makes their state what it was.
func (s *Slip) End() {
	for range slipRounds {
		par.Each(s.pool, s.g.Bases(), 4, s, (*Slip).extend)
		par.Each(s.pool, len(s.work), 1, s, (*Slip).apply)
	}
	par.Each(s.pool, len(s.work), 1, s, (*Slip).project)
	par.Each(s.pool, len(s.work), 1, s, (*Slip).forget)
	par.Each(s.pool, len(s.work), 1, s, (*Slip).shutAgain)
	s.faces, s.state = nil, nil
}

func (s *Slip) listShut(worker int, b int32) {
	if !s.solids.In(b) {
		return
	}
	w := &s.work[worker]
	first, cells := s.g.Cur.First[b], 1<<(3*s.g.Cur.Level[b])
	for a := range 3 {
		for i, state := range s.state[a][first:][:cells] {
			if state == shut && s.solids.Open[a][int(first)+i] == 0 {
				s.list(w, a, s.spot(b, i))
			}
		}
	}
}

// list lists the face on a cell's low side along an axis, which a wall shuts, if that slants.
func (s *Slip) list(w *slipWork, a int, p spot) {
	slot, low, row := s.cell(p), s.cell(p.next(a, -1)), *s.solids.Row
	if low < 0 || row[low] >= 0 == (row[slot] >= 0) {
		return // another size, asleep, or a thin wall between liquid and liquid
	}
	if row[low] >= 0 {
		p = p.next(a, -1)
	}
	if normal, ok := s.slanting(p); ok {
		w.shut = append(w.shut, stepFace{p, int32(slot), uint8(a), normal, 0})
		s.state[a][slot] = 0
	}
}

// slanting tells whether a wall in a cell is curved or slants, and the unit vector into it. There are cells with such a normal at the edges of boxes, too: it must go on
// across the axis that it is least along.
func (s *Slip) slanting(p spot) (normal [3]float64, ok bool) {
	normal, ok = s.normal(p)
	if !ok {
		return normal, false
	}
	along := 0
	for a := range normal {
		if math.Abs(normal[a]) < math.Abs(normal[along]) {
			along = a
		}
	}
	for i := range 9 {
		q := p.next((along+1)%3, i%3-1).next((along+2)%3, i/3-1)
		if i == 4 {
			continue
		}
		if n, ok := s.normal(q); ok && float64(n[0]*normal[0])+float64(n[1]*normal[1])+float64(n[2]*normal[2]) > alike {
			return normal, true
		}
	}
	return normal, false
}

// normal is the unit vector into a wall in a cell, if neither what it leaves nor what it takes is a box.
func (s *Slip) normal(p spot) (normal [3]float64, ok bool) {
	c := s.cell(p)
	if c < 0 {
		return normal, false
	}
	h := s.g.CellSize(s.g.Cur.Level[p.b])
	free := min(1, float64((*s.solids.Volume)[c])/(h*h*h))
	solid, freeBox, solidBox, sum := 1-free, 1., 1., 0.
	for a := range 3 {
		up := s.cell(p.next(a, 1))
		if up < 0 {
			return normal, false
		}
		lo, hi := s.solids.Open[a][c], s.solids.Open[a][up]
		if min(lo, hi) > 0 || free < (1-box)*max(lo, hi) {
			normal[a] = lo - hi
		} // else a side of the domain, or a flat one that lies on the cell's, shuts the face
		freeBox, solidBox = freeBox*max(lo, hi), solidBox*(1-min(lo, hi))
		sum += float64(normal[a] * normal[a])
	}
	switch {
	case sum == 0:
		return normal, false
	case free > 0 && isBox(free, freeBox, solid), free > 0 && isBox(solid, solidBox, free):
		return normal, false
	}
	by := 1 / math.Sqrt(sum)
	for a := range normal {
		normal[a] *= by
		if math.Abs(normal[a]) > flat {
			return normal, false
		}
	}
	return normal, true
}

// isBox tells whether a part of a cell is a box, by the square of its volume and the product of its greatest sections: of one that leaves next to nothing to the rest
// they differ by little, but by more than volumes are rounded.
func isBox(part, sections, rest float64) bool {
	off := max(rounded, box*min(1, 10*rest))
	return sections > 0 && part*part >= float64(sections*(1-float64(off)))
}

// extend lists the changes of a block's faces.
func (s *Slip) extend(worker int, b int32) {
	if !s.solids.In(b) {
		return
	}
	w := &s.work[worker]
	first, cells := int(s.g.Cur.First[b]), 1<<(3*s.g.Cur.Level[b])
	for a := range 3 {
		open := s.solids.Open[a][first:][:cells]
		for i, state := range s.state[a][first:][:cells] {
			if state != 0 || open[i] >= halfOpen {
				continue
			}
			if u, ok := s.goOn(a, s.spot(b, i)); ok {
				w.changes = append(w.changes, change{int32(first + i), uint8(a), u})
			}
		}
	}
}

// halfOpen is the open fraction from which a face's velocity counts.
const halfOpen = .5

// goOn is the velocity of the face on a cell's low side along an axis as the faces around tell it: the mean of those which know how the liquid turns, else
// of the others. They tell nothing unless a wall is between that slants.
func (s *Slip) goOn(a int, p spot) (u float32, ok bool) {
	var sum, count [2]float32
	slants, asked := false, false
	for side := range 6 {
		axis, step := side/2, side%2*2-1
		to := p.next(axis, step)
		next := s.known(a, to)
		if next < 0 {
			continue
		}
		if !asked {
			slants, asked = s.slantingBeside(a, p), true
		}
		if !slants && s.state[a][next] == liquid && !s.slantingBeside(a, to) {
			continue
		}
		u, turns := s.faces[a][next], 1
		if axis != a {
			var by float32
			by, turns = s.turn(a, axis, step, p)
			u += by
		}
		sum[turns], count[turns] = sum[turns]+u, count[turns]+1
	}
	for k := 1; k >= 0; k-- {
		if count[k] > 0 {
			return sum[k] / count[k], true
		}
	}
	return 0, false
}

// turn is by how much the velocity of that face differs from that of the next one along another axis, a step up or down, since the liquid turns: as around the
// line on the other side of the next, half by the shear that would keep the liquid there from being strained and half by that which there is. Along the
// face's own axis it does not differ. known is 1 if it can be told, else 0.
func (s *Slip) turn(a, axis, step int, p spot) (by float32, known int) {
	to, line := p.next(axis, step), p.next(axis, max(2*step, -1))
	next, far := s.cell(to), s.known(a, to.next(axis, step))
	high, low := s.known(axis, line), s.known(axis, line.next(a, -1))
	if far < 0 || high < 0 || low < 0 {
		return 0, 0
	}
	u, v, h, l := s.faces[a][next], s.faces[a][far], s.faces[axis][high], s.faces[axis][low]
	most := max(abs(u), abs(v), abs(h), abs(l)) / sharpest
	return max(-most, min(most, .5*(u-v+float32(float32(step)*(h-l))))), 1
}

// slantingBeside tells whether a wall that is no box is in a cell or in that below it along an axis.
func (s *Slip) slantingBeside(axis int, p spot) bool {
	_, ok := s.slanting(p)
	if !ok {
		_, ok = s.slanting(p.next(axis, -1))
	}
	return ok
}

// known is the slot of the face on a cell's low side along an axis, -1 if its velocity is not known.
func (s *Slip) known(axis int, p spot) int {
	c := s.cell(p)
	if c >= 0 && s.state[axis][c] != liquid && s.state[axis][c] != extended {
		return -1
	}
	return c
}

// apply makes the changes that a worker has listed.
func (s *Slip) apply(_ int, worker int32) {
	w := &s.work[worker]
	for _, c := range w.changes {
		s.faces[c.axis][c.slot], s.state[c.axis][c.slot] = c.u, extended
	}
	w.changes, w.changed = w.changes[:0], append(w.changed, w.changes...)
}

// project finds what faces that are shut get: what they have, less what of it leads into the wall.
func (s *Slip) project(_ int, worker int32) {
	for i := range s.work[worker].shut {
		f := &s.work[worker].shut[i]
		into := 0.
		for a := range 3 {
			u := s.faces[a][f.slot]
			if a != int(f.axis) {
				u = s.middle(a, f.p)
			}
			into += float64(f.normal[a] * float64(u))
		}
		f.u = s.faces[f.axis][f.slot] - float32(f.normal[f.axis]*into)
	}
}

// middle is the mean of the velocities on a cell's two sides along an axis.
func (s *Slip) middle(axis int, p spot) float32 {
	low := s.faces[axis][s.cell(p)]
	if up := s.cell(p.next(axis, 1)); up >= 0 {
		return .5 * (low + s.faces[axis][up])
	}
	return low
}

// forget makes the states of the faces that the rounds have set what they were before these, shutAgain that of those that are shut.
func (s *Slip) forget(_ int, worker int32) {
	for _, c := range s.work[worker].changed {
		s.state[c.axis][c.slot] = 0
	}
}

func (s *Slip) shutAgain(_ int, worker int32) {
	for i := range s.work[worker].shut {
		f := &s.work[worker].shut[i]
		s.faces[f.axis][f.slot], s.state[f.axis][f.slot] = f.u, shut
	}
}

// spot is a cell of a block, counted from its first.
func (s *Slip) spot(b int32, i int) spot {
	bits := s.g.Cur.Level[b]
	n := 1 << bits
	return spot{b, n, [3]int{i & (n - 1), i >> bits & (n - 1), i >> (2 * bits)}}
}

// cell is where a spot's cell is stored, -1 if it is in a block of another level or beyond the grid.
func (s *Slip) cell(p spot) int {
	var to [3]int
	for a, x := range p.at {
		switch {
		case x < 0:
			to[a] = -1
		case x >= p.n:
			to[a] = 1
		}
		p.at[a] -= to[a] * p.n
	}
	b := p.b
	if to != [3]int{} {
		b = s.g.Around(b, to[0], to[1], to[2])
		if b == layout.None || s.g.Cur.Level[b] != s.g.Cur.Level[p.b] {
			return -1
		}
	}
	return s.g.Cur.Cell(b, p.at[0], p.at[1], p.at[2])
}
