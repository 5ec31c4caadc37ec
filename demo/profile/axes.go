package main

import (
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A plot's size, the border around it, and its dots per inch.
const (
	plotWidth  = 25 * vg.Centimeter
	plotHeight = 12.5 * vg.Centimeter
	border     = .35 * vg.Centimeter
	resolution = 110
)

// save writes a plot as PNG.
func save(pl *plot.Plot, path string) error {
	img := vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(resolution))
	pl.Draw(draw.Crop(draw.New(img), border, -border, border, -border))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// tens marks an axis at 1, 2 or 5 times a power of ten, some eight times.
type tens struct{}

// Ticks is called by package plot.
func (tens) Ticks(lo, hi float64) (ticks []plot.Tick) {
	if !(hi > lo) {
		return nil
	}
	gap := math.Pow(10, math.Floor(math.Log10((hi-lo)/8)))
	for _, more := range []float64{2, 2.5, 2} { // 2, 5, 10 times the power of ten
		if (hi-lo)/gap > 10 {
			gap *= more
		}
	}
	for k := math.Ceil(lo / gap); k*gap <= hi; k++ {
		v := k * gap
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
	}
	return ticks
}
