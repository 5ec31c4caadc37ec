package physics

import "gonum.org/v1/gonum/spatial/r3"

// Dimensions is the size of the solid of body i: the sum of its shapes' volumes, m³, and the mean, by volume, of their
// widths, m. A shape's width is the extent that is neither its smallest nor its largest. 0 means not known: both of a mesh, an SDF or
// a half-space, the width of a hull. convex: the solid is a single convex shape.
func (w *World) Dimensions(i int) (volume, width float64, convex bool) {
	known, shapes := true, 0
	for _, s := range w.at(i).shapes {
		d := &w.shapes[s].def
		if d.Sensor {
			continue
		}
		v := d.Geometry.mass(1).Mass
		if !(v > 0) {
			return 0, 0, false
		}
		middle := d.Geometry.width()
		known = known && middle > 0
		shapes, convex = shapes+1, shapes == 0 && d.Geometry.kind != openBoxGeometry
		volume += v
		width += float64(v * middle)
	}
	if volume == 0 || !known {
		return volume, 0, convex
	}
	return volume, width / volume, convex
}

// width is the extent between the smallest and the largest, m; 0 where it is not known.
func (g *Geometry) width() float64 {
	switch g.kind {
	case sphereGeometry, capsuleGeometry:
		return 2 * g.radius
	case cylinderGeometry:
		return 2 * g.radius // two of the three extents
	case boxGeometry, openBoxGeometry:
		return 2 * middle(g.half)
	}
	return 0
}

// middle is the component that is neither the smallest nor the largest.
func middle(v r3.Vec) float64 {
	return max(min(v.X, v.Y), min(max(v.X, v.Y), v.Z))
}
