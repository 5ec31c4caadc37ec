package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Fill puts liquid into a shape. The part outside of the domain or within solids is ignored; a shape wholly outside is named in the
// next report. Let the shape reach into walls that hold the liquid, by half a cell or more: of one that ends at a wall's face the edge
// there is rounded, as it would be in the open, and what is missing of it sets the liquid swinging.
func (l *Liquid) Fill(s SDF) error {
	defer l.enter(&inFill).leave()
	if err := CheckSDF(s); err != nil {
		return fmt.Errorf("fluid: Fill: %w", err)
	}
	s = guarded(s)
	l.outside("Fill", "the shape given to Fill", s.Bounds())
	l.volumes.ledger.FilledL += max(0, l.edit(l.throughWalls(s), l.fillOpen))
	l.warnOfShape("Fill", s)
	return nil
}

// fillOpen adds a shape to the level set, but not one that is wholly in solids: when they go, nothing may come of it that was never
// booked. The surface of others goes on in solids as it would without them.
func (l *Liquid) fillOpen(f func(dst []float32, pts []r3.Vec), box r3.Box) {
	w, phi, wet := &l.world, l.m.Set.Phi, float32(l.def.CellSize/2)
	w.before = append(w.before[:0], phi...)
	l.m.Set.SetBox(f, box)
	l.clearBeyond()
	for c, open := range l.m.Solids.Volume {
		if open > 0 && phi[c] < w.before[c] && phi[c] < wet {
			return
		}
	}
	copy(phi, w.before)
}

// airRounds is how often leaveAir halves the doubt about how much air it leaves.
const airRounds = 12

// leaveAir takes the liquid out of where an obstacle was, whose level set goes on in solids, until the ledger is right: what
// an obstacle has pressed out and that has not come back elsewhere, since there was no room or no time, is there again. If not all of it
// is to be air, what is in a ball is: a layer thinner than a cell would close, and nothing would ever follow the surplus.
func (l *Liquid) leaveAir(gone SDF) {
	l.edit(l.throughWalls(gone), func(f func(dst []float32, pts []r3.Vec), box r3.Box) {
		w := &l.world
		w.before = append(w.before[:0], l.m.Set.Phi...)
		most := reproducible.Norm(r3.Sub(l.def.Domain.Max, l.def.Domain.Min))
		a := airPocket{f, l.deepest(gone), most}
		if l.account().DriftL <= 0 || l.driftWith(&a, box) >= 0 {
			return
		}
		few, many := 0., most
		for range airRounds {
			if a.radius = (few + many) / 2; l.driftWith(&a, box) >= 0 {
				few = a.radius
			} else {
				many = a.radius
			}
		}
		a.radius = few
		l.driftWith(&a, box)
	})
}

// airPocket is what of a shape is in a ball.
type airPocket struct {
	shape  func(dst []float32, pts []r3.Vec)
	centre r3.Vec
	radius float64 // m
}

func (a *airPocket) eval(dst []float32, pts []r3.Vec) {
	a.shape(dst, pts)
	for i, x := range pts {
		dst[i] = max(dst[i], float32(reproducible.Norm(r3.Sub(x, a.centre))-a.radius))
	}
}

// driftWith leaves air in a pocket, and nowhere else, and returns what the ledger is off by then.
func (l *Liquid) driftWith(a *airPocket, box r3.Box) float64 {
	copy(l.m.Set.Phi, l.world.before)
	l.m.Set.SubtractBox(a.eval, box)
	l.resurvey()
	return l.account().DriftL
}

// deepest is the middle of the open cell that is deepest in a shape, of several the highest.
func (l *Liquid) deepest(s SDF) (x r3.Vec) {
	up, least := l.up(), math.Inf(1)
	l.m.EachBase(s.Bounds(), func(b int32) {
		pts, first := l.m.Centres(b), l.m.Grid.Cur.First[b]
		s.Eval(l.m.Dist, pts)
		for i, d := range l.m.Dist[:len(pts)] {
			if l.m.Solids.Volume[first+int32(i)] == 0 {
				continue
			}
			if depth := float64(d) - float64(1e-3*reproducible.Dot(up, pts[i])); depth < least {
				least, x = depth, pts[i]
			}
		}
	})
	return x
}

// Drain takes the liquid out of a shape. One wholly outside of the domain is named in the next report.
func (l *Liquid) Drain(s SDF) error {
	defer l.enter(&inDrain).leave()
	if err := CheckSDF(s); err != nil {
		return fmt.Errorf("fluid: Drain: %w", err)
	}
	s = guarded(s)
	l.outside("Drain", "the shape given to Drain", s.Bounds())
	l.volumes.ledger.DrainedL += max(0, -l.edit(l.throughWalls(s), l.m.Set.SubtractBox))
	l.warnOfShape("Drain", s)
	return nil
}

// throughWalls is a shape that goes on beyond the domain's closed sides where it ends at them.
func (l *Liquid) throughWalls(s SDF) SDF {
	return shapes.ThroughWalls(s, l.def.Domain, l.openSides(), l.def.CellSize)
}

// editPlans is how many plans after an edit set levels at once. While blocks are coarse, the surface
// seems nearer to them than it is, so that the first plans ask for too much.
const editPlans = 5

// edit merges a shape into the level set, with fine cells along its surface, and returns by how
// many litres the liquid grew. That may have the wrong sign by what the distance's rounding is worth.
func (l *Liquid) edit(s SDF, merge func(f func(dst []float32, pts []r3.Vec), box r3.Box)) float64 {
	l.refineAt(s)
	before := l.volumes.ledger.HeldL
	merge(s.Eval, s.Bounds())
	l.clearBeyond()
	l.spray.Remove(s.Eval)
	l.world.drops.Remove(s)
	l.publishEdit()
	l.m.Sizer.Restart(editPlans)
	return l.volumes.ledger.HeldL - before
}

// publishEdit makes the level set, from outside of a step, the state that the next one begins with.
func (l *Liquid) publishEdit() {
	l.wakeAll()
	l.m.Set.Publish()
	l.dropMarkers()
	l.resurvey()
	l.volumes.begin()
	l.out.stale = true
}

// clearBeyond takes away what an edit put beyond open sides, unbooked.
func (l *Liquid) clearBeyond() {
	drained := l.volumes.ledger.DrainedL
	l.removeOutflow()
	l.volumes.ledger.DrainedL = drained
	l.volumes.gained = l.volumes.gained[:0]
}

// dropMarkers drops the markers of liquid that is no more: they would put it back.
func (l *Liquid) dropMarkers() {
	m := l.m.Set.Markers
	for i, p := range m.Position {
		if m.Radius[i] < 0 && l.m.Set.Tiles.At(p) >= 0 {
			m.Radius[i] = 0
		}
	}
}
