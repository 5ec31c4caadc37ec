package scene

import (
	"fmt"
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// plates are the five boxes of an open hull, lo and hi, in its own frame.
func plates(length, height, beam, thick float64) (all [5][2]r3.Vec) {
	x, y, z := length/2, height/2, beam/2
	for i, p := range [5][6]float64{
		{-x, -y, -z, x, -y + thick, z},
		{-x, -y, -z, -x + thick, y, z}, {x - thick, -y, -z, x, y, z},
		{-x, -y, -z, x, y, -z + thick}, {-x, -y, z - thick, x, y, z},
	} {
		all[i] = [2]r3.Vec{{X: p[0], Y: p[1], Z: p[2]}, {X: p[3], Y: p[4], Z: p[5]}}
	}
	return all
}

// No liquid is drawn in a dry hull that floats, with plates of a cell and of half a cell, while it pitches and rolls: the liquid's surface reaches through them
// by up to half a cell.
func TestDryHullShowsNoLiquid(t *testing.T) {
	const w, h, length, height, beam, cell, level = 320, 180, .9, .4, .5, .05, .5
	onGL(t, func(l *lab) {
		for _, thick := range []float64{cell, cell / 2} {
			world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			hull, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: level}, AngularVelocity: r3.Vec{X: .8, Z: .5}})
			if err != nil {
				t.Fatal(err)
			}
			boxes := plates(length, height, beam, thick)
			volume := length*height*beam - (length-2*thick)*(height-thick)*(beam-2*thick)
			node := core.NewNode()
			for _, b := range boxes {
				size, middle := r3.Sub(b[1], b[0]), r3.Scale(.5, r3.Add(b[0], b[1]))
				s := physics.ShapeDef{Geometry: physics.Box(physics.Centred(size.X, size.Y, size.Z)), Offset: middle, Density: 1000 * length * beam * height / 2 / volume}
				if _, err := hull.AddShape(s); err != nil {
					t.Fatal(err)
				}
				node.Add(unlit(geometry.NewBox(float32(size.X), float32(size.Y), float32(size.Z)), bodyColour, float32(middle.X), float32(middle.Y), float32(middle.Z)))
			}
			liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -.8, Z: -.6}, Max: r3.Vec{X: .8, Y: 1, Z: .6}}, CellSize: cell})
			if err != nil {
				t.Fatal(err)
			}
			liq.Couple(world.Coupling())
			inner := r3.Vec{X: (length - thick) / 2, Y: height / 2, Z: (beam - thick) / 2}
			if err := liq.Fill(fluid.Below(level)); err != nil {
				t.Fatal(err)
			}
			low := r3.Vec{X: -inner.X, Y: level - inner.Y + thick/2, Z: -inner.Z}
			if err := liq.Drain(fluid.Box(r3.Box{Min: low, Max: r3.Vec{X: inner.X, Y: level + inner.Y + .1, Z: inner.Z}})); err != nil {
				t.Fatal(err)
			}
			water := NewLiquid(liq, LiquidOptions{NoAntialias: true})
			water.BindBody(hull, node)
			root := core.NewNode()
			root.Add(NewSky(SkyOptions{}))
			root.Add(node)
			root.Add(water)
			seen, wet := 0, 0
			for i := range 16 {
				water.Update(time.Second / 60)
				if i%5 != 0 {
					continue
				}
				cam := view(w, h, at(.5, 1.5, .8), at(0, .45, 0))
				img := l.shoot(t, w, h, root, water, cam)
				mixed, _, _ := pixels(water, "mix")
				dry, _, _ := pixels(water, "scene")
				place, turn := node.Position(), node.Quaternion()
				back := quat.Conj(quat.Number{Real: float64(turn.W), Imag: float64(turn.X), Jmag: float64(turn.Y), Kmag: float64(turn.Z)})
				for k := range w * h {
					eye, way := throughPixel(cam, k%w, k/w, w, h)
					eye, way = r3.Rotation(back).Rotate(r3.Sub(eye, vecOf(&place))), r3.Rotation(back).Rotate(way)
					far := math.Inf(1)
					for _, b := range boxes {
						far = min(far, toBox(eye, way, b[0], b[1]))
					}
					p := r3.Add(eye, r3.Scale(far, way))
					const rim = .02 // m, below the plates' upper edges
					if math.IsInf(far, 1) || math.Abs(p.X) > length/2-thick+1e-3 || math.Abs(p.Z) > beam/2-thick+1e-3 || p.Y > height/2-rim {
						continue // not within
					}
					seen++
					if mixed[4*k] != dry[4*k] || mixed[4*k+1] != dry[4*k+1] || mixed[4*k+2] != dry[4*k+2] {
						wet++
						img.SetRGBA(k%w, h-1-k/w, color.RGBA{B: 255, A: 255})
					}
				}
				save(t, fmt.Sprintf("hull_%g_%d", thick, i), img)
			}
			t.Logf("plates of %g m: of %d pixels that show the inside of the hull %d show liquid", thick, seen, wet)
			if seen < 5000 || wet > 0 {
				t.Errorf("plates of %g m: of %d pixels that show the inside of the hull %d show liquid", thick, seen, wet)
			}
			root.Remove(water)
			root.Dispose()
			water.Dispose()
			liq.Close()
		}
	})

}
