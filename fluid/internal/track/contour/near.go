package contour

import "gonum.org/v1/gonum/spatial/r3"

// Near is the signed distance of one point to the mesh's triangles, m, and whether they are about a sample's spacing away at most: further out only the
// sign counts. Several goroutines may ask at once.
func (c *Contour) Near(x r3.Vec) (d float64, ok bool) {
	p, scale := r3.Sub(x, r3.Vec{X: c.g.Origin[0], Y: c.g.Origin[1], Z: c.g.Origin[2]}), 1/c.unit
	best, liquid, _ := c.now.closestTo(float64(p.X*scale), float64(p.Y*scale), float64(p.Z*scale))
	d, ok = 1, best.in != nil
	if ok {
		d = float64(float64(best.root) * c.unit)
	}
	if liquid {
		d = -d
	}
	return d, ok
}
