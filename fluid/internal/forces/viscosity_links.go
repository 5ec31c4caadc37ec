package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// run links the faces of blocks lo to hi.
func (v *linker) run(worker, lo, hi int) {
	h := &v.held
	v.unlike, h.face, h.w, h.axis, h.at = v.unlike[:0], h.face[:0], h.w[:0], h.axis[:0], h.at[:0]
	for b := lo; b < hi; b++ {
		v.linkBlock(int32(b))
	}
	if len(h.face) == 0 {
		return
	}
	h.speed = resize(h.speed, len(h.face))
	v.Wall(worker, h.axis, h.at, h.speed)
	for i, f := range h.face {
		v.inflow[f] += float64(h.w[i] * h.speed[i])
	}
}

// linkBlock links the faces that are stored in a block.
func (v *linker) linkBlock(b int32) {
	n, first := 1<<v.g.Cur.Level[b], int(v.g.Cur.First[b])
	stride := [3]int{1, n, n * n}
	for a := range 3 {
		for i := range n * n * n {
			f := v.face(a, first+i)
			if f < 0 {
				continue
			}
			at := [3]int{i % n, i / n % n, i / (n * n)}
			for d := range 6 {
				ax, step := d/2, 2*(d&1)-1
				to := at[ax] + step
				if at[a] > 0 && to >= 0 && to < n && !(ax == a && to == 0) {
					v.linkWithin(f, a, d, first+i, stride)
				} else {
					v.linkBeside(f, b, a, d, at)
				}
			}
		}
	}
}

// linkWithin links face f to its neighbour in direction d, both inside one block.
func (v *linker) linkWithin(f int32, a, d, slot int, stride [3]int) {
	ax, step := d/2, stride[d/2]*(2*(d&1)-1)
	h := math.Sqrt(v.gr.Area[f])
	if ax == a {
		v.link(f, d, a, slot+step, 0, h)
		return
	}
	side := slot // the face across ax on the way, of the cell on f's high side
	if d&1 == 1 {
		side += step
	}
	v.link(f, d, a, slot+step, v.shutOf(ax, side, side-stride[a]), h)
}

// shutOf counts which of two faces across an axis are shut.
func (v *linker) shutOf(axis, s, t int) (walls int) {
	if v.state[axis][s] == shut {
		walls++
	}
	if v.state[axis][t] == shut {
		walls++
	}
	return walls
}

// linkBeside is linkWithin for a face whose way leaves the block for one of the same level, or else
// linkAcross.
func (v *linker) linkBeside(f, b int32, a, d int, at [3]int) {
	ax := d / 2
	to, below := at, at
	to[ax] += 2*(d&1) - 1
	below[a]--
	toBelow := to
	toBelow[a]--
	slot, low, slotLow := v.like(b, to), v.like(b, below), v.like(b, toBelow)
	h := math.Sqrt(v.gr.Area[f])
	switch {
	case slot < 0 || low < 0 || slotLow < 0:
		v.linkAcross(f, a, d)
	case ax == a:
		v.link(f, d, a, slot, 0, h)
	case d&1 == 1:
		v.link(f, d, a, slot, v.shutOf(ax, slot, slotLow), h)
	default:
		v.link(f, d, a, slot, v.shutOf(ax, v.like(b, at), low), h)
	}
}

// like is the cell at a place, in cells of a block, that may be in a block around; -1 if that has
// another level.
func (v *linker) like(b int32, at [3]int) int {
	g := v.g
	l := g.Cur.Level[b]
	n := 1 << l
	var o [3]int
	for a, x := range at {
		if x < 0 {
			o[a], at[a] = -1, x+n
		} else if x >= n {
			o[a], at[a] = 1, x-n
		}
		if at[a] < 0 {
			return -1 // further off than the next block
		}
	}
	if nb := g.Around(b, o[0], o[1], o[2]); nb != grid.None && g.Cur.Level[nb] == l {
		return g.Cur.Cell(nb, at[0], at[1], at[2])
	}
	return -1
}

// linkAcross is linkWithin anywhere, by place.
func (v *linker) linkAcross(f int32, a, d int) {
	h := math.Sqrt(v.gr.Area[f])
	ax, sign := d/2, float64(2*(d&1)-1)
	x := v.gr.FaceCentre(int(f))
	q := x
	q[ax] += float64(sign * h)
	slot, size, off := v.at(a, q)
	if size == 0 { // the grid ends: a wall
		if ax != a {
			v.link(f, d, a, -1, 2, h)
		}
		return
	}
	same := math.Abs(size-h) < .1*h
	if ax != a && same {
		walls := 0
		for _, s := range [2]float64{-.5, .5} {
			m := x
			m[ax] += float64(.5 * sign * h)
			m[a] += float64(s * h)
			if w, _, _ := v.at(ax, m); w < 0 || v.state[ax][w] == shut {
				walls++
			}
		}
		v.link(f, d, a, slot, walls, h)
		return
	}
	switch {
	case same:
		v.link(f, d, a, slot, 0, h)
	case size > h:
		dist := h
		if ax != a {
			dist = .5 * (h + size)
		}
		v.linkUnlike(f, a, slot, h*h/dist*(1-off))
		if off > 0 {
			q[a] += float64(.5 * size)
			far, _, _ := v.at(a, q)
			v.linkUnlike(f, a, far, h*h/dist*off)
		}
	}
}

// at is the face of an axis at or next below a point, its edge, m (0 beyond the grid), and how
// far along the axis the point is towards the next one, in edges. The slot is -1 at the grid's end.
func (v *linker) at(a int, x [3]float64) (slot int, size, off float64) {
	g := v.g
	x[a] += float64(1e-6 * g.H)
	e := g.H * grid.Edge
	var base [3]int
	for i := range 3 {
		s := (x[i] - g.Origin[i]) / e
		base[i] = int(math.Floor(s))
		if i == a && base[i] == g.Dim[i] && s-float64(g.Dim[i]) < 1e-5 {
			base[i]-- // the last plane
		}
	}
	b := g.BaseAt(base[0], base[1], base[2])
	if b == grid.None {
		return -1, 0, 0
	}
	l := g.Cur.Level[b]
	n, h := 1<<l, g.CellSize(l)
	var at [3]int
	for i := range 3 {
		s := (x[i] - g.Origin[i] - float64(e*float64(base[i]))) / h
		at[i] = min(int(s), n)
		if i == a {
			off = max(0, math.Round((s-float64(at[i]))*4)/4)
		} else {
			at[i] = min(at[i], n-1)
		}
	}
	size = h
	if at[a] == 0 {
		if nb := g.Neighbour[b][2*a]; nb != grid.None {
			size = max(h, g.CellSize(g.Cur.Level[nb]))
		}
	}
	return g.FaceCell(b, a, at), size, off
}

// link couples f to the face at a slot in direction d. Of the two faces across the way, walls are
// shut: as much of the way leads to the wall half a cell off.
func (v *linker) link(f int32, d, a, slot, walls int, h float64) {
	if walls > 0 && v.NoSlip {
		w := float64(2 * h * float64(walls) / 2)
		v.diag[f] += w
		v.hold(f, d, a, slot, h, w)
	}
	if slot < 0 && d/2 == a && v.gr.B[f] != graph.Air { // the wall at the grid's high end has no slot
		v.diag[f] += h
	}
	if walls == 2 || slot < 0 {
		return
	}
	if g := v.face(a, slot); g >= 0 {
		if math.Abs(v.gr.Area[g]-float64(h*h)) > .5*h*h {
			return // a finer face: it decides
		}
		w := float64(h * (1 - float64(float64(walls)/2)))
		v.links[f].to[d], v.links[f].w[d] = g, w
		v.diag[f] += w
		return
	}
	if v.state[a][slot] == shut && (d/2 == a || walls == 0 && v.NoSlip) {
		v.diag[f] += h
		v.inflow[f] += float64(h * float64(v.wall[a][slot]))
	}
}

// hold has the wall half a cell off in direction d pull on a face with the weight w.
func (v *linker) hold(f int32, d, a, slot int, h, w float64) {
	if v.Wall == nil {
		if slot >= 0 && v.state[a][slot] == shut {
			v.inflow[f] += float64(w * float64(v.wall[a][slot]))
		}
		return
	}
	x := v.gr.FaceCentre(int(f))
	x[d/2] += float64(.5 * h * float64(2*(d&1)-1))
	t := &v.held
	t.face, t.w, t.axis, t.at = append(t.face, f), append(t.w, w), append(t.axis, uint8(a)), append(t.at, x)
}

// linkUnlike couples a fine face to a coarser one.
func (v *linker) linkUnlike(f int32, a, slot int, w float64) {
	if slot < 0 {
		return
	}
	if g := v.face(a, slot); g >= 0 {
		v.unlike = append(v.unlike, unlike{f, g, w})
	} else if v.state[a][slot] == shut {
		v.diag[f] += w
		v.inflow[f] += float64(w * float64(v.wall[a][slot]))
	}
}
