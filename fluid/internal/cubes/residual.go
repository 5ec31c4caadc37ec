package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// residual is the part of each cell that is liquid by the tracker's fractions, less the part by φ, measured when φ is sampled. When φ changes afterwards in a
// step, as by the volume's controller, the residual stays, so that the cells' liquid changes as much as the part by φ.
type residual struct {
	m     *Cells
	can   *track.Abilities
	field *sampledField
	cells thinCells
	// What the tracker can do: weighs: tell the liquid part of cells; exact: tell it exactly, so that cells with thin liquid are rows; cuts: cut at open sides.
	weighs, exact, cuts bool

	of, kept       []float32 // per cell; kept: as it was settled
	some, someKept []uint8   // per base cell: 1 where some is not 0
	own, area      []float32 // per cell: its liquid part when φ was sampled, and the area of the surface in it, in squares of its edge,
	uncut          []float32 // per cell: scratch of keepParts
	thin           []bool    // per base cell: where some cell has an area that counts
	cavity         []bool    // per base cell: some cell whose centre is in liquid holds air
	scratch        []residualScratch
}

// residualScratch is the liquid parts of a block's cells: by φ and by the tracker. There is one per worker.
type residualScratch struct {
	byPhi, own [layout.Edge * layout.Edge * layout.Edge]float32
}

// mostResidual is that of a full cell in which φ has no liquid. In a cell whose residual exceeds thinResidual φ has too little of the surface's area, so that a
// change of φ counts by the area that the tracker tells.
const mostResidual, thinResidual = 1, .05

func (x *residual) init(m *Cells, can *track.Abilities, field *sampledField) {
	x.m, x.can, x.field = m, can, field
	x.weighs, x.exact, x.cuts = can.Fractions != nil, can.Areas != nil, can.CutAtSides != nil
	x.cells.init(m)
	n := m.Grid.Bases()
	x.some, x.someKept, x.scratch = make([]uint8, n), make([]uint8, n), make([]residualScratch, m.Pool.Workers())
	x.thin, x.cavity = make([]bool, n), make([]bool, n)
	m.Grid.OnGrow(func(n int) {
		x.of, x.kept = arrays.Lengthen(x.of, n), arrays.Lengthen(x.kept, n)
		x.own, x.area, x.uncut = arrays.Lengthen(x.own, n), arrays.Lengthen(x.area, n), arrays.Lengthen(x.uncut, n)
	})
}

// measure measures the residual in the blocks whose φ was just sampled.
func (x *residual) measure() {
	if x.can.MeasureFractions != nil {
		x.can.MeasureFractions()
	}
	clear(x.some)
	clear(x.thin)
	clear(x.cavity)
	x.cells.clear()
	par.Each(x.m.Pool, len(x.field.all), 2, x, (*residual).measureBlock)
	if !x.exact {
		x.closeCavities()
	}
}

// measureAgain measures the residual of an exact tracker anew in the blocks whose φ was just sampled again.
func (x *residual) measureAgain() {
	x.can.MeasureFractions()
	for i, b := range x.field.all {
		x.some[b], x.thin[b], x.cavity[b], x.cells.some[b] = 0, false, false, false
		x.measureBlock(0, int32(i))
	}
}

// closeCavities makes liquid of the cavities.
func (x *residual) closeCavities() {
	m := x.m
	par.Each(m.Pool, len(x.field.all), 2, x, (*residual).findCavities)
	for b, cavity := range x.cavity {
		if !cavity {
			continue
		}
		first, h := m.Grid.Cur.First[b], m.Grid.CellSize(m.Grid.Cur.Level[b])
		x.eachCavity(int32(b), func(k int) {
			m.Set.Phi[int(first)+k], x.of[int(first)+k] = float32(-h/2), 0
		})
	}
}

// findCavities finds whether a block has cavities.
func (x *residual) findCavities(_ int, i int32) {
	b := x.field.all[i]
	found := false
	if x.cavity[b] {
		x.eachCavity(b, func(int) { found = true })
	}
	x.cavity[b] = found
}

// eachCavity visits the cells of a block that hold air though all centres in and around them are in liquid. No row would close such a cavity.
func (x *residual) eachCavity(b int32, visit func(k int)) {
	m := x.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	n, h, lo := 1<<level, m.Grid.CellSize(level), m.Grid.Corner(b)
	for k, phi := range m.Set.Phi[first:][:1<<(3*level)] {
		// No surface further away than a cell's corner makes it a cavity.
		if phi >= 0 || phi < float32(-.87*h) || x.own[int(first)+k] >= 1-thinResidual {
			continue
		}
		at := [3]float64{float64(k&(n-1)) + .5, float64(k>>level&(n-1)) + .5, float64(k>>(2*level)) + .5}
		for a := range at {
			at[a] = lo[a] + float64(at[a]*h)
		}
		if x.inLiquid(at, h) {
			visit(k)
		}
	}
}

// inLiquid tells whether the centres of all cells around one at a place, of edge h, are in liquid.
func (x *residual) inLiquid(at [3]float64, h float64) bool {
	m := x.m
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

func (x *residual) measureBlock(worker int, i int32) {
	m := x.m
	b := x.field.all[i]
	n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
	byPhi, own, residual, phi := x.scratch[worker].byPhi[:n], x.scratch[worker].own[:n], x.of[first:][:n], m.Set.Phi[first:][:n]
	m.Set.Fraction(worker, b, byPhi)
	if x.exact {
		around := x.cells.around[worker][:]
		x.can.Fractions(around, m.blockBox(b, 1))
		x.findThin(b, around, own)
	} else {
		x.can.Fractions(own, m.blockBox(b, 0))
		copy(x.own[first:], own)
	}
	for k := range residual {
		x.cavity[b] = x.cavity[b] || phi[k] < 0 && own[k] < 1-thinResidual
		if residual[k] = own[k] - byPhi[k]; residual[k] != 0 {
			x.some[b] = 1
			x.thin[b] = x.thin[b] || residual[k] > thinResidual || residual[k] < -thinResidual
		}
	}
	if x.thin[b] = x.thin[b] && x.exact; x.thin[b] {
		h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		area := x.area[first:][:n]
		x.can.Areas(area, m.blockBox(b, 0))
		copy(x.own[first:], own)
		for k, e := range residual {
			if area[k] *= 1 / (h * h); e <= thinResidual && e >= -thinResidual {
				area[k] = 0
			}
		}
	}
}

// add adds the residual to the liquid parts of a block's cells by φ, and tells whether there is any. In a thin cell the liquid is the part when φ was sampled
// plus what the surface's area has swept since.
func (x *residual) add(dst []float32, b int32) bool {
	m := x.m
	if x.some[b] == 0 {
		return false
	}
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	for k, more := range x.of[first:][:len(dst)] {
		dst[k] = max(0, min(1, dst[k]+more))
	}
	if x.thin[b] {
		perEdge := 1 / float32(m.Grid.CellSize(level))
		phi, sampled, own := m.Set.Phi[first:][:len(dst)], x.field.sampled[first:], x.own[first:]
		for k, area := range x.area[first:][:len(dst)] {
			if area > 0 {
				swept := (sampled[k] - phi[k]) * perEdge
				dst[k] = max(0, min(1, own[k]+float32(swept*area)))
			}
		}
	}
	return true
}

// follow adds to the residual of thin cells what has changed since φ was sampled.
func (x *residual) follow() {
	m := x.m
	for b, thin := range x.thin {
		if !thin {
			continue
		}
		n, first := 1<<(3*m.Grid.Cur.Level[b]), m.Grid.Cur.First[b]
		byPhi, now, residual := x.scratch[0].byPhi[:n], x.scratch[0].own[:n], x.of[first:][:n]
		m.Set.Fraction(0, int32(b), byPhi)
		copy(now, byPhi)
		x.add(now, int32(b))
		for k := range residual {
			residual[k] = now[k] - byPhi[k]
		}
		x.thin[b] = false
	}
}

// settle makes the residual at hand, of a surface that has been settled, the one that revert goes back to.
func (x *residual) settle() {
	x.follow()
	x.copy(x.kept, x.of)
	copy(x.someKept, x.some)
}

// revert makes the residual what it was when it was settled.
func (x *residual) revert() {
	clear(x.thin)
	copy(x.some, x.someKept)
	x.copy(x.of, x.kept)
}

// copy copies what blocks have some of.
func (x *residual) copy(to, from []float32) {
	g := x.m.Grid
	for b, some := range x.some {
		if first := g.Cur.First[b]; some == 1 {
			copy(to[first:][:1<<(3*g.Cur.Level[b])], from[first:])
		}
	}
}

// code encodes or decodes the residual on blocks of some levels.
func (x *residual) code(c *codec.Codec, levels []uint8) {
	c.Part("liquid parts")
	blocks := x.some
	if c.Checking() {
		blocks = make([]uint8, len(blocks))
	}
	c.Draft(blocks, 0, 1)
	for b, some := range blocks {
		if some == 1 {
			c.Float32s(partOf(c, x.m.Grid, x.of, levels, b), 1<<(3*levels[b]), -mostResidual, mostResidual)
		}
	}
	if c.Reading() {
		clear(x.thin)
	}
}
