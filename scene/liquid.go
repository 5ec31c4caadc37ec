package scene

import (
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// LiquidOptions tunes a Liquid node. The zero value of every field is a good default.
type LiquidOptions struct {
	// Timestep is the length of the liquid's steps. Default 1/60 s.
	Timestep time.Duration
	// MaxSteps is how many steps an Update may take; what a slow frame has more is dropped,
	// and Frame.Dropped says so. Default 3.
	MaxSteps int
	// Async has the steps run beside the game, see Update. Leave them a processor less than there
	// are: fluid.Def.Workers = runtime.GOMAXPROCS(0) - 1, or the frames wait for one.
	Async bool
	// Before, if any, is called before each step, to drive liquid and bodies; if Async, before
	// the steps of a frame start. It runs on Update's goroutine.
	Before func()
	Look   Look
	Sky    SkyOptions
	// Caustics is the edge of the map of light on the floor, texels. Default 256;
	// negative means none. Only Draw makes it, and only tiled materials show it.
	Caustics int
	// NoAntialias leaves Draw's edges as they are.
	NoAntialias bool
	// Height is the viewport's, pixels, for Follow until the first frame is drawn. Default 720.
	Height int
}

func (o LiquidOptions) withDefaults() LiquidOptions {
	if o.Timestep == 0 {
		o.Timestep = time.Second / 60
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 3
	}
	if o.Caustics == 0 {
		o.Caustics = 256
	}
	if o.Height == 0 {
		o.Height = 720
	}
	if o.Timestep < 0 || o.MaxSteps < 0 || o.Height < 0 {
		panic("scene: NewLiquid: LiquidOptions.Timestep, MaxSteps and Height must not be negative")
	}
	o.Look = o.Look.withDefaults()
	return o
}

// Liquid is the node that steps a liquid and shows its surface and droplets. Leave it
// untransformed: the surface is in world space. Nodes added to it are drawn after the
// liquid and not refracted, a HUD for instance; what Show and ShowModel add is refracted.
type Liquid struct {
	core.Node

	source     Source
	options    LiquidOptions
	clock      clock
	binder     Binder
	cameras    []followed
	views      []fluid.View // of cameras
	unfollowed bool         // the source is still to be told that there is no camera
	shared     *shared
	bodies     *core.Node // what Show and ShowModel have made
	drags      []*drag
	surface    *surfaceMesh
	droplets   *dropletCloud
	stage      *stage
	picture    picture       // unless background has one
	background *background   // nil unless Async
	stepper    *worker       // takes a step for frame.Report; idle if Async
	changes    []func()      // to be made when the steps under way are taken over
	events     *fluid.Events // of the step that was taken over last
	played     time.Duration // by the game's own functions within Update
	frame      Frame
	dropped    time.Duration
}

// shared is what the liquid's graphics and materials need of the frame.
type shared struct {
	sky      daylight
	look     Look
	time     float64 // s, of the pattern's flow
	back     float32 // s the picture lies before the end of the last step
	box      [6]float32
	level    float32 // mean height of the free surface, m
	free     int     // triangles of the free surface
	refract  bool
	under    bool
	width    int32 // viewport, pixels
	height   int32
	color    uint32 // textures that the water reads
	depth    uint32
	exit     uint32
	caustic  uint32
	smoothed bool
}

// NewLiquid returns a node that shows source, usually a *fluid.Liquid. It panics if source is nil.
func NewLiquid(source Source, o LiquidOptions) *Liquid {
	if source == nil {
		panic("scene: NewLiquid: nil source")
	}
	o = o.withDefaults()
	l := &Liquid{source: source, options: o, clock: clock{step: o.Timestep, maxSteps: o.MaxSteps}}
	l.Node.Init(l)
	l.shared = &shared{sky: o.Sky.daylight(), look: o.Look, height: int32(o.Height), smoothed: !o.NoAntialias}
	l.surface = newSurfaceMesh(l.shared)
	l.droplets = newDropletCloud(l.shared)
	l.bodies = core.NewNode()
	l.Add(l.bodies)
	l.Add(l.surface)
	l.Add(l.droplets)
	l.stage = newStage(l)
	l.events = source.Events()
	// On a goroutine that is locked to OpenGL's thread helpers are slow to wake: at 60 frames a second its steps hold three
	// quarters of the unknowns that others hold, and twice as many are late.
	l.stepper = newWorker(func() { l.frame.Report = source.Step(o.Timestep.Seconds()) })
	if o.Async {
		l.background = newBackground(source, o.Timestep.Seconds())
		l.events = &fluid.Events{}
		addAsync(l)
	}
	l.waitForOthers()
	l.upload()
	return l
}

// Source is the liquid that the node shows.
func (l *Liquid) Source() Source { return l.source }

// SetLook changes how the liquid looks from the next frame on.
func (l *Liquid) SetLook(look Look) { l.shared.look = look.withDefaults() }

// SetSky changes the daylight that the liquid reflects from the next frame on, and that of all
// that is drawn with it: sky, tiles and other liquids, see SkyOptions.
func (l *Liquid) SetSky(o SkyOptions) {
	l.shared.sky.change(o)
	lightAll(rootOf(l), &l.shared.sky)
}

// followed is a camera that the grid follows.
type followed struct {
	cam    Camera
	height int32 // of the viewport that Draw drew it in last, pixels; 0 before
}

// Follow makes the liquid finest where the cameras look, those of a split screen for instance, from the
// next Update on; nil, or none, stops that. Where several see the same the nearest counts. Each counts with
// the viewport that Draw filled for it last. There can be fluid.MaxViews; a Source that takes one view only
// follows the first.
func (l *Liquid) Follow(cams ...Camera) {
	if len(cams) > fluid.MaxViews {
		panic("scene: Follow: there are more cameras than fluid.MaxViews")
	}
	l.cameras = l.cameras[:0]
	for _, c := range cams {
		if c != nil {
			l.cameras = append(l.cameras, followed{cam: c})
		}
	}
	l.unfollowed = len(l.cameras) == 0
}

// Bind makes node follow body i of bodies, in time with the liquid's picture.
func (l *Liquid) Bind(bodies Bodies, i int, node core.INode) *Binding {
	return l.binder.Bind(bodies, i, node)
}

// BindBody makes node follow a body, its origin at the body's own, in time with the liquid's picture.
func (l *Liquid) BindBody(b physics.Body, node core.INode) *Binding {
	return l.binder.BindBody(b, node)
}

// Unbind lets a bound node go, and removes it if Show has made it.
func (l *Liquid) Unbind(b *Binding) {
	l.binder.Unbind(b)
	if b.made && l.bodies.Remove(b.node) {
		b.node.Dispose()
	}
}

// Frame says what an Update did.
type Frame struct {
	// Steps is how many steps were taken, or taken over if Async; Report is the last one's, zero
	// without steps.
	Steps  int
	Report fluid.Report
	// Alpha is how far between the last two steps the picture lies, 0 to 1. Async, it goes up
	// to 2 while a step is late: then what moves is drawn ahead, by its velocity.
	Alpha float64
	// Dropped is time given up because the frame needed more than MaxSteps.
	Dropped time.Duration
	// Late tells that a step was due and those under way were not done. Async only.
	Late bool
	// Stall is how long Update kept its caller, without the time of the game's own functions that
	// it called. What g3n takes to hand the surface to OpenGL is part of drawing, not of this.
	Stall time.Duration
}

// Stepped reports whether Report is of this frame.
func (f *Frame) Stepped() bool { return f.Steps > 0 }

// Update advances the liquid by the time since the last frame in steps of
// LiquidOptions.Timestep, then shows the moment between the last two steps that the clock
// has reached. each, if any, is called after every step with its report. Steps are taken on a
// goroutine of their own while Update waits, since one that is locked to OpenGL's thread is
// slower.
//
// With LiquidOptions.Async, Update takes over what the steps under way have made, calls each,
// on the caller's goroutine as ever, then what Between was given, and, if steps are due, Before;
// it starts them on a goroutine of their own and returns. The picture is one step further behind.
// Update does not wait for them: while the steps under way are not done it shows on, up to a step ahead of
// the last one; if a step is due by then, Frame.Late says so.
//
// While steps are under way liquid and bodies belong to them: read and change both in each, in
// Before, in a function given to Between, or after Wait. Of several steps in one frame each is
// called when all are done; with MaxSteps 1 there are never several, and a slow game runs in
// slow motion. The same calls with the same dt give the same states as without Async, as long as
// no Update is late and neither each nor Before changes anything between two steps of one frame.
//
// Liquids that are coupled to the same bodies move them together, each with a node of its own: the
// Update of one waits for the steps under way of another.
func (l *Liquid) Update(dt time.Duration, each ...func(*fluid.Report)) Frame {
	start := time.Now()
	l.waitForOthers()
	l.frame = Frame{} // a field, since a callback's argument would make a local one escape
	l.played = 0
	if l.background != nil {
		l.turn(dt, each)
	} else {
		l.advance(dt, each)
	}
	l.dropped += l.frame.Dropped
	l.show(l.frame.Alpha, dt)
	l.frame.Stall = time.Since(start) - l.played
	return l.frame
}

// advance takes the steps that are due.
func (l *Liquid) advance(dt time.Duration, each []func(*fluid.Report)) {
	f := &l.frame
	l.look()
	f.Steps, f.Dropped = l.clock.advance(dt)
	for range f.Steps {
		l.prepare()
		l.stepper.start()
		l.stepper.wait()
		l.events = l.source.Events()
		l.binder.Capture()
		l.tell(each)
	}
	f.Alpha = l.clock.alpha()
	if f.Steps > 0 {
		l.upload()
	}
}

// prepare moves what the mouse holds and calls Before.
func (l *Liquid) prepare() {
	for _, d := range l.drags {
		d.move(l.options.Timestep.Seconds())
	}
	if l.options.Before != nil {
		start := time.Now()
		l.options.Before()
		l.played += time.Since(start)
	}
}

// tell calls each with the step's report.
func (l *Liquid) tell(each []func(*fluid.Report)) {
	start := time.Now()
	for _, call := range each {
		call(&l.frame.Report)
	}
	l.played += time.Since(start)
}

// Events lists what happened in the step that each is called for, or that it was called for
// last. It is valid until the next Update.
func (l *Liquid) Events() *fluid.Events { return l.events }

// Dropped is all the time given up so far.
func (l *Liquid) Dropped() time.Duration { return l.dropped }

// Refresh takes the surface and the bodies' poses after the game has stepped the liquid
// itself, and shows the moment alpha, 0 to 1, between the last two steps.
// It waits for steps under way.
func (l *Liquid) Refresh(alpha float64, dt time.Duration) {
	l.Wait()
	l.look()
	l.binder.Capture()
	l.upload()
	l.show(alpha, dt)
}

// look hands the cameras' views to the liquid. A view that the liquid refuses leaves the
// last ones in force, which costs detail and nothing else.
func (l *Liquid) look() {
	if len(l.cameras) == 0 {
		if l.unfollowed {
			l.unfollowed = false
			_ = l.source.SetView(fluid.View{}) // the zero View is always accepted
		}
		return
	}
	l.views = l.views[:0]
	for _, f := range l.cameras {
		var v, p math32.Matrix4
		f.cam.ViewMatrix(&v)
		f.cam.ProjMatrix(&p)
		height := f.height
		if height == 0 {
			height = l.shared.height
		}
		l.views = append(l.views, fluid.View{View: v, Projection: p, Height: int(height)})
	}
	if s, ok := l.source.(SourceOfViews); ok && len(l.views) > 1 {
		_ = s.SetViews(l.views...)
		return
	}
	_ = l.source.SetView(l.views[0])
}

// drawn tells with how many pixels a camera's picture is high.
func (l *Liquid) drawn(cam Camera, height int32) {
	for i := range l.cameras {
		if l.cameras[i].cam == cam {
			l.cameras[i].height = height
		}
	}
}

// upload shows the source's surface as it is.
func (l *Liquid) upload() {
	p := &l.picture
	if l.background != nil {
		p = l.background.picture()
	}
	p.take(l.source.Surface())
	l.present(p)
}

func (l *Liquid) present(p *picture) {
	if l.stage.closed {
		return
	}
	l.surface.set(p)
	l.droplets.set(&p.Surface)
}

func (l *Liquid) show(alpha float64, dt time.Duration) {
	l.shared.back = float32((1 - alpha) * l.options.Timestep.Seconds())
	l.shared.time += dt.Seconds()
	if l.shared.time > 3600 { // a float32 in the shader: keep it small
		l.shared.time -= 3600
	}
	l.binder.Show(alpha)
}

// Submerged reports whether a point, world space in m, is in the liquid as it was shown last.
func (l *Liquid) Submerged(p math32.Vector3) bool { return l.surface.picture.holds(p) }

// Dispose returns the node's buffers and textures to OpenGL, with those of the nodes added to it.
// Tiles that know of the liquid become dry; Tiles.SetLiquid gives them another.
// g3n can't delete a framebuffer: its name, without pictures, is kept for the next Liquid.
// It waits for steps under way, and ends the goroutine that takes steps.
func (l *Liquid) Dispose() {
	if l.background != nil {
		l.background.end()
		removeAsync(l)
	}
	l.waitForOthers() // what the mouse holds is let go
	l.stepper.end()
	for _, d := range l.drags {
		d.end()
	}
	l.drags = nil
	l.stage.dispose()
	l.shared.caustic, l.shared.free = 0, 0 // tiles may ask still
	l.surface.SetRenderable(false)
	l.droplets.SetRenderable(false)
	l.Node.Dispose()
}
