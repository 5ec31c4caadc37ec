package fluid

import (
	"fmt"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// A game's shape, or its rigid-body engine, may tell a distance that is no number, at a few points or for a while: a division by zero, an
// animation without keys. All distances that are asked for outside of this package pass a guard. It takes such a point for one far
// outside. An obstacle or a body is set aside from the next step on, as long as it is not sane: it is left out, and a warning names it once.
// Bodies with other numbers that are none are set aside in tame.go.

const (
	// absent, m, is told where there is nothing, and is the greatest distance that is told.
	absent = 1e9
	// insane, m, is a distance that is none: in single precision its square is infinite.
	insane = 1e37
)

// fault is what was wrong with the numbers of a shape or a body.
type fault struct {
	seen   atomic.Bool // since it was taken in last
	mu     sync.Mutex
	known  bool    // a distance is wrong:
	at     r3.Vec  // the first point of those in which one was, by x, y, z: it depends on no worker
	value  float32 // there
	bounds bool    // they are wrong
	told   bool    // a warning names what is set aside for it
}

// check corrects distances that no step can take.
func (f *fault) check(dst []float32, pts []r3.Vec) {
	for i, d := range dst {
		if d >= -absent && d <= absent {
			continue
		}
		if d > -insane && d < insane {
			dst[i] = max(-absent, min(d, absent))
			continue
		}
		dst[i] = absent
		f.note(pts[i], d)
	}
}

func (f *fault) note(at r3.Vec, value float32) {
	f.mu.Lock()
	if !f.known || before(at, f.at) {
		f.known, f.at, f.value = true, at, value
	}
	f.mu.Unlock()
	f.seen.Store(true)
}

// before orders points by x, y and z.
func before(a, b r3.Vec) bool {
	if a.X != b.X {
		return a.X < b.X
	}
	if a.Y != b.Y {
		return a.Y < b.Y
	}
	return a.Z < b.Z
}

// checkBounds makes bounds that are none those of nothing.
func (f *fault) checkBounds(b r3.Box) r3.Box {
	if goodBounds(b) {
		return b
	}
	f.mu.Lock()
	f.bounds = true
	f.mu.Unlock()
	f.seen.Store(true)
	return r3.Box{Min: far, Max: far}
}

func goodBounds(b r3.Box) bool { return b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z }

// take copies what is known of a fault.
func (f *fault) take(from *fault) {
	from.mu.Lock()
	f.known, f.at, f.value, f.bounds, f.told = from.known, from.at, from.value, from.bounds, from.told
	from.mu.Unlock()
	f.seen.Store(from.seen.Load())
}

// text says what is wrong.
func (f *fault) text() string {
	if f.known {
		return fmt.Sprintf("its distance is %v m at %.4g m, which is no distance", f.value, f.at)
	}
	return "its bounds are no box"
}

// forget begins anew.
func (f *fault) forget() {
	f.known, f.bounds, f.told = false, false, false
	f.seen.Store(false)
}

// guarded is a shape made elsewhere whose numbers are checked.
type guarded struct {
	SDF
	fault fault
}

// guardNumbers is a shape the distances of which are numbers: s itself where that is sure.
func guardNumbers(s SDF) SDF {
	if trusted(s) {
		return s
	}
	return &guarded{SDF: s}
}

// trusted tells whether a shape that is valid can't but tell numbers.
func trusted(s SDF) bool { return allParts(s, trusted) }

func (g *guarded) Eval(dst []float32, pts []r3.Vec) {
	g.SDF.Eval(dst, pts)
	g.fault.check(dst[:len(pts)], pts)
}

func (g *guarded) Bounds() r3.Box { return g.fault.checkBounds(g.SDF.Bounds()) }

// Thickness is that of the shape, as Thick has it.
func (g *guarded) Thickness() float64 { return thicknessOf(g.SDF) }

// sane tells whether the shape tells numbers again where it did not, and where any shape is tried.
func (g *guarded) sane() bool {
	b := g.SDF.Bounds()
	if !goodBounds(b) {
		return false
	}
	pts := probes(b)
	return tellsNumbers(g.SDF.Eval, append(pts[:], g.fault.at))
}

func tellsNumbers(f func(dst []float32, pts []r3.Vec), pts []r3.Vec) bool {
	dst := make([]float32, len(pts))
	f(dst, pts)
	for _, d := range dst {
		if !(d > -insane && d < insane) {
			return false
		}
	}
	return true
}

// guardCopy is a copy's own guard of a shape.
func guardCopy(s SDF) SDF {
	if g, ok := s.(*guarded); ok {
		return &guarded{SDF: g.SDF}
	}
	return s
}

// copyFaults has a copy's guards know what those of what it was copied from do, and not what they were told while it was.
func copyFaults(dst, from []*obstacle) {
	for i, o := range from {
		if g, ok := o.shape.(*guarded); ok {
			dst[i].shape.(*guarded).fault.take(&g.fault)
		}
	}
}

// reviewShapes leaves obstacles and bodies out whose numbers were none in the last step, and takes those back that are sane again.
func (l *Liquid) reviewShapes() {
	w, changed := &l.world, false
	for _, o := range w.obstacles {
		g, ok := o.shape.(*guarded)
		if !ok || !g.fault.seen.Load() {
			continue
		}
		switch sane := g.sane(); {
		case sane && o.setAside:
			o.setAside, changed = false, true
			g.fault.forget()
		case !o.setAside:
			o.setAside, changed = true, true
			o.seen = pose{}
		}
	}
	if changed {
		l.restack()
	}
	l.reviewBodies()
}

// bodyGuard is the guard of a body's distance.
type bodyGuard struct {
	id       uint64
	fault    *fault
	setAside bool
}

// guardBodies keeps the guards with the bodies they belong to.
func (c *coupling) guardBodies() {
	same := len(c.guards) == len(c.state)
	for i := 0; same && i < len(c.guards); i++ {
		same = c.guards[i].id == c.state[i].id
	}
	if same {
		return
	}
	old := make(map[uint64]bodyGuard, len(c.guards))
	for _, g := range c.guards {
		old[g.id] = g
	}
	c.guards = arrays.Resize(c.guards, len(c.state))
	for i := range c.guards {
		id := c.state[i].id
		g, known := old[id]
		if delete(old, id); !known {
			g = bodyGuard{id: id, fault: new(fault)}
		}
		c.guards[i] = g
	}
}

// reviewBodies is reviewShapes for bodies.
func (l *Liquid) reviewBodies() {
	c := &l.coupling
	if len(c.guards) == 0 || c.count() != len(c.guards) {
		return
	}
	for i := range c.guards {
		g := &c.guards[i]
		if !g.fault.seen.Load() || c.bodies.ID(i) != g.id {
			continue
		}
		switch sane := l.bodySane(i); {
		case sane && g.setAside:
			g.setAside = false
			g.fault.forget()
		case g.setAside:
			continue
		default:
			g.setAside = true
		}
		c.changed = true
		l.disturb()
	}
}

// bodySane tells whether a body tells numbers again.
func (l *Liquid) bodySane(i int) bool {
	c := &l.coupling
	b := c.bodies.Bounds(i)
	if !goodBounds(b) {
		return false
	}
	pts := probes(b)
	return tellsNumbers(func(dst []float32, pts []r3.Vec) { c.bodies.Distance(i, dst, pts) }, append(pts[:], c.guards[i].fault.at))
}

// warnOfFaults names what told numbers that are none: obstacles and bodies once, as they are set aside, emitters and sinks in each step
// in which they do.
func (l *Liquid) warnOfFaults() {
	w := &l.world
	for i, o := range w.obstacles {
		if f := faultOf(o.shape); f != nil && !f.told {
			f.told = true
			l.warn("AddObstacle", fmt.Sprintf("obstacle %d: %s; %s", w.ids.obstacles.ids[i], f.text(), setAsideUntil))
		}
	}
	for i, e := range w.emitters {
		l.warnOfMouth(e.Shape, "EmitterDef.Shape", "emitter", w.ids.emitters.ids[i])
	}
	for i, s := range w.sinks {
		l.warnOfMouth(s.shape, "AddSink", "sink", w.ids.sinks.ids[i])
	}
	c := &l.coupling
	for i := range min(len(c.guards), len(c.state)) {
		g, s := &c.guards[i], &c.state[i]
		if g.fault.seen.Load() && g.id == s.id && s.told == "" {
			l.warnAside(i, g.fault.text())
		}
	}
}

// faultOf is what a shape told that is no number, or nil.
func faultOf(s SDF) *fault {
	if g, ok := s.(*guarded); ok && g.fault.seen.Load() {
		return &g.fault
	}
	return nil
}

// warnOfMouth names an emitter or a sink and forgets what is wrong with it: it goes on where it is sane.
func (l *Liquid) warnOfMouth(s SDF, knob, kind string, id int64) {
	if f := faultOf(s); f != nil {
		l.warn(knob, fmt.Sprintf("%s %d: %s; nothing is there", kind, id, f.text()))
		f.forget()
	}
}

// warnOfShape has the next report name what is wrong with a shape that a call was given, if something is.
func (l *Liquid) warnOfShape(call string, s SDF) {
	if f := faultOf(s); f != nil {
		l.warnLater(call, fmt.Sprintf("the shape given to %s: %s; nothing is there", call, f.text()))
	}
}

// outside has the next report say that what a call was given is wholly outside of the domain, where it does nothing.
func (l *Liquid) outside(knob, what string, b r3.Box) {
	if l.away(b) {
		l.warnLater(knob, fmt.Sprintf("%s is wholly outside of the domain: from %.4g to %.4g m", what, b.Min, b.Max))
	}
}

// away reports whether bounds are wholly outside of the domain.
func (l *Liquid) away(b r3.Box) bool { return goodBounds(b) && !overlaps(b, l.def.Domain) }

// mouthShape is the shape of an emitter or a sink with a guard. One that is outside of the domain is named.
func (l *Liquid) mouthShape(knob, what string, id int64, s SDF) SDF {
	l.outside(knob, fmt.Sprintf("%s %d", what, id), s.Bounds())
	return guardNumbers(s)
}

// fieldOutside names a field that reaches no part of the domain.
func (l *Liquid) fieldOutside(knob string, id FieldID, f *Field) {
	if f.Radius > 0 && f.Kind != VortexField { // a vortex goes on along its axis
		l.outside(knob, fmt.Sprintf("field %d", id), grown(r3.Box{Min: f.Centre, Max: f.Centre}, f.Radius))
	}
}

// mostLater is how many warnings wait for a report.
const mostLater = 64

// warnLater has the next report warn.
func (l *Liquid) warnLater(knob, text string) {
	if len(l.out.later) < mostLater {
		l.out.later = append(l.out.later, Warning{knob, text})
	}
}

// probes are the corners, the centre and what is between them of a box, cut down where it is infinite.
func probes(b r3.Box) (pts [27]r3.Vec) {
	lo, hi := array(b.Min), array(b.Max)
	for k := range lo {
		lo[k], hi[k] = finiteSide(lo[k], hi[k])
	}
	at := func(k, step int) float64 { return lo[k] + float64((hi[k]-lo[k])*0.5*float64(step)) }
	for i := range pts {
		pts[i] = r3.Vec{X: at(0, i%3), Y: at(1, i/3%3), Z: at(2, i/9)}
	}
	return pts
}
