package physics

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func cubePoints(e float64) (p []r3.Vec) {
	for k := range uint32(8) {
		p = append(p, boxCorner(r3.Vec{X: e, Y: e, Z: e}, k))
	}
	return p
}

// prism is the points of a regular prism about y.
func prism(sides int, r, h float64) (p []r3.Vec) {
	for k := range sides {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		p = append(p, r3.Vec{X: r * c, Y: -h / 2, Z: r * s}, r3.Vec{X: r * c, Y: h / 2, Z: r * s})
	}
	return p
}

// tetrahedron is regular, of edge length √8·e.
func tetrahedron(e float64) []r3.Vec {
	return []r3.Vec{{X: e, Y: e, Z: e}, {X: e, Y: -e, Z: -e}, {X: -e, Y: e, Z: -e}, {X: -e, Y: -e, Z: e}}
}

// cloud is n points on or in the unit ball.
func cloud(seed uint64, n int, on bool) (p []r3.Vec) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		v := r3.Unit(r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
		if !on {
			v = r3.Scale(math.Cbrt(rng.Float64()), v)
		}
		p = append(p, v)
	}
	return p
}

func TestHullFaces(t *testing.T) {
	grid := []r3.Vec{}
	for k := range 125 {
		grid = append(grid, r3.Vec{X: float64(k % 5), Y: float64(k / 5 % 5), Z: float64(k / 25)})
	}
	noisy := cubePoints(1)
	for i, d := range cloud(3, 8, true) {
		noisy[i] = r3.Add(noisy[i], r3.Scale(5e-5, d))
	}
	for name, c := range map[string]struct {
		points                 []r3.Vec
		vertices, edges, faces int
	}{
		"cube":        {cubePoints(0.5), 8, 12, 6},
		"cube, twice": {append(cubePoints(0.5), cubePoints(0.5)...), 8, 12, 6},
		"grid":        {grid, 8, 12, 6},
		"noisy cube":  {noisy, 8, 12, 6},
		"tetrahedron": {tetrahedron(1), 4, 6, 4},
		"hexagon":     {prism(6, 1, 2), 12, 18, 8},
		"32-gon":      {prism(32, 1, 2), 64, 96, 34},
	} {
		h, flaw := buildHull(c.points)
		if flaw != "" {
			t.Errorf("%s: %s", name, flaw)
			continue
		}
		if len(h.vertices) != c.vertices || len(h.edges) != c.edges || len(h.planes) != c.faces {
			t.Errorf("%s: %d vertices, %d edges, %d faces", name, len(h.vertices), len(h.edges), len(h.planes))
		}
	}
}

func TestHullEnclosesItsPoints(t *testing.T) {
	for seed := range uint64(20) {
		for _, n := range []int{4, 10, 60} {
			points := cloud(seed, n, seed%2 == 0)
			h, flaw := buildHull(points)
			if flaw != "" {
				t.Fatal(flaw)
			}
			for _, p := range points {
				if d := h.distance(p); d > 2e-4 {
					t.Fatalf("seed %d: a point is %g m outside", seed, d)
				}
			}
		}
	}
	h, _ := buildHull(cloud(7, 5000, true))
	if len(h.vertices) != MaxHullVertices {
		t.Errorf("%d vertices", len(h.vertices))
	}
	// The best polyhedron of 64 vertices in a ball has about 0.9 of its volume.
	if share := h.solid.Mass / (4 * math.Pi / 3); share < 0.85 {
		t.Errorf("the capped hull of a ball has only %.3f of its volume", share)
	}
}

func TestHullMass(t *testing.T) {
	mass := func(g Geometry) MassProperties {
		w := NewWorld(WorldDef{})
		return add(w, BodyDef{Kind: Dynamic}, ShapeDef{Geometry: g, Density: 10}).MassProperties()
	}
	nearMass(t, mass(Hull(cubePoints(0.5))), MassProperties{10, r3.Vec{}, diagonal(10./6, 10./6, 10./6)})
	// A regular tetrahedron of edge a: V = a³/(6√2), I = m a²/20.
	a := math.Sqrt(8)
	m := 10 * a * a * a / (6 * math.Sqrt2)
	nearMass(t, mass(Hull(tetrahedron(1))), MassProperties{m, r3.Vec{}, diagonal(m*a*a/20, m*a*a/20, m*a*a/20)})
	// A regular hexagonal prism of circumradius R: Iy = 5mR²/12, Ix = m(5R²/24+h²/12).
	m = 10 * 3 * math.Sqrt(3) / 2 * 2
	shift := r3.Vec{X: 3, Y: -1, Z: 2}
	moved := prism(6, 1, 2)
	for i := range moved {
		moved[i] = r3.Add(moved[i], shift)
	}
	nearMass(t, mass(Hull(moved)), MassProperties{m, shift, diagonal(m*(5./24+1./3), m*5/12, m*(5./24+1./3))})

	r, h := 0.3, 1.0
	m = 10 * math.Pi * r * r * h
	nearMass(t, mass(Cylinder(r3.Vec{Y: -h / 2}, r3.Vec{Y: h / 2}, r)), MassProperties{m, r3.Vec{}, diagonal(m*(r*r/4+h*h/12), m*r*r/2, m*(r*r/4+h*h/12))})
	// A capsule against the integral over discs.
	want, n := MassProperties{}, 40000
	for k := range n {
		y := h * ((float64(k)+0.5)/float64(n) - 0.5)
		e := max(0, math.Abs(y)-(h/2-r))
		d := 10 * math.Pi * (r*r - e*e) * h / float64(n)
		q := (r*r - e*e)
		want.Mass += d
		want.Inertia[0][0] += d * (q/4 + y*y)
		want.Inertia[1][1] += d * q / 2
	}
	got := mass(Capsule(r3.Vec{Y: r - h/2}, r3.Vec{Y: h/2 - r}, r))
	near1(t, "capsule mass", got.Mass, want.Mass, 1e-8*want.Mass)
	near1(t, "capsule inertia", got.Inertia[0][0], want.Inertia[0][0], 1e-7*want.Inertia[0][0])
	near1(t, "capsule inertia about y", got.Inertia[1][1], want.Inertia[1][1], 1e-7*want.Inertia[1][1])
}

func TestHullRefusesWhatIsNoSolid(t *testing.T) {
	flat := cubePoints(1)
	for i := range flat {
		flat[i].Y = 1e-6 * flat[i].X
	}
	for want, points := range map[string][]r3.Vec{
		"at least 4":         {{}, {X: 1}, {Y: 1}},
		"16384":              make([]r3.Vec, 20000),
		"finite":             {{}, {X: 1}, {Y: 1}, {Z: math.NaN()}},
		"not all one":        {{X: 1}, {X: 1}, {X: 1}, {X: 1}},
		"not all on a line":  {{}, {X: 1}, {X: 2}, {X: 5}},
		"not all on a plane": flat,
	} {
		err := Hull(points).Validate()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Hull: ") {
			t.Errorf("%v, want one about %q", err, want)
		}
	}
}

// FuzzHull builds hulls of any points: each must be refused, or be a closed polyhedron about
// its points with a mass that a solid can have.
func FuzzHull(f *testing.F) {
	pack := func(points []r3.Vec) (b []byte) {
		for _, p := range points {
			for _, x := range array(p) {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			}
		}
		return b
	}
	f.Add(pack(cubePoints(1)))
	f.Add(pack(prism(7, 1, 1e-3)))
	f.Add(pack(cloud(1, 100, true)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var points []r3.Vec
		for ; len(data) >= 12 && len(points) < 500; data = data[12:] {
			x := func(k int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:]))) }
			points = append(points, r3.Vec{X: x(0), Y: x(1), Z: x(2)})
		}
		h, flaw := buildHull(points)
		if flaw != "" {
			return
		}
		size := h.bounds.Size()
		extent := max(size.X, size.Y, size.Z)
		if len(h.vertices) < MaxHullVertices {
			for _, p := range points {
				if d := h.distance(p); d > 1e-3*extent {
					t.Fatalf("a point is %g of %g m outside", d, extent)
				}
			}
		}
		if !h.complete() || h.distance(h.centre) >= 0 {
			t.Fatal("not a solid")
		}
	})
}
