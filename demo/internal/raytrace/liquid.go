package raytrace

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Liquid is a clear medium within a closed mesh, as a fluid.Surface has it, with droplets beside it. Solids may reach into the mesh: what is in
// both is solid. A wall that the liquid stands at is to lie a little within the mesh, so that there is no gap of air between them.
type Liquid struct {
	Positions []float32 // xyz per vertex
	Normals   []float32 // xyz per vertex, unit, out of the liquid
	Foam      []float32 // per vertex, 0 to 1; nil: none
	Indices   []uint32  // three per triangle, counter-clockwise seen from outside
	Free      int       // how many of Indices are free surface, with smooth normals; the rest are flat
	Droplets  []float32 // xyz and radius each

	Index   float64 // of refraction; 0 means water's, 1.333
	Absorb  Colour  // 1/m
	Cloud   float64 // light that is scattered, 1/m
	Scatter Colour  // colour of the cloud in daylight
	// FoamColour is the share of light that foam throws back; FoamSize is the size of its pattern, 0 means 0.5 m.
	FoamColour Colour
	FoamSize   float64
}

// waterIndex is the index of refraction of water, as in the scene's shaders.
const waterIndex = 1.333

func (l *Liquid) validate() error {
	n := len(l.Positions) / 3
	switch {
	case len(l.Normals) < 3*n:
		return fmt.Errorf("Normals: %d; must be three for each of %d vertices", len(l.Normals), n)
	case l.Foam != nil && len(l.Foam) < n:
		return fmt.Errorf("Foam: %d; must be none or one for each of %d vertices", len(l.Foam), n)
	case l.Free < 0 || l.Free > len(l.Indices) || len(l.Indices)%3 != 0 || l.Free%3 != 0:
		return fmt.Errorf("Free: %d; must be three for each triangle, at most the %d of Indices", l.Free, len(l.Indices))
	case l.Index != 0 && !(l.Index >= 1 && l.Index <= 4):
		return fmt.Errorf("Index: %g; must be 0 or from 1 to 4", l.Index)
	case !(min(l.Absorb.X, l.Absorb.Y, l.Absorb.Z) >= 0) || !(l.Cloud >= 0):
		return fmt.Errorf("Absorb, Cloud: %v, %g; must be 0 or more", l.Absorb, l.Cloud)
	case !(l.FoamSize >= 0):
		return fmt.Errorf("FoamSize: %g; must be 0 or more", l.FoamSize)
	}
	for i, k := range l.Indices {
		if int(k) >= n {
			return fmt.Errorf("Indices[%d]: %d; must be below the %d vertices", i, k, n)
		}
	}
	for i, x := range l.Positions {
		if x != x || math.IsInf(float64(x), 0) {
			return fmt.Errorf("Positions[%d]: must be finite", i)
		}
	}
	return nil
}

func vec(a []float32, i uint32) r3.Vec {
	return r3.Vec{X: float64(a[3*i]), Y: float64(a[3*i+1]), Z: float64(a[3*i+2])}
}

// smooth is the normal at a place of triangle k, or the flat one where the mesh only closes.
func (l *Liquid) smooth(k int, u, v float64, flat r3.Vec) r3.Vec {
	if 3*k >= l.Free {
		return flat
	}
	c := l.Indices[3*k : 3*k+3]
	n := r3.Add(r3.Scale(1-u-v, vec(l.Normals, c[0])), r3.Add(r3.Scale(u, vec(l.Normals, c[1])), r3.Scale(v, vec(l.Normals, c[2]))))
	if !(r3.Norm2(n) > .01) {
		return flat
	}
	return r3.Unit(n)
}

// foamAt is the share of foam at a place of triangle k.
func (l *Liquid) foamAt(k int, u, v float64, at r3.Vec) float64 {
	if l.Foam == nil || 3*k >= l.Free {
		return 0
	}
	c := l.Indices[3*k : 3*k+3]
	amount := (1-u-v)*float64(l.Foam[c[0]]) + u*float64(l.Foam[c[1]]) + v*float64(l.Foam[c[2]])
	if amount < .01 {
		return 0
	}
	return lace(amount, r3.Scale(1/l.FoamSize, at))
}

// lace is the share of a place, in sizes of the pattern, that foam of an amount covers: bubbles in bands that close as there is more of it.
func lace(amount float64, p r3.Vec) float64 {
	amount = min(amount, 1)
	x, z := p.X+.6*p.Y, p.Z+.4*p.Y
	warp := Noise(2*x, 2*z, 1) - .5
	pattern := .45*Noise(5*x+warp, 5*z-warp, 2) + .30*Noise(14*x, 14*z, 3) + .25*Noise(37*x, 37*z, 4)
	least := .78 - .56*amount
	return smoothstep(least, least+.25, pattern) * smoothstep(0, .15, amount) * .95
}

// scattered is the light of an endless way through the cloud.
func (l *Liquid) scattered(s *Sky, sun *sun) Colour {
	day := r3.Add(r3.Scale(.45, s.Zenith), r3.Scale(.25, s.Horizon))
	if s.Strength > 0 {
		day = r3.Add(day, r3.Scale(.55*max(0, sun.to.Y), s.SunLit))
	}
	return times(l.Scatter, day)
}

// through is what is left of light after a way through the liquid, and what the cloud adds, as in the scene's shaders.
func (t *Tracer) through(c Colour, way float64) Colour {
	l := &t.liquid
	c = times(c, decay(r3.Add(l.Absorb, Grey(l.Cloud)), way))
	if l.Cloud == 0 {
		return c
	}
	return r3.Add(c, times(t.glow, r3.Sub(Grey(1), decay(r3.Add(r3.Scale(.5, l.Absorb), Grey(l.Cloud)), way))))
}
