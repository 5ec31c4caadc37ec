package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Union adds a shape to the liquid, but not one that is wholly in solids: when they go, no liquid may appear that was never
// booked. The surface of others goes on in solids as it would without them. trim then takes away what is to be none.
func (m *Blocks) Union(s shapes.SDF, trim func()) {
	phi, wet := m.Set.Phi, float32(m.CellSize/2)
	m.before = append(m.before[:0], phi...)
	m.Set.SetBox(s.Eval, s.Bounds())
	trim()
	for c, open := range m.Solids.Volume {
		if open > 0 && phi[c] < m.before[c] && phi[c] < wet {
			return
		}
	}
	copy(phi, m.before)
}

// Subtract takes the liquid out of a shape.
func (m *Blocks) Subtract(s shapes.SDF) { m.Set.SubtractBox(s.Eval, s.Bounds()) }

// airRounds is how often LeaveAir halves the interval that the size of its ball is in.
const airRounds = 12

// LeaveAir takes liquid out of a shape as long as drift, which tells by how much there is then more than there should be, stays positive. If not all
// of the shape is to be air, what of it is in a ball is, about the open place that is deepest in gone, of several the highest along up: a layer thinner
// than a cell would close, and no correction of the volume would follow the surplus.
func (m *Blocks) LeaveAir(s, gone shapes.SDF, up r3.Vec, drift func() float64) {
	m.before = append(m.before[:0], m.Set.Phi...)
	most := reproducible.Norm(r3.Sub(m.Domain.Max, m.Domain.Min))
	a := airPocket{s, m.deepest(gone, up), most}
	if m.driftWith(&a, drift) >= 0 {
		return
	}
	few, many := 0., most
	for range airRounds {
		if a.radius = (few + many) / 2; m.driftWith(&a, drift) >= 0 {
			few = a.radius
		} else {
			many = a.radius
		}
	}
	a.radius = few
	m.driftWith(&a, drift)
}

// airPocket is what of a shape is in a ball.
type airPocket struct {
	shape  shapes.SDF
	centre r3.Vec
	radius float64 // m
}

func (a *airPocket) eval(dst []float32, pts []r3.Vec) {
	a.shape.Eval(dst, pts)
	for i, x := range pts {
		dst[i] = max(dst[i], float32(reproducible.Norm(r3.Sub(x, a.centre))-a.radius))
	}
}

// driftWith leaves air in a pocket, and nowhere else, and returns the drift then.
func (m *Blocks) driftWith(a *airPocket, drift func() float64) float64 {
	copy(m.Set.Phi, m.before)
	m.Set.SubtractBox(a.eval, a.shape.Bounds())
	return drift()
}

// deepest is the middle of the open cell that is deepest in a shape, of several the highest.
func (m *Blocks) deepest(s shapes.SDF, up r3.Vec) (x r3.Vec) {
	least := math.Inf(1)
	m.EachBase(s.Bounds(), func(b int32) {
		pts, first := m.Centres(b), m.Grid.Cur.First[b]
		s.Eval(m.Dist, pts)
		for i, d := range m.Dist[:len(pts)] {
			if m.Solids.Volume[first+int32(i)] == 0 {
				continue
			}
			if depth := float64(d) - float64(1e-3*reproducible.Dot(up, pts[i])); depth < least {
				least, x = depth, pts[i]
			}
		}
	})
	return x
}

// PublishEdit makes the surface, from outside of a step, the state that the next one begins with.
func (m *Blocks) PublishEdit() {
	m.Set.Publish()
	m.dropMarkers()
}

// dropMarkers drops the markers of liquid that is no more: they would put it back.
func (m *Blocks) dropMarkers() {
	k := m.Set.Markers
	for i, p := range k.Position {
		if k.Radius[i] < 0 && m.Set.Tiles.At(p) >= 0 {
			k.Radius[i] = 0
		}
	}
}
