package tracktest

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
)

// contouring tracks the shape by semi-Lagrangian contouring, with a liquid's default number of samples per cell and without thickening.
type contouring struct {
	k       scenario
	g       *layout.Grid
	pool    *par.Pool
	contour *contour.Contour
	start   []float32 // liquid fractions
	before  float64   // their sum
}

// contourDetail is the number of samples along a cell's edge. Contouring takes contourSteps times fewer steps than the level set: its error comes
// from sampling, not from tracing.
const (
	contourDetail = 2
	contourSteps  = 2
)

// newContouring covers the unit cube with cells per edge.
func newContouring(k scenario, cells int) *contouring {
	n := cells / layout.Edge
	c := &contouring{k: k, g: layout.New([3]float64{}, 1/float64(cells), [3]int{n, n, n}, layout.MaxLevel), pool: par.New(1)}
	c.contour = contour.New(c.g, c.pool, contourDetail)
	c.contour.Set(k.shape)
	c.contour.Settle()
	c.start = make([]float32, c.g.Cells())
	c.before = c.fractions(c.start)
	return c
}

func (c *contouring) close() { c.pool.Close() }

func (c *contouring) advance(t, dt float64) (seconds float64, err error) {
	begun, middle := time.Now(), t+dt/2
	c.contour.Advance(func(dst, at []r3.Vec) {
		for i, x := range at {
			dst[i] = c.k.velocity(x, middle)
		}
	}, dt)
	c.contour.Settle()
	return time.Since(begun).Seconds(), nil
}

func (c *contouring) surface() ([]r3.Vec, [][3]int32) {
	positions, triangles, _ := c.contour.Mesh()
	return positions, triangles
}

func (c *contouring) compare() (volume, l1 float64) {
	end := make([]float32, c.g.Cells())
	volume = c.fractions(end) / c.before
	for i := range end {
		l1 += math.Abs(float64(end[i]-c.start[i])) / c.before
	}
	return volume, l1
}

// fractions sets dst to the liquid fractions of all cells and returns their sum.
func (c *contouring) fractions(dst []float32) (sum float64) {
	for b, l := range c.g.Cur.Level {
		block := dst[c.g.Cur.First[b]:][:1<<(3*l)]
		c.contour.Fractions(int32(b), block)
		for _, f := range block {
			sum += float64(f)
		}
	}
	return sum
}
