package scene

import (
	"image"
	"math"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/texture"
)

// NewPaint returns a lit material of one colour, as a display shows it, for g3n's meshes and Show.
// gloss, 0 to 1, is how bright a lamp's mirror image is on it.
func NewPaint(c math32.Color, gloss float32) *material.Standard {
	m := material.NewStandard(&c)
	m.SetSpecularColor(&math32.Color{R: gloss, G: gloss, B: gloss})
	m.SetShininess(10 + 80*gloss)
	return m
}

// NewWood returns a lit material of boards of a colour, as a display shows it: eight to a metre on
// bodies that Show or NewBody makes visible. Its texture goes when the material is disposed of.
func NewWood(c math32.Color) *material.Standard {
	const size, boards = 512, 8
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			light := board((float64(x)+.5)/size, (float64(y)+.5)/size, boards)
			p := img.Pix[4*(y*size+x):]
			p[0], p[1], p[2], p[3] = unit(float64(c.R)*light), unit(float64(c.G)*light), unit(float64(c.B)*light), 255
		}
	}
	tex := texture.NewTexture2DFromRGBA(img)
	tex.SetWrapS(gls.REPEAT)
	tex.SetWrapT(gls.REPEAT)
	tex.SetMinFilter(gls.LINEAR_MIPMAP_LINEAR)
	m := NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0.08)
	m.AddTexture(tex)
	return m
}

// board is how bright wood is at a place of a picture of boards, u along them; 1 on the whole.
func board(u, v float64, boards int) float64 {
	row := int(v * float64(boards))
	across := v*float64(boards) - float64(row)
	along := u + scatter(row, 3, 21) // each board is cut elsewhere, and from another tree
	grain := fractal(along, 3*v, 3, 3)
	ring := .5 + .5*math.Sin(2*math.Pi*(2.5*across+5*grain+scatter(row, 7, 22)))
	fibre := fractal(2*along, 40*v, 4, 2)
	gap := min(across, 1-across) / float64(boards) // to the next board, of the picture
	end := math.Abs(along - math.Round(along))
	seam := 1 - .6*math.Exp(-gap/.004) - .6*math.Exp(-end/.002)
	return (.86 + .2*scatter(row, 1, 23)) * (.84 + .14*ring + .3*(fibre-.5) + .08) * max(seam, .2)
}
