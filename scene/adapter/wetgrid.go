package adapter

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// WetGrid says how wet a place is, in a box of texels: Soaked in the liquid, DrippingWet where it has just left, and from there evenly down to 0, dry,
// in Options.Drying. What lies on a face is asked for about a texel before it, where the liquid was that has wetted it.
type WetGrid struct {
	Box  r3.Box // m, in the world, or in the frame of what is bound, see Binding.Soak
	Size [3]int // texels along x, y and z; 0 for no grid
	// Texels has that of (x, y, z) at (z*Size[0]+x)*Size[1]+y.
	Texels   []uint8
	Revision int // another number when Texels have changed
}

// Values of a texel.
const (
	Soaked      = 255
	DrippingWet = 192
)

// Edges are those of a texel, m.
func (g *WetGrid) Edges() r3.Vec {
	s := g.Box.Size()
	return r3.Vec{X: s.X / float64(max(g.Size[0], 1)), Y: s.Y / float64(max(g.Size[1], 1)), Z: s.Z / float64(max(g.Size[2], 1))}
}

// At is the texel that holds a place, m; 0 outside of the box.
func (g *WetGrid) At(p r3.Vec) uint8 {
	e := g.Edges()
	x, y, z := cellOf(p.X-g.Box.Min.X, e.X), cellOf(p.Y-g.Box.Min.Y, e.Y), cellOf(p.Z-g.Box.Min.Z, e.Z)
	if x < 0 || y < 0 || z < 0 || x >= g.Size[0] || y >= g.Size[1] || z >= g.Size[2] {
		return 0
	}
	return g.Texels[(z*g.Size[0]+x)*g.Size[1]+y]
}

// cellOf is the number of the cell at a distance from the first one's beginning, -1 for none; both in m.
func cellOf(at, edge float64) int {
	if c := math.Floor(at / edge); c >= 0 && c < math.MaxInt32 {
		return int(c)
	}
	return -1
}

// divide makes the grid a dry one over a box with texels of about these edges, m.
func (g *WetGrid) divide(box r3.Box, edges r3.Vec) {
	s := box.Size()
	g.Box, g.Size = box, [3]int{parts(s.X, edges.X), parts(s.Y, edges.Y), parts(s.Z, edges.Z)}
	g.Texels = make([]uint8, g.Size[0]*g.Size[1]*g.Size[2])
	g.Revision++
}

// parts is how many parts of an edge a length is cut into, within the 256 texels that OpenGL 3.3 promises.
func parts(length, edge float64) int { return int(min(max(math.Ceil(length/edge-1e-6), 1), 256)) }

// CopyFrom makes g a copy of another grid.
func (g *WetGrid) CopyFrom(o *WetGrid) {
	g.Box, g.Size, g.Revision = o.Box, o.Size, o.Revision
	g.Texels = append(g.Texels[:0], o.Texels...)
}

// dry takes the water off some texels that drops by so much since they were dried last.
func dry(texels []uint8, by int) {
	for i, v := range texels {
		if v > 0 {
			texels[i] = uint8(max(min(int(v), DrippingWet)-by, 0))
		}
	}
}
