package controls

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// mostControls is how many a face can tell apart.
	mostControls = math.MaxInt16
	// mostLayers is how many sources a player may mix: each is asked for its surface in every substep.
	mostLayers = 8
	// shortestFade, s, is the least time that a cross-fade divides by.
	shortestFade = 1e-9
)

// New makes a control of a definition, whose surface is looked at where it begins.
func (s *Set) New(d *control.Def) (*Control, error) {
	if len(s.All) >= mostControls {
		return nil, fmt.Errorf("there are %d; must be at most %d", len(s.All)+1, mostControls)
	}
	c := &Control{awaits: d.Arrival == control.Draw}
	if err := c.Set(d); err != nil {
		return nil, err
	}
	c.player.Time = d.Start
	return c, nil
}

// Set makes a control what a definition says, but for Start and Arrival. With an error, or if a source panics, it stays what it is.
func (c *Control) Set(d *control.Def) error {
	if err := d.Validate(); err != nil {
		return err
	}
	if !itself(d.Clip) {
		return fmt.Errorf("Clip: a %T can't be told from another; must be a pointer", d.Clip)
	}
	another := c.Clip == nil || d.Clip != c.Clip
	repaint := another || !c.weights.is(d)
	m, now := &c.next, c.known
	if another {
		source{d.Clip}.At(0, m)
		now = known{trusted: trusts(d.Clip), first: meshKind{m.Revision, len(m.Triangles)}}
	}
	if another || repaint && d.Weights != nil {
		d.Clip.At(d.Start, m)
		if err := check(m); err != nil {
			return fmt.Errorf("Clip: %w", err)
		}
		now.checked = meshKind{m.Revision, len(m.Triangles)}
		if err := mustFit(d.Weights, len(m.Positions)); err != nil {
			return err
		}
	}
	if another {
		if err := c.goOver(d); err != nil {
			return err
		}
	}
	if repaint {
		c.weights.set(d, m.Triangles)
	}
	c.Def, c.known = *d, now
	c.player.Speed, c.player.Loop, c.player.Paused, c.player.Pose = d.Speed, d.Loop, d.Paused, d.Pose
	if d.Speed == 0 {
		c.player.Speed = 1
	}
	return nil
}

// goOver has the player play the Clip of a definition.
func (c *Control) goOver(d *control.Def) error {
	if c.Clip == nil {
		c.player.CopyClock(control.NewPlayer(source{d.Clip}))
		return nil
	}
	fade := d.Fade
	if fade < shortestFade {
		fade = 0
	}
	if n := c.player.Layers(); fade > 0 && n >= mostLayers {
		return fmt.Errorf("Fade: %d Clips are mixed already; at most %d can be: wait, or set Fade to 0", n, mostLayers)
	}
	return c.player.CrossFade(source{d.Clip}, d.Start, fade)
}

// known is what is known of a source.
type known struct {
	trusted bool     // all of its surfaces were looked at when it was made
	named   bool     // a warning has named what is wrong with it
	first   meshKind // of its surface at time 0
	checked meshKind // of the last of its surfaces that was looked at
}

// kept is what a substep that is undone restores beside the clock.
type kept struct {
	awaits, rests, found  bool
	bottom, wanted, holds float64
}

// keep notes what takeBack restores: what a substep changes of what decides those to come.
func (c *Control) keep() {
	c.before.CopyClock(&c.player)
	c.kept = kept{c.awaits, c.rests, c.column.found, c.column.bottom, c.Told.WantedL, c.Told.HeldL}
}

func (c *Control) takeBack() {
	c.player.CopyClock(&c.before)
	k := &c.kept
	c.awaits, c.rests, c.column.found, c.column.bottom, c.Told.WantedL, c.Told.HeldL = k.awaits, k.rests, k.found, k.bottom, k.wanted, k.holds
}

// advance moves a control's clock and pose by dt seconds. Where that leads beyond all limits they stay.
func (s *Set) advance(c *Control, dt float64) {
	c.player.Advance(dt)
	c.player.MovePose(dt)
	if c.player.Validate() != nil {
		c.player.CopyClock(&c.before)
	}
}

// Pass moves the clocks on where the liquid sleeps: no control acts, but those without Strength go on with the game's time.
func (s *Set) Pass(dt float64) {
	for _, c := range s.All {
		c.keep()
		s.advance(c, dt)
		c.Told.Time, c.Told.Strength = c.player.Time, c.Strength
	}
}

// Code goes along what the controls' next steps depend on. Surfaces, weights and regions are the game's, and must be the same.
func (s *Set) Code(c *codec.Codec) {
	c.Part("controls")
	list := c.List(len(s.All))
	for list.Next() {
		s.All[list.At].code(c)
	}
	if c.Reading() {
		s.midway = false
	}
}

func (c *Control) code(to *codec.Codec) {
	to.SameFloats("the duration of a Clip", source{c.Clip}.Duration())
	to.Same("the surface of a Clip", c.known.first.revision)
	to.Same("the surface of a Clip", uint64(c.known.first.triangles))
	to.Same("Weights", c.weights.sum)
	var from r3.Box
	if c.Def.Refill.From != nil {
		from = c.Def.Refill.From.Bounds()
	}
	to.SameBox("the bounds of Refill.From", from)
	to.Float64(&c.Def.Refill.Rate, 0, control.MaxRate)
	to.Float64(&c.Strength, 0, 1)
	for _, b := range [3]*bool{&c.awaits, &c.rests, &c.column.found} {
		to.Bool(b)
	}
	const most = math.MaxFloat64
	for _, x := range [3]*float64{&c.column.bottom, &c.Told.WantedL, &c.Told.HeldL} {
		to.Float64(x, -most, most)
	}
	codeClock(to, &c.player)
}

// CopyTo makes dst have the same controls.
func (s *Set) CopyTo(dst *Set) {
	dst.midway = false
	arrays.CopyEach(&dst.All, s.All, func(to, from *Control) {
		to.Def, to.Told, to.awaits, to.rests, to.known = from.Def, from.Told, from.awaits, from.rests, from.known
		to.column.found, to.column.bottom = from.column.found, from.column.bottom
		to.player.CopyClock(&from.player)
		from.weights.copyTo(&to.weights)
	})
}

// AppendReached lists boxes around the surfaces of controls with a Strength, where their clocks are, and around what liquid they may take or give.
func (s *Set) AppendReached(dst []r3.Box) []r3.Box {
	for _, c := range s.All {
		if c.Strength <= 0 {
			continue
		}
		m := c.Surface()
		if inspect(m) != (fault{}) {
			continue
		}
		box := boxes.Grown(boxes.Around(m.Positions), 2*s.CellSize)
		if c.awaits || c.rests {
			box = s.Domain
		}
		dst = append(dst, box)
		if c.Def.Refill.Rate > 0 && c.Def.Refill.From != nil {
			dst = append(dst, c.Def.Refill.From.Bounds())
		}
	}
	return dst
}

// Surface is the control surface where its clock is.
func (c *Control) Surface() *control.Mesh {
	c.player.Ahead(0, &c.now)
	return &c.now
}

// Motion is the velocity of the surface where its clock is, m/s, as that of a rigid body: the mean, and the spin of its pose about its middle.
func (c *Control) Motion() func(x r3.Vec) r3.Vec {
	m := c.Surface()
	if len(m.Velocities) == 0 || len(m.Velocities) != len(m.Positions) {
		return func(r3.Vec) r3.Vec { return r3.Vec{} }
	}
	var middle, mean r3.Vec
	for i, v := range m.Velocities {
		middle, mean = r3.Add(middle, m.Positions[i]), r3.Add(mean, v)
	}
	part := 1 / float64(len(m.Velocities))
	middle, mean = reproducible.Scale(part, middle), reproducible.Scale(part, mean)
	spin := c.player.Pose.AngularVelocity
	return func(x r3.Vec) r3.Vec { return r3.Add(mean, reproducible.Cross(spin, r3.Sub(x, middle))) }
}

// codeClock goes along a player's clocks and pose.
func codeClock(c *codec.Codec, p *control.Player) {
	const most = math.MaxFloat64
	c.Float64(&p.Time, -most, most)
	c.Float64(&p.Speed, -control.MaxRatio, control.MaxRatio)
	c.Bool(&p.Loop)
	c.Bool(&p.Paused)
	n := c.Count(p.Layers(), mostLayers, 32)
	if c.Failed() {
		return
	}
	if n < 1 || n > p.Kept() {
		c.Fail("%d Clips were mixed when this was saved, %d are known: Control and SetControl them again, with the same Fade, before Restore", n, p.Kept())
		return
	}
	if c.Reading() {
		p.KeepNewest(n) // those of fades that were over or had not begun are no more
	}
	for i := range n {
		var checked [4]float64
		clock := [4]*float64{&checked[0], &checked[1], &checked[2], &checked[3]}
		if !c.Checking() {
			clock = p.Clock(i)
		}
		codeLayer(c, clock, i > 0)
	}
	at, q := &p.Pose, &p.Pose.Rotation
	c.Vec(&at.Position, shapes.MaxCoord)
	c.Vec(&at.Velocity, fastestVertex)
	c.Vec(&at.AngularVelocity, fastestVertex)
	for _, x := range [4]*float64{&q.Real, &q.Imag, &q.Jmag, &q.Kmag} {
		c.Float64(x, -control.MaxRotation, control.MaxRotation)
	}
}

// codeLayer goes along the clock of a source that is mixed with the ones before it, or is the first.
func codeLayer(c *codec.Codec, clock [4]*float64, mixed bool) {
	const most = math.MaxFloat64
	shortest := 0.
	if mixed {
		shortest = shortestFade
	}
	c.Float64(clock[0], -most, most)
	c.Float64(clock[1], -control.MaxRatio, control.MaxRatio)
	c.Float64(clock[2], shortest, control.MaxFade)
	c.Float64(clock[3], 0, most)
}
