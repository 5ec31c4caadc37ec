package scene

import (
	"math"
	"slices"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// lens is what a liquid leaves on the lens of a camera.
type lens struct {
	cam   camera.ICamera
	time  float64 // s, of the last frame
	wet   bool    // it was in the liquid then
	count int     // of all drops so far
	drops []lensDrop
}

// lensDrop is a drop on a lens. How it runs down and dries follows from the time.
type lensDrop struct {
	x, y   float32 // where it came, from the picture's lower left, of its height
	radius float32 // then, of the picture's height
	born   float64 // s
	life   float32 // s until it has dried
	speed  float32 // at which it begins to run, of the height a second; 0 for one that sticks
	sway   float32 // where in its halting it begins, rad
}

const (
	lensDrops = 48  // at most
	lensBurst = 40  // come when the lens leaves the liquid
	splatter  = .04 // s, at least, from one drop of spray to the next
	splatNear = .2  // m, from the eye: closer spray meets the lens
	runs      = .5  // of the height a second, of the largest drop
	slows     = 1.2 // s in which a running drop loses most of its liquid to its trail
	halts     = 9.  // rad/s, of a running drop's halting
	largest   = .03 // of the height: the radius of a drop
	sticks    = .4  // of that: smaller ones don't run
)

// lens is that of the frame's camera, for its liquid.
func (f *frame) lens() *lens {
	l := f.liquid
	for _, n := range l.lenses {
		if n.cam == f.cam {
			return n
		}
	}
	if len(l.lenses) >= fluid.MaxViews {
		l.lenses = slices.Delete(l.lenses, 0, 1)
	}
	n := &lens{cam: f.cam, time: l.shared.time}
	l.lenses = append(l.lenses, n)
	return n
}

// wetLenses brings what the liquids leave on the camera's lens to the time of the frame.
func (f *frame) wetLenses() {
	none := slices.Contains(lensPass.without, f.stage.quality)
	for _, l := range f.stage.found {
		f.liquid = l
		n := f.lens()
		if none || l.options.NoLensDrops || !l.Visible() {
			n.drops, n.wet = n.drops[:0], false
			continue
		}
		in := f.mayBeIn(l) && l.Submerged(f.lensAt())
		n.advance(l.shared.time, float32(f.w)/float32(f.h), in)
		if !in {
			f.splatter(n)
		}
	}
	f.liquid = nil
}

// lensAt is the middle of the near plane.
func (f *frame) lensAt() math32.Vector3 {
	c := matrixCamera{f.view, f.proj}
	m := c.matrix()
	p := math32.Vector3{Z: -1}
	if m.GetInverse(&m) == nil {
		p.ApplyProjection(&m)
	}
	return p
}

// advance takes the lens to a time, s; wide is the picture's width over its height. in: it is in the liquid.
func (n *lens) advance(time float64, wide float32, in bool) {
	if back := n.time - time; back > 0 { // the clock began anew
		for i := range n.drops {
			n.drops[i].born -= back
		}
	}
	n.time = time
	n.drops = slices.DeleteFunc(n.drops, func(d lensDrop) bool { return d.left(time) <= 0 })
	switch {
	case in:
		n.drops = n.drops[:0]
	case n.wet:
		for range lensBurst {
			n.add(wide*n.chance(0), n.chance(1))
		}
	}
	n.wet = in
}

// splatter puts a drop where a droplet or spray comes close to the lens.
func (f *frame) splatter(n *lens) {
	if k := len(n.drops); k > 0 && n.time-n.drops[k-1].born < splatter {
		return
	}
	p, eye, back := f.liquid.particles, eyeOf(&f.view), f.liquid.shared.back
	c := matrixCamera{f.view, f.proj}
	m := c.matrix()
	for i := p.first[dropletKind]; i < p.first[sprayKind+1]; i++ {
		v := p.values[particleFloats*i:]
		at := math32.Vector3{X: v[0] - back*v[4], Y: v[1] - back*v[5], Z: v[2] - back*v[6]}
		if at.DistanceToSquared(&eye) > splatNear*splatNear {
			continue
		}
		at.ApplyProjection(&m)
		if max(at.X, -at.X, at.Y, -at.Y, at.Z) < 1 {
			wide := float32(f.w) / float32(f.h)
			n.add(wide*(.5+.5*at.X), .5+.5*at.Y)
			return
		}
	}
}

// chance is the k-th number from 0 to 1 of the drop to come.
func (n *lens) chance(k int) float32 { return float32(scatter(n.count, k, 31)) }

// add puts a drop at a place, in place of the oldest if there are enough.
func (n *lens) add(x, y float32) {
	size := n.chance(2)
	size = .15 + .85*size*size*size // small ones are many
	d := lensDrop{x: x, y: y, radius: largest * size, born: n.time, life: 2 + 5*n.chance(3), sway: 2 * math.Pi * n.chance(4)}
	if size > sticks {
		d.speed = runs * size * size
	}
	if len(n.drops) >= lensDrops {
		n.drops = slices.Delete(n.drops, 0, 1)
	}
	n.drops = append(n.drops, d)
	n.count++
}

// left is how much of a drop there is at a time, 1 to 0.
func (d *lensDrop) left(time float64) float32 { return 1 - float32(time-d.born)/d.life }

// fallen is how far it has run down, of the picture's height: by halts, and the slower the longer.
func (d *lensDrop) fallen(time float64) float32 {
	t := time - d.born
	t += .8 / halts * (math.Sin(float64(d.sway)) - math.Sin(halts*t+float64(d.sway)))
	return d.speed * slows * float32(1-math.Exp(-max(t, 0)/slows))
}
