package transport

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// whole is what all tetrahedra of the uniform lattice have in common whose corners lie alike. Lengths are in cells.
type whole struct {
	step [3][3]int8 // from the first corner to the others, half cells
	// fit times the velocities along the six edges, see pairs, is the velocity that fits them best: the constant matrix of all that lie alike.
	fit   [3][6]float64
	wedge [4]uint8 // which of the 24 tetrahedra around each corner it is
}

// irregular is the kind of a tetrahedron of another shape.
const irregular = 255

// pairs are the corners of a tetrahedron's six edges.
var pairs = [6][2]uint8{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}

// between is which of the six edges joins two corners.
var between = [4][4]uint8{{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}}

// steps are the ways from a vertex of the uniform lattice to its neighbours, half cells.
var steps = makeSteps()

func makeSteps() (all [14][3]int8) {
	for c := range 8 {
		for a := range 3 {
			all[c][a] = int8(2*(c>>a&1) - 1)
		}
	}
	for c := range 6 {
		all[8+c][c/2] = int8(4*(c%2) - 2)
	}
	return all
}

// stepOf is the number of a step, by its three numbers, each plus 2, to the base of 5; none if there is no such step.
var stepOf = makeStepOf()

func makeStepOf() (number [125]int8) {
	for i := range number {
		number[i] = int8(none)
	}
	for i, s := range steps {
		number[stepKey(s)] = int8(i)
	}
	return number
}

func stepKey(s [3]int8) int { return int(s[0]) + 2 + 5*(int(s[1])+2+5*(int(s[2])+2)) }

// wholes are the kinds of whole tetrahedra, and kindOf the number of the one with three steps.
var wholes, kindOf = makeWholes()

func makeWholes() (all []whole, number [14][14][14]uint8) {
	for i, p := range steps {
		for j, q := range steps {
			for k, r := range steps {
				number[i][j][k] = irregular
				w := whole{step: [3][3]int8{p, q, r}}
				if w.isWhole() {
					number[i][j][k] = uint8(len(all))
					w.complete()
					all = append(all, w)
				}
			}
		}
	}
	return all, number
}

// corners are the four, in cells from the circumcentre.
func (w *whole) corners() (x [4][3]float64) {
	for a := range 3 {
		mean := 0.
		for i, s := range w.step {
			x[i+1][a] = float64(s[a]) / 2
			mean += float64(x[i+1][a] / 4)
		}
		for i := range x {
			x[i][a] -= mean
		}
	}
	return x
}

// isWhole tells whether the corners are those of a tetrahedron of the lattice, counted such that its volume is positive: two edges across each other are long, the
// others short.
func (w *whole) isWhole() bool {
	x := w.corners()
	long := 0
	for _, p := range pairs {
		switch d := geom.Distance2(&x[p[0]], &x[p[1]]); d {
		case 1:
			long++
		case .75:
		default:
			return false
		}
	}
	a, b, c := geom.Sub(&x[1], &x[0]), geom.Sub(&x[2], &x[0]), geom.Sub(&x[3], &x[0])
	n := geom.Cross(&a, &b)
	return long == 2 && geom.Dot(&n, &c) > 0
}

// complete makes the matrices.
func (w *whole) complete() {
	x := w.corners()
	var m normal
	var n [6][3]float64
	for e, p := range pairs {
		n[e] = geom.Sub(&x[p[1]], &x[p[0]])
		geom.Scale(&n[e], 1/math.Sqrt(geom.Dot(&n[e], &n[e])))
		m.add(&n[e], 1, 0)
	}
	for e := range n {
		m.rhs = n[e]
		u, _ := m.solve()
		for a := range u {
			w.fit[a][e] = u[a]
		}
	}
	for i := range x {
		w.wedge[i] = wedgeTo([3]float64{-x[i][0], -x[i][1], -x[i][2]})
	}
}

// A wedge is a twenty-fourth of the directions around a vertex: those whose greatest part is along the axis far, and whose second along the axis near. That is where
// one of the tetrahedra around lies.
type wedge struct {
	far, near, third uint8    // axes
	square           uint8    // 2·far, plus 1 if upwards
	low              uint8    // the octant of that of its two short edges which leads down along the third axis
	pair             uint8    // of the two short edges: by the third axis, then by the signs along the others; see factors
	mirror           [3]uint8 // per axis: its mirror image across it
}

// wedges are the 24, numbered by far, whether near is the second axis after it, and the signs along both.
var wedges = makeWedges()

func makeWedges() (all [24]wedge) {
	for i := range all {
		far, near := i/8, (i/8+1+i/4%2)%3
		s, t := i/2%2, i%2
		o := s<<far | t<<near
		third := 3 - far - near
		w := wedge{far: uint8(far), near: uint8(near), third: uint8(third), square: uint8(2*far + s), low: uint8(o)}
		w.pair = uint8(4*third + o>>((third+1)%3)&1 + o>>((third+2)%3)&1<<1)
		if third == 1 { // by x before z
			w.pair = uint8(4*third + o&1 + o>>2<<1)
		}
		w.mirror[far], w.mirror[near], w.mirror[3-far-near] = uint8(i^2), uint8(i^1), uint8(i)
		all[i] = w
	}
	return all
}

// sign is 1 if the wedge leads upwards along one of its axes, else 0.
func (w *wedge) sign(axis uint8) int { return int(w.low >> axis & 1) }

// wedgeTo is the wedge that a direction is in.
func wedgeTo(y [3]float64) uint8 {
	x0, x1, x2 := math.Abs(y[0]), math.Abs(y[1]), math.Abs(y[2])
	order := isNegative(x1-x0) | isNegative(x2-x1)<<1 | isNegative(x2-x0)<<2
	first := firstWedge[order]
	up := upwards(y[0]) | upwards(y[1])<<1 | upwards(y[2])<<2
	w := &wedges[first]
	return first | uint8(up>>w.far&1<<1|up>>w.near&1)
}

// firstWedge is, by which of three sizes is more than which (the first the second, the second the third, the first the third), the wedge of these sizes that leads down.
var firstWedge = makeFirstWedge()

func makeFirstWedge() (first [8]uint8) {
	for _, s := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var rank [3]int // by axis
		for i, a := range s {
			rank[a] = i
		}
		order := 0
		for bit, p := range [3][2]int{{0, 1}, {1, 2}, {0, 2}} {
			if rank[p[0]] < rank[p[1]] {
				order |= 1 << bit
			}
		}
		first[order] = uint8(8*s[0] + 4*((s[1]-s[0]+5)%3))
	}
	return first
}

// isNegative and upwards are 1 or 0, without a branch that depends on x.
func isNegative(x float64) int { return int(math.Float64bits(x) >> 63) }

func upwards(x float64) int { return 1 - isNegative(x) }
