package physics

import "gonum.org/v1/gonum/spatial/r3"

// Bounds is Body.Bounds of body i.
func (c *Coupling) Bounds(i int) r3.Box { return (*World)(c).bounds(c.at(i)) }

// Bounds is the world's axis-aligned box about the body's solid, m. A half-space reaches to
// ±1e9 m; a body without shapes has an empty box at its centre.
func (b Body) Bounds() r3.Box { return read(b, b.world.bounds) }

func (w *World) bounds(b *body) r3.Box {
	box, found := r3.Box{Min: b.x, Max: b.x}, false
	for _, s := range b.shapes {
		switch sh := &w.shapes[s]; {
		case sh.def.Sensor:
		case found:
			box = union(box, sh.bounds)
		default:
			box, found = sh.bounds, true
		}
	}
	return box
}

// Thickness is the smallest wall thickness of the solid of body i, m: of a box its smallest
// edge, of a sphere or capsule its diameter, of a cylinder the smaller of diameter and height,
// of a hull the least width between one of its faces and the opposite corner, of an open box
// its wall, of an SDF the smallest edge of its bounds, of a closed mesh the least way straight in
// from the middle of a triangle to one that faces the other way, of a half-space, open mesh or
// nothing 1e9.
func (c *Coupling) Thickness(i int) float64 {
	t := float64(unbounded)
	for _, s := range c.at(i).shapes {
		if d := &c.shapes[s].def; !d.Sensor {
			t = min(t, d.Geometry.thickness())
		}
	}
	return t
}

// Dimensions is the size of the solid of body i: the sum of its shapes' volumes, m³, and the mean, by volume, of their
// widths, m. A shape's width is the extent that is neither its smallest nor its largest. 0 is not known: both of a mesh, an SDF or
// a half-space, the width of a hull. convex reports whether the solid is a single convex shape.
func (c *Coupling) Dimensions(i int) (volume, width float64, convex bool) {
	known, shapes := true, 0
	for _, s := range c.at(i).shapes {
		d := &c.shapes[s].def
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
