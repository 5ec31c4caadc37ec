package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// directions are those of V43's waves to an axis of the grid, °.
var directions = []float64{0, 22.5, 45}

// waves is V43: the phase speed of plane waves that run in several directions, and how a round tank swings in them.
func waves(m Method) ([]Row, error) {
	var rows []Row
	along := 0.
	for _, degrees := range directions {
		speed, err := planeSpeed(m, degrees)
		if err != nil {
			return nil, err
		}
		text := fmt.Sprintf("plane wave of %d cells at %g° to an axis: phase speed over ", waveCells, degrees)
		rows = append(rows, row("V43", text+"√(g/k tanh kh)", speed, 1, .02, "1"))
		if degrees == 0 {
			along = speed
			continue
		}
		rows = append(rows, row("V43", text+"that along the axis", speed/along, 1, .01, "1"))
	}
	for _, degrees := range directions {
		square, err := roundSwing(m, degrees)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V43", fmt.Sprintf("round tank of %d cells a radius, first mode at %g° to an axis: ω² over 1.841 g/R tanh(1.841 h/R)", roundCells, degrees), square, 1, .02, "1"))
	}
	return rows, nil
}

// waveCells are in a wave's length, roundCells in the tank's radius.
const (
	waveCells  = 16
	roundCells = 8
)

// swell is the liquid under a plane wave of linear theory that runs along k, rad/m: y = depth + height cos k·x.
type swell struct {
	depth, height float64 // m
	k             r3.Vec
}

func (s swell) Eval(dst []float32, pts []r3.Vec) {
	steep := s.height * r3.Norm(s.k)
	for i, p := range pts {
		sin, cos := math.Sincos(r3.Dot(s.k, p))
		dst[i] = float32((p.Y - s.depth - s.height*cos) / math.Hypot(1, steep*sin))
	}
}

func (s swell) Bounds() r3.Box { return fluid.Below(s.depth + s.height).Bounds() }

// omega is its angular frequency, rad/s.
func (s swell) omega() float64 {
	k := r3.Norm(s.k)
	return math.Sqrt(9.81 * k * math.Tanh(k*s.depth))
}

// velocity is the liquid's, m/s.
func (s swell) velocity(x r3.Vec) r3.Vec {
	k := r3.Norm(s.k)
	sin, cos := math.Sincos(r3.Dot(s.k, x))
	part := s.height * s.omega() / math.Sinh(k*s.depth)
	v := r3.Scale(part*math.Cosh(k*x.Y)*cos/k, s.k)
	v.Y = part * math.Sinh(k*x.Y) * sin
	return v
}

// planeSpeed is the phase speed of a plane wave over that of linear theory, in the middle of a pool and for a period: what the pool's sides send does not come there
// earlier.
func planeSpeed(m Method, degrees float64) (float64, error) {
	const length, wide, cell, dt = 1., 5., 1. / waveCells, 1. / 60
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	s := swell{.25 * length, .01 * length, r3.Scale(2*math.Pi/length, r3.Vec{X: cos, Z: sin})}
	d := size(wide, s.depth+3*cell, wide)
	l, err := m.filled(fluid.Def{Domain: d, CellSize: cell, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-7, MaxIterations: 200, Undamped: true}}, s)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if err := l.SetVelocity(fluid.Box(d), s.velocity); err != nil {
		return 0, err
	}
	g := newGauge(l, r3.Vec{X: wide / 2, Y: .1, Z: wide / 2}, length, func(x r3.Vec) []float64 {
		sin, cos := math.Sincos(r3.Dot(s.k, x))
		return []float64{1, cos, sin}
	})
	var c []complex128
	for range int(2 * math.Pi / s.omega() / dt) {
		x, err := g.step(dt)
		if err != nil {
			return 0, err
		}
		c = append(c, complex(x[1], x[2]))
	}
	return frequency(c, dt, s.omega()) / s.omega(), nil
}

// The first mode of a round tank is J₁(ξ r/R) cos θ, ξ the first root of J₁′. Source: Lamb, Hydrodynamics, §191 and §257.
const (
	roundRoot   = 1.8411837813406593 // ξ
	roundRadius = .5                 // R, m
	roundDepth  = .4                 // h, m
	roundHeight = .02                // of the swing at the wall, m
)

// roundSwing is ω² of a round tank that swings in a direction over that of linear theory.
func roundSwing(m Method, degrees float64) (float64, error) {
	const cell, dt, k = roundRadius / roundCells, 1. / 60, roundRoot / roundRadius
	s := bowl{axis: r3.Vec{X: roundRadius + 2.3*cell, Z: roundRadius + 2.6*cell}, angle: degrees * math.Pi / 180}
	l, err := m.made(fluid.Def{
		Domain: size(2*roundRadius+5*cell, roundDepth+4*cell, 2*roundRadius+5*cell), CellSize: cell,
		Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-7, MaxIterations: 200, Undamped: true},
	})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(roundWall{s.axis}); err != nil {
		return 0, err
	}
	if err := l.Fill(s); err != nil {
		return 0, err
	}
	omega := math.Sqrt(9.81 * k * math.Tanh(k*roundDepth))
	g := newGauge(l, r3.Add(s.axis, r3.Vec{Y: .1}), roundRadius*math.Sqrt2-2*cell, func(x r3.Vec) []float64 { return []float64{1, s.mode(x)} })
	var c []complex128
	for range int(1.5 * 2 * math.Pi / omega / dt) {
		x, err := g.step(dt)
		if err != nil {
			return 0, err
		}
		c = append(c, complex(x[1], 0))
	}
	part := frequency(c, dt, omega) / omega
	return part * part, nil
}

// bowl is the liquid in a round tank that stands out in its first mode.
type bowl struct {
	axis  r3.Vec
	angle float64 // to x, rad
}

// mode is one at the wall.
func (s bowl) mode(x r3.Vec) float64 {
	x = r3.Sub(x, s.axis)
	return math.J1(roundRoot*math.Hypot(x.X, x.Z)/roundRadius) / math.J1(roundRoot) * math.Cos(math.Atan2(x.Z, x.X)-s.angle)
}

func (s bowl) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(p.Y - roundDepth - roundHeight*s.mode(p))
	}
}

func (s bowl) Bounds() r3.Box { return fluid.Below(roundDepth + roundHeight).Bounds() }

// roundWall is all outside of the tank.
type roundWall struct{ axis r3.Vec }

func (w roundWall) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(roundRadius - math.Hypot(p.X-w.axis.X, p.Z-w.axis.Z))
	}
}

func (roundWall) Bounds() r3.Box     { return fluid.Below(math.Inf(1)).Bounds() }
func (roundWall) Thickness() float64 { return 1 }

// gauge tells how much of each of some shapes is in a surface's heights.
type gauge struct {
	liquid  *fluid.Liquid
	places  []r3.Vec
	samples []fluid.Sample
	shapes  *mat.Dense // a row per place, a column per shape
}

// newGauge measures in a square around a place in the liquid.
func newGauge(l *fluid.Liquid, middle r3.Vec, wide float64, shapes func(x r3.Vec) []float64) *gauge {
	const lines = 32
	g := &gauge{liquid: l, samples: make([]fluid.Sample, lines*lines)}
	var values []float64
	for i := range lines * lines {
		at := r3.Vec{X: float64(i%lines) + .5, Z: float64(i/lines) + .5}
		p := r3.Add(middle, r3.Scale(wide, r3.Vec{X: at.X/lines - .5, Z: at.Z/lines - .5}))
		g.places = append(g.places, p)
		values = append(values, shapes(p)...)
	}
	g.shapes = mat.NewDense(len(g.places), len(values)/len(g.places), values)
	return g
}

// step takes a step of dt, s, and returns the shapes' parts of the heights, m, by least squares.
func (g *gauge) step(dt float64) ([]float64, error) {
	if r := g.liquid.Step(dt); r.Err != nil {
		return nil, fmt.Errorf("V43: %w", r.Err)
	}
	g.liquid.Sample(g.samples, g.places)
	heights := mat.NewVecDense(len(g.places), nil)
	for i, s := range g.samples {
		heights.SetVec(i, g.places[i].Y+s.Height)
	}
	var parts mat.VecDense
	err := parts.SolveVec(g.shapes, heights)
	return parts.RawVector().Data, err
}

// frequency is the ω, rad/s, of amplitudes F exp(iωt) + G exp(-iωt), a wave that runs on and one that comes back, every dt, s. Of those the sum of any two that are n apart from
// one between them is 2 cos(ωn dt) times that one; n dt is a quarter of the period that a guess, rad/s, says, where that tells ω best.
func frequency(c []complex128, dt, guess float64) float64 {
	n := int(math.Round(math.Pi / 2 / guess / dt))
	sum, all := 0., 0.
	for i := n; i+n < len(c); i++ {
		both := c[i-n] + c[i+n]
		sum += real(both)*real(c[i]) + imag(both)*imag(c[i])
		all += 2 * (real(c[i])*real(c[i]) + imag(c[i])*imag(c[i]))
	}
	return math.Acos(sum/all) / (float64(n) * dt)
}
