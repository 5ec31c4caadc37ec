package control

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// Def says what a liquid is to follow, and how tightly. fluid.ControlDef is another name of it.
type Def struct {
	// Clip is the control surface in its own time and its own axes: a *Clip, a *Live, or a game's own Source.
	Clip Source
	// Strength is α, 0 to 1: the part of the velocity at the control surface that is the surface's, after each 60th of a second; the rest is
	// what the liquid would do without it. With 1 it follows tightly, with 0 it is free. Raveendran et al. 2012, §5.1.
	Strength float64
	// Weights, 0 to 1, multiply Strength per vertex of the Clip; nil means 1. They are smoothed over the surface in Smoothing steps.
	Weights   []float32
	Smoothing int
	Refill    Refill
	Arrival   Arrival

	Start  float64 // s, of the Clip's time, at first
	Speed  float64 // 0 means 1; less than 0 is backwards
	Loop   bool
	Paused bool
	Fade   float64 // s, over which SetControl goes over to another Clip
	Pose   Pose    // where the Clip's axes are in the world; it goes on with its velocities until it is set again
}

// Refill says how a shape gets the liquid that it lacks, and loses what it has too much. Raveendran et al. 2012, §5.2.
type Refill struct {
	// Rate, litres/s, is the greatest; 0 means no refill.
	Rate float64
	// From is where the liquid comes from and returns to. Without it what comes counts as filled, and what goes as drained.
	From Region
}

// Region is a part of space: Eval writes signed distances, m, negative inside. Every fluid.SDF is one.
type Region interface {
	Bounds() r3.Box
	Eval(dst []float32, pts []r3.Vec)
}

// Arrival says how liquid comes to be in a shape at first.
type Arrival uint8

// The kinds of arrival.
const (
	Follow Arrival = iota // what is in the shape is controlled, wherever it comes from
	Draw                  // while there is little in the shape, a column rises to it from the liquid below
	Appear                // the shape is filled at once, and that counts as filled
)

func (a Arrival) String() string {
	if a <= Appear {
		return [...]string{"Follow", "Draw", "Appear"}[a]
	}
	return "Unknown"
}

// Status is what a control did in a step. fluid.ControlReport is another name of it.
type Status struct {
	ID           int64
	Time         float64 // of the Clip, s
	Strength     float64
	WantedL      float64 // what the surface encloses, less what solids take of it and the other controls' part, by Strength, of what they enclose, too, litres
	HeldL        float64 // what of that is liquid
	Force        r3.Vec  // on the liquid, N, averaged over the step
	Error, Worst float64 // distance of the liquid's surface from the control surface where that is in air: root mean square and greatest, m
	// FluxL is what flows either way through the surface of a region of liquid that the control surface encloses, alone or with walls, and FluxErrorL
	// by how much what flows out differs from the sources within, both in litres/s: of the region, inside or outside, in which that part is the
	// greatest. FluxL is 0 where air leaves no region enclosed. Raveendran et al. 2012, §5.
	FluxL, FluxErrorL float64
}

// The limits of a Def.
const (
	MaxRate      = 1e6   // litres/s
	MaxRatio     = 100   // of clocks
	MaxFade      = 1e3   // s
	MaxRotation  = 1e100 // of a part of Pose.Rotation
	maxSmoothing = 1000
)

// Validate returns an error that names the first field that is out of its limits.
func (d *Def) Validate() error {
	if err := checkSource(d.Clip); err != nil {
		return fmt.Errorf("Clip: %w", err)
	}
	if d.Arrival > Appear {
		return fmt.Errorf("Arrival %d; must be Follow, Draw or Appear", d.Arrival)
	}
	for _, f := range []struct {
		name      string
		v, lo, hi float64
	}{
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

// checkSource returns an error for no source, and for one of this package that none of its functions has made.
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

// Validate returns an error if the mesh is none that liquid can follow: it must be closed, its triangles counter-clockwise seen from outside, its numbers
// finite, with a velocity for each vertex, and enclose a volume. Whether it crosses itself is not looked at.
func (m *Mesh) Validate() error {
	if len(m.Velocities) != len(m.Positions) {
		return fmt.Errorf("velocities of %d vertices; there are %d", len(m.Velocities), len(m.Positions))
	}
	if err := checkTriangles(len(m.Positions), m.Triangles); err != nil {
		return err
	}
	return checkLive(m.Positions, m.Velocities, m.Triangles)
}
