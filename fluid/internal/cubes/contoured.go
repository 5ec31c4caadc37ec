package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
	"github.com/meniscus3d/meniscus/fluid/internal/track/ripples"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// contoured has blocks follow a semi-Lagrangian contour.
type contoured struct {
	*contour.Contour
	m        *Blocks
	known    float32 // how far from the surface distances are told, m
	most     int     // see Most
	picture  picture
	velocity []r3.Vec // scratch of SurfacePoints: per vertex
	sides    []r3.Box // scratch of CutAtSides
}

// contourBand is how far from the surface a contour tells distances, in finest cells: as far as it can. What is further counts as beyond the band.
const contourBand = 8

// TrackContour has the blocks follow a semi-Lagrangian contour with so many samples along a cell's edge: 1, 2 or 4. With thickening it keeps
// liquid that is thinner than its samples.
func (m *Blocks) TrackContour(detail int, thickening bool) *Followed {
	c := contour.New(m.Grid, m.Pool, detail)
	c.Band, c.Thickening = contourBand, thickening
	n := detail*layout.Edge + 1
	f := m.Track(&contoured{
		Contour: c, m: m, known: float32(.999 * contourBand * m.CellSize), most: 1<<10 + m.Grid.Bases()*(2+4*n*n*n),
	})
	f.copied.least = float32(littleMoved) / float32(detail)
	if thickening {
		f.thicken.of, f.thicken.held = c, make([]float64, m.Grid.Bases())
	}
	return f
}

// Advance moves the contour. Ripples that the cells can't see go.
func (c *contoured) Advance(velocity func(dst, at []r3.Vec), dt float64) {
	c.Fairing = fairingOf(c.m, dt)
	c.Contour.Advance(velocity, dt)
}

// fairingOf is what part of ripples too short for finest cells goes in a step.
func fairingOf(m *Blocks, dt float64) float64 {
	return ripples.Share(reproducible.Norm(m.Gravity), m.CellSize, dt)
}

// Distance writes the distance to the contour where that is known, else ±∞.
func (c *contoured) Distance(dst []float32, at []r3.Vec) {
	c.Contour.Distance(dst, at)
	for i, d := range dst[:len(at)] {
		switch {
		case d > c.known:
			dst[i] = float32(math.Inf(1))
		case d < -c.known:
			dst[i] = float32(math.Inf(-1))
		}
	}
}

// Near is the distance of one place to the contour, as far as that is looked for.
func (c *contoured) Near(x r3.Vec, _ float64) (d float64, ok bool) { return c.Contour.Near(x) }

// Union adds a shape.
func (c *contoured) Union(s shapes.SDF, _ int32) { c.Contour.Union(s.Eval) }

// Subtract takes a shape away.
func (c *contoured) Subtract(s shapes.SDF) { c.Contour.Subtract(s.Eval) }

// Absorb changes the distance in boxes.
func (c *contoured) Absorb(boxes []r3.Box, change func(dst []float32, at []r3.Vec)) {
	c.Contour.Change(boxes, c.anew, change)
}

// CutAtSides takes away what is beyond open sides.
func (c *contoured) CutAtSides() bool {
	c.sides = c.m.Sources.appendBeyond(c.sides[:0])
	c.Contour.Change(c.sides, func(int32) bool { return true }, c.m.Sources.cutDistance)
	return true
}

// littleMoved is how far the surface may move for no samples to matter but those that know their distance, spacings of samples: an edge that it cuts then
// has both ends within what they know.
const littleMoved = .75

// anew tells whether in a block the surface moves further, or appears.
func (c *contoured) anew(b int32) bool {
	for o, nb := range c.m.Grid.Nearby(b) {
		if nb == layout.None {
			continue
		}
		if s := &c.m.followed.copied.large[nb]; s.some && s.reaches(26-o) {
			return true
		}
	}
	return false
}

// Most is more bytes than what Code writes.
func (c *contoured) Most() int { return c.most }

// Resized has the contour sampled as its blocks are now.
func (c *contoured) Resized() { c.Contour.Resize() }
