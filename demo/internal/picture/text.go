package picture

import (
	"image"
	"image/color"
	"sync"

	"github.com/g3n/engine/gui/assets"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/text"
)

// font is that of the windows' panels.
var font = sync.OnceValues(func() (*text.Font, error) { return text.NewFontFromData(assets.MustAsset("fonts/FreeSans.ttf")) })

// Write writes a line of a size, pixels, with its upper left corner at a place, and returns how wide it is.
func Write(img *image.RGBA, at image.Point, line string, size float64, c color.RGBA) (width int) {
	f, err := font()
	if err != nil {
		panic("picture: Write: " + err.Error()) // the font comes with g3n
	}
	f.SetPointSize(size)
	f.SetColor(&math32.Color4{R: float32(c.R) / 255, G: float32(c.G) / 255, B: float32(c.B) / 255, A: 1})
	f.DrawTextOnImage(line, at.X, at.Y, img)
	width, _ = f.MeasureText(line)
	return width
}
