package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// track moves the surface with the old velocity and lets taps and open sides act on it.
func (l *Liquid) track() {
	l.set.Advance(l.vel, l.step.dt)
	l.pour()
	l.spill()
	l.solids.Extend(l.set.Phi)
	l.foam.Advance(l.set.Phi, l.vel, l.step.dt)
	l.lap(StageSurface, l.graph.Rows)
}

// discretise makes the graph of the new surface and solids.
func (l *Liquid) discretise() {
	l.solids.Fill(&l.graph, l.set.Phi, len(l.coupling.solid))
	l.lap(StageDiscretise, l.graph.Faces())
}

// centres is the cell centres of a block of Cur, m, in scratch.
func (l *Liquid) centres(b int32) []r3.Vec {
	g, w := l.grid, &l.world
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	w.pts = w.pts[:0]
	for z := range n {
		for y := range n {
			for x := range n {
				w.pts = append(w.pts, r3.Vec{X: lo[0] + (float64(x)+.5)*h, Y: lo[1] + (float64(y)+.5)*h, Z: lo[2] + (float64(z)+.5)*h})
			}
		}
	}
	w.dist = resize(w.dist, len(w.pts))
	return w.pts
}

// baseRange is the base cells that a box, m, overlaps: lo to hi, both included.
func (l *Liquid) baseRange(box r3.Box) (lo, hi [3]int) {
	g := l.grid
	p := g.ToPoint(box.Min.X, box.Min.Y, box.Min.Z)
	q := g.ToPoint(box.Max.X, box.Max.Y, box.Max.Z)
	from, to := [3]float64{p.X, p.Y, p.Z}, [3]float64{q.X, q.Y, q.Z}
	for a := range 3 {
		lo[a] = int(max(0, min(float64(g.Dim[a]-1), math.Floor(from[a]))))
		hi[a] = int(max(0, min(float64(g.Dim[a]-1), math.Floor(to[a]))))
	}
	return lo, hi
}

func contains(b r3.Box, x r3.Vec) bool {
	return x.X >= b.Min.X && x.X <= b.Max.X && x.Y >= b.Min.Y && x.Y <= b.Max.Y && x.Z >= b.Min.Z && x.Z <= b.Max.Z
}

// spill takes away the liquid that has left through open sides.
func (l *Liquid) spill() {
	g := l.grid
	lo, hi := array(l.def.Domain.Min), array(l.def.Domain.Max)
	open := l.openSides()
	if open == [6]bool{} {
		return
	}
	for b := range int32(g.Bases()) {
		c := g.Corner(b)
		e := g.H * grid.Edge
		outside := false
		for a := range 3 {
			outside = outside || open[2*a] && c[a] < lo[a]-1e-9*e || open[2*a+1] && c[a]+e > hi[a]+1e-9*e
		}
		if outside {
			l.spillBlock(b, lo, hi, open)
		}
	}
}

func (l *Liquid) spillBlock(b int32, lo, hi [3]float64, open [6]bool) {
	g := l.grid
	h := g.CellSize(g.Cur.Level[b])
	first := g.Cur.First[b]
	for i, p := range l.centres(b) {
		x := array(p)
		beyond := math.Inf(-1)
		back := x
		for a := range 3 {
			if d := lo[a] - x[a]; open[2*a] && d > beyond {
				beyond = d
				back[a] = lo[a] + h/2
			}
			if d := x[a] - hi[a]; open[2*a+1] && d > beyond {
				beyond = d
				back[a] = hi[a] - h/2
			}
		}
		c := first + int32(i)
		phi := &l.set.Phi[c]
		if beyond <= 0 || *phi >= float32(beyond) {
			continue
		}
		lost := float64((wetFraction(*phi, float32(h)) - wetFraction(float32(beyond), float32(h))) * l.solids.Volume[c])
		*phi = float32(beyond)
		if lost > 0 {
			l.volumes.ledger.DrainedL += lost / litre
			l.volumes.gained = append(l.volumes.gained, gain{l.cellBeside(back), -lost})
		}
	}
}

// sources adds the taps' pressing and the sinks' drawing to the rows' sources, m³/s.
func (w *surroundings) sources(l *Liquid, rows []float64) {
	for _, e := range w.emitters {
		if e != nil && e.running && e.push > 0 {
			w.distribute(l, e.Shape, e.push, rows)
		}
	}
	for _, s := range w.sinks {
		if s == nil {
			continue
		}
		drawn := w.distribute(l, s.shape, -s.rate*litre, rows)
		l.volumes.ledger.DrainedL -= drawn * l.step.dt / litre
	}
}

// distribute spreads a source, m³/s, over the rows in a shape by their volume and books it. A
// draw takes no more than half of what is there in a step. It returns what it spread.
func (w *surroundings) distribute(l *Liquid, s SDF, rate float64, rows []float64) float64 {
	gr := &l.graph
	box := s.Bounds()
	total := 0.
	for pass := range 2 {
		if pass == 1 && total == 0 {
			return 0
		}
		if pass == 1 {
			rate = max(rate, -.5*total/l.step.dt)
		}
		for r := range gr.Rows {
			x := toVec(gr.Centre[r])
			if !contains(box, x) {
				continue
			}
			var d [1]float32
			w.pts = append(w.pts[:0], x)
			s.Eval(d[:], w.pts)
			if d[0] >= 0 {
				continue
			}
			if pass == 0 {
				total += float64(gr.Volume[r])
				continue
			}
			q := rate * float64(gr.Volume[r]) / total
			rows[r] += q
			if rate < 0 {
				v := &l.volumes.target[l.solver.Label[r]]
				*v = max(0, *v+q*l.step.dt)
			}
		}
	}
	return rate
}
