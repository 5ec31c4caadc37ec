package trimesh

// splitting is scratch of the pieces of triangles that reach out of the region.
type splitting struct {
	sides   [][2]int32 // directed sides of the polygons: corners of the triangle by -1 minus their place, points of the seam
	polygon polygon
}

// split adds the pieces outside of the region of all triangles that reach into it, and marks these as gone.
//
// ok is false if rounding leaves no way to cut some into pieces, such as slivers; the region is wanted larger around them.
func (r *Rebuilder) split() (ok bool, err error) {
	ok = true
	for i := range r.seam.triangles {
		done, err := r.splitTriangle(int32(i))
		if err != nil {
			return false, err
		}
		if !done {
			ok = false
			r.surroundTriangle(&newTriangle{cell: Gone, old: int32(i)})
		}
	}
	return ok, nil
}

// splitTriangle lists the sides of a triangle's part outside of the region, joins them into polygons and cuts these into triangles.
func (r *Rebuilder) splitTriangle(i int32) (ok bool, err error) {
	s, p := &r.seam, &r.splitting
	t := s.triangles[i]
	p.sides = p.sides[:0]
	for k := t.first; k < t.first+t.count; k++ {
		g := &s.segments[k]
		above, below := r.region.has(g.cell), r.region.has(shifted(g.cell, int(g.axis), -1))
		switch {
		case below && !above:
			p.sides = append(p.sides, [2]int32{g.to, g.from})
		case above && !below:
			p.sides = append(p.sides, [2]int32{g.from, g.to})
		}
	}
	v := r.mesh.Triangle[t.triangle]
	whole := len(p.sides) == 0
	for side := range 3 {
		if !r.addOuterSides(t.triangle, side) {
			return false, errDegenerate
		}
	}
	switch {
	case whole && len(p.sides) == 3:
		return true, nil
	case whole && len(p.sides) > 0:
		return false, errDegenerate
	}
	r.removed = append(r.removed, t.triangle)
	r.isRemoved.add(uint64(t.triangle), 0)
	for _, w := range v {
		if cell := r.lattice.cell(&r.mesh.Position[w]); r.region.has(cell) {
			r.origins.add(latticeKey(0, cell), w)
		}
	}
	if whole {
		return true, nil
	}
	return r.cutPolygons(i)
}

// addOuterSides adds the parts of a side of a triangle that are outside of the region. ok is false if what the points tell does not fit the ends.
func (r *Rebuilder) addOuterSides(t int32, side int) (ok bool) {
	s, p, m := &r.seam, &r.splitting, r.mesh
	v := m.Triangle[t]
	from, to := v[side], v[(side+1)%3]
	e := r.cutMeshEdge(m.Sides[t][side])
	forward := m.Edge[m.Sides[t][side]][0] == from
	in := r.region.has(r.lattice.cell(&m.Position[from]))
	last := int32(-1 - side)
	for k := range e.count {
		at := e.first + k
		if !forward {
			at = e.first + e.count - 1 - k
		}
		x := &s.points[at]
		axis := int(x.axis)
		before, after := r.region.has(shifted(x.cell, axis, -1)), r.region.has(x.cell)
		if coordinate(&m.Position[from], axis) > coordinate(&m.Position[to], axis) {
			before, after = after, before
		}
		if before != in {
			return false
		}
		if before == after {
			continue
		}
		if !in {
			p.sides = append(p.sides, [2]int32{last, at})
		}
		in, last = after, at
	}
	if in != r.region.has(r.lattice.cell(&m.Position[to])) {
		return false
	}
	if !in {
		p.sides = append(p.sides, [2]int32{last, int32(-1 - (side+1)%3)})
	}
	return true
}

// cutPolygons joins the sides of a triangle's outer part into loops and cuts it into triangles.
func (r *Rebuilder) cutPolygons(i int32) (ok bool, err error) {
	s, p := &r.seam, &r.splitting
	t := s.triangles[i].triangle
	v := r.mesh.Triangle[t]
	a, b, c := r.mesh.Corners(t)
	g := &p.polygon
	g.begin(a, b, c)
	for len(p.sides) > 0 {
		start := p.sides[0][0]
		for at := start; ; {
			k := 0
			for k < len(p.sides) && p.sides[k][0] != at {
				k++
			}
			if k == len(p.sides) {
				return false, errDegenerate
			}
			if at < 0 {
				g.add(v[-1-at], r.mesh.Position[v[-1-at]])
			} else {
				g.add(-1-at, s.points[at].at)
			}
			at = p.sides[k][1]
			p.sides = append(p.sides[:k], p.sides[k+1:]...)
			if at == start {
				break
			}
		}
		g.close()
	}
	triangles, ok := g.triangulate()
	if !ok {
		return false, nil
	}
	for _, w := range triangles {
		r.fresh = append(r.fresh, newTriangle{w, Gone, i})
	}
	return true, nil
}
