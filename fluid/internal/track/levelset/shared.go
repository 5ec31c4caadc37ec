package levelset

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// Shared is a level set as the tracker of cells whose field it shares: it moves the field, and has the markers and the droplets that follow from its motion. The
// cells change, publish and restore the field.
type Shared struct {
	*LevelSet
	can track.Abilities
}

// Share makes the level set of a field. Its markers become droplets of a spray where the grid can't hold them, if room tells that liquid can be there; nil: everywhere.
func Share(f *Field, spray *droplets.Spray, room func(p layout.Point) bool) *Shared {
	s := &Shared{LevelSet: &LevelSet{Field: f, Markers: newMarkers(f, spray)}}
	s.Markers.Room = room
	s.can = track.Abilities{SharesField: true, SetUpkeepInterval: s.setInterval, DropMarkers: s.Markers.DropWhere}
	return s
}

// Abilities are those of markers, and to share the field.
func (s *Shared) Abilities() *track.Abilities { return &s.can }

func (s *Shared) setInterval(n int) { s.Markers.Cadence = n }

// Advance moves the field, the markers and the droplets by the velocity on the faces.
func (s *Shared) Advance(by *track.Motion) { s.LevelSet.Advance(by.Field, by.Dt) }

// Resized carries the field over to other levels.
func (s *Shared) Resized(by *track.Motion) { s.Advance(by) }

// Distance writes the published distance.
func (s *Shared) Distance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		dst[i] = s.Tiles.At(s.g.ToPoint(x.X, x.Y, x.Z))
	}
}

// Union adds a shape to the field.
func (s *Shared) Union(shape shapes.SDF, _ int32) { s.SetBox(shape.Eval, shape.Bounds()) }

// Subtract takes a shape out of the field.
func (s *Shared) Subtract(shape shapes.SDF) { s.SubtractBox(shape.Eval, shape.Bounds()) }

// ApplyChange has nothing to do: the field has been changed.
func (s *Shared) ApplyChange(*track.Change) {}

// Settle reseeds the markers in the published field.
func (s *Shared) Settle() { s.reseed() }

// Revert drops the markers, which have moved with the field.
func (s *Shared) Revert() { s.Markers.Drop() }

// Code encodes or decodes the markers.
func (s *Shared) Code(c *codec.Codec) { s.Markers.code(c) }

// Most is more bytes than what Code encodes.
func (s *Shared) Most() int { return 32 * s.Markers.Max }
