package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// rail is a Bodies of one block that slides along Y only: all that physics, which has no
// joints, cannot do.
type rail struct {
	mass, push float64 // kg, N upwards
	box        r3.Box  // at the start
	y, v       float64
	load       float64
}

func (s *rail) Len() int       { return 1 }
func (s *rail) ID(int) uint64  { return 1 }
func (s *rail) Kind(int) int   { return fluid.DynamicBody }
func (s *rail) Awake(int) bool { return true }
func (s *rail) Wake(int)       {}
func (s *rail) Pose(int) (r3.Vec, quat.Number) {
	return r3.Add(r3.Scale(.5, r3.Add(s.box.Min, s.box.Max)), r3.Vec{Y: s.y}), quat.Number{Real: 1}
}
func (s *rail) Velocity(int) (v, w r3.Vec) { return r3.Vec{Y: s.v}, r3.Vec{} }
func (s *rail) PredictedVelocity(_ int, dt float64) (v, w r3.Vec) {
	return r3.Vec{Y: s.v + dt*(s.push/s.mass-9.81)}, r3.Vec{}
}

// InverseMass is that of a body that turns nowhere; rows keep it on its rail.
func (s *rail) InverseMass(int) (float64, [3][3]float64) { return 1 / s.mass, [3][3]float64{} }
func (s *rail) Bounds(int) r3.Box {
	d := r3.Vec{Y: s.y}
	return r3.Box{Min: r3.Add(s.box.Min, d), Max: r3.Add(s.box.Max, d)}
}
func (s *rail) Thickness(int) float64 { return s.box.Max.Y - s.box.Min.Y }
func (s *rail) Distance(_ int, dst []float32, pts []r3.Vec) {
	moved := make([]r3.Vec, len(pts))
	for i, p := range pts {
		moved[i] = r3.Sub(p, r3.Vec{Y: s.y})
	}
	fluid.Box(s.box).Eval(dst, moved)
}
func (s *rail) Joints() int                                  { return 0 }
func (s *rail) JointRows(int, *[6][12]float64) (a, b, n int) { return 0, 0, 0 }
func (s *rail) AddWrench(_ int, force, _ r3.Vec)             { s.load += force.Y }
func (s *rail) Step(dt float64) {
	s.v += dt * ((s.push+s.load)/s.mass - 9.81)
	s.y += dt * s.v
	s.load = 0
}

// columnOnPiston is V7: a piston that fills a tube's cross section carries a column of water.
func columnOnPiston() ([]Row, error) {
	var rows []Row
	for _, ratio := range []float64{.01, 1, 100, 1000} {
		a, want, err := pistonAcceleration(ratio)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V7", fmt.Sprintf("piston under a column, m_f/m = %g: relative error of a", ratio), math.Abs(a-want)/math.Abs(want), 0, 1e-8, "1"))
	}
	return rows, nil
}

func pistonAcceleration(ratio float64) (a, want float64, err error) {
	const h = .05
	d := size(8*h, 24*h, 8*h)
	column := r3.Box{Min: r3.Vec{X: -1, Y: 8 * h, Z: -1}, Max: r3.Vec{X: 1, Y: 16 * h, Z: 1}}
	l, err := fluid.New(fluid.Def{Domain: d, CellSize: h, Levels: 1, Solver: fluid.SolverDef{Tolerance: 1e-12, MaxIterations: 500}})
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	mf := 1000 * 64 * h * h * 8 * h
	p := &rail{mass: mf / ratio, box: r3.Box{Min: r3.Vec{X: -1, Y: 4 * h, Z: -1}, Max: r3.Vec{X: 1, Y: 8 * h, Z: 1}}}
	p.push = 2 * 9.81 * (p.mass + mf)
	l.Couple(p)
	if err := l.Fill(fluid.Box(column)); err != nil {
		return 0, 0, err
	}
	const dt = 1e-3
	l.Step(dt)
	return p.v / dt, -9.81 + p.push/(p.mass+mf), nil
}

// momentum is V16: a sphere moving in a closed, full, weightless tank. What the walls took is
// not public, so the sphere's own balance is: its momentum changes by Load's impulse.
func momentum() ([]Row, error) {
	d := size(1, 1, 1)
	l, err := filled(fluid.Def{Domain: d, CellSize: .05, Weightless: true, Solver: fluid.SolverDef{Tolerance: 1e-12, MaxIterations: 400}}, fluid.Box(d))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	w := physics.NewWorld(physics.WorldDef{})
	b, err := body(w, physics.Sphere(.2), 2000, r3.Vec{X: .5, Y: .5, Z: .5})
	if err != nil {
		return nil, err
	}
	start := r3.Vec{X: .5, Y: .2}
	if err := b.SetVelocity(start); err != nil {
		return nil, err
	}
	l.Couple(w)
	const dt = 1. / 240
	sum := r3.Vec{}
	for range 24 {
		l.Step(dt)
		sum = r3.Add(sum, r3.Scale(dt, l.Load(0).Force))
	}
	p := b.Mass()
	gap := r3.Norm(r3.Sub(r3.Scale(p, r3.Sub(b.Velocity(), start)), sum)) / (p * r3.Norm(start))
	return []Row{row("V16", "momentum: body against Load's impulse, relative", gap, 0, 1e-10, "1")}, nil
}
