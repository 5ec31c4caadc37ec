package surface

// Forget drops all markers, but not the droplets; the next Publish seeds new ones.
func (m *Markers) Forget() {
	m.resize(0)
	clear(m.start)
}
