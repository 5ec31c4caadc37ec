package control

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// Def defines what a liquid follows, and how tightly. fluid.ControlDef is another name of it.
type Def struct {
	// Clip is the control surface in its own time and its own axes: a *Clip, a *Live, or a game's own Source.
	Clip Source
	// Strength is α, 0 to 1: the weight of the control surface's velocity in the liquid's velocity there, per 60th of a second; the rest is
	// the velocity without control. With 1 liquid follows tightly, with 0 it is free. Raveendran et al. 2012, §5.1.
	Strength float64
	// Weights, 0 to 1, multiply Strength per vertex of the Clip; nil means 1. Smoothing is the number of steps that smooth them over the surface.
	Weights   []float32
	Smoothing int
	Refill    Refill
	Arrival   Arrival
	// Attraction draws the picture of the surface to the control surface, whose details cells can't hold.
	Attraction Attraction

	Start  float64 // first time of the Clip, s
	Speed  float64 // 0 means 1; negative plays backwards
	Loop   bool
	Paused bool
	Fade   float64 // duration of SetControl's cross-fade to another Clip, s
	Pose   Pose    // of the Clip in the world; it moves with its velocities until it is set again
}

// Refill defines how a shape gains liquid that it lacks, and loses liquid that it has too much. Raveendran et al. 2012, §5.2.
type Refill struct {
	// Rate is the greatest rate, litres/s; 0 means no refill.
	Rate float64
	// From is where the liquid comes from and returns to. Without it the ledger counts the volumes as filled and drained.
	From Region
}

// Attraction moves the vertices of the liquid's picture to the nearest points of the control surface, as damped springs at rest would, and turns their
// normals to it: the liquid itself, what queries tell of it and what bodies feel stay as they are. It acts fully up to half of its reach, and falls to
// nothing from there. Def.Weights multiply it. Raveendran et al. 2012, §6.1.
type Attraction struct {
	// Strength, 0 to 1, is the part of the way that a vertex goes; 0 means no attraction. It needs a Def.Strength.
	Strength float64
	// Outer and Inner are its reach outside and inside of the control surface, m; 0 means two finest cells.
	Outer, Inner float64
	Falloff      Falloff
}

// Falloff is how attraction falls between half of its reach and its reach.
type Falloff uint8

// The kinds of falloff.
const (
	LinearFalloff Falloff = iota
	QuadraticFalloff
)

func (f Falloff) String() string {
	if f <= QuadraticFalloff {
		return [...]string{"LinearFalloff", "QuadraticFalloff"}[f]
	}
	return "Unknown"
}

// Region is a part of space: Eval sets dst to signed distances, m, negative inside. Every fluid.SDF is one.
type Region interface {
	Bounds() r3.Box
	Eval(dst []float32, pts []r3.Vec)
}

// Arrival is how a shape gets its first liquid.
type Arrival uint8

// The kinds of arrival.
const (
	Follow Arrival = iota // liquid in the shape is controlled, wherever it comes from
	Draw                  // while the shape is nearly empty, a column of liquid rises to it from below
	Appear                // the shape is filled at once, which the ledger counts as filled
)

func (a Arrival) String() string {
	if a <= Appear {
		return [...]string{"Follow", "Draw", "Appear"}[a]
	}
	return "Unknown"
}

// Status is the state of a control after a step. fluid.ControlReport is another name of it.
type Status struct {
	ID           int64
	Time         float64 // of the Clip, s
	Strength     float64
	WantedL      float64 // volume within the surface, without solids; other controls' surfaces get a part of shared volume by Strength, litres
	HeldL        float64 // liquid in that volume, litres
	Force        r3.Vec  // on the liquid, N, averaged over the step
	Error, Worst float64 // distance of the liquid's surface from the control surface where that is in air: root mean square and greatest, m
	// FluxL is the flow, in or out, through the surface of a region of liquid that the control surface encloses, alone or with walls; FluxErrorL is
	// the difference of its outflow from the sources within it; both in litres/s. They are those of the region, inside or outside of the control
	// surface, with the greatest relative error. FluxL is 0 if air leaves no region enclosed. Raveendran et al. 2012, §5.
	FluxL, FluxErrorL float64
}

// The limits of a Def.
const (
	MaxRate      = 1e6   // litres/s
	MaxRatio     = 100   // of clocks
	MaxFade      = 1e3   // s
	MaxRotation  = 1e100 // of a part of Pose.Rotation
	maxSmoothing = 1000
	maxReach     = 1e3 // m
)

// Validate returns an error that names the first field out of its limits.
func (d *Def) Validate() error {
	if err := checkSource(d.Clip); err != nil {
		return fmt.Errorf("Clip: %w", err)
	}
	if d.Arrival > Appear {
		return fmt.Errorf("Arrival %d; must be Follow, Draw or Appear", d.Arrival)
	}
	if d.Attraction.Falloff > QuadraticFalloff {
		return fmt.Errorf("Attraction.Falloff %d; must be LinearFalloff or QuadraticFalloff", d.Attraction.Falloff)
	}
	for _, f := range []struct {
		name      string
		v, lo, hi float64
	}{
		{"Attraction.Strength", d.Attraction.Strength, 0, 1}, {"Attraction.Outer, m,", d.Attraction.Outer, 0, maxReach}, {"Attraction.Inner, m,", d.Attraction.Inner, 0, maxReach},
		{"Strength", d.Strength, 0, 1}, {"Smoothing", float64(d.Smoothing), 0, maxSmoothing}, {"Refill.Rate, litres/s,", d.Refill.Rate, 0, MaxRate},
		{"Start, s,", d.Start, -maxTime, maxTime}, {"Speed", d.Speed, -MaxRatio, MaxRatio}, {"Fade, s,", d.Fade, 0, MaxFade},
	} {
		if !(f.v >= f.lo && f.v <= f.hi) {
			return fmt.Errorf("%s %v; must be %v to %v", f.name, f.v, f.lo, f.hi)
		}
	}
	for i, w := range d.Weights {
		if !(w >= 0 && w <= 1) {
			return fmt.Errorf("Weights[%d] %v; must be 0 to 1", i, w)
		}
	}
	player := Player{Pose: d.Pose}
	if err := player.Validate(); err != nil {
		return err
	}
	return nil
}

// checkSource returns an error if there is no source, or if one of this package was not made by its functions.
func checkSource(s Source) error {
	made := true
	switch s := s.(type) {
	case nil:
		return errors.New("there is none")
	case *Clip:
		made = s != nil && len(s.times) > 0
	case *Sequence:
		made = s != nil && len(s.frames) > 0
	case *Live:
		made = s != nil && len(s.mesh.Triangles) > 0
	}
	if !made {
		return fmt.Errorf("the %T is nil or was not made by a function of package control", s)
	}
	return nil
}

// Validate returns an error if liquid can't follow the mesh: it must be closed, its triangles counter-clockwise seen from outside, its numbers
// finite, with a velocity per vertex, and enclose a volume. It does not check for self-intersections.
func (m *Mesh) Validate() error {
	if len(m.Velocities) != len(m.Positions) {
		return fmt.Errorf("velocities of %d vertices; there are %d", len(m.Velocities), len(m.Positions))
	}
	if err := checkTriangles(len(m.Positions), m.Triangles); err != nil {
		return err
	}
	return checkLive(m.Positions, m.Velocities, m.Triangles)
}
