// Package raytrace draws reference pictures of liquids on the CPU: what light does in them, without the short cuts of a picture that must be
// ready in a few milliseconds. Reflection and refraction follow Snell and Fresnel, liquids absorb by Beer and Lambert, the sun's light that waves
// bend is carried by photons, and what is not shiny is lit by all that it faces. The same scene makes the same picture, whatever the workers.
//
// Light is in the units of the scene's shaders: a white surface that faces the sun throws back Sky.Strength of it, and white under a uniform
// sky looks like that sky. The tone map is theirs too.
package raytrace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"
)

// Options are how carefully a picture is drawn. Zero values take their defaults.
type Options struct {
	Samples int // rays from the eye for each pixel at most; 0 means 16
	// Error is how unsure a pixel's brightness, from 0 to 1 as it is shown, may stay with fewer samples; 0: each pixel has all.
	Error   float64
	Photons int     // that the sun sends to the liquid; 0 means 1 million, less than 0 none
	Radius  float64 // over which photons are counted, m; 0: so that there are about 60
	Depth   int     // how often a ray is mirrored, bent or scattered at most; 0 means 16
	Bounces int     // how often of these it is scattered at most; 0 means 3
	// Most is what a sample counts at most, so that a few lucky ones make no white dots; 0 means 20.
	Most    float64
	Workers int // 0: as many as there are processors. The picture is the same
	// Progress, if not nil, is told when a row of a picture is done, and how many are. It is called from one goroutine at a time.
	Progress func(rows int)
}

func (o Options) withDefaults() (Options, error) {
	if o.Samples < 0 || o.Depth < 0 || o.Bounces < 0 || o.Workers < 0 || !(o.Error >= 0) || !(o.Radius >= 0) || !(o.Most >= 0) {
		return o, errors.New("raytrace: Options.Samples, Error, Radius, Depth, Bounces, Most and Workers: must not be negative")
	}
	number := func(v *int, standard int) {
		*v = cmp.Or(*v, standard)
	}
	number(&o.Samples, 16)
	number(&o.Photons, 1_000_000)
	number(&o.Depth, 16)
	number(&o.Bounces, 3)
	number(&o.Workers, runtime.GOMAXPROCS(0))
	o.Most = cmp.Or(o.Most, 20)
	return o, nil
}

// Tracer draws a scene. Make one with New.
type Tracer struct {
	*world
	scene   *Scene
	options Options
	sun     sun
	liquid  Liquid // with its defaults; the zero Liquid if there is none
	foam    Material
	glow    Colour // of the liquid's cloud
	photons photonMap
}

// New makes a scene ready, which must not change afterwards, and sends out the sun's photons.
func New(scene *Scene, o Options) (*Tracer, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := scene.validate(); err != nil {
		return nil, err
	}
	t := &Tracer{world: newWorld(scene), scene: scene, options: o, sun: scene.Sky.sunlight()}
	if scene.Liquid != nil {
		t.liquid = *scene.Liquid
		l := &t.liquid
		l.Index = cmp.Or(l.Index, waterIndex)
		l.FoamSize = cmp.Or(l.FoamSize, .5)
		t.foam = Material{Colour: l.FoamColour}
		t.glow = l.scattered(&scene.Sky, &t.sun)
		t.photons = t.sendPhotons()
	}
	return t, nil
}

// mostPixels is how large a picture may be.
const mostPixels = 1 << 27

// Render draws what a camera sees.
func (t *Tracer) Render(c Camera, width, height int) (*Film, error) {
	if width < 1 || height < 1 || width > mostPixels/height {
		return nil, fmt.Errorf("raytrace: Render: %d by %d pixels; must be at least 1 by 1 and at most %d in all", width, height, mostPixels)
	}
	f := &Film{Width: width, Height: height, Light: make([]Colour, width*height)}
	eye := c.ray(0, 0)
	inside := 0
	if t.submerged(eye.from) {
		inside = 1
	}
	var told sync.Mutex
	rows := 0
	each(height, t.options.Workers, func(y int) {
		for x := range width {
			f.Light[y*width+x] = t.pixel(&c, x, y, width, height, inside)
		}
		told.Lock()
		defer told.Unlock()
		if rows++; t.options.Progress != nil {
			t.options.Progress(rows)
		}
	})
	return f, nil
}

// A pixel has at least leastSamples, and is looked at after each batch.
const (
	leastSamples = 16
	batch        = 8
)

// pixel is the mean of a pixel's samples.
func (t *Tracer) pixel(c *Camera, x, y, width, height, inside int) (sum Colour) {
	s := sampler{seed: hash32(uint32(y*width+x) + 1)}
	shown, shown2 := 0., 0. // sums of the samples' brightness as it is shown, and of its square
	n := 0
	for n < t.options.Samples {
		s.index, s.pair = uint32(n), 0
		u, v := s.next()
		r := c.ray(2*(float64(x)+u)/float64(width)-1, 1-2*(float64(y)+v)/float64(height))
		light := t.light(r, path{sampler: &s, inside: inside, cut: true})
		if most := largest(light); most > t.options.Most {
			light = r3.Scale(t.options.Most/most, light)
		}
		sum = r3.Add(sum, light)
		n++
		b := Encode((light.X + light.Y + light.Z) / 3)
		shown, shown2 = shown+b, shown2+b*b
		if most := t.options.Error; most > 0 && n >= leastSamples && n%batch == 0 {
			mean := shown / float64(n)
			if shown2/float64(n)-mean*mean < most*most*float64(n) {
				break
			}
		}
	}
	return r3.Scale(1/float64(n), sum)
}

// submerged tells whether a point is in the liquid: what a line straight up meets of it first, it meets from within.
func (t *Tracer) submerged(p r3.Vec) bool {
	r := newRay(p, r3.Vec{Y: 1})
	for range 1000 {
		h := t.first(&r, math.Inf(1), false)
		if h.item < 0 {
			return false
		}
		if t.isLiquid(h.item) && int(h.item) < len(t.triangles) {
			return h.normal.Y > 0
		}
		r.from.Y += h.far + lift
	}
	return false
}

// each calls f for 0 to n-1, on several goroutines.
func each(n, workers int, f func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	all.Wait()
}
