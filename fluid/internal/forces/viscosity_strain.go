package forces

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// linker finds the strains of a chunk of blocks.
type linker struct {
	*Viscosity
	first   int32 // of its strains among all
	strains []strain
	terms   []term
	held    held
}

// strain is a rate of strain, 1/s: what walls make of it, and terms that begin where those of the one before end.
type strain struct {
	end    int32
	weight float64 // m³
	wall   float64 // 1/s
}

// term is what a face's velocity enters a strain with, 1/m, and the strain's place in the face's links.
type term struct {
	face int32
	link uint8
	by   float64
}

// held is where walls' velocities are needed, for one call of Wall: the strains that they enter and by how much, 1/m,
// places, m, and the velocities, m/s.
type held struct {
	strain []int32
	by     []float64
	axis   []uint8
	at     [][3]float64
	speed  []float64
}

// findStrains finds the strains of blocks lo to hi.
func (v *linker) findStrains(worker, lo, hi int) {
	h := &v.held
	v.strains, v.terms = v.strains[:0], v.terms[:0]
	h.strain, h.by, h.axis, h.at = h.strain[:0], h.by[:0], h.axis[:0], h.at[:0]
	for b := lo; b < hi; b++ {
		v.stretches(int32(b))
		if v.wet(int32(b)) {
			v.shears(int32(b))
		}
	}
	if len(h.strain) == 0 {
		return
	}
	h.speed = arrays.Resize(h.speed, len(h.strain))
	v.Wall(worker, h.axis, h.at, h.speed)
	for i, s := range h.strain {
		v.strains[s].wall += float64(h.by[i] * h.speed[i])
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
	x, stress, from := v.in, v.stress[v.first:], int32(0)
	for i := range v.strains {
		s, sum := &v.strains[i], 0.
		if !v.bare {
			sum = s.wall
		}
		for _, t := range v.terms[from:s.end] {
			sum += float64(t.by * x[t.face])
		}
		stress[i] = s.weight * sum
		from = s.end
	}
}

// add adds a term to the strain that is being made.
func (v *linker) add(face int32, link uint8, by float64) {
	v.terms = append(v.terms, term{face, link, by})
}

// finish ends the strain that is being made: of a volume, m³, as much of which is liquid as of its faces' cubes.
func (v *linker) finish(volume, wall float64) {
	from := int32(0)
	if n := len(v.strains); n > 0 {
		from = v.strains[n-1].end
	}
	part := 0.
	terms := v.terms[from:]
	for _, t := range terms {
		part += v.part[t.face]
	}
	weight := volume * part / float64(len(terms))
	v.strains = append(v.strains, strain{int32(len(v.terms)), weight, wall})
}

// drop gives up the strain that is being made.
func (v *linker) drop() {
	v.terms = v.terms[:0]
	if n := len(v.strains); n > 0 {
		v.terms = v.terms[:v.strains[n-1].end]
	}
}

// wallSpeed is the velocity of the solid that shuts a face, m/s.
func (v *linker) wallSpeed(a, slot int) float64 {
	if v.Wall == nil || slot < 0 {
		return 0
	}
	return float64(v.wall[a][slot])
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
	wall := 0.
	for side := range 2 {
		by := float64(2*side-1) / h
		f := gr.Sides[r][2*a+side]
		switch {
		case f < 0:
			at, ok := v.shutBeside(b, r, a, side)
			if !ok {
				v.drop()
				return
			}
			wall += float64(by * at)
		case gr.Area[f] > 2*h*h:
			v.drop()
			v.stretchFour(r, f, a, side, h)
			return
		default:
			v.add(f, uint8(1-side), by)
		}
	}
	v.finish(2*h*h*h, wall)
}

// stretchFour makes the strain of the four rows beside face f, from the first of them.
func (v *linker) stretchFour(r, f int32, a, side int, h float64) {
	gr := v.gr
	q := gr.A[f]
	if side == 0 {
		q = gr.B[f]
	}
	if q >= 0 || q == graph.Air || gr.Quads[^q][0] != r {
		return
	}
	by := float64(2*side-1) / h
	v.add(f, uint8(1-side), by)
	for _, r := range gr.Quads[^q] {
		if r < 0 || gr.Sides[r][2*a+1-side] < 0 {
			v.drop()
			return
		}
		v.add(gr.Sides[r][2*a+1-side], uint8(side), -by/4)
	}
	v.finish(8*h*h*h, 0)
}

// shutBeside tells whether a solid shuts a row's face on a side, and that one's velocity, m/s.
func (v *linker) shutBeside(b, r int32, a, side int) (speed float64, ok bool) {
	l := v.g.Cur.Level[b]
	i := int(v.gr.Cell[r] - v.g.Cur.First[b])
	at := [3]int{i & (1<<l - 1), i >> l & (1<<l - 1), i >> (2 * l)}
	at[a] += side
	slot := v.g.FaceCell(b, a, at)
	if slot >= 0 && v.state[a][slot] != shut {
		return 0, false
	}
	return v.wallSpeed(a, slot), true
}

// wet tells whether there are faces in a block or in one below it, whose lines are this one's.
func (v *linker) wet(b int32) bool {
	for d, nb := range v.g.Nearby(b) {
		if d%3 < 2 && d/3%3 < 2 && d/9 < 2 && nb != grid.None && v.gr.Parts[nb].Face != v.gr.Parts[nb+1].Face {
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
			if a != c && v.g.Neighbour[b][2*a+1] == grid.None {
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
	count  int
	face   [8]int32 // -1: shut
	speed  float64  // the sum of those of the shut ones, m/s
	liquid int      // how many are the graph's
	absent bool     // some are neither
	half   float64  // half their size, m
}

// put adds the face of an axis at a slot; -1 is the wall at the grid's end.
func (m *arm) put(v *linker, a, slot int) {
	f := v.face(a, slot)
	switch {
	case f >= 0:
		m.liquid++
	case slot < 0 || v.state[a][slot] == shut:
		m.speed += v.wallSpeed(a, slot)
	default:
		m.absent = true
	}
	m.face[m.count&7] = f
	m.count++
}

// shut tells whether all are.
func (m *arm) shut() bool { return !m.absent && m.liquid == 0 }

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
	if f[0] >= 0 && f[1] >= 0 && f[2] >= 0 && f[3] >= 0 {
		h := v.g.CellSize(v.g.Cur.Level[b])
		by := 1 / h
		v.add(f[0], linkOf(p, q, 0), -by)
		v.add(f[1], linkOf(p, q, 1), by)
		v.add(f[2], linkOf(q, p, 0), -by)
		v.add(f[3], linkOf(q, p, 1), by)
		v.finish(h*h*h, 0)
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
			if nb != grid.None {
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
		v.findArm(&e.arms[0][i], p, q, c, i, around[0][i], around[1][i], at, off[1][i], n, e.length)
		v.findArm(&e.arms[1][i], q, p, c, i, around[i][0], around[i][1], at, off[i][1], n, e.length)
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
func (v *linker) findArm(m *arm, a, along, c, above int, low, high int32, at, off [3]int, n int, length float64) {
	g := v.g
	*m = arm{half: length / 2}
	if low == grid.None || high == grid.None {
		if low != high { // the grid's end is a wall
			m.put(v, a, -1)
		} else {
			m.absent = true
		}
		return
	}
	level := g.Cur.Level[high]
	size := max(g.CellSize(level), g.CellSize(g.Cur.Level[low]))
	m.half = size / 2
	k := 1 << level
	for i := range at {
		at[i] = (at[i] - off[i]*n) * k / n
	}
	at[along] += above - 1
	step := int(size/g.CellSize(level) + .5)
	for range int(length/size + .5) {
		m.put(v, a, g.FaceCell(high, a, at))
		at[c] += step
	}
}

// shear makes the strain of a line; where walls shut both faces of an axis, or one where the other is in the air, one on each side of the wall.
func (v *linker) shear(e *line) {
	p, q := (e.axis+1)%3, (e.axis+2)%3
	walled := false
	for i, axis := range [2]int{p, q} {
		if lo, hi := &e.arms[i][0], &e.arms[i][1]; lo.shut() && (hi.shut() || hi.absent) || hi.shut() && lo.absent {
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
	wall := v.addArm(e, 0, 0, p, q, -1/wide[0]) + v.addArm(e, 0, 1, p, q, 1/wide[0]) +
		v.addArm(e, 1, 0, q, p, -1/wide[1]) + v.addArm(e, 1, 1, q, p, 1/wide[1])
	v.finish(e.length*wide[0]*wide[1], wall)
}

// addArm adds an arm's mean velocity to the strain that is being made, and returns what of it is the walls'.
func (v *linker) addArm(e *line, i, above, axis, along int, by float64) (wall float64) {
	m := &e.arms[i][above]
	by /= float64(m.count)
	for _, f := range m.face[:m.count] {
		if f >= 0 {
			v.add(f, linkOf(axis, along, above), by)
		}
	}
	return float64(by * m.speed)
}

// shearAtWall makes the strains between a wall across axis `across`, in which a line lies, and the faces across the axis beside it on both sides.
func (v *linker) shearAtWall(e *line, i, axis, across int) {
	shut, wide := 0, 0.
	for j := range 2 {
		if m := &e.arms[1-i][j]; m.shut() {
			shut++
			wide += m.half
		}
	}
	for above := range 2 {
		m := &e.arms[i][above]
		if m.absent || m.liquid == 0 {
			continue
		}
		by := float64(2*above-1) / m.half
		wall := v.addArm(e, i, above, axis, across, by)
		if v.Wall != nil {
			at := e.at
			at[e.axis] += float64(.5 * e.length)
			v.askWall(axis, at, -by)
			low, high := at, at
			low[axis] -= float64(.5 * e.length)
			high[axis] += float64(.5 * e.length)
			v.askWall(across, low, -1/e.length)
			v.askWall(across, high, 1/e.length)
		}
		v.finish(e.length*m.half*wide, wall)
	}
}

// askWall has a wall's velocity along an axis at a place enter the strain that is being made.
func (v *linker) askWall(axis int, at [3]float64, by float64) {
	t := &v.held
	t.strain, t.by = append(t.strain, int32(len(v.strains))), append(t.by, by)
	t.axis, t.at = append(t.axis, uint8(axis)), append(t.at, at)
}
