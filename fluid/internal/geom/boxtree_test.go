package geom

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// Whatever comes, moves and goes, the tree finds what a look at every box does.
func TestBoxTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	point := func(size float64) r3.Vec {
		return r3.Vec{X: size * rng.Float64(), Y: size * rng.Float64(), Z: size * rng.Float64()}
	}
	some := func() r3.Box {
		p := point(10)
		return r3.Box{Min: p, Max: r3.Add(p, point(1))}
	}
	var tree BoxTree
	all := map[int32]r3.Box{}
	for i := range 3000 {
		item := rng.Int32N(200)
		switch rng.IntN(3) {
		case 0, 1:
			all[item] = some()
			tree.Set(item, all[item])
		default:
			delete(all, item)
			tree.Remove(item)
		}
		if i%250 == 249 {
			tree.Rebuild()
		}
		if i%7 == 0 { // all move a little, in the order of the tree after a rebuild and out of it
			moved := make([]r3.Box, 200)
			for item, b := range all {
				d := r3.Scale(.1, point(1))
				moved[item] = r3.Box{Min: r3.Add(b.Min, d), Max: r3.Add(b.Max, d)}
				all[item] = moved[item]
			}
			tree.SetAll(moved)
		}
		if i%400 == 399 {
			var items []int32
			var b []r3.Box
			for item := range all {
				items, b = append(items, item), append(b, all[item])
			}
			tree.Build(items, b)
		}
		checkBoxes(t, &tree, all)
		if tree.Len() != len(all) {
			t.Fatalf("%d boxes, want %d", tree.Len(), len(all))
		}
		asked := some()
		got := tree.Overlapping(nil, &asked)
		var want []int32
		for item, b := range all {
			if boxes.Overlap(b, asked) {
				want = append(want, item)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("step %d: found %v, want %v", i, got, want)
		}
	}
	tree.Clear()
	if asked := (r3.Box{Max: r3.Vec{X: 11, Y: 11, Z: 11}}); len(tree.Overlapping(nil, &asked)) > 0 {
		t.Error("an empty tree has boxes")
	}
}

// checkBoxes fails where a box is not the item's or not that of all below.
func checkBoxes(t *testing.T, tree *BoxTree, all map[int32]r3.Box) {
	t.Helper()
	for item, b := range all {
		if !tree.Has(item) || tree.Box(item) != b {
			t.Fatalf("item %d has another box than it was given", item)
		}
	}
	for at, n := range tree.nodes {
		for side, c := range n.child {
			if c > none && (tree.nodes[c].union() != n.box[side] || tree.nodes[c].parent != int32(2*at+side)) {
				t.Fatalf("node %d: its child %d has other boxes", at, c)
			}
		}
	}
}

// A tree is the same whatever the order in which its items are named, and is balanced also where all boxes are the same. It is made anew without new memory.
func TestBoxTreeBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	items, b := make([]int32, 1000), make([]r3.Box, 1000)
	for i := range items {
		x := r3.Vec{X: float64(rng.IntN(4)), Y: float64(rng.IntN(3))}
		items[i], b[i] = int32(i), r3.Box{Min: x, Max: x}
	}
	var one, two BoxTree
	one.Build(items, b)
	rng.Shuffle(len(items), func(i, j int) { items[i], items[j], b[i], b[j] = items[j], items[i], b[j], b[i] })
	two.Build(items, b)
	if !slices.Equal(one.nodes, two.nodes) {
		t.Error("the tree depends on the order of its items")
	}
	var depth func(at int32) int
	depth = func(at int32) int {
		if at <= none {
			return 0
		}
		return 1 + max(depth(two.nodes[at].child[0]), depth(two.nodes[at].child[1]))
	}
	if d := depth(two.root - 1); d > 10 {
		t.Errorf("1000 boxes are %d deep", d)
	}
	if n := testing.AllocsPerRun(3, func() { two.Build(items, b); two.Rebuild(); two.SetAll(b) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
