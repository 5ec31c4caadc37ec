package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// mirroring has a surface go on in solids as if it met them at a contact angle. In corners the solid that is nearest counts.
type mirroring struct {
	m      *Cells
	angle  forces.ContactAngle
	solids []rigid.Solid // beside the static ones
	points []track.SurfacePoint
	found  []mirroredPoint // per point
	work   []mirrorScratch
}

// mirroredPoint is what solids do to a point.
type mirroredPoint struct {
	dropped  bool // in one, or next to it
	mirrored bool // by one that is near
	mirror   track.SurfacePoint
}

// mirroredAtOnce is for how many points at a time solids are asked.
const mirroredAtOnce = 64

// mirrorScratch is what one worker works with.
type mirrorScratch struct {
	at          [6 * mirroredAtOnce]r3.Vec
	distance    [6 * mirroredAtOnce]float32 // at these
	which       []int32                     // points that are near to a solid,
	away        []float64                   // and how far from it, m
	inBounds    []r3.Vec                    // those of the places at hand that are near to a solid,
	numbers     []int32                     // which they are,
	inDistances []float32                   // and how far from it, m
}

func makeMirroring(m *Cells) mirroring {
	return mirroring{m: m, work: make([]mirrorScratch, m.Pool.Workers())}
}

// continueInto drops the points in solids and next to them, and appends to the others mirrored ones of those that are near to a solid.
func (c *mirroring) continueInto(solids []rigid.Solid, points []track.SurfacePoint, angle forces.ContactAngle) []track.SurfacePoint {
	c.solids, c.points, c.angle = solids, points, angle
	c.found = arrays.Resize(c.found, len(points))
	par.Each(c.m.Pool, par.Chunks(len(points), mirroredAtOnce), 1, c, (*mirroring).findChunk)
	kept := points[:0]
	for i := range c.found {
		if !c.found[i].dropped {
			kept = append(kept, points[i])
		}
	}
	for i := range c.found {
		if f := &c.found[i]; f.mirrored {
			kept = append(kept, f.mirror)
		}
	}
	c.solids, c.points = nil, nil
	return kept
}

// findChunk finds what solids do to some points.
func (c *mirroring) findChunk(worker int, chunk int32) {
	g, s := c.m.Grid, &c.work[worker]
	from := int(chunk) * mirroredAtOnce
	points := c.points[from:min(from+mirroredAtOnce, len(c.points))]
	for i := range points {
		s.at[i] = points[i].At
	}
	c.measure(s, len(points))
	s.which, s.away = s.which[:0], s.away[:0]
	for i, d := range s.distance[:len(points)] {
		nearest, furthest := c.angle.Reach(g.CellSize(g.Cur.Level[g.BaseOf(points[i].At)]))
		c.found[from+i] = mirroredPoint{dropped: float64(d) < nearest}
		if float64(d) >= nearest && float64(d) < furthest {
			s.which, s.away = append(s.which, int32(from+i)), append(s.away, float64(d))
		}
	}
	if len(s.which) > 0 {
		c.mirror(s)
	}
}

// slopeReach, in finest cells, is over how much to both sides slopes of solids' distances are measured.
const slopeReach = .25

// leastSlope is that below which a distance says little of where its solid is, as on ridges.
const leastSlope = .5

// mirror mirrors the points at hand that are near to a solid. What would come out of the solid again is left out: a thin one mirrors nothing to its other side.
func (c *mirroring) mirror(s *mirrorScratch) {
	reach := float64(slopeReach * c.m.CellSize)
	for k, i := range s.which {
		x := c.points[i].At
		for a, d := range [3]r3.Vec{{X: reach}, {Y: reach}, {Z: reach}} {
			s.at[6*k+2*a], s.at[6*k+2*a+1] = r3.Add(x, d), r3.Sub(x, d)
		}
	}
	c.measure(s, 6*len(s.which))
	for k, i := range s.which {
		d, f := s.distance[6*k:], &c.found[i]
		slope := reproducible.Scale(1/(2*reach), r3.Vec{X: float64(d[0] - d[1]), Y: float64(d[2] - d[3]), Z: float64(d[4] - d[5])})
		s.at[k] = c.points[i].At
		if size := reproducible.Norm(slope); size > leastSlope {
			f.mirror, f.mirrored = c.angle.Mirror(&c.points[i], s.away[k]/size, reproducible.Scale(1/size, slope))
		}
		if f.mirrored {
			s.at[k] = f.mirror.At
		}
	}
	c.measure(s, len(s.which))
	for k, i := range s.which {
		if s.distance[k] > float32(slopeReach*c.m.CellSize) {
			c.found[i].mirrored = false
		}
	}
}

// measure writes how far the first n places at hand are from the nearest solid or closed side of the domain, m; bodies that are further than the reach may be left out.
func (c *mirroring) measure(s *mirrorScratch, n int) {
	at, distance := s.at[:n], s.distance[:n]
	c.m.Solids.StaticDistance(distance, at)
	_, near := c.angle.Reach(c.m.Grid.CellSize(0))
	for i := range c.solids {
		solid := &c.solids[i]
		bounds := boxes.Grown(solid.Bounds, near)
		s.inBounds, s.numbers = s.inBounds[:0], s.numbers[:0]
		for k, x := range at {
			if boxes.Contains(bounds, x) {
				s.inBounds, s.numbers = append(s.inBounds, x), append(s.numbers, int32(k))
			}
		}
		if len(s.numbers) == 0 {
			continue
		}
		s.inDistances = arrays.Resize(s.inDistances, len(s.numbers))
		solid.Distance(s.inDistances, s.inBounds)
		for j, k := range s.numbers {
			distance[k] = min(distance[k], s.inDistances[j])
		}
	}
}
