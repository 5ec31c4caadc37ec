package levelset

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// ways lead from the centres of a block's cells to where their liquid was before the step, by axis, in cells.
type ways [3][512]float32

// near is the longest way along an axis, in cells, that leads to a value by its own cell's parabolas.
const near = .5

// carryNear writes a block's new φ, m: its old one at the ends of ways up to near. Where that is nearer to the surface than
// sharp it is Lagrange's polynomial through five cells along each axis: a parabola through a cell and its neighbours less what
// the third and fourth differences bend; elsewhere it is linear. All values are in the block's tile: at its sides there is
// only one third difference, and the other is taken for 0. What isn't a number is air.
//
// The slope in a cell's middle is that of fourth order. With the central difference, of second order, which parabolas and Keys'
// cubic have, what is k cells wide lags by some 5/k² of its way: a ball of five cells falls behind its own velocity by 4 %.
//
// phi: len = n³; the new φ lies within ±limit. t: len = (n+2)³.
//
// It exists in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
//
// Its part of first and second order is Lax and Wendroff's scheme.
var carryNear = carryNearGo

func carryNearGo(phi, t []float32, by *ways, limit, sharp float32, n int) {
	e := n + 2
	for i := range phi[:n*n*n] {
		x, y, z := i%n, i/n%n, i/(n*n)
		at := x + 1 + e*(y+1+e*(z+1))
		d := [3]float32{by[0][i], by[1][i], by[2][i]}
		cubic := abs32(t[at]) < sharp
		var h, k [3]float32
		for a := range d {
			h[a] = .5 * d[a]
			if k[a] = abs32(h[a]); cubic {
				k[a] = h[a] * d[a]
			}
		}
		var plane [3]float32
		for p := range plane {
			c := t[at-1-e+(p-1)*e*e:][:2*e+3]
			low, mid, high := parabola(c[0], c[1], c[2], h[0], k[0]), parabola(c[e], c[e+1], c[e+2], h[0], k[0]), parabola(c[2*e], c[2*e+1], c[2*e+2], h[0], k[0])
			plane[p] = parabola(low, mid, high, h[1], k[1])
		}
		v := parabola(plane[0], plane[1], plane[2], h[2], k[2])
		if cubic {
			v -= bend(t, at, 1, x, n, d[0]) + bend(t, at, e, y, n, d[1]) + bend(t, at, e*e, z, n, d[2])
		}
		if !(v < limit) {
			v = limit
		}
		phi[i] = max(v, -limit)
	}
}

// parabola goes through three values a cell apart; h is half of how far from the middle it is wanted, k that squared
// times two.
func parabola(low, mid, high, h, k float32) float32 {
	return mid + (float32(h*(high-low)) + float32(k*((low+high)-(mid+mid))))
}

// bend is what the third and fourth differences along an axis take from the value d from a cell, which is the i-th of n along it.
func bend(t []float32, at, step, i, n int, d float32) float32 {
	var up, down float32
	if i < n-1 {
		up = third(t[at-step:], step)
	}
	if i > 0 {
		down = third(t[at-2*step:], step)
	}
	return float32(d * (1 - float32(d*d)) * (1. / 12) * (up + down + float32(.5*d*(up-down))))
}

// third is the third difference of four values, step apart.
func third(t []float32, step int) float32 {
	return (t[3*step] - t[0]) - float32(3*(t[2*step]-t[step]))
}

// trail writes the ways along the velocity in the middle of each cell, from a velocity tile's components: as long as
// factor, in cells per m/s, says. Those that aren't shorter than limit, by the sum of their components' magnitudes, are 0. It returns the
// longest.
//
// It exists in plain Go and in assembly too.
var trail = trailGo

func trailGo(by *ways, u [3][]float32, factor, limit float32, n int) (far float32) {
	half, lower := .5*factor, &lowerFaces[bits.Len(uint(n))-1]
	for i := range n * n * n {
		var d [3]float32
		for a := range d {
			v := u[a][lower.at[a][i]:]
			d[a] = half * (v[0] + v[lower.step[a][a]])
		}
		far = max(far, by.set(i, d, limit))
	}
	return far
}

// curve goes on from the ways that trail has found to where the velocity half way leads: by half of its change along
// them, which is the midpoint rule to second order in their length. It returns the longest, as trail does.
//
// It exists in plain Go and in assembly too.
var curve = curveGo

func curveGo(by *ways, u [3][]float32, factor, limit float32, n int) (far float32) {
	half, lower := .5*factor, &lowerFaces[bits.Len(uint(n))-1]
	for i := range n * n * n {
		var d [3]float32
		for a := range d {
			at, step := int(lower.at[a][i]), &lower.step[a]
			aside := float32(0)
			for b := range d {
				if b != a {
					high, low := u[a][at+step[b]:], u[a][at-step[b]:]
					aside += float32(((high[0] + high[step[a]]) - (low[0] + low[step[a]])) * by[b][i])
				}
			}
			along := float32((u[a][at+step[a]] - u[a][at]) * by[a][i])
			d[a] = float32(half*(along+float32(.25*aside))) + by[a][i]
		}
		far = max(far, by.set(i, d, limit))
	}
	return far
}

// lengthenWays makes ways of velocities, the first count: as trail does, and as long as factor, in cells per m/s, says. It returns
// the longest.
//
// It exists in plain Go and in assembly too.
var lengthenWays = lengthenWaysGo

func lengthenWaysGo(by *ways, factor, limit float32, count int) (far float32) {
	for i := range count {
		far = max(far, by.set(i, [3]float32{factor * by[0][i], factor * by[1][i], factor * by[2][i]}, limit))
	}
	return far
}

// set makes d the way of cell i, or 0 if it isn't shorter than limit, and returns its length.
func (w *ways) set(i int, d [3]float32, limit float32) float32 {
	long := abs32(d[0]) + abs32(d[1]) + abs32(d[2])
	if !(long < limit) {
		d, long = [3]float32{}, 0
	}
	w[0][i], w[1][i], w[2][i] = d[0], d[1], d[2]
	return long
}

// faces are the places, in the parts of a velocity tile, of the faces on the lower sides of a block's cells, by component, and how
// far it is from one to the next along each axis. There is one layer around the block but along the component's own axis.
type faces struct {
	at   [3][512]int32
	step [3][3]int
}

// lowerFaces are by level.
var lowerFaces = makeLowerFaces()

func makeLowerFaces() (all [layout.MaxLevel + 1]faces) {
	for l := range all {
		n, e, f, q := 1<<l, 1<<l+2, 1<<l+1, &all[l]
		q.step = [3][3]int{{1, f, f * e}, {1, e, e * f}, {1, e, e * e}}
		for i := range n * n * n {
			for a := range 3 {
				at := 0
				for b, x := range [3]int{i % n, i / n % n, i / (n * n)} {
					if b != a {
						x++
					}
					at += x * q.step[a][b]
				}
				q.at[a][i] = int32(at)
			}
		}
	}
	return all
}

// middles are the centres of a block's cells, by level and axis, cells from its low corner.
var middles = makeMiddles()

func makeMiddles() (all [layout.MaxLevel + 1]ways) {
	for l := range all {
		n := 1 << l
		for i := range n * n * n {
			for a := range 3 {
				all[l][a][i] = float32(i>>(l*a)&(n-1)) + .5
			}
		}
	}
	return all
}
