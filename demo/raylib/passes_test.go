package main

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	rl "github.com/gen2brain/raylib-go/raylib"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// width and height of the pictures, pixels.
const width, height = 480, 270

// drawn draws a frame of the solids that set adds and the surface that it returns, and calls read.
func drawn(t *testing.T, set func(p *picture) *fluid.Surface, read func(p *picture)) {
	t.Helper()
	var err error
	onScreen(func() {
		p := &picture{}
		if err = p.open(); err != nil {
			return
		}
		var s adapter.SurfaceCopy
		s.CopyFrom(set(p))
		rl.BeginDrawing()
		if err = p.draw(&s, 0); err == nil {
			read(p)
		}
		rl.EndDrawing()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// look has a picture's camera look from a place at another.
func (p *picture) look(from, at r3.Vec) {
	p.camera.Position, p.camera.Target = vector(from), vector(at)
}

func vector(v r3.Vec) rl.Vector3 {
	return rl.NewVector3(float32(v.X), float32(v.Y), float32(v.Z))
}

// put adds a box of one colour that nothing moves.
func (p *picture) put(b r3.Box, c rl.Color) {
	p.place(physics.Box(physics.Centred(b.Size().X, b.Size().Y, b.Size().Z)), b.Center(), c)
}

func (p *picture) place(g physics.Geometry, at r3.Vec, c rl.Color) {
	p.add(adapter.ShapeTriangles(g), p.scene.material(c, 128, 128))(at, quat.Number{Real: 1})
}

// waterIn is boxes of water.
func waterIn(boxes ...r3.Box) *fluid.Surface {
	s := &fluid.Surface{}
	for _, b := range boxes {
		l, c := adapter.ShapeTriangles(physics.Box(physics.Centred(b.Size().X, b.Size().Y, b.Size().Z))), b.Center()
		for i := 0; i < len(l.Positions); i += 3 {
			s.Indices = append(s.Indices, uint32(len(s.Positions)/3))
			s.Positions = append(s.Positions, l.Positions[i]+float32(c.X), l.Positions[i+1]+float32(c.Y), l.Positions[i+2]+float32(c.Z))
		}
		s.Normals = append(s.Normals, l.Normals...)
	}
	s.Velocities, s.Foam, s.Free = make([]float32, len(s.Positions)), make([]float32, len(s.Positions)/3), len(s.Indices)
	return s
}

func boxOf(x0, y0, z0, x1, y1, z1 float64) r3.Box {
	return r3.Box{Min: r3.Vec{X: x0, Y: y0, Z: z0}, Max: r3.Vec{X: x1, Y: y1, Z: z1}}
}

// numbers are what a target holds, four to each pixel, from the bottom left one on.
func numbers(t *target) []float32 {
	img := rl.LoadImageFromTexture(t.Texture)
	defer rl.UnloadImage(img)
	n := 4 * int(img.Width) * int(img.Height)
	if t.colors != halfFloats {
		return append([]float32(nil), unsafe.Slice((*float32)(img.Data), n)...)
	}
	out := make([]float32, n)
	for i, h := range unsafe.Slice((*uint16)(img.Data), n) {
		out[i] = fromHalf(h)
	}
	return out
}

// fromHalf is a half float that is finite.
func fromHalf(h uint16) float32 {
	f := math.Ldexp(float64(h&0x3ff), -24)
	if e := int(h>>10) & 31; e > 0 {
		f = math.Ldexp(float64(h&0x3ff|0x400), e-25)
	}
	if h>>15 != 0 {
		f = -f
	}
	return float32(f)
}

// toHalf is a number that a half float holds as a normal one, rounded down.
func toHalf(f float64) uint16 {
	m, e := math.Frexp(f) // 0.5 to 1
	return uint16(e+14)<<10 | uint16(m*2048)&0x3ff
}

// ray is the way from the camera through the middle of a pixel, counted from the bottom left.
func ray(c *rl.Camera3D, x, y int) (from, way r3.Vec) {
	from = r3.Vec{X: float64(c.Position.X), Y: float64(c.Position.Y), Z: float64(c.Position.Z)}
	at := r3.Vec{X: float64(c.Target.X), Y: float64(c.Target.Y), Z: float64(c.Target.Z)}
	ahead := r3.Unit(r3.Sub(at, from))
	right := r3.Unit(r3.Cross(ahead, r3.Vec{Y: 1}))
	up, k := r3.Cross(right, ahead), math.Tan(float64(c.Fovy)*math.Pi/360)
	u, v := (2*(float64(x)+.5)/width-1)*k*width/height, (2*(float64(y)+.5)/height-1)*k
	return from, r3.Unit(r3.Add(ahead, r3.Add(r3.Scale(u, right), r3.Scale(v, up))))
}

// through is where a ray enters a box and leaves it, m; leave is less where it misses.
func through(b r3.Box, from, way r3.Vec) (enter, leave float64) {
	enter, leave = 0, math.Inf(1)
	for _, a := range [3][4]float64{{b.Min.X, b.Max.X, from.X, way.X}, {b.Min.Y, b.Max.Y, from.Y, way.Y}, {b.Min.Z, b.Max.Z, from.Z, way.Z}} {
		s, e := (a[0]-a[2])/a[3], (a[1]-a[2])/a[3]
		enter, leave = max(enter, min(s, e)), min(leave, max(s, e))
	}
	return enter, leave
}

// The interval is the way through two boxes of water down to a slab that cuts them, and in as many more places one looks out than in as the eye is in.
func TestInterval(t *testing.T) {
	slab, waters := boxOf(-3, -.5, -3, 3, 0, 3), []r3.Box{boxOf(-1, -.2, -.6, .7, .5, .2), boxOf(-.2, .1, -1.8, 1.5, .8, -1)}
	for name, c := range map[string]struct {
		eye r3.Vec
		in  float64
	}{"outside": {r3.Vec{X: .8, Y: 1.1, Z: 2.1}, 0}, "inside": {r3.Vec{X: .1, Y: .3, Z: .05}, 1}} {
		t.Run(name, func(t *testing.T) {
			var got []float32
			var p *picture
			drawn(t, func(q *picture) *fluid.Surface {
				q.look(c.eye, r3.Vec{X: .2, Y: .1, Z: -.7})
				q.put(slab, rl.White)
				return waterIn(waters...)
			}, func(q *picture) { p, got = q, numbers(&q.interval.target) })
			var worst float64
			pixels := 0
			for y := range height {
				for x := range width {
					from, way := ray(&p.camera, x, y)
					end, out := through(slab, from, way)
					if out < end {
						end = 200
					}
					want := 0.
					for _, w := range waters {
						in, out := through(w, from, way)
						want += max(min(out, end)-min(in, end), 0)
					}
					v := got[4*(y*width+x):]
					if want > 0 {
						pixels++
					}
					if off := math.Abs(float64(v[0])-want) / (want + .1); off > worst {
						worst = off
					}
					if math.Abs(float64(v[1])-c.in) > 1e-3 {
						t.Fatalf("pixel %d, %d: %g places more to look out than in, want %g", x, y, v[1], c.in)
					}
				}
			}
			t.Logf("%d pixels of water, off by %.2g %% at most", pixels, 100*worst)
			if worst > .01 || pixels < 5000 {
				t.Errorf("the way through %d pixels of water is off by up to %.2g %%, want 5000 and 1 %%", pixels, 100*worst)
			}
		})
	}
}

// A box's shadow on the ground ends where the sun's rays along its edges meet that.
func TestShadow(t *testing.T) {
	box := boxOf(-.4, .5, -.3, .3, .9, .3)
	sun := r3.Vec{X: float64(toSun.X), Y: float64(toSun.Y), Z: float64(toSun.Z)}
	shaded := func(at r3.Vec, grown float64) bool {
		d := r3.Vec{X: grown, Y: grown, Z: grown}
		in, out := through(r3.Box{Min: r3.Sub(box.Min, d), Max: r3.Add(box.Max, d)}, at, sun)
		return out > in
	}
	var got []float32
	var p *picture
	drawn(t, func(q *picture) *fluid.Surface {
		q.look(r3.Vec{X: -1.4, Y: 1.6, Z: -.4}, r3.Vec{X: -.35, Z: -.4})
		q.put(boxOf(-3, -.5, -3, 3, 0, 3), rl.White)
		q.put(box, rl.White)
		return &fluid.Surface{}
	}, func(q *picture) { p, got = q, numbers(&q.scene.target) })
	var dark, light float32 = math.MaxFloat32, 0
	ground := func(do func(at r3.Vec, red float32)) {
		for y := range height {
			for x := range width {
				from, way := ray(&p.camera, x, y)
				if in, out := through(box, from, way); out > in || way.Y >= 0 {
					continue
				}
				if at := r3.Add(from, r3.Scale(-from.Y/way.Y, way)); math.Abs(at.X) < 2.5 && math.Abs(at.Z) < 2.5 {
					do(at, got[4*(y*width+x)])
				}
			}
		}
	}
	ground(func(_ r3.Vec, red float32) { dark, light = min(dark, red), max(light, red) })
	worst, shadow := 0., 0
	ground(func(at r3.Vec, red float32) {
		is := red < (dark+light)/2
		if is {
			shadow++
		}
		for ; is != shaded(at, worst) && is != shaded(at, -worst); worst += .001 {
		}
	})
	t.Logf("%d pixels of shadow, its edge off by %.0f mm at most; light %.2f and %.2f", shadow, 1000*worst, light, dark)
	if worst > .02 || shadow < 1000 || dark > light/2 {
		t.Errorf("%d pixels of shadow off by %.0f mm, want 1000 and 20 mm; light %.2f and %.2f", shadow, 1000*worst, light, dark)
	}
}

// Colours are light in all passes but the last, which shows them by the tone map's and the display's formulas.
func TestLinear(t *testing.T) {
	const field = 16 // pixels
	lights, halves := [2][8]float64{}, make([]byte, 8*width*height)
	for row, card := range []float64{1, .18} {
		for k := range lights[row] {
			lights[row][k] = float64(fromHalf(toHalf(card * math.Exp2(float64(k-4)))))
		}
	}
	for i := range width * height {
		f := lights[min(i/width/field, 1)][min(i%width/field, 7)]
		for c := range 3 {
			binary.LittleEndian.PutUint16(halves[8*i+2*c:], toHalf(f))
		}
	}
	var got *rl.Image
	var brightest float32
	var cards [2]float32
	drawn(t, func(q *picture) *fluid.Surface {
		q.look(r3.Vec{Y: 2, Z: 2}, r3.Vec{})
		q.put(boxOf(-2, -.5, -2, 0, 0, 2), rl.White)
		q.put(boxOf(0, -.5, -2, 2, 0, 2), rl.NewColor(118, 118, 118, 255)) // of a display; reflects 18 %
		return &fluid.Surface{}
	}, func(q *picture) {
		s := numbers(&q.scene.target)
		middle := 4 * (height/2*width + width/2)
		cards = [2]float32{s[middle-200], s[middle+200]}
		rl.UpdateTexture(q.surface.Texture, halves)
		q.show.draw(q)
		got = rl.LoadImageFromScreen()
		q.look(r3.Vec{}, r3.Vec{X: float64(toSun.X), Y: float64(toSun.Y), Z: float64(toSun.Z)})
		q.scene.draw(q)
		for _, v := range numbers(&q.scene.target) {
			brightest = max(brightest, v)
		}
	})
	if want := float32(math.Pow((118./255+.055)/1.055, 2.4)); math.Abs(float64(cards[1]/cards[0]/want-1)) > .01 {
		t.Errorf("a card that reflects %.3f reflects %.3f as much as a white one", want, cards[1]/cards[0])
	}
	if brightest < 4 {
		t.Errorf("the sun is %g bright, want more than 4", brightest)
	}
	var worst float64
	for row := range lights {
		for k, light := range lights[row] {
			c := rl.GetImageColor(*got, int32(field*k+field/2), int32(height-1-field*row-field/2))
			off := float64(c.G) - 255*shown(light)
			if worst = max(worst, math.Abs(off)); math.Abs(off) > 1 {
				t.Errorf("light of %.3f is shown as %d, off by %.2f", light, c.G, off)
			}
		}
	}
	t.Logf("the sun is %.1f bright; light is shown with %.2f of 255 steps of error at most", brightest, worst)
}

// shown is light as a display shows it, 0 to 1.
func shown(light float64) float64 {
	if light > .8 {
		light = .8 + .2*(1-math.Exp((.8-light)/.2))
	}
	if light < .0031308 {
		return 12.92 * light
	}
	return 1.055*math.Pow(light, 1/2.4) - .055
}

// Still water mirrors a ball where geometry has it: of what the camera sees of the ball.
func TestMirror(t *testing.T) {
	const x = 40 // m, where no shadow is drawn
	ball, radius := r3.Vec{X: x, Y: .45, Z: -.3}, .3
	meets := func(from, way r3.Vec) (at r3.Vec, ok bool) {
		m := r3.Sub(from, ball)
		b, c := r3.Dot(m, way), r3.Dot(m, m)-radius*radius
		d := b*b - c
		if d < 0 || -b-math.Sqrt(d) < 1e-6 {
			return at, false
		}
		return r3.Add(from, r3.Scale(-b-math.Sqrt(d), way)), true
	}
	var p *picture
	var pictures [2][]float32 // without and with the ball
	for i := range pictures {
		drawn(t, func(q *picture) *fluid.Surface {
			q.look(r3.Vec{X: x + .3, Y: .9, Z: 2.4}, r3.Vec{X: x, Y: .1, Z: -.1})
			q.put(boxOf(x-3, -1.5, -3, x+3, -.8, 3), rl.White)
			if i == 1 {
				q.place(physics.Sphere(r3.Vec{}, radius), ball, rl.NewColor(200, 20, 20, 255))
			}
			return waterIn(boxOf(x-2.5, -1, -2.5, x+2.5, 0, 2.5))
		}, func(q *picture) { p, pictures[i] = q, numbers(&q.surface.target) })
	}
	var n [2]int
	var sum [2]r3.Vec // of the ball's mirror image: by geometry, and in the picture
	add := func(k, x, y int) {
		n[k], sum[k] = n[k]+1, r3.Add(sum[k], r3.Vec{X: float64(x), Y: float64(y)})
	}
	for y := range height {
		for x := range width {
			from, way := ray(&p.camera, x, y)
			if _, is := meets(from, way); is || way.Y >= 0 {
				continue
			}
			at := r3.Add(from, r3.Scale(-from.Y/way.Y, way))
			if q, is := meets(at, r3.Vec{X: way.X, Y: -way.Y, Z: way.Z}); is {
				if seen, _ := meets(from, r3.Unit(r3.Sub(q, from))); r3.Norm(r3.Sub(seen, q)) < 1e-3 {
					add(0, x, y)
				}
			}
			if i := 4*(y*width+x) + 2; pictures[0][i]-pictures[1][i] > .015 { // it keeps off the sky's blue
				add(1, x, y)
			}
		}
	}
	off := r3.Norm(r3.Sub(r3.Scale(1/float64(n[0]), sum[0]), r3.Scale(1/float64(n[1]), sum[1])))
	t.Logf("%d pixels, want %d; their middle is off by %.2f pixels", n[1], n[0], off)
	if !(off <= 3) || n[0] < 300 || float64(n[1]) < .8*float64(n[0]) || float64(n[1]) > 1.2*float64(n[0]) {
		t.Errorf("%d pixels of the ball are mirrored, want %d; their middle is off by %.2f pixels, want 3 at most", n[1], n[0], off)
	}
}

// From within, still water shows the sky in Snell's window alone: beyond it it mirrors the basin.
func TestSnell(t *testing.T) {
	const x = 40 // m, where no shadow is drawn
	var p *picture
	var pictures [2][]float32 // of a basin of another colour each
	for i, c := range []rl.Color{rl.NewColor(20, 200, 20, 255), rl.NewColor(200, 20, 20, 255)} {
		drawn(t, func(q *picture) *fluid.Surface {
			q.look(r3.Vec{X: x, Y: -.2, Z: .9}, r3.Vec{X: x, Y: -.02, Z: -.1})
			q.camera.Fovy = 100
			q.put(boxOf(x-1.2, -1.2, -1.2, x+1.2, -1, 1.2), c)
			q.put(boxOf(x-1.2, -1, -1.2, x+1.2, -.01, -1), c)
			return waterIn(boxOf(x-1, -1, -1, x+1, 0, 1))
		}, func(q *picture) { p, pictures[i] = q, numbers(&q.surface.target) })
	}
	change := func(y int) float64 { // along the picture's middle, from the bottom up
		i := 4*(y*width+width/2) + 1
		return float64(pictures[0][i] - pictures[1][i])
	}
	edge, most := 0, 0. // where the basin's part falls most
	for y := 1; y < height; y++ {
		eye, way := ray(&p.camera, width/2, y)
		onSurface := way.Y > 0 && eye.Z-eye.Y/way.Y*way.Z > -.9
		if fall := change(y-1) - change(y); onSurface && fall > most {
			edge, most = y, fall
		}
	}
	_, way := ray(&p.camera, width/2, edge)
	_, under := ray(&p.camera, width/2, edge-1)
	angle := (math.Acos(way.Y) + math.Acos(under.Y)) / 2 * 180 / math.Pi
	want := math.Asin(1/1.333) * 180 / math.Pi
	t.Logf("the window ends at %.2f°, want %.2f°", angle, want)
	if math.Abs(angle-want) > .7 {
		t.Errorf("the window ends at %.2f°, want %.2f° ± .7°, two pixels", angle, want)
	}
}

// A particle of spray is drawn where it is, as long as its way while the shutter is open.
func TestSpray(t *testing.T) {
	at, radius, speed := r3.Vec{X: .2, Y: .5}, .02, 12.
	var p *picture
	var before, after []float32
	drawn(t, func(q *picture) *fluid.Surface {
		q.look(r3.Vec{X: .2, Y: .5, Z: 2}, at)
		q.put(boxOf(-3, -3, -3, 3, 3, -2), rl.Black)
		return &fluid.Surface{WhiteWater: fluid.WhiteWater{
			Spheres: []float32{float32(at.X), float32(at.Y), float32(at.Z), float32(radius)}, Velocities: []float32{float32(speed), 0, 0},
			Life: []float32{1}, Kind: []uint8{fluid.WhiteSpray},
		}}
	}, func(q *picture) { p, before, after = q, numbers(&q.scene.target), numbers(&q.surface.target) })
	var sum, weight float64
	left, right, top, bottom := width, 0, 0, height
	for y := range height {
		for x := range width {
			i := 4 * (y*width + x)
			d := float64(after[i] - before[i])
			if d < .005 {
				continue
			}
			left, right, bottom, top = min(left, x), max(right, x), min(bottom, y), max(top, y)
			sum, weight = sum+d*(float64(x)+.5), weight+d
		}
	}
	perMetre := height / 2 / math.Tan(float64(p.camera.Fovy)*math.Pi/360) / 2
	long, wide := (speed/60+3*radius)*perMetre, 3*radius*perMetre
	t.Logf("%d×%d pixels, want %.1f×%.1f; middle at %.2f, want %d", right-left+1, top-bottom+1, long, wide, sum/weight, width/2)
	if math.Abs(sum/weight-width/2) > 1 || math.Abs(float64(right-left+1)-long) > 2 || math.Abs(float64(top-bottom+1)-wide) > 2 {
		t.Errorf("%d×%d pixels, want %.1f×%.1f; middle at %.2f, want %d", right-left+1, top-bottom+1, long, wide, sum/weight, width/2)
	}
}
