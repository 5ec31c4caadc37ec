package levelset

import "gonum.org/v1/gonum/spatial/r3"

// Drop drops all markers; the next reseeding makes new ones.
func (m *Markers) Drop() {
	m.resize(0)
	clear(m.start)
}

// DropWhere drops the markers of liquid at places, m, where it is gone; with a nil gone, those in what is air as it was published.
func (m *Markers) DropWhere(gone func(x r3.Vec) bool) {
	for i, p := range m.Position {
		if m.Radius[i] < 0 && (gone == nil && m.s.Tiles.At(p) >= 0 || gone != nil && gone(m.s.g.Metres(p))) {
			m.Radius[i] = 0
		}
	}
}
