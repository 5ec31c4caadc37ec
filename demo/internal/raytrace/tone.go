package raytrace

import (
	"image"
	"math"
)

// knee is where the tone map leaves the identity, as in the scene's shaders.
const knee = .8

// Encode is linear light as a display shows it, 0 to 1: the tone map and the sRGB curve of the scene's shaders.
func Encode(v float64) float64 {
	v = max(0, v)
	if v >= knee {
		v = knee + (1-knee)*(1-math.Exp((knee-v)/(1-knee)))
	}
	if v <= .0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - .055
}

// decodeSRGB is the linear light of a colour of 8 bits.
func decodeSRGB(v uint8) float64 {
	c := float64(v) / 255
	if c <= .04045 {
		return c / 12.92
	}
	return math.Pow((c+.055)/1.055, 2.4)
}

// Film is a picture of linear light, rows from the top.
type Film struct {
	Width, Height int
	Light         []Colour
}

// Image is the film as a display shows it, with the light multiplied by exposure first.
func (f *Film) Image(exposure float64) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, f.Width, f.Height))
	for i, c := range f.Light {
		for k, v := range [3]float64{c.X, c.Y, c.Z} {
			img.Pix[4*i+k] = uint8(255*Encode(v*exposure) + .5)
		}
		img.Pix[4*i+3] = 255
	}
	return img
}

// Display is a colour as a display shows it, 0 to 1.
func Display(r, g, b float32) Colour {
	of := func(v float32) float64 { return decodeSRGB(uint8(255*max(0, min(v, 1)) + .5)) }
	return Colour{X: of(r), Y: of(g), Z: of(b)}
}
