package scene

import (
	"cmp"
	"slices"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// LiquidOptions tunes a Liquid node. The zero value of every field is a good default.
type LiquidOptions struct {
	// Timestep is the length of the liquid's steps. Default 1/60 s.
	Timestep time.Duration
	// MaxSteps is how many steps an Update may take; what a slow frame has more is dropped,
	// and Frame.Dropped says so. Default 3.
	MaxSteps int
	// Async has the steps run beside the game, see Update. Leave them a processor less than there
	// are: fluid.Def.Resources.Workers = runtime.GOMAXPROCS(0) - 1, or the frames wait for one.
	Async bool
	// BeforeStep, if any, is called before each step, to drive liquid and bodies; if Async, before
	// the steps of a frame start. It runs on Update's goroutine.
	BeforeStep func()
	// Drying is how long what the liquid has wetted, whatever its material, takes to dry where Draw draws it. Default 30 s; negative means that nothing
	// gets wet, which saves each step the look at what it touches.
	Drying time.Duration
	Look   Look
	Sky    SkyOptions
	// Caustics is the edge of each of the two maps of the sunlight that the surface bends and mirrors, texels. Default 256;
	// negative means none, and so does DrawLow. Only Draw makes them; tiles and g3n's standard and physical materials show them, but for what is Untouched.
	// Of the liquids under a root the nearest four have maps, all as large as the largest.
	Caustics int
	// Quality is how much Draw may cost the graphics card. Default DrawMedium; SetQuality changes it, and DrawBudget lowers it.
	Quality DrawQuality
	// DrawBudget is how long the graphics card may take for a picture. Where it takes longer Draw goes down from Quality to a cheaper one, and up again
	// where that is sure to fit. Default 0: Quality stays, as it does where the driver has no timers.
	DrawBudget time.Duration
	// NoWhiteWater leaves out the spray, foam and bubbles of a liquid that has them, fluid.Def.WhiteWater.
	NoWhiteWater bool
	// NoLensDrops leaves out the drops that run down the picture after the camera came out of the liquid, or close to its spray.
	NoLensDrops bool
	// NoAntialias leaves Draw's edges as they are, as DrawLow does.
	NoAntialias bool
	// Bloom is how much of the light that is too bright for a display Draw spreads about the place that it comes from, at most 1. Default .3; negative
	// means none. DrawLow spreads none.
	Bloom float32
	// Height is the viewport's, pixels, for Follow until the first frame is drawn. Default 720.
	Height int
}

func (o LiquidOptions) withDefaults() LiquidOptions {
	o.Timestep = cmp.Or(o.Timestep, time.Second/60)
	o.MaxSteps = cmp.Or(o.MaxSteps, 3)
	o.Drying = cmp.Or(o.Drying, 30*time.Second)
	o.Caustics = cmp.Or(o.Caustics, 256)
	o.Bloom = cmp.Or(o.Bloom, .3)
	o.Height = cmp.Or(o.Height, 720)
	if o.Timestep < 0 || o.MaxSteps < 0 || o.Height < 0 || o.DrawBudget < 0 {
		panic("scene: NewLiquid: LiquidOptions.Timestep, MaxSteps, Height and DrawBudget must not be negative")
	}
	o.Look = o.Look.withDefaults()
	return o
}

// Liquid is the node that steps a liquid and shows its surface, droplets and white water. Leave it
// untransformed: the surface is in world space. Nodes added to it are drawn after the
// liquid and not refracted, a HUD for instance; what Show and ShowModel add is refracted.
type Liquid struct {
	core.Node

	source    Source
	options   LiquidOptions
	stepper   *adapter.Stepper
	binder    Binder // binds to stepper
	cameras   []followed
	see       func(dst []fluid.View) []fluid.View // views
	shared    *shared
	bodies    *core.Node // parent of the nodes of Show and ShowModel
	bound     []*Binding // by Bind and BindBody
	made      []*Binding // of these, by Show
	wet       wetTexture // of what stands still
	grabbers  []*mouseGrabber
	controls  []*Control
	started   float64 // s, of the steps that this Update has started
	underway  float64 // s, of those that run beside the frame
	surface   *surfaceMesh
	particles *particles
	sprites   []*sprites
	foam      *foamPatches
	lenses    []*lens // of the cameras that it was drawn for last
	stage     *stage
}

// shared is what the liquid's graphics and materials need of the frame.
type shared struct {
	sky      daylight
	look     Look
	time     float64 // s, of the pattern's flow
	back     float32 // s, from the shown moment to the end of the last step
	box      [6]float32
	cell     float32 // edge of the finest cells, m; 0 if unknown
	level    float32 // mean height of the free surface, m
	free     int     // triangles of the free surface
	refract  bool
	width    int32 // viewport, pixels
	height   int32
	color    uint32 // textures that the water reads
	depth    uint32
	interval uint32
	front    uint32
	foam     uint32 // 0 for none
	shafts   uint32 // 0 for none
	mirror   mirrored
	behind   backdrop
	light    lightMap
}

// NewLiquid returns a node that shows source, usually a *fluid.Liquid. It panics if source is nil.
func NewLiquid(source Source, o LiquidOptions) *Liquid {
	if source == nil {
		panic("scene: NewLiquid: nil source")
	}
	o = o.withDefaults()
	l := &Liquid{source: source, options: o}
	l.stepper = adapter.NewStepper(source, adapter.Options{Timestep: o.Timestep, MaxSteps: o.MaxSteps, Async: o.Async, BeforeStep: l.prepare, Drying: max(o.Drying, 0)})
	l.binder.stepper = l.stepper
	l.see = l.views // once: each such value is allocated
	l.Node.Init(l)
	l.shared = &shared{sky: o.Sky.daylight(), look: o.Look, height: int32(o.Height)}
	if s, ok := source.(interface{ Def() fluid.Def }); ok {
		l.shared.cell = float32(s.Def().CellSize)
	}
	l.surface = newSurfaceMesh(l.shared)
	l.particles = newParticles()
	l.foam = newFoamPatches(l.particles)
	l.bodies = core.NewNode()
	l.Add(l.bodies)
	l.Add(l.surface)
	for i := range spriteSpecs {
		l.sprites = append(l.sprites, newSprites(&spriteSpecs[i], l.particles, l.shared))
		l.Add(l.sprites[i])
	}
	l.stage = newStage(l)
	l.present()
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
	if len(l.cameras) == 0 {
		l.stepper.Follow(nil)
	} else {
		l.stepper.Follow(l.see)
	}
}

// views appends what the cameras see.
func (l *Liquid) views(dst []fluid.View) []fluid.View {
	for _, f := range l.cameras {
		var v, p math32.Matrix4
		f.cam.ViewMatrix(&v)
		f.cam.ProjMatrix(&p)
		height := f.height
		height = cmp.Or(height, l.shared.height)
		dst = append(dst, fluid.View{View: v, Projection: p, Height: int(height)})
	}
	return dst
}

// drawn records the height of the viewport that a camera was drawn to, pixels.
func (l *Liquid) drawn(cam Camera, height int32) {
	for i := range l.cameras {
		if l.cameras[i].cam == cam {
			l.cameras[i].height = height
		}
	}
}

// Bind makes node follow body i of bodies, in time with the liquid's surface.
func (l *Liquid) Bind(bodies Bodies, i int, node core.INode) *Binding {
	k := l.binder.Bind(bodies, i, node)
	l.bound = append(l.bound, k)
	return k
}

// BindBody makes node follow a body, its origin at the body's own, in time with the liquid's surface.
func (l *Liquid) BindBody(b physics.Body, node core.INode) *Binding {
	k := l.binder.BindBody(b, node)
	l.bound = append(l.bound, k)
	return k
}

// Unbind lets a bound node go, and removes it if Show has made it.
func (l *Liquid) Unbind(b *Binding) {
	l.binder.Unbind(b)
	b.wet.texture.dispose()
	l.bound = slices.DeleteFunc(l.bound, func(k *Binding) bool { return k == b })
	l.made = slices.DeleteFunc(l.made, func(k *Binding) bool { return k == b })
	if b.made && l.bodies.Remove(b.node) {
		b.node.Dispose()
	}
}

// Frame says what an Update did.
type Frame = adapter.Frame

// Update advances the liquid by the time since the last frame in steps of
// LiquidOptions.Timestep, then shows the moment between the last two steps that the clock
// has reached. each, if any, is called after every step with its report. Steps are taken on a
// goroutine of their own while Update waits, since one that is locked to OpenGL's thread is
// slower.
//
// With LiquidOptions.Async, Update takes over what the steps under way have made, calls each,
// on the caller's goroutine as ever, then what BetweenSteps was given, and, if steps are due, BeforeStep;
// it starts them on a goroutine of their own and returns. The shown moment is one step further behind.
// A panic in a step, such as one of a callback of the game's that the liquid calls, comes to the caller of Update, or of Wait, as a
// *fluid.Panic; a game that recovers can go on.
// Update does not wait for them: while the steps under way are not done it shows on, up to a step ahead of
// the last one; if a step is due by then, Frame.Late says so.
//
// While steps are under way liquid and bodies belong to them: read and change both in each, in
// BeforeStep, in a function given to BetweenSteps, or after Wait. Of several steps in one frame each is
// called when all are done; with MaxSteps 1 there are never several, and a slow game runs in
// slow motion. The same calls with the same dt give the same states as without Async, as long as
// no Update is late and neither each nor BeforeStep changes anything between two steps of one frame.
//
// Liquids that are coupled to the same bodies move them together, each with a node of its own: the
// Update of one waits for the steps under way of another.
func (l *Liquid) Update(dt time.Duration, each ...func(*fluid.Report)) Frame {
	l.started = 0
	f := l.stepper.Update(dt, each...)
	start := time.Now()
	if f.Steps > 0 {
		l.underway = 0
		for _, c := range l.controls {
			c.Record(&f.Report)
		}
	}
	if l.options.Async && l.started > 0 {
		l.underway = l.started
	}
	if !l.options.Async {
		l.reshape()
	}
	if f.SurfaceChanged {
		l.present()
	}
	l.show(dt)
	f.Stall += time.Since(start)
	return f
}

// BetweenSteps calls f, which may read and change the liquid and the bodies: at once if no step waits
// to be taken over, or else in the Update that takes it over, after each. It is for what a key or
// the network asks for between frames; call it on the goroutine of Update.
func (l *Liquid) BetweenSteps(f func()) {
	l.stepper.BetweenSteps(func() {
		f()
		l.reshape()
	})
}

// Wait returns when no step is under way. Until the next Update, which takes the steps over as
// ever, liquid and bodies are the game's. Call it before the liquid is closed, and before it is
// saved outside of each. It waits for the steps of liquids that are coupled to the same bodies too.
func (l *Liquid) Wait() { l.stepper.Wait() }

// prepare moves what the mouse holds and calls BeforeStep, then moves controls and looks for shapes that came or went.
func (l *Liquid) prepare() {
	for _, d := range l.grabbers {
		d.move(l.options.Timestep.Seconds())
	}
	if l.options.BeforeStep != nil {
		l.options.BeforeStep()
	}
	l.moveControls()
	l.reshape()
	l.outline()
}

// Events lists what happened in the step that each is called for, or that it was called for
// last. It is valid until the next Update.
func (l *Liquid) Events() *fluid.Events { return l.stepper.Events() }

// Dropped is all the time given up so far.
func (l *Liquid) Dropped() time.Duration { return l.stepper.Dropped() }

// Capture takes the bodies' poses, and what has got wet, after the game has stepped the liquid itself; Refresh does so too. It is for steps
// that are not shown.
func (l *Liquid) Capture() {
	l.outline()
	l.stepper.Capture()
}

// Refresh takes the surface and the bodies' poses after the game has stepped the liquid
// itself, and shows the moment alpha, 0 to 1, between the last two steps.
// It waits for steps under way.
func (l *Liquid) Refresh(alpha float64, dt time.Duration) {
	l.outline()
	l.stepper.Refresh(alpha)
	l.reshape()
	l.present()
	l.show(dt)
}

// present passes the stepper's surface to the graphics; they are gone once the node is disposed of.
func (l *Liquid) present() {
	if l.stage.closed {
		return
	}
	p := l.stepper.Surface()
	l.surface.set(p)
	l.showParticles(&p.Surface)
}

func (l *Liquid) show(dt time.Duration) {
	l.shared.back = float32(l.stepper.Lag())
	l.shared.time += dt.Seconds()
	if l.shared.time > 3600 { // a float32 in the shader: keep it small
		l.shared.time -= 3600
	}
	for _, c := range l.controls {
		c.refresh()
	}
}

// Submerged reports whether a point, world space in m, is in the liquid as it was shown last.
func (l *Liquid) Submerged(p math32.Vector3) bool { return l.surface.picture.Contains(p.X, p.Y, p.Z) }

// Dispose returns the node's buffers and textures to OpenGL, with those of the nodes added to it.
// Tiles go on with its sky; Tiles.SetLiquid gives them another's.
// g3n can't delete a framebuffer: its name, without pictures, is kept for the next Liquid.
// It waits for steps under way, and ends the goroutine that takes steps.
func (l *Liquid) Dispose() {
	l.stepper.Close()
	for _, d := range l.grabbers {
		d.end()
	}
	l.grabbers = nil
	for len(l.controls) > 0 {
		l.controls[0].end()
	}
	l.stage.dispose()
	l.wet.dispose()
	for _, k := range l.bound {
		k.wet.texture.dispose()
	}
	l.surface.SetRenderable(false)
	for _, s := range l.sprites {
		s.SetRenderable(false)
	}
	l.Node.Dispose()
	l.particles.geometry.Dispose()
}
