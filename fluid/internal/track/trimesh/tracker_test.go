package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// enrightTracker is a tracker of the sphere of the Enright test.
func enrightTracker(n int) (k *Tracker, centre r3.Vec, radius float64) {
	centre, radius = r3.Vec{X: .35, Y: .35, Z: .35}, .15
	k = new(Tracker)
	icosphere(centre, radius, n).addTo(&k.Mesh, 0)
	k.Mover.Near = 1e-5
	return k, centre, radius
}

// The Enright field draws a sphere out for half a second, and brings it back. Nothing collides in this time: so the way back is the way there, and shape and
// volume are what they were, but for the error of order 4 in time.
func TestTrackerEnrightBack(t *testing.T) {
	k, centre, radius := enrightTracker(12)
	before := volumeOf(&k.Mesh)
	const steps = 25
	field := func(dst, at []r3.Vec, time float64) { enright(dst, at, 3*time) }
	for i := range steps {
		report := k.Step(field, float64(i)/steps, 1./steps)
		legal(t, &k.Mesh, "step", i)
		if report.Fraction != 1 {
			t.Fatalf("step %d: %+v", i, report)
		}
	}
	far := 0.
	for _, x := range k.Mesh.Position {
		far = max(far, math.Abs(reproducible.Norm(r3.Sub(x, centre))-radius))
	}
	after := volumeOf(&k.Mesh)
	t.Logf("%d vertices: the volume goes from %.6f to %.6f, the greatest distance from the sphere is %.2g", len(k.Mesh.Position), before, after, far)
	if math.Abs(after-before) > 1e-3*before || far > 1e-3*radius {
		t.Errorf("the volume goes from %v to %v; a vertex is %v m from the sphere", before, after, far)
	}
}

// In the whole of the test a mesh that is not improved gets triangles as long as the sheet. They would cut through it; they collide, and nothing intersects.
func TestTrackerEnrightUnimproved(t *testing.T) {
	k, _, _ := enrightTracker(5)
	const steps = 60
	collisions := 0
	for i := range steps {
		report := k.Step(enright, 3*float64(i)/steps, 3./steps)
		legal(t, &k.Mesh, "step", i)
		collisions += report.Collisions
	}
	if collisions == 0 {
		t.Error("nothing has collided")
	}
}

// The Enright test with remeshing: no motion is refused, nothing intersects, and the volume is kept as the thesis has it, 98.8 % (Brochu 2006, chapter 6).
func TestTrackerEnrightImproved(t *testing.T) {
	k, _, radius := enrightTracker(5)
	k.Length = func(dst []float64, at []r3.Vec) {
		for i := range dst {
			dst[i] = radius / 5
		}
	}
	before := volumeOf(&k.Mesh)
	const steps = 150
	end := steps
	if testing.Short() { // the volume is the same all the time
		end = steps / 3
	}
	most, collisions := 0, 0
	for i := range end {
		report := k.Step(enright, 3*float64(i)/steps, 3./steps)
		legal(t, &k.Mesh, "step", i)
		if report.Fraction != 1 {
			t.Errorf("step %d: %+v", i, report)
		}
		most, collisions = max(most, k.Mesh.Vertices()), collisions+report.Collisions
	}
	after := volumeOf(&k.Mesh)
	t.Logf("%d vertices at most, %d collisions: %.2f %% of the volume are left", most, collisions, 100*after/before)
	if after < .988*before || after > 1.012*before {
		t.Errorf("the volume goes from %v to %v", before, after)
	}
}

// Random fields carry a ball, a ring and a ball of another liquid through each other, while triangles are made better, join and separate. Nothing intersects, and no step is
// refused.
func TestTrackerInRandomFields(t *testing.T) {
	fields, steps := 20, 25
	if testing.Short() {
		fields = 2
	}
	collisions, joints := 0, 0
	for f := range fields {
		rng := rand.New(rand.NewPCG(13, uint64(f)))
		k := Tracker{MergeNear: .03, MergeThin: .01, CutThin: .03, Tiny: 1e-5, Mover: Mover{Near: .004}}
		k.Length = func(dst []float64, at []r3.Vec) {
			for i := range dst {
				dst[i] = .15
			}
		}
		icosphere(r3.Vec{X: -.8}, .5, 4).addTo(&k.Mesh, 0)
		icosphere(r3.Vec{X: .6, Y: 1.15}, .4, 4).addTo(&k.Mesh, 1)
		torusAround(r3.Vec{X: .6}, .5, .2, 24, 9).addTo(&k.Mesh, 0)
		a, b := randomVector(rng, 1), randomVector(rng, 1.5)
		field := func(dst, at []r3.Vec, time float64) { // waves of whirls, and from all sides to the middle
			for i, x := range at {
				_, cos := math.Sincos(4*time + reproducible.Dot(b, x))
				dst[i] = r3.Add(reproducible.Scale(cos, reproducible.Cross(a, x)), r3.Vec{X: -x.X / (.05 + math.Abs(x.X)), Y: -.5 * x.Y / (.05 + math.Abs(x.Y))})
			}
		}
		for i := range steps {
			report := k.Step(field, .03*float64(i), .03)
			legal(t, &k.Mesh, "step", i)
			if report.Fraction != 1 {
				t.Errorf("field %d, step %d: %+v", f, i, report)
			}
			collisions, joints = collisions+report.Collisions+report.Proximities, joints+report.Merge.Zips+report.Merge.Snaps
		}
		t.Logf("field %d: %d vertices", f, k.Mesh.Vertices())
	}
	t.Logf("%d near or colliding, %d joints", collisions, joints)
	if collisions < fields || joints < fields {
		t.Errorf("only %d collisions and %d joints in %d fields", collisions, joints, fields)
	}
}

// The velocity of a vertex is that of its whole step, and in a free field that of the field.
func TestTrackerVelocity(t *testing.T) {
	k := Tracker{Mesh: octahedron()}
	field := func(dst, at []r3.Vec, time float64) {
		for i := range at {
			dst[i] = r3.Vec{X: 2 * time, Y: 1}
		}
	}
	report := k.Step(field, 1, .1)
	if report.Fraction != 1 || report.Substeps != 1 {
		t.Errorf("%+v", report)
	}
	for v, u := range k.Velocity {
		if d := reproducible.Norm(r3.Sub(u, r3.Vec{X: 2.1, Y: 1})); d > 1e-14 {
			t.Errorf("vertex %d: velocity %v", v, u)
		}
	}
}

// No impulse moves a mesh that is heavy: motions that collide can't be done but with a tangle, which is cut out. Random fields carry a ball and a ring through each other so, and
// nothing intersects.
func TestTrackerRepairs(t *testing.T) {
	fields, steps := 24, 12
	if testing.Short() {
		fields = 8
	}
	repairs, late := 0, 0
	for f := range fields {
		rng := rand.New(rand.NewPCG(17, uint64(f)))
		k := Tracker{Mover: Mover{Near: 1e-3}, Length: uniform(.15), Substeps: 2}
		icosphere(r3.Vec{X: -.8}, .5, 3).addTo(&k.Mesh, 0)
		torusAround(r3.Vec{X: .6}, .5, .2, 20, 8).addTo(&k.Mesh, int32(f%2)) // in every other field it is another liquid, which nothing cuts
		a, b := randomVector(rng, 1), randomVector(rng, 1.5)
		field := func(dst, at []r3.Vec, time float64) { // waves of whirls, and from all sides to the middle, through each other
			for i, x := range at {
				_, cos := math.Sincos(4*time + reproducible.Dot(b, x))
				dst[i] = r3.Add(reproducible.Scale(cos, reproducible.Cross(a, x)), r3.Vec{X: -x.X / (.05 + math.Abs(x.X)), Y: -.5 * x.Y / (.05 + math.Abs(x.Y))})
			}
		}
		for i := range steps {
			for v := range k.Mesh.Heavy {
				k.Mesh.Heavy[v] = true
			}
			report := k.Step(field, .06*float64(i), .06)
			legal(t, &k.Mesh, "step", i)
			repairs += report.Repairs
			if len(k.Velocity) != len(k.Mesh.Position) {
				t.Errorf("%d velocities of %d vertices", len(k.Velocity), len(k.Mesh.Position))
			}
			if report.Fraction < 1 {
				late++
				if f%2 == 0 {
					t.Errorf("field %d, step %d: %+v", f, i, report)
				}
			}
		}
	}
	t.Logf("%d repairs, %d motions that were cut short", repairs, late)
	if repairs < fields/2 || late == 0 {
		t.Errorf("only %d repairs, and %d motions that were cut short", repairs, late)
	}
}

// A step allocates nothing where the mesh does not grow, with all stages: two balls of different liquids are pressed together and turned.
func TestTrackerAllocatesNothing(t *testing.T) {
	k := Tracker{MergeNear: .03, MergeThin: .01, CutThin: .03, Tiny: 1e-5, Mover: Mover{Near: .02}, Length: uniform(.15)}
	icosphere(r3.Vec{X: -.52}, .5, 4).addTo(&k.Mesh, 0)
	icosphere(r3.Vec{X: .52}, .5, 4).addTo(&k.Mesh, 1)
	step := func(field VelocityField) TrackReport { return k.Step(field, 0, .02) }
	field := func(dst, at []r3.Vec, _ float64) {
		for i, x := range at {
			dst[i] = r3.Vec{X: -x.Y - math.Copysign(.05, x.X), Y: x.X}
		}
	}
	near := 0
	for range 40 {
		near += step(field).Proximities
	}
	if near == 0 {
		t.Error("the balls have not come near")
	}
	vertices := k.Mesh.Vertices()
	if n := testing.AllocsPerRun(20, func() { step(field) }); n > 0 {
		t.Errorf("%v allocations in a step; %d vertices, %d before", n, k.Mesh.Vertices(), vertices)
	}
}

// A cube that is turned once around keeps its edges and corners but for a hundredth, though it is made finer and coarser again and again.
func TestTrackerKeepsFeatures(t *testing.T) {
	var k Tracker
	cuboid(r3.Vec{X: 1, Y: -.5, Z: -.5}, r3.Vec{X: 1, Y: 1, Z: 1}, [3]int{7, 7, 7}).addTo(&k.Mesh, 0)
	field := func(dst, at []r3.Vec, _ float64) {
		for i, x := range at {
			dst[i] = reproducible.Scale(2*math.Pi, r3.Vec{X: -x.Y, Y: x.X})
		}
	}
	const steps = 100
	changes := 0
	for i := range steps {
		k.Length = uniform(.16 - .09*float64(i/10%2)) // finer and coarser by turns
		r := k.Step(field, float64(i)/steps, 1./steps)
		changes += r.Improve.Splits + r.Improve.Collapses + r.Improve.Flips
	}
	m := &k.Mesh
	legal(t, m, "at the end")
	sharp := 0.
	for e, list := range m.EdgeTriangles {
		if reproducible.Dot(m.normal(list[0]), m.normal(list[1])) < .5 { // 60°
			sharp += reproducible.Norm(r3.Sub(m.Position[m.Edge[e][0]], m.Position[m.Edge[e][1]]))
		}
	}
	t.Logf("%.4f m of edges, volume %.6f, %d changes", sharp, volumeOf(m), changes)
	// Some collapse takes a bit of a corner. A hundredth of the edges is one edge of a triangle; as much of the volume beside edges of length 12 and width .16 is 12·.16²/2/100.
	if math.Abs(sharp-12) > .12 || math.Abs(volumeOf(m)-1) > .0015 || changes < 1000 {
		t.Errorf("%v m of edges are sharp, and the volume is %v", sharp, volumeOf(m))
	}
}

// A thread that is cut stays cut where its parts draw apart, however slowly: nothing joins them again.
func TestTrackerThreadStaysCut(t *testing.T) {
	const edge = .1
	for _, speed := range []float64{.002, .1} { // edges in a step
		k := Tracker{MergeNear: .35 * edge, MergeThin: .25 * edge, CutThin: .35 * edge, Tiny: 1e-3 * edge * edge * edge, Mover: Mover{Near: .03 * edge}}
		waistShape(.03).addTo(&k.Mesh, 0)
		k.Length = func(dst []float64, _ []r3.Vec) {
			for i := range dst {
				dst[i] = edge
			}
		}
		narrower := func(dst, at []r3.Vec, _ float64) {
			for i, x := range at {
				f := -.1 * math.Exp(-16*x.X*x.X)
				dst[i] = r3.Vec{Y: f * x.Y, Z: f * x.Z}
			}
		}
		for step := 0; step < 30 && eulerOf(&k.Mesh) == 2; step++ {
			k.Step(narrower, 0, 1)
		}
		cut := eulerOf(&k.Mesh)
		if cut < 4 {
			t.Fatalf("the thread is not cut: Euler characteristic %d", cut)
		}
		for step := range 8 {
			r := k.Step(func(dst, at []r3.Vec, _ float64) {
				for i, x := range at {
					dst[i] = r3.Vec{X: speed * edge * x.X}
				}
			}, 0, 1)
			legal(t, &k.Mesh, speed, step)
			if joints := r.Merge.Zips + r.Merge.Snaps; joints > 0 || eulerOf(&k.Mesh) < cut {
				t.Fatalf("%v edges a step: %d joints in step %d after the cut, Euler characteristic %d, was %d", speed, joints, step, eulerOf(&k.Mesh), cut)
			}
		}
	}
}
