package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// greedy picks coarse unknowns one after the other: of those that have no label but a neighbour that is fine, the one with the most neighbours without a
// label becomes coarse, and its neighbours fine. Where none is left, in a component that has not been reached, the first without a label is taken; the paper
// takes one at random, once. Unknowns without neighbours get no label: smoothing solves for them.
//
// Source: Chentanez, Feldman, Labelle, O'Brien, Shewchuk 2007 §3.5, steps 1 to 6. Of equal counts the first unknown is taken, so that the choice has no
// chance in it.
type greedy struct {
	label  []uint8
	count  []int32  // per unknown: neighbours without a label
	queue  []uint64 // a heap of counts and unknowns; those that have changed since are in it again
	number []int32  // per unknown: its coarse number
}

// Labels of unknowns.
const (
	unlabelled uint8 = iota
	coarse
	fine
	alone
)

// pickGreedily fills the interpolation to level l: a coarse unknown from itself, a fine one from the plain average of its coarse neighbours.
func (s *Solver) pickGreedily(l *level, t *transfer) int {
	g := &s.greedy
	g.begin(l)
	for i := range int32(l.n) {
		if g.label[i] == unlabelled {
			g.pick(l, i)
			for at, ok := g.pop(); ok; at, ok = g.pop() {
				g.pick(l, at)
			}
		}
	}
	g.number = arrays.Resize(g.number, l.n)
	n := int32(0)
	for i, label := range g.label {
		g.number[i] = n
		if label == coarse {
			n++
		}
	}
	for p := range par.Chunks(l.n, grain) {
		g.average(l, &t.part[p], p*grain, min(l.n, (p+1)*grain))
	}
	return int(n)
}

func (g *greedy) begin(l *level) {
	g.label, g.count, g.queue = arrays.Resize(g.label, l.n), arrays.Resize(g.count, l.n), g.queue[:0]
	for i := range l.n {
		col, _ := l.part[i/grain].row(i % grain)
		g.count[i], g.label[i] = int32(len(col)), unlabelled
		if len(col) == 0 {
			g.label[i] = alone
		}
	}
}

// pick labels an unknown coarse and its neighbours fine.
func (g *greedy) pick(l *level, i int32) {
	g.label[i] = coarse
	col, _ := l.part[i/grain].row(int(i) % grain)
	for _, j := range col {
		if g.label[j] == unlabelled {
			g.label[j] = fine
			g.lower(l, j)
		}
	}
}

// lower takes an unknown that has become fine off its neighbours' counts.
func (g *greedy) lower(l *level, i int32) {
	col, _ := l.part[i/grain].row(int(i) % grain)
	for _, j := range col {
		if g.label[j] == unlabelled {
			g.count[j]--
			g.push(uint64(g.count[j])<<32 | uint64(^uint32(j)))
		}
	}
}

// push adds an item to the heap.
func (g *greedy) push(item uint64) {
	q := append(g.queue, item)
	i := len(q) - 1
	for up := (i - 1) / 2; i > 0 && q[up] < item; i, up = up, (up-1)/2 {
		q[i] = q[up]
	}
	q[i] = item
	g.queue = q
}

// pop removes the greatest item whose unknown has no label and still that count.
func (g *greedy) pop() (i int32, ok bool) {
	for len(g.queue) > 0 {
		top := g.queue[0]
		g.removeTop()
		if i = int32(^uint32(top)); g.label[i] == unlabelled && g.count[i] == int32(top>>32) {
			return i, true
		}
	}
	return 0, false
}

func (g *greedy) removeTop() {
	last := len(g.queue) - 1
	item, q := g.queue[last], g.queue[:last]
	g.queue = q
	if last == 0 {
		return
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && q[down+1] > q[down] {
			down++
		}
		if q[down] <= item {
			break
		}
		q[i] = q[down]
		i = down
	}
	q[i] = item
}

// average fills the rows lo ≤ i < hi of the interpolation.
func (g *greedy) average(l *level, p *rows, lo, hi int) {
	p.reset()
	for i := lo; i < hi; i++ {
		switch g.label[i] {
		case coarse:
			p.col, p.val = append(p.col, g.number[i]), append(p.val, 1)
		case fine:
			from := len(p.col)
			col, _ := l.part[i/grain].row(i % grain)
			for _, j := range col {
				if g.label[j] == coarse {
					p.col = append(p.col, g.number[j])
				}
			}
			share := 1 / float32(len(p.col)-from)
			for range len(p.col) - from {
				p.val = append(p.val, share)
			}
		}
		p.end = append(p.end, int32(len(p.col)))
	}
}
