package meshsdf

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// closest2 is the squared distance from p to the nearest face, or limit if that is less.
func (t *tree) closest2(p r3.Vec, limit float64) float64 {
	best := limit
	var stack [stackSize]int32
	var dist [stackSize]float64
	top := 0
	at, d := int32(0), t.nodes[0].distance2(p)
	for {
		if d < best {
			n := &t.nodes[at]
			if n.right != 0 {
				near, other := at+1, n.right
				dn, do := t.nodes[near].distance2(p), t.nodes[other].distance2(p)
				if do < dn {
					near, other, dn, do = other, near, do, dn
				}
				stack[top], dist[top] = other, do
				top++
				at, d = near, dn
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				best = min(best, t.tris[i].distance2(p))
			}
		}
		if top == 0 {
			return best
		}
		top--
		at, d = stack[top], dist[top]
	}
}

func (n *node) distance2(p r3.Vec) float64 {
	x := max(n.min.X-p.X, p.X-n.max.X, 0)
	y := max(n.min.Y-p.Y, p.Y-n.max.Y, 0)
	z := max(n.min.Z-p.Z, p.Z-n.max.Z, 0)
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// distance2 is the squared distance from p to the face.
// Source: Ericson 2005, §5.1.5, with the products of the sides taken beforehand.
func (f *tri) distance2(p r3.Vec) float64 {
	ap := r3.Sub(p, f.a)
	d1, d2 := reproducible.Dot(f.ab, ap), reproducible.Dot(f.ac, ap)
	d3, d4 := d1-f.abab, d2-f.abac
	d5, d6 := d1-f.abac, d2-f.acac
	var v, w float64
	switch {
	case d1 <= 0 && d2 <= 0:
	case d3 >= 0 && d4 <= d3:
		v = 1
	case d6 >= 0 && d5 <= d6:
		w = 1
	default:
		vc, vb, va := float64(d1*d4)-float64(d3*d2), float64(d5*d2)-float64(d1*d6), float64(d3*d6)-float64(d5*d4)
		switch {
		case vc <= 0 && d1 >= 0 && d3 <= 0:
			v = d1 / (d1 - d3)
		case vb <= 0 && d2 >= 0 && d6 <= 0:
			w = d2 / (d2 - d6)
		case va <= 0 && d4 >= d3 && d5 >= d6:
			w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
			v = 1 - w
		default:
			s := 1 / (va + vb + vc)
			v, w = vb*s, vc*s
		}
	}
	x := ap.X - float64(v*f.ab.X) - float64(w*f.ac.X)
	y := ap.Y - float64(v*f.ab.Y) - float64(w*f.ac.Y)
	z := ap.Z - float64(v*f.ab.Z) - float64(w*f.ac.Z)
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// windingNumber is the winding number at p of all faces but the one with id skip.
func (t *tree) windingNumber(p r3.Vec, skip int32) float64 {
	var stack [stackSize]int32
	top, at := 0, int32(0)
	var near, far float64 // solid angles, and dipoles: 4π w in all
	for {
		m := &t.far[at]
		r := r3.Sub(m.centre, p)
		if r2 := reproducible.Dot(r, r); r2 > m.far2 {
			far += m.solidAngle(r, r2)
		} else if n := &t.nodes[at]; n.right != 0 {
			stack[top] = n.right
			top++
			at++
			continue
		} else {
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] != skip {
					near += t.tris[i].solidAngle(p)
				}
			}
		}
		if top == 0 {
			return (near + far) / (4 * math.Pi)
		}
		top--
		at = stack[top]
	}
}

// solidAngle is the dipole expansion to second order of a node's faces as seen from a
// point r away. Source: Barill et al. 2018, eq. 17.
func (m *moments) solidAngle(r r3.Vec, r2 float64) float64 {
	inv2 := 1 / r2
	inv3 := inv2 * math.Sqrt(inv2)
	quad := float64(m.m[0]*r.X*r.X) + float64(m.m[1]*r.Y*r.Y) + float64(m.m[2]*r.Z*r.Z) +
		2*(float64(m.m[3]*r.X*r.Y)+float64(m.m[4]*r.X*r.Z)+float64(m.m[5]*r.Y*r.Z))
	return inv3 * (reproducible.Dot(m.n, r) + m.m[0] + m.m[1] + m.m[2] - float64(3*quad*inv2))
}

// solidAngle is the signed solid angle of the face from p, positive from behind.
// Source: Van Oosterom & Strackee 1983.
func (f *tri) solidAngle(p r3.Vec) float64 {
	a := r3.Sub(f.a, p)
	b, c := r3.Add(a, f.ab), r3.Add(a, f.ac)
	la, lb, lc := math.Sqrt(reproducible.Dot(a, a)), math.Sqrt(reproducible.Dot(b, b)), math.Sqrt(reproducible.Dot(c, c))
	// ab × ac rather than b × c: far from the face that would cancel.
	det := reproducible.Dot(a, reproducible.Cross(f.ab, f.ac))
	return 2 * reproducible.Atan2(det, float64(la*lb*lc)+float64(reproducible.Dot(a, b)*lc)+float64(reproducible.Dot(b, c)*la)+float64(reproducible.Dot(c, a)*lb))
}

// crossings counts the faces, but for the one with id skip, that the ray from o along
// dir passes through.
func (t *tree) crossings(o, dir r3.Vec, skip int32) int {
	inv := r3.Vec{X: 1 / dir.X, Y: 1 / dir.Y, Z: 1 / dir.Z}
	var stack [stackSize]int32
	top, at, hits := 0, int32(0), 0
	for {
		if n := &t.nodes[at]; n.crossed(o, inv) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] != skip && t.tris[i].crossed(o, dir, math.Inf(1)) {
					hits++
				}
			}
		}
		if top == 0 {
			return hits
		}
		top--
		at = stack[top]
	}
}

func (n *node) crossed(o, inv r3.Vec) bool {
	from, to := 0.0, math.Inf(1)
	slab := func(lo, hi, o, inv float64) {
		a, b := (lo-o)*inv, (hi-o)*inv
		from, to = max(from, min(a, b)), min(to, max(a, b))
	}
	slab(n.min.X, n.max.X, o.X, inv.X)
	slab(n.min.Y, n.max.Y, o.Y, inv.Y)
	slab(n.min.Z, n.max.Z, o.Z, inv.Z)
	// One part in 10¹² is above the rounding of flat boxes' slabs.
	return from <= to*(1+1e-12)
}

// crossed reports whether o + s·dir is on the face for an s in (0, until].
// Source: Möller & Trumbore 1997.
func (f *tri) crossed(o, dir r3.Vec, until float64) bool {
	h := reproducible.Cross(dir, f.ac)
	det := reproducible.Dot(f.ab, h)
	if det == 0 {
		return false
	}
	d := r3.Sub(o, f.a)
	u := reproducible.Dot(d, h) / det
	q := reproducible.Cross(d, f.ab)
	v := reproducible.Dot(dir, q) / det
	s := reproducible.Dot(f.ac, q) / det
	return u >= 0 && v >= 0 && u+v <= 1 && s > 0 && s <= until
}

// cut reports whether a face that shares no corner with face i passes through it.
// faces are what the tree was built from.
func (t *tree) cut(verts []r3.Vec, faces [][3]int32, i int) bool {
	c := faces[i]
	a, b, d := verts[c[0]], verts[c[1]], verts[c[2]]
	own := tri{a: a, ab: r3.Sub(b, a), ac: r3.Sub(d, a)}
	lo, hi := minVec(a, minVec(b, d)), maxVec(a, maxVec(b, d))
	var stack [stackSize]int32
	top, at := 0, int32(0)
	for {
		if n := &t.nodes[at]; n.overlaps(lo, hi) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for k := n.first; k < n.first+n.count; k++ {
				if !shareCorner(faces[t.id[k]], c) && (own.pierced(&t.tris[k]) || t.tris[k].pierced(&own)) {
					return true
				}
			}
		}
		if top == 0 {
			return false
		}
		top--
		at = stack[top]
	}
}

func (n *node) overlaps(lo, hi r3.Vec) bool {
	return n.min.X <= hi.X && n.max.X >= lo.X && n.min.Y <= hi.Y && n.max.Y >= lo.Y &&
		n.min.Z <= hi.Z && n.max.Z >= lo.Z
}

func shareCorner(f, g [3]int32) bool {
	for _, v := range f {
		if v == g[0] || v == g[1] || v == g[2] {
			return true
		}
	}
	return false
}

// pierced reports whether a side of g passes through f.
func (f *tri) pierced(g *tri) bool {
	return f.crossed(g.a, g.ab, 1) || f.crossed(g.a, g.ac, 1) ||
		f.crossed(r3.Add(g.a, g.ab), r3.Sub(g.ac, g.ab), 1)
}
