package portrait

import (
	"image"
	"image/color"
	"image/draw"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
)

// finer is how much larger a picture of its own is drawn, in each direction, than it is kept.
const finer = 2

var (
	paper = color.RGBA{46, 54, 64, 255}
	water = color.RGBA{104, 186, 246, 255}
	inner = color.RGBA{240, 128, 76, 255} // seen through holes, and where the surface is cut away
)

// Water draws a liquid's surface into a picture of its own, of a size in pixels, that is wide m across. The view's scale and colours are the picture's.
func (v View) Water(size image.Point, wide float64, positions []r3.Vec, triangles [][3]int32) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size.Mul(finer)})
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	v.Scale, v.Colour, v.Inner = float64(img.Rect.Dx())/wide, water, inner
	v.Draw(img, img.Rect, positions, triangles)
	return picture.Shrink(img, size.X)
}
