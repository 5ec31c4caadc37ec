package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/viscosity"
)

// Forces acts on the graph's velocity: the blocks' tension and wind, and the lattice's own viscosity.
type Forces struct {
	*cubes.Forces
	m        *Lattice
	solver   *viscosity.Solver // nil until there is viscosity
	velocity []float64         // per face, m/s: what viscosity is to act on
}

// UseViscosity makes what viscosity needs.
func (fs *Forces) UseViscosity() {
	if fs.solver == nil {
		fs.solver = viscosity.New(fs.m.Pool)
	}
}

// KeepAdvected keeps the graph's velocity, before any force has acted, for ApplyViscosity.
func (fs *Forces) KeepAdvected() { fs.velocity = append(fs.velocity[:0], fs.m.Graph.U...) }

// ApplyViscosity lets a viscosity, m²/s, act on the velocity and on the solids that the liquid sticks to.
func (fs *Forces) ApplyViscosity(nu float64, solids *rigid.NoSlip) {
	m := fs.m
	m.StartPressure()
	par.For(m.Pool, m.Graph.Faces(), predictGrain, fs, (*Forces).predictVelocity)
	fs.solver.Apply(m.Graph, viscosity.Liquid{Lattice: &m.now.Lattice, Phi: m.phi, Row: m.cuts.Row, Finest: m.CellSize}, fs.velocity, solids, nu, m.Dt)
}

// predictGrain is how many faces make a chunk of predictVelocity.
const predictGrain = 1024

// predictVelocity makes the velocity that viscosity is to act on: with gravity and all forces, less what the last step's pressure takes away of them again. Where that
// isn't known, as at the surface, it is the advected velocity.
func (fs *Forces) predictVelocity(_, lo, hi int) {
	m := fs.m
	gr, pi := m.Graph, m.impulse
	for f := lo; f < hi; f++ {
		if a, b := gr.A[f], gr.B[f]; a|b >= 0 && pi[a] != 0 && pi[b] != 0 {
			fs.velocity[f] = gr.U[f] - (pi[b]-pi[a])/(m.Density*gr.Dist[f])
		}
	}
}

// ExtendShear has nothing to do: the velocity goes on beyond the liquid along the gradient of that within, in which a viscous surface has no shear.
func (fs *Forces) ExtendShear(_, _ float64) {}
