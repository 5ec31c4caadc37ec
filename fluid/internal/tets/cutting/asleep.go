package cutting

// Sleeping liquid is a wall to liquid that is awake: the edges between the two are shut. The pressure of a wave on that wall wakes the liquid behind it.

// Pressed tells whether liquid that is awake presses on a base cell's liquid, which sleeps, by more than still liquid does: whether the difference is more than so
// much per metre of the way between two vertices. pressure is per vertex, Pa, where it is not known 0; weight is density times gravity.
func (d *Discretiser) Pressed(b int32, pressure []float64, weight [3]float64, most float64) bool {
	l := d.l
	for _, nb := range d.g.Nearby(b) { // a base cell's vertices may have edges that are of another
		if nb < 0 {
			continue
		}
		for e := l.EdgeRuns[nb]; e < l.EdgeRuns[nb+1]; e++ {
			if d.State[e] != Shut || d.Open[e] == 0 {
				continue
			}
			p, q := l.Ends[e][0], l.Ends[e][1]
			if d.Row[p] != none {
				p, q = q, p
			}
			if d.Row[q] == none || p < l.VertexRuns[b] || p >= l.VertexRuns[b+1] || pressure[p] == 0 {
				continue
			}
			way := sub(&l.Position[q], &l.Position[p])
			more := pressure[q] - pressure[p] - dot(&weight, &way)
			if more*more > float64(most*most*l.Dist[e])*l.Dist[e] {
				return true
			}
		}
	}
	return false
}
