package scene

import (
	"math"
	"testing"
)

// Of the foam's lace as large a share is above 1 - c as c says, so that foam covers what it is to cover.
func TestLaceCovers(t *testing.T) {
	pix := noisePicture().Pix
	for _, c := range []float64{.05, .2, .5, .9} {
		above := 0
		for i := 2; i < len(pix); i += 4 {
			if float64(pix[i]) > 255*(1-c) {
				above++
			}
		}
		got := 4 * float64(above) / float64(len(pix))
		t.Logf("%.4f of the lace is above %.2f", got, 1-c)
		if math.Abs(got-c) > 1./255 {
			t.Errorf("%.4f of the lace is above %.2f, want %.2f", got, 1-c, c)
		}
	}
}

// The picture repeats without a seam: across its edge the lace differs no more than within.
func TestLaceHasNoSeam(t *testing.T) {
	pix := noisePicture().Pix
	step := func(x0, x1 int) (sum float64) {
		for y := range noiseSize {
			sum += math.Abs(float64(pix[4*(y*noiseSize+x0)+2]) - float64(pix[4*(y*noiseSize+x1)+2]))
		}
		return sum / noiseSize
	}
	most := 0.0
	for x := 1; x < noiseSize; x++ {
		most = max(most, step(x-1, x))
	}
	if seam := step(noiseSize-1, 0); seam > most {
		t.Errorf("at the seam the lace differs by %.1f of 255, elsewhere by %.1f at most", seam, most)
	}
}
