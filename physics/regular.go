package physics

// Regular reports whether Distance of body i is negative next to every place where it is 0: that of all solids is, but
// perhaps of an SDF. Where it is not, there is a membrane, which is open to liquid.
func (w *World) Regular(i int) bool {
	for _, s := range w.at(i).shapes {
		if d := &w.shapes[s].def; !d.Sensor && d.Geometry.kind == sdfGeometry {
			return false
		}
	}
	return true
}
