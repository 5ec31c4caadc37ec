package controls_test

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// capsuleMesh is a sphere, refined n times, whose halves are length apart along the y axis, m.
func capsuleMesh(length, radius float64, n int) *movingMesh {
	m := sphereMesh(n, radius)
	for i := range m.rest {
		x := &m.rest[i]
		switch {
		case x.Y > 0:
			x.Y += length / 2
		case x.Y < 0:
			x.Y -= length / 2
		}
	}
	return m
}

// limb is a capsule of a figure, in the figure's own plane: x to the side, y up.
type limb struct {
	length, radius float64
	at             func(t float64) (x, y, angle float64) // its middle, m, and how far it is turned from y towards -x
}

// figure is a surface of capsules that overlap at their joints.
type figure struct {
	limbs     []limb
	meshes    []*movingMesh
	triangles [][3]int32
	place     func(t float64) (middle r3.Vec, turn float64) // of its origin, and around y
}

// end is the end of a bone that begins at x, y and goes length in a direction, counted from y down: 0 is down, π/2 to the side.
func end(x, y, length, angle float64) (float64, float64) {
	return x + length*math.Sin(angle), y - length*math.Cos(angle)
}

// newFigure is a figure 1.4 m tall that walks about, turns and swings its arms and legs; no part is thinner than .17 m. rate scales its clock.
func newFigure(rate float64) *figure {
	f := &figure{place: func(t float64) (r3.Vec, float64) {
		p := rate * phase(t)
		return r3.Vec{X: .2 * math.Sin(2*p), Y: 1 + .1*math.Sin(3*p), Z: .2 * math.Sin(1.5*p)}, math.Sin(p)
	}}
	f.limbs = []limb{
		{.4, .17, func(float64) (float64, float64, float64) { return 0, .15, 0 }},
		{0, .15, func(float64) (float64, float64, float64) { return 0, .6, 0 }},
	}
	for _, side := range [2]float64{1, -1} {
		const bone, thick = .26, .085
		shoulder := func(t float64) float64 { return side * (1.5 + .4*math.Sin(2*rate*phase(t)+side)) }
		elbow := func(t float64) float64 { return shoulder(t) + side*(.4+.4*math.Sin(3*rate*phase(t))) }
		middle := func(x, y, length, angle float64) (float64, float64, float64) {
			mx, my := end(x, y, length/2, angle)
			return mx, my, angle
		}
		f.limbs = append(f.limbs,
			limb{bone, thick, func(t float64) (float64, float64, float64) { return middle(side*.14, .33, bone, shoulder(t)) }},
			limb{bone, thick, func(t float64) (float64, float64, float64) {
				x, y := end(side*.14, .33, bone, shoulder(t))
				return middle(x, y, bone, elbow(t))
			}},
			limb{.45, .1, func(t float64) (float64, float64, float64) {
				return middle(side*.12, -.08, .45, side*(.65+.15*math.Sin(2*rate*phase(t))))
			}})
	}
	f.build()
	return f
}

// build makes the limbs' meshes.
func (f *figure) build() {
	f.meshes, f.triangles = nil, nil
	first := int32(0)
	for _, l := range f.limbs {
		m := capsuleMesh(l.length, l.radius, 3)
		for _, t := range m.triangles {
			f.triangles = append(f.triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
		}
		first += int32(len(m.rest))
		f.meshes = append(f.meshes, m)
	}
}

func (f *figure) Duration() float64 { return 0 }

func (f *figure) At(t float64, to *control.Mesh) {
	const dt = 1e-4
	to.Positions, to.Velocities = f.appendPositions(to.Positions[:0], t), f.appendPositions(to.Velocities[:0], t+dt)
	to.Triangles, to.Revision = f.triangles, 1
	for i, before := range f.appendPositions(nil, t-dt) {
		to.Velocities[i] = r3.Scale(1/(2*dt), r3.Sub(to.Velocities[i], before))
	}
}

func (f *figure) appendPositions(dst []r3.Vec, t float64) []r3.Vec {
	for i, l := range f.limbs {
		x, y, angle := l.at(t)
		sin, cos := math.Sincos(angle)
		for _, v := range f.meshes[i].rest {
			dst = append(dst, f.toWorld(r3.Vec{X: x + v.X*cos - v.Y*sin, Y: y + v.X*sin + v.Y*cos, Z: v.Z}, t))
		}
	}
	return dst
}

func (f *figure) toWorld(x r3.Vec, t float64) r3.Vec {
	middle, turn := f.place(t)
	sin, cos := math.Sincos(turn)
	return r3.Add(middle, r3.Vec{X: x.X*cos + x.Z*sin, Y: x.Y, Z: x.Z*cos - x.X*sin})
}

// hidden tells whether a vertex is within another limb than its own.
func (f *figure) hidden(vertex int, x r3.Vec, t float64) bool {
	for i, l := range f.limbs {
		if vertex -= len(f.meshes[i].rest); vertex >= -len(f.meshes[i].rest) && vertex < 0 {
			continue // its own
		}
		mx, my, angle := l.at(t)
		sin, cos := math.Sincos(angle)
		along := r3.Vec{X: -l.length / 2 * sin, Y: l.length / 2 * cos}
		middle := r3.Vec{X: mx, Y: my}
		a, b := f.toWorld(r3.Sub(middle, along), t), f.toWorld(r3.Add(middle, along), t)
		if segmentDistance(x, a, b) < l.radius {
			return true
		}
	}
	return false
}
