package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// LevelSet tracks the liquid's surface by a field, which it may share with the cells, and corrects that by markers.
//
// A step: levels of Cur change; Advance writes Phi on Cur from the old tiles, moves and applies the markers; others may change Phi; the layout is settled;
// Publish gathers the tiles and reseeds the markers.
//
// Source: particle level set: Enright, Fedkiw, Ferziger, Mitchell 2002.
type LevelSet struct {
	*Field
	Markers *Markers
}

// NewLevelSet makes a level set of a grid that is all air, with a field of its own.
func NewLevelSet(g *layout.Grid, pool *par.Pool) *LevelSet {
	f := NewField(g, pool)
	return &LevelSet{Field: f, Markers: newMarkers(f, droplets.NewSpray())}
}

// Clear makes everything air.
func (s *LevelSet) Clear() {
	s.Field.Clear()
	s.Markers.clear()
}

// Advance moves the surface by dt seconds through the velocity v of the old layout: it
// writes Phi on Cur from the published tiles, moves and applies the markers, and restores
// the distance. A nil v only carries φ over to the new layout.
//
// Values of v that are not finite count as 0.
func (s *LevelSet) Advance(v *layout.Velocity, dt float64) {
	s.v, s.dt = v, dt
	s.Markers.Spray.Keep()
	par.For(s.pool, s.g.Bases(), 2, s.Field, (*Field).advanceBlocks)
	s.Markers.Spray.Begin()
	if v != nil {
		s.Markers.advance(v, dt)
	}
	s.v = nil
	s.redistance(s.Passes, false)
	s.Tick++
}

// Publish makes Phi the old state of the next Advance and reseeds the markers. The layout
// must be settled.
func (s *LevelSet) Publish() {
	s.Field.Publish()
	s.reseed()
}

// reseed reseeds the markers in every step, or as their cadence has it.
func (s *LevelSet) reseed() {
	if c := uint32(max(1, s.Markers.Cadence)); s.Tick%c == 0 {
		s.Markers.reseed()
	}
}
