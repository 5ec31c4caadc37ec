package tracktest

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/isomesh"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
)

// levelSet tracks the shape with a level set on the finest cells of a grid.
type levelSet struct {
	k        scenario
	g        *layout.Grid
	pool     *par.Pool
	faces    [3][]float32
	velocity *layout.Velocity
	set      *levelset.LevelSet
	mesh     *isomesh.Mesh
	start    []float32 // liquid fractions
	before   float64   // their sum

	positions []r3.Vec
	triangles [][3]int32
}

func newLevelSet(k scenario, cells int) *levelSet {
	n := cells / layout.Edge
	c := &levelSet{k: k, g: layout.New([3]float64{}, 1/float64(cells), [3]int{n, n, n}, layout.MaxLevel), pool: par.New(1)}
	for a := range c.faces {
		c.faces[a] = make([]float32, c.g.Cells())
	}
	c.velocity, c.set = layout.NewVelocity(c.g), levelset.NewLevelSet(c.g, c.pool)
	c.velocity.Gather(c.pool, &c.faces) // at rest: surface may be called before the first step
	c.set.Markers.PerCell = k.perCell
	c.set.Set(k.shape)
	c.set.Publish()
	c.start = make([]float32, c.g.Cells())
	c.before = c.fractions(c.start)
	return c
}

func (c *levelSet) close() { c.pool.Close() }

func (c *levelSet) advance(t, dt float64) (seconds float64, err error) {
	middle := (math.Round(t/dt) + .5) * dt
	for b := range int32(c.g.Bases()) {
		for a := range c.faces {
			c.g.EachFace(b, a, func(slot int32, x [3]float64) {
				v := c.k.onFaces(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, middle)
				c.faces[a][slot] = float32([3]float64{v.X, v.Y, v.Z}[a])
			})
		}
	}
	c.velocity.Gather(c.pool, &c.faces)
	begun := time.Now()
	c.set.Advance(c.velocity, dt)
	c.set.Publish()
	return time.Since(begun).Seconds(), nil
}

func (c *levelSet) surface() ([]r3.Vec, [][3]int32) {
	if c.mesh == nil {
		c.mesh = isomesh.NewMesh(c.g, c.pool)
	}
	c.mesh.Extract(c.set.Tiles, c.velocity, nil, [3]float64{}, [3]float64{1, 1, 1})
	c.positions, c.triangles = c.positions[:0], c.triangles[:0]
	for p := c.mesh.Positions; len(p) > 0; p = p[3:] {
		c.positions = append(c.positions, r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
	}
	for v := c.mesh.Indices; len(v) > 0; v = v[3:] {
		c.triangles = append(c.triangles, [3]int32{int32(v[0]), int32(v[1]), int32(v[2])})
	}
	return c.positions, c.triangles
}

func (c *levelSet) compare() (volume, l1 float64) {
	end := make([]float32, c.g.Cells())
	volume = c.fractions(end) / c.before
	for i := range end {
		l1 += math.Abs(float64(end[i]-c.start[i])) / c.before
	}
	return volume, l1
}

// fractions sets dst to the liquid fractions of all cells and returns their sum.
func (c *levelSet) fractions(dst []float32) (sum float64) {
	for b, l := range c.g.Cur.Level {
		block := dst[c.g.Cur.First[b]:][:1<<(3*l)]
		c.set.Fraction(0, int32(b), block)
		for _, f := range block {
			sum += float64(f)
		}
	}
	return sum
}
