package scene

import (
	"bytes"
	"image"
	"math"
	"slices"
	"testing"

	"github.com/g3n/engine/math32"
)

// patterns are all of them, in a colour.
func patterns() map[string]Pattern {
	c, d := math32.Color{R: .7, G: .6, B: .5}, math32.Color{R: .2, G: .3, B: .6}
	return map[string]Pattern{
		"wood": WoodPattern(c), "stone": StonePattern(c), "concrete": ConcretePattern(c), "plaster": PlasterPattern(c), "metal": MetalPattern(c), "cloth": ClothPattern(c, d), "rope": RopePattern(c),
		"leaves": LeafPattern(c),
	}
}

// A pattern has no seam where it repeats: what changes from its last column to its first, and from its last row to its first, is within what changes
// between neighbours elsewhere. The same arguments give the same bits, and the picture is neither dark nor burnt out.
func TestPatternsTile(t *testing.T) {
	again := patterns()
	for name, p := range patterns() {
		if !bytes.Equal(p.Picture.Pix, again[name].Picture.Pix) {
			t.Errorf("%s: another picture the second time", name)
		}
		save(t, "pattern-"+name, p.Picture)
		for _, way := range []image.Point{{X: 1}, {Y: 1}} {
			steps := steps(p.Picture, way)
			seam := steps[len(steps)-1]
			inside := slices.Clone(steps[:len(steps)-1])
			slices.Sort(inside)
			most := inside[len(inside)-1]
			t.Logf("%s along %v: the seam changes by %.2f of 255, neighbours by %.2f (median) to %.2f", name, way, seam, inside[len(inside)/2], most)
			if seam > most {
				t.Errorf("%s along %v: the seam changes by %.2f of 255, neighbours by %.2f at most", name, way, seam, most)
			}
		}
		if m := meanGreen(p.Picture); m < 60 || m > 200 {
			t.Errorf("%s: %.0f of 255 on the whole", name, m)
		}
	}
}

// A picture with a seam is found out: the left half of a pattern does not repeat.
func TestSeamIsFound(t *testing.T) {
	half := image.NewRGBA(image.Rect(0, 0, patternSize/2, patternSize))
	whole := StonePattern(math32.Color{R: .7, G: .6, B: .5}).Picture
	for y := range patternSize {
		copy(half.Pix[y*half.Stride:], whole.Pix[y*whole.Stride:y*whole.Stride+half.Stride])
	}
	all := steps(half, image.Point{X: 1})
	if seam := all[len(all)-1]; seam <= slices.Max(all[:len(all)-1]) {
		t.Errorf("half a picture has a seam of %.2f, not more than its neighbours", seam)
	}
}

// steps are the mean differences from each column, or row, to the next; the last is to the first.
func steps(img *image.RGBA, way image.Point) []float64 {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := make([]float64, way.X*w+way.Y*h)
	for y := range h {
		for x := range w {
			a, b := img.RGBAAt(x, y), img.RGBAAt((x+way.X)%w, (y+way.Y)%h)
			d := max(int(a.G), int(b.G)) - min(int(a.G), int(b.G))
			out[way.X*x+way.Y*y] += float64(d) / float64(way.X*h+way.Y*w)
		}
	}
	return out
}

func meanGreen(img *image.RGBA) (sum float64) {
	for i := 1; i < len(img.Pix); i += 4 {
		sum += float64(img.Pix[i])
	}
	return 4 * sum / float64(len(img.Pix))
}

func BenchmarkPatterns(b *testing.B) {
	for b.Loop() {
		patterns()
	}
}

// The skies by name are as bright as Brightness's doc tells, from night to noon.
func TestBrightness(t *testing.T) {
	for name, c := range map[string]struct {
		sky  SkyOptions
		want float64
	}{"afternoon": {AfternoonSky, .75}, "dusk": {DuskSky, .16}, "night": {NightSky, .02}} {
		if got := float64(c.sky.Brightness()); math.Abs(got-c.want) > .05*c.want+.005 {
			t.Errorf("%s: %.3f, want %.2f", name, got, c.want)
		}
	}
}
