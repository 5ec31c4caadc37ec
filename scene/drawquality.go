package scene

import "github.com/meniscus3d/meniscus/fluid"

// DrawQuality is how much Draw may cost the graphics card.
type DrawQuality uint8

// The qualities.
const (
	// DrawMedium is the zero value. Liquid mirrors what the picture shows, from below all that is in it, and what it bends is seen behind bodies too.
	DrawMedium DrawQuality = iota
	// DrawLow has light linear, and the way through liquids: no shadows, light bundled by waves, shafts, drops on the lens, bloom nor smoothed edges, and
	// liquid mirrors the sky alone.
	DrawLow
	// DrawHigh mirrors also what is above the picture, and rays take more steps.
	DrawHigh
)

// SetQuality changes how much Draw may cost from the next frame on. With LiquidOptions.DrawBudget it is the best quality that Draw may take.
func (l *Liquid) SetQuality(q DrawQuality) {
	l.options.Quality = q
	l.stage.quality, l.stage.pace = q, newPace(q)
}

// Quality is what Draw draws with now: what SetQuality or the options say, or less to keep to LiquidOptions.DrawBudget.
func (l *Liquid) Quality() DrawQuality { return l.stage.quality }

// At is the options with what a quality asks of the picture, beside fluid.Def.At: the caustics' map has 256 texels along an edge for
// fluid.MediumQuality and 512 for fluid.HighQuality; fluid.LowQuality has none, and no smoothed edges. Quality goes with it. The rest stays.
func (o LiquidOptions) At(q fluid.Quality) LiquidOptions {
	switch q {
	case fluid.LowQuality:
		o.Caustics, o.NoAntialias, o.Quality = -1, true, DrawLow
	case fluid.MediumQuality:
		o.Caustics, o.NoAntialias, o.Quality = 256, false, DrawMedium
	default:
		o.Caustics, o.NoAntialias, o.Quality = 512, false, DrawHigh
	}
	return o
}
