// Package ripples finds the ripples of a triangle mesh that are shorter than a given length: how far each vertex is from where the surface would be
// without them.
package ripples

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Fairing is a low-pass filter S of a mesh's vertices: Pass times each goes a part of the way to the mean of those around it. What ripples there
// are is (1-S)³ x along the normal: the third power lets go of what is longer, and of the mean curvature of a drop.
//
// Source: Taubin 1995, "A signal processing approach to fair surface design": transfer functions of such filters.
type Fairing struct {
	// Passes make an S: (length of an edge)² times that times part/2 is the variance of the Gaussian that S amounts to.
	Passes int
	// Normal is the last surface's per vertex: unit, or 0 where there is none.
	Normal []r3.Vec

	positions         []r3.Vec
	triangles         [][3]int32
	even              []float64 // per vertex: how much of what is around has the same normal, 0 to 1
	first             []int32   // per vertex, and one more: where in around the vertices around it begin, each once for a triangle
	around            []int32
	next              []int32
	full, rest, other []r3.Vec // what S is applied to, and scratch
	from, to          []r3.Vec // arguments of the loop in progress
}

// part is how far a pass goes.
const part = .75

// Surfaces whose normals' mean, under S, is shorter than leastEven are rims, tips and drops: they have no ripples. From mostEven on all is ripples.
const (
	leastEven = .85
	mostEven  = .95
)

// PassesFor is how many passes S has where edges are so many times shorter than the length: of waves of two lengths half is ripples, of those of eight nothing.
func PassesFor(finer int) int { return max(1, finer*finer/2) }

// Ripples writes how far vertices are from where they would be without ripples, along their normals, in the unit of the positions. Triangles whose first corner is
// negative are none.
func (f *Fairing) Ripples(dst []float64, pool *par.Pool, positions []r3.Vec, triangles [][3]int32) {
	f.positions, f.triangles = positions, triangles
	f.link()
	n := len(positions)
	f.full, f.rest, f.other = arrays.Resize(f.full, n), arrays.Resize(f.rest, n), arrays.Resize(f.other, n)
	copy(f.full, f.Normal)
	f.smooth(pool)
	f.even = arrays.Resize(f.even, n)
	for v, x := range f.full {
		f.even[v] = reproducible.Norm(x)
	}
	copy(f.full, positions)
	for range 3 {
		copy(f.rest, f.full)
		f.smooth(pool)
		for v := range f.full {
			f.full[v] = r3.Sub(f.rest[v], f.full[v])
		}
	}
	for v, x := range f.full {
		weight := max(0, min(1, (f.even[v]-leastEven)/(mostEven-leastEven)))
		dst[v] = float64(weight * reproducible.Dot(x, f.Normal[v]))
	}
	f.positions, f.triangles = nil, nil
}

// link lists what is around each vertex, and makes the normals.
func (f *Fairing) link() {
	n := len(f.positions)
	f.first, f.Normal = arrays.Resize(f.first, n+1), arrays.Resize(f.Normal, n)
	clear(f.first)
	clear(f.Normal)
	for _, t := range f.triangles {
		if t[0] < 0 {
			continue
		}
		a, b, c := f.positions[t[0]], f.positions[t[1]], f.positions[t[2]]
		area := geom.TwiceArea(a, b, c)
		for _, v := range t {
			f.first[v+1] += 2
			f.Normal[v] = r3.Add(f.Normal[v], area)
		}
	}
	for v := range n {
		f.first[v+1] += f.first[v]
		if size := reproducible.Norm(f.Normal[v]); size > 0 {
			f.Normal[v] = reproducible.Scale(1/size, f.Normal[v])
		}
	}
	f.around = arrays.Resize(f.around, int(f.first[n]))
	f.next = append(f.next[:0], f.first[:n]...)
	for _, t := range f.triangles {
		if t[0] < 0 {
			continue
		}
		for k, v := range t {
			f.around[f.next[v]], f.around[f.next[v]+1] = t[(k+1)%3], t[(k+2)%3]
			f.next[v] += 2
		}
	}
}

// smooth applies S to full.
func (f *Fairing) smooth(pool *par.Pool) {
	for range f.Passes {
		f.from, f.to = f.full, f.other
		par.For(pool, len(f.full), 512, f, (*Fairing).pass)
		f.full, f.other = f.other, f.full
	}
	f.from, f.to = nil, nil
}

func (f *Fairing) pass(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		list, x := f.around[f.first[v]:f.first[v+1]], f.from[v]
		if len(list) > 0 {
			var sum r3.Vec
			for _, w := range list {
				sum = r3.Add(sum, f.from[w])
			}
			x = r3.Add(reproducible.Scale(1-part, x), reproducible.Scale(part/float64(len(list)), sum))
		}
		f.to[v] = x
	}
}

// Share is the part of ripples shorter than two lengths that goes in a step of dt, s: at the rate at which a wave of that length in deep liquid swings.
//
// gravity: m/s²; length: m.
func Share(gravity, length, dt float64) float64 {
	r := float64(math.Sqrt(math.Pi*gravity/length) * dt)
	return r / (1 + r)
}
