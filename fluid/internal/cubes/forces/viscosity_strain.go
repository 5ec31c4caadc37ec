package forces

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// linker finds the strains of a chunk of blocks.
type linker struct {
	*Viscosity
	first   int32 // of its strains among all
	strains []strain
	terms   []term
	grips   []grip
	sides   float64 // of the strain that is being made: what the domain's sides make of it, 1/s
}

// strain is a rate of strain, 1/s: terms and grips that begin where those of the one before end, and what the domain's sides make of it.
type strain struct {
	end, grips int32
	weight     float64 // m³
	sides      float64 // 1/s
}

// term is what a face's velocity enters a strain with, 1/m, and the strain's place in the face's links.
type term struct {
	face int32
	link uint8
	by   float64
}

// findStrains finds the strains of blocks lo to hi.
func (v *linker) findStrains(lo, hi int) {
	v.strains, v.terms, v.grips, v.sides = v.strains[:0], v.terms[:0], v.grips[:0], 0
	for b := lo; b < hi; b++ {
		v.stretches(int32(b))
		if v.wet(int32(b)) {
			v.shears(int32(b))
		}
	}
}

// linkStrains enters the strains at their faces, now that it is known which come before.
func (v *linker) linkStrains() {
	from := int32(0)
	for i := range v.strains {
		s, id := &v.strains[i], v.first+int32(i)
		v.weight[id] = s.weight
		for _, t := range v.terms[from:s.end] {
			l := &v.links[t.face]
			l.strain[t.link], l.by[t.link] = id, t.by
		}
		from = s.end
	}
}

// setStresses sets the stresses for the velocities at hand.
func (v *linker) setStresses() {
	x, twists, stress, from, grips := v.in, v.Viscosity.held.in, v.stress[v.first:], int32(0), int32(0)
	for i := range v.strains {
		s, sum := &v.strains[i], 0.
		if !v.bare {
			sum = s.sides
		}
		for _, t := range v.terms[from:s.end] {
			sum += float64(t.by * x[t.face])
		}
		for ; grips < s.grips; grips++ {
			if g := &v.grips[grips]; g.solid >= 0 {
				sum += rigid.Dot(&g.k, &twists[g.solid])
			}
		}
		stress[i] = s.weight * sum
		from = s.end
	}
}

// add adds a term to the strain that is being made.
func (v *linker) add(face int32, link uint8, by float64) {
	v.terms = append(v.terms, term{face, link, by})
}

// begun is where the terms and the grips of the strain that is being made begin.
func (v *linker) begun() (terms, grips int32) {
	if n := len(v.strains); n > 0 {
		return v.strains[n-1].end, v.strains[n-1].grips
	}
	return 0, 0
}

// finish ends the strain that is being made: of a volume, m³, as much of which is liquid as of its faces' cubes.
func (v *linker) finish(volume float64) {
	from, _ := v.begun()
	part := 0.
	terms := v.terms[from:]
	for _, t := range terms {
		part += v.part[t.face]
	}
	weight := volume * part / float64(len(terms))
	v.strains = append(v.strains, strain{int32(len(v.terms)), int32(len(v.grips)), weight, v.sides})
	v.sides = 0
}

// drop gives up the strain that is being made.
func (v *linker) drop() {
	terms, grips := v.begun()
	v.terms, v.grips, v.sides = v.terms[:terms], v.grips[:grips], 0
}

// stretches makes the strains of a block's cells.
func (v *linker) stretches(b int32) {
	gr := v.gr
	for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
		h := float64(gr.Size[r])
		for a := range 3 {
			v.stretch(b, r, a, h)
		}
	}
}

// stretch makes the strain of a row along an axis. Twice the square of ∂u_a/∂a enters the dissipation, the square of a line's strain once.
// Where the cells on one side are of another size, those four that share a face there have one strain: the mean of their
// other faces is at the middle of the shared one.
func (v *linker) stretch(b, r int32, a int, h float64) {
	gr := v.gr
	var ends [2]end
	for side := range 2 {
		f := gr.Cubes.Sides[r][2*a+side]
		if f >= 0 && gr.Area[f] > 2*h*h {
			v.stretchFour(r, f, a, side, h)
			return
		}
		if !v.findEnd(&ends[side], b, r, f, a, side, h) {
			return
		}
	}
	lo, hi := &ends[0], &ends[1]
	switch {
	case lo.liquid && hi.liquid:
		v.add(lo.face, 1, -1/h)
		v.add(hi.face, 0, 1/h)
		v.finish(2 * h * h * h)
	case lo.liquid:
		v.stretchToSolid(lo, hi, a, 1, h)
	case hi.liquid:
		v.stretchToSolid(hi, lo, a, 0, h)
	}
}

// end is one of a cell's two faces across an axis.
type end struct {
	face   int32
	liquid bool
	near   float64 // distance to the nearest solid, m
	solid  int32   // which that is
	at     [3]float64
}

// findEnd finds face f on a side of a row, -1 if there is none. It is false if what is there is air.
func (v *linker) findEnd(e *end, b, r, f int32, a, side int, h float64) bool {
	e.face, e.at = f, v.gr.Centre[r]
	e.at[a] += float64((float64(side) - .5) * h)
	var slot int
	if f >= 0 {
		slot = int(v.gr.Slot[f])
	} else {
		l := v.g.Cur.Level[b]
		i := int(v.gr.Cell[r] - v.g.Cur.First[b])
		at := [3]int{i & (1<<l - 1), i >> l & (1<<l - 1), i >> (2 * l)}
		at[a] += side
		slot = v.g.FaceCell(b, a, at)
	}
	kind := v.kindOf(a, slot, f, h)
	e.liquid = kind == liquid
	e.near, e.solid = v.nearest(a, slot, &e.at)
	return kind != absent
}

// stretchToSolid makes the strain between a face and a solid that the one on a side of it lies in.
func (v *linker) stretchToSolid(from, to *end, a, side int, h float64) {
	way := wayToSolid(from.near, to.near, h)
	by, at := float64(2*side-1)/way, from.at
	at[a] += float64(float64(2*side-1) * way)
	v.add(from.face, uint8(side), -by)
	v.grip(to.solid, a, at, by)
	v.finish(2 * h * h * way)
}

// stretchFour makes the strain of the four rows beside face f, from the first of them.
func (v *linker) stretchFour(r, f int32, a, side int, h float64) {
	gr := v.gr
	q := gr.A[f]
	if side == 0 {
		q = gr.B[f]
	}
	if q >= 0 || q == graph.Air || gr.Cubes.Quads[^q][0] != r {
		return
	}
	by := float64(2*side-1) / h
	v.add(f, uint8(1-side), by)
	lost := v.sunk(f)
	for _, r := range gr.Cubes.Quads[^q] {
		if r < 0 || gr.Cubes.Sides[r][2*a+1-side] < 0 {
			v.drop()
			return
		}
		lost = lost || v.sunk(gr.Cubes.Sides[r][2*a+1-side])
		v.add(gr.Cubes.Sides[r][2*a+1-side], uint8(side), -by/4)
	}
	if lost {
		v.drop()
		return
	}
	v.finish(8 * h * h * h)
}

// wet tells whether there are faces in a block or in one below it, whose lines are this one's.
func (v *linker) wet(b int32) bool {
	for d, nb := range v.g.Nearby(b) {
		if d%3 < 2 && d/3%3 < 2 && d/9 < 2 && nb != layout.None && v.gr.Parts[nb].Face != v.gr.Parts[nb+1].Face {
			return true
		}
	}
	return false
}

// shears makes the strains of the lines between a block's cells, and on its low sides; at the grid's high end on its high sides, too.
func (v *linker) shears(b int32) {
	n := 1 << v.g.Cur.Level[b]
	for c := range 3 {
		p, q := (c+1)%3, (c+2)%3
		var end [3]int
		for a := range 3 {
			end[a] = n
			if a != c && v.g.Neighbour[b][2*a+1] == layout.None {
				end[a] = n + 1
			}
		}
		for z := range end[2] {
			for y := range end[1] {
				for x := range end[0] {
					at := [3]int{x, y, z}
					if at[p] > 0 && at[p] < n && at[q] > 0 && at[q] < n {
						v.shearWithin(b, c, at, n)
					} else {
						v.shearAt(b, c, at, n)
					}
				}
			}
		}
	}
}

// arm is the faces on one side of a line whose normals lie along another axis: of one size, their middles half of it from the line.
type arm struct {
	count   int
	face    [8]int32 // -1: in a solid
	solid   [8]int32 // the nearest
	liquid  int      // how many are the graph's
	absent  bool     // some are neither, but in the air
	half    float64  // half their size, m
	near    float64  // the sum of their distances to solids, m
	at      [3]float64
	spacing float64 // from one's middle to the next along the line; at is the first one's
}

// put adds the face of an axis at a slot, along a line along another; -1 is beyond the grid's end.
func (m *arm) put(v *linker, a, along, slot int) {
	f := int32(-1)
	if slot >= 0 {
		f = v.face(a, slot)
	}
	i := m.count & 7
	x := m.at
	x[along] += float64(float64(i) * m.spacing)
	d, solid := v.nearest(a, slot, &x)
	m.face[i], m.solid[i], m.near = -1, solid, m.near+d
	switch v.kindOf(a, slot, f, 2*m.half) {
	case liquid:
		m.face[i] = f
		m.liquid++
	case absent:
		m.absent = true
	}
	m.count++
}

// solidAll tells whether all lie in solids.
func (m *arm) solidAll() bool { return !m.absent && m.liquid == 0 }

// wet tells whether all are liquid.
func (m *arm) wet() bool { return m.count > 0 && m.liquid == m.count }

// middle is the middle of all.
func (m *arm) middle(c int) [3]float64 {
	x := m.at
	x[c] += float64(float64(m.count-1) / 2 * m.spacing)
	return x
}

// line is where four cells meet: along an axis, so long, from the place at, m; and the faces around: of those across the next axis
// those below and above on the one after, then the other way round.
type line struct {
	axis   int
	length float64
	at     [3]float64
	arms   [2][2]arm
}

// shearWithin makes the strain of a line inside a block of n³ cells.
func (v *linker) shearWithin(b int32, c int, at [3]int, n int) {
	p, q := (c+1)%3, (c+2)%3
	stride := [3]int{1, n, n * n}
	s := int(v.g.Cur.First[b]) + at[0] + n*(at[1]+n*at[2])
	f := [4]int32{v.face(p, s-stride[q]), v.face(p, s), v.face(q, s-stride[p]), v.face(q, s)}
	if f[0] >= 0 && f[1] >= 0 && f[2] >= 0 && f[3] >= 0 && !v.sunk(f[0]) && !v.sunk(f[1]) && !v.sunk(f[2]) && !v.sunk(f[3]) {
		h := v.g.CellSize(v.g.Cur.Level[b])
		by := 1 / h
		v.add(f[0], linkOf(p, q, 0), -by)
		v.add(f[1], linkOf(p, q, 1), by)
		v.add(f[2], linkOf(q, p, 0), -by)
		v.add(f[3], linkOf(q, p, 1), by)
		v.finish(h * h * h)
		return
	}
	if f[0]&f[1]&f[2]&f[3] >= 0 { // not all are negative
		v.shearAt(b, c, at, n)
	}
}

// linkOf is the place in the links of a face across an axis of a line at its side along another: on its high side for
// faces below the line, 0, on its low side for those above, 1.
func linkOf(axis, along, above int) uint8 {
	if along == (axis+1)%3 {
		return uint8(3 - above)
	}
	return uint8(5 - above)
}

// shearAt makes the strains of any line of a block.
func (v *linker) shearAt(b int32, c int, at [3]int, n int) {
	var e line
	if v.findLine(&e, b, c, at, n) {
		v.shear(&e)
	}
}

// findLine finds the faces around a line that begins at a place of a block of n³ cells, as long as the largest of the cells around.
// It is false where no such line begins.
func (v *linker) findLine(e *line, b int32, c int, at [3]int, n int) bool {
	g := v.g
	p, q := (c+1)%3, (c+2)%3
	var around [2][2]int32 // blocks, by below and above on p and on q
	var off [2][2][3]int
	coarsest := g.Cur.Level[b]
	for i := range 2 {
		for j := range 2 {
			o := &off[i][j]
			o[p], o[q] = beyondBlock(at[p]+i-1, n), beyondBlock(at[q]+j-1, n)
			nb := g.Around(b, o[0], o[1], o[2])
			around[i][j] = nb
			if nb != layout.None {
				coarsest = min(coarsest, g.Cur.Level[nb])
			}
		}
	}
	ratio := n >> coarsest
	if at[c]%ratio != 0 || at[p]%ratio != 0 || at[q]%ratio != 0 {
		return false
	}
	e.axis, e.length = c, g.CellSize(coarsest)
	h, corner := g.CellSize(g.Cur.Level[b]), g.Corner(b)
	for a := range 3 {
		e.at[a] = corner[a] + float64(float64(at[a])*h)
	}
	for i := range 2 {
		v.findArm(e, &e.arms[0][i], p, q, i, around[0][i], around[1][i], at, off[1][i], n)
		v.findArm(e, &e.arms[1][i], q, p, i, around[i][0], around[i][1], at, off[i][1], n)
	}
	return true
}

// beyondBlock is -1 below a block of n cells along an axis, 1 above and 0 within.
func beyondBlock(i, n int) int {
	switch {
	case i < 0:
		return -1
	case i >= n:
		return 1
	}
	return 0
}

// findArm finds the faces across axis a of a line along c, below it, 0, or above, 1, on the axis along: between cells of the blocks low and high,
// the latter of which lies off from the one that at counts the cells of.
func (v *linker) findArm(e *line, m *arm, a, along, above int, low, high int32, at, off [3]int, n int) {
	g := v.g
	*m = arm{half: e.length / 2, spacing: e.length, at: e.at}
	ended := low == layout.None || high == layout.None
	level, size := uint8(0), e.length
	if !ended {
		level = g.Cur.Level[high]
		size = max(g.CellSize(level), g.CellSize(g.Cur.Level[low]))
		m.half, m.spacing = size/2, size
	}
	m.at[along] += float64(float64(2*above-1) * m.half)
	m.at[e.axis] += float64(.5 * m.spacing)
	if ended {
		m.put(v, a, e.axis, -1)
		return
	}
	k := 1 << level
	for i := range at {
		at[i] = (at[i] - off[i]*n) * k / n
	}
	at[along] += above - 1
	step := int(size/g.CellSize(level) + .5)
	for range int(e.length/size + .5) {
		m.put(v, a, e.axis, g.FaceCell(high, a, at))
		at[e.axis] += step
	}
}

// shear makes the strain of a line; where it lies in a wall, one on each side of that.
func (v *linker) shear(e *line) {
	p, q := (e.axis+1)%3, (e.axis+2)%3
	walled := false
	for i, axis := range [2]int{p, q} {
		lo, hi := &e.arms[i][0], &e.arms[i][1]
		if lo.solidAll() && (hi.solidAll() || hi.absent) || hi.solidAll() && lo.absent {
			walled = true
			if !v.FreeSlip {
				v.shearAtWall(e, 1-i, p+q-axis, axis)
			}
		}
	}
	if walled {
		return
	}
	liquid, any := 0, false
	for i := range e.arms {
		for j := range e.arms[i] {
			m := &e.arms[i][j]
			if m.absent {
				return
			}
			liquid += m.liquid
			any = any || m.liquid < m.count
		}
	}
	if liquid == 0 || any && v.FreeSlip {
		return
	}
	wide := [2]float64{e.arms[0][0].half + e.arms[0][1].half, e.arms[1][0].half + e.arms[1][1].half}
	ways := [2]float64{v.slope(e, 0, p, q, wide[0]), v.slope(e, 1, q, p, wide[1])}
	v.finish(e.length * wide[0] * wide[1] * min(ways[0]/wide[0], ways[1]/wide[1]))
}

// slope adds ∂u/∂b of the faces across axis to the strain that is being made, where b is the axis along which a line's arms lie apart, and returns how
// far it reaches: up to the solid in which those on one side lie.
func (v *linker) slope(e *line, i, axis, along int, wide float64) (way float64) {
	lo, hi := &e.arms[i][0], &e.arms[i][1]
	switch {
	case lo.wet() && hi.solidAll():
		return v.slopeToSolid(e, i, axis, along, 0, wide)
	case hi.wet() && lo.solidAll():
		return v.slopeToSolid(e, i, axis, along, 1, wide)
	}
	v.addArm(e, i, 0, axis, along, -1/wide)
	v.addArm(e, i, 1, axis, along, 1/wide)
	return wide
}

// slopeToSolid is slope for a liquid arm, below or above the line, and a solid on the other side.
func (v *linker) slopeToSolid(e *line, i, axis, along, above int, wide float64) (way float64) {
	m, other := &e.arms[i][above], &e.arms[i][1-above]
	n := float64(m.count)
	way = wayToSolid(m.near/n, other.near/float64(other.count), wide)
	by := float64(2*above-1) / way
	v.addArm(e, i, above, axis, along, by)
	at := m.middle(e.axis)
	at[along] -= float64(float64(2*above-1) * way)
	v.grip(other.solid[0], axis, at, -by)
	return way
}

// addArm adds an arm's mean velocity to the strain that is being made.
func (v *linker) addArm(e *line, i, above, axis, along int, by float64) {
	m := &e.arms[i][above]
	by /= float64(m.count)
	at := m.at
	for j, f := range m.face[:m.count] {
		if f >= 0 {
			v.add(f, linkOf(axis, along, above), by)
		} else {
			v.grip(m.solid[j], axis, at, by)
		}
		at[e.axis] += m.spacing
	}
}

// shearAtWall makes the strains between a wall across axis `across`, in which a line lies, and the faces across the axis beside it on both sides.
func (v *linker) shearAtWall(e *line, i, axis, across int) {
	wide, wall := 0., int32(-1)
	for j := range 2 {
		if m := &e.arms[1-i][j]; m.solidAll() {
			wide += m.half
			wall = m.solid[0]
		}
	}
	for above := range 2 {
		m := &e.arms[i][above]
		if !m.wet() {
			continue
		}
		other := &e.arms[i][1-above]
		way := m.near / float64(m.count)
		if other.solidAll() {
			way = wayToSolid(way, other.near/float64(other.count), m.half+other.half)
		}
		way = max(leastWay*m.half, min(way, m.half+other.half))
		if v.Solids == nil {
			way = m.half
		}
		by := float64(2*above-1) / way
		v.addArm(e, i, above, axis, across, by)
		at := m.middle(e.axis)
		at[across] -= float64(float64(2*above-1) * way)
		v.grip(wall, axis, at, -by)
		v.gripSlope(wall, across, axis)
		v.finish(e.length * wide * way)
	}
}
