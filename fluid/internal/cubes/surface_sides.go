package cubes

// cutAtSides has the tracker cut its surface at open sides. It is false if the tracker could not, and true for one that follows φ.
func (s *Surface) cutAtSides() bool {
	if !s.residual.cuts {
		return true
	}
	s.beyond.Boxes = s.sources.appendBeyond(s.beyond.Boxes[:0])
	return s.can.CutAtSides(&s.beyond)
}

// markCut makes φ of a cell count as sampled after a cut at an open side, as the tracker's surface was cut too.
func (x *residual) markCut(c int32) {
	if x.cuts {
		x.field.sampled[c] = x.m.Set.Phi[c]
	}
}

// markEmpty makes the kept part of a cell 0.
func (x *residual) markEmpty(c int32) {
	if x.cuts && x.weighs {
		x.own[c] = 0
	}
}

// keepParts keeps the liquid part of a block's cells before a cut at open sides.
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

// cutParts reduces the liquid parts of a block's cells after a cut: unchanged in cells within the open sides, elsewhere as partWithin tells.
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
		by, _ := m.beyond(p, h)
		if is := WetFraction(float32(by), float32(h)); is < 1 {
			own[k] = partWithin(own[k], x.uncut[int(first)+k], byPhi[k], is)
			x.area[int(first)+k] = 0
		}
		if residual[k] = own[k] - byPhi[k]; residual[k] != 0 {
			x.some[b] = 1
		}
	}
}

// partWithin is the liquid part of a cell after a cut: reduced by the ratio of the parts by φ after and before, or where φ has too little liquid bounded to
// the part of the cell that is within, is.
func partWithin(own, before, after, is float32) float32 {
	if before > thinResidual {
		return min(is, own*min(1, after/before))
	}
	return min(is, own)
}

// has tells whether the residual of a block's cell is positive, for a tracker that cuts at open sides.
func (x *residual) has(b int32, cell int) bool {
	return x.cuts && x.some[b] == 1 && x.of[x.m.Grid.Cur.First[b]+int32(cell)] > 0
}

// cutsExactly tells whether the tracker cuts at open sides and has rows for films thinner than a cell.
func (x *residual) cutsExactly() bool { return x.cuts && x.exact }
