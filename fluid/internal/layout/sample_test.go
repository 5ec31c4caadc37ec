package layout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels in use must give the same bits as those in plain Go, and know the same places to be outside.
func TestSamplersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for turn := range 40 {
		n := 1 << (turn % (MaxLevel + 1))
		tile := Tile{make([]float32, 3*(n+1)*(n+2)*(n+2)), n}
		for i := range tile.t {
			tile.t[i] = float32(r.IntN(4)) * (r.Float32() - .5) // with zeros of both signs
		}
		for axis := range 3 {
			var p Places
			count := 1 + r.IntN(room)
			for i := range count {
				p.X[i], p.Y[i], p.Z[i] = somewhere(r, n), somewhere(r, n), somewhere(r, n)
			}
			used, plain := p, p
			used.Sample(tile.Component(axis), count)
			plain.run(sampleGo, tile.Component(axis), count)
			compare(t, &used, &plain, count)
			inRows := r.IntN(2) == 0
			for i := range count {
				p.Cell[i] = int32(r.IntN(n*n*n+1)) - 1
				if inRows && r.IntN(20) > 0 {
					p.Cell[i] = int32((i + n) % (n * n * n))
				}
			}
			used, plain = p, p
			low := Component{}
			if r.IntN(2) == 0 {
				low = tile.Component(axis)
			}
			used.SampleAntiDiffused(tile.Component(axis), low, count)
			plain.find(tile.Component(axis), low, count)
			plain.run(sampleAntiDiffusedGo, tile.Component(axis), count)
			compare(t, &used, &plain, count)
			for i := range count {
				if missed := used.Missed(i, count) == i; missed == tile.Holds(p.X[i], p.Y[i], p.Z[i]) {
					t.Fatalf("%d³: missed %v at %g %g %g", n, missed, p.X[i], p.Y[i], p.Z[i])
				}
			}
		}
	}
}

// A flow along an axis carries a parabola as it is, but for what is left of the diffusion.
func TestAntiDiffusionCarriesAParabola(t *testing.T) {
	const n = Edge
	tile := Tile{make([]float32, 3*(n+1)*(n+2)*(n+2)), n}
	for axis := range 3 {
		for along := range 3 {
			value := func(x float32) float32 { return (x + 4) * (x + 4) }
			c := tile.Component(axis)
			d := dims(n, axis)
			for i := range c.t {
				at := [3]int{i % d[0], i / d[0] % d[1], i / d[0] / d[1]}
				c.t[i] = value(float32(at[along]) - c.before[along])
			}
			var p Places
			for i := range room {
				x := [3]float32{float32(i % n), float32(i / n % n), float32(i / n / n)}
				for a := range x {
					x[a] += c.before[a]
				}
				x[along] -= .3
				p.X[i], p.Y[i], p.Z[i], p.Cell[i] = x[0], x[1], x[2], int32(i)
			}
			q := p
			q.SampleAntiDiffused(c, Component{}, room)
			for i := range room {
				x := [3]float32{p.X[i], p.Y[i], p.Z[i]}
				first := i>>(3*axis)%n == 0 && along == axis // what lies before is not known
				if want := value(x[along]) + (1-antiDiffused)*.3*.7; !first && math.Abs(float64(q.Value[i]-want)) > 1e-4 {
					t.Fatalf("axis %d along %d, at %v: %g, want %g", axis, along, x, q.Value[i], want)
				}
			}
		}
	}
}

// somewhere is mostly along a block of n cells.
func somewhere(r *rand.Rand, n int) float32 {
	switch r.IntN(12) {
	case 0:
		return float32(n)
	case 1:
		return 0
	case 2:
		return float32(r.NormFloat64()) * 1e12
	case 3:
		return float32(math.NaN())
	}
	return (r.Float32()*1.1 - .05) * float32(n)
}

func compare(t *testing.T, used, plain *Places, n int) {
	t.Helper()
	bits := math.Float32bits
	for i := used.Missed(0, n); i < n; i = used.Missed(i+1, n) { // what is there is rubbish
		used.Value[i], plain.Value[i] = 0, 0
	}
	for i := range n {
		if bits(used.Value[i]) != bits(plain.Value[i]) {
			t.Fatalf("place %d: %g, in plain Go %g", i, used.Value[i], plain.Value[i])
		}
	}
}

// Boxes that fill a tile, and its sides, are copied in the same way by the kernel and plain Go.
func TestCopyBoxesAgree(t *testing.T) {
	src := make([]float32, room)
	for i := range src {
		src[i] = float32(i + 1)
	}
	for kind := range runs {
		for l := range runs[kind] {
			n := 1 << l
			used, c := make([]float32, 1000), copies{}
			for around := range runs[kind][l] {
				for i := range runs[kind][l][around] {
					if b := &runs[kind][l][around][i]; b.size[0] > 0 {
						c.add(b, src, 0, n)
					}
				}
			}
			plain, dy := slices.Clone(used), int(shapes[n][kind].dy)
			copyBoxes(used, &c, dy, n)
			copyBoxesGo(plain, &c, dy, n)
			if !slices.Equal(used, plain) {
				t.Fatalf("kind %d of %d³: %v, in plain Go %v", kind, n, used, plain)
			}
		}
	}
}

// Middles are Centre's, by the kernel and in plain Go.
func TestMiddlesAreCentres(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for n := 1; n <= Edge; n *= 2 {
		tile := Tile{make([]float32, 3*(n+1)*(n+2)*(n+2)), n}
		for i := range tile.t {
			tile.t[i] = r.Float32() - .5
		}
		var used Middles
		tile.Middles(&used)
		for c := range n * n * n {
			x, y, z := tile.Centre(c%n, c/n%n, c/(n*n))
			if got := [3]float32{used[0][c], used[1][c], used[2][c]}; got != [3]float32{x, y, z} {
				t.Fatalf("cell %d of %d³: %v, want %g %g %g", c, n, got, x, y, z)
			}
		}
		for a := range used {
			s, plain := &shapes[n][a], make([]float32, n*n*n)
			middlesGo(plain, tile.Values(a)[s.face[0]:], n, int(s.dy), int(s.dz), int(s.along))
			if !slices.Equal(plain, used[a][:n*n*n]) {
				t.Fatalf("axis %d of %d³: %v, in plain Go %v", a, n, used[a][:n*n*n], plain)
			}
		}
	}
}

func TestBlendsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	src := make([]float32, 3*9*10*10)
	for i := range src {
		src[i] = r.Float32() - .5
	}
	for kind := range patches {
		for l := range patches[kind] {
			for nl := range l {
				for c := range patches[kind][l][nl] {
					k := &patches[kind][l][nl][c]
					if k.blends == 0 {
						continue
					}
					used := make([]float32, 10*10*10)
					plain := slices.Clone(used)
					blend(k, used, src)
					blendGo(k, plain, src)
					if !slices.Equal(used, plain) {
						t.Fatalf("kind %d, level %d beside %d, neighbour %d: %v, in plain Go %v", kind, l, nl, c, used, plain)
					}
				}
			}
		}
	}
}

func TestBesideIsWhereLocateSays(t *testing.T) {
	g := New([3]float64{}, 1, [3]int{3, 4, 5}, 1)
	r := rand.New(rand.NewPCG(8, 8))
	for range 10_000 {
		b := int32(r.IntN(g.Bases()))
		at, x := g.BaseCoords(b), [3]float32{}
		for a := range x {
			x[a] = r.Float32()*6 - 3
		}
		base, u, v, w := g.Beside(b, x[0], x[1], x[2])
		want, wu, wv, ww := g.Locate(Point{float64(at[0]) + float64(x[0]), float64(at[1]) + float64(x[1]), float64(at[2]) + float64(x[2])})
		off := max(math.Abs(float64(u)-wu), math.Abs(float64(v)-wv), math.Abs(float64(w)-ww))
		if base != want || off > 1e-6 {
			t.Fatalf("%v from %d: %d at %g %g %g, want %d at %g %g %g", x, b, base, u, v, w, want, wu, wv, ww)
		}
	}
}
