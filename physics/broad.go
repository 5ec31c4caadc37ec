package physics

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// sweepEntry is the extent of a shape along the axis of the sweep.
type sweepEntry struct {
	lo, hi float64
	shape  int32
}

// broadPhase finds the pairs of parts that may touch within dt seconds: shapes sorted along
// the axis on which they are spread most, swept once. The order stays nearly sorted from
// step to step, for which insertion is the fastest sort.
func (w *World) broadPhase(dt float64) {
	w.fatten(dt)
	axis := w.spreadAxis()
	for i := range w.sweep {
		e := &w.sweep[i]
		box := &w.shapes[e.shape].fat
		e.lo, e.hi = component(box.Min, axis), component(box.Max, axis)
	}
	if axis == w.sweepAxis {
		insertionSort(w.sweep)
	} else {
		slices.SortFunc(w.sweep, compareEntries)
		w.sweepAxis = axis
	}
	w.keys = w.keys[:0]
	for i, e := range w.sweep {
		for _, f := range w.sweep[i+1:] {
			if f.lo > e.hi {
				break
			}
			w.addPair(e.shape, f.shape)
		}
	}
	slices.Sort(w.keys)
	w.updatePairs()
}

// fatten updates what shapes may touch: their bounds, half the speculative distance and what
// they move within the step. The other half is the partner's.
func (w *World) fatten(dt float64) {
	for _, s := range w.order {
		b := &w.bodies[s]
		d := speculation / 2
		if b.moving() {
			d += dt * r3.Norm(b.v)
		}
		for _, sh := range b.shapes {
			w.shapes[sh].fat = grow(w.shapes[sh].bounds, d)
		}
	}
}

// spreadAxis is the axis along which the centres of dynamic bodies vary most; the present
// one unless another beats it clearly.
func (w *World) spreadAxis() int {
	var sum, sq r3.Vec
	n := 0.0
	for _, s := range w.order {
		if b := &w.bodies[s]; b.kind == Dynamic {
			sum = r3.Add(sum, b.x)
			sq = r3.Add(sq, r3.Vec{X: b.x.X * b.x.X, Y: b.x.Y * b.x.Y, Z: b.x.Z * b.x.Z})
			n++
		}
	}
	best, most := w.sweepAxis, 0.0
	for k := range 3 {
		v := component(sq, k) - component(sum, k)*component(sum, k)/max(n, 1)
		if k == w.sweepAxis {
			v *= 1.5
		}
		if v > most {
			best, most = k, v
		}
	}
	return best
}

func compareEntries(a, b sweepEntry) int {
	return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.shape, b.shape))
}

func insertionSort(s []sweepEntry) {
	for i := 1; i < len(s); i++ {
		e, j := s[i], i
		for ; j > 0 && compareEntries(e, s[j-1]) < 0; j-- {
			s[j] = s[j-1]
		}
		s[j] = e
	}
}

// addPair adds the keys of the parts of two shapes that may touch. Pairs of sleepers are
// kept too: they hold the impulses with which the sleepers wake.
func (w *World) addPair(i, j int32) {
	if i > j {
		i, j = j, i
	}
	a, b := &w.shapes[i], &w.shapes[j]
	if !overlap(&a.fat, &b.fat) || !w.mayMeet(a, b) {
		return
	}
	if len(a.parts) == 1 && len(b.parts) == 1 {
		w.keys = append(w.keys, pairKey(i, j, 0, 0))
		return
	}
	for k := range a.parts {
		box := a.partBounds(k)
		if !overlap(&box, &b.fat) {
			continue
		}
		for l := range b.parts {
			if other := b.partBounds(l); overlap(&box, &other) {
				w.keys = append(w.keys, pairKey(i, j, k, l))
			}
		}
	}
}

// partBounds is the fat hull of part k.
func (s *shape) partBounds(k int) r3.Box {
	if len(s.parts) == 1 {
		return s.fat
	}
	p := &s.parts[k] // of an open box
	box := turnedBox(r3.Add(s.pos, mulVec(&s.rot, p.offset)), &s.rot, p.half)
	return grow(box, s.fat.Max.X-s.bounds.Max.X)
}
