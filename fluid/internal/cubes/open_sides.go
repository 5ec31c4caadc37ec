package cubes

// How the surface of a tracker, and what is known of it, end at open sides.

// cutAtSides has the tracker take away what is beyond open sides, and tells whether it has, or else is to do so as φ has it.
func (s *Surface) cutAtSides() bool {
	if !s.residual.cuts {
		return true
	}
	s.beyond.Boxes = s.m.Sources.appendBeyond(s.beyond.Boxes[:0])
	return s.can.CutAtSides(&s.beyond)
}

// markCut notes that φ of a cell was cut off at an open side as the tracker's surface was.
func (x *residual) markCut(c int32) {
	if x.cuts {
		x.field.sampled[c] = x.m.Set.Phi[c]
	}
}

// markEmpty notes that a cell of a block whose parts are kept holds no liquid any more.
func (x *residual) markEmpty(c int32) {
	if x.cuts && x.weighs {
		x.own[c] = 0
	}
}

// keepParts keeps what part of a block's cells is liquid, before open sides cut some off.
func (x *residual) keepParts(b int32) {
	if !x.cuts || !x.weighs {
		return
	}
	m := x.m
	first, n := m.Grid.Cur.First[b], 1<<(3*m.Grid.Cur.Level[b])
	own := x.scratch[0].own[:n]
	m.Set.Fraction(0, b, own)
	copy(x.uncut[first:], own)
	x.add(own, b)
	copy(x.own[first:], own)
}

// cutParts makes what part of a block's cells is liquid that of what is within the open sides: all of it where these cut off nothing, and elsewhere as much
// as of the cell.
func (x *residual) cutParts(b int32) {
	if !x.cuts || !x.weighs {
		return
	}
	m := x.m
	first, h := m.Grid.Cur.First[b], m.Grid.CellSize(m.Grid.Cur.Level[b])
	pts := m.Centres.Of(m.Grid, b)
	byPhi, own, residual := x.scratch[0].byPhi[:len(pts)], x.own[first:], x.of[first:]
	m.Set.Fraction(0, b, byPhi)
	x.some[b] = 0
	for k, p := range pts {
		by, _ := m.Sources.beyond(p, h)
		if is := WetFraction(float32(by), float32(h)); is < 1 {
			own[k] = partWithin(own[k], x.uncut[int(first)+k], byPhi[k], is)
			x.area[int(first)+k] = 0
		}
		if residual[k] = own[k] - byPhi[k]; residual[k] != 0 {
			x.some[b] = 1
		}
	}
}

// partWithin is the liquid part of a cell with what open sides have cut off left out: by as much less as by φ, before and after, or where φ tells of too
// little no more than is of the cell.
func partWithin(own, before, after, is float32) float32 {
	if before > thinResidual {
		return min(is, own*min(1, after/before))
	}
	return min(is, own)
}

// has tells whether the tracker knows of liquid in a block's cell that φ tells nothing of.
func (x *residual) has(b int32, cell int) bool {
	return x.cuts && x.some[b] == 1 && x.of[x.m.Grid.Cur.First[b]+int32(cell)] > 0
}

// cutsExactly tells whether the tracker cuts at open sides and has rows for films thinner than a cell.
func (x *residual) cutsExactly() bool { return x.cuts && x.exact }
