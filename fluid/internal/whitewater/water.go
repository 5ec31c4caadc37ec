package whitewater

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// MostParticles bounds Config.Most.
const MostParticles = 1 << 20

// Config is constant after New.
type Config struct {
	Most   int     // greatest number of particles; 0: none are ever made
	Domain r3.Box  // m
	Open   [6]bool // open sides, in the order -x, +x, -y, …
	Gap    float64 // least distance of particles from solids and sides, m
	Liquid Liquid
	// Solids appends the obstacles and bodies at the end of the step. Several workers may evaluate them at once.
	Solids func(dst []query.Solid) []query.Solid
}

// Water is the white water of a liquid.
type Water struct {
	Config
	Tuning
	Now Particles
	// Splashes is the memory for the next step's splashes.
	Splashes []Splash

	density float64   // particles per m² where the surface is all white
	radius  float64   // of the largest, m
	next    Particles // scratch of Advance, and then Now
	solids  []query.Solid
	sources []Source // scratch
	rates   []rate
	pool    *par.Pool
	work    []scratch // per worker
	step    Step
	made    int     // particles generated in the last Advance
	aging   float32 // factor on the ageing of crowded particles
}

// Step is the input of Advance.
type Step struct {
	Dt      float64               // s
	Delay   float64               // from the time of the stored liquid to that of the particles, s
	Gravity r3.Vec                // m/s²
	Fields  func(x r3.Vec) r3.Vec // the acceleration at a place, m/s², in place of Gravity; may be nil
	Wind    r3.Vec                // m/s
	Most    int                   // greatest number of particles in this step
	Still   bool                  // no particles are generated
	Seed    uint64
	// Splashes of bodies in the step.
	Splashes []Splash
}

// batch is the number of particles per call of Liquid.Look.
const batch = query.BatchSize

// New returns white water without particles.
func New(c Config, pool *par.Pool) *Water {
	w := &Water{Config: c, Tuning: DefaultTuning, pool: pool}
	if c.Most == 0 {
		return w
	}
	w.density = density(c.Most, c.Domain)
	w.radius = radius(w.density)
	for _, p := range [2]*Particles{&w.Now, &w.next} {
		p.resize(c.Most)
		p.cut(0)
	}
	w.work = make([]scratch, pool.Workers())
	for i := range w.work {
		s := &w.work[i]
		s.gap = c.Gap
		s.tracer = walls.MakeTracer(batch, traceSteps, true)
		s.tracer.Solid = func(dst []float32, pts []r3.Vec) { s.measure(dst, pts) }
	}
	return w
}

// Advance moves the particles on over a step of the liquid that has been taken, and generates new ones. If it panics, as a game's shape may make
// it, the particles are unchanged.
func (w *Water) Advance(step Step) {
	w.step = step
	n := w.Now.Len()
	w.solids = w.Solids(w.solids[:0])
	w.aging = float32(1 + float64(crowdedAging*w.crowding(n)))
	w.next.resize(n)
	par.For(w.pool, n, batch, w, (*Water).move)
	w.next.dropDead(0)
	w.made = 0
	if !step.Still {
		w.generate()
	}
	w.Now, w.next, w.Splashes = w.next, w.Now, step.Splashes
}

// Clear removes all particles.
func (w *Water) Clear() {
	w.Now.cut(0)
	w.made = 0
}

// Report counts particles.
type Report struct {
	Spray, Foam, Bubbles int
	Made                 int // generated in the last Advance
}

// Report returns the numbers of particles.
func (w *Water) Report() Report {
	n := [Kinds]int{}
	for _, k := range w.Now.Kind {
		n[k]++
	}
	return Report{n[Spray], n[Foam], n[Bubble], w.made}
}
