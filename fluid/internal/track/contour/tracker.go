package contour

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/ripples"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracker is a contour as a [track.Tracker].
type Tracker struct {
	*Contour
	can      track.Abilities
	known    float32 // how far from the surface Distance is right, m
	most     int     // see Most
	picture  picture
	velocity []r3.Vec // scratch of surfacePoints: per vertex
}

// trackedBand is how far from the surface a Tracker tells distances, in finest cells: as far as it can. What is further counts as beyond the band.
const trackedBand = 8

// littleMoved is how far the surface may move for no samples to matter but those that know their distance, spacings of samples: an edge that it cuts then
// has both ends within what they know.
const littleMoved = .75

// NewTracker makes a contour of no liquid on a layout, with so many samples along a cell's edge: 1, 2 or 4. With thickening it keeps liquid that is thinner
// than its samples.
func NewTracker(g *layout.Grid, pool *par.Pool, detail int, thickening bool) *Tracker {
	c := New(g, pool, detail)
	c.Band, c.Thickening = trackedBand, thickening
	n := detail*layout.Edge + 1
	t := &Tracker{Contour: c, known: float32(.999 * trackedBand * g.H), most: 1<<10 + g.Bases()*(2+4*n*n*n)}
	t.can = track.Abilities{
		Triangles: t.triangles, SurfacePoints: t.surfacePoints, Fractions: t.fractionsIn, Near: t.near, CutAtSides: t.cutAtSides, Check: c.Check,
		LeastMove: float32(littleMoved) / float32(detail),
	}
	if thickening {
		t.can.Volume, t.can.Thicken = c.Volume, c.Thicken
	}
	return t
}

// Abilities are those of a contour: triangles, points, fractions and, with thickening, to thicken.
func (t *Tracker) Abilities() *track.Abilities { return &t.can }

// Advance moves the contour. Ripples that the cells can't see go.
func (t *Tracker) Advance(by *track.Motion) {
	t.Fairing = ripples.Share(by.Gravity, t.g.H, by.Dt)
	t.Contour.Advance(by.Velocity, by.Dt)
}

// Distance writes the distance to the contour where that is known, else ±∞.
func (t *Tracker) Distance(dst []float32, at []r3.Vec) {
	t.Contour.Distance(dst, at)
	for i, d := range dst[:len(at)] {
		switch {
		case d > t.known:
			dst[i] = float32(math.Inf(1))
		case d < -t.known:
			dst[i] = float32(math.Inf(-1))
		}
	}
}

// near is the distance of one place to the contour, as far as that is looked for.
func (t *Tracker) near(x r3.Vec, _ float64) (d float64, ok bool) { return t.Contour.Near(x) }

// Union adds a shape.
func (t *Tracker) Union(s shapes.SDF, _ int32) { t.Contour.Union(s.Eval) }

// Subtract takes a shape away.
func (t *Tracker) Subtract(s shapes.SDF) { t.Contour.Subtract(s.Eval) }

// ApplyChange changes the distance in boxes.
func (t *Tracker) ApplyChange(c *track.Change) { t.Contour.Change(c.Boxes, c.Appears, c.Apply) }

// cutAtSides takes away what is beyond open sides.
func (t *Tracker) cutAtSides(beyond *track.Change) (done bool) {
	t.ApplyChange(beyond)
	return true
}

// fractionsIn writes what part of each cell of a box is liquid: from the samples if the box is a block of the layout, else by the distance at the cells' corners.
func (t *Tracker) fractionsIn(dst []float32, box track.Box) {
	g := t.g
	b := g.BaseOf(box.Middle())
	level, low := g.Cur.Level[b], reproducible.Vector(g.Corner(b))
	if n := 1 << level; box.Count == [3]int{n, n, n} && box.Edge == g.CellSize(level) && box.Low == low {
		t.Fractions(b, dst)
		return
	}
	t.sampleFractions(dst, &box)
}

// sampleFractions writes them by the distance at the cells' corners.
func (t *Tracker) sampleFractions(dst []float32, box *track.Box) {
	nodes := [3]int{box.Count[0] + 1, box.Count[1] + 1, box.Count[2] + 1}
	at := make([]r3.Vec, 0, nodes[0]*nodes[1]*nodes[2])
	for z := range nodes[2] {
		for y := range nodes[1] {
			for x := range nodes[0] {
				at = append(at, r3.Vec{
					X: box.Low.X + float64(float64(x)*box.Edge), Y: box.Low.Y + float64(float64(y)*box.Edge), Z: box.Low.Z + float64(float64(z)*box.Edge),
				})
			}
		}
	}
	f := make([]float32, len(at))
	t.Distance(f, at)
	row, layer := nodes[0], nodes[0]*nodes[1]
	for i := range dst[:box.Len()] {
		k := i%box.Count[0] + row*(i/box.Count[0]%box.Count[1]) + layer*(i/(box.Count[0]*box.Count[1]))
		dst[i] = cubeFraction([8]float32{f[k], f[k+1], f[k+row], f[k+row+1], f[k+layer], f[k+layer+1], f[k+layer+row], f[k+layer+row+1]})
	}
}

// Most is more bytes than what Code writes.
func (t *Tracker) Most() int { return t.most }

// Resized has the contour sampled as its blocks are.
func (t *Tracker) Resized(*track.Motion) { t.Contour.Resize() }
