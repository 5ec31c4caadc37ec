package main

import (
	"math"
	"testing"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/physics"
)

// The hull that is drawn lies on the walls of the body, and faces away from them.
func TestHullFitsBody(t *testing.T) {
	world := physics.NewWorld(physics.WorldDef{})
	body, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := body.AddShape(physics.ShapeDef{Geometry: pool.Dinghy.Geometry()}); err != nil {
		t.Fatal(err)
	}
	geom := newHull(pool.DinghySize.X, pool.DinghySize.Y, pool.DinghySize.Z, pool.DinghyWall)
	var pos, norm math32.ArrayF32
	for _, v := range geom.VBOs() {
		switch {
		case v.Attrib(gls.VertexPosition) != nil:
			pos = *v.Buffer()
		case v.Attrib(gls.VertexNormal) != nil:
			norm = *v.Buffer()
		}
	}
	if len(pos) == 0 || len(pos) != len(norm) {
		t.Fatalf("%d coordinates, %d of normals", len(pos), len(norm))
	}
	at := func(a math32.ArrayF32, i int) r3.Vec {
		return r3.Vec{X: float64(a[i]), Y: float64(a[i+1]), Z: float64(a[i+2])}
	}
	inward := 0
	for i := 0; i < len(pos); i += 3 {
		p, n := at(pos, i), at(norm, i)
		if math.Abs(r3.Norm(n)-1) > 1e-4 {
			t.Fatalf("vertex %d has the normal %v", i/3, n)
		}
		var d [2]float32
		body.Distance(d[:], []r3.Vec{p, r3.Add(p, r3.Scale(.01, n))})
		if d[0] > .045 || d[0] < -.08 {
			t.Errorf("vertex %v is %.3f m from the body", p, d[0])
		}
		if d[1] < d[0] {
			inward++
		}
	}
	if inward > len(pos)/3/50 {
		t.Errorf("%d of %d normals point into the body", inward, len(pos)/3)
	}
}
