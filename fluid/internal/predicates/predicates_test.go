package predicates

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// wholeOf are the coordinates of a point in units of the least number, 2⁻¹⁰⁷⁴.
func wholeOf(x r3.Vec) (w [3]*big.Int) {
	for i, y := range []float64{x.X, x.Y, x.Z} {
		w[i], _ = new(big.Float).SetMantExp(big.NewFloat(y), 1074).Int(nil)
	}
	return w
}

func sub(a, b [3]*big.Int) (d [3]*big.Int) {
	for i := range d {
		d[i] = new(big.Int).Sub(a[i], b[i])
	}
	return d
}

func cross(a, b [3]*big.Int) (c [3]*big.Int) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Int).Mul(a[j], b[k])
		c[i].Sub(c[i], new(big.Int).Mul(a[k], b[j]))
	}
	return c
}

func dot(a, b [3]*big.Int) *big.Int {
	sum := new(big.Int)
	for i := range a {
		sum.Add(sum, new(big.Int).Mul(a[i], b[i]))
	}
	return sum
}

func zero(a [3]*big.Int) bool { return a[0].Sign() == 0 && a[1].Sign() == 0 && a[2].Sign() == 0 }

// orientWhole is Orient in whole numbers.
func orientWhole(a, b, c, d r3.Vec) int {
	e := wholeOf(a)
	return dot(cross(sub(wholeOf(b), e), sub(wholeOf(c), e)), sub(wholeOf(d), e)).Sign()
}

// points of all kinds: at random, on a small grid, near one plane, near one line, and of extreme sizes.
func points(rng *rand.Rand, kind int) (x [5]r3.Vec) {
	random := func() r3.Vec { return r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5} }
	u, v, w := random(), random(), random()
	extreme := func() float64 {
		if rng.IntN(4) == 0 {
			return 0
		}
		return math.Ldexp(rng.Float64()-.5, rng.IntN(2090)-1070)
	}
	for i := range x {
		switch kind % 7 {
		case 0:
			x[i] = random()
		case 1:
			x[i] = r3.Vec{X: float64(rng.IntN(3)), Y: float64(rng.IntN(3)), Z: float64(rng.IntN(3))}
		case 2:
			x[i] = r3.Vec{X: float64(rng.IntN(3)) * .1, Y: float64(rng.IntN(3)) * .1, Z: float64(rng.IntN(2)) * .1}
		case 3:
			x[i] = r3.Add(w, r3.Add(r3.Scale(rng.Float64(), u), r3.Scale(rng.Float64(), v)))
		case 4:
			x[i] = r3.Add(w, r3.Scale(rng.Float64(), u))
		case 5:
			x[i] = r3.Vec{X: extreme(), Y: extreme(), Z: extreme()}
		default:
			x[i] = r3.Scale(0x1p-500, r3.Vec{X: float64(rng.IntN(3)), Y: float64(rng.IntN(3)), Z: float64(rng.IntN(3))})
		}
	}
	return x
}

func TestOrient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var seen [7][3]int
	for i := range 6000 {
		x := points(rng, i)
		got, want := Orient(x[0], x[1], x[2], x[3]), orientWhole(x[0], x[1], x[2], x[3])
		if got != want {
			t.Fatalf("kind %d: %d, want %d: %v", i%7, got, want, x)
		}
		seen[i%7][want+1]++
	}
	for kind, s := range seen {
		if s[0] == 0 || s[2] == 0 {
			t.Errorf("kind %d is of little use: %v", kind, s)
		}
	}
}

// meetWhole is SegmentTriangle in whole numbers, by the definition: whether there are weights of a, b, c, p, q, none negative, that
// add up to 1 for the three and for the two and give the same point. It is so if 0 is in the hull of the six differences of corners of the prism: by the corners of
// linear programming, some four of them, or fewer, hold 0.
func meetWhole(p, q, a, b, c r3.Vec) bool {
	var d [][3]*big.Int
	for _, x := range []r3.Vec{p, q} {
		for _, y := range []r3.Vec{a, b, c} {
			d = append(d, sub(wholeOf(x), wholeOf(y)))
		}
	}
	n := len(d)
	for i := range n {
		if zero(d[i]) {
			return true
		}
		for j := range i {
			if zero(cross(d[i], d[j])) && dot(d[i], d[j]).Sign() < 0 {
				return true
			}
			for k := range j {
				if inTriangle(d[i], d[j], d[k]) {
					return true
				}
				for l := range k {
					if inTetrahedron(d[i], d[j], d[k], d[l]) {
						return true
					}
				}
			}
		}
	}
	return false
}

// inTriangle tells whether 0 is within a triangle with an area.
func inTriangle(a, b, c [3]*big.Int) bool {
	n := cross(sub(b, a), sub(c, a))
	return !zero(n) && dot(n, a).Sign() == 0 && dot(n, cross(a, b)).Sign() >= 0 && dot(n, cross(b, c)).Sign() >= 0 && dot(n, cross(c, a)).Sign() >= 0
}

// inTetrahedron tells whether 0 is within a tetrahedron with a volume.
func inTetrahedron(a, b, c, d [3]*big.Int) bool {
	whole := dot(cross(sub(b, a), sub(c, a)), sub(d, a)).Sign()
	parts := [4]int{dot(cross(b, c), d).Sign(), -dot(cross(a, c), d).Sign(), dot(cross(a, b), d).Sign(), -dot(cross(a, b), c).Sign()}
	for _, s := range parts {
		if s*whole < 0 {
			return false
		}
	}
	return whole != 0
}

func TestSegmentTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var meets, coplanar int
	n := 3000
	if testing.Short() {
		n = 400
	}
	for i := range n {
		x := points(rng, i)
		got, want := SegmentTriangle(x[0], x[1], x[2], x[3], x[4]), meetWhole(x[0], x[1], x[2], x[3], x[4])
		if got != want {
			t.Fatalf("kind %d: %v, want %v: %v", i%7, got, want, x)
		}
		if want {
			meets++
			if orientWhole(x[2], x[3], x[4], x[0]) == 0 && orientWhole(x[2], x[3], x[4], x[1]) == 0 {
				coplanar++
			}
		}
		if got, want := SegmentSegment(x[0], x[1], x[2], x[3]), meetWhole(x[0], x[1], x[2], x[3], x[3]); got != want {
			t.Fatalf("kind %d: segments: %v, want %v: %v", i%7, got, want, x)
		}
	}
	if meets < n/8 || coplanar < n/40 {
		t.Errorf("the test is of little use: %d meet, %d of them in one plane", meets, coplanar)
	}
}

// A point is in a tetrahedron if it is in one with a volume by the signs of its parts, and else if it is in one of the sides, as segments of no length are.
func TestPointTetrahedron(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	inside := 0
	n := 3000
	if testing.Short() {
		n = 400
	}
	for i := range n {
		x := points(rng, i)
		o := wholeOf(x[4])
		a, b, c, d := sub(wholeOf(x[0]), o), sub(wholeOf(x[1]), o), sub(wholeOf(x[2]), o), sub(wholeOf(x[3]), o)
		want := inTetrahedron(a, b, c, d)
		for _, s := range [4][3]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}} {
			want = want || meetWhole(x[4], x[4], x[s[0]], x[s[1]], x[s[2]])
		}
		if got := PointTetrahedron(x[4], x[0], x[1], x[2], x[3]); got != want {
			t.Fatalf("kind %d: %v, want %v: %v", i%7, got, want, x)
		}
		if want {
			inside++
		}
	}
	if inside < n/20 {
		t.Errorf("only %d are inside", inside)
	}
}

// The usual case takes no memory.
func TestAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	all := make([][5]r3.Vec, 500)
	for i := range all {
		all[i] = points(rng, i%5)
	}
	if n := testing.AllocsPerRun(5, func() {
		for _, x := range all {
			SegmentTriangle(x[0], x[1], x[2], x[3], x[4])
			PointTetrahedron(x[0], x[1], x[2], x[3], x[4])
			VertexTriangle(&Motion{x[0], x[1]}, &Motion{x[1], x[2]}, &Motion{x[2], x[3]}, &Motion{x[3], x[4]})
			EdgeEdge(&Motion{x[0], x[1]}, &Motion{x[1], x[2]}, &Motion{x[2], x[3]}, &Motion{x[3], x[4]})
		}
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
