package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// clipper keeps the ways that liquid is traced along from passing through thin walls.
type clipper struct {
	thin    []int   // indices of the step's solids that have walls thinner than a cell
	ahead   float64 // 1 where the solids are a step ahead of the surface, else 0
	scratch []clipScratch
}

type clipScratch struct {
	pts    []r3.Vec
	starts []r3.Vec // pts in the frame of the wall at hand
	dist   []float32
	one    [1]r3.Vec
	d      [1]float32
	cell   float64   // finest, m
	probe  [6]r3.Vec // around a place in a wall
	near   [6]float32
	// The eight old cells around a point, seen from it.
	corner [8]r3.Vec
	clear  [8]float32
	weight [8]float64
}

// wallGap, in finest cells, is how far from a wall a way that meets it ends.
const wallGap = .02

// marches is enough to go along a wall, gap by gap, for more than a cell.
const marches = 64

// slip, in gaps, is by how much a way along a wall may near it in a step without meeting it: more than rounding.
const slip = .1

// readThin lists the thin solids and marks the blocks whose ways must be checked.
func (l *Liquid) readThin() {
	c := &l.coupling
	k := &l.clipper
	k.thin = k.thin[:0]
	for i := range c.solid {
		if c.solid[i].Thin {
			k.thin = append(k.thin, i)
		}
	}
	l.set.ClipBlocks = l.solids.ThinBlocks(l.set.ClipBlocks)
}

// clipBack ends each way from → to, base cells, that leads back in time at the first thin wall.
func (l *Liquid) clipBack(worker int, from, to []grid.Point) { l.clipWays(worker, from, to, 0, 1) }

// clipAhead is clipBack for ways that lead forward in time.
func (l *Liquid) clipAhead(worker int, from, to []grid.Point) { l.clipWays(worker, from, to, 1, 0) }

// clipNow is clipBack for ways between two places at the present of the surface.
func (l *Liquid) clipNow(worker int, from, to []grid.Point) {
	l.clipWays(worker, from, to, l.clipper.ahead, l.clipper.ahead)
}

// clipWays checks ways in the walls' frames: a moving wall was elsewhere at an end that is ago,
// 0 or 1, of a step back.
func (l *Liquid) clipWays(worker int, from, to []grid.Point, ago, endAgo float64) {
	s := &l.clipper.scratch[worker]
	s.pts = s.pts[:0]
	for _, p := range from {
		x, y, z := l.grid.ToMetres(p)
		s.pts = append(s.pts, r3.Vec{X: x, Y: y, Z: z})
	}
	s.dist = resize(s.dist, len(s.pts))
	if len(l.world.static.shapes) > 0 {
		l.clipAt(s, nil, r3.Vec{}, to, ago, endAgo, l.world.distance)
	}
	for _, i := range l.clipper.thin {
		c := &l.coupling.solid[i]
		l.clipAt(s, &l.coupling.moved[i], c.Centre, to, ago, endAgo, c.Distance)
	}
}

// wallMoved is by how much a wall of twist v about its centre moved at x in the last step; v is
// nil for one that stands still.
func (l *Liquid) wallMoved(v *[6]float64, centre, x r3.Vec) r3.Vec {
	if v == nil {
		return r3.Vec{}
	}
	return r3.Scale(l.step.dt, r3.Add(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, r3.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, r3.Sub(x, centre))))
}

// clipAt ends the ways that meet one solid. s.pts holds the ways' starts.
func (l *Liquid) clipAt(s *clipScratch, v *[6]float64, centre r3.Vec, to []grid.Point, ago, endAgo float64, solid func([]float32, []r3.Vec)) {
	gap := wallGap * l.def.CellSize
	s.starts = append(s.starts[:0], s.pts...)
	if ago > 0 && v != nil {
		for i, a := range s.pts {
			s.starts[i] = r3.Add(a, r3.Scale(ago, l.wallMoved(v, centre, a)))
		}
	}
	solid(s.dist, s.starts)
	for i, d := range s.dist {
		a := s.starts[i]
		x, y, z := l.grid.ToMetres(to[i])
		b := r3.Vec{X: x, Y: y, Z: z}
		moved := r3.Scale(endAgo, l.wallMoved(v, centre, b))
		b = r3.Add(b, moved)
		way := r3.Sub(b, a)
		length := math.Sqrt(r3.Norm2(way)) // r3.Norm takes three times as long
		if float64(d) < -l.def.CellSize || float64(d) > length+gap || length == 0 {
			continue
		}
		if d < 0 {
			a, d = s.outOf(a, float64(d), 2*gap, solid), float32(2*gap)
			way = r3.Sub(b, a)
			length = math.Sqrt(r3.Norm2(way))
		}
		end := b
		if t := s.march(a, r3.Scale(1/length, way), length, gap, float64(d), solid); t < length {
			end = s.slide(r3.Add(a, r3.Scale(t/length, way)), r3.Scale(1-t/length, way), gap, solid)
		}
		if end = s.offWall(end, gap, solid); end == b {
			continue
		}
		end = r3.Sub(end, moved)
		to[i] = l.grid.ToPoint(end.X, end.Y, end.Z)
	}
}

// slide goes on from x, where a way met a solid, along its surface as far as what is left of the way leads: liquid
// slips along walls.
func (s *clipScratch) slide(x, rest r3.Vec, gap float64, solid func([]float32, []r3.Vec)) r3.Vec {
	n := s.normal(x, gap, solid)
	rest = r3.Sub(rest, r3.Scale(r3.Dot(rest, n), n))
	length := math.Sqrt(r3.Norm2(rest))
	if length < gap {
		return x
	}
	s.one[0] = x
	solid(s.d[:], s.one[:])
	t := s.march(x, r3.Scale(1/length, rest), length, gap, float64(s.d[0]), solid)
	return r3.Add(x, r3.Scale(t/length, rest))
}

// offWall is x, or if that is nearer to a solid than gap, the place beside it that is not: what creeps along a wall
// step by step must not get into it.
func (s *clipScratch) offWall(x r3.Vec, gap float64, solid func([]float32, []r3.Vec)) r3.Vec {
	s.one[0] = x
	solid(s.d[:], s.one[:])
	if d := float64(s.d[0]); d < gap {
		return s.outOf(x, d, gap, solid)
	}
	return x
}

// outOf is the place, gap from a solid's surface, that is nearest to x, which is in the solid at a distance d: a
// cell whose centre is in a thin wall is on the wall's nearer side.
func (s *clipScratch) outOf(x r3.Vec, d, gap float64, solid func([]float32, []r3.Vec)) r3.Vec {
	return r3.Add(x, r3.Scale(gap-d, s.normal(x, gap, solid)))
}

// normal is a solid's at x, from the distances by around it.
func (s *clipScratch) normal(x r3.Vec, by float64, solid func([]float32, []r3.Vec)) r3.Vec {
	s.probe = [6]r3.Vec{x, x, x, x, x, x}
	s.probe[0].X += by
	s.probe[1].X -= by
	s.probe[2].Y += by
	s.probe[3].Y -= by
	s.probe[4].Z += by
	s.probe[5].Z -= by
	solid(s.near[:], s.probe[:])
	n := r3.Vec{X: float64(s.near[0] - s.near[1]), Y: float64(s.near[2] - s.near[3]), Z: float64(s.near[4] - s.near[5])}
	size := math.Sqrt(r3.Norm2(n))
	if size < 1e-4*s.cell { // in the middle of a wall
		return s.thinnest(x, solid)
	}
	return r3.Scale(1/size, n)
}

// thinnest is the axis along which the way out of a wall's middle leads furthest away: the same as the grid's choice.
func (s *clipScratch) thinnest(x r3.Vec, solid func([]float32, []r3.Vec)) (n r3.Vec) {
	most := float32(0)
	for _, e := range [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}} {
		s.one[0] = r3.Add(x, r3.Scale(s.cell, e))
		solid(s.d[:], s.one[:])
		if s.d[0] > most+float32(1e-6*s.cell) {
			n, most = e, s.d[0]
		}
	}
	return n
}

// march goes from a along dir by what the distance allows and returns how far it came before the
// solid was nearer than gap, or length. A way that starts nearer may lead away from the wall or along it.
func (s *clipScratch) march(a, dir r3.Vec, length, gap, d float64, solid func([]float32, []r3.Vec)) float64 {
	t := 0.
	for range marches {
		before := d
		t += max(d, gap)
		if t >= length {
			return length
		}
		s.one[0] = r3.Add(a, r3.Scale(t, dir))
		solid(s.d[:], s.one[:])
		if d = float64(s.d[0]); d < gap && d < before-slip*gap || d < -slip*gap && d < before {
			return max(0, t-gap)
		}
	}
	return length
}

// oneSided replaces values that were interpolated across a thin wall by the mean of the old cells that
// can be seen from the place, with their usual weights (Guendelman, Selle, Losasso, Fedkiw 2005).
func (l *Liquid) oneSided(worker int, from, to []grid.Point, phi []float32) {
	s := &l.clipper.scratch[worker]
	for i := range phi {
		var x, y, z float64
		x, y, z = l.grid.ToMetres(to[i])
		at := r3.Vec{X: x, Y: y, Z: z}
		if len(l.world.static.shapes) > 0 {
			l.seeSide(s, nil, r3.Vec{}, at, &phi[i], l.world.distance)
		}
		for _, k := range l.clipper.thin {
			if c := &l.coupling.solid[k]; contains(grown(c.Bounds, 3*l.def.CellSize), at) {
				l.seeSide(s, &l.coupling.moved[k], c.Centre, at, &phi[i], c.Distance)
			}
		}
	}
}

// seeSide corrects one value at a place for one solid, if that is near enough to stand between
// the place and a cell that was used.
func (l *Liquid) seeSide(s *clipScratch, v *[6]float64, centre, at r3.Vec, phi *float32, solid func([]float32, []r3.Vec)) {
	base, fx, fy, fz := l.grid.Locate(l.grid.ToPoint(at.X, at.Y, at.Z))
	level := l.grid.Prev.Level[base]
	h := l.grid.CellSize(level)
	moved := l.wallMoved(v, centre, at)
	eye := r3.Add(at, moved)
	s.one[0] = eye
	solid(s.d[:], s.one[:])
	d := float64(s.d[0])
	if d > math.Sqrt(3)*h {
		return
	}
	gap := .02 * h
	if d < 0 && d > -h {
		eye, d = s.outOf(eye, d, 2*gap, solid), 2*gap
	}
	n := float64(int(1) << level)
	lo := l.grid.Corner(base)
	cell := [3]float64{math.Floor(fx*n - .5), math.Floor(fy*n - .5), math.Floor(fz*n - .5)}
	part := [3]float64{fx*n - .5 - cell[0], fy*n - .5 - cell[1], fz*n - .5 - cell[2]}
	for c := range s.corner {
		w := 1.
		var x [3]float64
		for a := range 3 {
			bit := float64(c >> a & 1)
			x[a] = lo[a] + (cell[a]+bit+.5)*h
			w *= 1 - bit + (2*bit-1)*part[a]
		}
		s.corner[c], s.weight[c] = r3.Add(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, moved), w
	}
	solid(s.clear[:], s.corner[:])
	sum, seen, hidden := 0., 0., false
	for c, x := range s.corner {
		old := r3.Sub(x, moved)
		far := float64(s.clear[c])
		if far < 0 && far > -h {
			x, far = s.outOf(x, far, 2*gap, solid), 2*gap
		}
		way := r3.Sub(x, eye)
		length := math.Sqrt(r3.Norm2(way)) // r3.Norm takes three times as long
		if d+far < length && length > 0 {
			if d < 0 || far < 0 || s.march(eye, r3.Scale(1/length, way), length, gap, d, solid) < length {
				hidden = hidden || s.weight[c] > 0
				continue
			}
		}
		sum += s.weight[c] * float64(l.set.Tiles.At(l.grid.ToPoint(old.X, old.Y, old.Z)))
		seen += s.weight[c]
	}
	if hidden && seen > 1e-6 {
		*phi = float32(sum / seen)
	}
}
