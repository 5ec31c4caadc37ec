package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// litres is V42: litres of what is filled, held and drained against the volume of the shape that solids leave, whatever cells they cut.
func litres(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []solidScene{
		{"film of 1 cm on a floor half a cell off the grid", .25, .01, 0},
		{"film of 1 cm on a floor three tenths of a cell off it", .23, .01, 0},
		{"1 cm on the grid", .3, .01, 0},
		{"half a cell on the same", .25, .05, 0},
		{"three cells on a floor half a cell off", .25, .3, 0},
		{"three cells on a floor on the grid", .2, .3, 0},
		{"around a box of .43 m on a floor half a cell off", .25, .57, .43},
	} {
		filled, held, visible, drained, err := c.litres(m)
		if err != nil {
			return nil, err
		}
		want := c.want()
		rows = append(rows,
			row("V42", "litres over what solids leave of the shape: filled, "+c.name, filled/want, 1, .001, "1"),
			row("V42", "held after a step", held/want, 1, .001, "1"),
			row("V42", "visible then, over what is held", visible/held, 1, .02, "1"),
			row("V42", "drained then", drained/want, 1, .001, "1"))
	}
	for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120} {
		visible, err := visibleLitres(m, dt)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V42", fmt.Sprintf("ball of 37 l that falls on a floor half a cell off the grid, dt 1/%.0f: visible after 1 s, over what is held", 1/dt), visible, 1, .02, "1"))
	}
	return rows, nil
}

// solidScene is liquid on a floor that is an obstacle, and around a box that is a body.
type solidScene struct {
	name              string
	floor, depth, box float64 // m
}

const litresSide, litresCell = 1.6, .1 // m

// want is the volume of what solids leave, litres.
func (c *solidScene) want() float64 {
	return 1e3 * (litresSide*litresSide*c.depth - c.box*c.box*c.box)
}

// litres is what is filled, what is held a step later and can be seen, and what is drained then.
func (c *solidScene) litres(m Method) (filled, held, visible, drained float64, err error) {
	l, err := m.made(fluid.Def{Domain: size(litresSide, 1.2, litresSide), CellSize: litresCell, Numerics: fluid.Numerics{Levels: 1}})
	if err != nil {
		return 0, 0, 0, 0, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(fluid.HalfSpace(r3.Vec{Y: c.floor}, r3.Vec{Y: 1})); err != nil {
		return 0, 0, 0, 0, err
	}
	if c.box > 0 {
		w := physics.NewWorld(physics.WorldDef{})
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: r3.Vec{X: .813, Y: c.floor + .29, Z: .777}})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(c.box, c.box, c.box))})
		}
		if err != nil {
			return 0, 0, 0, 0, err
		}
		l.Couple(w.Coupling())
	}
	all := fluid.Below(c.floor + c.depth)
	if err := l.Fill(all); err != nil {
		return 0, 0, 0, 0, err
	}
	filled = l.Ledger().FilledL
	if r := l.Step(1. / 240); r.Err != nil {
		return 0, 0, 0, 0, fmt.Errorf("V42: %s", r.Err)
	}
	held = l.Ledger().HeldL
	visible = 1e3 * (openUnderSurface(l, c.floor) - c.box*c.box*c.box)
	if err := l.Drain(fluid.Below(c.floor + c.depth + 2*litresCell)); err != nil {
		return 0, 0, 0, 0, err
	}
	return filled, held, visible, l.Ledger().DrainedL, nil
}

// visibleLitres lets a ball of water fall on a floor, and is what of it can be seen a second later: what is open and under the surface, and droplets,
// over what the ledger says is there.
func visibleLitres(m Method, dt float64) (float64, error) {
	const floor, radius = .25, .207
	l, err := m.made(fluid.Def{Domain: size(litresSide, 1.2, litresSide), CellSize: litresCell, Numerics: fluid.Numerics{Levels: 1}})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if _, err := l.AddObstacle(fluid.HalfSpace(r3.Vec{Y: floor}, r3.Vec{Y: 1})); err != nil {
		return 0, err
	}
	if err := l.Fill(fluid.Sphere(r3.Vec{X: .81, Y: .7, Z: .79}, radius)); err != nil {
		return 0, err
	}
	for range int(math.Round(1 / dt)) {
		if r := l.Step(dt); r.Err != nil {
			return 0, fmt.Errorf("V42: %s", r.Err)
		}
	}
	seen := openUnderSurface(l, floor)
	s := l.Surface()
	for d := s.Droplets; len(d) >= 4; d = d[4:] {
		seen += 4. / 3 * math.Pi * math.Pow(float64(d[3]), 3)
	}
	return 1e3 * seen / l.Ledger().HeldL, nil
}

// openUnderSurface is the volume, m³, between a floor and the drawn surface: by rays straight down, 16 a cell, at places where no edge of a triangle
// is likely to be.
func openUnderSurface(l *fluid.Liquid, floor float64) (volume float64) {
	const n = 4 * litresSide / litresCell
	const alongX, alongZ = .4371, .5629
	step := litresSide / n
	s := l.Surface()
	for i := 0; i+2 < len(s.Indices); i += 3 {
		var p [3]r3.Vec
		for k := range p {
			at := s.Positions[3*s.Indices[i+k]:]
			p[k] = r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
		}
		cross := r3.Cross(r3.Sub(p[1], p[0]), r3.Sub(p[2], p[0]))
		if cross.Y == 0 {
			continue
		}
		lo, hi := r3.Vec{X: min(p[0].X, p[1].X, p[2].X), Z: min(p[0].Z, p[1].Z, p[2].Z)}, r3.Vec{X: max(p[0].X, p[1].X, p[2].X), Z: max(p[0].Z, p[1].Z, p[2].Z)}
		for a := max(0, int(lo.X/step-alongX)); a < int(n) && (float64(a)+alongX)*step <= hi.X; a++ {
			for b := max(0, int(lo.Z/step-alongZ)); b < int(n) && (float64(b)+alongZ)*step <= hi.Z; b++ {
				x := r3.Vec{X: (float64(a) + alongX) * step, Z: (float64(b) + alongZ) * step}
				inside := true
				for k := range p {
					u, v := p[k], p[(k+1)%3]
					side := (v.Z-u.Z)*(x.X-u.X) - (v.X-u.X)*(x.Z-u.Z)
					inside = inside && side*cross.Y >= 0
				}
				if inside {
					y := p[0].Y - (cross.X*(x.X-p[0].X)+cross.Z*(x.Z-p[0].Z))/cross.Y
					volume += math.Copysign(max(y-floor, 0)*step*step, cross.Y)
				}
			}
		}
	}
	return volume
}
