package raytrace

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func turnX(angle float64) quat.Number {
	sin, cos := math.Sincos(angle / 2)
	return quat.Number{Real: cos, Imag: sin}
}

// tank is a pool, 2 m wide, of a depth, with waves of a height over it, a floor, and walls up to its level.
func tank(depth float64, wave func(x, z float64) float64) *Scene {
	s := &Scene{Sky: Afternoon(), Liquid: waves(1, depth, 100, wave), Solids: []Solid{floor()}}
	const in, out = .9999, 1.5
	for _, b := range []r3.Box{
		{Min: r3.Vec{X: -out, Z: -out}, Max: r3.Vec{X: -in, Y: depth, Z: out}}, {Min: r3.Vec{X: in, Z: -out}, Max: r3.Vec{X: out, Y: depth, Z: out}},
		{Min: r3.Vec{X: -in, Z: -out}, Max: r3.Vec{X: in, Y: depth, Z: -in}}, {Min: r3.Vec{X: -in, Z: in}, Max: r3.Vec{X: in, Y: depth, Z: out}},
	} {
		s.Solids = append(s.Solids, AxisBox(b, &Material{Colour: Grey(.5)}))
	}
	return s
}

// floor is a white one at y = 0, a little higher, wider than a tank.
func floor() Solid {
	return AxisBox(r3.Box{Min: r3.Vec{X: -9, Y: -1, Z: -9}, Max: r3.Vec{X: 9, Y: 1e-4, Z: 9}}, &Material{Colour: Grey(1)})
}

// waves is liquid from y = 0 to a depth, plus what wave says, within half a width from the middle, with n squares along each side.
func waves(half, depth float64, n int, wave func(x, z float64) float64) *Liquid {
	l := block(r3.Box{Min: r3.Vec{X: -half, Z: -half}, Max: r3.Vec{X: half, Y: depth, Z: half}})
	closing := append([]uint32(nil), l.Indices...)
	l.Indices = nil
	first := uint32(len(l.Positions) / 3)
	at := func(i int) float64 { return half * (2*float64(i)/float64(n) - 1) }
	const h = 1e-4
	for j := range n + 1 {
		for i := range n + 1 {
			x, z := at(i), at(j)
			l.Positions = append(l.Positions, float32(x), float32(depth+wave(x, z)), float32(z))
			up := r3.Unit(r3.Vec{X: -(wave(x+h, z) - wave(x-h, z)) / (2 * h), Y: 1, Z: -(wave(x, z+h) - wave(x, z-h)) / (2 * h)})
			l.Normals = append(l.Normals, float32(up.X), float32(up.Y), float32(up.Z))
		}
	}
	for j := range n {
		for i := range n {
			a := first + uint32(j*(n+1)+i)
			b := a + uint32(n) + 1
			l.Indices = append(l.Indices, a, b, a+1, a+1, b, b+1)
		}
	}
	l.Free = len(l.Indices)
	for k := 0; k < len(closing); k += 6 {
		if k != 18 { // the flat top
			l.Indices = append(l.Indices, closing[k:k+6]...)
		}
	}
	return l
}

// Under flat water a floor has everywhere the light that Fresnel's and Beer and Lambert's laws let through.
func TestFlatWaterLightsFloorEvenly(t *testing.T) {
	const depth = .8
	s := tank(depth, func(x, z float64) float64 { return 0 })
	s.Liquid.Absorb = Colour{X: .35, Y: .06, Z: .02}
	tr := mustNew(t, s, Options{Photons: 400_000})
	cos := tr.sun.to.Y
	sin := math.Sqrt(1-cos*cos) / 1.333
	way := depth / math.Sqrt(1-sin*sin)
	want := r3.Scale(cos*(1-Fresnel(cos, 1/1.333)), times(tr.sun.shine, decay(s.Liquid.Absorb, way)))
	var sum Colour
	least, most := math.Inf(1), 0.
	const n = 40
	for i := range n * n {
		// The part of the floor that lies in no wall's shadow.
		x, z := -.9+1.4*float64(i%n)/n, -.9+1.4*float64(i/n)/n
		c := tr.photons.gather(r3.Vec{X: x, Y: 1e-4, Z: z}, r3.Vec{Y: 1})
		sum = r3.Add(sum, r3.Scale(1./(n*n), c))
		least, most = min(least, c.Y/want.Y), max(most, c.Y/want.Y)
	}
	t.Logf("mean %.4f of what comes through, from %.3f to %.3f", sum.Y/want.Y, least, most)
	near(t, "red", sum.X/want.X, 1, .02)
	near(t, "green", sum.Y/want.Y, 1, .02)
	near(t, "blue", sum.Z/want.Z, 1, .02)
	if least < .8 || most > 1.2 {
		t.Errorf("a place has %.2f to %.2f of the mean", least, most)
	}
}

// Waves bring light together, but as much comes to the floor as through flat water, and a ball over it casts its shadow.
func TestWavesKeepLight(t *testing.T) {
	mean := func(amplitude float64, ball bool) float64 {
		s := tank(.5, func(x, z float64) float64 { return amplitude * math.Sin(9*x) * math.Sin(8*z) })
		s.Sky.Sun = r3.Vec{Y: 1}
		if ball {
			s.Solids = append(s.Solids, NewBall(.3, Place{Position: r3.Vec{Y: 1}}, plain))
		}
		tr := mustNew(t, s, Options{Photons: 300_000})
		sum := 0.
		for i := range tr.photons.photons {
			if p := &tr.photons.photons[i]; p.at[1] < .001 && math.Hypot(float64(p.at[0]), float64(p.at[2])) < 3 {
				sum += float64(p.power[0])
			}
		}
		return sum / tr.sun.shine.X
	}
	flat, wavy, shaded := mean(0, false), mean(.03, false), mean(0, true)
	near(t, "flat", flat, 4*(1-Fresnel(1, 1/1.333)), .02*4)
	near(t, "waves over flat", wavy/flat, 1, .02)
	near(t, "shadow, m²", 4*(1-shaded/flat), math.Pi*.3*.3, .01)
}

// Light that comes straight down on a sinusoidal surface meets, under a crest, at the focal length of the crest's curvature.
func TestFocus(t *testing.T) {
	const k, amplitude, n = 2 * math.Pi / 1.6, .03, 1.333
	focal := n / ((n - 1) * amplitude * k * k) // of a surface of radius 1/(amplitude·k²), in the denser medium
	l := waves(.25, 2.5*focal, 100, func(x, z float64) float64 { return amplitude * math.Cos(k*x) })
	best, brightest := 0., 0.
	for step := 0.8; step <= 1.2; step += .02 {
		at := 2.5*focal + amplitude - step*focal
		bed := AxisBox(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 1, Y: at, Z: 1}}, plain)
		s := &Scene{Sky: Afternoon(), Liquid: l, Solids: []Solid{bed}}
		s.Sky.Sun, s.Sky.Radius = r3.Vec{Y: 1}, 0
		tr := mustNew(t, s, Options{Photons: 40_000, Radius: .003})
		light := 0.
		for i := range 50 {
			light += tr.photons.gather(r3.Vec{Y: at, Z: -.2 + .4*float64(i)/50}, r3.Vec{Y: 1}).X / 50
		}
		if light > brightest {
			best, brightest = step, light
		}
	}
	t.Logf("focal length %.3f m: brightest at %.2f of it, %.1f times the mean", focal, best, brightest)
	near(t, "focus over focal length", best, 1, .05)
	if brightest < 3 {
		t.Errorf("no focus: at most %.2f", brightest)
	}
}
