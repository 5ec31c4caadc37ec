package physics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// tiles is a floor of n × n squares of two triangles each, with the given height.
func tiles(n int, size float64, height func(x, z float64) float64) MeshDef {
	def := MeshDef{Open: true}
	for r := range n {
		for c := range n {
			i := int32(len(def.Vertices))
			for k := range 4 { // each tile has its own corners, to be welded
				x, z := (float64(c+k%2)-float64(n)/2)*size, (float64(r+k/2)-float64(n)/2)*size
				def.Vertices = append(def.Vertices, r3.Vec{X: x, Y: height(x, z), Z: z})
			}
			def.Triangles = append(def.Triangles, [3]int32{i, i + 2, i + 1}, [3]int32{i + 3, i + 1, i + 2})
		}
	}
	return def
}

func level(_, _ float64) float64 { return 0 }

// field is the same floor as a height field, with its middle at the origin of its body.
func field(n int, size float64, height func(x, z float64) float64) ShapeDef {
	def := HeightFieldDef{Columns: n + 1, Rows: n + 1, SpacingX: size, SpacingZ: size}
	half := float64(n) / 2 * size
	for r := range n + 1 {
		for c := range n + 1 {
			def.Heights = append(def.Heights, height(float64(c)*size-half, float64(r)*size-half))
		}
	}
	return ShapeDef{Geometry: HeightField(def), Offset: r3.Vec{X: -half, Z: -half}}
}

// floors of triangles, 16 m wide.
var triangleFloors = map[string]func(height func(x, z float64) float64) ShapeDef{
	"mesh":   func(h func(x, z float64) float64) ShapeDef { return ShapeDef{Geometry: Mesh(tiles(32, 0.5, h))} },
	"coarse": func(h func(x, z float64) float64) ShapeDef { return ShapeDef{Geometry: Mesh(tiles(4, 4, h))} },
	"field":  func(h func(x, z float64) float64) ShapeDef { return field(32, 0.5, h) },
}

// boxMesh is a box as a closed mesh.
func boxMesh(e r3.Vec) MeshDef {
	h := boxHull(e)
	def := MeshDef{Vertices: h.vertices}
	for i := range h.planes {
		f := h.face(i)
		for k := 1; k+1 < len(f); k++ {
			def.Triangles = append(def.Triangles, [3]int32{int32(f[0]), int32(f[k]), int32(f[k+1])})
		}
	}
	return def
}

// TestOverTiles rolls a ball and a cylinder and slides flat bodies across the inner edges of
// a floor in an odd direction: none may feel them.
func TestOverTiles(t *testing.T) {
	for name, f := range triangleFloors {
		for shape, g := range map[string]Geometry{"sphere": Sphere(r3.Vec{}, 0.25), "capsule": Capsule(r3.Vec{Y: -0.15}, r3.Vec{Y: 0.15}, 0.25), "box": Box(Centred(0.5, 0.5, 0.5)), "cylinder": Cylinder(r3.Vec{Y: -0.25}, r3.Vec{Y: 0.25}, 0.25), "hull": Hull(prism(6, 0.25, 0.5))} {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
			s := f(level)
			s.Material.Friction = Frictionless
			add(w, BodyDef{}, s)
			v := r3.Vec{X: 4, Z: 2.3}
			def := BodyDef{Kind: Dynamic, Position: r3.Vec{X: -6, Y: 0.25, Z: -4}, Velocity: v}
			if shape == "capsule" {
				def.Rotation = about(r3.Vec{X: 1}, math.Pi/2)
			}
			b := add(w, def, ShapeDef{Geometry: g})
			bump, sway, turned := 0.0, 0.0, 0.0
			for range 150 {
				w.Step(tick)
				bump = max(bump, math.Abs(b.Position().Y-0.25))
				sway = max(sway, r3.Norm(r3.Sub(b.Velocity(), v)))
				turned = max(turned, r3.Norm(b.AngularVelocity()))
			}
			near1(t, shape+" over "+name+": bump", bump, 0, 5e-4)
			near1(t, shape+" over "+name+": change of velocity", sway, 0, 0.01)
			near1(t, shape+" over "+name+": spin", turned, 0, 0.02)
		}
	}
}

func TestRollingOnTiles(t *testing.T) {
	for name, f := range triangleFloors {
		w := NewWorld(WorldDef{NoSleep: true})
		check(t, w.SetGravity(r3.Vec{X: 9.81 * math.Sin(0.2), Y: -9.81 * math.Cos(0.2)}))
		add(w, BodyDef{}, f(level))
		b := dynamic(w, Sphere(r3.Vec{}, 0.25), -6, 0.25, 0.1)
		steps(w, 120)
		v := 5.0 / 7 * 9.81 * math.Sin(0.2) * 2
		near1(t, name+" speed", b.Velocity().X, v, 0.01*v)
		near1(t, name+" spin", b.AngularVelocity().Z*0.25, -v, 0.01*v)
		near1(t, name+" height", b.Position().Y, 0.25, 1e-3)
	}
}

func TestRestOnTriangles(t *testing.T) {
	for name, f := range triangleFloors {
		for _, shape := range []string{"sphere", "cylinder", "box", "cube hull", "prism"} {
			w := NewWorld(WorldDef{Gravity: down})
			add(w, BodyDef{}, f(level))
			b := dynamic(w, convexShapes[shape], 0.13, 0.35, 0.2)
			c := dynamic(w, convexShapes[shape], 4, 0.25, 3)
			d := dynamic(w, Box(Centred(0.5, 0.5, 0.5)), 4, 0.751, 3)
			steps(w, 240)
			near1(t, shape+" on "+name, b.Position().Y, 0.25, 1e-3)
			nearVec(t, shape+" on "+name, c.Position(), r3.Vec{X: 4, Y: 0.25, Z: 3}, 2e-3)
			if shape != "sphere" {
				nearVec(t, "box on "+shape+" on "+name, d.Position(), r3.Vec{X: 4, Y: 0.75, Z: 3}, 4e-3)
			}
		}
	}
}

// TestValley lets bodies come to rest in a V of two slopes, whose inner edge is concave.
func TestValley(t *testing.T) {
	for name, f := range triangleFloors {
		w := NewWorld(WorldDef{Gravity: down})
		add(w, BodyDef{}, f(func(x, _ float64) float64 { return math.Abs(x) }))
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 0.5, Y: 1.5}, LinearDamping: 1, AngularDamping: 1}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.3)})
		c := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1, Z: 3}, Rotation: about(r3.Vec{Z: 1}, math.Pi/4), LinearDamping: 1}, ShapeDef{Geometry: Box(Centred(0.5, 0.5, 0.5))})
		steps(w, 600)
		nearVec(t, name+": ball", r3.Vec{X: b.Position().X, Y: b.Position().Y}, r3.Vec{Y: 0.3 * math.Sqrt2}, 3e-3)
		nearVec(t, name+": box", r3.Vec{X: c.Position().X, Y: c.Position().Y}, r3.Vec{Y: 0.25 * math.Sqrt2}, 5e-3)
	}
}

// TestBesideAStep stands a box beside a block of mesh and pushes it against its side: the
// triangles of the top, which are near too, must not lift it.
func TestBesideAStep(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	floor(w)
	add(w, BodyDef{Position: r3.Vec{Y: 0.3}}, ShapeDef{Geometry: Mesh(boxMesh(r3.Vec{X: 1, Y: 0.3, Z: 1})), Material: Material{Friction: Frictionless}})
	b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 1.3, Y: 0.25, Z: 0.2}}, ShapeDef{Geometry: Box(Centred(0.5, 0.5, 0.5)), Material: Material{Friction: Frictionless}})
	for range 120 {
		check(t, b.ApplyForce(r3.Vec{X: -2000, Z: 1}, b.CentreOfMass()))
		w.Step(tick)
	}
	near1(t, "x", b.Position().X, 1.25, 2e-3)
	near1(t, "y", b.Position().Y, 0.25, 1e-3)
}

func TestSidesOfAMesh(t *testing.T) {
	for _, two := range []bool{false, true} {
		w := NewWorld(WorldDef{Gravity: down})
		def := tiles(8, 1, level)
		def.TwoSided = two
		add(w, BodyDef{}, ShapeDef{Geometry: Mesh(def)})
		b := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: -1}, Velocity: r3.Vec{Y: 7}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.2)})
		c := add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{X: 2, Y: -1}, Velocity: r3.Vec{Y: 7}}, ShapeDef{Geometry: Box(Centred(0.4, 0.4, 0.4))})
		top := math.Inf(-1)
		for range 30 {
			w.Step(tick)
			top = max(top, b.Position().Y, c.Position().Y)
		}
		if two && top > -0.19 || !two && top < 0.5 {
			t.Errorf("two-sided %v: up to %v", two, top)
		}
	}
}

// TestMeshDistance compares a box as a mesh with the box, and a field with a plane.
func TestMeshDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	e := r3.Vec{X: 0.5, Y: 0.3, Z: 0.7}
	s := Mesh(boxMesh(e)).surface
	if !s.closed || Mesh(tiles(2, 1, level)).surface.closed {
		t.Fatal("closed or not")
	}
	g := field(8, 0.5, func(x, z float64) float64 { return 0.3*x - 0.4*z })
	n := r3.Unit(r3.Vec{X: -0.3, Y: 1, Z: 0.4})
	for range 3000 {
		p := randomVec(rng, 0.6)
		near1(t, "box", s.distance(p), boxDistance(p, e), 1e-12)
		if got, want := g.Geometry.surface.distance(r3.Sub(p, g.Offset)), r3.Dot(n, p); r3.Norm(p) < 1 && math.Abs(want) < 0.8 {
			near1(t, "field", got, want, 1e-12)
		}
		q := r3.Add(p, randomVec(rng, 0.3))
		p, q = r3.Scale(4, p), r3.Scale(4, q)
		a, b := g.Geometry.surface.distance(p), g.Geometry.surface.distance(q)
		if math.Abs(a-b) > r3.Norm(r3.Sub(p, q))*(1+1e-9) {
			t.Fatalf("slope above 1: %v at %v, %v at %v", a, p, b, q)
		}
	}
}

// TestRoundDistances compares capsule, cylinder and hull with a search for the nearest point.
func TestRoundDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	w := NewWorld(WorldDef{})
	for _, name := range []string{"capsule", "cylinder", "prism", "rock"} {
		g := convexShapes[name]
		b := add(w, BodyDef{}, ShapeDef{Geometry: g})
		s := placedAt(g, r3.Vec{}, rotationMatrix(identity))
		for range 200 {
			p := randomVec(rng, 0.4)
			var d [1]float32
			w.Coupling().Distance(b.Index(), d[:], []r3.Vec{p})
			// The distance of a convex solid is the largest of those to its tangent planes.
			want := math.Inf(-1)
			if r3.Norm(p) < 0.3 { // inside there are many such maxima
				continue
			}
			axis := r3.Unit(p)
			for size := 1.0; size > 1e-6; size *= 0.95 {
				for range 12 {
					n := r3.Unit(r3.Add(axis, randomVec(rng, size)))
					if x := r3.Dot(n, r3.Sub(p, s.surfaceSupport(n))); x > want {
						want, axis = x, n
					}
				}
			}
			if float64(d[0]) > want+1e-5+2e-3*math.Abs(want) {
				t.Fatalf("%s: %v at %v, want %v", name, d[0], p, want)
			}
			if float64(d[0]) < want-1e-6 {
				t.Fatalf("%s: %v at %v, want %v", name, d[0], p, want)
			}
		}
	}
}

func TestBadMeshes(t *testing.T) {
	nan := math.NaN()
	good := tiles(1, 1, level)
	w := NewWorld(WorldDef{})
	d := must(w.AddBody(BodyDef{Kind: Dynamic}))
	_, kind := d.AddShape(ShapeDef{Geometry: Mesh(good)})
	for i, c := range []struct {
		err  error
		want string
	}{
		{Mesh(MeshDef{}).Validate(), "3 vertices"},
		{Mesh(MeshDef{Vertices: make([]r3.Vec, 3)}).Validate(), "one triangle"},
		{Mesh(MeshDef{Vertices: make([]r3.Vec, 3), Triangles: [][3]int32{{0, 1, 2}}}).Validate(), "with an area"},
		{Mesh(MeshDef{Vertices: good.Vertices, Triangles: [][3]int32{{0, 1, 4}}}).Validate(), "indices"},
		{Mesh(MeshDef{Vertices: good.Vertices, Triangles: [][3]int32{{0, -1, 2}}}).Validate(), "indices"},
		{Mesh(MeshDef{Vertices: []r3.Vec{{}, {X: nan}, {Y: 1}}}).Validate(), "finite"},
		{HeightField(HeightFieldDef{}).Validate(), "columns"},
		{HeightField(HeightFieldDef{Columns: 2, Rows: 2, SpacingX: 1, SpacingZ: 1, Heights: make([]float64, 3)}).Validate(), "heights"},
		{HeightField(HeightFieldDef{Columns: 2, Rows: 2, SpacingX: 1, Heights: make([]float64, 4)}).Validate(), "spacing"},
		{HeightField(HeightFieldDef{Columns: 2, Rows: 2, SpacingX: 1, SpacingZ: 1, Heights: []float64{0, 0, nan, 0}}).Validate(), "finite"},
		{HeightField(HeightFieldDef{Columns: 1 << 23, Rows: 1 << 23, SpacingX: 1, SpacingZ: 1}).Validate(), "1<<24"},
		{kind, "static or kinematic"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("case %d: %v, want one about %q", i, c.err, c.want)
		}
	}
}

// FuzzConvexOnMesh drops a solid anywhere onto a bumpy floor: contacts must be finite, with
// unit normals out of the floor.
func FuzzConvexOnMesh(f *testing.F) {
	bumpy := func(x, z float64) float64 { return 0.2 * math.Sin(3*x) * math.Cos(2*z) }
	mesh, ground := Mesh(tiles(8, 0.5, bumpy)), field(8, 0.5, bumpy)
	f.Add(uint8(2), 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
	f.Add(uint8(3), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, i uint8, x, y, z, u, v, s float64) {
		p, q := r3.Vec{X: x, Y: y, Z: z}, r3.Vec{X: u, Y: v, Z: s}
		if !near(p) || !near(q) {
			t.Skip()
		}
		w := NewWorld(WorldDef{})
		a := placedAt(convexShapes[solids[int(i)%len(solids)]], p, rotationMatrix(exponential(q)))
		for _, g := range []Geometry{mesh, ground.Geometry} {
			b := placedAt(g, r3.Vec{}, rotationMatrix(identity))
			var m manifold
			w.collide(&a, &b, r3.Vec{}, &m)
			for _, h := range m.points[:m.n] {
				if !finiteVec(h.pos) || math.Abs(r3.Norm(h.normal)-1) > 1e-9 || !(h.sep <= speculation) || h.sep < -2 {
					t.Fatalf("%+v", h)
				}
				// But for its rim, beyond which all is free, the floor carries.
				if rim := max(math.Abs(h.pos.X), math.Abs(h.pos.Z)); rim < 1.4 && h.normal.Y > 0 {
					t.Fatalf("downward: %+v", h)
				}
			}
		}
	})
}
