package tracked

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/portrait"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

// finer is how much larger a picture is drawn, in each direction, than it is kept.
const finer = 2

var (
	paper = color.RGBA{46, 54, 64, 255}
	water = color.RGBA{104, 186, 246, 255}
	inner = color.RGBA{240, 128, 76, 255} // seen through holes
)

// portray draws a moment.
func (t *Test) portray(s settings, m tracktest.Moment) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, finer*s.size.Width, finer*s.size.Height))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	view := portrait.View{Back: t.Back, Centre: t.Centre, Scale: float64(img.Rect.Dx()) / t.Width, Colour: water, Inner: inner, Edges: s.edges}
	view.Draw(img, img.Rect, m.Positions, m.Triangles)
	return picture.Shrink(img, s.size.Width)
}

// table prints the rows.
func table(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %-13s | %-14s | %8s | %6s | %6s | %9s | %8s | %14s |\n", "tracker", "size", "volume %", "L1 %", "s", "ms a step", "vertices", "µs vertex·step")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		step := r.Seconds / float64(r.Steps)
		fmt.Fprintf(&b, "| %-13s | %-14s | %8.2f | %6.2f | %6.2f | %9.2f | %8d | %14.2f |\n",
			r.Tracker, r.Size, 100*r.Volume, 100*r.L1, r.Seconds, 1e3*step, r.Vertices, 1e6*step/float64(max(1, r.Vertices)))
	}
	return b.String()
}
