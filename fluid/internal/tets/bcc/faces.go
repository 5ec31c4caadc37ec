package bcc

// A face lies between two cells across an axis a, the low one and the high one. In it, u and v are the axes (a+1)%3 and (a+2)%3; its corners 0 to 3 are low, low;
// high, low; high, high; low, high along them, and edge i goes from corner i to i+1: counter-clockwise as the high cell sees them. Octant 2i of a face is
// what is next to the first half of edge i, octant 2i+1 what is next to the second half.

// faceCode tells which tetrahedra a face has: for cells of one size 16 times the ghost (see ghosts) and the edges that are bisected, a bit each;
// else which of the cells is the small one.
type faceCode = uint32

const (
	// highSmall is the face of a small cell on the low neighbour's larger one: it has two halves of that, and behind each one of the large cell's tetrahedra.
	highSmall faceCode = 48
	// lowSmall is the face of a large cell on four small low neighbours: four quarters, by their corners, each like one of highSmall.
	lowSmall faceCode = 49
	codeBits          = 6
)

// What is beyond the layout at a face.
const (
	noGhost = iota
	lowGhost
	highGhost
)

// faceTets are the tetrahedra of a face between cells of one size, by their places among the face's.
type faceTets struct {
	low, high [8]uint8 // per octant: the one in the low cell, and in the high cell, next to the edge
	inner     [8]uint8 // per octant: the one next to the face's middle
	count     uint8
}

// ofCode are those of each code below highSmall.
var ofCode = makeFaceTets()

// onFace are the tetrahedra of a face, in order, as what they are made of.
func onFace(code faceCode, each func(shape Shape, i, half int)) {
	mask, ghost := code&15, code>>4
	for i := range 4 {
		if mask>>i&1 == 0 {
			each(Whole, i, 0)
			continue
		}
		if !tipped(mask, i) {
			each(Bisected, i, 0)
		}
		if !tipped(mask, (i+1)&3) {
			each(Bisected, i, 1)
		}
	}
	for i := range 4 {
		if tipped(mask, i) {
			each(Core, i, 0)
			if ghost != lowGhost {
				each(Tip, i, 0)
			}
			if ghost != highGhost {
				each(Tip, i, 1)
			}
		}
	}
}

// tipped tells whether both edges at a corner of a face are bisected.
func tipped(mask faceCode, corner int) bool { return (mask>>corner)&(mask>>((corner+3)&3))&1 != 0 }

func makeFaceTets() (all [highSmall]faceTets) {
	for code := range all {
		f := &all[code]
		onFace(faceCode(code), func(shape Shape, i, half int) {
			at := f.count
			f.count++
			before := (2*i + 7) & 7 // the other octant at corner i
			switch shape {
			case Whole:
				for _, o := range [2]int{2 * i, 2*i + 1} {
					f.low[o], f.high[o], f.inner[o] = at, at, at
				}
			case Bisected:
				f.low[2*i+half], f.high[2*i+half], f.inner[2*i+half] = at, at, at
			case Core:
				for _, o := range [2]int{2 * i, before} {
					f.low[o], f.high[o], f.inner[o] = at, at, at
				}
			case Tip:
				side := &f.low
				if half == 1 {
					side = &f.high
				}
				side[2*i], side[before] = at, at
			}
		})
	}
	return all
}

// cornerOf is the corner of a face at the low or high sides along its axes u and v, and where on them corners are.
var (
	cornerOf = [2][2]int{{0, 3}, {1, 2}}
	cornerU  = [4]int{0, 1, 1, 0}
	cornerV  = [4]int{0, 0, 1, 1}
)

// halfOf tells which half of a small face on a larger one's quarter an edge of it belongs to. The halves meet along the diagonal from the large face's middle,
// at the small one's corner quarter+2, to corner quarter; half 0 comes first, counter-clockwise from that middle.
func halfOf(quarter, edge int) int { return ((edge - quarter + 2) & 3) >> 1 }
