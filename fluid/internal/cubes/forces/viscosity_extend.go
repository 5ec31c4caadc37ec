package forces

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// open is blocks.InGraph: a face with liquid on a side whose velocity is known.
const open = 1

// extendRounds is how far beyond the liquid Extend goes: to the faces that those at the surface are interpolated from.
const extendRounds = 2

// extension is what Extend works with.
type extension struct {
	known   [3][]uint8 // per face slot: open, also once a round has set it
	reached []bool
	most    float32 // by how much a velocity changes, m/s
	keep    Shares
	changes [][]change // per worker
}

// change is by how much the velocity of a face changes, m/s.
type change struct {
	slot int32
	axis uint8
	by   float32
}

func (v *Viscosity) initExtension() {
	e := &v.extension
	v.g.OnGrow(func(n int) {
		for a := range e.known {
			e.known[a] = arrays.Lengthen(e.known[a], n)
		}
	})
	e.changes = make([][]change, v.pool.Workers())
}

// Under tension the surface gains from what Extend adds, since that is not what the pressure moves. It keeps half of it where viscosity calms waves as short as cells at so
// many times their frequency: of what unsheared adds, from which such waves gain, and of what straight adds, from which whole drops do, however viscous these are.
const (
	calmUnsheared = .3
	calmStraight  = 30
)

// Shares are the parts that Extend keeps of what unsheared and straight add.
type Shares struct{ Unsheared, Straight float64 }

// SharesUnder are those under a tension, N/m, with edges of h, m: 1 without tension. nu: m²/s. Density is in kg/m³.
func SharesUnder(density, tension, nu, h float64) Shares {
	if tension == 0 {
		return Shares{1, 1}
	}
	waves := tension / (density * h * h * h) // 1/s²
	part := func(times float64) float64 {
		calm := nu / (times * h * h)
		return calm * calm / (float64(calm*calm) + waves)
	}
	return Shares{part(calmUnsheared), part(calmStraight)}
}

// Extend gives faces in the air beside the liquid's the velocity with which the surface is not sheared, ∂u_a/∂b + ∂u_b/∂a = 0, in place of
// the constant extrapolation: that would slow down rotating liquid at its surface, step by step.
//
// It differs from what the faces have by no more than ν/h, with edges of h: where a flow shears faster, the layer that viscosity has free of shear is thinner than a cell. So
// without viscosity nothing changes, and with next to none next to nothing.
//
// faces: velocity per face slot, m/s. state: per face slot, blocks.State; only faces with 0 are written. reached: the base cells
// in which faces have a velocity. nu: m²/s. keep: see SharesUnder.
func (v *Viscosity) Extend(faces *[3][]float32, state *[3][]uint8, reached []bool, nu float64, keep Shares) {
	e := &v.extension
	v.wall, e.reached, e.most, e.keep = faces, reached, float32(nu/v.g.H), keep
	for a := range e.known {
		copy(e.known[a], state[a])
	}
	for range extendRounds {
		par.Each(v.pool, v.g.Bases(), 8, v, (*Viscosity).listChanges)
		par.Each(v.pool, len(e.changes), 1, v, (*Viscosity).applyChanges)
	}
	v.wall, e.reached = nil, nil
}

// listChanges lists the changes of a block's faces.
func (v *Viscosity) listChanges(worker int, b int32) {
	e := &v.extension
	if !e.reached[b] {
		return
	}
	n, first := 1<<v.g.Cur.Level[b], int(v.g.Cur.First[b])
	for a := range 3 {
		known := e.known[a][first:][:n*n*n]
		if !slices.Contains(known, 0) {
			continue
		}
		for i, k := range known {
			if k != 0 {
				continue
			}
			at := [3]int{i % n, i / n % n, i / (n * n)}
			sum, count := float32(0), float32(0)
			for side := range 4 {
				if u, ok := v.unsheared(b, a, (a+1+side/2)%3, side%2, at, n); ok {
					sum, count = sum+u, count+1
				}
			}
			keep := e.keep.Unsheared
			if count == 0 {
				keep = e.keep.Straight
				for side := range 4 {
					if u, ok := v.straight(b, a, (a+1+side/2)%3, side%2, at, n); ok {
						sum, count = sum+u, count+1
					}
				}
			}
			if count > 0 {
				by := float32(float32(keep) * (sum/count - v.wall[a][first+i]))
				e.changes[worker] = append(e.changes[worker], change{int32(first + i), uint8(a), max(-e.most, min(e.most, by))})
			}
		}
	}
}

// applyChanges makes the changes that a worker has listed.
func (v *Viscosity) applyChanges(_ int, list int32) {
	e := &v.extension
	for _, c := range e.changes[list] {
		v.wall[c.axis][c.slot] += c.by
		e.known[c.axis][c.slot] = open
	}
	e.changes[list] = e.changes[list][:0]
}

// unsheared is the velocity of the face across axis a at a place of a block of n³ cells with which the line between it and the next on a
// side along axis p is not sheared, if the three others there are known. It differs from that next one's by no more than any is fast.
func (v *Viscosity) unsheared(b int32, a, p, side int, at [3]int, n int) (u float32, ok bool) {
	e := &v.extension
	to := at
	to[p] += 2*side - 1
	next := v.slotAt(b, to, n)
	if next < 0 || e.known[a][next] != open {
		return 0, false
	}
	at[p] += side
	high := v.slotAt(b, at, n)
	at[a]--
	low := v.slotAt(b, at, n)
	if high < 0 || low < 0 || e.known[p][high] != open || e.known[p][low] != open {
		return 0, false
	}
	u, h, l := v.wall[a][next], v.wall[p][high], v.wall[p][low]
	most := max(u, -u, h, -h, l, -l)
	d := max(-most, min(most, h-l))
	if side == 0 {
		d = -d
	}
	return u + d, true
}

// blockAt is the block of a place that is counted in the n³ cells of one around, and the place there.
func (v *Viscosity) blockAt(b int32, at [3]int, n int) (nb int32, in [3]int) {
	var o [3]int
	for a, x := range at {
		o[a] = beyondBlock(x, n)
		at[a] -= o[a] * n
	}
	return v.g.Around(b, o[0], o[1], o[2]), at
}

// slotAt is the cell at a place of a block of n³ cells that may be in one around, -1 if that has another level.
func (v *Viscosity) slotAt(b int32, at [3]int, n int) int {
	nb, at := v.blockAt(b, at, n)
	if nb == layout.None || v.g.Cur.Level[nb] != v.g.Cur.Level[b] {
		return -1
	}
	return v.g.Cur.Cell(nb, at[0], at[1], at[2])
}

// straight is the velocity of that face on the straight line through the next two on a side along axis p, if these are known. The line is
// no steeper than half of their speed from one to the next: what is torn has gradients that no flow goes on with.
func (v *Viscosity) straight(b int32, a, p, side int, at [3]int, n int) (u float32, ok bool) {
	e := &v.extension
	at[p] += 2*side - 1
	next := v.slotAt(b, at, n)
	if next < 0 || e.known[a][next] != open {
		return 0, false
	}
	nb, at := v.blockAt(b, at, n)
	at[p] += 2*side - 1
	far := v.slotAt(nb, at, n)
	if far < 0 || e.known[a][far] != open {
		return 0, false
	}
	u, w := v.wall[a][next], v.wall[a][far]
	most := max(u, -u, w, -w) / 2
	return u + max(-most, min(most, u-w)), true
}
