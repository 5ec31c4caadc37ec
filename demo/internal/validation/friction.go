package validation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// slider is a body that slides on the face at its lower end.
type slider struct {
	name   string
	shape  physics.Geometry
	height float64 // m
}

func sliders() []slider {
	var corners []r3.Vec
	for k := range 12 {
		sin, cos := math.Sincos(math.Pi / 6 * float64(k))
		corners = append(corners, r3.Vec{X: .3 * cos, Y: -.1, Z: .3 * sin}, r3.Vec{X: .3 * cos, Y: .1, Z: .3 * sin})
	}
	return []slider{{"box", physics.Box(physics.Centred(.5, .2, .8)), .2}, {"beam", physics.Box(physics.Centred(2, .1, .2)), .1}, {"hull of 12 corners", physics.Hull(corners), .2}}
}

// friction is V39: Coulomb's friction in 24 directions on the level and on a belt, and the slope at which bodies slip.
func friction() ([]Row, error) {
	var rows []Row
	for _, s := range sliders() {
		for _, belt := range []bool{false, true} {
			size, veer, err := slides(s, belt)
			if err != nil {
				return nil, err
			}
			what := s.name + " thrown in 24 directions"
			if belt {
				what = s.name + " carried by belts in 24 directions"
			}
			rows = append(rows, row("V39", what+": worst of the friction over µmg", 100*size, 0, 1, "%"), row("V39", what+": worst veer", veer, 0, .5, "°"))
		}
		for _, µ := range []float64{.2, .5, .8, 1.1} {
			crept, off, err := slips(s, µ)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row("V39", fmt.Sprintf("%s on slopes .5 %% below the angle of µ = %g: worst way in 1 s", s.name, µ), 1000*crept, 0, 2, "mm"),
				row("V39", fmt.Sprintf("%s on slopes .5 %% above the angle of µ = %g: worst of the acceleration over µg", s.name, µ), 100*off, 0, 1, "%"))
		}
	}
	return rows, nil
}

// slides is by which share friction is off at worst, and by how many degrees the way turns.
func slides(s slider, belt bool) (size, veer float64, err error) {
	const speed, dt, n = 6, 1. / 60, 30
	for k := range 24 {
		µ := [3]float64{.2, .6, .9}[k%3]
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + .3) / 24)
		along, across := r3.Vec{X: cos, Z: sin}, r3.Vec{X: -sin, Z: cos}
		ground := physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Material: physics.Material{Friction: µ}}
		if belt {
			ground.Material.SurfaceVelocity = r3.Scale(2*speed, along)
		}
		w, b, err := onGround(s, ground, r3.Vec{Y: -9.81}, µ)
		if err != nil {
			return 0, 0, err
		}
		sign := 1.
		if !belt {
			sign = -1
			if err := b.SetVelocity(r3.Scale(speed, along)); err != nil {
				return 0, 0, err
			}
		}
		for range 5 {
			w.Step(dt)
		}
		v := b.Velocity()
		for range n {
			w.Step(dt)
		}
		a := r3.Scale(sign/(n*dt), r3.Sub(b.Velocity(), v))
		size = max(size, math.Abs(r3.Dot(a, along)/(µ*9.81)-1))
		veer = max(veer, 180/math.Pi*math.Abs(math.Atan2(r3.Dot(b.Velocity(), across), r3.Dot(b.Velocity(), along))))
	}
	return size, veer, nil
}

// slips is how far, m, the body creeps in a second just below the angle of friction, and by which share of µg its
// acceleration just above is off, at worst of eight directions of the slope.
func slips(s slider, µ float64) (crept, off float64, err error) {
	for k := range 8 {
		for _, share := range []float64{.995, 1.005} {
			angle := share * math.Atan(µ)
			sin, cos := math.Sincos(math.Pi / 4 * (float64(k) + .3))
			pull := 9.81 * math.Sin(angle)
			g := r3.Vec{X: pull * cos, Y: -9.81 * math.Cos(angle), Z: pull * sin}
			w, b, err := onGround(s, physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Material: physics.Material{Friction: µ}}, g, µ)
			if err != nil {
				return 0, 0, err
			}
			for range 60 {
				w.Step(1. / 60)
			}
			x, v := b.Position(), b.Velocity()
			for range 60 {
				w.Step(1. / 60)
			}
			if share < 1 {
				crept = max(crept, r3.Norm(r3.Sub(b.Position(), x)))
				continue
			}
			left := 9.81 * (math.Sin(angle) - µ*math.Cos(angle))
			off = max(off, math.Abs(r3.Norm(r3.Sub(b.Velocity(), v))-left)/(µ*9.81))
		}
	}
	return crept, off, nil
}

// onGround stands a body on a static ground whose surface is y = 0.
func onGround(s slider, ground physics.ShapeDef, gravity r3.Vec, µ float64) (*physics.World, physics.Body, error) {
	w := physics.NewWorld(physics.WorldDef{Gravity: gravity, NoSleep: true})
	base, err := w.AddBody(physics.BodyDef{})
	if err == nil {
		_, err = base.AddShape(ground)
	}
	if err != nil {
		return nil, physics.Body{}, err
	}
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: s.height / 2}})
	if err == nil {
		_, err = b.AddShape(physics.ShapeDef{Geometry: s.shape, Material: physics.Material{Friction: µ}})
	}
	return w, b, err
}
