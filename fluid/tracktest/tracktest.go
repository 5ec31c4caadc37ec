// Package tracktest measures the errors of the surface trackers in prescribed flows that return the surface to its start.
package tracktest

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Tracker is a surface tracker.
type Tracker uint8

// The trackers.
const (
	LevelSet     Tracker = iota // narrow-band level set with marker particles
	Contouring                  // semi-Lagrangian contouring
	ExplicitMesh                // a moving triangle mesh
)

// Trackers lists all trackers.
var Trackers = []Tracker{LevelSet, Contouring, ExplicitMesh}

// String returns the tracker's name in tables.
func (t Tracker) String() string {
	switch t {
	case LevelSet:
		return "level set"
	case Contouring:
		return "contouring"
	case ExplicitMesh:
		return "explicit mesh"
	}
	return fmt.Sprintf("tracker %d", uint8(t))
}

// Run is the parameters of a test.
type Run struct {
	Tracker Tracker
	// Size is the number of cells along the unit cube for the trackers on cells, a multiple of 8 from 8 to 512, or the number of vertices of the explicit
	// mesh at the start, 100 to 1,000,000.
	Size int
	// At are the times, s, ascending, at which Watch gets the surface: after the steps that end nearest.
	At    []float64
	Watch func(Moment)
}

// Moment is the surface at a time.
type Moment struct {
	Time      float64    // of Run.At, s
	Positions []r3.Vec   // m; valid until Watch returns
	Triangles [][3]int32 // counter-clockwise seen from outside; valid until Watch returns
}

// Result compares the surface at the end with that at the start.
type Result struct {
	Volume float64 // relative to that at the start
	// L1 is the volume that is liquid at the start or at the end but not both, relative to that at the start. For the trackers on cells it is the sum
	// of the cells' differences in liquid fraction; for the mesh it is measured between the surfaces, and is more where gains and losses cancel
	// within a cell.
	L1 float64
	// Seconds is the time that the tracker took. It excludes the sampling of the flow for the level set, but not for the others, which sample it themselves.
	Seconds  float64
	Steps    int
	Vertices int // of the surface half way
}

// Zalesak rotates a slotted sphere once within a second.
//
// Source: Zalesak 1979; in three dimensions Enright et al. 2002.
func Zalesak(r Run) (Result, error) { return r.track("Zalesak", zalesak) }

// Enright stretches a sphere to a thin sheet and back within 3 s.
//
// Source: LeVeque 1996 §9.5; Enright et al. 2002.
func Enright(r Run) (Result, error) { return r.track("Enright", enright) }

// carrier tracks a shape with one of the trackers.
type carrier interface {
	// advance moves the surface from a time by dt, s, and returns how long that took, s.
	advance(t, dt float64) (seconds float64, err error)
	// surface returns the current surface; valid until the next call.
	surface() ([]r3.Vec, [][3]int32)
	// compare returns the current volume, and the volume of the difference from the start, both relative to the volume at the start.
	compare() (volume, l1 float64)
	close()
}

// Limits of Run.Size.
const (
	leastCells    = 8
	mostCells     = 512
	leastVertices = 100
	mostVertices  = 1_000_000
)

func (r *Run) check() error {
	switch {
	case r.Tracker > ExplicitMesh:
		return fmt.Errorf("Tracker: %d is not known; use LevelSet, Contouring or ExplicitMesh", r.Tracker)
	case r.Tracker == ExplicitMesh && (r.Size < leastVertices || r.Size > mostVertices):
		return fmt.Errorf("Size: %d vertices; must be %d to %d", r.Size, leastVertices, mostVertices)
	case r.Tracker != ExplicitMesh && (r.Size < leastCells || r.Size > mostCells || r.Size%8 != 0):
		return fmt.Errorf("Size: %d cells; must be a multiple of 8 from %d to %d", r.Size, leastCells, mostCells)
	case !slices.IsSorted(r.At):
		return fmt.Errorf("At: %v s; must rise", r.At)
	}
	return nil
}

// track runs a test with a tracker.
func (r Run) track(name string, of func(cells int) scenario) (Result, error) {
	if err := r.check(); err != nil {
		return Result{}, fmt.Errorf("tracktest: %s: Run.%w", name, err)
	}
	k := of(r.Size)
	c, steps, err := k.begin(r.Tracker, r.Size)
	if err != nil {
		return Result{}, fmt.Errorf("tracktest: %s: %w", name, err)
	}
	defer c.close()
	out, err := k.run(c, steps, r.At, r.Watch)
	if err != nil {
		return Result{}, fmt.Errorf("tracktest: %s: %w", name, err)
	}
	return out, nil
}

// begin returns a tracker with the shape, and the number of steps to take.
func (k scenario) begin(t Tracker, size int) (carrier, int, error) {
	switch t {
	case Contouring:
		return newContouring(k, size), k.steps / contourSteps, nil
	case ExplicitMesh:
		return newExplicitMesh(k, size)
	}
	return newLevelSet(k, size), k.steps, nil
}

// run takes the steps, and returns the result.
func (k scenario) run(c carrier, steps int, at []float64, watch func(Moment)) (out Result, err error) {
	dt := k.seconds / float64(steps)
	out.Steps = steps
	for i := 0; ; i++ {
		for now := float64(i) * dt; len(at) > 0 && (at[0] < now+dt/2 || i == steps); at = at[1:] {
			if watch != nil {
				positions, triangles := c.surface()
				watch(Moment{at[0], positions, triangles})
			}
		}
		if i == steps/2 {
			positions, _ := c.surface()
			out.Vertices = len(positions)
		}
		if i == steps {
			break
		}
		seconds, err := c.advance(float64(i)*dt, dt)
		if err != nil {
			return out, fmt.Errorf("at %.3f s: %w", float64(i)*dt, err)
		}
		out.Seconds += seconds
	}
	out.Volume, out.L1 = c.compare()
	return out, nil
}
