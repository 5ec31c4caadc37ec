package forces

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// split is how the cells of a block make groups of 2³, x fastest.
type split struct {
	n, m    int       // cells and groups along an edge
	first   [64]int   // cell of each group
	x, y, z [64]int   // where that is
	corner  [8]int    // from there to the group's cells
	eighth  [64]uint8 // of the block that it lies in: a bit of Foam.has
}

// splits are by level.
var splits = makeSplits()

func makeSplits() (all [layout.MaxLevel + 1]split) {
	for l := range all {
		s := &all[l]
		s.n, s.m = 1<<l, 1<<l/2
		for k := range s.m * s.m * s.m {
			s.x[k], s.y[k], s.z[k] = k%s.m*2, k/s.m%s.m*2, k/(s.m*s.m)*2
			s.first[k] = s.x[k] + s.n*(s.y[k]+s.n*s.z[k])
			s.eighth[k] = 1 << (2*s.x[k]/s.n + 2*(2*s.y[k]/s.n) + 4*(2*s.z[k]/s.n))
		}
		for o := range s.corner {
			s.corner[o] = o&1 + s.n*(o>>1&1+s.n*(o>>2))
		}
	}
	return all
}

// find finds the groups of a block with a cell within reach of the surface, and tells whether there are any.
func (w *foamScratch) find(level uint8, phi []float32, reach float32) bool {
	s := &splits[level]
	w.split, w.near = s, 0
	n, most := s.n, math.Float32bits(reach)
	for k, first := range s.first[:s.m*s.m*s.m] {
		t := phi[first:]
		a, b, c, d := t[:2], t[n:][:2], t[n*n:][:2], t[n*n+n:][:2]
		// The bits of |φ| are in the order of the numbers.
		least := min(magnitude(a[0]), magnitude(a[1]), magnitude(b[0]), magnitude(b[1]),
			magnitude(c[0]), magnitude(c[1]), magnitude(d[0]), magnitude(d[1]), most)
		if w.least[k] = math.Float32frombits(least); least < most {
			w.near |= 1 << k
		}
	}
	return w.near != 0
}

// magnitude is the bits of |v|.
func magnitude(v float32) uint32 { return math.Float32bits(v) &^ (1 << 31) }

// fastest, m/s, is far more than what moves in a liquid; a state from a file may have it.
const fastest = 1e12

// groups finds the velocity of the groups near the surface and the foam that each makes. It tells whether any is
// made.
func (f *Foam) groups(w *foamScratch, b int32) (any bool) {
	g, s, u := f.g, w.split, f.velocity(b)
	same, half := g.Prev.Level[b] == g.Cur.Level[b], 1/float64(s.n)
	for set := w.near; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set) % 64
		x, y, z := s.x[k]+1, s.y[k]+1, s.z[k]+1
		w.made[k] = 0
		if v := &w.u[k]; same {
			v[0], v[1], v[2] = u.tile.Node(x, y, z)
		} else {
			*v = u.at(float64(x)*half, float64(y)*half, float64(z)*half)
		}
	}
	timed := f.timed[b] && g.Cur.First[b] == g.Prev.First[b]
	if f.dt == 0 {
		f.timed[b] = timed
		return false
	}
	first := int(g.Cur.First[b])
	phi := f.phi[first:][:s.n*s.n*s.n]
	speed := f.speed[first/8:][:s.m*s.m*s.m]
	for k, last := range speed {
		v := float32(-1)
		if w.near>>k&1 != 0 {
			u := &w.u[k]
			v = float32(math.Sqrt(float64(float32(u[0]*u[0]) + float32(u[1]*u[1]) + float32(u[2]*u[2]))))
			if v = min(v, fastest); v != v {
				v = -1
			}
			if !timed {
				last = -1
			}
			w.made[k] = f.source(w, b, phi, k, v, last)
			any = any || w.made[k] > 0
		}
		speed[k] = v
	}
	f.timed[b] = true
	return any
}

// source is the foam that group k makes in this step. v is its speed and last the one before, m/s,
// negative if unknown.
func (f *Foam) source(w *foamScratch, b int32, phi []float32, k int, v, last float32) float32 {
	n, t, dt := w.split.n, &f.Tuning, float32(f.dt)
	made := float32(0)
	if last >= 0 {
		if jump := float32(math.Abs(float64(v-last))) - float32(float32(t.Shock)*dt); jump > 0 {
			made += float32(float32(t.Hit) * jump)
		}
	}
	h := float32(f.g.H*layout.Edge) / float32(n)
	// What is slower converges by less than Squeeze towards any place a cell or two off.
	if slow := float32(t.Squeeze) * h / 2; v > slow && w.least[k] < 1.5*h {
		c := f.convergence(w, b, phi, k, h)
		if c > float32(t.Squeeze) {
			made += float32(float32(t.Trap) * (c - float32(t.Squeeze)) * dt)
		}
	}
	if v > float32(t.Swift) {
		s := w.split
		i := clampTo(s.x[k], n) + n*(clampTo(s.y[k], n)+n*clampTo(s.z[k], n))
		bend := (phi[i+1] + phi[i-1] + phi[i+n] + phi[i-n] + phi[i+n*n] + phi[i-n*n] - float32(6*phi[i])) / h
		// Out of the band φ is flat and the edge of that bends: only cells at the surface count.
		if d := phi[i]; bend > float32(t.Sharp) && d < h && d > -h {
			made += float32(float32(t.Spill) * dt)
		}
	}
	return min(1, made)
}

// clampTo keeps a cell's index off the rim of its block, within its group.
func clampTo(i, n int) int { return max(1, min(i, n-2)) }

// convergence is minus the surface's divergence, n·∇u·n - ∇·u, 1/s, at group k, by differences
// between the groups around it.
func (f *Foam) convergence(w *foamScratch, b int32, phi []float32, k int, h float32) float32 {
	s := w.split
	p := phi[s.first[k]:]
	var c [8]float32
	for o, at := range s.corner {
		c[o] = p[at]
	}
	normal := [3]float32{
		c[1] - c[0] - c[2] + c[3] - c[4] + c[5] - c[6] + c[7],
		-c[0] - c[1] + c[2] + c[3] - c[4] - c[5] + c[6] + c[7],
		-c[0] - c[1] - c[2] - c[3] + c[4] + c[5] + c[6] + c[7],
	}
	nn := float32(normal[0]*normal[0]) + float32(normal[1]*normal[1]) + float32(normal[2]*normal[2])
	if nn < h*h { // a slope of 1 gives 16 h²
		return 0
	}
	stretch, trace := float32(0), float32(0)
	for a := range 3 {
		lo, hi := f.beside(w, b, k, a, -1), f.beside(w, b, k, a, 1)
		trace += hi[a] - lo[a]
		for c := range 3 {
			stretch += float32(normal[a] * normal[c] * (hi[c] - lo[c]))
		}
	}
	return (stretch/nn - trace) / (4 * h)
}

// beside is the velocity one group further along an axis.
func (f *Foam) beside(w *foamScratch, b int32, k, axis, step int) (u [3]float32) {
	g, s := f.g, w.split
	at := [3]int{s.x[k] + 1, s.y[k] + 1, s.z[k] + 1}
	at[axis] += 2 * step
	in, there := b, at
	switch i := at[axis]; {
	case i < 0:
		in, there[axis] = g.Neighbour[b][2*axis], i+s.n
	case i > s.n:
		in, there[axis] = g.Neighbour[b][2*axis+1], i-s.n
	default:
		if o := k + step*[3]int{1, s.m, s.m * s.m}[axis]; w.near>>o&1 != 0 {
			return w.u[o]
		}
	}
	if in != layout.None && g.Prev.Level[in] == g.Cur.Level[b] {
		tile := f.vel.Tile(in)
		u[0], u[1], u[2] = tile.Node(there[0], there[1], there[2])
		return u
	}
	edge := 1 / float32(s.n)
	tile, x, y, z := f.vel.Near(b, edge*float32(at[0]), edge*float32(at[1]), edge*float32(at[2]))
	u[0], u[1], u[2] = tile.At(x, y, z)
	return u
}
