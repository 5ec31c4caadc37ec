package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// thetaLeast bounds θ from below. Double precision allows far smaller values than the
// customary .05, and a small bound keeps a tilted still surface exact.
const thetaLeast = 1e-7

// rowsOn is how many of a side's cells are rows.
func (d *Discretiser) rowsOn(s *side) (n int) {
	for _, c := range s.cells[:s.n] {
		if d.Row[c] >= 0 {
			n++
		}
	}
	return n
}

// mostFaces is how many faces a block has along an axis at most.
const mostFaces = layout.Edge * layout.Edge * layout.Edge

// uniformFaces is what faces between cells of one size have in common, each as often as a block may need it: to copy that is faster than to write it.
type uniformFaces struct{ area, dist [mostFaces]float64 }

var (
	axes = [3][mostFaces]uint8{repeat[uint8](0), repeat[uint8](1), repeat[uint8](2)}
	ones = repeat(1.)
)

// repeat is a value for every face of a block along an axis.
func repeat[T any](v T) (s [mostFaces]T) {
	fill(s[:], v)
	return s
}

// faceList writes the graph's faces.
type faceList struct {
	d       *Discretiser
	uniform [4]uniformFaces // per level
}

// fillFaces writes the block's faces from its place in the list on.
func (l *faceList) fillFaces(b int32) {
	d := l.d
	l.findConnectivity(b)
	f, q := d.counts[b].faces, d.counts[b].quads
	if d.counts[b+1].faces == f {
		return
	}
	k := d.block(b)
	for a := range 3 {
		f, q = l.fillAxis(&k, a, f, q)
	}
}

// fillAxis writes the faces along one axis, the first of them f, and returns the next free face and quad.
func (l *faceList) fillAxis(k *block, a int, f, q int32) (int32, int32) {
	d := l.d
	gr, p := d.gr, &d.patterns[k.b]
	end := f + p.faces[a].count()
	alike := &l.uniform[k.bits]
	copy(gr.Cubes.Axis[f:end], axes[a][:])
	copy(gr.Area[f:end], alike.area[:])
	copy(gr.Dist[f:end], alike.dist[:])
	l.fillOpen(k, a, gr.Open[f:end])
	stride, across := 1<<(k.bits*a), d.below(k, a)
	for i, m := range &p.faces[a] {
		for m != 0 {
			bit := bits.TrailingZeros64(m)
			c, way, side := i<<6+bit, -stride, ^lowSide[k.bits][a][i]
			if side>>bit&1 == 0 {
				way, side = across, ^side
			}
			slot := int(k.first) + c
			gr.Slot[f] = int32(slot)
			n := bits.TrailingZeros64(^(p.links[a][i] & side >> bit))
			switch below := slot + way; {
			case n > 0: // rows are numbered as cells are: on either side of a run of faces between rows they are a run, too
				l.fillRun(f, a, slot, below, n)
			case way == unlike:
				n, q = 1, l.fillEdgeFace(k, f, q, a, k.place(c))
			default:
				n = 1
				l.fillFace(f, a, orAir(d.Row[below]), orAir(d.Row[slot]), d.phi[below], d.phi[slot], k.h)
				l.addWalls(k, f, a, c)
			}
			f += int32(n)
			m &^= (1<<n - 1) << bit
		}
	}
	return f, q
}

// fillOpen writes how far a block's faces along an axis are open.
func (l *faceList) fillOpen(k *block, a int, to []float64) {
	d := l.d
	copy(to, ones[:])
	open, whole := d.Open[a][k.first:][:1<<(3*k.bits)], &d.masks[k.b].now.whole[a]
	for i, m := range &d.patterns[k.b].faces[a] {
		for cut := m &^ whole[i]; cut != 0; cut &= cut - 1 {
			to[bits.OnesCount64(m&(cut&-cut-1))] = open[i<<6+bits.TrailingZeros64(cut)]
		}
		to = to[bits.OnesCount64(m):]
	}
}

// fillRun writes n faces between rows, the first of them f, from a slot on, and enters them there.
func (l *faceList) fillRun(f int32, a, slot, below, n int) {
	d := l.d
	gr, lo, hi := d.gr, d.Row[below], d.Row[slot]
	lower, upper, slots := gr.A[f:][:n], gr.B[f:][:n], gr.Slot[f:][:n]
	under, over := gr.Cubes.Sides[lo:][:n], gr.Cubes.Sides[hi:][:n]
	for i := range lower {
		on := int32(i)
		lower[i], upper[i], slots[i] = lo+on, hi+on, int32(slot)+on
		under[i][2*a+1], over[i][2*a] = f+on, f+on
	}
}

// fill sets all entries of a list, by copying those that are set: that is faster than to write them.
func fill[T any](s []T, v T) {
	if len(s) > 0 {
		s[0] = v
	}
	for n := 1; n < len(s); n *= 2 {
		copy(s[n:], s[:n])
	}
}

func orAir(row int32) int32 {
	if row < 0 {
		return graph.Air
	}
	return row
}

// fillFace writes a face between rows or air, where φ is phiLo and phiHi, and enters it at the rows.
func (l *faceList) fillFace(f int32, a int, lo, hi int32, phiLo, phiHi float32, dist float64) {
	d := l.d
	theta := 1.
	if lo == graph.Air {
		theta = float64(phiHi) / float64(phiHi-phiLo)
	} else if hi == graph.Air {
		theta = float64(phiLo) / float64(phiLo-phiHi)
	}
	d.gr.A[f], d.gr.B[f] = lo, hi
	d.gr.Dist[f], d.gr.Jump[f] = dist*max(theta, thetaLeast), 0
	l.enterFace(lo, 2*a+1, f)
	l.enterFace(hi, 2*a, f)
}

// enterFace enters a face at the rows of one side.
func (l *faceList) enterFace(rows int32, side int, f int32) {
	d := l.d
	switch {
	case rows >= 0:
		d.gr.Cubes.Sides[rows][side] = f
	case rows != graph.Air:
		for _, r := range &d.gr.Cubes.Quads[^rows] {
			if r != graph.Air {
				d.gr.Cubes.Sides[r][side] = f
			}
		}
	}
}

// fillEdgeFace writes a face between blocks of different levels and returns the next free quad.
func (l *faceList) fillEdgeFace(k *block, f, q int32, a int, at [3]int) int32 {
	d := l.d
	lo, hi := d.sides(k, a, at)
	var id [2]int32
	var phi [2]float32
	for i, s := range [2]*side{&lo, &hi} {
		if s.n == 1 {
			id[i], phi[i] = orAir(d.Row[s.cells[0]]), d.phi[s.cells[0]]
			continue
		}
		// θ needs the mean φ of those cells that are what the side is: liquid if any is.
		id[i] = graph.Air
		if d.rowsOn(s) > 0 {
			id[i] = ^q
		}
		n := float32(0)
		for c, cell := range s.cells {
			d.gr.Cubes.Quads[q][c] = orAir(d.Row[cell])
			if id[i] == graph.Air || d.Row[cell] >= 0 {
				phi[i] += d.phi[cell]
				n++
			}
		}
		phi[i] /= n
	}
	if lo.n == 4 || hi.n == 4 {
		d.ghosts.junctions[q] = junction{f, k.b}
		fine := &lo
		if lo.n == 1 {
			fine = &hi
		}
		d.gr.Cubes.Regularised[q] = d.Touched(k.b) || d.Touched(d.g.Neighbour[k.b][2*a]) || l.anyShut(fine)
		l.share(q, fine)
		q++
	}
	dist := k.h
	switch {
	case lo.n == 4:
		dist = .75 * k.h
	case hi.n == 4:
		dist = 1.5 * k.h
	}
	d.gr.Area[f] = d.area(k, a, at)
	l.fillFace(f, a, id[0], id[1], phi[0], phi[1], dist)
	return q
}

// share gives each of a quad's cells its part of the face: as solids leave of the cells, if they are all rows. What leads to a cell
// that lies in a solid would else be shut, and with it the rest.
func (l *faceList) share(q int32, s *side) {
	d := l.d
	shares := &d.gr.Cubes.Shares[q]
	*shares = [4]float64{.25, .25, .25, .25}
	volume, sum, any := [4]float64{}, 0., false
	for i, c := range s.cells {
		if d.Row[c] < 0 {
			return
		}
		volume[i] = float64(d.Volume[c])
		sum += volume[i]
		any = any || volume[i] != volume[0]
	}
	if any {
		for i, v := range volume {
			shares[i] = v / sum
		}
	}
}

// anyShut tells whether one of a side's cells is outside of the domain, so that no other face leads to it.
func (l *faceList) anyShut(s *side) bool {
	for _, c := range s.cells[:s.n] {
		if l.d.static.volume[c] == 0 {
			return true
		}
	}
	return false
}

// Touched tells whether a static solid or a body touches a block.
func (d *Discretiser) Touched(b int32) bool { return !d.static.bare[b] || d.bodies.merged[b].hits > 0 }

// TouchedByFixed tells whether a static solid touches a block.
func (d *Discretiser) TouchedByFixed(b int32) bool { return !d.static.bare[b] }

// Fixed is the fraction of each face that static solids and walls leave, and what they leave of each cell, m³: where those lists are kept.
func (d *Discretiser) Fixed() (open *[3][]float64, volume *[]float32) {
	return &d.static.open, &d.static.volume
}

// CutsInto tells whether solids or the domain's sides may take a part of some cell of a block.
func (d *Discretiser) CutsInto(b int32) bool { return !d.untouched(b) }

// untouched tells whether no solid and no wall touches a block.
func (d *Discretiser) untouched(b int32) bool {
	return d.static.plain[b] && d.bodies.merged[b].hits == 0
}
