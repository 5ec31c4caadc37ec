package cubes_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// basin is a tank that sloshes along its own x, placed and turned anyhow in the grid. Its floor is at y = 0, its first corner
// at the origin, all in its own frame.
type basin struct {
	size   r3.Vec // m
	depth  float64
	swing  float64 // of the wave at the ends, m
	at     r3.Vec  // of the first corner in the grid, m
	turned r3.Rotation
}

// own is a place of the grid in the basin's frame.
func (b *basin) own(p r3.Vec) r3.Vec {
	p = r3.Sub(p, b.at)
	return r3.Vec{
		X: r3.Dot(p, b.turned.Rotate(r3.Vec{X: 1})), Y: r3.Dot(p, b.turned.Rotate(r3.Vec{Y: 1})), Z: r3.Dot(p, b.turned.Rotate(r3.Vec{Z: 1})),
	}
}

func (b *basin) place(p r3.Vec) r3.Vec { return r3.Add(b.at, b.turned.Rotate(p)) }

// Eval is the distance to the first mode of sloshing.
func (b *basin) Eval(dst []float32, pts []r3.Vec) {
	k := math.Pi / b.size.X
	for i, p := range pts {
		q := b.own(p)
		sin, cos := math.Sincos(k * max(0, min(b.size.X, q.X)))
		slope := b.swing * k * sin
		dst[i] = float32((q.Y - b.depth - b.swing*cos) / math.Sqrt(1+slope*slope))
	}
}

func (b *basin) Bounds() r3.Box { return boxes.Everywhere() }

// period is how long the basin takes to slosh, from its zero crossings, and how long linear theory says.
func (b *basin) period(t *testing.T, l *fluid.Liquid) (period, want float64) {
	t.Helper()
	k := math.Pi / b.size.X
	want = 2 * math.Pi / math.Sqrt(9.81*k*math.Tanh(k*b.depth))
	in := l.Def().CellSize
	ends := []r3.Vec{b.place(r3.Vec{X: in, Y: b.depth / 2, Z: b.size.Z / 2}), b.place(r3.Vec{X: b.size.X - in, Y: b.depth / 2, Z: b.size.Z / 2})}
	var crossings []float64
	last := 0.
	const dt = 1. / 120
	for n := 1; float64(n)*dt < 1.35*want; n++ {
		if r := *l.Step(dt); r.Err != nil {
			t.Fatal(r.Err)
		}
		var at [2]fluid.Sample
		l.Sample(at[:], ends)
		rise := at[0].Height - at[1].Height
		if last*rise < 0 {
			crossings = append(crossings, float64(n-1)+last/(last-rise))
		}
		last = rise
	}
	n := len(crossings) - 1
	if n < 2 {
		t.Fatalf("%d crossings", n+1)
	}
	return 2 * dt * (crossings[n] - crossings[0]) / float64(n), want
}

// A tank's walls may stand anywhere between the cells: it sloshes as one of its own length, by V10's formula.
func TestSloshingBetweenCells(t *testing.T) {
	const cells, cell = 32, 1. / 32
	for name, c := range map[string]struct {
		first, last, floor, side float64 // how far the walls are beyond the cells, cells
		walls                    string
		def                      fluid.Def
	}{
		"domain .1":           {last: .1},
		"domain .3":           {last: .3, side: .3},
		"domain .49":          {last: .49, side: .45},
		"domain .51":          {last: .51},
		"domain .9":           {last: .9, def: fluid.Def{Numerics: fluid.Numerics{Levels: 1}}},
		"obstacles .45 .49":   {first: .45, last: .49, walls: "obstacles", def: fluid.Def{Numerics: fluid.Numerics{Levels: 1}}},
		"obstacles .2 .9":     {first: .2, last: .9, floor: .3, walls: "obstacles"},
		"obstacles .7 .4":     {first: .7, last: .4, floor: .6, walls: "obstacles"},
		"static bodies .3 .3": {first: .3, last: .3, floor: .45, walls: "bodies"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"domain .49", "domain .9", "obstacles .2 .9", "static bodies .3 .3"}, name) {
				t.Skip("long")
			}
			b := basin{size: r3.Vec{X: (cells + c.first + c.last) * cell, Y: 1, Z: (2 + c.side) * cell}, depth: .4, swing: .003, turned: r3.NewRotation(0, r3.Vec{Y: 1})}
			def := c.def
			def.Domain, def.CellSize, def.Resources.Workers, def.Numerics.Tolerance, def.Numerics.Undamped = r3.Box{Max: b.size}, cell, 1, 1e-6, true
			if c.walls != "" {
				b.at = r3.Vec{X: (4 - c.first) * cell, Y: (2 - c.floor) * cell}
				def.Domain.Max = r3.Add(b.at, r3.Vec{X: b.size.X + 3*cell, Y: .7, Z: b.size.Z})
			}
			l := testrig.New(t, def)
			world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			for _, wall := range []r3.Box{testrig.Between(-1, -1, -1, b.at.X, 2, 2), testrig.Between(b.at.X+b.size.X, -1, -1, 3, 2, 2), testrig.Between(-1, -1, -1, 3, b.at.Y, 2)} {
				switch c.walls {
				case "obstacles":
					if _, err := l.AddObstacle(fluid.Box(wall)); err != nil {
						t.Fatal(err)
					}
				case "bodies":
					addStatic(t, world, wall)
				}
			}
			if c.walls == "bodies" {
				l.Couple(world.Coupling())
			}
			testrig.Must(t, l.Fill(&b))
			if period, want := b.period(t, l); math.Abs(period-want) > .01*want {
				t.Errorf("period %.4f s, want %.4f: %+.2f %%", period, want, 100*(period/want-1))
			}
		})
	}
}

func addStatic(t *testing.T, world *physics.World, box r3.Box) {
	t.Helper()
	s := box.Size()
	testrig.AddBody(t, world, physics.BodyDef{Kind: physics.Static, Position: r3.Scale(.5, r3.Add(box.Min, box.Max))},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(s.X, s.Y, s.Z))})
}

// So does one that is turned against the grid, about an upright axis, or with gravity about a level one.
func TestSloshingTurned(t *testing.T) {
	const cell = 1. / 32
	for name, turn := range map[string]struct {
		axis    r3.Vec
		allowed float64
	}{
		"yaw 20°": {r3.Vec{Y: 20}, .015}, "tilt 5°": {r3.Vec{Z: 5}, .01}, "tilt 45°": {r3.Vec{Z: 45}, .01},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "tilt 5°" {
				t.Skip("long")
			}
			axis := turn.axis
			b := basin{size: r3.Vec{X: 1, Y: .5, Z: .2}, depth: .4, swing: .003, turned: r3.NewRotation(r3.Norm(axis)*math.Pi/180, axis)}
			room := r3.Box{Min: r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, Max: r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}}
			for i := range 8 {
				p := b.turned.Rotate(r3.Vec{X: b.size.X * float64(i&1), Y: b.size.Y * float64(i>>1&1), Z: b.size.Z * float64(i>>2)})
				room.Min, room.Max = boxes.Min(room.Min, p), boxes.Max(room.Max, p)
			}
			room = boxes.Grown(room, 2.6*cell)
			l := testrig.New(t, fluid.Def{
				Domain: room, CellSize: cell, Resources: fluid.Resources{Workers: 1},
				Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: true}, Physics: fluid.Physics{Gravity: b.turned.Rotate(r3.Vec{Y: -9.81})},
			})
			for _, wall := range [][2]r3.Vec{{{}, {X: 1}}, {{}, {Y: 1}}, {{}, {Z: 1}}, {b.size, {X: -1}}, {b.size, {Z: -1}}} {
				if _, err := l.AddObstacle(fluid.HalfSpace(b.place(wall[0]), b.turned.Rotate(wall[1]))); err != nil {
					t.Fatal(err)
				}
			}
			testrig.Must(t, l.Fill(&b))
			if period, want := b.period(t, l); math.Abs(period-want) > turn.allowed*want {
				t.Errorf("period %.4f s, want %.4f: %+.2f %%", period, want, 100*(period/want-1))
			}
		})
	}
}
