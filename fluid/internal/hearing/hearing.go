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

// Hearing is what one would hear of a step. The zero value hears nothing.
type Hearing struct {
	impacts impacts
	step    sounds.Step
	ear     sounds.Ear
	on      bool
}

// Flows is what comes in and goes out: it adds what a substep had of both.
type Flows interface {
	AddPassed(dst []sounds.Flow, velocity func(dst, at []r3.Vec)) []sounds.Flow
	AddJoined(dst []sounds.Droplet, spray *droplets.Spray, velocity func(dst, at []r3.Vec)) []sounds.Droplet
}

// Begin has it hear a liquid with cells of a size, m, of a density, kg/m³, and a tension, N/m.
func (s *Hearing) Begin(gr *graph.Graph, pool *par.Pool, tiles boxes.Tiles, cell, density, tension float64) {
	*s = Hearing{on: true, impacts: impacts{graph: gr, pool: pool, tiles: tiles}}
	s.step.CellSize, s.step.Density, s.step.Tension = cell, density, tension
}

// BeforeSolve is to be called when all forces but the pressure have acted on the faces.
func (s *Hearing) BeforeSolve() {
	if s.on {
		s.impacts.beforeSolve()
	}
}

// AfterSolve is to be called when the pressure has: moved is how the solids moved before, density is in kg/m³, weight the strongest that gravity and the
// fields accelerate by, m/s², dt the substep, s.
func (s *Hearing) AfterSolve(solids []rigid.Body, moved [][6]float64, density, weight, dt float64) {
	if s.on {
		s.impacts.afterSolve(solids, moved, density, weight, dt)
	}
}

// EndSubstep is to be called when a substep has gone well. velocity is the liquid's at places.
func (s *Hearing) EndSubstep(f Flows, spray *droplets.Spray, velocity func(dst, at []r3.Vec)) {
	if s.on {
		spray.TellsMerged = true // from the next substep on
		s.step.Flows = f.AddPassed(s.step.Flows, velocity)
		s.step.Drops = f.AddJoined(s.step.Drops, spray, velocity)
	}
}

// Bodies tells bodies' IDs.
type Bodies interface{ ID(i int) uint64 }

// EndStep returns what one hears of a step of dt seconds; up is against gravity. It is valid until the next.
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
