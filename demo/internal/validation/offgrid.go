package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// betweenCells is V36: the period of the first mode in a tank of 32 cells and a part of one, between sides of the domain or obstacles,
// against linear theory for its true length.
func betweenCells(m Method) ([]Row, error) {
	var rows []Row
	for _, c := range []struct {
		part, low float64 // cells: the part, and what of it is at the low end
		obstacles bool
		levels    int
	}{
		{.1, 0, false, 1}, {.3, 0, false, 0}, {.49, 0, false, 1}, {.51, 0, false, 1}, {.7, 0, false, 0}, {.9, 0, false, 1},
		{.2, .1, true, 1}, {.94, .45, true, 1}, {.94, .45, true, 0}, {1.1, .2, true, 1}, {1.5, .8, true, 0},
	} {
		got, want, err := partPeriod(m, c.part, c.low, c.obstacles, c.levels)
		if err != nil {
			return nil, err
		}
		sides := "sides"
		if c.obstacles {
			sides = fmt.Sprintf("obstacles, %g of it at the low end", c.low)
		}
		if c.levels == 0 {
			sides += ", all levels"
		}
		rows = append(rows, row("V36", fmt.Sprintf("sloshing, 32 cells and %g of one, %s: T", c.part, sides), got, want, .01*want, "s"))
	}
	return rows, nil
}

// partPeriod is the measured and the true period of a tank of 32 cells and a part of one, some of it at its low end.
func partPeriod(m Method, part, low float64, obstacles bool, levels int) (period, want float64, err error) {
	const h, depth, dt = 1. / 32, .5, 1. / 120
	first, length := 0., (32+part)*h
	domain := size(length, .75, 4*h)
	if obstacles {
		first = (4 - low) * h
		domain.Max.X = 40 * h
	}
	l, err := m.made(fluid.Def{Domain: domain, CellSize: h, Numerics: fluid.Numerics{Levels: levels, Tolerance: 1e-7, MaxIterations: 200}})
	if err != nil {
		return 0, 0, err
	}
	defer l.Close()
	if obstacles {
		for _, wall := range [][2]r3.Vec{{{X: first}, {X: 1}}, {{X: first + length}, {X: -1}}} {
			if _, err := l.AddObstacle(fluid.HalfSpace(wall[0], wall[1])); err != nil {
				return 0, 0, err
			}
		}
	}
	if err := l.Fill(fluid.Transform(cosine{depth, .01, length}, quat.Number{Real: 1}, r3.Vec{X: first})); err != nil {
		return 0, 0, err
	}
	var crossings []float64
	last := 0.
	for n := 1; n <= 320; n++ {
		l.Step(dt)
		var out [2]fluid.Sample
		l.Sample(out[:], []r3.Vec{{X: first + h, Y: .25, Z: 2 * h}, {X: first + length - h, Y: .25, Z: 2 * h}})
		y := out[0].Height - out[1].Height
		if n > 1 && last*y < 0 {
			crossings = append(crossings, (float64(n)-1+last/(last-y))*dt)
		}
		last = y
	}
	n := len(crossings) - 1
	if n < 3 {
		return 0, 0, fmt.Errorf("V36: %d zero crossings", n+1)
	}
	k := math.Pi / length
	return 2 * (crossings[n] - crossings[0]) / float64(n), 2 * math.Pi / math.Sqrt(9.81*k*math.Tanh(k*depth)), nil
}
