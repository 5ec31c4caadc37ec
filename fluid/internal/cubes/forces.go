package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/advect"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Forces acts on the graph's velocity.
type Forces struct {
	m         *Cells
	surface   *Surface
	spreader  *advect.Extrapolation
	Tension   *forces.Tension   // nil until there is surface tension
	Viscosity *forces.Viscosity // nil until there is viscosity
	// What viscosity is to act on.
	velocity  []float64 // per face, m/s
	known     []bool    // per row: its cell's pressure is the last step's
	points    []track.SurfacePoint
	mirroring mirroring
}

// UseTension makes what surface tension needs. It is kept: nothing that it holds outlasts a step.
func (fs *Forces) UseTension() {
	if fs.Tension == nil {
		fs.Tension = forces.NewTension(fs.m.Grid, fs.m.Pool)
	}
	fs.surface.motion.Tension = true
}

// UseViscosity is UseTension for viscosity.
func (fs *Forces) UseViscosity() {
	if fs.Viscosity == nil {
		fs.Viscosity = forces.NewViscosity(fs.m.Grid, fs.m.Pool)
	}
}

// CapillaryStep is the longest step, s, that a surface tension, N/m, is stable with.
func (fs *Forces) CapillaryStep(tension float64) float64 {
	m := fs.m
	return forces.CapillaryStep(m.Density, tension, m.CellSize)
}

// ApplySurfaceTension adds a surface tension, N/m. Where the substeps are too few for it, it is only as strong
// as they can follow. A tracker that tells points of its surface has it meet the domain's sides, static solids and these at a contact angle, rad, if that is not 0.
func (fs *Forces) ApplySurfaceTension(tension, contactAngle float64, solids []rigid.Solid) {
	m := fs.m
	most := forces.StiffestTension(m.Density, m.CellSize, m.Dt)
	room := fs.CapillaryStep(tension) / m.Dt
	tension = min(tension, most)
	if s := fs.surface; s.can.SurfacePoints != nil {
		fs.points = s.can.SurfacePoints(fs.points[:0], s.motion.Velocity, float64(forces.Lead(room)*m.Drift))
		if contactAngle != 0 {
			fs.points = fs.mirroring.continueInto(solids, fs.points, forces.MakeContactAngle(contactAngle))
		}
		fs.Tension.ApplyTo(m.Graph, m.Set.Phi, fs.points, tension, room, m.Dt/m.Density)
		return
	}
	fs.Tension.Apply(m.Graph, m.Set.Phi, m.Set.Tiles, tension, room)
}

// BalanceJunctions has the pressure in the air fit that of still liquid where cells of two sizes meet at the surface.
func (fs *Forces) BalanceJunctions() {
	m := fs.m
	m.Solids.SetGhostPressures(m.Graph, m.Set.Phi, m.Press, reproducible.Array(reproducible.Scale(m.Density, m.Gravity)))
}

// KeepAdvected keeps the graph's velocity, before any force has acted, for ApplyViscosity.
func (fs *Forces) KeepAdvected() {
	fs.velocity = append(fs.velocity[:0], fs.m.Graph.U...)
}

// ApplyViscosity lets a viscosity, m²/s, act on the velocity and on the solids that the liquid sticks to.
func (fs *Forces) ApplyViscosity(viscosity float64, solids *rigid.NoSlip) {
	m := fs.m
	fs.Viscosity.Solids = solids
	fs.predictVelocity()
	fs.Viscosity.Phi = m.Set.Phi
	fs.Viscosity.Apply(m.Graph, &m.Solids.State, fs.velocity, viscosity, m.Dt)
}

// predictVelocity makes the velocity that viscosity is to act on: with gravity and all forces, less what the last step's pressure takes away of
// them again. Without that walls would hold back gravity's part and set a still pool in motion, and what turns would be held back
// on its way outwards. Where that pressure isn't known, or the
// surface, which has moved since, is too near for it to tell, it is the advected velocity.
func (fs *Forces) predictVelocity() {
	m := fs.m
	m.StartPressure()
	gr, pi := m.Graph, m.Impulse
	fs.known = arrays.Resize(fs.known, gr.Rows)
	for b := range m.Grid.Bases() {
		settled := m.Grid.Prev.First[b] == m.Grid.Cur.First[b]
		for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
			fs.known[r] = settled && pi[r] != 0
		}
	}
	for f, u := range gr.U {
		of := fs.inward(int32(f))
		if of < 0 {
			continue
		}
		if a, b := gr.A[of], gr.B[of]; a|b >= 0 && fs.known[a] && fs.known[b] {
			fs.velocity[f] = u - (pi[b]-pi[a])/(m.Density*gr.Dist[of])
		}
	}
}

// inward is a face itself, or of one to the air the one on the other side of the cell before it, -1 if there is none.
func (fs *Forces) inward(f int32) int32 {
	gr := fs.m.Graph
	a, b, side := gr.A[f], gr.B[f], 2*int(gr.Cubes.Axis[f])
	switch {
	case a == graph.Air && b >= 0:
		return gr.Cubes.Sides[b][side+1]
	case b == graph.Air && a >= 0:
		return gr.Cubes.Sides[a][side]
	}
	return f
}
