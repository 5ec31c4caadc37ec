package scene

import (
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// LiquidOptions tunes a Liquid node. The zero value of every field is a good default.
type LiquidOptions struct {
	// Timestep is the length of the liquid's steps. Default 1/60 s.
	Timestep time.Duration
	// MaxSteps is how many steps an Update may take; what a slow frame has more is dropped,
	// and Frame.Dropped says so. Default 3.
	MaxSteps int
	Look     Look
	Sky      SkyOptions
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
	o.Sky = o.Sky.withDefaults()
	return o
}

// Liquid is the node that steps a liquid and shows its surface and droplets. Leave it
// untransformed: the surface is in world space. Nodes added to it are drawn after the
// liquid and not refracted, a HUD for instance.
type Liquid struct {
	core.Node

	source   Source
	options  LiquidOptions
	clock    clock
	binder   Binder
	camera   Camera
	shared   *shared
	surface  *surfaceMesh
	droplets *dropletCloud
	stage    *stage
	frame    Frame
	dropped  time.Duration
}

// shared is what the liquid's graphics and materials need of the frame.
type shared struct {
	sky      [15]float32
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
	l.shared = &shared{sky: o.Sky.values(), look: o.Look, height: int32(o.Height), smoothed: !o.NoAntialias}
	l.surface = newSurfaceMesh(l.shared)
	l.droplets = newDropletCloud(l.shared)
	l.Add(l.surface)
	l.Add(l.droplets)
	l.stage = newStage(l)
	l.upload()
	return l
}

// Source is the liquid that the node shows.
func (l *Liquid) Source() Source { return l.source }

// SetLook changes how the liquid looks from the next frame on.
func (l *Liquid) SetLook(look Look) { l.shared.look = look.withDefaults() }

// SetSky changes the daylight that the liquid reflects from the next frame on.
func (l *Liquid) SetSky(o SkyOptions) { l.shared.sky = o.withDefaults().values() }

// Follow makes the liquid finest where cam looks, from the next Update on; nil stops that.
func (l *Liquid) Follow(cam Camera) {
	l.camera = cam
	if cam == nil {
		_ = l.source.SetView(fluid.View{}) // the zero View is always accepted
	}
}

// Bind makes node follow body i of bodies, in time with the liquid's picture.
func (l *Liquid) Bind(bodies Bodies, i int, node core.INode) *Binding {
	return l.binder.Bind(bodies, i, node)
}

// Unbind lets a bound node go.
func (l *Liquid) Unbind(b *Binding) { l.binder.Unbind(b) }

// Frame says what an Update did.
type Frame struct {
	// Steps is how many steps were taken; Report is the last one's, zero without steps.
	Steps  int
	Report fluid.Report
	// Alpha is how far between the last two steps the picture lies, 0 to 1.
	Alpha float64
	// Dropped is time given up because the frame needed more than MaxSteps.
	Dropped time.Duration
}

// Stepped reports whether Report is of this frame.
func (f *Frame) Stepped() bool { return f.Steps > 0 }

// Update advances the liquid by the time since the last frame in steps of
// LiquidOptions.Timestep, then shows the moment between the last two steps that the clock
// has reached. each, if any, is called after every step with its report.
func (l *Liquid) Update(dt time.Duration, each ...func(*fluid.Report)) Frame {
	l.look()
	l.frame = Frame{} // a field, since a callback's argument would make a local one escape
	f := &l.frame
	f.Steps, f.Dropped = l.clock.advance(dt)
	for i := 0; i < f.Steps; i++ {
		f.Report = l.source.Step(l.options.Timestep.Seconds())
		l.binder.Capture()
		for _, call := range each {
			call(&f.Report)
		}
	}
	l.dropped += f.Dropped
	f.Alpha = l.clock.alpha()
	if f.Steps > 0 {
		l.upload()
	}
	l.show(f.Alpha, dt)
	return *f
}

// Dropped is all the time given up so far.
func (l *Liquid) Dropped() time.Duration { return l.dropped }

// Refresh takes the surface and the bodies' poses after the game has stepped the liquid
// itself, and shows the moment alpha, 0 to 1, between the last two steps.
func (l *Liquid) Refresh(alpha float64, dt time.Duration) {
	l.look()
	l.binder.Capture()
	l.upload()
	l.show(alpha, dt)
}

// look hands the camera's view to the liquid. A view that the liquid refuses leaves the
// last one in force, which costs detail and nothing else.
func (l *Liquid) look() {
	if l.camera == nil {
		return
	}
	var v, p math32.Matrix4
	l.camera.ViewMatrix(&v)
	l.camera.ProjMatrix(&p)
	_ = l.source.SetView(fluid.View{View: v, Projection: p, Height: int(l.shared.height)})
}

func (l *Liquid) upload() {
	s := l.source.Surface()
	l.surface.set(s)
	l.droplets.set(s)
}

func (l *Liquid) show(alpha float64, dt time.Duration) {
	l.shared.back = float32((1 - alpha) * l.options.Timestep.Seconds())
	l.shared.time += dt.Seconds()
	if l.shared.time > 3600 { // a float32 in the shader: keep it small
		l.shared.time -= 3600
	}
	l.binder.Show(alpha)
}

// Submerged reports whether a point, world space in m, is in the liquid.
func (l *Liquid) Submerged(p math32.Vector3) bool {
	var s [1]fluid.Sample
	l.source.Sample([]r3.Vec{{X: float64(p.X), Y: float64(p.Y), Z: float64(p.Z)}}, s[:])
	return s[0].Inside
}

// Dispose returns the node's buffers and textures to OpenGL, with those of the nodes added to it.
// g3n can't delete a framebuffer: its name, without pictures, is kept for the next Liquid.
func (l *Liquid) Dispose() {
	l.stage.dispose()
	l.Node.Dispose()
}
