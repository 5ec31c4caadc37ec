package sounds

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func near(got, want, part float64) bool { return math.Abs(got-want) <= part*math.Abs(want) }

// A bubble of 3 mm in water rings at 1.09 kHz; the product of radius and frequency is 3.26 m/s.
func TestMinnaert(t *testing.T) {
	if f := Minnaert(3e-3); !near(f, 1094, .01) || !near(Minnaert(1), 3.28, .01) {
		t.Errorf("%g Hz", f)
	}
}

// Impacts near each other are one splash, with their total energy and mean position; it keeps its key, and starts once.
func TestImpactsJoin(t *testing.T) {
	var e Ear
	s := Step{Dt: .01, CellSize: .05, Density: 1000, Up: r3.Vec{Y: 1}, Impacts: []Impact{
		{Position: r3.Vec{X: 1}, Energy: 1, Speed: 2, Area: .01}, {Position: r3.Vec{X: 1.3}, Energy: 3, Speed: 4, Area: .02, Impulse: 5, Body: 7},
		{Position: r3.Vec{X: 5}, Energy: .5, Speed: .5, Area: .01}, {Position: r3.Vec{X: 9}, Energy: 1e-9, Speed: 9, Area: .01},
	}}
	var first []Source
	for n := range 3 {
		got := slices.Clone(e.Hear(&s))
		if len(got) != 3 || got[0].Kind != Splash || got[1].Kind != Bubbles || got[2].Kind != Splash {
			t.Fatalf("%+v", got)
		}
		a, b, c := got[0], got[1], got[2]
		if a.Energy != 4 || a.Power != 400 || !near(a.Position.X, 1.225, 1e-12) || a.Speed != 3.5 || a.Impulse != 5 || a.Body != 7 || c.Position.X != 5 {
			t.Errorf("%+v", got)
		}
		if a.Starts != (n == 0) || b.Key != a.Key || c.Key == a.Key || n > 0 && a.Key != first[0].Key {
			t.Errorf("step %d: %+v", n, got)
		}
		if n == 0 {
			first = got
		}
	}
	s.Impacts = nil
	for range 20 {
		e.Hear(&s)
	}
	s.Impacts = []Impact{{Position: r3.Vec{X: 1}, Energy: 1, Speed: .5, Area: .01}}
	if got := e.Hear(&s); len(got) != 1 || !got[0].Starts || got[0].Key == first[0].Key {
		t.Errorf("after a pause: %+v", got)
	}
}

// Bubbles of breaking waves have a radius of a millimetre; slow liquid entrains none.
func TestBubblesOfASplash(t *testing.T) {
	s := Step{Dt: .01, Density: 1000}
	p := Source{Kind: Splash, Energy: 10, Speed: 3, Size: .1}
	b, ok := p.bubbles(&s)
	if !ok || b.Size < 3e-4 || b.Size > 3e-3 || b.Energy <= 0 || b.Energy > p.Energy || !near(b.Rate*s.Dt*sphere(b.Size), .2*10/4500., 1e-9) {
		t.Errorf("%+v", b)
	}
	if p.Speed = .9; ok {
		if _, ok = p.bubbles(&s); ok {
			t.Error("a slow splash draws air in")
		}
	}
}

// New rain has its rate from its first droplets on.
func TestRainFromTheStart(t *testing.T) {
	var e Ear
	s := Step{Dt: 1. / 60, CellSize: .1, Density: 1000, Up: r3.Vec{Y: 1}}
	seed := uint64(1)
	part := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>40) / (1 << 24)
	}
	for n := range 600 {
		s.Drops = s.Drops[:0]
		for range 5 {
			s.Drops = append(s.Drops, Droplet{Position: r3.Vec{X: 100 + 3*part(), Y: 2, Z: 2 * part()}, Speed: 5, Radius: 1e-3})
		}
		for _, src := range e.Hear(&s) {
			if src.Kind != Rain {
				continue
			}
			if !near(src.Rate, 300, 1e-9) || !near(src.Size, 1e-3, 1e-9) || !near(src.Speed, 5, 1e-9) || n > 30 && !near(src.Area, 6, .25) {
				t.Errorf("step %d: %+v", n, src)
			}
		}
	}
}

// A pocket that exists for a few steps only is not heard; a lasting one is, when it forms and when it ends.
func TestPocketsThatFlickerAreSilent(t *testing.T) {
	var e Ear
	s := Step{Dt: 1. / 60, CellSize: .1, Density: 1000}
	var got []Kind
	for n := range 60 {
		s.Pockets = s.Pockets[:0]
		if n%4 == 0 {
			s.Pockets = append(s.Pockets, Pocket{r3.Vec{X: 5}, .01})
		}
		if n >= 10 && n < 40 {
			s.Pockets = append(s.Pockets, Pocket{r3.Vec{Y: float64(n) / 100}, .02})
		}
		for _, src := range e.Hear(&s) {
			got = append(got, src.Kind)
		}
	}
	if want := []Kind{PocketFormed, PocketSurfaced}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A pocket that opens has surfaced, with all its air, also where a little of that stays enclosed.
func TestPocketThatLeavesARemnantSurfaces(t *testing.T) {
	var e Ear
	s := Step{Dt: 1. / 60, CellSize: .1, Density: 1000}
	var got []Source
	for n := range 60 {
		s.Pockets = append(s.Pockets[:0], Pocket{r3.Vec{}, .02})
		if n >= 20 {
			s.Pockets[0].Volume = .0005
		}
		if n >= 50 {
			s.Pockets = s.Pockets[:0]
		}
		got = append(got, e.Hear(&s)...)
	}
	if len(got) != 4 || got[1].Kind != PocketFormed && got[1].Kind != PocketSurfaced || got[3].Kind != PocketClosed {
		t.Fatalf("%+v", got)
	}
	for _, src := range got[1:3] {
		if src.Kind == PocketSurfaced && math.Abs(src.Size-sphereRadius(.02)) < 1e-12 {
			return
		}
	}
	t.Errorf("no pocket of %g m surfaces: %+v", sphereRadius(.02), got)
}

func TestHearAllocatesNothing(t *testing.T) {
	var e Ear
	s := Step{Dt: .01, CellSize: .1, Density: 1000, Impacts: []Impact{{Energy: 1, Speed: 3, Area: 1}}, Drops: make([]Droplet, 40),
		Flows: []Flow{{Kind: Tap, Volume: 1, Speed: 1}}, Pockets: []Pocket{{Volume: 1}}}
	if n := testing.AllocsPerRun(100, func() { e.Hear(&s) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if got := e.Hear(&Step{}); len(got) != 0 {
		t.Errorf("a step of no time: %+v", got)
	}
}
