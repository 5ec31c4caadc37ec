package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// thinCells are cells whose centres are in air and that are rows all the same: they hold the thickest part of a sheet or a thread. Without them a sheet thinner
// than a cell would have gaps between its rows, where its liquid would have no weight.
type thinCells struct {
	part   []float32 // per cell: its liquid part if it is thin, else 0
	some   []bool    // per base cell: it has such a cell
	around [][(layout.Edge + 2) * (layout.Edge + 2) * (layout.Edge + 2)]float32
	filled []int32   // cells whose φ is that of a row now,
	phi    []float32 // and what it was, m
}

const (
	// leastThin is the least liquid part of a thin cell. The mesh tears sheets thinner than .08 of an edge.
	leastThin = .03
	// thinTie is how much more the two cells beside a thin one may hold together than it: in a sheet along the side between two layers both layers are thin.
	thinTie = 1.01
	// A cell beside one that holds more than bulk, and opposite one that holds less than bumpTie of its own liquid, is no thin cell: the surface of thick liquid
	// bulges into it, as at a drop's pole.
	bulk    = .5
	bumpTie = .5
)

func (t *thinCells) init(m *Cells) {
	n := m.Grid.Bases()
	t.some = make([]bool, n)
	t.around = make([][(layout.Edge + 2) * (layout.Edge + 2) * (layout.Edge + 2)]float32, m.Pool.Workers())
	m.Grid.OnGrow(func(n int) { t.part = arrays.Lengthen(t.part, n) })
}

// clear forgets the cells.
func (t *thinCells) clear() {
	clear(t.some)
	t.filled, t.phi = t.filled[:0], t.phi[:0]
}

// findThin copies the liquid parts of a block's cells out of those with a layer around it, and finds the thin ones.
func (x *residual) findThin(b int32, around, own []float32) {
	m, t := x.m, &x.cells
	n := 1 << m.Grid.Cur.Level[b]
	first, e := m.Grid.Cur.First[b], n+2
	phi, thin := m.Set.Phi[first:][:len(own)], t.part[first:][:len(own)]
	for c := range own {
		i, j, k := c%n, c/n%n, c/(n*n)
		at := i + 1 + e*(j+1+e*(k+1))
		part := around[at]
		own[c], thin[c] = part, 0
		if part < leastThin || phi[c] < 0 || m.Solids.Volume[first+int32(c)] <= 0 {
			continue
		}
		for a, step := range [3]int{1, e, e * e} {
			low, high := around[at-step], around[at+step]
			if max(low, high) > bulk && min(low, high) < bumpTie*part {
				thin[c] = 0
				break
			}
			if thin[c] > 0 || low > thinTie*part && high > thinTie*part {
				continue
			}
			if x.shutBeside(b, n, [3]int{i, j, k}, a, -1) {
				low = part
			}
			if x.shutBeside(b, n, [3]int{i, j, k}, a, 1) {
				high = part
			}
			if low+high <= thinTie*part {
				thin[c] = part
			}
		}
		t.some[b] = t.some[b] || thin[c] > 0
	}
}

// shutBeside tells whether the cell beside one of a block is filled by solids or beyond the grid. The liquid in it is only extrapolated.
func (x *residual) shutBeside(b int32, n int, at [3]int, axis, step int) bool {
	m := x.m
	h, centre := m.Grid.CellSize(m.Grid.Cur.Level[b]), m.Grid.Corner(b)
	at[axis] += step
	if at[axis] >= 0 && at[axis] < n {
		return m.Solids.Volume[m.Grid.Cur.First[b]+int32(at[0]+n*(at[1]+n*at[2]))] <= 0
	}
	if m.Grid.Neighbour[b][2*axis+(step+1)/2] == layout.None {
		return true
	}
	for a := range centre {
		centre[a] += float64((float64(at[a]) + .5) * h)
	}
	return m.Solids.Volume[m.Grid.CellAt(centre)] <= 0
}

// fillThin makes the φ of thin cells negative, so that the graph has rows for them: as if the middle of the sheet were at their centres.
func (x *residual) fillThin() {
	if !x.exact {
		return
	}
	m, t := x.m, &x.cells
	x.emptyThin()
	for b, some := range t.some {
		if !some {
			continue
		}
		level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
		h := float32(m.Grid.CellSize(level))
		for c := first; c < first+1<<(3*level); c++ {
			// What was changed since the parts were measured is left to what has changed it.
			if was := m.Set.Phi[c]; t.part[c] > 0 && was >= 0 && was == x.field.sampled[c] {
				t.filled, t.phi = append(t.filled, c), append(t.phi, was)
				m.Set.Phi[c] = -h / 2 * t.part[c]
			}
		}
	}
}

// emptyThin restores the distance in thin cells once nothing needs their rows.
func (x *residual) emptyThin() {
	t := &x.cells
	for i, c := range t.filled {
		x.m.Set.Phi[c] = t.phi[i]
	}
	t.filled, t.phi = t.filled[:0], t.phi[:0]
}
