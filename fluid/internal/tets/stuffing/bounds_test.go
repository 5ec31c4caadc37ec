package stuffing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// steps are the lattice's edges from a vertex: six long and eight short ones.
var steps = func() (d [14]r3.Vec) {
	for i := range 6 {
		var v [3]float64
		v[i/2] = float64(i%2*2 - 1)
		d[i] = r3.Vec{X: v[0], Y: v[1], Z: v[2]}
	}
	for i := range 8 {
		d[6+i] = r3.Vec{X: float64(i&1) - .5, Y: float64(i>>1&1) - .5, Z: float64(i>>2) - .5}
	}
	return d
}()

// wholeTet is a tetrahedron of the lattice: two centres and two corners.
var (
	wholeTet    = [4]r3.Vec{{X: -.5}, {X: .5}, {Y: -.5, Z: -.5}, {Y: .5, Z: -.5}}
	wholeCentre = [4]bool{true, true, false, false}
)

// trial is a tetrahedron with signs, and where the corners on the surface have been moved.
type trial struct {
	alpha  Alpha
	sign   [4]uint8
	at     [4]r3.Vec
	target [4]int // the corner that one is moved towards, or -1
	pos    [4][4]r3.Vec
	least  float64
	most   float64
}

// limit is how far from i a cut may be that moves it, as a share of the edge to j.
func (w *trial) limit(i, j int) float64 {
	if wholeCentre[i] == wholeCentre[j] {
		return w.alpha.Long
	}
	return w.alpha.Short
}

// move moves corner i a share of the way along a step.
func (w *trial) move(i, step int, share float64) {
	a := w.alpha.Long
	if step >= 6 {
		a = w.alpha.Short
	}
	w.target[i] = -1
	for j, p := range wholeTet {
		if r3.Norm(r3.Sub(r3.Add(wholeTet[i], steps[step]), p)) < 1e-9 {
			w.target[i] = j
		}
	}
	w.at[i] = r3.Add(wholeTet[i], r3.Scale(share*a, steps[step]))
}

// possible tells whether there are signs that the corners had before some were moved: one is moved towards one of the opposite sign, and two never
// towards each other.
func (w *trial) possible() bool {
	for i, j := range w.target {
		if j >= 0 && w.target[j] == i {
			return false
		}
	}
next:
	for signs := range 16 {
		in := func(i int) bool { return w.sign[i] == inside || w.sign[i] == surface && signs>>i&1 != 0 }
		for i, j := range w.target {
			if j >= 0 && in(i) == in(j) {
				continue next
			}
		}
		return true
	}
	return false
}

// measure has the least and the greatest angle of what the tetrahedron is divided into, with cuts as share tells: 0 at the end inside, 1 at the other.
func (w *trial) measure(k uint16, share func() float64) {
	for i := range 4 {
		w.pos[i][i] = w.at[i]
		for j := range 4 {
			if w.sign[i] == inside && w.sign[j] == outside {
				a := w.limit(i, j)
				w.pos[i][j] = r3.Add(w.at[i], r3.Scale(a+share()*(1-2*a), r3.Sub(w.at[j], w.at[i])))
			}
		}
	}
	s := stencil{n: 1, tets: [3][4]slot{uncut()}}
	if k != kept {
		if s = stencils[k-firstStencil]; s.byParity {
			a, c := wholeTet[s.a], wholeTet[s.c]
			if odd(&[3]float64{a.X, a.Y, a.Z}, &[3]float64{c.X, c.Y, c.Z}) == wholeCentre[s.a] {
				s = stencils[k-firstStencil+1]
			}
		}
	}
	for _, tet := range s.tets[:s.n] {
		var q [4][3]float64
		for i, p := range tet {
			v := w.pos[p.from][p.to]
			q[i] = [3]float64{v.X, v.Y, v.Z}
		}
		m := Mesh{Own: []Shape{measureShape(&q[0], &q[1], &q[2], &q[3])}, Geometry: []int32{0}}
		least, most := m.Angles(0)
		if !(m.Own[0].Volume > 0) {
			least = 0
		}
		w.least, w.most = min(w.least, least), max(w.most, most)
	}
}

// code is the tetrahedron's.
func (w *trial) code() (code int) {
	for i, s := range w.sign {
		if code |= int(s) << (codeBits * i); wholeCentre[i] {
			code |= centred << (codeBits * i)
		}
	}
	return code
}

// sweep measures each way to move the corners on the surface with each cut at one end or the other of where it may be, and as often with all of
// that at random.
func (w *trial) sweep(r *rand.Rand) {
	k := stencilOf[w.code()]
	if k == dropped || k == flat {
		return
	}
	ways, cuts := 1, 0
	for i, s := range w.sign {
		if s == surface {
			ways *= len(steps) + 1
		}
		for _, q := range w.sign {
			if w.sign[i] == inside && q == outside {
				cuts++
			}
		}
	}
	for way := range ways {
		for ends := range 2 << cuts {
			extreme := ends < 1<<cuts
			w.at, w.target = wholeTet, [4]int{-1, -1, -1, -1}
			for i, rest := 0, way; i < 4; i++ {
				if w.sign[i] != surface {
					continue
				}
				if step := rest % (len(steps) + 1); step < len(steps) {
					share := 1.
					if !extreme {
						share = r.Float64()
					}
					w.move(i, step, share)
				}
				rest /= len(steps) + 1
			}
			if !w.possible() {
				break
			}
			n := -1
			w.measure(k, func() float64 {
				if n++; !extreme {
					return r.Float64()
				}
				return float64(ends >> n & 1)
			})
		}
	}
}

// Whatever the field, no stencil gives an angle beyond the bounds, and the bounds are no wider than a hundredth of a degree. Where corners of a
// tetrahedron of the uniform lattice are moved to, and where its edges are cut, is all that a field decides.
func TestBounds(t *testing.T) {
	for _, alpha := range []Alpha{GreatLeast, SmallMost} {
		w := trial{alpha: alpha, least: 180}
		r := rand.New(rand.NewPCG(1, 2))
		for code := range 81 {
			for i, rest := 0, code; i < 4; i, rest = i+1, rest/3 {
				w.sign[i] = uint8(rest % 3)
			}
			w.sweep(r)
		}
		if w.least < alpha.Least || w.most > alpha.Most {
			t.Errorf("angles of %.5f° to %.5f°, beyond %g° to %g°", w.least, w.most, alpha.Least, alpha.Most)
		}
		if math.Abs(w.least-alpha.Least) > .01 || math.Abs(w.most-alpha.Most) > .01 {
			t.Errorf("angles of %.5f° to %.5f°: %g° to %g° is no tight bound", w.least, w.most, alpha.Least, alpha.Most)
		}
	}
}
