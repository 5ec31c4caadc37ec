package cubes

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
)

// speck is blocks refined around a ball in the middle one of five an edge.
func speck(t *testing.T, balance layout.Balance) *Blocks {
	t.Helper()
	m := coarse(t, balance)
	m.Edits.RefineAround(shapes.Sphere(r3.Vec{X: 1, Y: 1, Z: 1}, .05), nil, func() {})
	m.Grid.Settle()
	return m
}

// coarse is five blocks an edge, each of one cell.
func coarse(t *testing.T, balance layout.Balance) *Blocks {
	t.Helper()
	pool := par.New(1)
	t.Cleanup(pool.Close)
	m := New(Config{CellSize: .05, Domain: r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}, Dim: [3]int{5, 5, 5}, Balance: balance},
		pool, &graph.Graph{}, &graph.Components{})
	m.Track(levelset.Share(m.Set, m.Spray, m.HasRoom))
	m.Solids.Solids(nil, cutting.Near{})
	return m
}

// What an edit refines is balanced as the layout asks, and a saved layout that isn't is refused.
func TestBalanceOfEditsAndStates(t *testing.T) {
	faces, edges := speck(t, layout.BalanceFaces), speck(t, layout.BalanceEdges)
	if a, b := faces.Grid.CellsInUse(), edges.Grid.CellsInUse(); a >= b {
		t.Fatalf("%d cells with balance across faces, and %d across edges", a, b)
	}
	if b, nb := edges.Grid.FindUnbalanced(edges.Grid.Cur.Level); b != layout.None {
		t.Errorf("blocks %d and %d are not balanced", b, nb)
	}
	if b, _ := edges.Grid.FindUnbalanced(faces.Grid.Cur.Level); b == layout.None {
		t.Fatal("blocks that share an edge differ by one level at most in any case")
	}
	check := func(from, to *Blocks) error {
		var c codec.Codec
		c.Write()
		from.State.Code(&c)
		c.Check(append([]byte(nil), c.Bytes()...), 99)
		to.State.Code(&c)
		return c.End()
	}
	for _, pair := range [][2]*Blocks{{faces, faces}, {edges, edges}, {edges, faces}} {
		if err := check(pair[0], pair[1]); err != nil {
			t.Errorf("a balanced state is refused: %v", err)
		}
	}
	if err := check(faces, edges); err == nil || !strings.Contains(err.Error(), "levels 0 and 2") {
		t.Errorf("a state that is balanced across faces alone: %v", err)
	}
}

// Solids are measured in a layout that is balanced: a lattice is made of it.
func TestEditsMeasureABalancedLayout(t *testing.T) {
	m := coarse(t, layout.BalanceEdges)
	middle := r3.Vec{X: 1, Y: 1, Z: 1}
	ball := shapes.Sphere(middle, .15)
	asked := 0
	m.Edits.RefineAround(shapes.Sphere(middle, .85), []query.Solid{{Distance: ball.Eval, Bounds: ball.Bounds()}}, func() {
		asked++
		if b, nb := m.Grid.FindUnbalanced(m.Grid.Cur.Level); b != layout.None {
			t.Errorf("blocks %d and %d are not balanced", b, nb)
		}
	})
	if asked != 1 {
		t.Errorf("solids were measured %d times", asked)
	}
}
