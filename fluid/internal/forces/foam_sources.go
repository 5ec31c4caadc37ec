package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// groups finds the velocity of each group of 2³ cells near the surface, and the foam it makes. It
// tells whether any is made.
func (f *Foam) groups(w *foamScratch, b int32, reach float32) (any bool) {
	g := f.g
	l, first := g.Cur.Level[b], int(g.Cur.First[b])
	n := 1 << l
	m := n / 2
	u, s := f.velocity(b), 1/float64(m)
	phi := f.phi[first : first+n*n*n]
	for k := range m * m * m {
		x, y, z := k%m, k/m%m, k/(m*m)
		w.near[k], w.made[k] = nearGroup(phi, n, 2*(x+n*(y+n*z)), reach), 0
		if w.near[k] {
			w.u[k] = u.at((float64(x)+.5)*s, (float64(y)+.5)*s, (float64(z)+.5)*s)
		}
	}
	timed := f.timed[b] && g.Cur.First[b] == g.Prev.First[b]
	if f.dt == 0 {
		f.timed[b] = timed
		return false
	}
	for k := range m * m * m {
		last := f.speed[first+k]
		f.speed[first+k] = -1
		if !w.near[k] {
			continue
		}
		u := &w.u[k]
		v := float32(math.Sqrt(float64(u[0]*u[0] + u[1]*u[1] + u[2]*u[2])))
		f.speed[first+k] = v
		if !timed {
			last = -1
		}
		w.made[k] = f.source(w, b, phi, k, v, last)
		any = any || w.made[k] > 0
	}
	f.timed[b] = true
	return any
}

// nearGroup tells whether some cell of the group that starts at i is within reach of the surface.
func nearGroup(phi []float32, n, i int, reach float32) bool {
	for o := range 8 {
		if v := phi[i+o&1+n*(o>>1&1+n*(o>>2))]; v < reach && v > -reach {
			return true
		}
	}
	return false
}

// source is the foam that group k makes in this step. v is its speed and last the one before, m/s,
// negative if unknown.
func (f *Foam) source(w *foamScratch, b int32, phi []float32, k int, v, last float32) float32 {
	n := 1 << f.g.Cur.Level[b]
	t, dt := &f.Tuning, float32(f.dt)
	m := n / 2
	x, y, z := k%m, k/m%m, k/(m*m)
	made := float32(0)
	if last >= 0 {
		jump := max(v-last, last-v) - float32(t.Shock)*dt
		made += max(0, float32(t.Hit)*jump)
	}
	h := float32(f.g.H*grid.Edge) / float32(n)
	// What is slower converges by less than Squeeze towards any place a cell or two off.
	if slow := float32(t.Squeeze) * h / 2; v > slow && nearGroup(phi, n, 2*(x+n*(y+n*z)), 1.5*h) {
		c := f.convergence(w, b, phi, n, k, [3]int{x, y, z}, h)
		made += max(0, float32(t.Trap)*(c-float32(t.Squeeze))*dt)
	}
	if v > float32(t.Swift) {
		i := clampTo(2*x, n) + n*(clampTo(2*y, n)+n*clampTo(2*z, n))
		bend := (phi[i+1] + phi[i-1] + phi[i+n] + phi[i-n] + phi[i+n*n] + phi[i-n*n] - 6*phi[i]) / h
		// Out of the band φ is flat and the edge of that bends: only cells at the surface count.
		if d := phi[i]; bend > float32(t.Sharp) && d < h && d > -h {
			made += float32(t.Spill) * dt
		}
	}
	return min(1, made)
}

// clampTo keeps a cell's index off the rim of its block, within its group.
func clampTo(i, n int) int { return max(1, min(i, n-2)) }

// convergence is minus the surface's divergence, n·∇u·n - ∇·u, 1/s, at a group, by differences
// between the groups around it.
func (f *Foam) convergence(w *foamScratch, b int32, phi []float32, n, k int, at [3]int, h float32) float32 {
	var normal [3]float32
	i := 2 * (at[0] + n*(at[1]+n*at[2]))
	for o := range 8 {
		p := phi[i+o&1+n*(o>>1&1+n*(o>>2))]
		for a := range 3 {
			if o>>a&1 == 1 {
				normal[a] += p
			} else {
				normal[a] -= p
			}
		}
	}
	nn := normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2]
	if nn < h*h { // a slope of 1 gives 16 h²
		return 0
	}
	stretch, trace := float32(0), float32(0)
	for a := range 3 {
		lo, hi := f.beside(w, b, n/2, k, at, a, -1), f.beside(w, b, n/2, k, at, a, 1)
		trace += hi[a] - lo[a]
		for c := range 3 {
			stretch += normal[a] * normal[c] * (hi[c] - lo[c])
		}
	}
	return (stretch/nn - trace) / (4 * h)
}

// beside is the velocity one group further along an axis; m groups are along a block's edge.
func (f *Foam) beside(w *foamScratch, b int32, m, k int, at [3]int, axis, step int) [3]float32 {
	stride := [3]int{1, m, m * m}[axis]
	if i := at[axis] + step; i >= 0 && i < m && w.near[k+step*stride] {
		return w.u[k+step*stride]
	}
	base, s := f.g.BaseCoords(b), 1/float64(m)
	at[axis] += step
	x, y, z := f.vel.At(grid.Point{
		X: float64(base[0]) + (float64(at[0])+.5)*s,
		Y: float64(base[1]) + (float64(at[1])+.5)*s,
		Z: float64(base[2]) + (float64(at[2])+.5)*s,
	})
	return [3]float32{x, y, z}
}
