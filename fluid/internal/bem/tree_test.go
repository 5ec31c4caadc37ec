package bem

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// direct is s with all pairs of panels treated one by one.
func direct(s *Solver) *Solver {
	d := &Solver{Layers: s.Layers}
	d.near, d.far = nil, nil
	d.tree = tree{nodes: []node{{count: int32(len(s.panels))}}}
	d.addPairs(&d.tree.nodes[0], &d.tree.nodes[0])
	return d
}

// worst returns the greatest difference of two lists over the greatest number of the second.
func worst(got, want []float64) float64 {
	most, size := 0., 0.
	for i := range want {
		most, size = max(most, math.Abs(got[i]-want[i])), max(size, math.Abs(want[i]))
	}
	return most / size
}

// treeError is the error of layers by expansions, over the greatest value.
const treeError = 1e-4

// Expansions between nodes change the layers by the stated error, and the transposed double layer is that.
func TestExpansions(t *testing.T) {
	at, triangles := lumpy(3, 4)
	s := &Solver{Layers: Layers{fewer: directFaces}}
	if err := s.Set(at, triangles); err != nil {
		t.Fatal(err)
	}
	if len(s.tree.expanded) == 0 {
		t.Fatal("nothing is expanded")
	}
	d := direct(s)
	n := len(triangles)
	q, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range q {
		c := s.panels[i].centre
		q[i] = math.Sin(3*c.X) + c.Y*c.Z - .3
	}
	s.applySingle(got, q)
	d.applySingle(want, q)
	t.Logf("single layer: %.2g", worst(got, want))
	about(t, "single layer", worst(got, want), 0, treeError)
	phi := values(at, func(p r3.Vec) float64 { return math.Cos(2*p.X+p.Y) + p.Z })
	s.applyDouble(got, phi)
	d.applyDouble(want, phi)
	t.Logf("double layer: %.2g", worst(got, want))
	about(t, "double layer", worst(got, want), 0, treeError)
	q1, q2 := normal(t, s, at, harmonics[1]), normal(t, newSolver(t, at, triangles), at, harmonics[1])
	t.Logf("normal derivative: %.2g", worst(q1, q2))
	about(t, "normal derivative", worst(q1, q2), 0, 20*treeError)
	m1, m2 := massesOf(t, s), massesOf(t, newSolver(t, at, triangles))
	t.Logf("masses: %.2g", worst(m1, m2))
	about(t, "masses", worst(m1, m2), 0, 20*treeError)
	for _, s := range []*Solver{s, d} {
		back := make([]float64, len(at))
		s.applyDouble(got, phi)
		s.applyDoubleTransposed(back, q)
		var there, here float64
		for i := range q {
			there += q[i] * got[i]
		}
		for v := range phi {
			here += phi[v] * back[v]
		}
		about(t, "transposed", here/there, 1, 1e-12)
	}
}

// Taylor's series of 1/|z| and of the products of powers is that of a point near by.
func TestExpansionOfAPoint(t *testing.T) {
	z, xi, eta := r3.Vec{X: 2, Y: -1, Z: 1.5}, r3.Vec{X: .1, Y: .05, Z: -.12}, r3.Vec{X: -.07, Y: .1, Z: .02}
	c, m, x := taylor(z), monomials(r3.Scale(-1, eta)), monomials(xi)
	var local [terms]float64
	pull(&local, &c, &m)
	got := 0.
	for n := range x {
		got += x[n] * local[n]
	}
	about(t, "1/r", got, 1/r3.Norm(r3.Sub(r3.Add(z, xi), eta)), 1e-8)
}
