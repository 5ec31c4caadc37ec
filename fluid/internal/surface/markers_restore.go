package surface

// droplets is what Restore needs of the droplets.
type droplets struct {
	position, velocity, radius []float32
	volume                     float64
}

// keep remembers the droplets.
func (d *Droplets) keep() {
	k := &d.kept
	k.position = append(k.position[:0], d.Position...)
	k.velocity = append(k.velocity[:0], d.Velocity...)
	k.radius = append(k.radius[:0], d.Radius...)
	k.volume = d.Volume
}

// Restore takes the last Advance back: droplets are what they were before it, and all markers are
// dropped; the next Publish seeds new ones.
func (m *Markers) Restore() {
	m.resize(0)
	clear(m.start)
	d, k := &m.Droplets, &m.Droplets.kept
	d.Position = append(d.Position[:0], k.position...)
	d.Velocity = append(d.Velocity[:0], k.velocity...)
	d.Radius = append(d.Radius[:0], k.radius...)
	d.Volume = k.volume
	d.Born, d.Merged, d.Lost, d.Refused, d.Momentum = 0, 0, 0, 0, [3]float64{}
}
