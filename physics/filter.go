package physics

// Filter says which shapes meet. The zero value meets everything.
type Filter struct {
	// Category is the shape's set of bits; 0 means 1.
	Category uint64
	// Mask is the set of categories that the shape meets; 0 means all. Two shapes meet if
	// each one's Category has a bit of the other's Mask.
	Mask uint64
	// Group overrides the masks for shapes of the same group: they always meet if it is positive, never if it is negative.
	Group int
}

func (f Filter) withDefaults() Filter {
	if f.Category == 0 {
		f.Category = 1
	}
	if f.Mask == 0 {
		f.Mask = ^uint64(0)
	}
	return f
}

// meets reports whether two filters with defaults filled in let their shapes meet.
func (f Filter) meets(g Filter) bool {
	if f.Group != 0 && f.Group == g.Group {
		return f.Group > 0
	}
	return f.Mask&g.Category != 0 && g.Mask&f.Category != 0
}

// mayMeet reports whether contacts are to be found between two shapes whose bounds overlap.
// A sensor meets all that is not fixed to where it is, but no other sensor.
func (w *World) mayMeet(a, b *shape) bool {
	ka, kb := w.bodies[a.body].kind, w.bodies[b.body].kind
	switch sensors := a.def.Sensor || b.def.Sensor; {
	case a.body == b.body, sensors && ka == Static && kb == Static, a.def.Sensor && b.def.Sensor:
		return false
	case !sensors && ka != Dynamic && kb != Dynamic:
		return false
	}
	return collides(a.def.Geometry.kind, b.def.Geometry.kind) && a.def.Filter.meets(b.def.Filter) && !w.connected(a.body, b.body)
}
