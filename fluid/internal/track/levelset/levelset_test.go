package levelset

import (
	"hash/fnv"
	"math"
	"testing"
	"unsafe"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// trial is a level set with its grid, velocity tiles and pool.
type trial struct {
	g    *layout.Grid
	pool *par.Pool
	s    *LevelSet
	u    [3][]float32
	v    *layout.Velocity
}

// newTrial makes a grid of dim base cells whose finest cells are h, all at the level.
func newTrial(tb testing.TB, dim [3]int, h float64, level uint8, workers int) *trial {
	t := &trial{g: layout.New([3]float64{}, h, dim, level), pool: par.New(workers)}
	tb.Cleanup(t.pool.Close)
	t.g.OnGrow(func(n int) {
		for a := range t.u {
			t.u[a] = arrays.Lengthen(t.u[a], n)
		}
	})
	t.v = layout.NewVelocity(t.g)
	t.s = NewLevelSet(t.g, t.pool)
	return t
}

// eachCell visits the cells of Cur with their centres.
func (t *trial) eachCell(f func(b int32, c int, x r3.Vec, h float64)) {
	for b := range int32(t.g.Bases()) {
		l := t.g.Cur.Level[b]
		n, h, lo := 1<<l, t.g.CellSize(l), t.g.Corner(b)
		for i := range n * n * n {
			x := r3.Vec{X: lo[0] + (float64(i%n)+.5)*h, Y: lo[1] + (float64(i/n%n)+.5)*h, Z: lo[2] + (float64(i/n/n)+.5)*h}
			f(b, int(t.g.Cur.First[b])+i, x, h)
		}
	}
}

// flow sets the face velocities of a settled layout, nothing through the grid's ends.
func (t *trial) flow(u func(x r3.Vec) r3.Vec) {
	for b := range int32(t.g.Bases()) {
		for a := range 3 {
			t.g.EachFace(b, a, func(slot int32, x [3]float64) {
				w := u(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
				t.u[a][slot] = float32([3]float64{w.X, w.Y, w.Z}[a])
			})
		}
	}
	t.v.Gather(t.pool, &t.u)
}

func (t *trial) volume() float64 {
	return t.fractions(make([]float32, t.g.Cells()))
}

// fractions writes the liquid fraction of all cells and returns the volume of the liquid, m³.
func (t *trial) fractions(f []float32) (volume float64) {
	for b, l := range t.g.Cur.Level {
		h := t.g.CellSize(l)
		block := f[t.g.Cur.First[b]:][:1<<(3*l)]
		t.s.Fraction(0, int32(b), block)
		for _, v := range block {
			volume += float64(v) * h * h * h
		}
	}
	return volume
}

func (t *trial) step(dt float64) {
	t.s.Advance(t.v, dt)
	t.g.Settle()
	t.s.Publish()
}

func (t *trial) hash() uint64 {
	h := fnv.New64a()
	t.eachCell(func(_ int32, c int, _ r3.Vec, _ float64) { h.Write(bytesOf(t.s.Phi[c : c+1])) })
	h.Write(bytesOf(t.s.Markers.Radius))
	h.Write(bytesOf(t.s.Markers.Position))
	h.Write(bytesOf(t.s.Markers.Spray.Position))
	return h.Sum64()
}

func bytesOf[T any](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

func ball(c r3.Vec, r float64) func([]float32, []r3.Vec) {
	return func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(r3.Norm(r3.Sub(p, c)) - r)
		}
	}
}

func halfSpace(n r3.Vec, d float64) func([]float32, []r3.Vec) {
	n = r3.Unit(n)
	return func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(r3.Dot(p, n) - d)
		}
	}
}

func TestTiltedPlaneAtRestKeepsItsBits(t *testing.T) {
	for _, n := range []r3.Vec{{Z: 1}, {X: .3, Z: 1}, {X: -.5, Y: .8, Z: .6}, {X: 1, Y: 1, Z: 1}} {
		q := newTrial(t, [3]int{3, 3, 3}, .05, 3, 1)
		q.s.Markers.Smooth = 0 // markers must not move it either
		q.s.Set(halfSpace(n, r3.Dot(r3.Unit(n), r3.Vec{X: .6, Y: .61, Z: .58})))
		q.s.Publish()
		before := append([]float32(nil), q.s.Phi...)
		worst := 0.
		q.eachCell(func(_ int32, c int, x r3.Vec, h float64) {
			want := r3.Dot(r3.Unit(n), r3.Sub(x, r3.Vec{X: .6, Y: .61, Z: .58}))
			worst = max(worst, math.Abs(math.Max(-3*h, math.Min(3*h, want))-float64(q.s.Phi[c])))
		})
		if worst > 1e-6 {
			t.Errorf("normal %v: Set is off by %g", n, worst)
		}
		q.flow(func(r3.Vec) r3.Vec { return r3.Vec{} })
		for range 50 {
			q.step(1. / 60)
		}
		for c := range before {
			if before[c] != q.s.Phi[c] {
				t.Fatalf("normal %v: φ of cell %d went from %g to %g", n, c, before[c], q.s.Phi[c])
			}
		}
		if q.s.Markers.Len() == 0 {
			t.Error("no markers")
		}
	}
}

func TestSphereTranslates(t *testing.T) {
	q := newTrial(t, [3]int{8, 4, 4}, 1./32, 3, 2)
	c := r3.Vec{X: .4, Y: .5, Z: .5}
	q.s.Set(ball(c, .2))
	q.s.Publish()
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: 1} })
	v0 := q.volume()
	for range 80 {
		q.step(.0125)
	}
	v1, worst := q.volume(), 0.
	q.eachCell(func(_ int32, i int, x r3.Vec, h float64) {
		if d := r3.Norm(r3.Sub(x, r3.Vec{X: 1.4, Y: .5, Z: .5})) - .2; math.Abs(d) < h {
			worst = max(worst, math.Abs(d-float64(q.s.Phi[i]))/h)
		}
	})
	t.Logf("volume %.3g %%, worst φ %.3g h", 100*(v1/v0-1), worst)
	if math.Abs(v1/v0-1) > .01 || worst > .15 {
		t.Errorf("volume %.3g %%, worst φ %.3g h", 100*(v1/v0-1), worst)
	}
}
