package physics

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// checkTree checks links, boxes, heights and balance below node i and returns its leaves.
func checkTree(t *testing.T, tr *tree, i int32) int {
	n := &tr.nodes[i]
	if n.left == none {
		if n.height != 0 {
			t.Fatal("a leaf has a height")
		}
		return 1
	}
	l, r := &tr.nodes[n.left], &tr.nodes[n.right]
	if l.parent != i || r.parent != i || n.height != 1+max(l.height, r.height) || n.box != union(l.box, r.box) {
		t.Fatalf("node %d: %+v of %+v and %+v", i, n, l, r)
	}
	if d := l.height - r.height; d < -1 || d > 1 {
		t.Fatalf("node %d: heights %d and %d", i, l.height, r.height)
	}
	return checkTree(t, tr, n.left) + checkTree(t, tr, n.right)
}

func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var tr tree
	leaves := map[int32]r3.Box{}
	where := map[int32]int32{}
	for k := range int32(3000) {
		if len(leaves) > 200 || rng.IntN(3) == 0 && len(leaves) > 0 {
			for shape := range int32(3000) { // the lowest there is
				if _, ok := leaves[shape]; ok {
					tr.remove(where[shape])
					delete(leaves, shape)
					break
				}
			}
		} else {
			p := randomVec(rng, 5)
			box := r3.Box{Min: p, Max: r3.Add(p, absVec(randomVec(rng, 1)))}
			if k%50 == 0 {
				box = grow(box, unbounded)
			}
			leaves[k], where[k] = box, tr.insert(box, k)
		}
		if tr.size != len(leaves) || tr.size > 0 && checkTree(t, &tr, tr.root) != tr.size {
			t.Fatalf("%d leaves of %d", tr.size, len(leaves))
		}
		if k%20 != 0 {
			continue
		}
		p := randomVec(rng, 5)
		box := r3.Box{Min: p, Max: r3.Add(p, r3.Vec{X: 1, Y: 1, Z: 1})}
		found := map[int32]bool{}
		tr.overlapping(&box, func(s int32) { found[s] = true })
		for s, b := range leaves {
			if overlap(&b, &box) != found[s] {
				t.Fatalf("leaf %d: found %v", s, found[s])
			}
		}
	}
}

// TestNeighboursAreAllThereAre compares the pairs of a tumbling world, in which bodies come
// and go, with all that overlap.
func TestNeighboursAreAllThereAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	w := pile(WorldDef{Gravity: down}, 40)
	for k := range 200 {
		if k%10 == 5 {
			b := w.Coupling().Body(2 + rng.IntN(w.Coupling().Len()-2))
			check(t, b.Remove())
		}
		if k%10 == 7 {
			check(t, w.Coupling().Body(2+rng.IntN(w.Coupling().Len()-2)).SetPose(r3.Add(r3.Vec{Y: 3}, randomVec(rng, 1)), identity))
			dynamic(w, Capsule(r3.Vec{Y: -0.2}, r3.Vec{Y: 0.2}, 0.2), rng.Float64(), 4, rng.Float64())
		}
		w.Step(tick)
		has := map[uint64]bool{}
		for i, p := range w.pairs {
			has[shapePair(p.key)] = true
			if i > 0 && w.pairs[i-1].key >= p.key {
				t.Fatal("pairs are not sorted")
			}
		}
		for i := range w.shapes {
			for j := i + 1; j < len(w.shapes); j++ {
				a, b := &w.shapes[i], &w.shapes[j]
				if a.live && b.live && len(a.parts)+len(b.parts) == 2 && w.mayMeet(a, b) && overlap(&a.fat, &b.fat) != has[pairKey(int32(i), int32(j), 0, 0)] {
					t.Fatalf("step %d: shapes %d and %d", k, i, j)
				}
			}
		}
	}
}
