package cubes

// noteCarried measures how the components move when their velocity has been carried to the graph's faces.
func (v *Volumes) noteCarried() {
	if m := v.m; !v.surface.isGiven() {
		v.motion.Carry(m.Graph, m.Components)
	}
}

// NoteMotion measures how the components move when the pressure has acted.
func (v *Volumes) NoteMotion() {
	if m := v.m; !v.surface.isGiven() {
		v.motion.Settle(m.Graph, m.Components)
	}
}

// ForgetMotion tells that the velocity was changed since NoteMotion.
func (v *Volumes) ForgetMotion() { v.motion.Forget() }

// keepMomentum gives components that nothing but air touches what carrying their velocity has lost of their momentum.
func (v *Volumes) keepMomentum() {
	m := v.m
	parts := m.Graph.Parts
	for b, spilt := range v.losses.spilt {
		if spilt > 0 {
			for _, c := range m.Components.Label[parts[b].Row:parts[b+1].Row] {
				v.motion.Exclude(c)
			}
		}
	}
	v.motion.Balance(&v.Targets, m.Graph, m.Components)
}
