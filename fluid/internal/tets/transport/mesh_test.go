package transport

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// A mesh that is made anew for a lattice that it had before is the same as one that is made from nothing, whatever levels have changed.
func TestMeshIsMadeAnewWhereTheLatticeWas(t *testing.T) {
	r := newRig(t, [3]int{4, 3, 3}, 1./8, 2, uniform(1))
	rng := rand.New(rand.NewPCG(3, 5))
	l, m, kept := &bcc.Lattice{}, &mesh{}, 0
	for range 40 {
		b, level := int32(rng.IntN(r.grid.Bases())), uint8(rng.IntN(3))
		r.grid.Set(b, level)
		r.grid.Grade()
		l.Build(r.grid, &r.grid.Cur, r.pool)
		for b := range int32(r.grid.Bases()) {
			if m.Lattice == l && !l.IsSince(b, m.builds) {
				kept++
			}
		}
		m.build(l, r.grid, r.pool)
		fresh := &mesh{}
		fresh.build(l, r.grid, r.pool)
		for name, lists := range map[string][2]any{
			"kind": {m.kind, fresh.kind}, "edges": {m.edges, fresh.edges}, "around": {m.around, fresh.around}, "closed": {m.closed, fresh.closed},
			"half": {m.half, fresh.half}, "twin": {m.twin, fresh.twin}, "base": {m.base, fresh.base}, "rim": {m.rim, fresh.rim}, "normal": {m.normal, fresh.normal},
			"ring": {m.ring, fresh.ring},
		} {
			if !reflect.DeepEqual(lists[0], lists[1]) {
				t.Fatalf("%s differs", name)
			}
		}
		for v := range m.link {
			if m.Cell[v] >= 0 && m.link[v] != fresh.link[v] {
				t.Fatalf("links of vertex %d differ", v)
			}
		}
		for i := range m.size {
			if m.kind[i] != irregular && m.size[i] != fresh.size[i] {
				t.Fatalf("size of tetrahedron %d differs", i)
			}
		}
	}
	if kept < 100 {
		t.Errorf("%d base cells were kept", kept)
	}
}
