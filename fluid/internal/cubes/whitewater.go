package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// WhiteWater tells white water of the stored liquid.
type WhiteWater struct {
	m       *Cells
	survey  *layout.Survey
	slowest float64             // m/s: argument of AppendSources
	found   []foundSources      // per base cell
	work    []whiteWaterScratch // per worker
}

// foundSources is where the sources of a block are.
type foundSources struct {
	worker  int
	from, n int
}

// whiteWaterScratch is what a worker works with.
type whiteWaterScratch struct {
	sources []whitewater.Source
	middles layout.Middles
}

// Look sets what there is at places of the stored liquid, m.
func (w *WhiteWater) Look(at []r3.Vec, around []whitewater.Around) {
	m := w.m
	for i, x := range at {
		a := &around[i]
		p := m.Grid.ToPoint(x.X, x.Y, x.Z)
		phi, slope, edge := m.Set.Tiles.Slope(p)
		a.Distance, a.Edge, a.Normal, a.Velocity = float64(phi), edge, r3.Vec{}, r3.Vec{}
		if phi >= 0 && a.Flying {
			continue
		}
		if math.Abs(a.Distance) < float64(nearBy*edge) {
			a.Normal = unitOf(slope)
		}
		u, v, n := m.Vel.At(p)
		a.Velocity = r3.Vec{X: float64(u), Y: float64(v), Z: float64(n)}
	}
}

// flatSlope is the least slope of φ that tells where the surface is.
const flatSlope = .1

// unitOf is a slope of φ as a unit vector, or 0 where φ is flat.
func unitOf(slope [3]float32) r3.Vec {
	v := r3.Vec{X: float64(slope[0]), Y: float64(slope[1]), Z: float64(slope[2])}
	steep := reproducible.Norm(v)
	if !(steep > flatSlope) {
		return r3.Vec{}
	}
	return reproducible.Scale(1/steep, v)
}

// leastLevel is that of the coarsest blocks whose cells tell what the surface does.
const leastLevel = 2

// AppendSources appends the cells at the surface that move at least so fast, m/s.
func (w *WhiteWater) AppendSources(dst []whitewater.Source, slowest float64) []whitewater.Source {
	m := w.m
	if w.survey.MaxSpeed < slowest {
		return dst
	}
	w.slowest = slowest
	w.work, w.found = arrays.Lengthen(w.work, m.Pool.Workers()), arrays.Lengthen(w.found, m.Grid.Bases())
	for i := range w.work {
		w.work[i].sources = w.work[i].sources[:0]
	}
	par.Each(m.Pool, m.Grid.Bases(), 4, w, (*WhiteWater).findIn)
	for _, f := range w.found {
		if f.n > 0 {
			dst = append(dst, w.work[f.worker].sources[f.from:][:f.n]...)
		}
	}
	return dst
}

// findIn finds the sources in a block.
func (w *WhiteWater) findIn(worker int, b int32) {
	m, k := w.m, &w.work[worker]
	level := m.Grid.Prev.Level[b]
	w.found[b] = foundSources{worker, len(k.sources), 0}
	if level < leastLevel || m.Vel.Blank(b) || float64(w.survey.Nearest[b]) >= m.Grid.CellSize(level)/2 {
		return
	}
	s := surfaceBlock{m: m, b: b, n: 1 << level, h: m.Grid.CellSize(level), phi: m.Set.Tiles.Tile(b), corner: m.Grid.Corner(b)}
	tile := m.Vel.Tile(b)
	tile.Middles(&k.middles)
	first, near, slow2 := int(m.Grid.Prev.First[b]), float32(s.h/2), float32(w.slowest*w.slowest)
	for c := range s.n * s.n * s.n {
		at := [3]int{c % s.n, c / s.n % s.n, c / (s.n * s.n)}
		if phi := s.phi[s.place(at)]; phi >= near || phi <= -near {
			continue
		}
		u := [3]float32{k.middles[0][c], k.middles[1][c], k.middles[2][c]}
		if float32(u[0]*u[0])+float32(u[1]*u[1])+float32(u[2]*u[2]) < slow2 || m.Solids.Volume[first+c] <= 0 {
			continue
		}
		if from, ok := s.source(&k.middles, at, u); ok {
			from.Cell = uint64(b)<<9 | uint64(c)
			k.sources = append(k.sources, from)
		}
	}
	w.found[b].n = len(k.sources) - w.found[b].from
}

// surfaceBlock is a block at the surface.
type surfaceBlock struct {
	m      *Cells
	b      int32
	n      int       // cells along its edge
	h      float64   // theirs, m
	phi    []float32 // with a halo of one
	corner [3]float64
}

// place is where a cell is in the halo's array.
func (s *surfaceBlock) place(at [3]int) int { return at[0] + 1 + (s.n+2)*(at[1]+1+(s.n+2)*(at[2]+1)) }

// source is what the surface does in a cell whose velocity is u, m/s. It is not ok where φ is flat.
func (s *surfaceBlock) source(middles *layout.Middles, at [3]int, u [3]float32) (from whitewater.Source, ok bool) {
	i, e := s.place(at), s.n+2
	phi := float64(s.phi[i])
	var slope [3]float32
	bend := float64(0)
	for a, step := range [3]int{1, e, e * e} {
		lo, hi := s.phi[i-step], s.phi[i+step]
		slope[a] = (hi - lo) / float32(2*s.h)
		bend += float64(lo) + float64(hi) - float64(2*phi)
	}
	normal := unitOf(slope)
	if normal == (r3.Vec{}) {
		return from, false
	}
	from = whitewater.Source{
		Normal: normal, Edge: s.h, Bend: min(1/s.h, bend/(s.h*s.h)), Squeeze: s.squeeze(middles, at, reproducible.Array(normal)),
		Velocity: r3.Vec{X: float64(u[0]), Y: float64(u[1]), Z: float64(u[2])},
	}
	var x [3]float64
	for a := range x {
		x[a] = s.corner[a] + float64((float64(at[a])+.5)*s.h)
	}
	from.Place = r3.Add(reproducible.Vector(x), reproducible.Scale(-phi, normal))
	return from, true
}

// squeeze is by how much velocities on both sides of a cell approach each other, m/s: those along the surface in sum, or those across it.
func (s *surfaceBlock) squeeze(middles *layout.Middles, at [3]int, normal [3]float64) float64 {
	across, sum := 0., 0.
	for a := range 3 {
		lo, hi := s.beside(middles, at, a, -1), s.beside(middles, at, a, 1)
		sum += float64(hi[a]) - float64(lo[a])
		for c := range 3 {
			across += float64(normal[a] * normal[c] * (float64(hi[c]) - float64(lo[c])))
		}
	}
	return math.Max(across-sum, -across)
}

// beside is the velocity in the cell before or behind one along an axis, m/s.
func (s *surfaceBlock) beside(middles *layout.Middles, at [3]int, axis, step int) (u [3]float32) {
	at[axis] += step
	if i := at[axis]; i >= 0 && i < s.n {
		c := at[0] + s.n*(at[1]+s.n*at[2])
		return [3]float32{middles[0][c], middles[1][c], middles[2][c]}
	}
	edge := 1 / float32(s.n)
	tile, x, y, z := s.m.Vel.Near(s.b, float32(edge*(float32(at[0])+.5)), float32(edge*(float32(at[1])+.5)), float32(edge*(float32(at[2])+.5)))
	u[0], u[1], u[2] = tile.At(x, y, z)
	return u
}
