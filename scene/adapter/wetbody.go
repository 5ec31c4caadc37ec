package adapter

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// bodyWetness is how wet something bound is.
type bodyWetness struct {
	asked r3.Box // for the next step's grid
	grid  WetGrid
	shown WetGrid // that the frames see
	dried int     // to when
	damp  bool    // some texel is not dry
}

// Soak has a Stepper with Options.Drying keep how wet what is bound is, in a box about it, m, in its own frame: what the liquid has touched stays wet
// where it was touched, however the body turns. It is kept for 16³ texels, from the next step on. Another box begins dry.
func (k *Binding) Soak(box r3.Box) {
	box.Min, box.Max = r3.Add(box.Min, k.Offset), r3.Add(box.Max, k.Offset)
	if s := box.Size(); min(s.X, s.Y, s.Z) >= 0 && max(s.X, s.Y, s.Z) > 0 && max(s.X, s.Y, s.Z) < math.MaxFloat32 {
		k.wet.asked = box
	}
}

// Wetness is how wet what is bound is in the frame shown, once Soak has been called and a step has been taken. Its Box is in the body's axes, from the
// bound point, where Offset begins.
func (k *Binding) Wetness() *WetGrid { return &k.wet.shown }

// ready makes the grid that Soak asked for. No step is under way.
func (k *Binding) ready() {
	w := &k.wet
	if w.asked == (r3.Box{}) {
		return
	}
	// A texel on each side is beyond the box: faces are asked for before them.
	box := w.asked
	s := box.Size()
	e := max(math.Cbrt(s.X*s.Y*s.Z)/14, max(s.X, s.Y, s.Z)/64)
	e = math.Cbrt((s.X + 2*e) * (s.Y + 2*e) * (s.Z + 2*e) / bodyTexels)
	around := r3.Vec{X: e, Y: e, Z: e}
	w.grid.divide(r3.Box{Min: r3.Sub(box.Min, around), Max: r3.Add(box.Max, around)}, around)
	w.asked, w.damp = r3.Box{}, false
}

// soak dries the texels and wets those that are in the liquid. It returns how many it has looked at.
func (k *Binding) soak(c *columns, now int) int {
	w := &k.wet
	g := &w.grid
	if k.captured.gone || len(g.Texels) == 0 {
		return 0
	}
	turn, at := k.frame()
	reach := float32(r3.Norm(g.Box.Size()) / 2)
	middle := float32(r3.Add(at, turn.Rotate(g.Box.Center())).Y)
	touched := middle+reach >= c.least && middle-reach <= c.most
	if !touched && !w.damp {
		w.dried = now
		return 0
	}
	dry(g.Texels, now-w.dried)
	w.dried = now
	if touched {
		c.soak(g, at, turn)
	}
	w.damp = false
	for _, v := range g.Texels {
		w.damp = w.damp || v > 0
	}
	g.Revision++
	return len(g.Texels)
}

// frame is the bound frame as it was captured last: its turn, and its origin in the world, m.
func (k *Binding) frame() (turn r3.Rotation, origin r3.Vec) {
	is := &k.captured.current
	turn = r3.Rotation(is.rotation)
	return turn, r3.Add(is.centre, turn.Rotate(r3.Sub(k.anchor, is.local)))
}

// soak wets the texels of a grid that are in the liquid, with the grid's axes turned, and their origin at a place, m.
func (c *columns) soak(g *WetGrid, at r3.Vec, turn r3.Rotation) {
	e := g.Edges()
	dx, dy, dz := turn.Rotate(r3.Vec{X: e.X}), turn.Rotate(r3.Vec{Y: e.Y}), turn.Rotate(r3.Vec{Z: e.Z})
	at = r3.Add(at, turn.Rotate(r3.Add(g.Box.Min, r3.Scale(.5, e))))
	i := 0
	for z := range g.Size[2] {
		for x := range g.Size[0] {
			p := r3.Add(at, r3.Add(r3.Scale(float64(z), dz), r3.Scale(float64(x), dx)))
			for range g.Size[1] {
				if c.holds(p) {
					g.Texels[i] = Soaked
				}
				p = r3.Add(p, dy)
				i++
			}
		}
	}
}

// publish has the frames see the grid. No step is under way.
func (w *bodyWetness) publish() {
	if w.shown.Revision != w.grid.Revision {
		w.shown.CopyFrom(&w.grid)
	}
}
