package tracktest

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// explicitMesh tracks the shape with a mesh of constant edge length, with collision safety. As in the source nothing merges and no volume is
// corrected.
//
// Source: Brochu 2006, chapter 6.
type explicitMesh struct {
	k       scenario
	tracker trimesh.Tracker
	start   surfaceMesh
	pool    *par.Pool
}

// near is the distance, in edges, below which parts of the surface are pushed apart: so small that the flow alone moves them.
const near = 1e-3

// newExplicitMesh covers the shape with a mesh of about so many vertices, and returns it and the number of steps.
func newExplicitMesh(k scenario, vertices int) (carrier, int, error) {
	c := &explicitMesh{k: k, pool: par.New(1)}
	length := c.cover(vertices)
	c.tracker.Length = func(dst []float64, at []r3.Vec) {
		for i := range dst {
			dst[i] = length
		}
	}
	c.tracker.Mover.Near, c.tracker.Mover.Pool = near*length, c.pool
	for range improvements {
		c.tracker.Improver.Improve(&c.tracker.Mesh, c.tracker.Length)
	}
	c.tracker.Mesh.Compact()
	positions, triangles := c.surface()
	c.start = surfaceMesh{append([]r3.Vec{}, positions...), append([][3]int32{}, triangles...)}
	return c, stepsFor(k, length), nil
}

// improvements is the number of improvements of a new mesh, after which little changes.
const improvements = 4

// cover makes the mesh, and returns its target edge length, m.
func (c *explicitMesh) cover(vertices int) float64 {
	// Equilateral triangles, two per vertex, have an area of √3/4 of the squared edge each.
	rough := contoured(c.k, layout.Edge*6)
	length := math.Sqrt(2 * rough.area() / (math.Sqrt(3) * float64(vertices)))
	fine := contoured(c.k, layout.Edge*max(2, int(math.Round(1/(length*layout.Edge)))))
	m := &c.tracker.Mesh
	for _, x := range fine.positions {
		m.AddVertex(c.k.project(x), 0)
	}
	for _, t := range fine.triangles {
		m.AddTriangle(t[0], t[1], t[2], 0)
	}
	return length
}

// contoured returns the shape's surface, sampled with cells per edge of the unit cube.
func contoured(k scenario, cells int) surfaceMesh {
	n, pool := cells/layout.Edge, par.New(1)
	defer pool.Close()
	c := contour.New(layout.New([3]float64{}, 1/float64(cells), [3]int{n, n, n}, layout.MaxLevel), pool, 1)
	c.Set(k.shape)
	positions, triangles, _ := c.Mesh()
	return surfaceMesh{positions, triangles}
}

// project returns the projection of a point near the shape's surface onto the surface.
func (k *scenario) project(x r3.Vec) r3.Vec {
	const h = 1e-3
	var d [7]float32
	pts := [7]r3.Vec{x, x, x, x, x, x, x}
	pts[1].X, pts[2].X = x.X+h, x.X-h
	pts[3].Y, pts[4].Y = x.Y+h, x.Y-h
	pts[5].Z, pts[6].Z = x.Z+h, x.Z-h
	k.shape(d[:], pts[:])
	slope := r3.Vec{X: float64(d[1] - d[2]), Y: float64(d[3] - d[4]), Z: float64(d[5] - d[6])}
	steep := r3.Norm(slope)
	if steep < h { // at an edge of the shape
		return x
	}
	return r3.Sub(x, r3.Scale(float64(d[0])/steep, slope))
}

func (c *explicitMesh) close() { c.pool.Close() }

func (c *explicitMesh) advance(t, dt float64) (seconds float64, err error) {
	begun := time.Now()
	report := c.tracker.Step(func(dst, at []r3.Vec, time float64) {
		for i, x := range at {
			dst[i] = c.k.velocity(x, time)
		}
	}, t, dt)
	seconds = time.Since(begun).Seconds()
	if report.Fraction < 1 {
		return seconds, fmt.Errorf("collisions stopped the mesh after %.3f of a step: %+v", report.Fraction, report.MoveReport)
	}
	return seconds, nil
}

// surface returns the mesh, which each step compacts first.
func (c *explicitMesh) surface() ([]r3.Vec, [][3]int32) {
	m := &c.tracker.Mesh
	return m.Position, m.Triangle
}

func (c *explicitMesh) compare() (volume, l1 float64) { return c.start.compare(c.surface()) }
