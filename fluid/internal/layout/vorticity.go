package layout

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Vorticity is how fast the liquid of each block turns.
type Vorticity struct {
	Most []float32 // per base cell: the greatest magnitude of the velocity's curl in the middles of its cells of liquid, 1/s; 0 where there are none

	vel *Velocity
	phi []float32
}

// NewVorticity makes room for the vorticity of a velocity.
func NewVorticity(v *Velocity) *Vorticity {
	return &Vorticity{Most: make([]float32, v.g.Bases()), vel: v}
}

// Measure measures the settled velocity, which its tiles hold. It is exact for a velocity that is linear within cells of one size and at the grid's sides; beside
// cells of another size, whose faces store a mean of four, it may be off by .3 of the norm of the velocity's gradient.
//
// phi: per cell of the settled layout, negative where the cell is liquid, and counts; nil: all count.
func (w *Vorticity) Measure(pool *par.Pool, phi []float32) {
	w.phi = phi
	par.Each(pool, len(w.Most), gatherGrain, w, (*Vorticity).measureBlock)
	w.phi = nil
}

// measureBlock measures a block.
func (w *Vorticity) measureBlock(_ int, b int32) {
	if w.Most[b] = 0; w.vel.Blank(b) {
		return
	}
	g := w.vel.g
	level := g.Prev.Level[b]
	n, inv := 1<<level, g.slopes(b, level)
	var phi []float32
	if w.phi != nil {
		phi = w.phi[g.Prev.First[b]:][:n*n*n]
	}
	tile, most := w.vel.Tile(b), float32(0)
	var row [Edge]float32
	for k := range n {
		for j := range n {
			var liquid []float32 // φ of the row
			if phi != nil {
				if liquid = phi[n*(j+n*k):][:n]; slices.IndexFunc(liquid, isLiquid) < 0 {
					continue
				}
			}
			tile.curls(row[:n], j, k, &inv[0], inv[1][j], inv[2][k])
			for i, c := range row[:n] {
				if c > most && (phi == nil || isLiquid(liquid[i])) {
					most = c
				}
			}
		}
	}
	w.Most[b] = float32(math.Sqrt(float64(most)))
}

func isLiquid(phi float32) bool { return phi < 0 }

// slopes are, along each axis and for each cell of a block of Prev, what the difference between the sums of two faces of the cells after and before is to be
// multiplied by, 1/m. At the grid's sides a tile repeats its outermost cells, so that the difference is that over one cell.
func (g *Grid) slopes(b int32, level uint8) (inv [3][Edge]float32) {
	n, quarter := 1<<level, float32(.25/g.CellSize(level))
	for a := range inv {
		for i := range n {
			inv[a][i] = quarter
		}
		if low, high := g.Neighbour[b][2*a] == None, g.Neighbour[b][2*a+1] == None; low != high || n > 1 {
			if low {
				inv[a][0] *= 2
			}
			if high {
				inv[a][n-1] *= 2
			}
		}
	}
	return inv
}

// curls writes the square of the curl in the middles of a row of cells along x, 1/s², by differences of the cells around each. x, y, z: see slopes.
func (t *Tile) curls(dst []float32, j, k int, x *[Edge]float32, y, z float32) {
	n, e, f, third := t.n, t.n+2, t.n+1, len(t.t)/3
	u, v, w := t.t[:third], t.t[third:2*third], t.t[2*third:]
	along := func(j, k int) []float32 { return u[f*(j+1+e*(k+1)):][:n+1] } // the faces before and after the cells,
	across := func(j, k int) []float32 { return v[e*(j+f*(k+1)):][:n+2] }  // those below, from the cell before the row on,
	over := func(j, k int) []float32 { return w[e*(j+1+e*k):][:n+2] }      // and likewise along z
	u0, u1, u2, u3 := along(j-1, k), along(j+1, k), along(j, k-1), along(j, k+1)
	v0, v1, v2, v3, v4, v5 := across(j, k), across(j+1, k), across(j, k-1), across(j+1, k-1), across(j, k+1), across(j+1, k+1)
	w0, w1, w2, w3, w4, w5 := over(j, k), over(j, k+1), over(j-1, k), over(j-1, k+1), over(j+1, k), over(j+1, k+1)
	for i := range dst {
		uy, uz := (u1[i]+u1[i+1])-(u0[i]+u0[i+1]), (u3[i]+u3[i+1])-(u2[i]+u2[i+1])
		vx, vz := (v0[i+2]+v1[i+2])-(v0[i]+v1[i]), (v4[i+1]+v5[i+1])-(v2[i+1]+v3[i+1])
		wx, wy := (w0[i+2]+w1[i+2])-(w0[i]+w1[i]), (w4[i+1]+w5[i+1])-(w2[i+1]+w3[i+1])
		a, b, c := float32(wy*y)-float32(vz*z), float32(uz*z)-float32(wx*x[i]), float32(vx*x[i])-float32(uy*y)
		dst[i] = float32(a*a) + float32(b*b) + float32(c*c)
	}
}
