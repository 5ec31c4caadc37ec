package cubes

// How a tracker of its own, and what is known of its surface, end at open sides.

// cutAtSides has the tracker take away what is beyond open sides, and tells whether it has, or else is to do so as φ has it.
func (f *Followed) cutAtSides() bool {
	if !f.cuts() {
		return true
	}
	m := f.m
	f.beyond.Boxes = m.Sources.appendBeyond(f.beyond.Boxes[:0])
	return f.can.CutAtSides(&f.beyond)
}

// isCut notes that φ of a cell was cut off at an open side as the tracker's surface was.
func (f *Followed) isCut(c int32) {
	if f.cuts() {
		f.copied.taken[c] = f.m.Set.Phi[c]
	}
}

// isEmpty notes that a cell of a block in which own is kept holds no liquid any more.
func (f *Followed) isEmpty(c int32) {
	if f.cuts() && f.weighs() {
		f.excess.own[c] = 0
	}
}

// keepOwn keeps what part of a block's cells is liquid, before open sides cut some off.
func (f *Followed) keepOwn(b int32) {
	if !f.cuts() || !f.weighs() {
		return
	}
	m := f.m
	x, first, n := &f.excess, m.Grid.Cur.First[b], 1<<(3*m.Grid.Cur.Level[b])
	own := x.scratch[0].own[:n]
	m.Set.Fraction(0, b, own)
	copy(x.uncut[first:], own)
	f.addExcess(own, b)
	copy(x.own[first:], own)
}

// cutOwn makes what part of a block's cells is liquid that of what is within the open sides: all of it where these cut off nothing, and elsewhere as much
// as of the cell.
func (f *Followed) cutOwn(b int32) {
	if !f.cuts() || !f.weighs() {
		return
	}
	m, x := f.m, &f.excess
	first, h := m.Grid.Cur.First[b], m.Grid.CellSize(m.Grid.Cur.Level[b])
	pts := m.Centres.Of(m.Grid, b)
	byPhi, own, excess := x.scratch[0].byPhi[:len(pts)], x.own[first:], x.of[first:]
	m.Set.Fraction(0, b, byPhi)
	x.heavy[b] = 0
	for k, p := range pts {
		by, _ := m.Sources.beyond(p, h)
		if is := WetFraction(float32(by), float32(h)); is < 1 {
			own[k] = f.ownWithin(own[k], x.uncut[int(first)+k], byPhi[k], is)
			x.area[int(first)+k] = 0
		}
		if excess[k] = own[k] - byPhi[k]; excess[k] != 0 {
			x.heavy[b] = 1
		}
	}
}

// cuts tells whether the tracker by itself takes away what is beyond open sides.
func (f *Followed) cuts() bool { return f != nil && f.can.CutAtSides != nil }

// ownWithin is the liquid part of a cell with what open sides have cut off left out: by as much less as by φ, before and after, or where φ tells of too
// little no more than is of the cell.
func (f *Followed) ownWithin(own, before, after, is float32) float32 {
	if before > thinExcess {
		return min(is, own*min(1, after/before))
	}
	return min(is, own)
}

// tells tells whether the tracker knows of liquid in a block's cell that φ tells nothing of.
func (f *Followed) tells(b int32, cell int) bool {
	return f.cuts() && f.excess.heavy[b] == 1 && f.excess.of[f.m.Grid.Cur.First[b]+int32(cell)] > 0
}

// cutsExactly tells whether the tracker cuts at open sides and has rows for films thinner than a cell.
func (f *Followed) cutsExactly() bool { return f.cuts() && f.hasThinRows() }
