package physics

// maxCrowdContacts is the number of movable bodies that a body overlaps or touches beyond which a step skips some of its
// pairs. Only bodies made in one place, or pressed into each other, overlap so many.
const maxCrowdContacts = 32

// crowds estimates how many bodies each one overlaps or touches. Slices are by slot, and count pairs of shapes of movable
// bodies.
type crowds struct {
	near     []int32 // pairs that may touch in this step
	tested   []int32 // of those, what the last step tested
	touching []int32 // of those tested, what overlapped or touched
}

// findCrowds counts the bodies' pairs, and reports whether some may be skipped, and how many neighbours are not.
func (w *World) findCrowds() (crowded bool, left int) {
	c := &w.crowds
	if !c.countNeighbours(w) {
		return false, len(w.near)
	}
	clear(c.near)
	c.tested, c.touching = resize(c.tested, len(w.bodies)), resize(c.touching, len(w.bodies))
	clear(c.tested)
	clear(c.touching)
	for i := range w.near {
		if n := &w.near[i]; w.canMove(n.bodyA) && w.canMove(n.bodyB) && w.mayTouch(n.key) {
			c.near[n.bodyA]++
			c.near[n.bodyB]++
		}
	}
	for _, p := range w.pairs {
		k := &w.contacts[p.contact]
		if !w.canMove(k.bodyA) || !w.canMove(k.bodyB) {
			continue
		}
		c.tested[k.bodyA]++
		c.tested[k.bodyB]++
		if k.overlaps() {
			c.touching[k.bodyA]++
			c.touching[k.bodyB]++
		}
	}
	for i := range w.near {
		if !w.skips(&w.near[i]) {
			left++
		}
	}
	return true, left
}

// countNeighbours counts all neighbours, and reports whether two have more than maxCrowdContacts each.
func (c *crowds) countNeighbours(w *World) (many bool) {
	c.near = resize(c.near, len(w.bodies))
	clear(c.near)
	for i := range w.near {
		n := &w.near[i]
		c.near[n.bodyA]++
		c.near[n.bodyB]++
		many = many || min(c.near[n.bodyA], c.near[n.bodyB]) > maxCrowdContacts
	}
	return many
}

// size estimates how many bodies the one in a slot overlaps or touches: of its pairs, the share that did in the last step; all
// of a body without any.
func (c *crowds) size(slot int32) int64 {
	if c.tested[slot] == 0 {
		return int64(c.near[slot])
	}
	return int64(c.touching[slot]) * int64(c.near[slot]) / int64(c.tested[slot])
}

// skips reports whether a step skips two neighbours: some of those that both have more than maxCrowdContacts. A hash of
// the key selects some maxCrowdContacts per body, evenly spread, and the same in each step while a crowd does not grow.
func (w *World) skips(n *neighbours) bool {
	if !w.canMove(n.bodyA) || !w.canMove(n.bodyB) {
		return false
	}
	size := uint64(min(w.crowds.size(n.bodyA), w.crowds.size(n.bodyB)))
	return size > maxCrowdContacts && (n.key*0x9e3779b97f4a7c15)>>32*size>>32 >= maxCrowdContacts
}

// mayTouch reports whether two shapes may touch within the step.
func (w *World) mayTouch(key uint64) bool {
	return overlap(&w.shapes[key>>40].fat, &w.shapes[key>>16&(maxSlots-1)].fat)
}

// overlaps reports whether some point of the contact does not separate the bodies.
func (c *contact) overlaps() bool {
	for i := range c.points[:c.n] {
		if c.points[i].sep <= 0 {
			return true
		}
	}
	return false
}
