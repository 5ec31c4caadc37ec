package contour

// A cell's corners and edges: corner b has the bits x, y and z; edge 4a+k is along axis a, from the corner of which the other two
// coordinates are the bits of k, the axis after a first.

// pattern is what a cell with given signs of its corners holds, where no face is ambiguous.
type pattern struct {
	ambiguous bool
	count     int
	triangles [5][3]uint8 // edges
}

// patterns are by the bits of the corners in liquid.
var patterns = makePatterns()

func makePatterns() (all [256]pattern) {
	for signs := range all {
		p := &all[signs]
		var next [12]int
		for e := range next {
			next[e] = -1
		}
		for face := range 6 {
			p.ambiguous = linkFace(signs, face, &next) || p.ambiguous
		}
		if p.ambiguous {
			continue
		}
		for e := range next {
			apex, from := e, next[e]
			if from < 0 {
				continue
			}
			next[e] = -1
			for to := next[from]; from != apex && to != apex; {
				p.triangles[p.count] = [3]uint8{uint8(apex), uint8(from), uint8(to)}
				p.count++
				next[from] = -1
				from, to = to, next[to]
			}
			next[from] = -1
		}
	}
	return all
}

// linkFace joins the cut edges of a cell's face, and tells whether there are four. Face 2a+s is across axis a, at the high side for s = 1.
func linkFace(signs, face int, next *[12]int) (ambiguous bool) {
	a, high := face/2, face%2
	u, v := (a+1)%3, (a+2)%3
	corner := func(k int) int { // counter-clockwise, seen from high along the axis
		return high<<a | (k+1)>>1&1<<u | k>>1&1<<v
	}
	enter, leave := -1, -1
	cuts := 0
	for k := range 4 {
		from, to := corner(k), corner((k+1)%4)
		in, out := signs>>from&1 != 0, signs>>to&1 != 0
		if in == out {
			continue
		}
		cuts++
		if e := edgeBetween(from, to); in {
			leave = e
		} else {
			enter = e
		}
	}
	switch {
	case cuts == 4:
		return true
	case cuts == 0:
	case high == 1:
		next[enter] = leave
	default:
		next[leave] = enter
	}
	return false
}

// edgeBetween is a cell's edge between two corners.
func edgeBetween(p, q int) int {
	a := 0
	for (p^q)>>a&1 == 0 {
		a++
	}
	return 4*a + p>>((a+1)%3)&1 + 2*(p>>((a+2)%3)&1)
}
