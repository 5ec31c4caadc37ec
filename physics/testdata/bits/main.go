// Command bits steps bodies of all shapes and joints and prints a hash of them after each step, for builds to be
// compared.
package main

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func main() {
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	const side = 9
	hills := physics.HeightFieldDef{Columns: side, Rows: side, SpacingX: 1, SpacingZ: 1}
	for k := range side * side {
		hills.Heights = append(hills.Heights, float64(k*k%7)/20)
	}
	add(w, physics.BodyDef{Position: r3.Vec{X: -4, Z: -4}}, physics.HeightField(hills))
	add(w, physics.BodyDef{Position: r3.Vec{Y: -1}}, physics.HalfSpace(r3.Vec{}, r3.Vec{X: .1, Y: 1, Z: .2}))
	roof := []r3.Vec{{X: -1, Y: .6, Z: -1}, {X: 1, Y: .5, Z: -1}, {Y: .9, Z: 1}}
	add(w, physics.BodyDef{}, physics.Mesh(physics.MeshDef{Vertices: roof, Triangles: [][3]int32{{0, 2, 1}}, TwoSided: true}))
	add(w, physics.BodyDef{Position: r3.Vec{X: 1.5, Y: .5}}, physics.SDF(ball, r3.Box{Min: r3.Vec{X: -.5, Y: -.5, Z: -.5}, Max: r3.Vec{X: .5, Y: .5, Z: .5}}))

	rock := []r3.Vec{{X: .3}, {X: -.2, Y: .1}, {Y: .25, Z: .05}, {Y: -.3}, {Z: .2}, {X: .1, Z: -.25}, {X: .2, Y: .2, Z: .1}}
	shapes := []physics.Geometry{physics.Sphere(r3.Vec{}, .2), physics.Capsule(r3.Vec{Y: -.15}, r3.Vec{Y: .15}, .15), physics.Cylinder(r3.Vec{Y: -.15}, r3.Vec{Y: .15}, .2), physics.Box(physics.Centred(.4, .3, .5)), physics.Hull(rock), physics.OpenBox(physics.Centred(.5, .3, .4), .03)}
	var bodies []physics.Body
	for k := range 48 {
		at := r3.Vec{X: float64(float64(k%4)*.6) - 1, Y: 1.5 + float64(float64(k/16)*.7), Z: float64(float64(k/4%4)*.6) - 1}
		turn := quat.Number{Real: 1, Imag: float64(k%5) / 3, Jmag: float64(k%7) / 5, Kmag: float64(k%3) / 7}
		spin := r3.Vec{X: float64(k%3) - 1, Y: float64(k % 11 * 4), Z: float64(k%7) / 7}
		bodies = append(bodies, add(w, physics.BodyDef{Kind: physics.Dynamic, Position: at, Rotation: turn, AngularVelocity: spin}, shapes[k%len(shapes)]))
	}
	for k, d := range []physics.JointDef{
		{Kind: physics.FixedJoint, Soft: physics.Spring{Frequency: 8, Damping: .5}},
		{Kind: physics.HingeJoint, Axis: r3.Vec{X: 1, Y: .3}, Motor: physics.Motor{Speed: 3, Max: 2}},
		{Kind: physics.SliderJoint, Axis: r3.Vec{Z: 1, Y: .2}, Spring: physics.Spring{Frequency: 2, Damping: 3}},
		{Kind: physics.BallJoint, Axis: r3.Vec{Y: -1, X: .1}, Cone: .5, Limits: physics.Limits{Lower: -.4, Upper: .4}},
		{Kind: physics.DistanceJoint, Spring: physics.Spring{Frequency: 2, Damping: .1}},
		{Kind: physics.WheelJoint, Axis: r3.Vec{Y: 1}, Axle: r3.Vec{Z: 1, X: .1}, Spring: physics.Spring{Frequency: 3, Damping: .3}},
	} {
		d.A, d.B = bodies[4*k], bodies[4*k+1]
		d.Anchor = d.A.Position()
		if d.Kind == physics.DistanceJoint {
			d.AnchorB = d.B.Position()
		}
		_, err := w.AddJoint(d)
		check(err)
	}
	for range 240 {
		w.Step(1. / 60)
		fmt.Printf("%016x\n", w.Hash())
	}
}

// ball is the signed distance to one about the origin.
func ball(dst []float32, pts []r3.Vec) {
	for k, p := range pts {
		dst[k] = float32(math.Sqrt(float64(p.X*p.X)+float64(p.Y*p.Y)+float64(p.Z*p.Z)) - .4)
	}
}

func add(w *physics.World, def physics.BodyDef, g physics.Geometry) physics.Body {
	b, err := w.AddBody(def)
	check(err)
	_, err = b.AddShape(physics.ShapeDef{Geometry: g, Density: 400, Material: physics.Material{RollingResistance: .01}})
	check(err)
	return b
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
