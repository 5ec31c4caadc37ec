package scene

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/texture"
)

// noiseSize is the edge of the noise picture, texels.
const noiseSize = 256

// noisePicture is made once: another water that takes one's place in a game need not wait for it.
var noisePicture = sync.OnceValue(makeNoise)

// makeNoise makes the picture of small waves' slopes (R, G), the foam's lace (B) and soft
// noise (A), which repeats without a seam. The lace is evenly spread over 0 to 1: a share c of it is above 1 - c.
func makeNoise() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, noiseSize, noiseSize))
	wave, foam := make([]float64, noiseSize*noiseSize), make([]float64, noiseSize*noiseSize)
	for y := 0; y < noiseSize; y++ {
		for x := 0; x < noiseSize; x++ {
			u, v := float64(x)/noiseSize, float64(y)/noiseSize
			wave[y*noiseSize+x] = fractal(u, v, 6, 3)
			foam[y*noiseSize+x] = lace(u, v)
			p := 4 * (y*noiseSize + x)
			img.Pix[p+3] = unit(fractal(u+0.31, v+0.17, 4, 4))
		}
	}
	for i, v := range ranks(foam) {
		img.Pix[4*i+2] = unit(v)
	}
	const wrap = noiseSize - 1
	for y := 0; y < noiseSize; y++ {
		for x := 0; x < noiseSize; x++ {
			dx := wave[y*noiseSize+(x+1)&wrap] - wave[y*noiseSize+(x-1)&wrap]
			dy := wave[((y+1)&wrap)*noiseSize+x] - wave[((y-1)&wrap)*noiseSize+x]
			p := 4 * (y*noiseSize + x)
			img.Pix[p] = unit(0.5 + 7*dx)
			img.Pix[p+1] = unit(0.5 + 7*dy)
		}
	}
	return img
}

// ranks is for each value the share of all values that are less.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	share := make([]float64, len(values))
	for k, i := range order {
		share[i] = float64(k) / float64(len(values))
	}
	return share
}

// newNoise is a texture of the noise. Mipmaps calm it in the distance.
func newNoise() *texture.Texture2D {
	tex := texture.NewTexture2DFromRGBA(noisePicture())
	tex.SetMinFilter(gls.LINEAR_MIPMAP_NEAREST) // half the reads; the seam of levels drowns in the waves
	tex.SetWrapS(gls.REPEAT)
	tex.SetWrapT(gls.REPEAT)
	tex.SetUniformNames("Noise", "NoiseInfo")
	return tex
}

func unit(v float64) uint8 { return uint8(math.Round(255 * math.Min(math.Max(v, 0), 1))) }

// fractal sums octaves of value noise with period 1; about 0.5, within 0 to 1.
func fractal(u, v float64, cells, octaves int) float64 {
	sum, weight, total := 0.0, 1.0, 0.0
	for o := 0; o < octaves; o++ {
		sum += weight * value(u*float64(cells), v*float64(cells), cells, o)
		total += weight
		weight *= 0.5
		cells *= 2
	}
	return sum / total
}

func value(x, y float64, cells, salt int) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fade := func(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }
	a, b := fade(x-x0), fade(y-y0)
	i, j := int(x0), int(y0)
	h := func(di, dj int) float64 { return scatter((i+di)%cells, (j+dj)%cells, salt) }
	return (1-b)*((1-a)*h(0, 0)+a*h(1, 0)) + b*((1-a)*h(0, 1)+a*h(1, 1))
}

// lace is brightest along the walls between bubbles of two sizes, and darkest in the middle of the bubbles.
func lace(u, v float64) float64 {
	warp := 0.05 * (fractal(u, v, 5, 2) - 0.5)
	big, small := walls(u+warp, v-warp, 9, 7), walls(u-warp, v+warp, 23, 11)
	return max(1-big, 0.8-small)
}

// walls is 0 where the nearest two of the cells' points are equally far, and grows, about to 1, towards a point.
func walls(u, v float64, cells, salt int) float64 {
	n := float64(cells)
	x, y := (u-math.Floor(u))*n, (v-math.Floor(v))*n
	near, next := 9.0, 9.0
	for dj := -2; dj <= 2; dj++ {
		for di := -2; di <= 2; di++ {
			i, j := int(x)+di, int(y)+dj
			wi, wj := (i+cells)%cells, (j+cells)%cells
			px := float64(i) + scatter(wi, wj, salt)
			py := float64(j) + scatter(wi, wj, salt+1)
			d := math.Hypot(px-x, py-y)
			if d < near {
				near, next = d, near
			} else if d < next {
				next = d
			}
		}
	}
	return next - near
}

// scatter is a number from 0 to 1 that depends on its arguments without a pattern.
func scatter(x, y, salt int) float64 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ uint32(salt)*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	h ^= h >> 15
	return float64(h) / math.MaxUint32
}
