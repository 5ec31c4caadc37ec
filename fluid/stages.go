package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// track moves the surface with the old velocity and lets taps and open sides act on it.
func (l *Liquid) track() {
	l.begin(StageSurface)
	l.step.moved = true
	l.set.Advance(l.vel, l.step.drift)
	l.accelerateDroplets(l.step.drift)
	l.volumes.losses.begin(&l.blocksInfo)
	l.dropsFall(l.step.drift)
	l.pour()
	l.pourCurrents()
	l.letAirIn()
	l.spill()
	l.solids.Extend(l.set.Phi)
	l.solids.Part(l.set.Phi, l.set.ClipBlocks)
	l.foam.Advance(l.set.Phi, l.vel, l.step.drift)
	l.lap(l.grid.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *Liquid) discretise() {
	l.begin(StageDiscretise)
	l.solids.Fill(&l.graph, l.set.Phi, len(l.coupling.solid))
	l.lap(l.graph.Faces())
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
				w.pts = append(w.pts, r3.Vec{X: lo[0] + float64((float64(x)+.5)*h), Y: lo[1] + float64((float64(y)+.5)*h), Z: lo[2] + float64((float64(z)+.5)*h)})
			}
		}
	}
	w.dist = arrays.Resize(w.dist, len(w.pts))
	return w.pts
}

// centresIn is the centres, m, of a block's cells that are in a box, m, in scratch; world.cells is which cells they are.
func (l *Liquid) centresIn(b int32, box r3.Box) []r3.Vec {
	g, w := l.grid, &l.world
	level := g.Cur.Level[b]
	n, h, lo := 1<<level, g.CellSize(level), g.Corner(b)
	var from, to [3]int
	least, most := array(box.Min), array(box.Max)
	for a := range 3 {
		from[a] = int(max(0, min(float64(n), math.Ceil((least[a]-lo[a])/h-.5))))
		to[a] = int(max(-1, min(float64(n-1), math.Floor((most[a]-lo[a])/h-.5))))
	}
	w.pts, w.cells = w.pts[:0], w.cells[:0]
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				w.pts = append(w.pts, r3.Vec{X: lo[0] + float64((float64(x)+.5)*h), Y: lo[1] + float64((float64(y)+.5)*h), Z: lo[2] + float64((float64(z)+.5)*h)})
				w.cells = append(w.cells, g.Cur.First[b]+int32(x+n*(y+n*z)))
			}
		}
	}
	w.dist = arrays.Resize(w.dist, len(w.pts))
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

// eachBase calls visit for the base cells that a box, m, overlaps, x fastest.
func (l *Liquid) eachBase(box r3.Box, visit func(b int32)) {
	lo, hi := l.baseRange(box)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				visit(l.grid.BaseAt(x, y, z))
			}
		}
	}
}

func contains(b r3.Box, x r3.Vec) bool {
	return within(&b, (*grid.Point)(&x))
}

// within is contains where neither is copied, of a place in base cells.
func within(b *r3.Box, p *grid.Point) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y && p.Z >= b.Min.Z && p.Z <= b.Max.Z
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
		e := float64(g.H * grid.Edge)
		outside := false
		for a := range 3 {
			outside = outside || open[2*a] && c[a] < lo[a]-float64(1e-9*e) || open[2*a+1] && c[a]+e > hi[a]+float64(1e-9*e)
		}
		if outside {
			l.spillBlock(b, lo, hi, open)
		}
	}
}

func (l *Liquid) spillBlock(b int32, lo, hi [3]float64, open [6]bool) {
	g, v := l.grid, &l.volumes
	h := g.CellSize(g.Cur.Level[b])
	first, band := g.Cur.First[b], float64(l.set.Band*h)
	from, before, roughly := len(v.gained), l.liquidOf(b), 0.
	for i, p := range l.centres(b) {
		x := array(p)
		beyond := math.Inf(-1)
		back := x
		for a := range 3 {
			if d := lo[a] - x[a]; open[2*a] && d > beyond {
				beyond = d
				back[a] = lo[a] + float64(h/2)
			}
			if d := x[a] - hi[a]; open[2*a+1] && d > beyond {
				beyond = d
				back[a] = hi[a] - float64(h/2)
			}
		}
		beyond = min(beyond, band) // all that is further out is as far
		c := first + int32(i)
		phi := &l.set.Phi[c]
		if beyond <= 0 || *phi >= float32(beyond) {
			continue
		}
		lost := float64((wetFraction(*phi, float32(h)) - wetFraction(float32(beyond), float32(h))) * l.solids.Volume[c])
		*phi = float32(beyond)
		if lost > 0 {
			roughly += lost
			v.gained = append(v.gained, gain{l.cellBeside(back), -lost})
		}
	}
	l.set.Measure(b)
	lost := max(0, before-l.liquidOf(b))
	for i := range v.gained[from:] {
		v.gained[from+i].volume *= lost / roughly
	}
	v.losses.put[b] -= lost
	v.losses.spilt[b] += lost
	v.ledger.DrainedL += lost / litre
}
