package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// bentDown is a way from the air after still water has bent it.
func bentDown(way r3.Vec) r3.Vec {
	const index = 1.333
	side := r3.Scale(1/index, r3.Vec{X: way.X, Z: way.Z})
	side.Y = -math.Sqrt(1 - r3.Norm2(side))
	return side
}

// alone reports whether a pixel and all within 2 pixels of it are of a kind.
func alone(is []bool, i, w, h int) bool {
	for y := max(i/w-2, 0); y <= min(i/w+2, h-1); y++ {
		for x := max(i%w-2, 0); x <= min(i%w+2, w-1); x++ {
			if !is[y*w+x] {
				return false
			}
		}
	}
	return true
}

// In still water the part of a ball and of a hull that is under water is seen where Snell's law says, to 2 pixels, and none of them elsewhere: what lies
// before the surface doesn't show in it. In bands of 2 pixels at edges nothing is asked; a thousandth may be missing, where a step passes a corner.
func TestRefractedBodies(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, radius = 640, 360, .35
		middle, lo, hi := r3.Vec{X: .2, Y: 1.15, Z: .2}, r3.Vec{X: -.8, Y: .9, Z: -.3}, r3.Vec{X: .8, Y: 1.55, Z: .3}
		ball := func(from, way r3.Vec) bool {
			to := r3.Sub(middle, from)
			along := r3.Dot(to, way)
			return along > 0 && r3.Norm2(to)-along*along < radius*radius
		}
		hull := func(from, way r3.Vec) bool { return !math.IsInf(toBox(from, way, lo, hi), 1) }
		for i, c := range []struct {
			name  string
			meets func(from, way r3.Vec) bool
			thing func() *graphic.Mesh
			eye   math32.Vector3
		}{
			{"refracted_ball", ball, func() *graphic.Mesh {
				return aglow(geometry.NewSphere(radius, 64, 48), float32(middle.X), float32(middle.Y), float32(middle.Z))
			}, at(.6, 3, 2.2)},
			{"refracted_hull", hull, func() *graphic.Mesh { return aglow(geometry.NewBox(1.6, .65, .6), 0, 1.225, 0) }, at(1.4, 2.7, 2.4)},
		} {
			for k, q := range []DrawQuality{DrawMedium, DrawHigh} {
				if testing.Short() && i != k {
					continue
				}
				o := l.glowOver(t, c.name, q, c.thing(), view(w, h, c.eye, at(.1, 1.1, 0)), w, h)
				in, out := make([]bool, w*h), make([]bool, w*h)
				o.each(c.meets, func(i int, on, way r3.Vec) {
					in[i] = c.meets(on, bentDown(way))
					out[i] = !in[i] && !c.meets(on, r3.Vec{X: way.X, Y: -way.Y, Z: way.Z}) && !c.meets(on, way)
				})
				inner, lacks, clear, stained := 0, 0, 0, 0
				for i := range in {
					switch {
					case alone(in, i, w, h):
						inner++
						if o.red[i] < .3 {
							lacks++
						}
					case alone(out, i, w, h):
						clear++
						if math.Abs(o.red[i]) > .02 {
							stained++
						}
					}
				}
				t.Logf("%s, quality %d: of %d pixels that see it under water %d don't; of %d that see none of it %d do", c.name, q, inner, lacks, clear, stained)
				if inner < 500 || clear < 10000 || lacks > inner/1000 || stained > 0 {
					t.Errorf("%s, quality %d: what is under water is wrong", c.name, q)
				}
			}
		}
	})
}
