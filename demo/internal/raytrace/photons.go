package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// photon is a part of the sun's light that has come to a surface by way of the liquid.
type photon struct {
	at, normal [3]float32 // the normal looks to where it came from
	power      [3]float32 // what a white m² that it is spread over throws back
}

// photonMap finds photons by their place: cells of twice the radius, found by a hash.
type photonMap struct {
	radius  float64
	photons []photon // by cell
	starts  []int32  // of the cells' photons, one more than cells
}

// wanted is about how many photons are counted for a place if Options don't say.
const wanted = 60

// beam is the sun's light that may fall on the liquid: a rectangle across it, m.
type beam struct {
	middle       r3.Vec
	wide, high   float64
	far          float64 // from where it starts
	across, down int     // how many photons it is wide and high
}

// beam covers the liquid.
func (t *Tracer) beam() (b beam, ok bool) {
	l := &t.liquid
	lo, hi := r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	add := func(p r3.Vec, radius float64) {
		q := r3.Vec{X: r3.Dot(p, t.sun.u), Y: r3.Dot(p, t.sun.v), Z: r3.Dot(p, t.sun.to)}
		lo = r3.Vec{X: min(lo.X, q.X-radius), Y: min(lo.Y, q.Y-radius), Z: min(lo.Z, q.Z-radius)}
		hi = r3.Vec{X: max(hi.X, q.X+radius), Y: max(hi.Y, q.Y+radius), Z: max(hi.Z, q.Z+radius)}
	}
	for _, k := range l.Indices {
		add(vec(l.Positions, k), 0)
	}
	for k := 0; k+3 < len(l.Droplets); k += 4 {
		add(vec(l.Droplets[k:], 0), float64(l.Droplets[k+3]))
	}
	if !(hi.X > lo.X && hi.Y > lo.Y) || t.scene.Sky.Strength == 0 || t.options.Photons < 0 {
		return b, false
	}
	margin := 2*(hi.Z-lo.Z)*t.sun.sin + .01*(hi.X-lo.X+hi.Y-lo.Y)
	b.wide, b.high = hi.X-lo.X+margin, hi.Y-lo.Y+margin
	mid := r3.Scale(.5, r3.Add(lo, hi))
	b.middle = r3.Add(r3.Scale(mid.X, t.sun.u), r3.Add(r3.Scale(mid.Y, t.sun.v), r3.Scale(mid.Z, t.sun.to)))
	b.far = 1 + r3.Norm(t.bounds.Size()) + r3.Norm(r3.Sub(b.middle, t.bounds.Center()))
	edge := math.Sqrt(b.wide * b.high / float64(t.options.Photons))
	b.across, b.down = max(1, int(b.wide/edge)), max(1, int(b.high/edge))
	return b, true
}

// sendPhotons follows the sun's light from a grid across its beam, one photon from each cell, to where it comes by way of the liquid.
func (t *Tracer) sendPhotons() photonMap {
	b, ok := t.beam()
	if !ok {
		return photonMap{}
	}
	rows := make([][]photon, b.down)
	share := b.wide * b.high / float64(b.across*b.down) // m² of the beam
	each(b.down, t.options.Workers, func(y int) {
		for x := range b.across {
			s := sampler{seed: hash32(uint32(y*b.across+x) ^ 0x5bd1e995)}
			u, v := s.next()
			px, py := (float64(x)+u)/float64(b.across)-.5, (float64(y)+v)/float64(b.down)-.5
			d := r3.Scale(-1, t.sun.sample(s.next()))
			at := r3.Add(b.middle, r3.Add(r3.Scale(px*b.wide, t.sun.u), r3.Scale(py*b.high, t.sun.v)))
			f := flight{ray: newRay(r3.Sub(at, r3.Scale(b.far, d)), d), power: r3.Scale(share, t.sun.shine), path: path{sampler: &s}}
			rows[y] = t.fly(rows[y], f)
		}
	})
	radius := t.options.Radius
	if radius == 0 {
		radius = math.Sqrt(wanted * share / math.Pi)
	}
	return newPhotonMap(radius, rows)
}

// flight is a photon on its way.
type flight struct {
	ray
	path
	power Colour
}

// fly follows a photon and appends where it ends, if it has met the liquid before.
func (t *Tracer) fly(dst []photon, f flight) []photon {
	for f.depth <= t.options.Depth {
		h := t.first(&f.ray, math.Inf(1), false)
		if h.item < 0 {
			return dst
		}
		if f.inside > 0 {
			f.power = times(f.power, decay(r3.Add(t.liquid.Absorb, Grey(t.liquid.Cloud)), h.far))
		}
		switch {
		case t.isLiquid(h.item):
			dst = t.flyOn(dst, &f, &h)
		case f.depth == 0: // it comes straight from the sun
			return dst
		default:
			m := t.look(&f.ray, &h, &f.place)
			at, flat, n := f.place.Position, h.normal, f.place.Normal
			if m.Metal == (Colour{}) {
				return append(dst, newPhoton(at, flat, f.to, f.power))
			}
			if r3.Dot(flat, f.to) > 0 {
				flat, n = r3.Scale(-1, flat), r3.Scale(-1, n)
			}
			n = facing(n, f.to)
			f.power = times(f.power, schlick(-r3.Dot(n, f.to), m.Metal))
			f.ray, f.path = leave(at, flat, reflect(f.to, n), 1), f.path.on()
		}
	}
	return dst
}

// flyOn takes a photon past the liquid's surface. The first time what is mirrored is followed beside what is bent, or one for many.
func (t *Tracer) flyOn(dst []photon, f *flight, h *hit) []photon {
	b := t.boundaryAt(&f.ray, h, f.inside)
	first := f.depth == 0
	f.path = f.path.on()
	if b.within {
		f.inside = b.beyond(f.inside)
		f.ray = newRay(r3.Add(b.at, r3.Scale(lift, f.to)), f.to)
		return dst
	}
	f.power = r3.Scale(1-b.foam, f.power)
	switch {
	case b.mirrors >= 1:
		f.ray = b.mirrored(&f.ray)
		return dst
	case first:
		if chance := min(1, max(.1, 4*b.mirrors)); f.one() < chance {
			other := *f
			other.ray, other.power = b.mirrored(&f.ray), r3.Scale(b.mirrors/chance, f.power)
			dst = t.fly(dst, other)
		}
		f.power = r3.Scale(1-b.mirrors, f.power)
	case f.one() < b.mirrors:
		f.ray = b.mirrored(&f.ray)
		return dst
	}
	f.ray, f.inside = b.bent(&f.ray), b.beyond(f.inside)
	return dst
}

func newPhoton(at, normal, to r3.Vec, power Colour) photon {
	if r3.Dot(normal, to) > 0 {
		normal = r3.Scale(-1, normal)
	}
	short := func(v r3.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }
	return photon{short(at), short(normal), short(power)}
}

// newPhotonMap sorts photons into cells, those of a cell in their order.
func newPhotonMap(radius float64, rows [][]photon) photonMap {
	n := 0
	for _, r := range rows {
		n += len(r)
	}
	cells := 1
	for cells < n/4 {
		cells *= 2
	}
	m := photonMap{radius: radius, photons: make([]photon, n), starts: make([]int32, cells+1)}
	for _, r := range rows {
		for i := range r {
			m.starts[m.cellOf(&r[i])+1]++
		}
	}
	for c := range cells {
		m.starts[c+1] += m.starts[c]
	}
	next := append([]int32(nil), m.starts...)
	for _, r := range rows {
		for i := range r {
			c := m.cellOf(&r[i])
			m.photons[next[c]] = r[i]
			next[c]++
		}
	}
	return m
}

// cell is the number of the cell with these coordinates; others may have it too.
func (m *photonMap) cell(x, y, z int32) uint32 {
	return hash32(uint32(x)*0x9e3779b1^hash32(uint32(y)*0x85ebca77^hash32(uint32(z)))) & uint32(len(m.starts)-2)
}

func (m *photonMap) cellOf(p *photon) uint32 {
	edge := 2 * m.radius
	at := func(c float32) int32 { return int32(math.Floor(float64(c) / edge)) }
	return m.cell(at(p.at[0]), at(p.at[1]), at(p.at[2]))
}

// How unlike in place and direction the surface may be on which a photon lies and the one that it is counted for: the height over it, of the
// radius, and the cosine.
const (
	mostHeight = .5
	leastAlike = .7
)

// gather is what a white surface throws back of the photons about a place with the unit normal n: each is spread over a disc, denser in its middle.
func (m *photonMap) gather(at, n r3.Vec) (sum Colour) {
	if len(m.photons) == 0 {
		return sum
	}
	edge := 2 * m.radius
	low := func(c float64) int32 { return int32(math.Floor((c - m.radius) / edge)) }
	x, y, z := low(at.X), low(at.Y), low(at.Z)
	var seen [8]uint32
	count := 0
next:
	for i := range int32(8) {
		c := m.cell(x+i&1, y+i>>1&1, z+i>>2)
		for _, s := range seen[:count] {
			if s == c {
				continue next
			}
		}
		seen[count] = c
		count++
		sum = r3.Add(sum, m.count(c, at, n))
	}
	return r3.Scale(2/(math.Pi*m.radius*m.radius), sum)
}

// count weighs the photons of a cell.
func (m *photonMap) count(cell uint32, at, n r3.Vec) (sum Colour) {
	r2 := m.radius * m.radius
	lot := m.photons[m.starts[cell]:m.starts[cell+1]]
	for i := range lot {
		p := &lot[i]
		d := r3.Vec{X: float64(p.at[0]) - at.X, Y: float64(p.at[1]) - at.Y, Z: float64(p.at[2]) - at.Z}
		far2 := r3.Dot(d, d)
		if far2 >= r2 {
			continue
		}
		height := r3.Dot(d, n)
		if math.Abs(height) > mostHeight*m.radius || float64(p.normal[0])*n.X+float64(p.normal[1])*n.Y+float64(p.normal[2])*n.Z < leastAlike {
			continue
		}
		w := 1 - far2/r2
		sum = r3.Add(sum, Colour{X: w * float64(p.power[0]), Y: w * float64(p.power[1]), Z: w * float64(p.power[2])})
	}
	return sum
}
