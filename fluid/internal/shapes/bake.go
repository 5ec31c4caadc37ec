package shapes

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// maxBakeSamples is the greatest number of samples of [Bake]: 256 MiB of float32.
	maxBakeSamples = 1 << 26
	// bakePad is how many cells the grid extends beyond the bounds: one for the zero set,
	// which interpolation moves by less than a cell, and one for the slope outside it.
	bakePad = 2
)

// gridSDF is a shape sampled on a uniform grid.
type gridSDF struct {
	origin r3.Vec
	cell   float64
	n      [3]int // samples along X, Y, Z
	val    []float32
	bounds r3.Box
}

// Bake samples s on a uniform grid with cells of an edge, m. Outside of the grid the distance is never more than the true one. Bake returns an error if s
// fails [Check], if its bounds are infinite, or if the grid would have more than 2²⁶ samples. It uses all processors; the
// result does not depend on their number.
func Bake(s SDF, cell float64) (SDF, error) {
	if err := Check(s); err != nil {
		return nil, err
	}
	g, err := bake(s, cell)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func bake(s SDF, cell float64) (*gridSDF, error) {
	if !(cell > 0 && cell <= MaxCoord) {
		return nil, fmt.Errorf("cell is %v m; it must be > 0 and ≤ %g m", cell, MaxCoord)
	}
	b := s.Bounds()
	size := r3.Sub(b.Max, b.Min)
	pad := bakePad * cell
	g := &gridSDF{cell: cell, bounds: boxes.Grown(b, cell), origin: r3.Sub(b.Min, r3.Vec{X: pad, Y: pad, Z: pad})}
	samples := 1.0
	for k, v := range [3]float64{size.X, size.Y, size.Z} {
		if !(v >= 0 && v <= 2*MaxCoord) {
			return nil, fmt.Errorf("the bounds are %v m along %c; they must be finite to be baked", v, "XYZ"[k])
		}
		n := math.Ceil(v/cell) + 2*bakePad + 1
		samples *= n
		g.n[k] = int(min(n, maxBakeSamples+1))
	}
	if samples > maxBakeSamples {
		return nil, fmt.Errorf("a cell of %v m needs %.3g samples; at most %d are taken: use a larger cell", cell, samples, maxBakeSamples)
	}
	g.val = make([]float32, g.n[0]*g.n[1]*g.n[2])
	g.fill(s)
	return g, nil
}

// fill evaluates s row by row, on all processors.
func (g *gridSDF) fill(s SDF) {
	rows := int64(g.n[1] * g.n[2])
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), int(rows)) {
		wg.Go(func() {
			pts := make([]r3.Vec, g.n[0])
			for row := next.Add(1) - 1; row < rows; row = next.Add(1) - 1 {
				j, k := int(row)%g.n[1], int(row)/g.n[1]
				for i := range pts {
					at := r3.Vec{X: float64(i), Y: float64(j), Z: float64(k)}
					pts[i] = r3.Add(g.origin, reproducible.Scale(g.cell, at))
				}
				s.Eval(g.val[int(row)*g.n[0]:][:g.n[0]], pts)
			}
		})
	}
	wg.Wait()
}

func (g *gridSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	inv := 1 / g.cell
	nx, nxy := g.n[0], g.n[0]*g.n[1]
	for i, p := range pts {
		p = reproducible.Scale(inv, r3.Sub(p, g.origin))
		x, fx, ox := gridAxis(p.X, g.n[0])
		y, fy, oy := gridAxis(p.Y, g.n[1])
		z, fz, oz := gridAxis(p.Z, g.n[2])
		at := x + y*nx + z*nxy
		lo, hi := g.val[at:at+nx+2], g.val[at+nxy:at+nxy+nx+2]
		a := lerp(lerp(lo[0], lo[1], fx), lerp(lo[nx], lo[nx+1], fx), fy)
		b := lerp(lerp(hi[0], hi[1], fx), lerp(hi[nx], hi[nx+1], fx), fy)
		f := lerp(a, b, fz)
		if out2 := float64(ox*ox) + float64(oy*oy) + float64(oz*oz); out2 != 0 {
			// f is the distance at the nearest point of the grid, whose solid is convexly
			// enclosed: the nearest surface is at least this far from p.
			v := float64(max(f, 0))
			f = float32(math.Sqrt(float64(v*v) + float64(out2*g.cell*g.cell)))
		}
		dst[i] = f
	}
}

// gridAxis splits a coordinate in cells into the cell, the position in it, and the distance from
// the grid. NaN is NaN from the grid.
func gridAxis(u float64, n int) (cell int, frac float32, off float64) {
	c := u
	if !(c > 0) {
		c = 0
	}
	c = min(c, float64(n-1))
	cell = min(int(c), n-2)
	return cell, float32(c - float64(cell)), u - c
}

func lerp(a, b, t float32) float32 { return a + float32(t*(b-a)) }

func (g *gridSDF) Bounds() r3.Box { return g.bounds }

func (g *gridSDF) Validate() error { return nil }
