package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// shallowest is how deep in the liquid, in edges of its cell, a vertex beside a bubble counts at least. Beside one that is less deep faces would be so short that nothing but
// rounding were left of the balance of the bubble's volume. Were each of them made longer by itself, the vertex would have as many depths, and liquid spurt along some of its edges.
const shallowest = .05

const (
	// leastMouth is how much liquid a region must border on, as a part of the face of a cube of its volume: through less, liquid leaks into a dry room, whose air
	// gives way.
	leastMouth = .25
	// lid is the part of that liquid's surface that, taken as vectors, must not lie on top: air under a lid of liquid, in a tub or under a wave that falls on a dry
	// floor, goes up through it in bubbles that the cells do not resolve.
	lid = .5
	// smallest, in cells of the layout, is the volume from which the lattice resolves a bubble. Less would crawl along floors and drive a flow, as voids do, and
	// closes like a hole.
	smallest = 4
)

// listBubbles makes a bubble of each region that is not open and that liquid encloses.
func (s *airSearch) listBubbles() {
	gr := s.gr
	s.bubble = arrays.Resize(s.bubble, len(s.open))
	for i := range s.bubble {
		s.bubble[i] = none
	}
	for f := range int32(gr.Faces()) {
		if gr.A[f] < 0 || gr.B[f] < 0 {
			s.listFace(f)
		}
	}
	if len(gr.Bubbles) == 0 {
		return
	}
	s.measureVolumes()
	s.keepEnclosed()
	for i := range s.d.bodies.jobs {
		if i < len(gr.Bodies) {
			s.meetBody(int32(i))
		}
	}
}

// listFace enters a face with air on a side at the bubble there.
func (s *airSearch) listFace(f int32) {
	d, gr := s.d, s.gr
	v, share := d.l.Ends[gr.Slot[f]][1], 1.
	if gr.A[f] < 0 {
		v, share = d.l.Ends[gr.Slot[f]][0], -1.
	}
	if s.part[v] == none {
		return
	}
	at := s.sets.Find(s.part[v])
	if s.open[at] {
		return
	}
	if s.bubble[at] == none {
		s.bubble[at] = int32(len(gr.Bubbles))
		gr.AddBubble()
	}
	to := &gr.Bubbles[s.bubble[at]]
	to.Faces = append(to.Faces, graph.BubbleFace{Face: f, Share: share})
}

// measureVolumes adds up what room the bubbles' cells have.
func (s *airSearch) measureVolumes() {
	d := s.d
	for b, hidden := range s.hidden {
		if !hidden {
			continue
		}
		lo, hi := d.l.VertexRuns.Of(int32(b))
		for v := lo; v < hi; v++ {
			if i := s.bubbleOf(v); i != none {
				s.gr.Bubbles[i].Volume += d.Volume[v]
			}
		}
	}
}

// keepEnclosed leaves the regions out that liquid doesn't enclose, but lies on or leaks into: they are open.
func (s *airSearch) keepEnclosed() {
	gr := s.gr
	for part, i := range s.bubble {
		if i != none && !s.encloses(&gr.Bubbles[i]) {
			s.bubble[part] = none
			gr.Bubbles[i].Faces = gr.Bubbles[i].Faces[:0]
		}
	}
	for i := range gr.Bubbles {
		for _, f := range gr.Bubbles[i].Faces {
			e := gr.Slot[f.Face]
			wet, dry := s.d.l.Ends[e][0], s.d.l.Ends[e][1]
			if f.Share < 0 {
				wet, dry = dry, wet
			}
			gr.Dist[f.Face] = s.d.l.Dist[e] * s.d.wetPart(wet, s.phi[wet], s.phi[dry], shallowest)
		}
	}
}

// encloses tells whether liquid encloses a region.
func (s *airSearch) encloses(b *graph.Bubble) bool {
	d, gr := s.d, s.gr
	area, above, edge := 0., 0., math.Inf(1)
	for _, f := range b.Faces {
		ends := &d.l.Ends[gr.Slot[f.Face]]
		edge = min(edge, d.cellEdge(ends[0]), d.cellEdge(ends[1]))
		part := gr.Area[f.Face] * gr.Open[f.Face]
		area += float64(part)
		above -= float64(part * f.Share * geom.Dot(&gr.Normals[f.Face], &d.Up))
	}
	size := reproducible.Cbrt(b.Volume)
	b.Small = b.Volume < float64(smallest*edge*edge*edge)
	return area >= float64(leastMouth*size*size) && above < float64(lid*area)
}

// meetBody adds a body's surface to the bubbles that it is in.
func (s *airSearch) meetBody(body int32) {
	d := s.d
	jobs := d.bodies.jobs[body]
	for i := range jobs {
		j := &jobs[i]
		if j.at.Fixed {
			return
		}
		for n := range j.list.covers {
			c := &j.list.covers[n]
			if c.taken == 0 {
				continue
			}
			e := d.l.EdgeRuns[j.base] + c.edge
			push := pushOf(d.l.Normal(e), c, j.at)
			for side, v := range d.l.Ends[e] {
				b := s.bubbleOf(v)
				if b == none {
					continue
				}
				if side == 1 {
					for a := range push {
						push[a] = -push[a]
					}
				}
				s.gr.Bubbles[b].Meet(body, &push)
			}
		}
	}
}
