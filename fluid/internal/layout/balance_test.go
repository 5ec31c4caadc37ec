package layout

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// balances are both, and in how many coordinates blocks that they balance differ at most.
var balances = map[Balance]int{BalanceFaces: 1, BalanceEdges: 2}

// Balanced names each block that is one away in one coordinate, with BalanceEdges in two, once; those across faces first.
func TestBalancedNamesNeighbours(t *testing.T) {
	for balance, most := range balances {
		g := New([3]float64{}, .1, [3]int{4, 3, 1}, 1)
		g.SetBalance(balance)
		for b := range int32(g.Bases()) {
			got := g.Balanced(b)
			if !slices.Equal(got[:6], g.Neighbour[b][:]) {
				t.Fatalf("%v: faces %v, then %v", g.Neighbour[b], got[:6], got[6:])
			}
			at, want := g.BaseCoords(b), []int32{}
			for c := range 27 {
				if d := [3]int{c%3 - 1, c/3%3 - 1, c/9 - 1}; d != [3]int{} && length1(d) <= most {
					want = append(want, g.BaseAt(at[0]+d[0], at[1]+d[1], at[2]+d[2]))
				}
			}
			got = slices.Clone(got)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("balance %d: beside %v are %v, want %v", balance, at, got, want)
			}
		}
		if g.Balance() != balance {
			t.Errorf("balance %d, want %d", g.Balance(), balance)
		}
	}
}

func length1(d [3]int) (n int) {
	for _, v := range d {
		n += max(v, -v)
	}
	return n
}

// Grade gives each block the least level that balance allows and no lower one than it had: a block at a distance of n steps may be n levels coarser.
func TestGradeIsTheLeastBalancedLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) int { return rapid.IntRange(1, 6).Draw(t, name) }
		g := New([3]float64{}, .1, [3]int{draw("x"), draw("y"), draw("z")}, 0)
		balance := Balance(rapid.IntRange(0, 1).Draw(t, "balance"))
		g.SetBalance(balance)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for b := range int32(g.Bases()) {
			if r.IntN(8) == 0 {
				g.Set(b, uint8(r.IntN(MaxLevel+1)))
			}
		}
		before := slices.Clone(g.Cur.Level)
		far := mostApart(g, before, balances[balance])
		if b, nb := g.FindUnbalanced(before); (b == None) != (far <= 1) || b != None && before[nb] <= before[b]+1 {
			t.Fatalf("blocks %d and %d are told, and levels beside each other differ by %d", b, nb, far)
		}
		g.Grade()
		for b, l := range g.Cur.Level {
			want := before[b]
			for k, other := range before {
				want = max(want, other-min(other, uint8(stepsApart(g, balance, int32(b), int32(k)))))
			}
			if l != want {
				t.Fatalf("base %v has level %d, want %d", g.BaseCoords(int32(b)), l, want)
			}
		}
		if far := mostApart(g, g.Cur.Level, balances[balance]); far > 1 {
			t.Fatalf("levels differ by %d", far)
		}
	})
}

// mostApart is by how much levels differ of blocks that are one away in so many coordinates at most.
func mostApart(g *Grid, levels []uint8, coordinates int) (far int) {
	for b, l := range levels {
		at := g.BaseCoords(int32(b))
		for c := range 27 {
			d := [3]int{c%3 - 1, c/3%3 - 1, c/9 - 1}
			if nb := g.BaseAt(at[0]+d[0], at[1]+d[1], at[2]+d[2]); nb != None && length1(d) <= coordinates {
				far = max(far, int(levels[nb])-int(l))
			}
		}
	}
	return far
}

// stepsApart is how many steps between blocks that are balanced with each other lead from one to another.
func stepsApart(g *Grid, balance Balance, b, k int32) int {
	x, y := g.BaseCoords(b), g.BaseCoords(k)
	d := [3]int{x[0] - y[0], x[1] - y[1], x[2] - y[2]}
	n := length1(d)
	if balance == BalanceFaces {
		return n
	}
	longest := max(d[0], -d[0], d[1], -d[1], d[2], -d[2])
	return max(longest, (n+1)/2)
}

// Blocks that share a corner alone may differ by two levels under both balances, those that share an edge under BalanceFaces.
func TestBalanceAsksNoMore(t *testing.T) {
	for balance, across := range map[Balance][3]int{BalanceFaces: {1, 1, 0}, BalanceEdges: {1, 1, 1}} {
		g := New([3]float64{}, .1, [3]int{3, 3, 3}, 0)
		g.SetBalance(balance)
		g.Set(g.BaseAt(1, 1, 1), MaxLevel)
		g.Grade()
		if l := g.Cur.Level[g.BaseAt(1+across[0], 1+across[1], 1+across[2])]; l != MaxLevel-2 {
			t.Errorf("balance %d: level %d beside %d, want %d", balance, l, MaxLevel, MaxLevel-2)
		}
	}
}
