package hearing

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// Hearing collects the sounds of a step. The zero value collects nothing.
type Hearing struct {
	impacts impacts
	step    sounds.Step
	ear     sounds.Ear
	on      bool
}

// Flows appends what flowed in a substep, and the drops that joined the liquid.
type Flows interface {
	AddPassed(dst []sounds.Flow, velocity func(dst, at []r3.Vec)) []sounds.Flow
	AddJoined(dst []sounds.Droplet, spray *droplets.Spray, velocity func(dst, at []r3.Vec)) []sounds.Droplet
}

// Begin starts collecting, for a liquid with cells of a size, m, a density, kg/m³, and a surface tension, N/m.
func (s *Hearing) Begin(gr *graph.Graph, pool *par.Pool, tiles boxes.Tiles, cell, density, tension float64) {
	*s = Hearing{on: true, impacts: impacts{graph: gr, pool: pool, tiles: tiles}}
	s.step.CellSize, s.step.Density, s.step.Tension = cell, density, tension
}

// BeforeSolve is called when all forces but the pressure have acted on the faces.
func (s *Hearing) BeforeSolve() {
	if s.on {
		s.impacts.beforeSolve()
	}
}

// AfterSolve is called when the pressure has acted on the faces.
//
// moved:   velocities of the solids before the solve, m/s and rad/s.
// density: kg/m³.
// weight:  greatest acceleration by gravity and fields, m/s².
// dt:      the substep, s.
func (s *Hearing) AfterSolve(solids []rigid.Body, moved [][6]float64, density, weight, dt float64) {
	if s.on {
		s.impacts.afterSolve(solids, moved, density, weight, dt)
	}
}

// EndSubstep is called when a substep has succeeded. velocity samples the liquid's velocity.
func (s *Hearing) EndSubstep(f Flows, spray *droplets.Spray, velocity func(dst, at []r3.Vec)) {
	if s.on {
		spray.ListMerged = true // from the next substep on
		s.step.Flows = f.AddPassed(s.step.Flows, velocity)
		s.step.Drops = f.AddJoined(s.step.Drops, spray, velocity)
	}
}

// Bodies returns the IDs of bodies by index.
type Bodies interface{ ID(i int) uint64 }

// EndStep returns the sounds of a step of dt seconds, valid until the next; up points against gravity.
func (s *Hearing) EndStep(dt float64, up r3.Vec, asleep bool, b Bodies) []sounds.Source {
	if !s.on {
		return nil
	}
	is := &s.step
	is.Dt, is.Up, is.Asleep = dt, up, asleep
	is.Impacts, is.Pockets = s.impacts.append(is.Impacts[:0]), s.impacts.appendPockets(is.Pockets[:0])
	for i := range is.Impacts {
		if m := &is.Impacts[i]; m.Impulse > 0 {
			m.Body = b.ID(int(m.Body))
		}
	}
	heard := s.ear.Hear(is)
	s.impacts.forget()
	is.Drops, is.Flows = is.Drops[:0], is.Flows[:0]
	return heard
}
