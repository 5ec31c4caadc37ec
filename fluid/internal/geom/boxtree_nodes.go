package geom

import "gonum.org/v1/gonum/spatial/r3"

// Places is how many places boxes may be at: node n has 2n and 2n+1. They are for walks through the tree that prune by more than boxes.
func (t *BoxTree) Places() int { return 2 * len(t.nodes) }

// Root is the first of the two places of the node above all others, or -1 if there are no boxes.
func (t *BoxTree) Root() int32 {
	if t.root == 0 {
		return none
	}
	return 2 * (t.root - 1)
}

// Place is the box at a place, with its item and -1, or -1 and the first of the two places below it. Both are -1 if nothing is there.
func (t *BoxTree) Place(p int32) (box *r3.Box, item, below int32) {
	switch c := t.nodes[p>>1].child[p&1]; {
	case c < none:
		return t.at(p), leaf(c), none
	case c == none:
		return t.at(p), none, none
	default:
		return t.at(p), none, 2 * c
	}
}
