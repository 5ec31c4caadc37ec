package forces

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// FoamTuning is what makes foam and how long it stays.
type FoamTuning struct {
	// HalfLife is how long foam takes to fade to half, s. Default 1.5: white water in the sea
	// clears in a few seconds.
	HalfLife float64
	// Squeeze is the rate of convergence of the surface, 1/s, above which air is trapped; Trap the
	// foam per unit of convergence above it. Default 2: 1 m/s lost over half a metre, more than
	// waves that do not break; and 1.
	Squeeze, Trap float64
	// Shock is the acceleration, m/s², above which a change of speed counts as an impact, and Hit
	// the foam per m/s of change above it. Default 40, four times free fall; and 0.3.
	Shock, Hit float64
	// Sharp is the curvature, in 1/cell, and Swift the speed, m/s, above which crests spill, and
	// Spill the foam they make, 1/s. Default 0.3, 1, 3.
	Sharp, Swift, Spill float64
}

// DefaultFoam suits pools and tanks of 0.5 to 10 m. Its values are chosen by how pictures look.
var DefaultFoam = FoamTuning{HalfLife: 1.5, Squeeze: 2, Trap: 1, Shock: 40, Hit: .3, Sharp: .3, Swift: 1, Spill: 3}

// foamBand, in cells of a block's level, is how far from the surface cells carry foam: enough for
// the mesh's samples and the surface's motion within a step.
const foamBand = 3

// invisible is the foam, of 1, that a display can't show: blocks that have no more, and neither have those
// around them, become clean. A cell among others may hold less, down to trace: with invisible for the
// limit the front of drifting foam would not move.
const (
	invisible = 1. / 255
	trace     = invisible / 64
)

// Foam is white water on the surface: 0 none, 1 thick.
type Foam struct {
	Tuning FoamTuning
	// Cur is the foam per cell of the grid's Cur layout.
	Cur []float32

	g      *layout.Grid
	pool   *par.Pool
	tiles  *layout.Scalar
	speed  []float32 // m/s: 1 per group of 2³ cells
	timed  []bool    // per base cell: speed is the last step's
	has    []uint8   // per base cell: which eighths of its block in Cur hold foam, x + 2y + 4z
	live   []bool    // per base cell: there is foam in it, or no further off than half a block
	some   bool      // some tile holds foam
	splash []splash
	work   []foamScratch

	phi  []float32 // arguments of Advance
	vel  *layout.Velocity
	dt   float64
	fade float32
}

type splash struct {
	x                [3]float64 // base cells
	radius, strength float64
}

// foamScratch holds the groups of a block that are near the surface.
type foamScratch struct {
	split *split
	near  uint64         // a bit for each
	least [64]float32    // least |φ| of the cells, m
	u     [64][3]float32 // m/s
	made  [64]float32
}

// NewFoam makes the foam of a surface that has none yet.
func NewFoam(g *layout.Grid, pool *par.Pool) *Foam {
	f := &Foam{Tuning: DefaultFoam, g: g, pool: pool, tiles: layout.NewScalar(g)}
	f.timed, f.has = make([]bool, g.Bases()), make([]uint8, g.Bases())
	f.live = make([]bool, g.Bases())
	f.work = make([]foamScratch, pool.Workers())
	g.OnGrow(func(n int) {
		f.Cur, f.speed = arrays.Lengthen(f.Cur, n), arrays.Lengthen(f.speed, n/8)
	})
	f.Publish()
	return f
}

// Tiles is the published foam, for the mesh.
func (f *Foam) Tiles() *layout.Scalar { return f.tiles }

// Splash has the next Advance lay foam around a point, m, within a radius, m: strength, 0 to 1, in
// the middle, less outwards.
func (f *Foam) Splash(x [3]float64, radius, strength float64) {
	p, e := f.g.ToPoint(x[0], x[1], x[2]), f.g.H*layout.Edge
	f.splash = append(f.splash, splash{[3]float64{p.X, p.Y, p.Z}, max(radius, f.g.H) / e, min(1, strength)})
}

// Advance writes Cur: the published foam, carried along and faded over dt, s, and what the
// surface makes. New blocks take theirs from the tiles as well; a dt of 0 does only that.
//
// phi: per cell of Cur, signed distance after the surface has moved, m. vel: the old layout's.
//
// The sources follow Ihmsen, Akinci, Akinci, Teschner 2012 §3 (trapped air, wave crests) with the
// surface's divergence and the change of speed for their sums over particles.
func (f *Foam) Advance(phi []float32, vel *layout.Velocity, dt float64) {
	f.phi, f.vel, f.dt = phi, vel, dt
	f.fade = float32(reproducible.Exp2(-dt / f.Tuning.HalfLife))
	par.Each(f.pool, f.g.Bases(), 4, f, (*Foam).advanceBlock)
	f.splash = f.splash[:0]
	f.phi, f.vel = nil, nil
}

// Publish gathers the tiles of the blocks with foam in or near them. The layout must be settled.
func (f *Foam) Publish() {
	f.findLive()
	f.tiles.GatherIn(f.pool, f.Cur, f.live)
}

// Resume is Publish for a Cur that was loaded.
func (f *Foam) Resume() {
	par.Each(f.pool, f.g.Bases(), 8, f, (*Foam).findEighths)
	f.Publish()
}

// findEighths finds out which eighths of a block hold foam.
func (f *Foam) findEighths(_ int, b int32) {
	first, l := f.g.Cur.First[b], f.g.Cur.Level[b]
	cells := f.Cur[first : first+1<<(3*l)]
	switch f.has[b] = 0; {
	case !foamy(cells):
	case l == 0:
		f.has[b] = 1<<8 - 1
	default:
		half := 1 << l / 2
		for r := range len(cells) / half { // half rows
			if foamy(cells[r*half:][:half]) {
				f.has[b] |= 1 << (r&1 | r>>l&1<<1 | r>>(2*l)&1<<2)
			}
		}
	}
}

// foamy tells whether some cells hold foam that a display can show.
func foamy(cells []float32) bool {
	for _, v := range cells {
		if v >= invisible {
			return true
		}
	}
	return false
}

// foamyAround is, by the eighths that hold foam, the directions in which there is foam next to the block's sides.
var foamyAround [256]uint32

func init() {
	for has := range foamyAround {
		for o := range 27 {
			x, y, z := o%3-1, o/3%3-1, o/9-1
			for e := range 8 {
				if has>>e&1 != 0 && x != 1-2*(e&1) && y != 1-2*(e>>1&1) && z != 1-2*(e>>2) {
					foamyAround[has] |= 1 << o
				}
			}
		}
	}
}

// findLive names the blocks that hold foam and those beside it: foam goes no further than half a block in a step.
func (f *Foam) findLive() {
	clear(f.live)
	f.some = false
	for b, has := range f.has {
		if has != 0 {
			f.some = true
		}
		for set := foamyAround[has]; set != 0; set &= set - 1 {
			o := bits.TrailingZeros32(set)
			if nb := f.g.Around(int32(b), o%3-1, o/3%3-1, o/9-1); nb != layout.None {
				f.live[nb] = true
			}
		}
	}
}

// Some tells whether there is foam that a display can show.
func (f *Foam) Some() bool { return f.some }

// Restore returns to the published foam, after a step was rolled back.
func (f *Foam) Restore() {
	f.tiles.Restore(f.Cur)
	par.Each(f.pool, f.g.Bases(), 8, f, (*Foam).findEighths)
	clear(f.timed)
	f.splash = f.splash[:0]
}

// Clear takes all foam away.
func (f *Foam) Clear() {
	clear(f.Cur)
	clear(f.has)
	clear(f.timed)
	f.splash = f.splash[:0]
}

// advanceBlock writes Cur in a block.
func (f *Foam) advanceBlock(worker int, b int32) {
	w, g := &f.work[worker], f.g
	l, first := g.Cur.Level[b], g.Cur.First[b]
	cells, phi := f.Cur[first:first+1<<(3*l)], f.phi[first:first+1<<(3*l)]
	reach := foamBand * float32(g.CellSize(l))
	f.has[b] = 0
	if l < 2 { // too coarse to tell what the surface does: carried only
		f.timed[b] = false
		if !f.live[b] {
			clear(cells)
			return
		}
		f.carryCoarse(b, cells, phi, reach)
		f.findEighths(0, b)
		return
	}
	near := w.find(l, phi, reach)
	clear(cells)
	if !near {
		f.timed[b] = false
		return
	}
	if f.groups(w, b) || f.live[b] {
		f.has[b] = f.carry(w, b, cells, phi, reach)
	}
	if len(f.splash) > 0 {
		f.addSplashes(b, cells, phi, reach)
		f.findEighths(0, b)
	}
}

// carryCoarse carries foam in a block of few cells, each by its own velocity.
func (f *Foam) carryCoarse(b int32, cells, phi []float32, reach float32) {
	n := 1 << f.g.Cur.Level[b]
	at, s, u := f.g.BaseCoords(b), 1/float64(n), f.velocity(b)
	back := f.dt / (f.g.H * layout.Edge) // base cells per m/s
	for i := range cells {
		cells[i] = 0
		if v := phi[i]; v < reach && v > -reach {
			x, y, z := float64((float64(i%n)+.5)*s), float64((float64(i/n%n)+.5)*s), float64((float64(i/(n*n))+.5)*s)
			w := u.at(x, y, z)
			cells[i] = fadeAndAdd(f.tiles.At(layout.Point{
				X: float64(at[0]) + x - float64(back*float64(w[0])),
				Y: float64(at[1]) + y - float64(back*float64(w[1])),
				Z: float64(at[2]) + z - float64(back*float64(w[2])),
			}), 0, f.fade)
		}
	}
}

// velocity is the velocity in a base cell's block.
func (f *Foam) velocity(b int32) blockVelocity {
	return blockVelocity{f.vel.Tile(b), float64(int(1) << f.g.Prev.Level[b])}
}

// blockVelocity is a tile of the old velocity with the number of its cells along an edge.
type blockVelocity struct {
	tile layout.Tile
	n    float64
}

// at is the velocity at a place in the base cell, 0 to 1, m/s.
func (u *blockVelocity) at(x, y, z float64) (v [3]float32) {
	v[0], v[1], v[2] = u.tile.At(float32(x*u.n), float32(y*u.n), float32(z*u.n))
	return v
}

// carry brings foam to the cells of a clean block near the surface, each group of 2³ by its own velocity, and tells which
// eighths hold some then.
func (f *Foam) carry(w *foamScratch, b int32, cells, phi []float32, reach float32) (has uint8) {
	s, live := w.split, f.live[b]
	var tile []float32 // the block's own, where it can be read cell by cell
	if f.g.Prev.Level[b] == f.g.Cur.Level[b] {
		tile = f.tiles.Tile(b)
	}
	back, top := float32(f.dt*float64(s.n)/(f.g.H*layout.Edge)), float32(s.n-1) // cells per m/s
	for set := w.near; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set) % 64
		made, first := w.made[k], s.first[k]
		var old [8]float32
		if live {
			u, x, y, z := &w.u[k], float32(s.x[k]), float32(s.y[k]), float32(s.z[k])
			x, y, z = x-float32(back*u[0]), y-float32(back*u[1]), z-float32(back*u[2])
			if tile != nil && x >= -1 && y >= -1 && z >= -1 && x < top && y < top && z < top {
				i, j, l := int(x+1), int(y+1), int(z+1)
				in := [3]float32{x + 1 - float32(i), y + 1 - float32(j), z + 1 - float32(l)}
				if carryEight(cells[first:], phi[first:], tile[i+(s.n+2)*(j+(s.n+2)*l):], s.n, in, made, f.fade, reach) {
					has |= s.eighth[k]
				}
				continue
			}
			f.sampleEight(&old, b, s.n, [3]float32{x, y, z})
		}
		if (made != 0 || old != [8]float32{}) && fadeAndAddEight(cells[first:], phi[first:], s.n, &old, made, f.fade, reach) {
			has |= s.eighth[k]
		}
	}
	return has
}

// fadeAndAddEight applies fadeAndAdd to a group's cells, of rows of n, as far as they are near the surface, and tells whether some of it
// shows.
func fadeAndAddEight(cells, phi []float32, n int, old *[8]float32, made, fade, reach float32) bool {
	most := float32(0)
	for o, v := range old {
		i := o&1 + n*(o>>1&1+n*(o>>2))
		if p := phi[i]; p < reach && p > -reach {
			cells[i] = fadeAndAdd(v, made, fade)
			most = max(most, cells[i])
		}
	}
	return most >= invisible
}

// carryEight writes into a group of clean cells, by fadeAndAdd, what its tile, of rows of n+2, has where they come from: at places in its first three
// values along each axis, from the first one. It exists in plain Go, here, and in assembly for processors with AVX2; both give the
// same bits.
var carryEight = carryEightGo

func carryEightGo(cells, phi, tile []float32, n int, at [3]float32, made, fade, reach float32) bool {
	var old [8]float32
	e, u, v, w := n+2, at[0], at[1], at[2]
	var plane [3][4]float32 // between the lines along x and y
	for k := range plane {
		t := tile[e*e*k:]
		a, b, c := t[:3], t[e:][:3], t[2*e:][:3]
		a0, a1 := a[0]+float32(u*(a[1]-a[0])), a[1]+float32(u*(a[2]-a[1]))
		b0, b1 := b[0]+float32(u*(b[1]-b[0])), b[1]+float32(u*(b[2]-b[1]))
		c0, c1 := c[0]+float32(u*(c[1]-c[0])), c[1]+float32(u*(c[2]-c[1]))
		plane[k] = [4]float32{a0 + float32(v*(b0-a0)), a1 + float32(v*(b1-a1)), b0 + float32(v*(c0-b0)), b1 + float32(v*(c1-b1))}
	}
	for o := range 4 {
		a, b, c := plane[0][o], plane[1][o], plane[2][o]
		old[o], old[o+4] = a+float32(w*(b-a)), b+float32(w*(c-b))
	}
	return fadeAndAddEight(cells, phi, n, &old, made, fade, reach)
}

// sampleEight is what a group has where it comes from, wherever in the grid that is.
func (f *Foam) sampleEight(dst *[8]float32, b int32, n int, from [3]float32) {
	at, s := f.g.BaseCoords(b), 1/float64(n)
	for o := range dst {
		dst[o] = f.tiles.At(layout.Point{
			X: float64(at[0]) + float64((float64(from[0])+.5+float64(o&1))*s),
			Y: float64(at[1]) + float64((float64(from[1])+.5+float64(o>>1&1))*s),
			Z: float64(at[2]) + float64((float64(from[2])+.5+float64(o>>2))*s),
		})
	}
}

// fadeAndAdd fades the old foam and adds a part of the new: the less the more there is.
func fadeAndAdd(old, made, fade float32) float32 {
	v := float32(old * fade)
	v += float32(made * (1 - v))
	switch {
	case !(v >= trace):
		return 0
	case v > 1:
		return 1
	}
	return v
}

// addSplashes adds the splashes that reach a block.
func (f *Foam) addSplashes(b int32, cells, phi []float32, reach float32) {
	n := 1 << f.g.Cur.Level[b]
	base, s := f.g.BaseCoords(b), 1/float64(n)
	for _, p := range f.splash {
		var lo, hi [3]int
		for a := range 3 {
			x := p.x[a] - float64(base[a])
			lo[a] = int(max(0, (x-p.radius)*float64(n)))
			hi[a] = int(min(float64(n), float64((x+p.radius)*float64(n))+1))
		}
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					i := x + n*(y+n*z)
					dx := float64(base[0]) + float64((float64(x)+.5)*s) - p.x[0]
					dy := float64(base[1]) + float64((float64(y)+.5)*s) - p.x[1]
					dz := float64(base[2]) + float64((float64(z)+.5)*s) - p.x[2]
					v := float32(p.strength * (1 - (float64(dx*dx)+float64(dy*dy)+float64(dz*dz))/(p.radius*p.radius)))
					if phi[i] < reach && phi[i] > -reach && v >= invisible {
						cells[i] = max(cells[i], v)
					}
				}
			}
		}
	}
}
