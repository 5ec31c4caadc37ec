// Package boundary moves liquid that is known by its surface alone: a closed triangle mesh with a velocity per face, whose inside has neither divergence nor curl but for a rotation as a whole. It needs no grid. It
// stands on the integrals of package bem.
//
// So far it has drops in the air, without solids and without changes of the mesh.
//
// Sources: Da, Hahn, Batty, Wojtan, Grinspun 2016, Surface-Only Liquids; Brochu 2006, chapters 4 and 5.
package boundary

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/bem"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ErrNotFinite says that a step would have made a velocity or a place that is not finite.
var ErrNotFinite = errors.New("boundary: a velocity is not finite")

// Drop is liquid in the air within one closed surface.
type Drop struct {
	At        []r3.Vec   // m
	Triangles [][3]int32 // counter-clockwise seen from outside
	Velocity  []r3.Vec   // of each face, m/s

	Density float64 // kg/m³
	Tension float64 // N/m
	Gravity r3.Vec  // m/s²
	Volume  float64 // to be kept, m³; 0: that of the first step

	solver   bem.Solver
	pressure []float64 // per vertex, over a step: Pa s
	normal   []float64 // derivative of the pressure, per face
	share    []float64 // area of each vertex, m²
	pull     []r3.Vec  // minus the gradient of the area, per vertex
	outward  []r3.Vec  // gradient of the volume, per vertex
	rest     []r3.Vec  // velocity beside a rigid motion, per face
	smooth   []r3.Vec
	vertex   []r3.Vec // velocity, per vertex
	again    []r3.Vec
}

// Step moves the drop on by dt, s. It returns the errors of [bem.Solver.Set] or ErrNotFinite, and leaves the drop as it was then.
func (d *Drop) Step(dt float64) error {
	if len(d.Velocity) != len(d.Triangles) {
		panic(fmt.Sprintf("boundary: %d velocities for %d faces", len(d.Velocity), len(d.Triangles)))
	}
	if err := d.solver.Set(d.At, d.Triangles); err != nil {
		return err
	}
	if d.Volume == 0 {
		d.Volume = d.solver.Volume()
	}
	d.resize()
	d.measure()
	if err := d.decompose(); err != nil {
		return err
	}
	if err := d.press(dt); err != nil {
		return err
	}
	return d.move(dt)
}

func (d *Drop) resize() {
	n, m := len(d.At), len(d.Triangles)
	d.pressure, d.share, d.normal = arrays.Resize(d.pressure, n), arrays.Resize(d.share, n), arrays.Resize(d.normal, m)
	d.pull, d.outward, d.vertex, d.again = arrays.Resize(d.pull, n), arrays.Resize(d.outward, n), arrays.Resize(d.vertex, n), arrays.Resize(d.again, n)
	d.rest, d.smooth = arrays.Resize(d.rest, m), arrays.Resize(d.smooth, m)
}

// decompose sets rest to the part of the velocity that has neither divergence nor curl, and adds the rigid motion that the velocities are nearest to, which is left out meanwhile. The integrals smooth what
// they return; as much is given back as a second time takes away.
func (d *Drop) decompose() error {
	rigid := fitRigid(d.At, d.Triangles, d.Velocity)
	for i, u := range d.Velocity {
		d.rest[i] = r3.Sub(u, rigid.at(centroid(d.At, d.Triangles[i])))
	}
	if err := d.solver.Harmonic(d.rest, d.rest); err != nil {
		return err
	}
	if err := d.solver.Harmonic(d.smooth, d.rest); err != nil {
		return err
	}
	for i, u := range d.rest {
		d.rest[i] = r3.Add(r3.Add(u, r3.Sub(u, d.smooth[i])), rigid.at(centroid(d.At, d.Triangles[i])))
	}
	return nil
}

// press adds gravity to rest, and subtracts the gradient of the pressure that tension makes: γκ·dt at the surface, harmonic inside.
func (d *Drop) press(dt float64) error {
	for v := range d.pressure {
		d.pressure[v] = 0
		if size := float64(reproducible.Norm(d.outward[v]) * d.share[v]); size > 0 {
			d.pressure[v] = -d.Tension * dt * reproducible.Dot(d.pull[v], d.outward[v]) / size
		}
	}
	if err := d.solver.Normal(d.normal, d.pressure); err != nil {
		return err
	}
	for i, t := range d.Triangles {
		a, b, c := d.At[t[0]], d.At[t[1]], d.At[t[2]]
		d.rest[i] = r3.Add(d.rest[i], reproducible.Scale(dt, d.Gravity))
		n := geom.TwiceArea(a, b, c)
		twice := reproducible.Norm(n)
		if twice == 0 {
			continue
		}
		n = reproducible.Scale(1/twice, n)
		sides := r3.Add(r3.Add(reproducible.Scale(d.pressure[t[0]], r3.Sub(c, b)), reproducible.Scale(d.pressure[t[1]], r3.Sub(a, c))), reproducible.Scale(d.pressure[t[2]], r3.Sub(b, a)))
		gradient := r3.Add(reproducible.Scale(1/twice, reproducible.Cross(n, sides)), reproducible.Scale(d.normal[i], n))
		d.rest[i] = r3.Sub(d.rest[i], reproducible.Scale(1/d.Density, gradient))
	}
	return nil
}

// move moves the vertices by the velocities of the faces around, and keeps the volume by a motion along the normals.
//
// The mean over a vertex's faces of what is linear on faces is smoothed; as much is given back as a second mean takes away.
func (d *Drop) move(dt float64) error {
	d.toVertices(d.vertex, func(i int) r3.Vec { return d.rest[i] })
	d.toVertices(d.again, func(i int) r3.Vec {
		t := d.Triangles[i]
		return reproducible.Scale(1./3, r3.Add(d.vertex[t[0]], r3.Add(d.vertex[t[1]], d.vertex[t[2]])))
	})
	volume, area, sum := 0., 0., 0.
	for v := range d.vertex {
		d.vertex[v] = r3.Sub(r3.Add(d.vertex[v], d.vertex[v]), d.again[v])
		d.again[v] = r3.Add(d.At[v], reproducible.Scale(dt, d.vertex[v]))
		area += reproducible.Norm(d.outward[v])
		sum += reproducible.Norm(d.vertex[v])
	}
	if !(sum <= math.MaxFloat64) {
		return ErrNotFinite
	}
	volume = geom.Volume(d.again, d.Triangles)
	out := (d.Volume - volume) / area
	for v := range d.again {
		if n := reproducible.Norm(d.outward[v]); n > 0 {
			d.again[v] = r3.Add(d.again[v], reproducible.Scale(out/n, d.outward[v]))
		}
	}
	copy(d.At, d.again)
	copy(d.Velocity, d.rest)
	return nil
}

// toVertices sets dst to the mean, weighted with areas, of the faces' vectors around each vertex.
func (d *Drop) toVertices(dst []r3.Vec, of func(i int) r3.Vec) {
	clear(dst)
	clear(d.share)
	for i, t := range d.Triangles {
		area := reproducible.Norm(geom.TwiceArea(d.At[t[0]], d.At[t[1]], d.At[t[2]]))
		u := reproducible.Scale(area, of(i))
		for _, v := range t {
			dst[v] = r3.Add(dst[v], u)
			d.share[v] += area
		}
	}
	for v, a := range d.share {
		if a > 0 {
			dst[v] = reproducible.Scale(1/a, dst[v])
		}
	}
}
