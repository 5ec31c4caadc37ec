package predicates

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// ask asks VertexTriangle, or EdgeEdge if edges is set.
func ask(edges bool, m *[4]Motion) (Contact, bool) {
	if edges {
		return EdgeEdge(&m[0], &m[1], &m[2], &m[3])
	}
	return VertexTriangle(&m[0], &m[1], &m[2], &m[3])
}

// weighted is the sum of the points of a motion at a time, times weights.
func weighted(m *[4]Motion, w [4]float64, t float64) (sum r3.Vec) {
	for i := range m {
		sum = r3.Add(sum, r3.Scale(w[i], r3.Add(r3.Scale(1-t, m[i][0]), r3.Scale(t, m[i][1]))))
	}
	return sum
}

// sizeOf is the largest difference of coordinates between the simplices.
func sizeOf(edges bool, m *[4]Motion) (size float64) {
	first := 1
	if edges {
		first = 2
	}
	for k := range 2 {
		for _, x := range m[:first] {
			for _, y := range m[first:] {
				d := r3.Sub(x[k], y[k])
				size = max(size, math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z))
			}
		}
	}
	return size
}

// Distances in parts of the size at which pairs are said to meet, as documented, and as much again for the roundings of a test.
const (
	general = 2 * contactDistance
	special = 0x1p-25
)

// checkContact fails where the contact is not one within a part of the size.
func checkContact(t *testing.T, edges bool, m *[4]Motion, c Contact, part float64) {
	t.Helper()
	w := c.Weights
	first, second := w[0], w[1]+w[2]+w[3]
	signs := w[0] == 1 && w[1] <= 0 && w[2] <= 0 && w[3] <= 0x1p-52
	if edges {
		first, second = w[0]+w[1], w[2]+w[3]
		signs = w[0] >= 0 && w[1] >= 0 && w[2] <= 0 && w[3] <= 0
	}
	if !signs || math.Abs(first-1) > 0x1p-50 || math.Abs(second+1) > 0x1p-50 || !(c.Time >= 0 && c.Time <= 1) || math.Abs(r3.Norm(c.Normal)-1) > 0x1p-50 || c.Distance != 0 {
		t.Fatalf("edges %v: contact %+v of %v", edges, c, m)
	}
	// The points are multiplied with weights here, which loses digits of where they are, not of their differences.
	if d, most := r3.Norm(weighted(m, w, c.Time)), part*sizeOf(edges, m); d > most {
		t.Fatalf("edges %v: contact %+v of %v is %g apart, more than %g", edges, c, m, d, most)
	}
	if v := r3.Dot(c.Normal, r3.Sub(weighted(m, w, 1), weighted(m, w, 0))); v > 0x1p-40*sizeOf(edges, m) {
		t.Fatalf("edges %v: contact %+v of %v goes apart with %g", edges, c, m, v)
	}
}

// touching is a motion whose points meet at a time and place known exactly, if all are on a grid of some bits: at a corner, on a side or within.
func touching(rng *rand.Rand, edges bool, bits int) (m [4]Motion) {
	place := func() float64 { return float64(rng.IntN(1<<bits) - 1<<bits/2) }
	point := func() r3.Vec { return r3.Vec{X: place(), Y: place(), Z: place()} }
	flat := rng.IntN(4) == 0 // all in one plane
	still := rng.IntN(4) == 0
	for i := range m {
		m[i] = Motion{point(), point()}
		if still {
			m[i][1] = m[i][0]
		}
		if flat {
			m[i][0].Z, m[i][1].Z = 1, 1
		}
	}
	time := []float64{0, .25, .5, 1}[rng.IntN(4)]
	u := float64(rng.IntN(5)) / 4
	v := float64(rng.IntN(5)) / 4 * (1 - u)
	w := [4]float64{0, 1 - u - v, u, v}
	first := 0.
	if edges {
		first, v = float64(rng.IntN(4))/4, float64(rng.IntN(5))/4 // the place on the first edge is not its end q
		w = [4]float64{0, -first, 1 - v, v}
	}
	// Point 0 has the weight 1-first. Dividing by it must be exact.
	if s := 1 - first; s != math.Trunc(s*2)/2 {
		first, w[1] = .5, -.5
	}
	at := r3.Scale(1/(1-first), weighted(&m, w, time))
	if time == 0 {
		m[0][0] = at
		return m
	}
	m[0][1] = r3.Add(m[0][0], r3.Scale(1/time, r3.Sub(at, m[0][0])))
	return m
}

// What meets is never missed: in a corner, on a side, within, in one plane, along it and at rest.
func TestNoCollisionIsMissed(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	n := 100000
	if testing.Short() {
		n = 20000
	}
	for i := range n {
		edges := i%2 == 0
		m := touching(rng, edges, 1+rng.IntN(18))
		c, meet := ask(edges, &m)
		if !meet {
			t.Fatalf("motion %d, edges %v: missed: %v", i, edges, m)
		}
		checkContact(t, edges, &m, c, special)
		// The same moved away and scaled, without rounding.
		scale := math.Ldexp(1, rng.IntN(1200)-800)
		for j := range m {
			for k := range m[j] {
				m[j][k] = r3.Scale(scale, r3.Add(m[j][k], r3.Vec{X: 1 << 21, Y: -1 << 20, Z: 1 << 22}))
			}
		}
		if _, meet := ask(edges, &m); !meet {
			t.Fatalf("motion %d, edges %v, times %g: missed: %v", i, edges, scale, m)
		}
	}
}

// On a small grid, where most motions are degenerate, what meets at a time of a sixteenth is found, as the exact predicates of points at rest know it.
func TestCollisionsOnGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	meets, misses := 0, 0
	for i := range 30000 {
		var m [4]Motion
		for j := range m {
			for k := range 2 {
				m[j][k] = r3.Vec{X: float64(rng.IntN(4)), Y: float64(rng.IntN(4)), Z: float64(rng.IntN(2 + i%3))}
			}
		}
		for _, edges := range []bool{false, true} {
			if c, meet := ask(edges, &m); meet {
				meets++
				checkContact(t, edges, &m, c, special)
				continue
			}
			misses++
			checkApart(t, edges, &m)
		}
	}
	if meets < 3000 || misses < 3000 {
		t.Errorf("%d meet, %d do not", meets, misses)
	}
}

// checkApart fails where points of a coarse grid meet at some sixteenth of their motion.
func checkApart(t *testing.T, edges bool, m *[4]Motion) {
	t.Helper()
	for k := range 17 {
		var x [4]r3.Vec
		for j := range x {
			x[j] = weighted(&[4]Motion{m[j]}, [4]float64{1}, float64(k)/16)
		}
		if edges && SegmentSegment(x[0], x[1], x[2], x[3]) || !edges && SegmentTriangle(x[0], x[0], x[1], x[2], x[3]) {
			t.Fatalf("edges %v: %v meet at %d/16", edges, m, k)
		}
	}
}

// reference finds the first collision of a motion in general position by looking where the volume of the four points changes sign. It is clear if no place is near the border.
func reference(edges bool, m *[4]Motion) (time float64, meet, clear bool) {
	at := func(t float64) (x [4]r3.Vec) {
		for j := range x {
			x[j] = r3.Add(r3.Scale(1-t, m[j][0]), r3.Scale(t, m[j][1]))
		}
		return x
	}
	volume := func(t float64) float64 {
		x := at(t)
		return r3.Dot(r3.Cross(r3.Sub(x[1], x[0]), r3.Sub(x[2], x[0])), r3.Sub(x[3], x[0]))
	}
	const parts = 300
	clear = true
	for k := range parts {
		low, high := float64(k)/parts, float64(k+1)/parts
		if (volume(low) > 0) == (volume(high) > 0) {
			if k > 0 && k < parts-1 { // there may be two crossings between samples where the volume nears 0 and goes away again
				before, after := math.Abs(volume(low-1./parts)), math.Abs(volume(high+1./parts))
				if v := math.Abs(volume((low + high) / 2)); v < before && v < after && v < 1e-3 {
					clear = false
				}
			}
			continue
		}
		sign := volume(low) > 0
		for range 60 {
			if middle := (low + high) / 2; (volume(middle) > 0) == sign {
				low = middle
			} else {
				high = middle
			}
		}
		x := at(low)
		var inside float64 // how far from the border, in weights
		if edges {
			d, e, f := r3.Sub(x[1], x[0]), r3.Sub(x[3], x[2]), r3.Sub(x[2], x[0])
			n := r3.Cross(d, e)
			s, u := r3.Dot(r3.Cross(f, e), n)/r3.Norm2(n), r3.Dot(r3.Cross(f, d), n)/r3.Norm2(n)
			inside = min(s, 1-s, u, 1-u)
		} else {
			n := r3.Cross(r3.Sub(x[2], x[1]), r3.Sub(x[3], x[1]))
			part := func(a, b r3.Vec) float64 {
				return r3.Dot(r3.Cross(r3.Sub(a, x[0]), r3.Sub(b, x[0])), n) / r3.Norm2(n)
			}
			inside = min(part(x[1], x[2]), part(x[2], x[3]), part(x[3], x[1]))
		}
		if math.Abs(inside) < 1e-9 {
			clear = false
		}
		if inside > 0 {
			return low, true, clear
		}
	}
	return 0, false, clear
}

// In general position the answer, the time and the side are those of the reference. A yes where there is nothing needs a distance below the bound.
func TestCollisionsAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	meets, unclear := 0, 0
	n := 100000
	if testing.Short() {
		n = 5000
	}
	for i := range n {
		edges := i%2 == 0
		var m [4]Motion
		speed := math.Exp2(-float64(rng.IntN(6)))
		for j := range m {
			m[j][0] = r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
			m[j][1] = r3.Add(m[j][0], r3.Scale(2*speed, r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5}))
		}
		time, want, clear := reference(edges, &m)
		c, got := ask(edges, &m)
		if got {
			checkContact(t, edges, &m, c, general)
		}
		if !clear {
			unclear++
			continue
		}
		if got != want || got && math.Abs(c.Time-time) > 1e-6 {
			t.Fatalf("motion %d, edges %v: %v at %g, want %v at %g: %v", i, edges, got, c.Time, want, time, m)
		}
		if got {
			meets++
			if c2, _ := ask(edges, &m); c2 != c {
				t.Fatalf("motion %d: another contact when asked again", i)
			}
			if before := r3.Dot(c.Normal, weighted(&m, c.Weights, max(0, c.Time-1e-3))); c.Time > 1e-3 && before < 0 {
				t.Fatalf("motion %d, edges %v: contact %+v comes from the other side", i, edges, c)
			}
		}
	}
	if meets < n/50 || unclear > n/8 {
		t.Errorf("of %d motions, %d meet and %d are unclear", n, meets, unclear)
	}
}

// What passes at a little more than the documented distance is not said to meet.
func TestNearMisses(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	random := func() r3.Vec { return r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5} }
	for i := range 20000 {
		// A vertex goes through the plane of a moving triangle beyond its side a-b; an edge goes by the end of another one.
		gap := math.Exp2(-6 - float64(i%30))
		drift := random()
		a, b, c := r3.Vec{X: -1}, r3.Vec{X: 1}, r3.Vec{X: rng.Float64() - .5, Y: 1}
		x := r3.Vec{X: rng.Float64() - .5, Y: -gap, Z: 1}
		down := r3.Vec{Z: -2*rng.Float64() - .5}
		move := func(p, by r3.Vec) Motion { return Motion{p, r3.Add(p, r3.Add(drift, by))} }
		if got, meet := ask(false, &[4]Motion{move(x, down), move(a, r3.Vec{}), move(b, r3.Vec{}), move(c, r3.Vec{})}); meet {
			t.Fatalf("gap 2^%g: a vertex meets a triangle: %+v", math.Log2(gap), got)
		}
		far := r3.Vec{X: x.X, Y: -1, Z: 1 + .2*rng.Float64()}
		if got, meet := ask(true, &[4]Motion{move(x, down), move(far, down), move(a, r3.Vec{}), move(b, r3.Vec{})}); meet {
			t.Fatalf("gap 2^%g: an edge meets an edge: %+v", math.Log2(gap), got)
		}
	}
}

// FuzzCollisions: 24 coordinates on a small grid. What is not said to meet does not at any sixteenth of the motion, as exact predicates know; what is has a contact.
func FuzzCollisions(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwx"), true)
	f.Add([]byte("aaaabbbbaaaabbbbccccdddd"), false)
	f.Fuzz(func(t *testing.T, data []byte, edges bool) {
		if len(data) < 24 {
			return
		}
		var m [4]Motion
		for i := range m {
			for k := range 2 {
				d := data[6*i+3*k:]
				m[i][k] = r3.Vec{X: float64(d[0]), Y: float64(d[1]), Z: float64(d[2])}
			}
		}
		if c, meet := ask(edges, &m); meet {
			checkContact(t, edges, &m, c, special)
		} else {
			checkApart(t, edges, &m)
		}
	})
}

// A triangle whose corners move along one line is passed by a vertex where that crosses the line, wherever on it the corners are.
func TestVertexMeetsALine(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	meets := 0
	n := 200000
	if testing.Short() {
		n = 20000
	}
	for i := range n {
		line := r3.Vec{X: float64(rng.IntN(3)), Y: float64(rng.IntN(3) - 1), Z: 1}
		place := func() r3.Vec { return r3.Scale(float64(rng.IntN(256)), line) }
		point := func() r3.Vec {
			return r3.Vec{X: float64(rng.IntN(512)), Y: float64(rng.IntN(512) - 256), Z: float64(rng.IntN(256))}
		}
		m := [4]Motion{{point(), point()}, {place(), place()}, {place(), place()}, {place(), place()}}
		if i%2 == 0 { // through the line, at any time
			at, time := r3.Scale(256*rng.Float64(), line), rng.Float64()
			m[0][1] = r3.Add(m[0][0], r3.Scale(1/time, r3.Sub(at, m[0][0])))
		}
		if c, meet := ask(false, &m); meet {
			meets++
			checkContact(t, false, &m, c, special)
		}
	}
	if meets < n/8 {
		t.Errorf("%d of %d meet", meets, n)
	}
}
