package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// A tile's places hold what a search for each of them in the grid finds.
func TestTilesHoldWhatIsBesideABlock(t *testing.T) {
	g := mixed([3]int{4, 3, 5}, 11)
	r := rand.New(rand.NewPCG(4, 4))
	phi := make([]float32, g.Cells())
	var faces [3][]float32
	for a := range faces {
		faces[a] = make([]float32, g.Cells())
		for c := range phi {
			phi[c], faces[a][c] = r.Float32(), r.Float32()
		}
	}
	pool := par.New(1)
	s, v := NewScalar(g), NewVelocity(g)
	s.Gather(pool, phi)
	v.Gather(pool, &faces)
	for b := range int32(g.Bases()) {
		n := 1 << g.Cur.Level[b]
		for kind := range centred + 1 {
			tile := s.Tile(b)
			if kind != centred {
				tile = v.component(g.Cur.Level[b], g.Cur.First[b], kind)
			}
			d := dims(n, kind)
			for i, got := range tile {
				at := [3]int{i % d[0], i / d[0] % d[1], i / d[0] / d[1]}
				for a := range at {
					if a != kind {
						at[a]--
					}
				}
				nb, in, m := beside(g, b, kind, n, at)
				want := 0.
				switch {
				case m < n && kind == centred:
					want = float64(s.in(nb, &g.Cur, in[0], in[1], in[2]))
				case m < n:
					c := v.Tile(nb)
					k := c.Component(kind)
					want = float64(k.At(float32(in[0]*float64(m)), float32(in[1]*float64(m)), float32(in[2]*float64(m))))
				default:
					want = average(g, nb, kind, m/n, in, phi, &faces)
				}
				if math.Abs(float64(got)-want) > 1e-6 {
					t.Fatalf("block %d of %d³, kind %d, place %v: %g, want %g from block %d of %d³", b, n, kind, at, got, want, nb, m)
				}
			}
		}
	}
}

// beside is the block of m³ cells that a place of a tile lies in, or the one next to that at the grid's
// end, and where in it, 0 to 1.
func beside(g *Grid, b int32, kind, n int, at [3]int) (nb int32, in [3]float64, m int) {
	base := g.BaseCoords(b)
	for a := range at {
		if a == kind {
			in[a] = float64(at[a]) / float64(n)
			continue
		}
		cell := max(0, min(base[a]*n+at[a], g.Dim[a]*n-1))
		base[a] = cell / n
		in[a] = (float64(cell%n) + .5) / float64(n)
	}
	nb = g.BaseAt(base[0], base[1], base[2])
	return nb, in, 1 << g.Cur.Level[nb]
}

// average is the mean of the cells or faces of a block around a place: of those r times finer than the
// place's the ones in its middle.
func average(g *Grid, b int32, kind, r int, in [3]float64, phi []float32, faces *[3][]float32) float64 {
	m := 1 << g.Cur.Level[b]
	sum, count := 0., 0.
	for o := range 8 {
		var at [3]int
		again := false
		for a := range at {
			switch half := o >> a & 1; {
			case a == kind:
				at[a] = int(in[a] * float64(m))
				again = again || half == 1
			case r == 1:
				at[a] = int(in[a] * float64(m))
				again = again || half == 1
			default:
				at[a] = int(in[a]*float64(m)) - 1 + half
			}
		}
		if again {
			continue
		}
		count++
		if kind == centred {
			sum += float64(phi[g.Cur.Cell(b, at[0], at[1], at[2])])
		} else if c := g.FaceCell(b, kind, at); c >= 0 {
			sum += float64(faces[kind][c])
		}
	}
	return sum / count
}
