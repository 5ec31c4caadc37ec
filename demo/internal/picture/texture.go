package picture

import (
	"image"
	"image/color"
	"math"
)

// noise is a smooth random field, -1 to 1, the same for the same seed.
type noise uint32

func (n noise) lattice(x, y int) float64 {
	h := uint32(n) ^ uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca77
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float64(h)/(1<<31) - 1
}

func (n noise) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	ease := func(t float64) float64 { return t * t * (3 - 2*t) }
	u, v := ease(x-fx), ease(y-fy)
	low := n.lattice(ix, iy)*(1-u) + n.lattice(ix+1, iy)*u
	high := n.lattice(ix, iy+1)*(1-u) + n.lattice(ix+1, iy+1)*u
	return low*(1-v) + high*v
}

// layered sums octaves, each half as large and twice as fine.
func (n noise) layered(x, y float64, octaves int) float64 {
	sum, size := 0., .5
	for i := range octaves {
		sum += size * (n+noise(i)*101).at(x, y)
		x, y, size = 2*x, 2*y, size/2
	}
	return sum
}

// shade is a colour times a brightness.
func shade(c color.RGBA, by float64) color.RGBA {
	scale := func(v uint8) uint8 { return uint8(max(0, min(255, float64(v)*by))) }
	return color.RGBA{scale(c.R), scale(c.G), scale(c.B), 255}
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	blend := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + .5) }
	return color.RGBA{blend(a.R, b.R), blend(a.G, b.G), blend(a.B, b.B), 255}
}

// paint makes a square picture; f takes 0 to 1 from left to right and from top to bottom.
func paint(size int, f func(u, v float64) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.SetRGBA(x, y, f((float64(x)+.5)/float64(size), (float64(y)+.5)/float64(size)))
		}
	}
	return img
}

// Plain is one texel of a colour.
func Plain(c color.RGBA) *image.RGBA { return paint(1, func(u, v float64) color.RGBA { return c }) }

// Crate is a side of a wooden crate: boards behind a frame and a brace, with nails.
func Crate(size int, wood color.RGBA, seed uint32) *image.RGBA {
	return paint(size, func(u, v float64) color.RGBA {
		const frame = .13
		switch {
		case u < frame || u > 1-frame:
			return shade(plank(v, u, wood, seed+1), 1.04*groove(u, frame)*nail(u, v))
		case v < frame || v > 1-frame:
			return shade(plank(u, v, wood, seed+2), 1.08*groove(v, frame)*nail(u, v))
		case math.Abs(u-v) < .075:
			edge := math.Abs(u-v) / .075
			return shade(plank((u+v)/2, (u-v)/2, wood, seed+3), 1.08*(1-.45*smooth(.85, 1, edge)))
		}
		return shade(boards(u, v, wood, seed), .74*shadow(u, v, frame))
	})
}

// Boards are five boards from left to right; they may be repeated.
func Boards(size int, wood color.RGBA, seed uint32) *image.RGBA {
	return paint(size, func(u, v float64) color.RGBA { return boards(u, v, wood, seed) })
}

// boards run from left to right, five high.
func boards(u, v float64, wood color.RGBA, seed uint32) color.RGBA {
	const rows = 5
	row := math.Floor(v * rows)
	inner := v*rows - row
	tone := 1 + .09*noise(seed).lattice(int(row), 7)
	gap := smooth(0, .06, inner) * smooth(0, .06, 1-inner)
	return shade(plank(u, v+3*row, wood, seed+uint32(row)*17), tone*(.45+.55*gap))
}

// plank is wood with its grain along u.
func plank(u, v float64, wood color.RGBA, seed uint32) color.RGBA {
	n := noise(seed)
	warp := n.layered(2*u, 6*v, 3)
	ring := .5 + .5*math.Sin(2*math.Pi*(9*v+1.6*warp))
	fibre := n.layered(6*u, 90*v, 2)
	return shade(wood, .86+.16*ring+.14*fibre+.08*warp)
}

func groove(x, frame float64) float64 {
	d := min(math.Abs(x-frame), math.Abs(x-(1-frame)), x, 1-x)
	return .55 + .45*smooth(0, .014, d)
}

// shadow is what the frame throws on the boards.
func shadow(u, v, frame float64) float64 {
	d := min(u-frame, 1-frame-u, v-frame, 1-frame-v)
	return .72 + .28*smooth(0, .05, d)
}

func nail(u, v float64) float64 {
	for _, x := range [2]float64{.065, .935} {
		for _, y := range [2]float64{.065, .935} {
			if math.Hypot(u-x, v-y) < .014 {
				return .35
			}
		}
	}
	return 1
}

// smooth rises from 0 at lo to 1 at hi.
func smooth(lo, hi, x float64) float64 {
	t := max(0, min(1, (x-lo)/(hi-lo)))
	return t * t * (3 - 2*t)
}

// Ball is the map of a painted ball, longitude by latitude: gores in turn of the colours,
// with caps of the first.
func Ball(size int, gores int, colours ...color.RGBA) *image.RGBA {
	n := noise(5)
	return paint(size, func(u, v float64) color.RGBA {
		k := u * float64(gores)
		c := colours[int(k)%len(colours)]
		if seam := min(k-math.Floor(k), math.Ceil(k)-k); seam < .035 && v > .08 && v < .92 {
			return shade(c, .82)
		}
		if v < .08 || v > .92 {
			c = colours[0]
		}
		return shade(c, 1+.03*n.layered(30*u, 30*v, 2))
	})
}

// Where the parts of a dinghy lie on its skin, from 0 to 1.
const (
	HullKeel  = 0.22 // the bottom ends
	HullSide  = 0.52 // the outside ends and the rim begins
	HullRim   = 0.66 // the rim ends and the inside begins
	HullFloor = 0.80 // the inside ends and the floor begins
)

// Rubber is the skin of a dinghy: v runs from the keel over the rim to the floor within.
// A dark band and a rope on loops run around the outside.
func Rubber(size int, skin, band, floor color.RGBA) *image.RGBA {
	n := noise(9)
	rope := color.RGBA{236, 232, 216, 255}
	return paint(size, func(u, v float64) color.RGBA {
		c := skin
		loop := 2 * math.Pi * 14 * u
		switch {
		case v < HullKeel:
			c = shade(band, 1.3)
		case v > HullFloor:
			c = shade(floor, .92+.08*math.Sin(80*math.Pi*u))
		case v > HullSide+.03 && v < HullRim-.06:
			c = white(skin)
		case v > .44 && v < .50:
			c = band
		}
		if sag := .455 - .03*math.Abs(math.Sin(loop/2)); math.Abs(v-sag) < .009 {
			c = shade(rope, .85+.15*math.Sin(2*math.Pi*(180*u+60*v)))
		}
		return shade(c, 1+.05*n.layered(40*u, 40*v, 3))
	})
}

// white is nearly white with a little of a colour.
func white(c color.RGBA) color.RGBA { return mix(c, color.RGBA{246, 242, 232, 255}, .85) }

// Stone is speckled: paving, a coping, a column.
func Stone(size int, base color.RGBA, seed uint32) *image.RGBA {
	n := noise(seed)
	return paint(size, func(u, v float64) color.RGBA {
		return shade(base, 1+.10*n.layered(6*u, 6*v, 4)+.10*n.layered(70*u, 70*v, 2))
	})
}

// Paving is stone cut into slabs, n along each edge; it may be repeated.
func Paving(size, slabs int, base color.RGBA, seed uint32) *image.RGBA {
	n := noise(seed)
	return paint(size, func(u, v float64) color.RGBA {
		x, y := u*float64(slabs), v*float64(slabs)
		fx, fy := x-math.Floor(x), y-math.Floor(y)
		edge := min(fx, 1-fx, fy, 1-fy)
		tone := 1 + .05*n.lattice(int(x), int(y))
		return shade(base, tone*(.7+.3*smooth(.004, .02, edge))*(1+.10*n.layered(70*u, 70*v, 2)))
	})
}

// Haze is a disc of mist: clear at the middle and within a share of the radius, then thicker
// to the rim and beyond. Its alpha is not multiplied into its colour, as OpenGL wants it.
func Haze(size int, mist color.NRGBA, clear float64) *image.RGBA {
	return paint(size, func(u, v float64) color.RGBA {
		r := 2 * math.Hypot(u-.5, v-.5)
		thick := 1 - math.Exp(-4*max(0, r-clear)/(1-clear))
		thick = max(thick, smooth(.8, .97, r))
		return color.RGBA{mist.R, mist.G, mist.B, uint8(255*max(0, min(1, thick)) + .5)}
	})
}
