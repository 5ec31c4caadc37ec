package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Splash is the impact of a body on the liquid, whose crown is thinner than the cells.
type Splash struct {
	Body   uint64  // the body's ID
	Place  r3.Vec  // the middle, m
	Radius float64 // of the body, m
	Speed  float64 // of the body relative to the liquid, m/s
}

// SplashOf returns the splash of a body with a bounding box, m.
func SplashOf(body uint64, place r3.Vec, box r3.Box, speed float64) Splash {
	size := r3.Sub(box.Max, box.Min)
	return Splash{Body: body, Place: place, Radius: (size.X + size.Y + size.Z) / 6, Speed: speed}
}

// crown is the number of a splash's particles, relative to those on an all-white surface of the body's cross-section.
const crown = 1

// bubblesOfSplash is the share of bubbles among a splash's particles.
const bubblesOfSplash = .25

// makeSplashes appends the particles of the step's splashes, up to most in all.
func (w *Water) makeSplashes(scale float64, most int) {
	up := query.Up(w.step.Gravity)
	u, v := reproducible.Basis(up)
	for i := range w.step.Splashes {
		s := &w.step.Splashes[i]
		d := dice{droplets.SplitMix64(w.step.Seed ^ droplets.SplitMix64(^s.Body))}
		energy := w.energy(float64(s.Speed * s.Speed))
		wanted := float64(crown * math.Pi * s.Radius * s.Radius * w.density * energy * scale)
		for n := int(wanted + d.next()); n > 0 && w.next.Len() < most; n-- {
			sin, cos := reproducible.Sincos(2 * math.Pi * d.next())
			out := r3.Add(reproducible.Scale(cos, u), reproducible.Scale(sin, v))
			p := particle{kind: Spray}
			if d.next() < bubblesOfSplash {
				p.kind = Bubble
				p.v = reproducible.Scale(-.5*s.Speed*d.next(), up)
				p.x = r3.Add(reproducible.Scale(.3+float64(.7*d.next()), out), reproducible.Scale(-d.next(), up))
			} else {
				rest := d.next() // most are slow
				speed := s.Speed * (.15 + float64(.65*rest*rest))
				p.v = r3.Add(reproducible.Scale(speed*(.3+float64(.4*d.next())), out), reproducible.Scale(.9*speed, up))
				p.x = reproducible.Scale(.9+float64(.3*d.next()), out)
			}
			p.x = r3.Add(s.Place, reproducible.Scale(s.Radius, p.x))
			w.add(&p, &d)
		}
	}
}
