package walls

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// segment is a straight part of a trace that may meet a wall, in the wall's frame.
type segment struct {
	of            int // index among the caller's segments
	from, to, end r3.Vec
	d             float64 // the wall's distance at from, m
}

// ClipBack clips trace segments from → to, m, where they meet a wall. from is a place after the wall's motion and to one before it: semi-Lagrangian traces
// lead back in time. A clipped segment goes on along the wall's surface. ClipBack moves those ends in to, and returns their indices.
//
// It clips against one wall, since callers round ends to their own units between two walls.
func (s *Set) ClipBack(worker, wall int, from, to []r3.Vec) (moved []int32) {
	return s.clip(worker, wall, from, to, false, true)
}

// ClipAhead is ClipBack for trace segments that lead forward in time.
func (s *Set) ClipAhead(worker, wall int, from, to []r3.Vec) (moved []int32) {
	return s.clip(worker, wall, from, to, true, false)
}

// ClipLines returns the indices of the straight lines, between two places after the wall's motion, that the wall blocks, including lines that end in
// it or nearer than the gap. An index may appear twice.
func (s *Set) ClipLines(worker, wall int, from, to []r3.Vec) (blocked []int32) {
	k, w := &s.scratch[worker], &s.Walls[wall]
	k.listSegments(w, from, to, false, false)
	k.startRays(s.gap)
	k.pts = k.pts[:0]
	for i := range k.segments {
		k.pts = append(k.pts, k.segments[i].to)
	}
	k.evaluate()
	k.moved = k.moved[:0]
	for i := range k.Rays {
		r := &k.Rays[i]
		if r.far = float64(k.dist[i]); r.far < s.gap { // at or in the wall
			k.moved = append(k.moved, int32(k.segments[r.Of].of))
		}
	}
	k.keepBlocked()
	for i := range k.Rays {
		k.moved = append(k.moved, int32(k.segments[k.Rays[i].Of].of))
	}
	return k.moved
}

// clip clips segments in the wall's frame. before and endBefore mark starts and ends as places before the wall's motion.
func (s *Set) clip(worker, wall int, from, to []r3.Vec, before, endBefore bool) (moved []int32) {
	k, w := &s.scratch[worker], &s.Walls[wall]
	k.listSegments(w, from, to, before, endBefore)
	k.clipSegments(s.gap)
	k.moved = k.moved[:0]
	for i := range k.segments {
		if v := &k.segments[i]; v.end != v.to {
			x := v.end
			if endBefore && w.Motion.moves {
				x = w.Motion.Back(x)
			}
			to[v.of] = x
			k.moved = append(k.moved, int32(v.of))
		}
	}
	return k.moved
}

// listSegments transforms segments into the wall's frame.
func (s *scratch) listSegments(w *Wall, from, to []r3.Vec, before, endBefore bool) {
	s.Solid = w.Distance
	s.segments = s.segments[:0]
	for i := range from {
		end := w.inFrame(to[i], endBefore)
		s.segments = append(s.segments, segment{of: i, from: w.inFrame(from[i], before), to: end, end: end})
	}
}

// clipSegments sets the ends of the segments that meet the wall.
func (s *scratch) clipSegments(gap float64) {
	s.startRays(gap)
	s.Trace()
	s.stop()
	s.slide()
	s.pts, s.inside = s.pts[:0], s.inside[:0]
	for i := range s.segments {
		s.pts = append(s.pts, s.segments[i].end)
	}
	s.evaluate()
	for i := range s.segments {
		if d := float64(s.dist[i]); d < gap { // a place that creeps along a wall step by step must not enter it
			s.inside = append(s.inside, insidePlace{of: i, x: s.segments[i].end, d: d, gap: gap})
		}
	}
	s.moveOutside()
	for _, o := range s.inside {
		s.segments[o.of].end = o.x
	}
}

// startRays makes rays of s.segments, without those that can't meet the wall, or that start deeper in a solid than thin walls are thick.
func (s *scratch) startRays(gap float64) {
	s.pts, s.inside = s.pts[:0], s.inside[:0]
	for i := range s.segments {
		s.pts = append(s.pts, s.segments[i].from)
	}
	s.evaluate()
	n := 0
	for i := range s.segments {
		v := &s.segments[i]
		length := reproducible.Norm(r3.Sub(v.to, v.from))
		if v.d = float64(s.dist[i]); v.d < -s.cell || v.d > length+gap || length == 0 {
			continue
		}
		if v.d < 0 {
			s.inside = append(s.inside, insidePlace{of: n, x: v.from, d: v.d, gap: 2 * gap})
		}
		if n < i {
			s.segments[n] = *v
		}
		n++
	}
	s.segments = s.segments[:n]
	s.moveOutside()
	for _, o := range s.inside {
		s.segments[o.of].from, s.segments[o.of].d = o.x, o.gap
	}
	s.Rays = s.Rays[:0]
	for i := range s.segments {
		v := &s.segments[i]
		d := r3.Sub(v.to, v.from)
		length := reproducible.Norm(d)
		s.Rays = append(s.Rays, Ray{Of: i, From: v.from, Dir: reproducible.Scale(1/length, d), Length: length, Gap: gap, D: v.d})
	}
}

// stop keeps the rays that met the solid, and ends their segments there.
func (s *scratch) stop() {
	s.Rays = slices.DeleteFunc(s.Rays, func(r Ray) bool { return !r.Stopped() })
	for i := range s.Rays {
		r := &s.Rays[i]
		s.segments[r.Of].end = r.End()
	}
}

// slide continues rays that met the solid along its surface, by the tangential part of what is left of their segments: liquid slips along
// walls.
func (s *scratch) slide() {
	if len(s.Rays) == 0 {
		return
	}
	s.pts = s.pts[:0]
	for i := range s.Rays {
		s.pts = append(s.pts, s.Rays[i].End())
	}
	s.normals()
	n := 0
	for i, r := range s.Rays {
		x, normal, rest := s.pts[i], s.normal[i], reproducible.Scale(r.Length-r.T, r.Dir)
		rest = r3.Sub(rest, reproducible.Scale(reproducible.Dot(rest, normal), normal))
		if length := reproducible.Norm(rest); length >= r.Gap {
			s.Rays[n], s.pts[n] = Ray{Of: r.Of, From: x, Dir: reproducible.Scale(1/length, rest), Length: length, Gap: r.Gap}, x
			n++
		}
	}
	s.Rays, s.pts = s.Rays[:n], s.pts[:n]
	s.evaluate()
	for i := range s.Rays {
		s.Rays[i].D = float64(s.dist[i])
	}
	s.Trace()
	for i := range s.Rays {
		r := &s.Rays[i]
		s.segments[r.Of].end = r.End()
	}
}
