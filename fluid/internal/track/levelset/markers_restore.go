package levelset

// Restore takes the last Advance back: droplets are what they were before it, and all markers are
// dropped; the next Publish seeds new ones.
func (m *Markers) Restore() {
	m.resize(0)
	clear(m.start)
	m.Spray.Restore()
}
