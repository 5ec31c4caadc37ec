package bcc

// low is a base cell's low corner, m.
func (l *Lattice) low(b int32) [3]float64 { return l.grid.Corner(b) }

// addVertices writes those of a base cell.
func (l *Lattice) addVertices(b int32) {
	lo := l.low(b)
	var x [3][wholeEdge + 1]float64
	for a := range 3 {
		for i := range x[a] {
			x[a][i] = lo[a] + float64(l.quarter*float64(i))
		}
	}
	v := l.addCentres(b, int(l.VertexRuns[b]), &x)
	l.addCorners(b, v, &x)
	l.addBeyond(b, &lo)
}

// addCentres writes the centres of a base cell's cells from vertex v on, and gives the next vertex. x are coordinates, m, per axis and quarter.
func (l *Lattice) addCentres(b int32, v int, x *[3][wholeEdge + 1]float64) int {
	level, cell := l.levels[b], l.first[b]
	edge := wholeEdge >> level
	for k := edge / 2; k < wholeEdge; k += edge {
		for j := edge / 2; j < wholeEdge; j += edge {
			for i := edge / 2; i < wholeEdge; i += edge {
				l.Position[v] = [3]float64{x[0][i], x[1][j], x[2][k]}
				l.Cell[v], l.Level[v], l.Beyond[v] = cell, level, false
				cell++
				v++
			}
		}
	}
	return v
}

// addCorners writes a base cell's corners from vertex v on.
func (l *Lattice) addCorners(b int32, v int, x *[3][wholeEdge + 1]float64) {
	own := &l.blocks[b]
	for p := range 27 {
		if !own.owns(p) {
			continue
		}
		by := wholeEdge >> own.finest[p]
		x0, x1 := corners(p%3, by)
		y0, y1 := corners(p/3%3, by)
		z0, z1 := corners(p/9, by)
		for k := z0; k <= z1; k += by {
			for j := y0; j <= y1; j += by {
				for i := x0; i <= x1; i += by {
					l.Position[v] = [3]float64{x[0][i], x[1][j], x[2][k]}
					l.Cell[v], l.Level[v], l.Beyond[v] = none, uint8(own.finest[p]), false
					v++
				}
			}
		}
	}
}

// corners are the first and the last along an axis of a part's corners, in quarters.
func corners(part, by int) (lo, hi int) {
	switch part {
	case 0:
		return 0, 0
	case 2:
		return wholeEdge, wholeEdge
	}
	return by, wholeEdge - by
}

// addBeyond writes the centres beyond the layout's sides.
func (l *Lattice) addBeyond(b int32, lo *[3]float64) {
	k := &l.blocks[b]
	n := 1 << k.level()
	edge := wholeEdge / n
	for side, first := range k.beyond {
		if k.neighbour(side/2, side%2) >= 0 {
			continue
		}
		v := l.VertexRuns[b] + first
		plane := -edge / 2
		if side%2 == 1 {
			plane = wholeEdge + edge/2
		}
		for j := range n {
			for i := range n {
				l.Position[v] = l.at(lo, placed(side/2, i*edge+edge/2, j*edge+edge/2, plane))
				l.Cell[v], l.Level[v], l.Beyond[v] = none, uint8(k.level()), true
				v++
			}
		}
	}
}

// at is a place in quarters from a base cell's low corner, m.
func (l *Lattice) at(lo *[3]float64, p [3]int) (x [3]float64) {
	for a := range x {
		x[a] = lo[a] + float64(l.quarter*float64(p[a]))
	}
	return x
}

// quarters is the other way round.
func (l *Lattice) quarters(lo, x *[3]float64) [3]int {
	return [3]int{
		int(float64((x[0]-lo[0])*l.perQuarter)+(beyondOf+.5)) - beyondOf,
		int(float64((x[1]-lo[1])*l.perQuarter)+(beyondOf+.5)) - beyondOf,
		int(float64((x[2]-lo[2])*l.perQuarter)+(beyondOf+.5)) - beyondOf,
	}
}

// addSides writes what of Centres is a base cell's that touches the layout's sides: per side four corners of polygons below tips, one for each corner of the base
// cell's face there, needed or not; then the middles of cells' edges along the layout's edges.
func (l *Lattice) addSides(b int32) {
	k, lo := &l.blocks[b], l.low(b)
	n := 1 << k.level()
	edge := wholeEdge / n
	for side := range 6 {
		if k.neighbour(side/2, side%2) >= 0 {
			continue
		}
		for c := range 4 {
			u, v := edge/4, edge/4
			if cornerU[c] == 1 {
				u = wholeEdge - u
			}
			if cornerV[c] == 1 {
				v = wholeEdge - v
			}
			l.Centres[l.belowTip(b, side, c)] = l.at(&lo, placed(side/2, u, v, side%2*wholeEdge))
		}
	}
	for a := range 3 {
		for c := range 4 {
			u, v := c%2, c/2
			if k.neighbour((a+1)%3, u) >= 0 || k.neighbour((a+2)%3, v) >= 0 {
				continue
			}
			for i := range n {
				l.Centres[l.onEdge(b, a, u, v, i)] = l.at(&lo, placed(a, u*wholeEdge, v*wholeEdge, i*edge+edge/2))
			}
		}
	}
}

// belowTip is the entry of Centres below a tip on a side of the layout, at a corner of the base cell's face there.
func (l *Lattice) belowTip(b int32, side, corner int) int32 {
	k := &l.blocks[b]
	at := l.TetRuns[len(l.blocks)] + k.side + int32(corner)
	for s := range side {
		if k.neighbour(s/2, s%2) < 0 {
			at += 4
		}
	}
	return at
}

// onEdge is the entry of Centres in the middle of an edge of cell i along the layout's edge along an axis, at sides along the next two.
func (l *Lattice) onEdge(b int32, axis, u, v, i int) int32 {
	k := &l.blocks[b]
	at := l.belowTip(b, 6, 0) + int32(i)
	for a := range axis + 1 {
		for c := range 4 {
			if a == axis && c >= u+2*v {
				break
			}
			if k.neighbour((a+1)%3, c%2) < 0 && k.neighbour((a+2)%3, c/2) < 0 {
				at += int32(1) << k.level()
			}
		}
	}
	return at
}
