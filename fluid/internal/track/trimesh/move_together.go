package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// together is scratch of moveTogether: zones of vertices that move by their mean motion.
type together struct {
	meeting [][2]int32
	goal    []r3.Vec  // where vertices are to go
	zones   geom.Sets // of vertices; each zone by its lowest
	bound   []bool    // per vertex: it is in a zone
	sum     []r3.Vec  // per zone: of motions
	count   []int     // per zone: of vertices
}

// togetherRounds is how often zones grow by what meets.
const togetherRounds = 6

// moveTogether changes targets so that nothing meets there: a part of the surface that moves as one meets itself no more than before. If it can't, the targets are as they were, and the
// report's Fraction is 0.
//
// Source: Provot 1997, as in Bridson, Fedkiw, Anderson 2002, section 7.5: rigid impact zones; here without their turning.
func (r *Mover) moveTogether(m *Mesh) (report MoveReport) {
	s := &r.together
	for v, x := range m.Target {
		if !inReach(x) && len(m.VertexTriangles[v]) > 0 {
			return report
		}
	}
	s.goal = append(s.goal[:0], m.Target...)
	for round := range togetherRounds {
		s.meeting = r.look.meetingAhead(r.Pool, m, s.meeting[:0])
		report.Passes = round
		if len(s.meeting) == 0 {
			report.Fraction = 1
			return report
		}
		if round == 0 {
			s.begin(m)
		}
		if !s.bind(m) {
			break
		}
		report.Zones += s.move(m)
	}
	copy(m.Target, s.goal)
	return report
}

// begin has no vertex in a zone.
func (s *together) begin(m *Mesh) {
	n := len(m.Position)
	s.zones.Reset(n)
	s.bound, s.sum, s.count = arrays.Resize(s.bound, n), arrays.Resize(s.sum, n), arrays.Resize(s.count, n)
	clear(s.bound)
}

// bind joins the vertices of triangles that meet. It is false if one is heavy.
func (s *together) bind(m *Mesh) bool {
	for _, p := range s.meeting {
		first := m.Triangle[p[0]][0]
		for _, t := range p {
			for _, v := range m.Triangle[t] {
				if m.Heavy[v] {
					return false
				}
				s.bound[v] = true
				s.zones.Join(first, v)
			}
		}
	}
	return true
}

// move makes the vertices' motions the means of their zones', and returns how many zones there are.
func (s *together) move(m *Mesh) (zones int) {
	clear(s.count)
	for v, bound := range s.bound {
		if !bound {
			continue
		}
		zone := s.zones.Find(int32(v))
		if s.count[zone]++; s.count[zone] == 1 {
			s.sum[zone] = r3.Vec{}
			zones++
		}
		s.sum[zone] = r3.Add(s.sum[zone], r3.Sub(s.goal[v], m.Position[v]))
	}
	for v, bound := range s.bound {
		if bound {
			zone := s.zones.Find(int32(v))
			m.Target[v] = r3.Add(m.Position[v], reproducible.Scale(1/float64(s.count[zone]), s.sum[zone]))
		}
	}
	return zones
}
