package transport

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// A whole tetrahedron's matrix finds any velocity from its components along the edges, and each orientation of the lattice's
// six is there in all the ways to number the corners that keep the volume positive.
func TestWholeShapes(t *testing.T) {
	if len(wholes) != 6*12 {
		t.Fatalf("%d kinds, want 72", len(wholes))
	}
	want := [3]float64{.3, -1.7, .9}
	for k := range wholes {
		w := &wholes[k]
		x := w.corners()
		var u [3]float64
		for e, p := range pairs {
			d := geom.Sub(&x[p[1]], &x[p[0]])
			for a := range u {
				u[a] += w.fit[a][e] * geom.Dot(&d, &want) / geom.Norm(&d)
			}
		}
		if worst(u, want) > 1e-14 {
			t.Errorf("kind %d: %v, want %v", k, u, want)
		}
	}
}

// A constant velocity is found to 1e-12 at all vertices, tetrahedra and places, on graded lattices too, where it leads along the layout's sides.
func TestConstantIsExact(t *testing.T) {
	for seed, along := range [][3]float64{{1, 0, 0}, {0, -2, 0}, {0, 0, 3}} {
		for name, level := range map[string]func(int32) uint8{"uniform": uniform(1), "mixed": mixed(uint64(seed))} {
			dim := [3]int{2, 2, 2}
			dim[seed] = 5
			r := newRig(t, dim, .05, 1, level)
			r.start(r.fill(nil), func([3]float64) [3]float64 { return along })
			f := r.tr.settled()
			rnd := rand.New(rand.NewPCG(uint64(seed), 9))
			for _, by := range []order{first, second} {
				f.findTets(by)
				for range 500 {
					x := r.insideAlong(rnd, along)
					if d := max(worst(f.linear(&x), along), worst(f.accurate(&x), along)); d > 1e-12 {
						t.Fatalf("%s: off by %g at %v", name, d, x)
					}
				}
			}
		}
	}
}

// insideAlong is a random place that is no nearer to the sides that a velocity leads through than two base cells.
func (r *rig) insideAlong(rnd *rand.Rand, along [3]float64) [3]float64 {
	x, in := r.inside(rnd, 0), r.inside(rnd, .41)
	for a, u := range along {
		if u != 0 {
			x[a] = in[a]
		}
	}
	return x
}

// On the uniform lattice vertices have any velocity exactly that varies linearly, and so have places between them; the circumcentres of tetrahedra to the second order. To the
// first they don't, even where it has no divergence: a strain is off by up to a quarter of its part of a cell.
func TestLinearOnUniformLattice(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 3}, .05, 1, uniform(2))
	h := r.grid.CellSize(2)
	rnd := rand.New(rand.NewPCG(3, 9))
	for _, g := range [][3][3]float64{
		{{1, .3, -.2}, {-.7, -2, .4}, {.9, -.1, 1}}, // without divergence
		{{0, -1, 2}, {1, 0, -3}, {-2, 3, 0}},        // a rotation
		{{1, .3, -.2}, {-.7, 2, .4}, {.9, -.1, 1}},
	} {
		u := gradient(g)
		r.start(r.fill(nil), u)
		f := r.tr.settled()
		for _, by := range []order{first, second} {
			f.findTets(by)
			tet, off := 0., 0.
			for c, k := range f.kind {
				if x := f.Centres[c]; k != irregular && r.depth(x) > 4*h {
					tet = max(tet, worst(f.tet[c], u(x)))
				}
			}
			for range 500 {
				x := r.inside(rnd, .34)
				off = max(off, worst(f.linear(&x), u(x)))
				if by == second {
					off = max(off, worst(f.accurate(&x), u(x)))
				}
			}
			t.Logf("order %d: tetrahedra off by %.2g of a cell's change, between vertices %.2g", by, tet/h, off/h)
			if off > 1e-12 || by == second && tet > 1e-12 || by == first && tet > .25*5*h {
				t.Errorf("order %d: off by %g at circumcentres, %g elsewhere", by, tet, off)
			}
		}
	}
}

// depth is how far a place is from the grid's sides.
func (r *rig) depth(x [3]float64) float64 {
	d := math.Inf(1)
	for a := range x {
		e := r.grid.H * 8 * float64(r.grid.Dim[a])
		d = min(d, x[a]-r.grid.Origin[a], r.grid.Origin[a]+e-x[a])
	}
	return d
}

// Every tetrahedron knows its six edges, or of which it mirrors, and every vertex inside the uniform lattice the 24 around.
func TestMeshIsComplete(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 3}, .05, 1, mixed(4))
	f := r.tr.settled()
	shapes := map[bcc.Shape]int{}
	for c := range f.Corners {
		shapes[f.Shapes[c]]++
		for i, k := range f.edges[c] {
			if k < 0 {
				t.Fatalf("tetrahedron %d, of shape %d, has no edge %d", c, f.Shapes[c], i)
			}
			p, q := f.Corners[c][pairs[i][0]], f.Corners[c][pairs[i][1]]
			if k == f.still() {
				if f.twin[p] != q && f.twin[q] != p {
					t.Fatalf("tetrahedron %d: edge %d is no side's", c, i)
				}
				continue
			}
			ends := f.Ends[k>>1]
			if k&1 != 0 {
				ends[0], ends[1] = ends[1], ends[0]
			}
			for j, v := range [2]int32{p, q} {
				if f.twin[v] >= 0 {
					v = f.twin[v]
				}
				if ends[j] != v {
					t.Fatalf("tetrahedron %d: edge %d joins %v, not %d and %d", c, i, ends, p, q)
				}
			}
		}
	}
	for _, s := range []bcc.Shape{bcc.Whole, bcc.Bisected, bcc.Quadrisected, bcc.HalfPyramid} {
		if shapes[s] == 0 {
			t.Errorf("no tetrahedron of shape %d", s)
		}
	}
	cells := 0
	for v, c := range f.closed {
		if c == closed {
			cells++
			for _, e := range f.VertexEdges[f.VertexEdgeRuns[v]:f.VertexEdgeRuns[v+1]] {
				if d := f.Volume[v] - math.Pow(r.grid.CellSize(f.size[f.around[v][0]]), 3)/2; math.Abs(d) > 1e-15 || f.ring[e] == 0 {
					t.Fatalf("vertex %d has a cell of its own: volume off by %g", v, d)
				}
			}
		}
	}
	if cells < f.Vertices()/20 {
		t.Errorf("%d of %d cells are those of the uniform lattice", cells, f.Vertices())
	}
}

// Where cells are of one size the end of a trace is evaluated by the Voronoi cell around it, as bcc.Lattice.Voronoi does; at the layout's sides by a cell that they mirror, so that
// nothing leads through them.
func TestAccurateIsVoronoi(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 3}, .05, 1, uniform(1))
	rnd := rand.New(rand.NewPCG(8, 9))
	r.start(r.fill(nil), func([3]float64) [3]float64 {
		return [3]float64{rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64()}
	})
	f := r.tr.settled()
	var weights bcc.Weights
	cells := 0
	for _, by := range []order{first, second} {
		f.findTets(by)
		for range 1000 {
			x := r.inside(rnd, 0)
			if !r.l.Voronoi(x, &weights) {
				continue
			}
			var want [3]float64
			for i, tet := range weights.Tets {
				geom.AddScaled(&want, weights.W[i], &f.tet[tet])
			}
			if d := worst(f.accurate(&x), want); d > 1e-12 {
				t.Fatalf("order %d: off by %g at %v", by, d, x)
			}
			cells++
		}
		for range 200 {
			x, a := r.inside(rnd, 0), rnd.IntN(3)
			x[a] = r.grid.Origin[a]
			if u := f.accurate(&x); math.Abs(u[a]) > 1e-6 {
				t.Fatalf("order %d: %v leads through the side at %v", by, u, x)
			}
		}
	}
	if cells < 500 {
		t.Fatalf("%d places", cells)
	}
}
