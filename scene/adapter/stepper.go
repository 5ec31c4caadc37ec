package adapter

import (
	"cmp"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Source is what a Stepper steps; *fluid.Liquid is one, with the bodies that it is coupled to.
type Source interface {
	// Step advances by dt seconds. It is called on a goroutine of its own, but never beside the
	// game's functions unless Options.Async.
	Step(dt float64) *fluid.Report
	// Surface is valid until the next Step.
	Surface() *fluid.Surface
	// Events are the last Step's, never nil and valid until the next.
	Events() *fluid.Events
	SetView(v fluid.View) error
}

// MultiViewSource is a Source that follows several cameras at once; *fluid.Liquid is one.
type MultiViewSource interface {
	Source
	SetViews(views ...fluid.View) error
}

var _ MultiViewSource = (*fluid.Liquid)(nil)

// Options tunes a Stepper. The zero value of every field is a good default.
type Options struct {
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
	// Drying is how long what the liquid has wetted takes to dry, see SurfaceCopy.Wetness and Binding.Soak. 0, or a Source that is no *fluid.Liquid:
	// no wetness is kept.
	Drying time.Duration
}

// Frame says what an Update did.
type Frame struct {
	// Steps is how many steps were taken, or taken over if Async; Report is the last one's, zero
	// without steps.
	Steps  int
	Report fluid.Report
	// Alpha is where the shown moment lies between the last two steps, 0 to 1. With Async it goes up to 2 while a step is
	// late: then motion is extrapolated by its velocity.
	Alpha float64
	// SurfaceChanged tells that Surface returns another copy than at the last Update, to be handed to the engine.
	SurfaceChanged bool
	// Dropped is time given up because the frame needed more than MaxSteps.
	Dropped time.Duration
	// Late tells that a step was due and those under way were not done. Async only.
	Late bool
	// Stall is how long Update kept its caller, without the time of the game's own functions that
	// it called. What an engine takes to hand the surface to the graphics card is not part of this.
	Stall time.Duration
}

// Stepped reports whether Report is of this frame.
func (f *Frame) Stepped() bool { return f.Steps > 0 }

// Stepper steps a liquid, and the bodies that it is coupled to, in steps of one length whatever the
// frames take, and provides what to draw: a copy of the surface, and the poses of what is bound.
// Its methods are called on one goroutine, that of the frames.
type Stepper struct {
	source         Source
	options        Options
	clock          Clock
	binder         Binder
	wetness        *wetness // nil for none
	views          func(dst []fluid.View) []fluid.View
	currentViews   []fluid.View  // by views
	viewSet        bool          // the source has a view, to be cleared when there is no camera
	own            SurfaceCopy   // unless background has one
	surface        *SurfaceCopy  // shown now
	surfaceChanged bool          // not yet reported by a Frame
	background     *background   // nil unless Async
	others         []*background // scratch of waitForOthers
	worker         *worker       // takes a step for frame.Report; idle if Async
	changes        []func()      // to be run when the steps under way are taken over
	events         *fluid.Events // of the step that was taken over last
	callbackTime   time.Duration // in the game's own functions within Update
	frame          Frame
	alpha          float64 // shown now
	dropped        time.Duration
	stride, due    int // steps that follow BeforeStep before it is called again; those to the frame's moment
}

// NewStepper returns a Stepper of source, usually a *fluid.Liquid. It panics if source is nil or an option is negative.
func NewStepper(source Source, o Options) *Stepper {
	if source == nil {
		panic("adapter: NewStepper: nil source")
	}
	if o.Timestep < 0 || o.MaxSteps < 0 || o.Drying < 0 {
		panic("adapter: NewStepper: Options.Timestep, MaxSteps and Drying must not be negative")
	}
	o.Timestep = cmp.Or(o.Timestep, time.Second/60)
	o.MaxSteps = cmp.Or(o.MaxSteps, 3)
	s := &Stepper{source: source, options: o, clock: Clock{Step: o.Timestep, MaxSteps: o.MaxSteps}, alpha: 1}
	s.events = source.Events()
	s.wetness = newWetness(source, o.Drying.Seconds())
	// On a goroutine that is locked to OpenGL's thread helpers are slow to wake: at 60 frames a second its steps hold three
	// quarters of the unknowns that others hold, and twice as many are late.
	s.worker = newWorker(func() { s.frame.Report = *source.Step(o.Timestep.Seconds()) })
	if o.Async {
		s.background = newBackground(source, o.Timestep.Seconds(), s.wetness)
		s.events = &fluid.Events{}
	}
	s.waitForOthers()
	s.copySurface()
	return s
}

// Follow makes the liquid finest where cameras look, from the next Update on; nil stops that. views appends what each
// camera sees to dst; it is called when no step is under way. Of several a Source that takes one view only follows the first. Views that
// the liquid refuses leave the last ones in force.
func (s *Stepper) Follow(views func(dst []fluid.View) []fluid.View) {
	s.views = views
	s.viewSet = s.viewSet || views == nil // the game may have told the source of a camera itself
}

// Bind has place called with the pose of body i of bodies, in time with the liquid's surface: see Binder.Bind.
func (s *Stepper) Bind(bodies Bodies, i int, place func(position r3.Vec, rotation quat.Number)) *Binding {
	return s.binder.Bind(bodies, i, place)
}

// BindBody has place called with the pose of a body's own origin, in time with the liquid's surface.
func (s *Stepper) BindBody(b physics.Body, place func(position r3.Vec, rotation quat.Number)) *Binding {
	return s.binder.BindBody(b, place)
}

// Unbind ends a binding.
func (s *Stepper) Unbind(b *Binding) { s.binder.Unbind(b) }

// Update advances the liquid by the time since the last frame in steps of Options.Timestep, then
// calls what is bound with the poses of the moment between the last two steps that the clock
// has reached. each, if any, is called after every step with its report. Steps are taken on a
// goroutine of their own while Update waits, since one that is locked to OpenGL's thread is
// slower.
//
// With Options.Async, Update takes over what the steps under way have made, calls each,
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
// Liquids that are coupled to the same bodies move them together, each with a Stepper of its own, on one goroutine: the
// Update of one waits for the steps under way of another.
func (s *Stepper) Update(dt time.Duration, each ...func(*fluid.Report)) Frame {
	start := time.Now()
	s.waitForOthers()
	s.frame = Frame{} // a field, since a callback's argument would make a local one escape
	s.callbackTime = 0
	if s.background != nil {
		s.updateAsync(dt, each)
	} else {
		s.updateSync(dt, each)
	}
	s.dropped += s.frame.Dropped
	s.frame.SurfaceChanged, s.surfaceChanged = s.surfaceChanged, false
	s.show(s.frame.Alpha)
	s.frame.Stall = time.Since(start) - s.callbackTime
	return s.frame
}

// updateSync runs the steps that are due.
func (s *Stepper) updateSync(dt time.Duration, each []func(*fluid.Report)) {
	f := &s.frame
	s.updateViews()
	f.Steps, f.Dropped = s.clock.Advance(dt)
	for i := range f.Steps {
		s.stride, s.due = 1, f.Steps-i
		s.callBeforeStep()
		s.worker.start()
		s.worker.wait()
		s.events = s.source.Events()
		s.captureAll()
		s.callEach(each)
	}
	f.Alpha = s.clock.Alpha()
	if f.Steps > 0 {
		s.copySurface()
	}
}

// captureAll takes the bodies' poses after a step, and what it has wetted.
func (s *Stepper) captureAll() {
	s.wetness.ready(s.binder.bindings)
	s.binder.capture()
	s.wetness.update(s.source, s.options.Timestep.Seconds(), s.binder.bindings)
	s.binder.publish()
}

// callBeforeStep calls BeforeStep.
func (s *Stepper) callBeforeStep() {
	if s.options.BeforeStep != nil {
		start := time.Now()
		s.options.BeforeStep()
		s.callbackTime += time.Since(start)
	}
}

// callEach calls each with the step's report.
func (s *Stepper) callEach(each []func(*fluid.Report)) {
	start := time.Now()
	for _, call := range each {
		call(&s.frame.Report)
	}
	s.callbackTime += time.Since(start)
}

// Stride tells, while BeforeStep is called, what the steps do that follow before it is called again: the time that they take together, s, and
// what part that is of the time from the liquid's state to the frame's moment. What moves with the frames, such as an animation, goes this
// part of its way before the steps, and so moves evenly whatever the frames take.
// Before the first step it is 0 and 1.
func (s *Stepper) Stride() (dt, part float64) {
	if s.stride == 0 {
		return 0, 1
	}
	dt = float64(s.stride) * s.options.Timestep.Seconds()
	return dt, dt / ((float64(s.due) + s.clock.Alpha()) * s.options.Timestep.Seconds())
}

// Surface is the surface to draw, as the steps left it that the frame shows. It is valid until the next Update or
// Refresh, and drawn at the frame's moment if each vertex is moved by -Lag times its velocity.
func (s *Stepper) Surface() *SurfaceCopy { return s.surface }

// Lag is the time from the shown moment to that of Surface, s; below 0 if the shown moment is later.
func (s *Stepper) Lag() float64 { return (1 - s.alpha) * s.options.Timestep.Seconds() }

// Events lists what happened in the step that each is called for, or that it was called for
// last. It is valid until the next Update.
func (s *Stepper) Events() *fluid.Events { return s.events }

// Dropped is all the time given up so far.
func (s *Stepper) Dropped() time.Duration { return s.dropped }

// Capture takes the bodies' poses, and what has got wet, after the game has stepped the liquid itself; Refresh does so too. It is for steps
// that are not shown.
func (s *Stepper) Capture() {
	s.Wait()
	s.captureAll()
}

// Refresh takes the surface and the bodies' poses after the game has stepped the liquid
// itself, and shows the moment alpha, 0 to 1, between the last two steps.
// It waits for steps under way.
func (s *Stepper) Refresh(alpha float64) {
	s.Wait()
	s.updateViews()
	s.captureAll()
	s.copySurface()
	s.show(alpha)
}

// updateViews passes the cameras' views to the liquid. Views that the liquid refuses leave the last ones in force, which
// costs detail only.
func (s *Stepper) updateViews() {
	s.currentViews = s.currentViews[:0]
	if s.views != nil {
		s.currentViews = s.views(s.currentViews)
	}
	switch several, ok := s.source.(MultiViewSource); {
	case len(s.currentViews) == 0 && !s.viewSet:
	case len(s.currentViews) == 0:
		_ = s.source.SetView(fluid.View{}) // the zero View is always accepted
	case ok && len(s.currentViews) > 1:
		_ = several.SetViews(s.currentViews...)
	default:
		_ = s.source.SetView(s.currentViews[0])
	}
	s.viewSet = len(s.currentViews) > 0
}

// copySurface copies the source's surface, to be shown.
func (s *Stepper) copySurface() {
	s.surface = &s.own
	if s.background != nil {
		s.surface = s.background.surface()
	}
	s.surface.take(s.source, s.wetness)
	s.surfaceChanged = true
}

func (s *Stepper) show(alpha float64) {
	s.alpha = alpha
	s.binder.Interpolate(alpha)
}

// Close waits for steps under way, those of liquids that are coupled to the same bodies too, and ends the goroutine that takes steps. The liquid is the game's to close.
func (s *Stepper) Close() {
	if s.background != nil {
		s.background.end()
	}
	s.waitForOthers() // the bodies are the game's
	s.worker.end()
}
