package levelset

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// Tracker is a level set with a field and droplets of its own, for cells of any kind. Its layout, which it reads alone, stays as it is.
type Tracker struct {
	*LevelSet
	can      track.Abilities
	faces    [3][]float32     // m/s
	velocity *layout.Velocity // those, for a motion without a field
	at, wind []r3.Vec         // scratch: places on faces, and the velocity there, m/s
	now      *layout.Scalar   // Phi at hand, which Distance samples
}

// NewTracker makes a level set of a layout that is settled and all air.
func NewTracker(g *layout.Grid, pool *par.Pool) *Tracker {
	t := &Tracker{LevelSet: NewLevelSet(g, pool), velocity: layout.NewVelocity(g), now: layout.NewScalar(g)}
	t.can = track.Abilities{SetUpkeepInterval: func(n int) { t.Markers.Cadence = n }}
	t.now.Gather(pool, t.Phi)
	return t
}

// Abilities are none but the upkeep of markers.
func (t *Tracker) Abilities() *track.Abilities { return &t.can }

// Advance moves the surface, the markers and the droplets.
func (t *Tracker) Advance(by *track.Motion) {
	v := by.Field
	if v == nil {
		t.sampleVelocity(by)
		v = t.velocity
	}
	t.LevelSet.Advance(v, by.Dt)
	t.now.Gather(t.pool, t.Phi)
}

// sampleVelocity writes the velocity of a motion at the middles of the faces.
func (t *Tracker) sampleVelocity(by *track.Motion) {
	for a := range t.faces {
		t.faces[a] = arrays.Resize(t.faces[a], t.g.Cells())
		for b := range int32(t.g.Bases()) {
			t.at = t.at[:0]
			t.g.EachFace(b, a, func(_ int32, x [3]float64) { t.at = append(t.at, r3.Vec{X: x[0], Y: x[1], Z: x[2]}) })
			t.wind = arrays.Resize(t.wind, len(t.at))
			by.Velocity(t.wind, t.at)
			i := 0
			t.g.EachFace(b, a, func(slot int32, _ [3]float64) {
				t.faces[a][slot] = float32([3]float64{t.wind[i].X, t.wind[i].Y, t.wind[i].Z}[a])
				i++
			})
		}
	}
	t.velocity.Gather(t.pool, &t.faces)
}

// Distance writes the distance to the surface at hand.
func (t *Tracker) Distance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		dst[i] = t.now.At(t.g.ToPoint(x.X, x.Y, x.Z))
	}
}

// Union adds a shape.
func (t *Tracker) Union(s shapes.SDF, _ int32) {
	t.SetBox(s.Eval, s.Bounds())
	t.now.Gather(t.pool, t.Phi)
}

// Subtract takes a shape away.
func (t *Tracker) Subtract(s shapes.SDF) {
	t.SubtractBox(s.Eval, s.Bounds())
	t.now.Gather(t.pool, t.Phi)
}

// ApplyChange changes the distance at the centres of the cells in boxes.
func (t *Tracker) ApplyChange(c *track.Change) {
	var box track.Box
	for _, within := range c.Boxes {
		tiles := t.g.Tiles()
		tiles.Each(within, func(b int32) {
			level, low := t.g.Cur.Level[b], t.g.Corner(b)
			n := 1 << level
			box = track.Box{Low: r3.Vec{X: low[0], Y: low[1], Z: low[2]}, Edge: t.g.CellSize(level), Count: [3]int{n, n, n}}
			phi := t.Phi[t.g.Cur.First[b]:][:box.Len()]
			for i := range phi {
				if x := [1]r3.Vec{box.Centre(i)}; boxes.Holds(&within, &x[0]) {
					c.Apply(phi[i:i+1], x[:])
				}
			}
			t.Measure(b)
		})
	}
	t.Redistance(t.Passes)
	t.now.Gather(t.pool, t.Phi)
}

// Resized has nothing to do: the layout stays as it is.
func (t *Tracker) Resized(*track.Motion) {}

// Settle publishes the field and reseeds the markers.
func (t *Tracker) Settle() { t.Publish() }

// Revert takes back what was done to field and droplets, and drops the markers.
func (t *Tracker) Revert() {
	t.Restore()
	t.Markers.Drop()
	t.Markers.Spray.Restore()
	t.now.Gather(t.pool, t.Phi)
}

// Code encodes or decodes the settled field, the markers and the droplets.
func (t *Tracker) Code(c *codec.Codec) {
	c.Part("distance")
	for b, level := range t.g.Cur.Level {
		phi := t.Phi[t.g.Cur.First[b]:][:1<<(3*level)]
		limit := t.limit(level)
		c.Float32s(phi, len(phi), -limit, limit)
	}
	if c.Reading() {
		t.Field.Publish()
	}
	t.Field.Code(c, &t.Markers.Cadence)
	t.Markers.code(c)
	t.Markers.Spray.Code(c)
	if c.Reading() {
		t.now.Gather(t.pool, t.Phi)
	}
}

// Most is more bytes than what Code encodes.
func (t *Tracker) Most() int {
	return 1<<10 + 4*t.g.Cells() + t.g.Bases() + 32*(t.Markers.Max+t.Markers.Spray.Max)
}
