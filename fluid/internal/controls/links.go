package controls

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// link is a face that no control holds between two parts of a region.
type link struct {
	face  int32
	blend float64 // part of the surfaces' velocity in that of the liquid
	speed float64 // along the face's normal, m/s, as it is expected
}

// leastBlend is a link's blend where the surfaces have no weight: the part counts all the same.
const leastBlend = 1e-6

// findParts finds the parts of regions: what is in one shape, and what is in several, is one each. Where shapes touch, or liquid between them joins them, they
// are one region through few faces, and what one lacks and another has too much of would all go through these.
func (s *Set) findParts(gr *graph.Graph) {
	x := &s.regions
	x.links = x.links[:0]
	s.findLinks(gr)
	parts := &x.Components
	if len(x.links) > 0 {
		parts = &x.parts
		parts.FindApart(gr, x.apart)
	}
	x.part = append(x.part[:0], parts.Label...)
	x.within = arrays.Resize(x.within, len(parts.Closed))
	for r, part := range x.part {
		x.within[part] = x.Label[r]
	}
}

// findLinks lists the links, and has apart tell of them and of the faces that controls hold.
func (s *Set) findLinks(gr *graph.Graph) {
	x := &s.regions
	x.apart = append(x.apart[:0], s.cut...)
	relaxed := s.Relaxed()
	for f, a := range gr.A {
		b := gr.B[f]
		if a|b < 0 || s.cut[f] || s.owner[a] == 0 || s.owner[b] == 0 || s.owner[a] == s.owner[b] && s.isShared(a) == s.isShared(b) && s.beyond[a] == s.beyond[b] {
			continue
		}
		x.apart[f] = true
		x.links = append(x.links, s.linkAt(gr, int32(f), relaxed))
	}
}

// linkAt is the link at a face: expected is the mean velocity of the surfaces of those that have the rows there, mixed with the liquid's own as at the surfaces.
func (s *Set) linkAt(gr *graph.Graph, f int32, relaxed bool) link {
	is, n := link{face: f}, 0.
	at := s.placeOf(gr, f, 1)
	s.eachOwner(gr.A[f], gr.B[f], func(control int16) {
		c := s.All[control-1]
		surface := c.at(&at, false)
		is.speed += gr.Along(int(f), &surface.velocity)
		is.blend += min(1, float64(c.blend*surface.weight))
		n++
	})
	is.speed, is.blend = is.speed/n, max(is.blend/n, leastBlend)
	if relaxed {
		is.speed = float64(is.blend*is.speed) + float64((1-is.blend)*s.free[f])
	}
	return is
}
