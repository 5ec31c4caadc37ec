package stuffed_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

// scene is a rig with a surface, a static solid and a ball, on levels that differ.
func scene(t testing.TB, workers int) (*rig, []rigid.Solid) {
	dim := [3]int{2, 2, 2}
	r := newRig(t, workers, dim, .1, [3]float64{}, []uint8{3, 3, 3, 3, 2, 2, 3, 2}, [3]float64{}, [3]float64{1.5, 1.6, 1.4})
	r.d.SetStatic(distance(cuboid(r3.Vec{X: .3, Y: .2, Z: .3}, r3.Vec{X: .2, Y: .3, Z: .4})))
	r.surface(plane(r3.Vec{X: .8, Y: .93, Z: .8}, up))
	return r, []rigid.Solid{ballSolid(r3.Vec{X: .85, Y: .8, Z: .8}, .31)}
}

// A velocity that is the same everywhere, which body and faces share, is every tetrahedron's, and is found at any place in the mesh (Klingner et al. 2006 eq. 3 and 4).
func TestConstantVelocityIsExact(t *testing.T) {
	dim := [3]int{2, 2, 2}
	r := newRig(t, 2, dim, .1, [3]float64{}, []uint8{3, 3, 3, 3, 2, 2, 3, 2}, [3]float64{}, [3]float64{})
	r.surface(ball(r3.Vec{X: .8, Y: .8, Z: .8}, .7)) // touches no side
	r.fill([]rigid.Solid{ballSolid(r3.Vec{X: .85, Y: .8, Z: .8}, .31)})
	want := r3.Vec{X: .3, Y: -1.1, Z: .7}
	for f, n := range r.g.Normals {
		r.g.U[f] = n[0]*want.X + n[1]*want.Y + n[2]*want.Z
	}
	field := stuffed.NewField(r.pool)
	field.Take(r.d, r.g, r.l, func(int32, r3.Vec) r3.Vec { return want })
	for tet, u := range field.Velocity {
		if r3.Norm(r3.Sub(r3.Vec{X: u[0], Y: u[1], Z: u[2]}, want)) > 1e-12 {
			t.Fatalf("tetrahedron %d: %v", tet, u)
		}
	}
	for tet := range int32(r.d.Mesh.Tets()) {
		x := r.d.Mesh.Centre(tet)
		u := field.Nearest(&[3]float64{x.X, x.Y, x.Z}, 0)
		if r3.Norm(r3.Sub(r3.Vec{X: u[0], Y: u[1], Z: u[2]}, want)) > 1e-12 {
			t.Fatalf("at %v: %v", x, u)
		}
	}
}

// Graph, solve and velocity are the same for any number of workers.
func TestSameBitsForAnyWorkers(t *testing.T) {
	var want *rig
	var velocity [][3]float64
	for _, workers := range []int{1, 2, 5} {
		r, solids := scene(t, workers)
		r.fill(solids)
		r.fall()
		r.solve(make([]rigid.Body, 1), strict)
		field := stuffed.NewField(r.pool)
		field.Take(r.d, r.g, r.l, func(int32, r3.Vec) r3.Vec { return r3.Vec{Y: 1} })
		if want == nil {
			want, velocity = r, field.Velocity
			continue
		}
		if r.g.Rows != want.g.Rows || r.g.Faces() != want.g.Faces() {
			t.Fatalf("%d workers: %d rows, %d faces; one worker: %d, %d", workers, r.g.Rows, r.g.Faces(), want.g.Rows, want.g.Faces())
		}
		for f, u := range r.g.U {
			if math.Float64bits(u) != math.Float64bits(want.g.U[f]) {
				t.Fatalf("%d workers: face %d moves at %g, with one worker at %g", workers, f, u, want.g.U[f])
			}
		}
		for i, u := range field.Velocity {
			if u != velocity[i] {
				t.Fatalf("%d workers: tetrahedron %d moves at %g, with one worker at %g", workers, i, u, velocity[i])
			}
		}
	}
}

// What is read goes on with the bits of what was written, and what is damaged is told or does no harm.
func TestFieldIsCoded(t *testing.T) {
	r, solids := scene(t, 1)
	r.fill(solids)
	r.fall()
	r.solve(make([]rigid.Body, 1), strict)
	field, read := stuffed.NewField(r.pool), stuffed.NewField(par.New(1))
	field.Take(r.d, r.g, r.l, func(int32, r3.Vec) r3.Vec { return r3.Vec{Y: 1} })
	var c codec.Codec
	c.Write()
	field.Code(&c, r.l)
	data := append([]byte(nil), c.Bytes()...)
	load := func(data []byte) error {
		c.Check(data, 12)
		read.Code(&c, r.l)
		if err := c.End(); err != nil {
			return err
		}
		c.Read(data, 12)
		read.Code(&c, r.l)
		return c.End()
	}
	trace := stuffed.Trace{Dt: .1, Beyond: func([3]float64) [3]float64 { return [3]float64{} }}
	if err := load(data); err != nil {
		t.Fatal(err)
	}
	field.Advect(r.g, &trace)
	want := append([]float64(nil), r.g.U...)
	read.Advect(r.g, &trace)
	for f, u := range r.g.U {
		if math.Float64bits(u) != math.Float64bits(want[f]) {
			t.Fatalf("face %d moves at %g, and when read at %g", f, want[f], u)
		}
	}
	for at := 0; at < len(data); at += len(data) / 11 {
		bad := append([]byte(nil), data...)
		bad[at] ^= 0x55
		if load(bad) == nil {
			read.Advect(r.g, &trace)
		}
		if load(bad[:at]) == nil {
			t.Fatalf("%d bytes of %d are enough", at, len(data))
		}
	}
}

// A mesh whose tetrahedra are flat, inside out, out of order or elsewhere is refused, though each of its numbers could be of a mesh.
func TestDamagedMeshIsRefused(t *testing.T) {
	r, solids := scene(t, 1)
	r.fill(solids)
	field, read := stuffed.NewField(r.pool), stuffed.NewField(par.New(1))
	field.Take(r.d, r.g, r.l, func(int32, r3.Vec) r3.Vec { return r3.Vec{} })
	var c codec.Codec
	c.Write()
	field.Code(&c, r.l)
	m := r.d.Mesh
	const position = 16 // where the list of vertices begins; behind it are the corners, and behind these the sources
	corners := position + 24*m.Vertices()
	sources := corners + 16*m.Tets()
	number := func(data []byte, at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	for _, d := range []struct {
		name, want string
		damage     func(data []byte)
	}{
		{"two corners are swapped", "flat or inside out", func(data []byte) {
			at := corners + 16*(m.Tets()/2)
			p, q := number(data, at), number(data, at+4)
			binary.LittleEndian.PutUint32(data[at:], q)
			binary.LittleEndian.PutUint32(data[at+4:], p)
		}},
		{"two corners are the same", "flat or inside out", func(data []byte) {
			at := corners + 16*(m.Tets()/3)
			binary.LittleEndian.PutUint32(data[at:], number(data, at+12))
		}},
		{"two vertices are at one place", "flat or inside out", func(data []byte) {
			p, q := m.Corners[m.Tets()/5][0], m.Corners[m.Tets()/5][2]
			copy(data[position+24*p:][:24], data[position+24*q:])
		}},
		{"it is in another tetrahedron of the lattice", "far from", func(data []byte) {
			for t := range m.Tets() {
				binary.LittleEndian.PutUint32(data[sources+4*t:], 0)
			}
		}},
		{"two sources are swapped", "order", func(data []byte) {
			p, q := number(data, sources), number(data, sources+4*m.Tets()-4)
			binary.LittleEndian.PutUint32(data[sources:], q)
			binary.LittleEndian.PutUint32(data[sources+4*m.Tets()-4:], p)
		}},
	} {
		data := append([]byte(nil), c.Bytes()...)
		d.damage(data)
		var check codec.Codec
		check.Check(data, 12)
		read.Code(&check, r.l)
		if err := check.End(); err == nil || !strings.Contains(err.Error(), "stuffed mesh: ") || !strings.Contains(err.Error(), d.want) {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

// Once all arrays are long enough nothing is allocated.
func TestNothingIsAllocated(t *testing.T) {
	r, solids := scene(t, 1)
	solids[0].Distance = func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(math.Sqrt((x.X-.85)*(x.X-.85)+(x.Y-.8)*(x.Y-.8)+(x.Z-.8)*(x.Z-.8)) - .31)
		}
	}
	field := stuffed.NewField(r.pool)
	wall := func(int32, r3.Vec) r3.Vec { return r3.Vec{} }
	trace := stuffed.Trace{Dt: .01, Beyond: func([3]float64) [3]float64 { return [3]float64{} }}
	step := func() {
		r.d.Fill(r.g, r.l, r.phi, solids)
		field.Advect(r.g, &trace)
		field.Take(r.d, r.g, r.l, wall)
	}
	step()
	if n := testing.AllocsPerRun(3, step); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
