package picture

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// greyPicture is one of a function of its places.
func greyPicture(w, h int, f func(x, y int) float64) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetGray(x, y, color.Gray{Y: uint8(max(0, min(255, math.Round(f(x, y)))))})
		}
	}
	return img
}

func ssim(t *testing.T, a, b image.Image) float64 {
	t.Helper()
	v, err := SSIM(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Equal pictures have 1, and what one can work out comes out: of even pictures, of noise, of a picture and its negative, of a shift.
func TestSSIM(t *testing.T) {
	const w, h = 160, 120
	check := func(what string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: %.5f, want %.5f within %g", what, got, want, within)
		}
	}
	wavy := func(dx int) image.Image {
		return greyPicture(w, h, func(x, y int) float64 { return 128 + 60*math.Sin(float64(x+dx)/2) })
	}
	check("equal", ssim(t, wavy(0), wavy(0)), 1, 1e-12)
	even := func(v float64) image.Image { return greyPicture(w, h, func(x, y int) float64 { return v }) }
	check("even, 100 and 150", ssim(t, even(100), even(150)), (2*100*150+ssimC1)/(100*100+150*150+ssimC1), 1e-9)
	check("black and white", ssim(t, even(0), even(255)), ssimC1/(255*255+ssimC1), 1e-9)

	// Noise of a variance on an even picture, whose own is none: the contrast alone tells. A window's variance is less by the sum of its squared weights.
	dice := rand.New(rand.NewPCG(3, 4))
	const spread = 10.
	noisy := greyPicture(w, h, func(x, y int) float64 { return 128 + spread*dice.NormFloat64() })
	got := ssim(t, even(128), noisy)
	check("noise", got, ssimC2/(ssimC2+spread*spread*(1-.0353)), .03)

	// Two noises that have nothing to do with each other have no structure in common; a picture and its negative have the opposite one.
	other := greyPicture(w, h, func(x, y int) float64 { return 128 + 40*dice.NormFloat64() })
	loud := greyPicture(w, h, func(x, y int) float64 { return 128 + 40*dice.NormFloat64() })
	check("two noises", ssim(t, other, loud), .035, .05)
	negative := greyPicture(w, h, func(x, y int) float64 { return 256 - float64(loud.GrayAt(x, y).Y) })
	if v := ssim(t, loud, negative); v > -.8 {
		t.Errorf("a picture and its negative: %.3f", v)
	}

	// A wave shifted by a quarter has no structure in common with itself, by half the opposite one; it falls with the shift.
	last := 1.
	for dx := 1; dx <= 6; dx++ {
		v := ssim(t, wavy(0), wavy(dx))
		if v >= last {
			t.Errorf("shifted by %d pixels %.3f, by one less %.3f", dx, v, last)
		}
		last = v
	}
	if v := ssim(t, wavy(0), wavy(3)); math.Abs(v) > .15 {
		t.Errorf("shifted by a quarter: %.3f", v)
	}
	if last > -.8 {
		t.Errorf("shifted by half a wave: %.3f", last)
	}
}

// The map tells where pictures differ, a sub-picture is compared by itself, and what can't be compared is an error.
func TestSSIMMap(t *testing.T) {
	base := func(x, y int) float64 { return 100 + 50*math.Sin(float64(x*y)/90) }
	a := greyPicture(80, 60, base)
	b := greyPicture(80, 60, func(x, y int) float64 {
		if x > 60 && y > 40 {
			return 200 - base(x, y)
		}
		return base(x, y)
	})
	m, err := SSIMMap(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(m) != 50 || len(m[0]) != 70 || math.Abs(m[0][0]-1) > 1e-12 || m[49][69] > 0 {
		t.Errorf("%d rows of %d: %.3f at the same corner, %.3f at the other", len(m), len(m[0]), m[0][0], m[49][69])
	}
	left := image.Rect(0, 0, 50, 60)
	if v := ssim(t, a.SubImage(left), b.SubImage(left)); math.Abs(v-1) > 1e-12 {
		t.Errorf("the same half: %.3f", v)
	}
	for _, size := range []image.Rectangle{image.Rect(0, 0, 80, 59), image.Rect(0, 0, 10, 10)} {
		if _, err := SSIM(a.SubImage(size), b); err == nil {
			t.Errorf("%v and %v are compared", size, b.Rect)
		}
	}
	if _, err := SSIM(a.SubImage(image.Rect(0, 0, 10, 60)), b.SubImage(image.Rect(0, 0, 10, 60))); err == nil {
		t.Error("10 pixels are wide enough")
	}
}
