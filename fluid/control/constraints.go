package control

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// pin is a constraint on a vertex at a frame.
type pin struct {
	vertex, frame int32
	velocity      bool
	index         int // in Morph.Positions or Morph.Velocities
}

func (p pin) String() string {
	if p.velocity {
		return fmt.Sprintf("Velocities[%d]", p.index)
	}
	return fmt.Sprintf("Positions[%d]", p.index)
}

// term is a coefficient of a linear form over a vertex's coordinates in the frames in between.
type term struct {
	free int32 // frame in between
	axis int
	c    float64
}

// group is the vertices with constraints at the same frames, of position or velocity. They share the matrices that do not depend on
// the constraints' values.
type group struct {
	vertices []int32
	terms    [][]term       // A: one per independent row
	z        [][3][]float64 // K⁻¹Aᵀ, by row and axis
	l        [][]float64    // Cholesky factor of A K⁻¹Aᵀ
	b        [][]float64    // by vertex and row
}

// constrain groups the constrained vertices, and applies the constraints to base.
func (s *solver) constrain() error {
	pins, err := s.pins()
	if err != nil {
		return err
	}
	index := map[string]int{} // looked up, never ranged over
	var samples [][]pin       // the pins of each group's first vertex
	var members [][][]pin
	for len(pins) > 0 {
		n := 1
		for n < len(pins) && pins[n].vertex == pins[0].vertex {
			n++
		}
		own := pins[:n]
		pins = pins[n:]
		g, ok := index[pattern(own)]
		if !ok {
			g = len(samples)
			index[pattern(own)] = g
			samples, members = append(samples, own), append(members, nil)
		}
		members[g] = append(members[g], own)
	}
	for g := range samples {
		if err := s.addGroup(samples[g], members[g]); err != nil {
			return err
		}
	}
	s.correct(s.base, true)
	return nil
}

// pattern returns a key that vertices of one group have in common.
func pattern(pins []pin) string {
	var b []byte
	for _, p := range pins {
		f := uint64(p.frame) << 1
		if p.velocity {
			f |= 1
		}
		b = binary.AppendUvarint(b, f)
	}
	return string(b)
}

// pins returns the constraints by vertex, those of positions first, without those that keys fulfil.
func (s *solver) pins() ([]pin, error) {
	var pins []pin
	for i, c := range s.morph.Positions {
		p := pin{int32(c.Vertex), int32(s.nearest(c.Time)), false, i}
		k := s.key[p.frame]
		if k < 0 {
			pins = append(pins, p)
			continue
		}
		if d := reproducible.Norm(r3.Sub(c.Position, s.morph.Keys[k].Positions[c.Vertex])); d > s.slack() {
			return nil, fmt.Errorf("%v contradicts Keys[%d]: at %g s vertex %d is %.4g m from there; must be at most %.2g m", p, k, s.times[p.frame], c.Vertex, d, s.slack())
		}
	}
	for i, c := range s.morph.Velocities {
		pins = append(pins, pin{int32(c.Vertex), int32(s.nearest(c.Time)), true, i})
	}
	slices.SortStableFunc(pins, func(a, b pin) int {
		if a.vertex != b.vertex {
			return int(a.vertex) - int(b.vertex)
		}
		if a.velocity != b.velocity {
			if b.velocity {
				return -1
			}
			return 1
		}
		return int(a.frame) - int(b.frame)
	})
	return pins, nil
}

// slack returns the tolerance of redundant constraints, m: the rounding of numbers in files.
func (s *solver) slack() float64 {
	return 1e-9 * reproducible.Cbrt(boxVolume(s.morph.Keys[0].Positions))
}

// addGroup adds a group of vertices with the pattern of sample.
func (s *solver) addGroup(sample []pin, members [][]pin) error {
	var g group
	var kept []int // rows of g among all
	type implied struct {
		row   int
		c     []float64 // of the rows kept
		chief int       // the one with the greatest weight
	}
	var rest []implied
	for row := range 3 * len(sample) {
		terms := s.terms(sample[row/3], row%3)
		z := s.response(terms)
		own := product(terms, z)
		l := make([]float64, len(kept), len(kept)+1)
		for e := range kept {
			l[e] = product(terms, g.z[e])
		}
		lowerSolve(g.l, l)
		left := own
		for _, x := range l {
			left -= float64(x * x)
		}
		if left > impliedShare*own {
			kept = append(kept, row)
			g.terms, g.z, g.l = append(g.terms, terms), append(g.z, z), append(g.l, append(l, math.Sqrt(left)))
			continue
		}
		upperSolve(g.l, l)
		chief, most := -1, 0.0
		for e, c := range l {
			if size := math.Abs(c) * math.Sqrt(product(g.terms[e], g.z[e])); size > most {
				chief, most = kept[e], size
			}
		}
		rest = append(rest, implied{row, l, chief})
	}
	for _, own := range members {
		all := make([]float64, 3*len(sample))
		for row := range all {
			all[row] = s.rightHandSide(own[row/3], row%3)
		}
		b := make([]float64, len(kept))
		for e, row := range kept {
			b[e] = all[row]
		}
		for _, r := range rest {
			off := all[r.row]
			for e, c := range r.c {
				off -= float64(c * b[e])
			}
			if limit := s.slack() * s.scale(own[r.row/3]); math.Abs(off) > limit {
				return s.contradiction(own, r.row/3, r.chief/3, r.chief >= 0, math.Abs(off), limit)
			}
		}
		g.vertices, g.b = append(g.vertices, own[0].vertex), append(g.b, b)
	}
	if len(kept) > 0 {
		s.groups = append(s.groups, g)
	}
	return nil
}

// impliedShare is the least part of a row that must be independent of those before it; less is rounding.
const impliedShare = 1e-11

func (s *solver) contradiction(own []pin, which, other int, isPin bool, off, limit float64) error {
	p := own[which]
	with, unit := fmt.Sprintf("%v", s.keysNear(p)), "m"
	if isPin {
		with = own[other].String()
	}
	if p.velocity {
		unit = "m/s"
	}
	return fmt.Errorf("%v contradicts %s: at %.6g s vertex %d can't be what both say, by %.4g %s; must be at most %.2g %s", p, with, s.times[p.frame], p.vertex, off, unit, limit, unit)
}

// keysNear names the keys that a velocity depends on.
func (s *solver) keysNear(p pin) string {
	f, text := s.slope(int(p.frame)), ""
	for j, c := range f.c {
		if c == 0 || s.key[f.first+j] < 0 {
			continue
		}
		if text != "" {
			text += " with "
		}
		text += fmt.Sprintf("Keys[%d]", s.key[f.first+j])
	}
	return text
}

// scale returns the factor from positions to a constraint's value: 1, or for velocities 1/s.
func (s *solver) scale(p pin) float64 {
	if !p.velocity {
		return 1
	}
	sum := 0.0
	for _, c := range s.slope(int(p.frame)).c {
		sum += math.Abs(c)
	}
	return sum
}

// terms returns the terms of a constraint along an axis: of the frame's axes for a position, of the world's for a velocity.
func (s *solver) terms(p pin, axis int) []term {
	if !p.velocity {
		return []term{{s.free[p.frame], axis, 1}}
	}
	var terms []term
	form := s.slope(int(p.frame))
	for j, c := range form.c {
		if c == 0 || s.free[form.first+j] < 0 {
			continue
		}
		row := reproducible.Array(s.axes[form.first+j].rows[axis])
		for k, r := range row {
			terms = append(terms, term{s.free[form.first+j], k, float64(c * r)})
		}
	}
	return terms
}

// rightHandSide returns the constraint's right-hand side.
func (s *solver) rightHandSide(p pin, axis int) float64 {
	if !p.velocity {
		return reproducible.Array(s.axes[p.frame].local(s.morph.Positions[p.index].Position))[axis]
	}
	value := reproducible.Array(s.morph.Velocities[p.index].Velocity)[axis]
	form := s.slope(int(p.frame))
	for j, c := range form.c {
		if c == 0 {
			continue
		}
		fixed := s.axes[form.first+j].centre
		if k := s.key[form.first+j]; k >= 0 {
			fixed = s.morph.Keys[k].Positions[p.vertex]
		}
		value -= float64(c * reproducible.Array(fixed)[axis])
	}
	return value
}

// response returns K⁻¹ times terms.
func (s *solver) response(terms []term) (z [3][]float64) {
	for k := range z {
		z[k] = make([]float64, len(s.frames))
	}
	for _, t := range terms {
		for f := range z[t.axis] {
			z[t.axis][f] += float64(t.c * s.inverse[f][t.free])
		}
	}
	return z
}

func product(terms []term, z [3][]float64) (sum float64) {
	for _, t := range terms {
		sum += float64(t.c * z[t.axis][t.free])
	}
	return sum
}

// project removes from rows, to which K⁻¹ has been applied, the components that violate constraints.
func (s *solver) project(x [][]float64) { s.correct(x, false) }

// correct changes constrained vertices with the least acceleration so that the constraints' terms have their values, or zero if demanded is not set.
func (s *solver) correct(x [][]float64, demanded bool) {
	for i := range s.groups {
		g := &s.groups[i]
		off := make([]float64, len(g.terms))
		for m, v := range g.vertices {
			for e, terms := range g.terms {
				off[e] = 0
				for _, t := range terms {
					off[e] += float64(t.c * x[t.free][3*int(v)+t.axis])
				}
				if demanded {
					off[e] -= g.b[m][e]
				}
			}
			lowerSolve(g.l, off)
			upperSolve(g.l, off)
			for e, c := range off {
				for k, z := range g.z[e] {
					for f := range z {
						x[f][3*int(v)+k] -= float64(c * z[f])
					}
				}
			}
		}
	}
}

// subtractGroups subtracts from B K⁻¹Bᵀ the difference of K⁻¹ and P. Row i of B has the area vectors w[i], positive at one frame in between and negative
// at another; -1 is none.
func (s *solver) subtractGroups(schur, w [][]float64, ends func(i int) (plus, minus int32)) {
	for i := range s.groups {
		g := &s.groups[i]
		n := len(g.terms)
		share := make([][3][]float64, len(w)) // L⁻¹ A K⁻¹ of each row's frames, by axis
		for r := range w {
			plus, minus := ends(r)
			for k := range 3 {
				q := make([]float64, n)
				for e := range q {
					if plus >= 0 {
						q[e] += g.z[e][k][plus]
					}
					if minus >= 0 {
						q[e] -= g.z[e][k][minus]
					}
				}
				lowerSolve(g.l, q)
				share[r][k] = q
			}
		}
		batch := max(1, gramColumns/n)
		h := rows(len(w), batch*n)
		for lo := 0; lo < len(g.vertices); lo += batch {
			vertices := g.vertices[lo:min(lo+batch, len(g.vertices))]
			for r := range h {
				clear(h[r])
				for m, v := range vertices {
					a := w[r][3*v : 3*v+3]
					for e := range n {
						h[r][m*n+e] = float64(share[r][0][e]*a[0]) + float64(share[r][1][e]*a[1]) + float64(share[r][2][e]*a[2])
					}
				}
			}
			addGram(schur, h, -1)
		}
	}
}
