package waves

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// moving has a mesh move with a velocity that depends on the place.
func moving(m *query.Triangles, velocity func(x r3.Vec) r3.Vec) *query.Triangles {
	for v := range len(m.Positions) / 3 {
		set(m.Velocities, v, velocity(at(m.Positions, uint32(v))))
	}
	return m
}

// hill is a height and its rate with no volume on a sheet of 1 by 1.
func hill(x r3.Vec) float64 {
	return .01 * math.Cos(2*math.Pi*2*x.X) * math.Cos(2*math.Pi*x.Z)
}

// Waves go with the surface, from one mesh to another that shares no vertex with it, and have no volume.
func TestWavesGoWithTheSurface(t *testing.T) {
	const dt = .05
	along := func(r3.Vec) r3.Vec { return r3.Vec{X: .6, Z: -.4} }
	w := onSheet(t, moving(sheet(50, 50, .02, .3), along), 1)
	for v := range w.Height {
		x := at(w.now.positions, uint32(v))
		w.Height[v], w.Speed[v] = hill(x), 3*hill(x)
	}
	next := moving(sheet(43, 47, 1./47, .4), along)
	w.Carry(next, dt)
	worst, volume := 0., 0.
	for v, m := range w.Mass() {
		volume += m * w.Height[v]
		x := at(next.Positions, uint32(v))
		from := r3.Sub(x, r3.Scale(dt, along(x)))
		if min(from.X, from.Z) < .02 || max(from.X, from.Z) > .98 {
			continue
		}
		worst = max(worst, math.Abs(w.Height[v]-hill(from)), math.Abs(w.Speed[v]/3-hill(from)))
	}
	t.Logf("off by %.2g m of %g; volume %.2g m³", worst, hill(r3.Vec{}), volume)
	if worst > .06*hill(r3.Vec{}) || math.Abs(volume) > 1e-16 {
		t.Errorf("off by %g m of %g; volume %g m³", worst, hill(r3.Vec{}), volume)
	}
}

// A mesh that stays keeps its waves bit for bit but for their mean.
func TestWavesStayOnAMeshThatStays(t *testing.T) {
	m := sheet(30, 30, .02, .3)
	w := onSheet(t, m, 1)
	for v := range w.Height {
		w.Height[v] = .002 * math.Sin(float64(v*v))
	}
	w.RemoveMean(w.Height)
	was := slices.Clone(w.Height)
	for range 10 {
		w.Carry(m, 1./60)
	}
	for v, h := range w.Height {
		if math.Abs(h-was[v]) > 1e-15 {
			t.Fatalf("vertex %d: %g, then %g", v, was[v], h)
		}
	}
}

// Waves fall by the root of how much larger a surface gets, at most to half of them, and rise where it shrinks.
func TestWavesFallWhereTheSurfaceStretches(t *testing.T) {
	const dt = .1
	for _, c := range []struct{ stretch, want float64 }{{1.5, math.Sqrt(1 / 1.5)}, {8, .5}, {.6, math.Sqrt(1 / .6)}, {.1, 2}} {
		wider := func(x r3.Vec) r3.Vec { return r3.Vec{X: x.X * (c.stretch - 1) / dt} }
		m := moving(sheet(50, 50, .02, .2), wider)
		w := onSheet(t, m, 1)
		for v := range w.Height {
			w.Height[v] = hill(at(w.now.positions, uint32(v)))
		}
		w.RemoveMean(w.Height)
		next := sheet(50, 50, .02, .2)
		for v := range len(next.Positions) / 3 {
			next.Positions[3*v] *= float32(c.stretch)
			next.Velocities[3*v] = m.Velocities[3*v]
		}
		was := slices.Clone(w.Height)
		w.Carry(next, dt)
		got := 0.
		for v, h := range was {
			got = max(got, w.Height[v]/max(h, .005))
		}
		if math.Abs(got-c.want) > .01*c.want {
			t.Errorf("stretched by %g: waves are %g of what they were, want %g", c.stretch, got, c.want)
		}
	}
}

// Waves on one side of a thin sheet, or on a surface with one label, don't come to the other side or to another surface.
func TestWavesKeepToTheirSide(t *testing.T) {
	for _, labelled := range []bool{false, true} {
		m, other := sheet(20, 20, .02, 0), sheet(20, 20, .02, 0)
		n := len(m.Positions) / 3
		for v := range n {
			other.Positions[3*v+1] = -.002
			if !labelled {
				other.Normals[3*v+1] = -1
			}
		}
		m.Positions, m.Normals, m.Velocities = append(m.Positions, other.Positions...), append(m.Normals, other.Normals...), append(m.Velocities, other.Velocities...)
		for _, v := range other.Indices {
			m.Indices = append(m.Indices, v+uint32(n))
		}
		m.Free = len(m.Indices)
		if labelled {
			m.Labels = slices.Concat(make([]uint8, n), slices.Repeat([]uint8{1}, n))
		}
		w := onSheet(t, m, 1)
		for v := range n {
			w.Height[v] = .002 * math.Sin(float64(v*v))
		}
		for v := range n { // the sheets have come nearer than half way
			m.Positions[3*v+1], m.Positions[3*(v+n)+1] = -.0015, -.0005
		}
		w.Carry(m, 1./60)
		worst := 0.
		for _, h := range w.Height[n:] {
			worst = max(worst, math.Abs(h))
		}
		if worst != 0 || w.Height[5] == 0 {
			t.Errorf("labelled %v: heights of %g on the other surface, %g on this", labelled, worst, w.Height[5])
		}
	}
}

// What is shown is displaced by the heights, with the normals of the displaced surface. Its rim stays on the domain's sides, and what closes the mesh there goes with it.
func TestShownSurface(t *testing.T) {
	m := sheet(50, 50, .02, .3)
	rim := uint32(0)
	m.Positions = append(m.Positions, m.Positions[3*rim:3*rim+3]...) // of the side at -x
	m.Normals, m.Velocities = append(m.Normals, -1, 0, 0), append(m.Velocities, 0, 0, 0)
	last := len(m.Positions)/3 - 1
	m.Indices = append(m.Indices, uint32(last), 3, 4)
	w := onSheet(t, m, 1)
	for v := range w.Height {
		if v < last {
			w.Height[v] = hill(at(w.now.positions, uint32(v)))
		}
	}
	set(w.now.normals, 0, r3.Unit(r3.Vec{X: .3, Y: 1})) // not along the side
	var s Shown
	domain := r3.Box{Min: r3.Vec{Y: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	w.Show(&s, domain)
	if p := s.Positions[:3]; p[0] != 0 || p[2] != 0 || p[1] < .009 || !slices.Equal(s.Positions[3*last:], p) || s.Normals[3*last] != -1 {
		t.Errorf("the rim is at %v, its copy at %v with the normal %v", p, s.Positions[3*last:], s.Normals[3*last:])
	}
	worst := 0.
	for v := 1; v < last; v++ {
		x, got := at(m.Positions, uint32(v)), at(s.Normals, uint32(v))
		if min(x.X, x.Z) < .02 || max(x.X, x.Z) > .98 {
			continue
		}
		if y := s.Positions[3*v+1]; y != float32(w.Height[v]) {
			t.Fatalf("vertex %d is at a height of %g, want %g", v, y, w.Height[v])
		}
		const d = 1e-5
		slope := r3.Vec{X: (hill(r3.Vec{X: x.X + d, Z: x.Z}) - hill(x)) / d, Z: (hill(r3.Vec{X: x.X, Z: x.Z + d}) - hill(x)) / d}
		worst = max(worst, r3.Norm(r3.Sub(got, r3.Unit(r3.Sub(r3.Vec{Y: 1}, slope)))))
	}
	t.Logf("normals are off by %.3f", worst)
	if worst > .02 {
		t.Errorf("normals are off by %g", worst)
	}
}

// The same bits come from any number of workers, and nothing is allocated once arrays are long enough.
func TestCarryingForAnyWorkers(t *testing.T) {
	a, b := sheet(60, 60, .02, .45), sheet(55, 63, .021, .4)
	domain := r3.Box{Min: r3.Vec{Y: -1}, Max: r3.Vec{X: 2, Y: 1, Z: 2}}
	run := func(w *Waves, s *Shown) {
		w.SetMesh(a)
		for v := range w.Height {
			w.Height[v] = .003 * math.Sin(float64(v*v))
		}
		for range 2 {
			w.Carry(b, 1./60)
			w.Step(earth, 1./60)
			w.Carry(a, 1./60)
			w.Show(s, domain)
		}
	}
	one, three := onSheet(t, a, 1), onSheet(t, a, 3)
	var first, third Shown
	run(one, &first)
	run(three, &third)
	if !slices.Equal(one.Height, three.Height) || !slices.Equal(first.Positions, third.Positions) || !slices.Equal(first.Normals, third.Normals) {
		t.Error("other workers make other waves")
	}
	if n := testing.AllocsPerRun(3, func() { run(three, &third) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
