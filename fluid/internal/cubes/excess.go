package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// excess is by how much more of cells is liquid than φ tells at their centres, as the tracker that blocks follow knows when φ is taken from it. What
// φ changes by afterwards in a step, as the volume's controller has it, changes the cells' liquid by as much as it would without.
type excess struct {
	of, kept         []float32 // per cell; kept: as it was settled
	heavy, heavyKept []uint8   // per base cell: 1 where some is not 0
	own, area        []float32 // per cell: its liquid part when φ was taken, and the area of the surface in it, in squares of its edge,
	uncut            []float32 // per cell: scratch of keepOwn
	thin             []bool    // per base cell: where some cell has an area that counts
	hollow           []bool    // per base cell: some cell whose centre is in liquid holds air
	scratch          []excessScratch
}

// excessScratch is the liquid parts of a block's cells: by φ, and as the tracker knows. There is one per worker.
type excessScratch struct {
	byPhi, own [layout.Edge * layout.Edge * layout.Edge]float32
}

// mostExcess is of a cell that is full though φ tells of none. A cell is thin whose excess is more than thinExcess: it answers to a change of φ by the
// area that it has, of which φ says too little.
const mostExcess, thinExcess = 1, .05

func (x *excess) init(m *Blocks) {
	n := m.Grid.Bases()
	x.heavy, x.heavyKept, x.scratch = make([]uint8, n), make([]uint8, n), make([]excessScratch, m.Pool.Workers())
	x.thin, x.hollow = make([]bool, n), make([]bool, n)
	m.Grid.OnGrow(func(n int) {
		x.of, x.kept = arrays.Lengthen(x.of, n), arrays.Lengthen(x.kept, n)
		x.own, x.area, x.uncut = arrays.Lengthen(x.own, n), arrays.Lengthen(x.area, n), arrays.Lengthen(x.uncut, n)
	})
}

// measureExcess measures it in the blocks whose φ was just taken.
func (f *Followed) measureExcess() {
	if f.weighs() {
		if f.can.MeasureFractions != nil {
			f.can.MeasureFractions()
		}
		clear(f.excess.heavy)
		clear(f.excess.thin)
		clear(f.excess.hollow)
		f.thin.clear()
		par.Each(f.m.Pool, len(f.copied.all), 2, f, (*Followed).measureExcessOf)
	}
	if f.hasLoose() {
		f.closeVoids()
	}
}

// closeVoids makes liquid of the voids.
func (f *Followed) closeVoids() {
	m, x := f.m, &f.excess
	par.Each(m.Pool, len(f.copied.all), 2, f, (*Followed).findVoids)
	for b, hollow := range x.hollow {
		if !hollow {
			continue
		}
		first, h := m.Grid.Cur.First[b], m.Grid.CellSize(m.Grid.Cur.Level[b])
		f.eachVoid(int32(b), func(k int) {
			m.Set.Phi[int(first)+k], x.of[int(first)+k] = float32(-h/2), 0
		})
	}
}

// findVoids finds whether a block has voids.
func (f *Followed) findVoids(_ int, i int32) {
	b := f.copied.all[i]
	found := false
	if f.excess.hollow[b] {
		f.eachVoid(b, func(int) { found = true })
	}
	f.excess.hollow[b] = found
}

// eachVoid visits the cells of a block that hold air though all centres in and around them are in liquid: no row knows of it, so that it would never
// close. They become liquid, as voids of a whole cell do.
func (f *Followed) eachVoid(b int32, visit func(k int)) {
	m := f.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	n, h, lo := 1<<level, m.Grid.CellSize(level), m.Grid.Corner(b)
	for k, phi := range m.Set.Phi[first:][:1<<(3*level)] {
		// No surface further away than a cell's corner makes it hollow.
		if phi >= 0 || phi < float32(-.87*h) || f.excess.own[int(first)+k] >= 1-thinExcess {
			continue
		}
		at := [3]float64{float64(k&(n-1)) + .5, float64(k>>level&(n-1)) + .5, float64(k>>(2*level)) + .5}
		for a := range at {
			at[a] = lo[a] + float64(at[a]*h)
		}
		if f.inLiquid(at, h) {
			visit(k)
		}
	}
}

// inLiquid tells whether the centres of all cells around one at a place, of edge h, are in liquid.
func (f *Followed) inLiquid(at [3]float64, h float64) bool {
	m := f.m
	for _, step := range &outwards {
		x := at
		for a, d := range step {
			x[a] += float64(d * h)
		}
		if m.Set.Phi[m.Grid.CellAt(x)] >= 0 {
			return false
		}
	}
	return true
}

// outwards are the steps to the cells around one, the closest first.
var outwards = func() (all [26][3]float64) {
	i := 0
	for far := 1; far <= 3; far++ {
		for k := range 27 {
			x, y, z := k%3-1, k/3%3-1, k/9-1
			if x*x+y*y+z*z == far {
				all[i] = [3]float64{float64(x), float64(y), float64(z)}
				i++
			}
		}
	}
	return all
}()

func (f *Followed) measureExcessOf(worker int, i int32) {
	m, x := f.m, &f.excess
	b := f.copied.all[i]
	n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
	byPhi, own, excess, phi := x.scratch[worker].byPhi[:n], x.scratch[worker].own[:n], x.of[first:][:n], m.Set.Phi[first:][:n]
	m.Set.Fraction(worker, b, byPhi)
	if f.hasThinRows() {
		around := f.thin.around[worker][:]
		f.can.Fractions(around, m.blockBox(b, 1))
		f.findThin(b, around, own)
	} else {
		f.can.Fractions(own, m.blockBox(b, 0))
		copy(x.own[first:], own)
	}
	for k := range excess {
		x.hollow[b] = x.hollow[b] || phi[k] < 0 && own[k] < 1-thinExcess
		if excess[k] = own[k] - byPhi[k]; excess[k] != 0 {
			x.heavy[b] = 1
			x.thin[b] = x.thin[b] || excess[k] > thinExcess || excess[k] < -thinExcess
		}
	}
	if x.thin[b] = x.thin[b] && f.hasThinRows(); x.thin[b] {
		h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		area := x.area[first:][:n]
		f.can.Areas(area, m.blockBox(b, 0))
		copy(x.own[first:], own)
		for k, e := range excess {
			if area[k] *= 1 / (h * h); e <= thinExcess && e >= -thinExcess {
				area[k] = 0
			}
		}
	}
}

// addExcess adds it to the liquid parts of a block's cells by φ, and tells whether there is any. Where the surface of a thin cell moves the cell's
// liquid is what it was and what the surface's area sweeps.
func (f *Followed) addExcess(dst []float32, b int32) bool {
	x, m := &f.excess, f.m
	if x.heavy[b] == 0 {
		return false
	}
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	for k, more := range x.of[first:][:len(dst)] {
		dst[k] = max(0, min(1, dst[k]+more))
	}
	if x.thin[b] {
		perEdge := 1 / float32(m.Grid.CellSize(level))
		phi, taken, own := m.Set.Phi[first:][:len(dst)], f.copied.taken[first:], x.own[first:]
		for k, area := range x.area[first:][:len(dst)] {
			if area > 0 {
				swept := (taken[k] - phi[k]) * perEdge
				dst[k] = max(0, min(1, own[k]+float32(swept*area)))
			}
		}
	}
	return true
}

// absorbed makes the excess that of the surface with what has changed of it since φ was taken.
func (f *Followed) absorbed() {
	m, x := f.m, &f.excess
	for b, thin := range x.thin {
		if !thin {
			continue
		}
		n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
		byPhi, now, excess := x.scratch[0].byPhi[:n], x.scratch[0].own[:n], x.of[first:][:n]
		m.Set.Fraction(0, int32(b), byPhi)
		copy(now, byPhi)
		f.addExcess(now, int32(b))
		for k := range excess {
			excess[k] = now[k] - byPhi[k]
		}
		x.thin[b] = false
	}
}

// settled makes the surface and what goes with it those that revert goes back to.
func (f *Followed) settled() {
	f.tracker.Settle()
	mustHold(f.Check)
	f.absorbed()
	f.excess.copy(f.m.Grid, f.excess.kept, f.excess.of)
	copy(f.excess.heavyKept, f.excess.heavy)
}

// revert takes back what was done to the surface since it was settled.
func (f *Followed) revert() {
	if f == nil {
		return
	}
	f.tracker.Revert()
	clear(f.excess.thin)
	copy(f.excess.heavy, f.excess.heavyKept)
	f.excess.copy(f.m.Grid, f.excess.of, f.excess.kept)
}

// copy copies what blocks have some of.
func (x *excess) copy(g *layout.Grid, to, from []float32) {
	for b, heavy := range x.heavy {
		if first := g.Cur.First[b]; heavy == 1 {
			copy(to[first:][:1<<(3*g.Cur.Level[b])], from[first:])
		}
	}
}

// code goes along the surface of blocks of some levels, and what goes with it.
func (f *Followed) code(c *codec.Codec, levels []uint8) {
	f.tracker.Code(c)
	c.Part("liquid parts")
	x := &f.excess
	heavy := x.heavy
	if c.Checking() {
		heavy = make([]uint8, len(heavy))
	}
	c.Draft(heavy, 0, 1)
	for b, some := range heavy {
		if some == 1 {
			c.Float32s(partOf(&f.m.State, c, x.of, b), 1<<(3*levels[b]), -mostExcess, mostExcess)
		}
	}
	if c.Reading() {
		clear(x.thin)
		f.settled()
	}
}

// most is more bytes than what code writes, but for a float32 per cell.
func (f *Followed) most() int { return f.tracker.Most() + len(f.excess.heavy) }
