package bcc

// place is a point in quarters of the finest cells' edge, from the layout's low corner. Vertices and circumcentres lie at whole places.
type place [3]int32

func (p place) plus(q place) place  { return place{p[0] + q[0], p[1] + q[1], p[2] + q[2]} }
func (p place) minus(q place) place { return place{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }
func (p place) times(s int32) place { return place{p[0] * s, p[1] * s, p[2] * s} }
func (p place) dot(q place) int64 {
	return int64(p[0])*int64(q[0]) + int64(p[1])*int64(q[1]) + int64(p[2])*int64(q[2])
}
func (p place) cross(q place) place {
	return place{p[1]*q[2] - p[2]*q[1], p[2]*q[0] - p[0]*q[2], p[0]*q[1] - p[1]*q[0]}
}
func unit(a int) (p place) { p[a] = 1; return p }

// refTet is a tetrahedron of the reference: its corners and its circumcentre.
type refTet struct {
	at     [4]place
	centre place
	shape  int
	base   int32
}

// reference is the lattice made in the plainest way: place by place, all in integers.
type reference struct {
	dim   [3]int
	level []uint8
	tets  []refTet
}

func (r *reference) base(x, y, z int) int32 {
	if uint(x) >= uint(r.dim[0]) || uint(y) >= uint(r.dim[1]) || uint(z) >= uint(r.dim[2]) {
		return -1
	}
	return int32(x + r.dim[0]*(y+r.dim[1]*z))
}

func floorDiv(a, b int32) int { return int(a-((a%b)+b)%b) / int(b) }

// finest is the finest level of the base cells that touch a place, or -1.
func (r *reference) finest(p place) int {
	var lo, hi [3]int
	for a := range 3 {
		lo[a], hi[a] = floorDiv(p[a], 32), floorDiv(p[a], 32)
		if p[a]%32 == 0 {
			lo[a]--
		}
	}
	best := -1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				if b := r.base(x, y, z); b >= 0 {
					best = max(best, int(r.level[b]))
				}
			}
		}
	}
	return best
}

// corner tells whether there is a vertex at a place that is on the grid of finest cells.
func (r *reference) corner(p place) bool {
	l := r.finest(p)
	if l < 0 {
		return false
	}
	e := int32(32) >> l
	return p[0]%e == 0 && p[1]%e == 0 && p[2]%e == 0
}

// cell is the centre of the cell that holds a place that is on no plane between finest cells; beyond one side that of the mirrored cell. level is -1 beyond two sides.
func (r *reference) cell(p place) (centre place, level int, ghost bool) {
	out, q := 0, p
	flip := -1
	for a := range 3 {
		if n := int32(32 * r.dim[a]); p[a] < 0 {
			q[a], flip, out = -p[a], a, out+1
		} else if p[a] > n {
			q[a], flip, out = 2*n-p[a], a, out+1
		}
	}
	if out > 1 {
		return place{}, -1, true
	}
	l := r.level[r.base(int(q[0]/32), int(q[1]/32), int(q[2]/32))]
	e := int32(32) >> l
	for a := range 3 {
		centre[a] = q[a]/e*e + e/2
	}
	if flip >= 0 {
		if p[flip] < 0 {
			centre[flip] = -centre[flip]
		} else {
			centre[flip] = 2*int32(32*r.dim[flip]) - centre[flip]
		}
	}
	return centre, int(l), out > 0
}

// owner is the base cell that has a place.
func (r *reference) owner(p place) int32 {
	var at [3]int
	for a := range 3 {
		at[a] = min(int(p[a]/32), r.dim[a]-1)
	}
	return r.base(at[0], at[1], at[2])
}

func (r *reference) add(base int32, shape int, a, b, c, d place) {
	t := refTet{at: [4]place{a, b, c, d}, shape: shape, base: base}
	u, v, w := b.minus(a), c.minus(a), d.minus(a)
	det := u.dot(v.cross(w))
	if det <= 0 {
		panic("orientation")
	}
	// circumcentre
	uu, vv, ww := u.dot(u), v.dot(v), w.dot(w)
	vw, wu, uv := v.cross(w), w.cross(u), u.cross(v)
	for i := range 3 {
		num := uu*int64(vw[i]) + vv*int64(wu[i]) + ww*int64(uv[i])
		if num%(2*det) != 0 {
			panic("circumcentre off the places")
		}
		t.centre[i] = a[i] + int32(num/(2*det))
	}
	r.tets = append(r.tets, t)
}

func newReference(dim [3]int, level []uint8) *reference {
	r := &reference{dim: dim, level: level}
	for z := range dim[2] {
		for y := range dim[1] {
			for x := range dim[0] {
				r.addBase([3]int{x, y, z})
			}
		}
	}
	return r
}

func (r *reference) addBase(at [3]int) {
	low := place{int32(at[0]), int32(at[1]), int32(at[2])}.times(32)
	var n [3]int32
	for a := range 3 {
		n[a] = 32
		if at[a] == r.dim[a]-1 {
			n[a] = 36
		}
	}
	for a := range 3 {
		for z := int32(0); z < n[2]; z += 4 {
			for y := int32(0); y < n[1]; y += 4 {
				for x := int32(0); x < n[0]; x += 4 {
					p := place{x, y, z}
					if p[a] >= 32 {
						continue
					}
					p = low.plus(p)
					l := r.finest(p.plus(unit(a)))
					e := int32(32) >> l
					if p[0]%e == 0 && p[1]%e == 0 && p[2]%e == 0 {
						r.addSegment(p, a, l)
					}
				}
			}
		}
	}
}

func (r *reference) addSegment(p place, a, level int) {
	e := int32(32) >> level
	q := p.plus(unit(a).times(e))
	u, v := unit((a+1)%3), unit((a+2)%3)
	mid := p.plus(unit(a))
	sides := [4]place{u.plus(v), v.minus(u), place{}.minus(u.plus(v)), u.minus(v)}
	dirs := [4]place{v, place{}.minus(u), place{}.minus(v), u}
	for i := range 4 {
		x, lx, gx := r.cell(mid.plus(sides[i]))
		y, ly, gy := r.cell(mid.plus(sides[(i+1)%4]))
		if lx < 0 || ly < 0 || gx && gy || x == y {
			continue
		}
		b := r.owner(mid.plus(dirs[i]))
		k, m := p, q // ends of the bigger edge's half
		if p[a]%(2*e) != 0 {
			k, m = q, p
		}
		f := m.plus(dirs[i].times(e))
		axis := 0
		for dirs[i][axis] == 0 {
			axis++
		}
		switch {
		case lx == level && ly == level:
			r.add(b, int(Whole), p, q, x, y)
		case lx == ly:
			g := k.plus(dirs[i].times(e))
			if !r.corner(g) {
				r.add(b, int(Bisected), p, q, x, y)
			} else {
				// The half-edge along the face's first axis has the low cell's tetrahedron and the middle one, the other the high cell's.
				first := axis != (a+2)%3
				if low := first == (i >= 2); low && !gx {
					r.add(b, int(Tip), p, q, x, g)
				} else if !low && !gy {
					r.add(b, int(Tip), p, q, g, y)
				}
				if first && k == p {
					r.add(b, int(Core), g, q, x, y)
				} else if first {
					r.add(b, int(Core), p, g, x, y)
				}
			}
		case p[axis]%(2*e) != 0:
		case lx == level:
			r.add(b, int(HalfPyramid), p, q, x, f)
			r.add(b, int(Quadrisected), p, q, f, y)
		default:
			r.add(b, int(Quadrisected), p, q, x, f)
			r.add(b, int(HalfPyramid), p, q, f, y)
		}
	}
}
