package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// outside is how far the world point p is from a solid, 0 inside of one that has an inside.
func outside(s *solid, p r3.Vec) float64 {
	switch s.kind {
	case meshGeometry:
		d, _, _ := s.mesh.nearestTriangle(mulVecT(s.rot, r3.Sub(p, s.pos)))
		return d
	case halfSpaceGeometry:
		return max(0, r3.Dot(s.normal, r3.Sub(p, s.pos)))
	case sdfGeometry:
		var d [1]float32
		s.dist(d[:], []r3.Vec{mulVecT(s.rot, r3.Sub(p, s.pos))})
		return max(0, float64(d[0]))
	}
	whole := *s
	if s.kind == cylinderGeometry {
		whole.half, whole.radius = s.full(), 0
	}
	point := solid{kind: sphereGeometry, pos: p, rot: worldAxes.rot}
	return max(0, gjkGap(&point, &whole, r3.Vec{}).distance-whole.radius)
}

// rimmed are grounds with rims, seams, ridges and lone triangles.
func rimmed() map[string]Geometry {
	sheet := MeshDef{Vertices: []r3.Vec{{X: -0.4, Z: -0.4}, {X: 0.4, Z: -0.4}, {X: 0.4, Z: 0.4}, {X: -0.4, Z: 0.4}}, Triangles: [][3]int32{{0, 2, 1}, {0, 3, 2}}, Open: true}
	both := sheet
	both.TwoSided = true
	return map[string]Geometry{
		"sheet": Mesh(sheet), "two-sided sheet": Mesh(both), "box mesh": Mesh(boxMesh(r3.Vec{X: 0.8, Y: 0.2, Z: 0.6})),
		"triangle": Mesh(MeshDef{Vertices: []r3.Vec{{X: 0.5}, {X: -0.3, Y: 0.1, Z: 0.2}, {X: -0.2, Z: -0.4}}, Triangles: [][3]int32{{0, 2, 1}}, TwoSided: true}),
		"hills":    field(4, 0.2, func(x, z float64) float64 { return 0.2 * math.Sin(9*x) * math.Cos(7*z) }).Geometry,
		"flat":     field(3, 0.3, level).Geometry, "half-space": HalfSpace(r3.Vec{}, r3.Vec{X: 1, Y: 2}),
		"sdf": SDF(func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				dst[i] = float32(r3.Norm(p) - 0.3)
			}
		}, r3.Box{Min: r3.Vec{X: -0.3, Y: -0.3, Z: -0.3}, Max: r3.Vec{X: 0.3, Y: 0.3, Z: 0.3}}),
	}
}

// TestContactPointsLieOnBoth brings solids of all kinds together in any pose, near the origin and
// ten kilometres off: the point midway between two surfaces is half their separation from each.
func TestContactPointsLieOnBoth(t *testing.T) {
	shapes := map[string]Geometry{"stick": Box(Centred(0.02, 0.8, 0.02)), "plate": Box(Centred(0.6, 0.02, 0.5)), "coin": Cylinder(r3.Vec{Y: -0.01}, r3.Vec{Y: 0.01}, 0.3), "needle": Cylinder(r3.Vec{Y: -0.4}, r3.Vec{Y: 0.4}, 0.02), "brick hull": Hull(boxHull(r3.Vec{X: 0.5, Y: 0.2, Z: 0.3}).vertices)}
	var names []string
	for _, name := range solids {
		shapes[name] = convexShapes[name]
		names = append(names, name)
	}
	names = append(names, "stick", "plate", "coin", "needle", "brick hull")
	first := len(names)
	grounds := rimmed()
	for name, g := range grounds {
		shapes[name] = g
	}
	names = append(names, "sheet", "two-sided sheet", "box mesh", "triangle", "hills", "flat", "half-space", "sdf")
	w := NewWorld(WorldDef{})
	for i, na := range names[:first] {
		for _, nb := range names[i:] {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(len(nb))))
			points := 0
			for k := range 200 {
				off := r3.Scale(float64(k%3)*5e3, r3.Vec{X: 1, Y: 0.2, Z: -0.7})
				a, b := poses(shapes[na], shapes[nb], k, off, rng)
				var m manifold
				motion := randomVec(rng, 0.02*float64(k%2))
				w.collide(&a, &b, motion, &m)
				for _, h := range m.points[:m.n] {
					points++
					fromA, fromB := outside(&a, h.pos), outside(&b, h.pos)
					far := max(fromA, fromB) - math.Abs(h.sep)/2
					if h.sep > 0 { // known along the axis alone: what is beside it is farther off
						far = max(fromA, fromB) - speculation - r3.Norm(motion)
					}
					if far > 3e-3 {
						t.Errorf("%s, %s: %d: %g m apart along %v, point %g and %g m from them", na, nb, k, h.sep, h.normal, fromA, fromB)
					}
				}
			}
			if points < 12 {
				t.Errorf("%s, %s: only %d points", na, nb, points)
			}
		}
	}
}

// poses puts a at an offset, turned anyhow or, every other time, with its axes along those of b,
// and b in such a place that they are about to touch or overlap a little.
func poses(ga, gb Geometry, k int, off r3.Vec, rng *rand.Rand) (a, b solid) {
	turn := func() mat3 { return rotationMatrix(about(randomVec(rng, 1), 6*rng.Float64())) }
	rb := turn()
	ra := turn()
	if k%2 == 0 {
		quarter := rotationMatrix(about(r3.Vec{X: 1, Y: float64(k / 2 % 2), Z: float64(k / 4 % 3)}, math.Pi/2*float64(k/2%4)))
		ra = mulMat(&rb, &quarter)
	}
	a, b = placedAt(ga, off, ra), placedAt(gb, off, rb)
	n := r3.Unit(randomVec(rng, 1))
	if k%4 == 0 {
		n = column(&rb, k/4%3)
	}
	side := r3.Add(randomVec(rng, 0.15), r3.Scale(0.01*rng.NormFloat64(), n))
	side = r3.Sub(side, r3.Scale(r3.Dot(side, n), n))
	switch b.kind {
	case meshGeometry:
		v, _ := gb.Triangles(3)
		b.pos = r3.Sub(off, mulVec(&rb, v[k%len(v)]))
		a.pos = r3.Add(r3.Add(off, side), r3.Scale(0.3*rng.Float64(), n))
	case halfSpaceGeometry:
		a.pos = r3.Add(off, r3.Scale(-0.01-r3.Dot(b.normal, r3.Sub(a.surfaceSupport(r3.Scale(-1, b.normal)), off)), b.normal))
	case sdfGeometry:
		a.pos = r3.Add(off, r3.Scale(0.3*rng.Float64()+0.2, n))
	default:
		a.pos = r3.Add(off, side)
		reach := r3.Dot(n, r3.Sub(b.surfaceSupport(n), off)) - r3.Dot(n, r3.Sub(a.surfaceSupport(r3.Scale(-1, n)), off))
		a.pos = r3.Add(a.pos, r3.Scale(reach-0.02*rng.Float64(), n))
	}
	return a, b
}

// TestContactsOnRims rests hulls on the rims of grounds that are ten kilometres off, with their
// middles inside: whoever asks for the points of contact gets ones under the body.
func TestContactsOnRims(t *testing.T) {
	at := r3.Vec{X: 8e3, Y: -500, Z: 6e3}
	strip := Mesh(MeshDef{Vertices: []r3.Vec{{X: -2}, {X: 0.2}, {X: 0.2, Z: 1}, {X: -2, Z: 1}}, Triangles: [][3]int32{{0, 2, 1}, {0, 3, 2}}, Open: true})
	for name, ground := range map[string]Geometry{"mesh": strip, "field": field(4, 0.5, level).Geometry, "tile": Mesh(boxMesh(r3.Vec{X: 0.5, Y: 0.1, Z: 0.5}))} {
		for shape, g := range map[string]Geometry{"box": Box(Centred(0.5, 0.3, 0.4)), "prism": Hull(prism(6, 0.25, 0.5)), "rock": convexShapes["rock"], "stick": Box(Centred(2, 0.05, 0.05)), "cylinder": Cylinder(r3.Vec{Y: -0.15}, r3.Vec{Y: 0.15}, 0.25)} {
			touched := 0
			for k := range 6 {
				w := NewWorld(WorldDef{Gravity: down})
				add(w, BodyDef{Position: at}, ShapeDef{Geometry: ground})
				b := add(w, BodyDef{Kind: Dynamic, Position: r3.Add(at, r3.Vec{X: 0.02 * float64(k), Y: 0.6, Z: 0.1 * float64(k)}), Rotation: about(r3.Vec{X: 1, Y: float64(k), Z: -1}, float64(k))},
					ShapeDef{Geometry: g})
				for range 60 {
					w.Step(tick)
					w.Coupling().EachContact(func(_, _ int, p, _ r3.Vec, _, _ float64) {
						touched++
						if d := r3.Norm(r3.Sub(p, b.CentreOfMass())); d > 1.1 {
							t.Fatalf("%s on a %s: a point of contact %g m from the body", shape, name, d)
						}
					})
				}
			}
			if touched < 20 {
				t.Errorf("%s on a %s: %d points of contact", shape, name, touched)
			}
		}
	}
}
