package physics

// Regular reports whether Distance of body i is negative next to every place where it is 0: that of all solids is, but
// perhaps of an SDF, and not that of an open mesh, which has no inside. Where it is not, there is a membrane, which is open to liquid.
func (w *World) Regular(i int) bool {
	for _, s := range w.at(i).shapes {
		d := &w.shapes[s].def
		if g := &d.Geometry; !d.Sensor && (g.kind == sdfGeometry || g.kind == meshGeometry && g.surface.field == nil && !g.surface.closed) {
			return false
		}
	}
	return true
}
