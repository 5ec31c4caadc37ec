package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/portrait"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// moments is at how many times the bars are shown.
const moments = 5

// inBetween is a way from one bar to the other.
type inBetween struct {
	name    string
	colour  color.RGBA
	shapes  [moments]shapes.Mesh
	volumes [moments]float64 // of that of the first shape
}

// betweenBars takes a bar that lies to one that stands on straight lines, and by the morph. Source: Raveendran et al. 2012, Figure 3.
func betweenBars() ([2]inBetween, error) {
	lying, upright := shapes.Bars()
	straight := inBetween{name: "linear", colour: color.RGBA{226, 122, 84, 255}}
	kept := inBetween{name: "morph", colour: color.RGBA{92, 168, 226, 255}}
	morph := control.Morph{Triangles: lying.Triangles, Keys: []control.Key{{Positions: lying.Positions}, {Time: 1, Positions: upright.Positions}}}
	clip, _, err := morph.Solve()
	if err != nil {
		return [2]inBetween{}, err
	}
	for i := range moments {
		t := float64(i) / (moments - 1)
		// The clip's cubics keep the volume in frames; these are the nearest.
		frame := int(t*float64(clip.Frames()-1) + .5)
		var m control.Mesh
		clip.At(clip.FrameTime(frame), &m)
		kept.shapes[i] = shapes.Mesh{Positions: m.Positions, Triangles: m.Triangles}
		line := lying.Deformed()
		for v := range line.Positions {
			line.Positions[v] = r3.Add(r3.Scale(1-t, lying.Positions[v]), r3.Scale(t, upright.Positions[v]))
		}
		straight.shapes[i] = line
		straight.volumes[i], kept.volumes[i] = line.Volume()/lying.Volume(), kept.shapes[i].Volume()/lying.Volume()
	}
	return [2]inBetween{straight, kept}, nil
}

// barTable prints the volumes.
func barTable(ways [2]inBetween) string {
	var b strings.Builder
	fmt.Fprintf(&b, "volume, %% of the first shape's\n%-8s", "")
	for i := range moments {
		fmt.Fprintf(&b, " %9.0f %%", 100*float64(i)/(moments-1))
	}
	for _, w := range ways {
		fmt.Fprintf(&b, "\n%-8s", w.name)
		for _, v := range w.volumes {
			fmt.Fprintf(&b, " %11.6f", 100*v)
		}
	}
	return b.String() + "\n"
}

// Sizes of the picture, pixels, before it is made smaller by finer.
const (
	finer     = 2
	barCell   = 600 // edge of a shape's square
	barScale  = 440 // per m
	barMargin = 150 // left of the rows
)

// barPicture draws both ways, each a row.
func barPicture(ways [2]inBetween) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, barMargin+moments*barCell, len(ways)*barCell))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{250, 250, 248, 255}), image.Point{}, draw.Src)
	ink := color.RGBA{50, 54, 60, 255}
	for row, w := range ways {
		picture.Write(img, image.Pt(30, row*barCell+barCell/2-20), w.name, 44, ink)
		for i, m := range w.shapes {
			at := image.Pt(barMargin+i*barCell, row*barCell)
			view := portrait.View{Scale: barScale, Colour: w.colour}
			view.Draw(img, image.Rectangle{at, at.Add(image.Pt(barCell, barCell-40))}, m.Positions, m.Triangles)
			picture.Write(img, at.Add(image.Pt(barCell/2-60, barCell-70)), fmt.Sprintf("%.1f %%", 100*w.volumes[i]), 44, ink)
		}
	}
	return picture.Shrink(img, img.Rect.Dx()/finer)
}

// showBars prints the volumes and draws the bars into a folder.
func showBars(folder string) error {
	ways, err := betweenBars()
	if err != nil {
		return err
	}
	fmt.Print(barTable(ways))
	file := filepath.Join(folder, "bars.png")
	if err := adapter.SavePNG(file, barPicture(ways)); err != nil {
		return err
	}
	fmt.Println("picture in", file)
	return nil
}
