package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// What is given to particles, cells of samples, and how far a particle is united with others.
//
// Source: r_ib and r_is of Chentanez et al. 2007 §3.4.3.
const (
	moreBig   = .25
	moreSmall = .15
	uniteFar  = 2.
)

// Thicken gives thin liquid what the last Advance has lost of it, with Thickening set: the particles of the old surface, a bit larger and united by
// Zhu and Bridson's function, are added to the samples; of this so much of each sample's change that no more than the deficit, m³, is added. It returns how
// much that is, m³.
//
// A particle is big where the liquid is thicker than half of what counts as thin.
//
// Source: Chentanez et al. 2007 §3.4.3; Zhu, Bridson 2005 §5.
func (c *Contour) Thicken(deficit float64) float64 {
	h := &c.thick
	if len(h.particles) == 0 || !(deficit > 0) {
		return 0
	}
	h.grow()
	if len(h.sorted) == 0 {
		return 0
	}
	c.from = c.begin()
	c.seedFrom(c.from)
	h.seed()
	l := c.now
	h.lift, h.lifted = arrays.Resize(h.lift, len(l.f)), arrays.Resize(h.lifted, len(l.tiles))
	c.sums = arrays.Resize(c.sums, len(l.tiles))
	c.forTiles(len(l.tiles), 1, (*Contour).liftTile)
	before := c.liftedVolume(0)
	part, most := float32(1), deficit/(c.unit*c.unit*c.unit)
	if c.liftedVolume(1)-before > most {
		lo, hi := float32(0), float32(1)
		for range 10 { // to a thousandth of the whole change
			if part = (lo + hi) / 2; c.liftedVolume(part)-before > most {
				hi = part
			} else {
				lo = part
			}
		}
		part = lo
	}
	added := c.liftedVolume(part) - before
	h.part = part
	c.forTiles(len(l.tiles), 1, (*Contour).applyLift)
	tiles := len(l.tiles)
	for i := 0; i < len(l.tiles); i++ {
		if i >= tiles {
			c.resampleTile(0, int32(i))
		}
		l.follow(int32(i))
	}
	l.finish()
	return float64(added * float64(c.unit*float64(c.unit*c.unit)))
}

// grow gives particles in the thinnest liquid to their neighbours, or a bit more, and sorts them.
func (h *thickening) grow() {
	c := h.c
	h.sort(h.particles)
	copy(h.particles, h.sorted) // as they were, in their order
	for i := range h.particles {
		if p := &h.particles[i]; !p.big() && c.Redistribution > 0 && h.give(p) {
			h.sorted[i].radius = 0
		}
	}
	kept := h.particles[:0]
	for i := range h.sorted {
		p := h.sorted[i]
		switch {
		case p.radius == 0:
			continue
		case h.particles[i].big():
			p.radius += float64(moreBig * p.cell)
		default:
			p.radius += float64(moreSmall * p.cell)
		}
		kept = append(kept, p)
	}
	h.sort(kept)
	h.particles = h.particles[:0]
}

// big tells whether the liquid around a particle is thicker than half of what is thin.
func (p *particle) big() bool { return 2*p.radius > float64(thinCells/2*p.cell) }

// give adds a particle's radius to the big ones near it, in equal parts, and tells whether there are any.
func (h *thickening) give(p *particle) bool {
	c := h.c
	near := 0
	far := float64(c.Redistribution * p.cell)
	for _, mine := range [2]bool{true, false} {
		b, _ := c.place(p.at.X, p.at.Y, p.at.Z)
		share := p.radius / float64(max(near, 1))
		for _, o := range c.g.Nearby(b) {
			if o == layout.None {
				continue
			}
			list := h.in(o)
			for k := range list {
				q := &list[k]
				if 2*h.radiusBefore(o, k) <= float64(thinCells/2*q.cell) || reproducible.Norm2(r3.Sub(q.at, p.at)) > float64(far*far) {
					continue
				}
				if mine {
					near++
				} else {
					q.radius += share
				}
			}
		}
		if near == 0 {
			return false
		}
	}
	return true
}

// radiusBefore is that of a sorted particle before any was given to.
func (h *thickening) radiusBefore(b int32, k int) float64 {
	return h.particles[h.first[b]+int32(k)].radius
}

// seed makes tiles of the blocks that particles reach.
func (h *thickening) seed() {
	c, l := h.c, h.c.now
	for b := range int32(c.g.Bases()) {
		for i := range h.in(b) {
			p := &h.in(b)[i]
			far := float64(uniteFar*p.cell) + p.radius
			_, at := c.place(p.at.X, p.at.Y, p.at.Z)
			for r, o := range c.g.Nearby(b) {
				if o == layout.None || l.slot[o] != none {
					continue
				}
				meets := true
				for a, d := range [3]int{r % 3, r / 3 % 3, r / 9} {
					meets = meets && (d == 1 || d == 0 && float64(at[a]) < far || d == 2 && float64(float32(c.edge)-at[a]) < far)
				}
				if meets {
					l.addTile(o)
				}
			}
		}
	}
}

// liftTile writes a tile's samples as they were, and how much lower they are with the particles.
func (c *Contour) liftTile(worker int, i int32) {
	l, h, w := c.now, &c.thick, &c.work[worker]
	t := &l.tiles[i]
	c.resampleTile(worker, i)
	f := l.samples(t)
	lift := h.lift[t.f:][:len(f)]
	clear(lift)
	h.lifted[i] = false
	w.sum = arrays.Resize(w.sum, len(f))
	clear(w.sum)
	for _, b := range c.g.Nearby(t.base) {
		if b != layout.None {
			list := h.in(b)
			for k := range list {
				h.lifted[i] = list[k].unite(t, c.edge, w.sum) || h.lifted[i]
			}
		}
	}
	if !h.lifted[i] {
		return
	}
	n := t.n + 1
	for k, s := range w.sum {
		if s.weight <= 0 {
			continue
		}
		x := t.global(c.edge, int32(k)%n, int32(k)/n%n, int32(k)/(n*n))
		away := r3.Sub(reproducible.Vector(x), reproducible.Scale(1/s.weight, s.at))
		lift[k] = min(0, float32(reproducible.Norm(away)-s.radius/s.weight)-f[k])
	}
}

// weighted is a sum over particles.
type weighted struct {
	at             r3.Vec
	radius, weight float64
}

// unite adds a particle to the sums of the samples within its reach, and tells whether there are any.
func (p *particle) unite(t *tile, edge int32, sum []weighted) (any bool) {
	far := float64(uniteFar * p.cell)
	low := t.global(edge, 0, 0, 0)
	var lo, hi [3]int32
	for a, v := range reproducible.Array(p.at) {
		lo[a] = max(0, int32(math.Ceil((v-low[a]-far)/float64(t.cell))))
		hi[a] = min(t.n, int32(math.Floor((v-low[a]+far)/float64(t.cell))))
	}
	n := t.n + 1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s := 1 - reproducible.Norm2(r3.Sub(reproducible.Vector(t.global(edge, x, y, z)), p.at))/(far*far)
				if s <= 0 {
					continue
				}
				any = true
				weight := float64(s * s * s)
				k := &sum[x+n*(y+n*z)]
				k.at = r3.Add(k.at, reproducible.Scale(weight, p.at))
				k.radius += float64(weight * p.radius)
				k.weight += weight
			}
		}
	}
	return any
}

// liftedVolume is that of the tiles with particles, with a part of the lift, units³.
func (c *Contour) liftedVolume(part float32) (sum float64) {
	c.thick.part = part
	par.Each(c.pool, len(c.now.tiles), 1, c, (*Contour).liftedVolumeOf)
	for _, v := range c.sums {
		sum += v
	}
	return sum
}

func (c *Contour) liftedVolumeOf(worker int, i int32) {
	l, w := c.now, &c.work[worker]
	t := &l.tiles[i]
	c.sums[i] = 0
	if !c.thick.lifted[i] {
		return
	}
	f := l.samples(t)
	lift := c.thick.lift[t.f:][:len(f)]
	w.value = arrays.Resize(w.value, len(f))
	for k, v := range f {
		w.value[k] = v + float32(c.thick.part*lift[k])
	}
	c.sums[i] = sampledVolume(w.value, t)
}

// applyLift lowers a tile's samples.
func (c *Contour) applyLift(_ int, i int32) {
	t := &c.now.tiles[i]
	f := c.now.samples(t)
	for k, v := range c.thick.lift[t.f:][:len(f)] {
		f[k] += float32(c.thick.part * v)
	}
}
