package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// release makes a droplet of a marker at p of radius r, m, with a velocity, m/s.
func (m *Markers) release(p layout.Point, v [3]float32, r float32) {
	for a := range v {
		if !(abs32(v[a]) < 1e6) {
			v[a] = 0
		}
	}
	x, y, z := m.s.g.ToMetres(p)
	m.Spray.Add([3]float32{float32(x), float32(y), float32(z)}, v, r)
}

// Follow ends the paths of droplets at thin walls, and tells what is at their ends.
func (s *Field) Follow(paths []droplets.Path) {
	for i := range paths {
		w := &paths[i]
		p := s.g.ToPoint(w.To.X, w.To.Y, w.To.Z)
		if w.Stopped = s.stopped(w.From, &p); w.Stopped {
			w.To.X, w.To.Y, w.To.Z = s.g.ToMetres(p)
		}
		switch {
		case !inBox(p, s.g.Dim):
			w.End = droplets.Outside
		case s.phiNear(p) < 0:
			w.End = droplets.InLiquid
		default:
			w.End = droplets.InAir
		}
	}
}

// stopped tells whether a thin wall stands between a place, m, and p, and moves p before it.
func (s *Field) stopped(x r3.Vec, p *layout.Point) bool {
	from := s.g.ToPoint(x.X, x.Y, x.Z)
	b := s.g.BaseAt(int(from.X), int(from.Y), int(from.Z))
	if s.ClipAhead == nil || b == layout.None || !s.clips(b) {
		return false
	}
	w := &s.work[0]
	w.from[0], w.to[0] = from, *p
	s.ClipAhead(0, b, w.from[:1], w.to[:1])
	moved := *p != w.to[0]
	*p = w.to[0]
	return moved
}

func inBox(p layout.Point, dim [3]int) bool {
	return p.X > 0 && p.Y > 0 && p.Z > 0 && p.X < float64(dim[0]) && p.Y < float64(dim[1]) && p.Z < float64(dim[2])
}

// phiNear is the new φ of the cell that holds p.
func (s *Field) phiNear(p layout.Point) float32 {
	b, x, y, z := s.g.Locate(p)
	return s.Phi[s.g.Cur.CellIn(b, x, y, z)]
}

// place is the point at (u, v, w), 0 to 1, of a block's cell.
func (s *Field) place(at, c [3]int, f, u, v, w float64) layout.Point {
	return layout.Point{
		X: float64(at[0]) + float64((float64(c[0])+u)*f),
		Y: float64(at[1]) + float64((float64(c[1])+v)*f),
		Z: float64(at[2]) + float64((float64(c[2])+w)*f),
	}
}
