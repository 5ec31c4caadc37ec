package trimesh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// V22: the force on a sphere of 320 faces is 2γA/R in all, inwards at each vertex; its curvature is 2/R.
func TestTensionOfASphere(t *testing.T) {
	const radius = .4
	m := new(soup).add(icosphere(r3.Vec{}, radius, 4), r3.Vec{X: 2}, false).mesh(0)
	var f Tension
	f.Pull(nil, m, m.Position, nil)
	sum := 0.
	for v, x := range m.Position {
		sum -= reproducible.Dot(f.Force[v], r3.Sub(x, r3.Vec{X: 2})) / radius
		if k := f.Curvature[v]; math.Abs(k*radius/2-1) > .02 {
			t.Errorf("vertex %d: curvature %v, want %v", v, k, 2/radius)
		}
	}
	want := 2 / radius * f.measures.SurfaceArea()
	t.Logf("force %v, want %v: %.3f %% off", sum, want, 100*(sum/want-1))
	if m.Triangles() != 320 || math.Abs(sum/want-1) > .02 {
		t.Errorf("%d faces: force %v, want %v", m.Triangles(), sum, want)
	}
}

// Tension pushes nothing as a whole and turns nothing, whatever the shape, and it is the gradient of the area.
func TestTensionConserves(t *testing.T) {
	shape := jolted(torusAround(r3.Vec{}, 1, .3, 40, 16), .05)
	m := shape.mesh(0)
	var f Tension
	f.Pull(nil, m, m.Position, nil)
	var force, torque r3.Vec
	size := 0.
	for v, x := range m.Position {
		force, torque = r3.Add(force, f.Force[v]), r3.Add(torque, reproducible.Cross(x, f.Force[v]))
		size += reproducible.Norm(f.Force[v])
	}
	// Sums of some thousand terms, each rounded to 1e-16 of its size.
	if reproducible.Norm(force) > 1e-14*size || reproducible.Norm(torque) > 1e-14*size {
		t.Errorf("forces %v in all, and torques %v", force, torque)
	}
	var s Measures
	area := func() float64 {
		s.Measure(nil, m, m.Target)
		return s.SurfaceArea()
	}
	const h = 1e-5
	for _, v := range []int32{3, 100, 333} {
		m.Target[v].Z = m.Position[v].Z + h
		up := area()
		m.Target[v].Z = m.Position[v].Z - h
		down := area()
		m.Target[v] = m.Position[v]
		if got := -(up - down) / (2 * h); math.Abs(got-f.Force[v].Z) > 1e-8 {
			t.Errorf("vertex %d: the area falls by %v m²/m, and the force is %v m", v, got, f.Force[v].Z)
		}
	}
	pool := par.New(2)
	defer pool.Close()
	var two Tension
	two.Pull(pool, m, m.Position, nil)
	for v := range f.Force {
		if two.Force[v] != f.Force[v] || two.Curvature[v] != f.Curvature[v] {
			t.Fatalf("vertex %d: %v, with two workers %v", v, f.Force[v], two.Force[v])
		}
	}
	if n := testing.AllocsPerRun(3, func() { two.Pull(pool, m, m.Position, nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A sphere with tension is at rest: what differs in curvature is due to its facets, and a hollow has a negative one.
func TestCurvature(t *testing.T) {
	m := new(soup).add(icosphere(r3.Vec{}, 1, 8), r3.Vec{}, false).add(icosphere(r3.Vec{}, .5, 8), r3.Vec{}, true).mesh(0)
	var f Tension
	f.Pull(nil, m, m.Position, nil)
	for v, x := range m.Position {
		want := 2.
		if reproducible.Norm(x) < .75 {
			want = -4
		}
		if math.Abs(f.Curvature[v]/want-1) > .01 {
			t.Errorf("vertex %d: curvature %v, want %v", v, f.Curvature[v], want)
		}
	}
}

// A cap on a plane comes to the contact angle that is asked for, with its volume kept.
func TestContactAngle(t *testing.T) {
	for _, want := range []float64{60, 90, 120} {
		shape := halfBall(1, 5, 16)
		m := shape.mesh(0)
		solid, free := make([]r3.Vec, len(m.Position)), make([]bool, len(m.Position))
		for v, x := range m.Position {
			if free[v] = x.Z != 0; !free[v] {
				solid[v] = r3.Vec{Z: 1}
			}
		}
		var p Pieces
		p.Begin(m)
		volume := p.Piece[0].Volume
		var f Tension
		var s Measures
		_, cosine := reproducible.Sincos(want * math.Pi / 180)
		for range 700 {
			f.Pull(nil, m, m.Position, solid)
			f.Rim(m, m.Position, solid, cosine)
			s.Measure(nil, m, m.Position)
			// The pressure that keeps the volume pushes at the rim as well.
			along := func(v int, d r3.Vec) r3.Vec {
				if !free[v] {
					d.Z = 0
				}
				return d
			}
			lost, grows := 0., 0.
			for v := range m.Position {
				n := along(v, s.Normal[v])
				lost -= reproducible.Dot(f.Force[v], n) / s.Area[v]
				grows += reproducible.Norm2(n) / s.Area[v]
			}
			for v, x := range m.Position {
				d := r3.Add(f.Force[v], reproducible.Scale(lost/grows, s.Normal[v]))
				m.Target[v] = r3.Add(x, reproducible.Scale(4e-3/s.Area[v], along(v, d)))
				if free[v] { // along the surface they keep their distances, as an improver of meshes would see to
					m.Target[v] = r3.Add(m.Target[v], evened(m, int32(v), s.Normal[v]))
				}
			}
			if off := p.CorrectExactly(m, free, .1); off > 1e-9 {
				t.Fatalf("%v°: the volume is off by %v", want, off)
			}
			for v, x := range m.Target {
				m.Move(int32(v), x)
			}
		}
		top, rim := 0., 0.
		for v, x := range m.Position {
			top = max(top, x.Z)
			if !free[v] {
				rim = max(rim, math.Hypot(x.X, x.Y))
			}
		}
		got := 2 * math.Atan(top/rim) * 180 / math.Pi
		t.Logf("contact angle %.2f°, want %v°", got, want)
		if math.Abs(got-want) > 3 || math.Abs(m.Volume(m.Position)/volume-1) > 1e-9 {
			t.Errorf("contact angle %.2f°, want %v°; volume %v, want %v", got, want, m.Volume(m.Position), volume)
		}
	}
}

// evened is a part of the way along the surface to the middle of a vertex's neighbours.
func evened(m *Mesh, v int32, normal r3.Vec) r3.Vec {
	var d r3.Vec
	for _, e := range m.VertexEdges[v] {
		d = r3.Add(d, r3.Sub(m.Position[m.Other(e, v)], m.Position[v]))
	}
	d = r3.Sub(d, reproducible.Scale(reproducible.Dot(d, normal)/reproducible.Norm2(normal), normal))
	return reproducible.Scale(.2/float64(len(m.VertexEdges[v])), d)
}
