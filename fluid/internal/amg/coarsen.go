package amg

import "fmt"

// coarsen builds l from the next finer level f.
func (s *Solver) coarsen(l, f *level) {
	l.finer = f
	l.listChildren()
	for w := range s.marker {
		s.marker[w] = resize(s.marker[w], l.n)
	}
	s.overChunks(l, s.doCoarsen)
}

// listChildren lays out the restriction: row i has an entry 1 for every child of i, in order.
func (l *level) listChildren() {
	parent, g := l.finer.parent, &l.gather
	count := resize(l.count, padded(l.n))
	l.count = count
	clear(count)
	for _, p := range parent {
		if uint(p) >= uint(l.n) {
			panic(fmt.Sprintf("amg: parent %d of %d", p, l.n))
		}
		count[p]++
	}
	g.first = append(g.first[:0], 0)
	total := int32(0)
	for s := 0; s < l.n; s += lanes {
		widest := int32(0)
		for k, n := range count[s : s+lanes] {
			widest = max(widest, n)
			count[s+k] = total
		}
		total += widest
		g.first = append(g.first, total)
	}
	g.entry = resize(g.entry, int(total))
	clear(g.entry)
	for i, p := range parent {
		e := &g.entry[count[p]]
		e.col[p%lanes], e.val[p%lanes] = int32(i), 1
		count[p]++
	}
}

// coarsenChunk sums the children's rows into the rows lo ≤ i < hi of l. mark is the
// worker's scratch: mark[j] is the place of column j in the row being built, if that
// place is within the row and holds j; whatever an earlier row left there fails one test.
func (l *level) coarsenChunk(lo, hi int, mark []int32) {
	f, a, g := l.finer, &l.part[lo/grain], &l.gather
	parent, size := f.parent, f.size
	a.reset()
	for i := lo; i < hi; i++ {
		if i > lo && i%lanes == 0 {
			a.endSlice()
		}
		lane := i % lanes
		first := a.first[len(a.first)-1]
		last, dir, own := first, float32(0), l.size[i]
		children := g.entry[g.first[i/lanes]:g.first[i/lanes+1]]
		for e := range children {
			if children[e].val[lane] == 0 {
				break
			}
			c := int(children[e].col[lane])
			dir += f.dir[c] * (size[c] / own)
			part, at, k := &f.part[c/grain], c%grain/lanes, c%lanes
			diag := f.diag[c]
			row := part.entry[part.first[at]:part.first[at+1]]
			for n := range row {
				j, v := row[n].col[k], row[n].val[k]
				q := parent[j]
				if int(q) == i {
					continue
				}
				v *= diag * (size[c] + size[j]) / (own + l.size[q])
				if at := mark[q]; at >= first && at < last && a.entry[at].col[lane] == q {
					a.entry[at].val[lane] += v
					continue
				}
				mark[q] = last
				a.put(last, lane, q, v, int32(i))
				last++
			}
		}
		l.finishRow(a.entry[first:last], i, dir)
	}
	a.endSlice()
}

// finishRow turns row i, whose summed entries are given, into one of D⁻¹L, and its part of the
// restriction likewise.
func (l *level) finishRow(row []entry, i int, dir float32) {
	lane, sum := i%lanes, float32(0)
	for k := range row {
		v := min(row[k].val[lane], 0)
		row[k].val[lane] = v
		sum -= v
	}
	l.dir[i] = dir
	inv64, _ := l.setDiagonal(i, float64(dir+sum), 0)
	inv := float32(inv64)
	for k := range row {
		row[k].val[lane] *= inv
	}
	g := &l.gather
	children := g.entry[g.first[i/lanes]:g.first[i/lanes+1]]
	for e := range children {
		children[e].val[lane] *= inv * l.finer.diag[children[e].col[lane]]
	}
}
