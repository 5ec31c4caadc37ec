package advect

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// room is how many cells a block has at most.
const room = layout.Edge * layout.Edge * layout.Edge

// partGrain is how many blocks make a chunk.
const partGrain = 4

// part is one block's rows and faces.
type part struct {
	b, first int32 // base cell, cell
	bits     uint8
	n        int
	coarser  [3]bool     // beyond the low side of the axis
	old      layout.Tile // NoTile where the block is new
	lo, hi   graph.Part

	// Of the faces, those at hand: of one axis.
	axis     int
	from, to int32
	starts   [][4]float32
	apart    [room / 8]uint8 // a bit for each: not both of its sides are rows

	middles layout.Middles // of its cells in the old velocity
	places  layout.Places
	row     [room]int32 // of places, counted from the part's first
}

// backtraceBlock finds the backtrace displacement of the rows of a block.
func (t *Transport) backtraceBlock(worker int, b int32) {
	if p := t.open(worker, b); p != nil {
		t.backtrace(p)
	}
}

// advectBlock carries the velocity to the faces of a block, axis by axis.
func (t *Transport) advectBlock(worker int, b int32) {
	p := t.open(worker, b)
	if p == nil {
		return
	}
	p.to = p.lo.Face
	for p.axis = range 3 {
		if p.from, p.to = p.to, runEnd(t.gr, p.axis, p.to, p.hi.Face); p.from < p.to {
			t.advectFaces(p)
		}
	}
}

// open makes a worker's part that of a block; nil if that has no row and no face.
func (t *Transport) open(worker int, b int32) *part {
	g := t.g
	if t.gr.Parts[b] == t.gr.Parts[b+1] {
		return nil
	}
	p := &t.work[worker]
	p.b, p.lo, p.hi = b, t.gr.Parts[b], t.gr.Parts[b+1]
	p.first, p.bits = g.Cur.First[b], g.Cur.Level[b]
	p.n = 1 << p.bits
	for a := range 3 {
		nb := g.Neighbour[b][2*a]
		p.coarser[a] = nb != layout.None && g.Cur.Level[nb] < p.bits
	}
	p.old = layout.NoTile
	if g.Prev.First[b] == p.first {
		p.old = t.old.Tile(b)
	}
	return p
}

// corners are the low corners of a block's cells, in cells from the block's, per level.
var corners = makeCorners()

func makeCorners() (all [layout.MaxLevel + 1][][3]float32) {
	for bits := range all {
		n := 1 << bits
		for c := range n * n * n {
			all[bits] = append(all[bits], [3]float32{float32(c & (n - 1)), float32(c >> bits & (n - 1)), float32(c >> (2 * bits))})
		}
	}
	return all
}

// at is the old velocity at a place.
func (t *Transport) at(p *part, x, y, z float32) (u, v, w float32) {
	if p.old.Holds(x, y, z) {
		return p.old.At(x, y, z)
	}
	s := 1 / float32(p.n)
	tile, x, y, z := t.old.Near(p.b, s*x, s*y, s*z)
	return tile.At(x, y, z)
}

// maxStraight is the way, in cells, up to which the midpoint rule has nothing to add: on a curve of radius R
// cells a straight step is off by way²/2R, .005 cells on the smallest that the grid holds.
const maxStraight = .1

// backtrace traces each row's centre back, by the midpoint rule.
func (t *Transport) backtrace(p *part) {
	base := float32(t.dt / (t.g.H * layout.Edge))
	half := .5 * base * float32(p.n)
	t.findMiddles(p)
	cells, shift, m, count := t.gr.Cell[p.lo.Row:p.hi.Row], t.displacement[p.lo.Row:p.hi.Row], &p.middles, 0
	for r, c := range cells {
		i := (c - p.first) & (room - 1)
		u, v, w := m[0][i], m[1][i], m[2][i]
		shift[r] = [4]float32{base * u, base * v, base * w}
		if float32(half*abs(u))+float32(half*abs(v))+float32(half*abs(w)) >= maxStraight/2 {
			p.row[count&(room-1)] = int32(r)
			count++
		}
	}
	if count > 0 {
		t.applyMidpoint(p, cells, shift, p.row[:count])
	}
	t.findSurfaceRows(p)
}

// findSurfaceRows marks the part's rows that have a face to the air.
func (t *Transport) findSurfaceRows(p *part) {
	gr := t.gr
	if c := &gr.Connectivity[p.b]; c.Connected && !c.Air {
		return
	}
	shift, lower, upper, shore := t.displacement[p.lo.Row:p.hi.Row], gr.A, gr.B, false
	for r := range shift {
		s := &gr.Cubes.Sides[int(p.lo.Row)+r]
		for a := 0; a < len(s); a += 2 {
			if low, high := s[a], s[a+1]; low >= 0 && lower[low] == graph.Air || high >= 0 && upper[high] == graph.Air {
				shift[r][3], shore = 1, true
				break
			}
		}
	}
	t.atSurface[p.b] = shore
}

// findMiddles sets p.middles in the part's rows.
func (t *Transport) findMiddles(p *part) {
	if p.old.Holds(0, 0, 0) {
		p.old.Middles(&p.middles)
		return
	}
	m, corners := &p.middles, corners[p.bits]
	for _, c := range t.gr.Cell[p.lo.Row:p.hi.Row] {
		i := c - p.first
		at := &corners[i]
		m[0][i], m[1][i], m[2][i] = t.at(p, at[0]+.5, at[1]+.5, at[2]+.5)
	}
}

// applyMidpoint makes the displacements of some rows those at their midpoints.
func (t *Transport) applyMidpoint(p *part, cells []int32, shift [][4]float32, rows []int32) {
	base, q, corners := float32(t.dt/(t.g.H*layout.Edge)), &p.places, corners[p.bits]
	half := .5 * base * float32(p.n)
	for k, r := range rows {
		i := cells[r] - p.first
		at, m := &corners[i], &p.middles
		q.X[k], q.Y[k], q.Z[k] = at[0]+.5-float32(half*m[0][i]), at[1]+.5-float32(half*m[1][i]), at[2]+.5-float32(half*m[2][i])
	}
	for a := range 3 {
		q.Sample(p.old.Component(a), len(rows))
		for k, r := range rows {
			shift[r][a] = base * q.Value[k]
		}
	}
	for k := q.Missed(0, len(rows)); k < len(rows); k = q.Missed(k+1, len(rows)) {
		u, v, w := t.at(p, q.X[k], q.Y[k], q.Z[k])
		shift[rows[k]] = [4]float32{base * u, base * v, base * w}
	}
}

// abs is by its bits: the built-in max takes several times as long.
func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// advectFaces samples the old velocity where each face came from.
func (t *Transport) advectFaces(p *part) {
	t.trace(p)
	q, u := &p.places, t.gr.U[p.from:p.to]
	q.SampleAntiDiffused(p.old.Component(p.axis), t.low(p), len(u))
	s := 1 / float32(p.n)
	for f := q.Missed(0, len(u)); f < len(u); f = q.Missed(f+1, len(u)) {
		tile, x, y, z := t.old.Near(p.b, s*q.X[f], s*q.Y[f], s*q.Z[f])
		in := tile.Component(p.axis)
		q.Value[f] = q.AntiDiffused(f, &in, x, y, z)
	}
	for f, v := range q.Value[:len(u)] {
		u[f] = float64(v)
	}
}

// low is the component at hand in the next block on the low side, empty if that was of another level.
func (t *Transport) low(p *part) (c layout.Component) {
	nb := t.g.Neighbour[p.b][2*p.axis]
	if nb == layout.None || t.g.Prev.Level[nb] != p.bits {
		return c
	}
	tile := t.old.Tile(nb)
	return tile.Component(p.axis)
}
