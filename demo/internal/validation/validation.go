// Package validation measures the liquid against references: one row per number. It uses the
// public interface only, as a game would.
package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Row is one measured number. Tolerance bounds |Measured - Reference| in Unit.
type Row struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Measured  float64 `json:"measured"`
	Reference float64 `json:"reference"`
	Tolerance float64 `json:"tolerance"`
	Unit      string  `json:"unit"`
	Pass      bool    `json:"pass"`
}

func row(id, name string, measured, reference, tolerance float64, unit string) Row {
	return Row{id, name, measured, reference, tolerance, unit, math.Abs(measured-reference) <= tolerance}
}

func size(x, y, z float64) r3.Box { return r3.Box{Max: r3.Vec{X: x, Y: y, Z: z}} }

// body adds a body of one geometry to a world, centred at p.
func body(w *physics.World, g physics.Geometry, density float64, p r3.Vec) (physics.Body, error) {
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: p, NoSleep: true})
	if err != nil {
		return b, err
	}
	_, err = b.AddShape(physics.ShapeDef{Geometry: g, Density: density})
	return b, err
}

// walls keeps bodies in a tank that is open at the top.
func walls(w *physics.World, tank r3.Box) error {
	for _, side := range []struct{ inward, at r3.Vec }{
		{r3.Vec{Y: 1}, tank.Min}, {r3.Vec{X: 1}, tank.Min}, {r3.Vec{Z: 1}, tank.Min}, {r3.Vec{X: -1}, tank.Max}, {r3.Vec{Z: -1}, tank.Max},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.inward)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// filled makes a liquid of cubes and a level set with a shape filled in.
func filled(d fluid.Def, s fluid.SDF) (*fluid.Liquid, error) { return Method{}.filled(d, s) }

// made makes a liquid.
func (m Method) made(d fluid.Def) (*fluid.Liquid, error) {
	d.Discretisation, d.Tracker = m.Discretisation, m.Tracker
	return fluid.New(d)
}

// filled makes a liquid with a shape filled in.
func (m Method) filled(d fluid.Def, s fluid.SDF) (*fluid.Liquid, error) {
	l, err := m.made(d)
	if err != nil {
		return nil, err
	}
	if err := l.Fill(s); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// still is V1: full closed box across levels, gravity tilted.
func still(m Method) ([]Row, error) {
	var rows []Row
	for _, g := range []r3.Vec{{Y: -9.81}, {X: 3, Y: -8, Z: 5}} {
		d := size(1.6, 1.2, .8)
		l, err := m.filled(fluid.Def{Domain: d, CellSize: .05, Physics: fluid.Physics{Gravity: g}, Budget: fluid.Budget{Work: 2.5},
			Numerics: fluid.Numerics{Tolerance: 1e-10, MaxIterations: 200}}, fluid.Box(d))
		if err != nil {
			return nil, err
		}
		const dt = 1. / 60
		top := 0.
		for range 100 {
			top = max(top, l.Step(dt).MaxSpeed)
		}
		l.Close()
		rows = append(rows, row("V1", fmt.Sprintf("still box, T-junctions, gravity %v: max u/(|g|dt)", g), top/(r3.Norm(g)*dt), 0, 1e-6, "1"))
	}
	return rows, nil
}

// cosine is a liquid under y = h + a cos(πx/L).
type cosine struct{ h, a, length float64 }

func (s cosine) Eval(dst []float32, pts []r3.Vec) {
	k := math.Pi / s.length
	for i, p := range pts {
		slope := s.a * k * math.Sin(k*p.X)
		dst[i] = float32((p.Y - s.h - s.a*math.Cos(k*p.X)) / math.Sqrt(1+slope*slope))
	}
}

func (s cosine) Bounds() r3.Box {
	i := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -i, Y: -i, Z: -i}, Max: r3.Vec{X: i, Y: s.h + s.a, Z: i}}
}

// sloshing is V10: the period of the first mode from its zero crossings at a wall.
func sloshing(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct{ cells, tolerance float64 }{{16, .02}, {32, .01}} {
		t, decay, err := sloshPeriod(m, c.cells, .5)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V10", fmt.Sprintf("sloshing, %g cells: T (amplitude kept per period %.3f)", c.cells, decay), t, 1.1818, c.tolerance*1.1818, "s"))
	}
	return rows, nil
}

func sloshPeriod(m Method, cells, depth float64) (period, kept float64, err error) {
	h := 1 / cells
	l, err := m.filled(fluid.Def{Domain: size(1, 1, 8*h), CellSize: h, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-7, MaxIterations: 200}},
		cosine{depth, .02, 1})
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	const dt = 1. / 120
	var crossings []float64
	last, first, second := 0., 0., 0.
	for n := 1; n <= 320; n++ {
		l.Step(dt)
		var out [2]fluid.Sample
		l.Sample(out[:], []r3.Vec{{X: .5 * h, Y: .25, Z: 4 * h}, {X: 1 - .5*h, Y: .25, Z: 4 * h}})
		y := out[0].Height - out[1].Height
		if n > 1 && last*y < 0 {
			crossings = append(crossings, (float64(n)-1+last/(last-y))*dt)
		}
		if t := float64(n) * dt; t > .9 && t < 1.4 {
			first = max(first, y)
		} else if t > 2.1 {
			second = max(second, y)
		}
		last = y
	}
	if len(crossings) < 3 {
		return 0, 0, fmt.Errorf("V10: %d zero crossings", len(crossings))
	}
	n := len(crossings) - 1
	return 2 * (crossings[n] - crossings[0]) / float64(n), second / first, nil
}

// damBreak is V11: Martin and Moyce 1952, n² = 2.
func damBreak(m Method) ([]Row, error) {
	const a, cells = .5, 10.
	h := a / cells
	l, err := m.filled(fluid.Def{Domain: size(6*a, 2.8*a, 8*h), CellSize: h},
		fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: a, Y: 2 * a, Z: 1}}))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	sets := [2][][2]float64{
		{{.832, 1.217}, {1.219, 1.474}, {1.997, 2.292}, {2.547, 2.995}, {3.345, 4.134}, {4.034, 4.944}},
		{{.849, 1.245}, {1.212, 1.443}, {1.602, 1.884}, {2.283, 2.689}, {2.950, 3.728}, {3.598, 4.528}, {3.905, 4.999}}}
	unit := math.Sqrt(a / (2 * 9.81))
	const dt = 1. / 120
	times, fronts := []float64{0}, []float64{1}
	for t := dt; t/unit < 4; t += dt {
		l.Step(dt)
		times, fronts = append(times, t/unit), append(fronts, front(l, 6*a, h)/a)
	}
	var rows []Row
	for _, t := range []float64{1, 1.5, 2, 2.5, 3, 3.5, 3.85} {
		z, want := at(times, fronts, t), (table(sets[0], t)+table(sets[1], t))/2
		r := row("V11", fmt.Sprintf("dam break, front Z at T = %g (-5/+15 %%)", t), z, want, .15*want, "1")
		r.Pass = z >= .95*want && z <= 1.15*want
		rows = append(rows, r)
	}
	return rows, nil
}

// front is the furthest point, m, that is wet near the floor.
func front(l *fluid.Liquid, length, h float64) float64 {
	var pts []r3.Vec
	for x := h / 4; x < length; x += h / 4 {
		pts = append(pts, r3.Vec{X: x, Y: h / 2, Z: 4 * h})
	}
	out := make([]fluid.Sample, len(pts))
	l.Sample(out, pts)
	far := 0.
	for i, s := range out {
		if s.Inside {
			far = pts[i].X
		}
	}
	return far
}

func table(rows [][2]float64, t float64) float64 {
	var x, y []float64
	for _, r := range rows {
		x, y = append(x, r[0]), append(y, r[1])
	}
	return at(x, y, t)
}

func at(x, y []float64, t float64) float64 {
	i := 1
	for i < len(x)-1 && x[i] < t {
		i++
	}
	return y[i-1] + (y[i]-y[i-1])*(t-x[i-1])/(x[i]-x[i-1])
}
