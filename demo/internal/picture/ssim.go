package picture

import (
	"fmt"
	"image"
	"math"
)

// The window over which pictures are compared, pixels, its spread, and the constants that keep the quotient steady where a picture is even,
// all as in the paper.
const (
	ssimWindow = 11
	ssimSpread = 1.5
	ssimC1     = .01 * 255 * .01 * 255
	ssimC2     = .03 * 255 * .03 * 255
)

// SSIM is the structural similarity of two pictures of one size, from -1 to 1 for equal ones: the mean, over each window that lies wholly in
// them, of how alike brightness, contrast and structure of their grey values are. It is an error if the sizes differ or an edge is less than 11
// pixels.
//
// Source: Wang et al. 2004, Image quality assessment: from error visibility to structural similarity, eq. 13, with a Gaussian window.
func SSIM(a, b image.Image) (float64, error) {
	m, err := SSIMMap(a, b)
	if err != nil {
		return 0, err
	}
	sum := 0.
	for _, row := range m {
		for _, v := range row {
			sum += v
		}
	}
	return sum / float64(len(m)*len(m[0])), nil
}

// SSIMMap is the structural similarity of each window, in rows: that at y, x is of the window with its corner there, so its middle is 5 pixels
// further.
func SSIMMap(a, b image.Image) ([][]float64, error) {
	w, h := a.Bounds().Dx(), a.Bounds().Dy()
	if b.Bounds().Dx() != w || b.Bounds().Dy() != h || w < ssimWindow || h < ssimWindow {
		return nil, fmt.Errorf("picture: SSIM: %d×%d and %d×%d pixels; must be of one size of at least %d×%d", w, h, b.Bounds().Dx(), b.Bounds().Dy(), ssimWindow, ssimWindow)
	}
	x, y := greys(a), greys(b)
	product := func(p, q []float64) []float64 {
		out := make([]float64, len(p))
		for i := range p {
			out[i] = p[i] * q[i]
		}
		return blurred(out, w, h)
	}
	meanX, meanY, xx, yy, xy := blurred(x, w, h), blurred(y, w, h), product(x, x), product(y, y), product(x, y)
	out := make([][]float64, h-ssimWindow+1)
	for r := range out {
		out[r] = make([]float64, w-ssimWindow+1)
		for c := range out[r] {
			i := r*len(out[r]) + c
			mx, my := meanX[i], meanY[i]
			vx, vy, cov := max(0, xx[i]-mx*mx), max(0, yy[i]-my*my), xy[i]-mx*my
			out[r][c] = (2*mx*my + ssimC1) * (2*cov + ssimC2) / ((mx*mx + my*my + ssimC1) * (vx + vy + ssimC2))
		}
	}
	return out, nil
}

// greys are the grey values of a picture, 0 to 255.
func greys(img image.Image) []float64 {
	box := img.Bounds()
	out := make([]float64, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			out = append(out, (.299*float64(r)+.587*float64(g)+.114*float64(b))/257)
		}
	}
	return out
}

// blurred is the weighed mean of each window that lies wholly in the picture.
func blurred(v []float64, w, h int) []float64 {
	var weights [ssimWindow]float64
	sum := 0.
	for i := range weights {
		d := float64(i - ssimWindow/2)
		weights[i] = math.Exp(-d * d / (2 * ssimSpread * ssimSpread))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	short := w - ssimWindow + 1
	across := make([]float64, short*h)
	for y := range h {
		for x := range short {
			for k, weight := range weights {
				across[y*short+x] += weight * v[y*w+x+k]
			}
		}
	}
	out := make([]float64, short*(h-ssimWindow+1))
	for y := range h - ssimWindow + 1 {
		for x := range short {
			for k, weight := range weights {
				out[y*short+x] += weight * across[(y+k)*short+x]
			}
		}
	}
	return out
}
