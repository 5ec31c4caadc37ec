package scene

import (
	"github.com/g3n/engine/math32"
)

// index of refraction that the shaders have too.
const liquidIndex = 1.333

// lightFront is the sunlight that a liquid's surface bends down or mirrors, and where its map lies. A point of the map is a line along which the
// light goes where the water is still, told by where it crosses the mean level.
type lightFront struct {
	used      bool
	down      bool
	lean      [2]float32 // x and z that light goes for a metre of height
	area      [4]float32 // x and z at the first texel, 1/size in x and z
	near, far float32    // heights between which light is followed, m
	level     float32
	spans     [2]span // of x and z
}

// span is an interval that is widened when it must be, and narrowed when much of it is empty: a map's texels keep their places meanwhile.
type span struct{ lo, hi float32 }

func (s *span) hold(lo, hi float32) {
	if size := hi - lo; lo < s.lo || hi > s.hi || s.hi-s.lo > 2*size {
		s.lo, s.hi = lo-.04*size, hi+.04*size
	}
}

// lightUnder is how far below a liquid's bounds its light is followed, m.
const lightUnder = .5

// fit places the map for a liquid's bounds, level and the sun. Where the sun stands so low that mirrored light hardly rises there is no map of that.
func (l *lightFront) fit(b *[6]float32, level float32, sun math32.Vector3, down bool) {
	const margin, lowest = .1, .1
	l.down, l.level = down, level
	l.used = down || sun.Y > lowest
	if !l.used {
		return
	}
	rise := sun.Y // of the light's way, of its length
	bent := float32(1)
	if down {
		bent = 1. / liquidIndex
		rise = math32.Sqrt(1 - (1-sun.Y*sun.Y)*bent*bent)
	}
	l.lean = [2]float32{sun.X * bent / rise, sun.Z * bent / rise}
	lo, hi := b[1]-level, b[4]-level
	if down {
		l.near, l.far = b[4]+margin, b[1]-lightUnder
	} else {
		l.lean[0], l.lean[1] = -l.lean[0], -l.lean[1]
		l.near, l.far = b[1]-margin, b[4]+min(max(2*max(b[3]-b[0], b[5]-b[2]), 3), 30)
		lo, hi = 0, 0 // what comes from far off the level is let go: a low sun's light leans much
	}
	for k := range 2 {
		below, above := -l.lean[k]*lo, -l.lean[k]*hi
		l.spans[k].hold(b[2*k]+min(below, above)-margin, b[2*k+3]+max(below, above)+margin)
	}
	x, z := l.spans[0], l.spans[1]
	l.area = [4]float32{x.lo, z.lo, 1 / (x.hi - x.lo), 1 / (z.hi - z.lo)}
	if down { // so that faces turn as in any picture
		l.area[1], l.area[3] = z.hi, -l.area[3]
	}
}

// camera sees along the light's lines.
func (l *lightFront) camera() matrixCamera {
	ax, az, deep := 2*l.area[2], 2*l.area[3], 2/(l.far-l.near)
	c := matrixCamera{proj: math32.Matrix4{
		ax, 0, 0, 0,
		-ax * l.lean[0], -az * l.lean[1], deep, 0,
		0, az, 0, 0,
		ax*(l.lean[0]*l.level-l.area[0]) - 1, az*(l.lean[1]*l.level-l.area[1]) - 1, -deep*l.near - 1, 1}}
	c.view.Identity()
	return c
}
