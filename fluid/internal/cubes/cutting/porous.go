package cutting

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A stick that is thinner than a cell covers a face wholly or not at all, by where it happens to lie, and fills of most cells
// nothing that the corners and the middle show. The grid takes such a body for a porous one: of each face it covers the part that it
// fills of the space between the centres of the two cells. The pressures across the faces then push each sample as the pressure's
// gradient there pushes its volume, at the place where it is: still liquid exactly by its weight, wherever the body lies in the grid
// and however thin it is. What it leaves open of faces and cells is the liquid's, and as for other bodies what the rows push the body by
// is what the body pushes the rows by.

// addSamples makes the part of a body that is porous cover the block's faces and fill its cells.
func (cuts *bodyCuts) addSamples(s *scratch, j *job, k *block) {
	cut := 1 - j.at.Porous
	for i := range j.faces {
		f := &j.faces[i]
		f.solid, f.taken = f.solid*cut, f.taken*cut
	}
	cells := k.n * k.n * k.n
	fill(s.cellOf[:cells], -1)
	for i := range j.cells {
		c := &j.cells[i]
		c.solid, c.taken = c.solid*cut, c.taken*cut
		s.cellOf[c.cell-k.first] = int32(i)
	}
	s.listFaces(j, k)
	sides := cuts.sidesOf(k)
	for i := range j.at.Samples {
		cuts.addSample(s, j, k, &sides, &j.at.Samples[i])
	}
	for i := range j.faces {
		if f := &j.faces[i]; f.porous > 1-f.solid {
			f.porous = max(0, 1-f.solid)
		}
	}
	for i := range j.faces {
		f := &j.faces[i]
		f.solid += f.porous
	}
	j.hit = j.hit || len(j.faces)+len(j.cells) > 0
}

// addSample adds a sample to the cell that it is in and to the three faces that it is nearest to, if they are the block's.
func (cuts *bodyCuts) addSample(s *scratch, j *job, k *block, sides *blockSides, sample *rigid.Sample) {
	p := [3]float64{(sample.X.X - k.lo[0]) / k.h, (sample.X.Y - k.lo[1]) / k.h, (sample.X.Z - k.lo[2]) / k.h}
	if min(p[0], p[1], p[2]) < -1 || max(p[0], p[1], p[2]) >= float64(k.n)+.5 {
		return
	}
	var at [3]int
	inside := [3]bool{}
	for a, x := range p {
		at[a] = int(math.Floor(x))
		inside[a] = at[a] >= 0 && at[a] < k.n
	}
	part := j.at.Porous * sample.Volume / (k.h * k.h * k.h)
	if inside[0] && inside[1] && inside[2] {
		s.fillCell(j, k, at, part)
	}
	for a := range 3 {
		if inside[(a+1)%3] && inside[(a+2)%3] {
			cuts.coverFace(s, j, k, sides, a, at, p[a], part, sample.X)
		}
	}
}

func (s *scratch) fillCell(j *job, k *block, at [3]int, part float64) {
	i := k.index(at)
	of := &s.cellOf[i]
	if *of < 0 {
		*of = int32(len(j.cells))
		j.addCell(k.first + int32(i)).x = k.centre(at[0], at[1], at[2])
	}
	c := &j.cells[*of]
	c.taken += part
	c.porous += part
}

// coverFace adds a sample, part of a cell, at x along axis a, in cells, to the face of the block that it is nearest to.
func (cuts *bodyCuts) coverFace(s *scratch, j *job, k *block, sides *blockSides, a int, at [3]int, x, part float64, where r3.Vec) {
	face, length := cuts.nearestFace(k, a, at[a], x)
	if face < 0 || face >= k.n {
		return
	}
	at[a] = face
	part /= length
	if face == 0 && sides.coarse[a] {
		at[(a+1)%3] &^= 1
		at[(a+2)%3] &^= 1
		part /= 4
	}
	slot := k.first + int32(k.index(at))
	of := &s.faceOf[a][slot-k.first]
	if *of < 0 {
		*of = int32(len(j.faces))
		j.addFace(a, at, slot, false).x = where
	}
	f := &j.faces[*of]
	if all := f.solid + f.porous + part; all > 0 {
		f.x = r3.Add(f.x, reproducible.Scale(part/all, r3.Sub(where, f.x)))
	}
	f.porous += part
}

// nearestFace is the face along axis a, of those on the low side of a block's cells, in whose reach up to the cells' centres x is, in
// cells, of a sample in a cell, and how far these are apart. It is -1 or the number of cells if there is none.
func (cuts *bodyCuts) nearestFace(k *block, a, cell int, x float64) (face int, length float64) {
	low, high := cuts.g.Neighbour[k.b][2*a], cuts.g.Neighbour[k.b][2*a+1]
	below := 0. // how far the centre beyond the block's low side is
	if low != layout.None {
		below = cuts.g.CellSize(cuts.g.Cur.Level[low]) / (2 * k.h)
	}
	switch face = int(math.Floor(x + .5)); {
	case x < -below:
		return -1, 1
	case x < 0:
		face = 0
	}
	if cell >= 0 && cell < k.n { // where a side of the domain has taken the face, it is the one across the cell
		shut := face == 0 && low == layout.None || face == k.n && high == layout.None || cuts.domain.inSide(k, a, face)
		if shut && face == cell {
			face++
		} else if shut {
			face--
		}
	}
	if face == 0 {
		if low == layout.None {
			return -1, 1
		}
		return 0, .5 + below
	}
	return face, 1
}

// couplePorous adds what a face covers of a porous body, by an area, m², to the rows on its two sides.
func (cp *coupling) couplePorous(s *scratch, w *graph.BodyCoupling, lo, hi *side, f *solidFace, area float64, arm r3.Vec) {
	push := wrenchOf(int(f.axis), area, arm)
	for n, on := range [2]*side{lo, hi} {
		share := 1 / float64(max(1, on.n))
		if n == 1 {
			share = -share
		}
		for _, c := range on.cells[:on.n] {
			p := cp.rowPatch(s, w, c)
			for i, v := range push {
				if p != nil {
					p.k[i] += float64(share * v)
				}
			}
		}
	}
}

// addStill adds what rows on the two sides of a face exert on an area of it, m², where the liquid is still.
func (cp *coupling) addStill(w *graph.BodyCoupling, lo, hi *side, a int, area float64, arm r3.Vec) {
	deeper := float64(cp.upward(a) * cp.depthDifference(lo, hi, a))
	for i, v := range wrenchOf(a, area, arm) {
		w.Still[i] += float64(deeper * v)
	}
}

// addGapStill adds the weight of the liquid in a row's gap along an axis.
func (cp *coupling) addGapStill(w *graph.BodyCoupling, a int, gap *[6]float64) {
	up := float64(cp.d.Up[a] * cp.upward(a))
	w.Still[a] -= float64(up * gap[0])
	w.Still[3+(a+1)%3] -= float64(up * gap[2])
	w.Still[3+(a+2)%3] += float64(up * gap[1])
}

// upward is how much of what rows exert along an axis counts in Still: where the surface lies along the grid, what rows press
// sideways against air beside them is that of waves.
func (cp *coupling) upward(a int) float64 {
	d := cp.d
	up := math.Abs(d.Up[a])
	return up + float64((1-up)*min(1, 10*(math.Abs(d.Up[0])+math.Abs(d.Up[1])+math.Abs(d.Up[2])-1)))
}

// depthDifference is how much deeper the rows on the low side of a face are in still liquid than those on its high side, m.
func (cp *coupling) depthDifference(lo, hi *side, a int) float64 {
	d := cp.d
	if n := d.rowsOn(lo) + d.rowsOn(hi); n == 0 {
		return 0
	} else if n == lo.n+hi.n && lo.n > 0 && hi.n > 0 {
		return float64(d.Up[a] * float64(cp.sizeOf(lo)+cp.sizeOf(hi)) / 2)
	}
	if below := d.Row[lo.cells[0]] >= 0; lo.n == 1 && hi.n == 1 && below == (d.Up[a] > 0) { // the surface as the pressure solve has it
		p, q := float64(d.phi[lo.cells[0]]), float64(d.phi[hi.cells[0]])
		if p*q < 0 {
			return float64(d.Up[a]*cp.centreDistance(lo, hi)) * max(math.Abs(min(p, q)), 1e-9) / math.Abs(p-q)
		}
	}
	return cp.depth(lo) - cp.depth(hi)
}

// centreDistance is the way between the centres of two rows or cells of which one is a row, m.
func (cp *coupling) centreDistance(lo, hi *side) float64 {
	if cp.d.Row[lo.cells[0]] >= 0 {
		return cp.sizeOf(lo)
	}
	return cp.sizeOf(hi)
}

// depth is how deep the rows on a side of a face are, in the mean over its cells, m.
func (cp *coupling) depth(on *side) (depth float64) {
	d := cp.d
	for _, c := range on.cells[:on.n] {
		if d.Row[c] >= 0 {
			depth -= float64(d.phi[c]) / float64(on.n)
		}
	}
	return depth
}

// sizeOf is the edge of a side's cells, which are rows, m.
func (cp *coupling) sizeOf(on *side) float64 { return float64(cp.d.gr.Size[cp.d.Row[on.cells[0]]]) }
