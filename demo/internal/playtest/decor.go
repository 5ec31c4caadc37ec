package playtest

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
)

// Decor checks what stands about a basin: it keeps out of the liquid but for what hangs at a wall, and is cheap to draw.
func Decor(t *testing.T, set *decor.Set, domain r3.Box) {
	t.Helper()
	const (
		hangs = .14 // m: fenders and ladders
		most  = 25_000
	)
	inside := r3.Box{Min: r3.Add(domain.Min, r3.Vec{X: hangs, Y: -.001, Z: hangs}), Max: r3.Sub(domain.Max, r3.Vec{X: hangs, Z: hangs})}
	triangles, meshes := 0, 0
	for _, g := range set.Groups {
		stuffs := map[decor.Stuff]bool{}
		for _, p := range g.Parts {
			stuffs[p.Stuff] = true
			triangles += len(p.Positions) / 9
		}
		meshes += len(stuffs)
		for p := range g.Corners() {
			if p.X > inside.Min.X && p.X < inside.Max.X && p.Y > inside.Min.Y && p.Y < inside.Max.Y && p.Z > inside.Min.Z && p.Z < inside.Max.Z {
				t.Fatalf("%v is in the liquid's domain", p)
			}
		}
	}
	t.Logf("%d triangles in %d meshes, %d lamps", triangles, meshes, len(set.Lamps))
	if triangles > most || meshes > 60 || len(set.Lamps) > 4 {
		t.Errorf("%d triangles in %d meshes, %d lamps; want at most %d, 60 and 4", triangles, meshes, len(set.Lamps), most)
	}
}
