package mesh

// improveRebuilt makes the triangles better where the surface has been made anew since they were improved, which leaves needles at the seams, and gives each piece the volume back that this has changed.
func (t *Tracker) improveRebuilt() {
	mesh, k := &t.track.Mesh, &t.keeping
	t.rebuilt = false
	k.pieces.Box = &t.in.Domain
	k.pieces.Begin(mesh)
	t.track.Improver.ImproveChanged(mesh, t.lengths)
	k.restore(t, 1)
	t.track.Mover.Move(mesh, 1)
}
