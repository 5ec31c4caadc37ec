package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// path is what a ray has been through.
type path struct {
	*sampler
	inside int  // how many bodies of liquid it is in
	cut    bool // it comes straight from the camera, and passes what is cut away
	depth  int  // how often it was mirrored, bent or scattered
	spread int  // how often of these it was scattered
	splits int  // how often both what is mirrored and what is bent were followed
}

const (
	// lift is how far from a surface a ray starts that leaves it, m.
	lift = 1e-6
	// mostSplits is how often both ways are followed; further on chance picks one.
	mostSplits = 2
	// leastSplit is what varnish mirrors at least for that.
	leastSplit = .02
)

// on is the path one step further.
func (p path) on() path {
	p.depth++
	p.cut = false
	return p
}

// light is what comes back along a ray.
func (t *Tracer) light(r ray, p path) Colour {
	if p.depth > t.options.Depth {
		return Colour{}
	}
	h := t.first(&r, math.Inf(1), p.cut)
	if h.item < 0 {
		return t.skyAlong(r.to, p)
	}
	var c Colour
	if t.isLiquid(h.item) {
		c = t.atLiquid(&r, &h, p)
	} else {
		c = t.atSurface(&r, &h, p)
	}
	if p.inside > 0 {
		return t.through(c, h.far)
	}
	if s := &t.scene.Sky; s.Haze > 0 && h.far > s.HazeFrom {
		return mix(c, s.Horizon, 1-math.Exp(-s.Haze*(h.far-s.HazeFrom)))
	}
	return c
}

// skyAlong is the sky in a direction. The sun's disc is seen straight or in mirrors; its light on what scatters is counted there.
func (t *Tracer) skyAlong(d r3.Vec, p path) Colour {
	sky := t.scene.Sky.gradient(d, t.sun.to)
	if p.spread > 0 {
		return r3.Scale(t.scene.Sky.Fill, sky)
	}
	if r3.Dot(d, t.sun.to) >= t.sun.cos {
		return r3.Add(sky, t.sun.radiance)
	}
	return sky
}

// atSurface is what comes from a surface that is no liquid's, towards where the ray comes from.
func (t *Tracer) atSurface(r *ray, h *hit, p path) Colour {
	m := t.look(r, h, &p.place)
	colour := m.Colour
	if m.Texture != nil {
		colour = m.Texture(&p.place)
	}
	at, flat, n := p.place.Position, h.normal, p.place.Normal
	if r3.Dot(flat, r.to) > 0 {
		flat, n = r3.Scale(-1, flat), r3.Scale(-1, n)
	}
	n = facing(n, r.to)
	cos := -r3.Dot(n, r.to)
	if m.Metal != (Colour{}) {
		return r3.Add(m.Emission, times(schlick(cos, m.Metal), t.mirror(r, at, flat, n, m.Rough, p)))
	}
	coat := 0.
	if m.Gloss > 0 {
		coat = m.Gloss * schlick(cos, Grey(coatMirrors(p.inside > 0))).X
	}
	if coat > leastSplit && p.spread == 0 && p.splits < mostSplits {
		p.splits++
		mirrored := t.mirror(r, at, flat, n, m.Rough, p)
		return r3.Add(m.Emission, mix(times(colour, t.scattered(at, flat, n, p)), mirrored, coat))
	}
	if coat > 0 && p.one() < coat {
		return r3.Add(m.Emission, t.mirror(r, at, flat, n, m.Rough, p))
	}
	return r3.Add(m.Emission, times(colour, t.scattered(at, flat, n, p)))
}

// coatMirrors is what varnish, of index 1.5, mirrors straight on, in air or in water.
func coatMirrors(inWater bool) float64 {
	if inWater {
		return .0035
	}
	return .04
}

// facing is n, turned so that it faces the eye a little: a smooth normal may look away where its triangle doesn't.
func facing(n, to r3.Vec) r3.Vec {
	const least = .02
	if f := -r3.Dot(n, to); f < least {
		return r3.Unit(r3.Sub(n, r3.Scale(least-f, to)))
	}
	return n
}

// mirror is what a surface mirrors. rough is the mean slope of what blurs it.
func (t *Tracer) mirror(r *ray, at, flat, n r3.Vec, rough float64, p path) Colour {
	if rough > 0 {
		u, v := p.next()
		sin, cos := math.Sincos(2 * math.Pi * v)
		slope := rough * math.Sqrt(-math.Log(1-u))
		a, b := frame(n)
		n = facing(r3.Unit(r3.Add(n, r3.Add(r3.Scale(slope*cos, a), r3.Scale(slope*sin, b)))), r.to)
	}
	return t.light(leave(at, flat, reflect(r.to, n), 1), p.on())
}

// leave is a ray that leaves a surface on the side of its flat normal, or with side -1 on the other.
func leave(at, flat, to r3.Vec, side float64) ray {
	flat = r3.Scale(side, flat)
	const least = 1e-4
	if up := r3.Dot(to, flat); up < least {
		to = r3.Unit(r3.Add(to, r3.Scale(least-up, flat)))
	}
	return newRay(r3.Add(at, r3.Scale(lift, flat)), to)
}

// scattered is the light that a white surface throws back to all sides: the sun's, by straight ways and through the liquid, and that of all that
// the surface faces.
func (t *Tracer) scattered(at, flat, n r3.Vec, p path) Colour {
	sum := t.photons.gather(at, flat)
	if t.scene.Sky.Strength > 0 {
		u, v := p.next()
		if d := t.sun.sample(u, v); p.inside == 0 && r3.Dot(d, flat) > 0 {
			if cos := r3.Dot(d, n); cos > 0 {
				if s := newRay(r3.Add(at, r3.Scale(lift, flat)), d); !t.blocked(&s, math.Inf(1)) {
					sum = r3.Add(sum, r3.Scale(cos, t.sun.shine))
				}
			}
		}
	}
	if p.spread >= t.options.Bounces {
		return sum
	}
	keep := 1.
	if p.spread > 0 {
		const stays = .5
		if p.one() >= stays {
			return sum
		}
		keep = 1 / stays
	}
	x, y := disc(p.next())
	a, b := frame(n)
	d := r3.Add(r3.Scale(math.Sqrt(max(0, 1-x*x-y*y)), n), r3.Add(r3.Scale(x, a), r3.Scale(y, b)))
	if r3.Dot(d, flat) <= 0 {
		return sum
	}
	p = p.on()
	p.spread++
	return r3.Add(sum, r3.Scale(keep, t.light(newRay(r3.Add(at, r3.Scale(lift, flat)), d), p)))
}

// isLiquid tells whether an item is part of the liquid.
func (t *Tracer) isLiquid(item int32) bool {
	i := int(item)
	if i < len(t.triangles) {
		return t.owners[i].mesh == ofLiquid
	}
	return i >= len(t.triangles)+len(t.solids)
}

// boundary is where a ray meets the liquid's surface.
type boundary struct {
	at      r3.Vec
	flat, n r3.Vec // unit, against the ray
	ratio   float64
	mirrors float64 // share of the light
	enters  bool
	within  bool // of other liquid: the ray goes straight on
	foam    float64
}

// boundaryAt describes what a ray inside so many bodies of liquid meets.
func (t *Tracer) boundaryAt(r *ray, h *hit, inside int) boundary {
	b := boundary{at: r.at(h.far), flat: h.normal, n: h.normal}
	if i := int(h.item); i < len(t.triangles) {
		k := int(t.owners[i].index)
		b.n = t.liquid.smooth(k, h.u, h.v, h.normal)
		b.foam = t.liquid.foamAt(k, h.u, h.v, b.at)
	}
	b.enters = r3.Dot(b.flat, r.to) < 0
	b.ratio = 1 / t.liquid.Index
	if b.within = b.enters && inside > 0 || !b.enters && inside > 1; b.within {
		return b
	}
	if !b.enters {
		b.flat, b.n, b.ratio = r3.Scale(-1, b.flat), r3.Scale(-1, b.n), t.liquid.Index
	}
	b.n = facing(b.n, r.to)
	b.mirrors = Fresnel(-r3.Dot(b.n, r.to), b.ratio)
	return b
}

// beyond is how many bodies of liquid a ray is in when it has passed the boundary.
func (b *boundary) beyond(inside int) int {
	if b.enters {
		return inside + 1
	}
	return max(0, inside-1)
}

// mirrored and bent are the rays that go on. There is a bent one unless all light is mirrored.
func (b *boundary) mirrored(r *ray) ray { return leave(b.at, b.flat, reflect(r.to, b.n), 1) }

func (b *boundary) bent(r *ray) ray {
	d, ok := refract(r.to, b.n, b.ratio)
	if !ok {
		d = r.to
	}
	return leave(b.at, b.flat, d, -1)
}

// atLiquid is what comes from the liquid's surface towards where the ray comes from.
func (t *Tracer) atLiquid(r *ray, h *hit, p path) Colour {
	b := t.boundaryAt(r, h, p.inside)
	through := p.on()
	through.inside, through.cut = b.beyond(p.inside), p.cut
	if b.within {
		return t.light(newRay(r3.Add(b.at, r3.Scale(lift, r.to)), r.to), through)
	}
	if b.foam > 0 && p.one() < b.foam {
		return t.atFoam(h, &b, p)
	}
	mirrored := p.on()
	if p.spread == 0 && p.splits < mostSplits && b.mirrors < 1 {
		mirrored.splits++
		through.splits++
		return mix(t.light(b.bent(r), through), t.light(b.mirrored(r), mirrored), b.mirrors)
	}
	if b.mirrors >= 1 || p.one() < b.mirrors {
		return t.light(b.mirrored(r), mirrored)
	}
	return t.light(b.bent(r), through)
}

// atFoam is the light of foam, which lies on the liquid's outside and lets some through.
func (t *Tracer) atFoam(h *hit, b *boundary, p path) Colour {
	p.inside = 0
	n := b.n
	share := 1.
	if !b.enters {
		n, share = r3.Scale(-1, n), .5
	}
	return r3.Scale(share, times(t.foam.Colour, t.scattered(b.at, h.normal, n, p)))
}
