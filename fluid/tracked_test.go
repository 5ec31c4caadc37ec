package fluid_test

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// sampled is a surface tracker for tests that knows nothing of blocks: distances on a uniform lattice of half the finest cells' spacing, over all
// of the grid and a margin. Its motion is semi-Lagrangian, with cubic interpolation.
type sampled struct {
	low      r3.Vec // the first sample
	h        float64
	n        [3]int
	d, kept  []float32 // m; kept: as it was settled
	work     []float32
	pts, vel []r3.Vec
	can      track.Abilities
	calls    struct{ resized, changed, boxes, settled, reverted int }
}

// sampledBand is how far from the surface distances are kept, in samples' spacings: more than the blocks' band of three of the coarsest cells.
const sampledBand = 2*3*8 + 2

func newSampled(m *cubes.Blocks) *sampled {
	const margin = 3
	t := &sampled{h: m.CellSize / 2}
	whole := m.Grid.Whole()
	for a, e := range array(r3.Sub(whole.Max, whole.Min)) {
		t.n[a] = int(math.Round(e/t.h)) + 2*margin + 1
	}
	t.low = r3.Sub(whole.Min, r3.Vec{X: margin * t.h, Y: margin * t.h, Z: margin * t.h})
	size := t.n[0] * t.n[1] * t.n[2]
	t.d, t.kept, t.work = make([]float32, size), make([]float32, size), make([]float32, size)
	t.pts, t.vel = make([]r3.Vec, size), make([]r3.Vec, size)
	for i := range t.d {
		t.d[i] = t.band()
	}
	copy(t.kept, t.d)
	return t
}

func (t *sampled) band() float32 { return float32(sampledBand * t.h) }

// at is the place of a sample.
func (t *sampled) at(i int) r3.Vec {
	x, y, z := i%t.n[0], i/t.n[0]%t.n[1], i/(t.n[0]*t.n[1])
	return r3.Add(t.low, r3.Vec{X: float64(float64(x) * t.h), Y: float64(float64(y) * t.h), Z: float64(float64(z) * t.h)})
}

// places are those of all samples.
func (t *sampled) places() []r3.Vec {
	for i := range t.pts {
		t.pts[i] = t.at(i)
	}
	return t.pts
}

// local is a place in spacings from the first sample, no further out than so many from the ends.
func (t *sampled) local(x r3.Vec, margin float64) (cell [3]int, part [3]float32) {
	for a, v := range array(r3.Scale(1/t.h, r3.Sub(x, t.low))) {
		v = max(margin, min(float64(t.n[a])-2-margin, v))
		cell[a] = int(v)
		part[a] = float32(v - float64(cell[a]))
	}
	return cell, part
}

func (t *sampled) Distance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		c, u := t.local(x, 0)
		sum := float32(0)
		for k := range 8 {
			w, at := float32(1), 0
			for a, stride := range [3]int{1, t.n[0], t.n[0] * t.n[1]} {
				if k>>a&1 == 1 {
					w *= u[a]
					at += (c[a] + 1) * stride
				} else {
					w *= 1 - u[a]
					at += c[a] * stride
				}
			}
			sum += float32(w * t.d[at])
		}
		dst[i] = sum
	}
}

// cubic is Catmull and Rom's interpolant.
func (t *sampled) cubic(x r3.Vec) float32 {
	c, u := t.local(x, 1)
	var w [3][4]float32
	for a, u := range u {
		w[a] = [4]float32{
			u * (-.5 + float32(u*(1-float32(.5*u)))), 1 + float32(u*u*(-2.5+float32(1.5*u))),
			u * (.5 + float32(u*(2-float32(1.5*u)))), u * u * (-.5 + float32(.5*u)),
		}
	}
	sum := float32(0)
	for k := range 4 {
		for j := range 4 {
			row := t.d[c[0]-1+t.n[0]*(c[1]-1+j+t.n[1]*(c[2]-1+k)):][:4]
			line := float32(w[0][0]*row[0]) + float32(w[0][1]*row[1]) + float32(w[0][2]*row[2]) + float32(w[0][3]*row[3])
			sum += float32(float32(w[1][j]*w[2][k]) * line)
		}
	}
	return sum
}

func (t *sampled) Advance(by *track.Motion) {
	velocity, dt := by.Velocity, by.Dt
	pts := t.places()
	velocity(t.vel, pts)
	for i, u := range t.vel {
		pts[i] = r3.Sub(t.at(i), r3.Scale(dt/2, u))
	}
	velocity(t.vel, pts)
	moved := false
	for i, u := range t.vel {
		t.work[i] = t.d[i]
		if u != (r3.Vec{}) {
			t.work[i] = t.cubic(r3.Sub(t.at(i), r3.Scale(dt, u)))
			moved = true
		}
	}
	if moved {
		t.d, t.work = t.work, t.d
		t.redistance()
	}
}

func (t *sampled) Union(s shapes.SDF, _ int32) {
	s.Eval(t.work, t.places())
	for i, d := range t.work {
		t.d[i] = min(t.d[i], d)
	}
	t.redistance()
}

func (t *sampled) Subtract(s shapes.SDF) {
	s.Eval(t.work, t.places())
	for i, d := range t.work {
		t.d[i] = max(t.d[i], -d)
	}
	t.redistance()
}

func (t *sampled) ApplyChange(c *track.Change) {
	boxes, change := c.Boxes, c.Apply
	t.calls.changed++
	t.calls.boxes += len(boxes)
	in := make([]bool, len(t.d))
	for _, b := range boxes {
		lo, _ := t.local(b.Min, 0)
		hi, _ := t.local(r3.Add(b.Max, r3.Vec{X: t.h, Y: t.h, Z: t.h}), 0)
		for z := lo[2]; z <= hi[2]; z++ {
			for y := lo[1]; y <= hi[1]; y++ {
				for x := lo[0]; x <= hi[0]; x++ {
					i := x + t.n[0]*(y+t.n[1]*z)
					p := t.at(i)
					in[i] = in[i] || p.X >= b.Min.X && p.X < b.Max.X && p.Y >= b.Min.Y && p.Y < b.Max.Y && p.Z >= b.Min.Z && p.Z < b.Max.Z
				}
			}
		}
	}
	for i := range t.d {
		if in[i] {
			var d [1]float32
			d[0] = t.d[i]
			change(d[:], []r3.Vec{t.at(i)})
			t.d[i] = d[0]
		}
	}
	t.redistance()
}

// redistance keeps the samples beside the surface, each set right by the slope there, and solves for the distance of the others by fast sweeping
// (Zhao 2005).
func (t *sampled) redistance() {
	strides := [3]int{1, t.n[0], t.n[0] * t.n[1]}
	h, band := float32(t.h), t.band()
	for i, d := range t.d {
		at := [3]int{i % t.n[0], i / t.n[0] % t.n[1], i / (t.n[0] * t.n[1])}
		beside, slope := false, float32(0)
		for a, s := range strides {
			lo, hi, w := i, i, float32(0)
			if at[a] > 0 {
				lo, w = i-s, w+1
			}
			if at[a] < t.n[a]-1 {
				hi, w = i+s, w+1
			}
			beside = beside || (t.d[lo] < 0) != (d < 0) || (t.d[hi] < 0) != (d < 0)
			g := (t.d[hi] - t.d[lo]) / (w * h)
			slope += float32(g * g)
		}
		switch {
		case beside && slope > .01:
			t.work[i] = d / max(.5, min(2, float32(math.Sqrt(float64(slope)))))
		case beside:
			t.work[i] = d
		case d < 0:
			t.work[i] = -band - 1
		default:
			t.work[i] = band + 1
		}
	}
	fixed := make([]bool, len(t.d))
	for i, d := range t.work {
		fixed[i] = d < band+1 && d > -band-1
	}
	t.d, t.work = t.work, t.d
	for dir := range 8 {
		t.sweep(dir, fixed)
	}
	for i, d := range t.d {
		t.d[i] = max(-band, min(band, d))
	}
}

func (t *sampled) sweep(dir int, fixed []bool) {
	h := float32(t.h)
	along := func(a, k int) int {
		if dir>>a&1 == 1 {
			return t.n[a] - 1 - k
		}
		return k
	}
	strides := [3]int{1, t.n[0], t.n[0] * t.n[1]}
	for kz := range t.n[2] {
		for ky := range t.n[1] {
			for kx := range t.n[0] {
				at := [3]int{along(0, kx), along(1, ky), along(2, kz)}
				i := at[0] + at[1]*strides[1] + at[2]*strides[2]
				if fixed[i] {
					continue
				}
				d := t.d[i]
				sign := float32(1)
				if d < 0 {
					sign = -1
				}
				var u [3]float32
				for a, s := range strides {
					u[a] = math.MaxFloat32
					if at[a] > 0 {
						u[a] = min(u[a], sign*t.d[i-s])
					}
					if at[a] < t.n[a]-1 {
						u[a] = min(u[a], sign*t.d[i+s])
					}
				}
				if v := eikonal(u, h); v < sign*d {
					t.d[i] = sign * v
				}
			}
		}
	}
}

// eikonal is Godunov's solution of |∇d| = 1 from the least neighbours along the axes.
func eikonal(u [3]float32, h float32) float32 {
	a, b, c := u[0], u[1], u[2]
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	v := a + h
	if v > b {
		v = (a + b + float32(math.Sqrt(float64(float32(2*h*h)-float32((a-b)*(a-b)))))) / 2
		if v > c {
			s := a + b + c
			v = (s + float32(math.Sqrt(max(0, float64(float32(s*s)-3*(float32(a*a)+float32(b*b)+float32(c*c)-float32(h*h))))))) / 3
		}
	}
	return v
}

func (t *sampled) Resized(*track.Motion) { t.calls.resized++ }

func (t *sampled) Settle() {
	t.calls.settled++
	copy(t.kept, t.d)
}

func (t *sampled) Revert() {
	t.calls.reverted++
	copy(t.d, t.kept)
}

func (t *sampled) Code(c *codec.Codec) {
	c.Part("samples")
	d := t.d
	if c.Checking() {
		d = nil
	}
	c.Float32s(d, len(t.d), -1e6, 1e6)
	if c.Reading() {
		t.Settle()
	}
}

func (t *sampled) Most() int { return 4*len(t.d) + 64 }

func (t *sampled) Abilities() *track.Abilities { return &t.can }
