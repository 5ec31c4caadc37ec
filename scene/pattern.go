package scene

import (
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/texture"
)

// Pattern is how a material looks from place to place: a picture that repeats without a seam. It needs no OpenGL, so that another renderer may
// show the same. The same arguments give the same picture.
type Pattern struct {
	Picture *image.RGBA
	Edge    float64 // of the picture, m
	Gloss   float32 // how bright a lamp's mirror image is on it, as NewPaint has it
}

// Material returns a lit material of the pattern in its size on meshes whose texture coordinates are in m: those of Show, NewBody, NewShape and
// NewGeometry. Its texture goes when the material is disposed of.
func (p Pattern) Material() *material.Standard {
	tex := texture.NewTexture2DFromRGBA(p.Picture)
	tex.SetWrapS(gls.REPEAT)
	tex.SetWrapT(gls.REPEAT)
	tex.SetMinFilter(gls.LINEAR_MIPMAP_LINEAR)
	tex.SetRepeat(float32(1/p.Edge), float32(1/p.Edge))
	m := NewPaint(math32.Color{R: 1, G: 1, B: 1}, p.Gloss)
	m.AddTexture(tex)
	return m
}

// patternSize is the edge of a pattern's picture, texels.
const patternSize = 512

// painted makes a pattern of an edge, m, from its light and colour at each texel, as a display shows them. Rows are made side by side.
func painted(edge float64, gloss float32, at func(x, y int) math32.Color) Pattern {
	img := image.NewRGBA(image.Rect(0, 0, patternSize, patternSize))
	var rows sync.WaitGroup
	const band = 32
	for first := 0; first < patternSize; first += band {
		rows.Go(func() {
			for y := first; y < first+band; y++ {
				for x := range patternSize {
					c := at(x, y)
					img.SetRGBA(x, y, color.RGBA{unit(float64(c.R)), unit(float64(c.G)), unit(float64(c.B)), 255})
				}
			}
		})
	}
	rows.Wait()
	return Pattern{img, edge, gloss}
}

// shaded is a colour times a light.
func shaded(c math32.Color, light float64) math32.Color { return *c.MultiplyScalar(float32(light)) }

// tinted is a colour that is redder by warm and bluer by less than 0, and as bright.
func tinted(c math32.Color, warm float64) math32.Color {
	return math32.Color{R: c.R * float32(1+warm), G: c.G, B: c.B * float32(1-warm)}
}

// grains are smooth random numbers over a pattern, -1 to 1: octaves of hills that repeat with it, each half as high and twice as fine as the one
// before. across and along are how many hills the coarsest has.
func grains(across, along, octaves, salt int) []float32 {
	sum := make([]float32, patternSize*patternSize)
	height := float32(1)
	for o := range octaves {
		addHills(sum, across<<o, along<<o, salt+o, height)
		height /= 2
	}
	scale := 1 / (2 - 2*height)
	for i := range sum {
		sum[i] *= scale
	}
	return sum
}

// addHills adds value noise of as many hills across and along a pattern.
func addHills(sum []float32, across, along, salt int, height float32) {
	left, right := make([]int, patternSize), make([]int, patternSize)
	share := make([]float32, patternSize)
	for x := range patternSize {
		left[x], right[x], share[x] = neighbours(x, across)
	}
	corner := make([]float32, across*along)
	for i := range corner {
		corner[i] = height * float32(2*scatter(i%across, i/across, salt)-1)
	}
	row := make([]float32, across)
	for y := range patternSize {
		low, high, t := neighbours(y, along)
		for i := range row {
			a, b := corner[low*across+i], corner[high*across+i]
			row[i] = a + t*(b-a)
		}
		out := sum[y*patternSize:]
		for x := range patternSize {
			a, b := row[left[x]], row[right[x]]
			out[x] += a + share[x]*(b-a)
		}
	}
}

// neighbours are the hills that a texel lies between, of so many, and its eased share of the second.
func neighbours(x, hills int) (low, high int, share float32) {
	at := (float64(x) + .5) * float64(hills) / patternSize
	low = int(at)
	t := at - float64(low)
	return low % hills, (low + 1) % hills, float32(t * t * (3 - 2*t))
}

// texelAt is where a texel lies, 0 to 1.
func texelAt(x, y int) (u, v float64) {
	return (float64(x) + .5) / patternSize, (float64(y) + .5) / patternSize
}

// rise goes smoothly from 0 at lo to 1 at hi.
func rise(lo, hi, x float64) float64 {
	t := math.Max(0, math.Min(1, (x-lo)/(hi-lo)))
	return t * t * (3 - 2*t)
}
