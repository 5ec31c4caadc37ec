package physics

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// turnedOver is a mesh with the triangles for which which holds the other way round.
func turnedOver(def MeshDef, which func(i int) bool) MeshDef {
	t := make([][3]int32, len(def.Triangles))
	for i, v := range def.Triangles {
		if t[i] = v; which(i) {
			t[i][1], t[i][2] = v[2], v[1]
		}
	}
	def.Triangles = t
	return def
}

// meshAt is some meshes as one, each moved.
func meshAt(parts []MeshDef, by []r3.Vec) (all MeshDef) {
	for k, p := range parts {
		first := int32(len(all.Vertices))
		for _, v := range p.Vertices {
			all.Vertices = append(all.Vertices, r3.Add(v, by[k]))
		}
		for _, t := range p.Triangles {
			all.Triangles = append(all.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
	return all
}

func every(int) bool { return true }

// agrees holds the distance of a mesh against what is inside, and the distance outside, and shoots rays at it: what bodies,
// rays and liquid take for the inside is one.
func agrees(t *testing.T, name string, def MeshDef, distance func(p r3.Vec) float64) {
	t.Helper()
	w := NewWorld(WorldDef{})
	b := must(w.AddBody(BodyDef{}))
	g := Mesh(def)
	if _, err := b.AddShape(ShapeDef{Geometry: g}); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !g.surface.closed {
		t.Errorf("%s: has no inside", name)
		return
	}
	rng := rand.New(rand.NewPCG(7, 3))
	for range 400 {
		p, d := randomVec(rng, 1.2), [1]float32{}
		w.Coupling().Distance(0, d[:], []r3.Vec{p})
		want := distance(p)
		if math.Abs(want) < 1e-6 {
			continue
		}
		if got := float64(d[0]); got < 0 != (want < 0) || want > 0 && math.Abs(got-want) > 1e-5 || got < want-1e-5 {
			t.Errorf("%s: %v m at %v, want %v", name, got, p, want)
			return
		}
		// From far away a ray meets the front of something before it comes to an inside.
		from := r3.Scale(5, r3.Unit(p))
		hit, ok, err := w.RayCast(from, r3.Sub(p, from), Query{})
		if err != nil || want < 0 && !ok {
			t.Errorf("%s: a ray to %v in it meets nothing: %v", name, p, err)
			return
		}
		if ok && (math.Abs(distance(hit.Point)) > 1e-5 || r3.Dot(hit.Normal, r3.Sub(p, from)) > 0) {
			t.Errorf("%s: a ray to %v meets %v, %v m from the surface", name, p, hit.Point, distance(hit.Point))
			return
		}
	}
}

// Meshes that are inside out, in part or as a whole, repeated, in several pieces, or with small holes are solids.
func TestMeshesAreSolid(t *testing.T) {
	e := r3.Vec{X: 0.5, Y: 0.3, Z: 0.7}
	cube := boxMesh(e)
	box := func(p r3.Vec) float64 { return boxDistance(p, e) }
	agrees(t, "as it is", cube, box)
	agrees(t, "clockwise", turnedOver(cube, every), box)
	agrees(t, "partly clockwise", turnedOver(cube, func(i int) bool { return i%3 == 0 }), box)
	twice := cube
	twice.Triangles = append(append([][3]int32(nil), cube.Triangles...), turnedOver(cube, every).Triangles...)
	agrees(t, "each triangle twice", twice, box)
	for i := range cube.Triangles {
		holed := turnedOver(cube, every)
		holed.Triangles = append(append([][3]int32(nil), holed.Triangles[:i]...), holed.Triangles[i+1:]...)
		agrees(t, "without a triangle", holed, box)
	}

	small, apart := boxMesh(r3.Vec{X: 0.2, Y: 0.2, Z: 0.2}), r3.Vec{X: 0.6, Y: 0.1, Z: 0.2}
	two := func(p r3.Vec) float64 {
		return min(box(p), boxDistance(r3.Sub(p, apart), r3.Vec{X: 0.2, Y: 0.2, Z: 0.2}))
	}
	agrees(t, "two that overlap", meshAt([]MeshDef{cube, small}, []r3.Vec{{}, apart}), two)
	agrees(t, "two that overlap, one clockwise", meshAt([]MeshDef{cube, turnedOver(small, every)}, []r3.Vec{{}, apart}), two)
	hollow := func(p r3.Vec) float64 { return max(box(p), -boxDistance(p, r3.Vec{X: 0.2, Y: 0.2, Z: 0.2})) }
	agrees(t, "with a cavity", meshAt([]MeshDef{cube, turnedOver(small, every)}, []r3.Vec{{}, {}}), hollow)
	agrees(t, "with a cavity, inside out", meshAt([]MeshDef{turnedOver(cube, every), small}, []r3.Vec{{}, {}}), hollow)
	agrees(t, "with a solid inside", meshAt([]MeshDef{cube, small}, []r3.Vec{{}, {}}), box)
	// Welded along an edge, which four triangles share then.
	side := r3.Vec{X: 0.7, Y: 0.5}
	agrees(t, "two that share an edge", meshAt([]MeshDef{cube, turnedOver(boxMesh(r3.Vec{X: 0.2, Y: 0.2, Z: 0.7}), every)}, []r3.Vec{{}, side}),
		func(p r3.Vec) float64 {
			return min(box(p), boxDistance(r3.Sub(p, side), r3.Vec{X: 0.2, Y: 0.2, Z: 0.7}))
		})
}

// bowl is half a sphere of radius r, open at the top: from the bottom in rings of n points.
func bowl(n int, r float64) (def MeshDef) {
	def.Vertices = []r3.Vec{{Y: -r}}
	for ring := 1; ring <= n/4; ring++ {
		for k := range n {
			a, b := math.Pi/2*float64(ring)/float64(n/4), 2*math.Pi*float64(k)/float64(n)
			def.Vertices = append(def.Vertices, r3.Vec{X: r * math.Sin(a) * math.Cos(b), Y: -r * math.Cos(a), Z: r * math.Sin(a) * math.Sin(b)})
		}
	}
	at := func(ring, k int) int32 { return int32(1 + (ring-1)*n + k%n) }
	for k := range n {
		def.Triangles = append(def.Triangles, [3]int32{0, at(1, k), at(1, k+1)})
		for ring := 1; ring < n/4; ring++ {
			def.Triangles = append(def.Triangles, [3]int32{at(ring, k), at(ring+1, k), at(ring+1, k+1)}, [3]int32{at(ring, k), at(ring+1, k+1), at(ring, k+1)})
		}
	}
	return def
}

// A mesh that is too open to tell what is inside says so: how far, and where.
func TestOpenMeshesSayHowOpen(t *testing.T) {
	inner := turnedOver(bowl(24, 0.9), every)
	lidless := boxMesh(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5})
	lidless.Triangles = lidless.Triangles[2:]
	for name, def := range map[string]MeshDef{
		"a bowl of one layer":             bowl(24, 1),
		"a bowl of two, without a rim":    meshAt([]MeshDef{bowl(24, 1), inner}, []r3.Vec{{}, {}}),
		"a box without a lid":             lidless,
		"a sheet of a triangle":           {Vertices: []r3.Vec{{}, {X: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 1, 2}}},
		"a sheet with a front and a back": {Vertices: []r3.Vec{{}, {X: 1}, {Z: 1}}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 1}}},
	} {
		err := Mesh(def).Validate()
		if err == nil || !strings.Contains(err.Error(), "closed: ") || !strings.Contains(err.Error(), " m, and holes are ") || !strings.Contains(err.Error(), "MeshDef.Open") {
			t.Errorf("%s: %v", name, err)
		}
		def.Open = true
		if g := Mesh(def); g.Validate() != nil || g.surface.closed {
			t.Errorf("%s, open: %v", name, g.Validate())
		}
	}
	lidless.MaxOpen = 0.2
	agrees(t, "a box with its lid put on", lidless, func(p r3.Vec) float64 { return boxDistance(p, r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}) })
	lidless.MaxOpen = 2
	if err := Mesh(lidless).Validate(); err == nil || !strings.Contains(err.Error(), "MaxOpen") {
		t.Error(err)
	}
	flat := boxMesh(r3.Vec{X: 0.5, Y: 1e-9, Z: 0.5})
	flat.Vertices[0].Y += 1e-7
	if err := Mesh(flat).Validate(); err == nil {
		t.Error("a mesh without a volume is taken for a solid")
	}
}

// A thin wall of a closed mesh is told of, or the liquid would not know that it is thinner than a cell.
func TestMeshThickness(t *testing.T) {
	for name, def := range map[string]MeshDef{
		"box":    boxMesh(r3.Vec{X: 0.5, Y: 0.3, Z: 0.7}),
		"hollow": meshAt([]MeshDef{boxMesh(r3.Vec{X: 0.5, Y: 0.3, Z: 0.7}), turnedOver(boxMesh(r3.Vec{X: 0.48, Y: 0.28, Z: 0.68}), every)}, []r3.Vec{{}, {}}),
	} {
		want := map[string]float64{"box": 0.6, "hollow": 0.02}[name]
		g := Mesh(def)
		near1(t, name, g.thickness(), want, 1e-9)
	}
}

// A saved world has its meshes with their holes closed.
func TestSavedMeshIsAsSolid(t *testing.T) {
	def := turnedOver(boxMesh(r3.Vec{X: 0.5, Y: 0.3, Z: 0.7}), every)
	def.Triangles = def.Triangles[1:]
	w := NewWorld(WorldDef{})
	add(w, BodyDef{}, ShapeDef{Geometry: Mesh(def)})
	add(w, BodyDef{}, ShapeDef{Geometry: Mesh(tiles(2, 1, level))})
	var file strings.Builder
	check(t, w.Save(&file))
	back := NewWorld(WorldDef{})
	check(t, back.Restore(strings.NewReader(file.String())))
	var a, b [2]float32
	for i := range 2 {
		pts := []r3.Vec{{X: 0.1, Y: 0.2, Z: 0.3}, {X: 0.1, Y: 0.5, Z: 0.3}}
		w.Coupling().Distance(i, a[:], pts)
		back.Coupling().Distance(i, b[:], pts)
		if a != b || w.Coupling().Thickness(i) != back.Coupling().Thickness(i) || i == 0 && a[0] >= 0 {
			t.Errorf("mesh %d: %v and %v m, %v and %v thick", i, a, b, w.Coupling().Thickness(i), back.Coupling().Thickness(i))
		}
	}
}

// Models as they come are solid: the teapot's spout, handle and lid are open where they join the pot, and there are holes.
func TestModelsAsMeshes(t *testing.T) {
	for _, name := range []string{"teapot", "suzanne", "cow", "spot"} {
		file, err := os.Open(filepath.Join("..", "..", "shared", "data", name+".obj"))
		if err != nil {
			t.Skip("no test models here: ", err)
		}
		var def MeshDef
		for lines := bufio.NewScanner(file); lines.Scan(); {
			f := strings.Fields(lines.Text())
			switch {
			case len(f) == 4 && f[0] == "v":
				var x [3]float64
				for k := range x {
					x[k], _ = strconv.ParseFloat(f[k+1], 64)
				}
				def.Vertices = append(def.Vertices, r3.Vec{X: x[0], Y: x[1], Z: x[2]})
			case len(f) > 3 && f[0] == "f":
				var v []int32
				for _, c := range f[1:] {
					n, _, _ := strings.Cut(c, "/")
					i, _ := strconv.Atoi(n)
					v = append(v, int32(i-1))
				}
				for k := 2; k < len(v); k++ {
					def.Triangles = append(def.Triangles, [3]int32{v[0], v[k-1], v[k]})
				}
			}
		}
		file.Close()
		for _, over := range []bool{false, true} {
			given := def
			if over {
				given = turnedOver(def, every)
			}
			g := Mesh(given)
			if g.Validate() != nil || !g.surface.closed || g.surface.volume() <= 0 || g.thickness() < 1e-4 {
				t.Errorf("%s, clockwise %v: no solid: %v", name, over, g.Validate())
				continue
			}
			// What is just under the front of a triangle is in the solid, and bodies stand on it.
			for i := 0; i < len(g.surface.triangles); i += 97 {
				v := g.surface.corners(int32(i))
				n, x := triangleNormal(&v), reproducible.Scale(1./3, r3.Add(v[0], r3.Add(v[1], v[2])))
				if d := g.surface.distance(r3.Sub(x, reproducible.Scale(1e-6, n))); d >= 0 {
					t.Errorf("%s, clockwise %v: %v m under triangle %d", name, over, d, i)
				}
			}
		}
	}
}
