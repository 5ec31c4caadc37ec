package stuffed_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
)

// A face is solid if its three vertices are on a solid or a side, and leads to air else, with the surface there (Chentanez et al. 2007 §3.3.1). Each row has
// its tetrahedron's four faces: what no face of the graph is, a body or a wall takes.
func TestFacesLeadWhereTheyShould(t *testing.T) {
	r, solids := scene(t, 1)
	r.fill(solids)
	m, air := r.d.Mesh, 0
	for f, b := range r.g.B {
		a := r.g.A[f]
		if want := r.g.Dist[f]; !(want > 0) || a < 0 {
			t.Fatalf("face %d from row %d is %g m long", f, a, want)
		}
		if b != graph.Air {
			continue
		}
		air++
		x := r.g.FaceCentres[f]
		if off := math.Abs(plane(r3.Vec{X: .8, Y: .93, Z: .8}, up)(r3.Vec{X: x[0], Y: x[1], Z: x[2]})); off > .1 { // half an edge of the coarser cells
			t.Errorf("face %d at %.3v leads to air %g m from the surface", f, x, off)
		}
	}
	solid, free := 0, 0
	for _, face := range m.Boundary {
		on := 0
		for _, v := range m.FaceVertices(face.Tet, int(face.Corner)) {
			if m.Flags[v]&stuffing.OnSolid != 0 {
				on++
			}
		}
		if on == 3 {
			solid++
		}
		if face.Kind == stuffing.Free {
			free++
			if on == 3 {
				t.Errorf("a face whose vertices are all on solids leads to air")
			}
		}
	}
	if solid == 0 || air == 0 || air > free {
		t.Errorf("%d solid faces, %d free ones, %d of the graph lead to air", solid, free, air)
	}
}

// What is carried from the mesh of one surface and layout to that of another is the same velocity, if it is the same everywhere; of a rotation, which is linear, a
// part of what changes across a cell is lost.
func TestVelocityIsTransferred(t *testing.T) {
	dim := [3]int{2, 2, 2}
	middle := r3.Vec{X: .8, Y: .8, Z: .8}
	old := newRig(t, 1, dim, .1, [3]float64{}, []uint8{3, 3, 3, 3, 2, 2, 3, 2}, [3]float64{}, [3]float64{})
	old.surface(ball(middle, .7))
	old.fill(nil)
	now := newRig(t, 1, dim, .1, [3]float64{}, []uint8{3, 3, 2, 3, 3, 3, 3, 2}, [3]float64{}, [3]float64{})
	now.surface(ball(middle, .53))
	now.fill(nil)
	field := stuffed.NewField(old.pool)
	trace := stuffed.Trace{Beyond: func([3]float64) [3]float64 { return [3]float64{math.NaN()} }}
	for name, c := range map[string]struct {
		u   func(x r3.Vec) r3.Vec
		off float64
	}{
		"constant": {func(r3.Vec) r3.Vec { return r3.Vec{X: .3, Y: -1.1, Z: .7} }, 1e-12},
		"rotation": {func(x r3.Vec) r3.Vec { return r3.Cross(r3.Vec{X: 1, Y: 2, Z: -2}, r3.Sub(x, middle)) }, .13},
	} {
		for f, n := range old.g.Normals {
			x := old.g.FaceCentres[f]
			u := c.u(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
			old.g.U[f] = n[0]*u.X + n[1]*u.Y + n[2]*u.Z
		}
		field.Take(old.d, old.g, old.l, nil)
		field.Advect(now.g, &trace)
		top := 0.
		for f, n := range now.g.Normals {
			x := now.g.FaceCentres[f]
			u := c.u(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
			top = max(top, math.Abs(now.g.U[f]-n[0]*u.X-n[1]*u.Y-n[2]*u.Z))
		}
		t.Logf("%s: off by %.3g m/s", name, top)
		if !(top <= c.off) {
			t.Errorf("%s: off by %g m/s", name, top)
		}
	}
}
