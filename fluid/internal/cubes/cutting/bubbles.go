package cutting

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// shallowest is the least θ of a bubble's faces: shorter ones would leave of its volume's balance, in single precision, nothing but rounding.
const shallowest = .05

// listFaces makes a bubble of each region that is not open and that a face of the graph leads to.
func (s *airSearch) listFaces() {
	d := s.d
	gr := d.gr
	s.bubble = arrays.Resize(s.bubble, len(s.sets))
	for i := range s.bubble {
		s.bubble[i] = -1
	}
	for b := range int32(d.g.Bases()) {
		near := s.hidden[b]
		for a := range 3 {
			low := d.g.Neighbour[b][2*a]
			near = near || low != layout.None && s.hidden[low]
		}
		if !near {
			continue
		}
		k := d.block(b)
		for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
			if gr.A[f] < 0 || gr.B[f] < 0 {
				s.listFace(&k, f)
			}
		}
	}
	if len(gr.Bubbles) == 0 {
		return
	}
	s.measureVolumes()
	s.keepBubbles()
	for i, jobs := range d.bodies.jobs {
		if len(jobs) > 0 && !jobs[0].at.Fixed && i < len(gr.Bodies) {
			s.meetBody(int32(i), jobs)
		}
	}
}

// listFace enters a face that has air on a side at the bubble there, if all the air on it is of bubbles.
func (s *airSearch) listFace(k *block, f int32) {
	d := s.d
	gr, axis := d.gr, int(d.gr.Cubes.Axis[f])
	at := k.place(int(gr.Slot[f] - k.first))
	lo, hi := d.sides(k, axis, at)
	root, share := int32(-1), 0.
	for i, on := range [2]*side{&lo, &hi} {
		b := k.b
		if i == 0 && at[axis] == 0 {
			b = d.g.Neighbour[k.b][2*axis]
		}
		for _, c := range on.cells[:on.n] {
			if d.Row[c] >= 0 {
				continue
			}
			share += float64(float64(2*i-1) / float64(on.n))
			part := s.partOf(b, c)
			if part < 0 {
				continue
			}
			if part = s.sets.Find(part); s.open[part] {
				return
			}
			root = part
		}
	}
	if root < 0 || share == 0 {
		return
	}
	if s.bubble[root] < 0 {
		s.bubble[root] = int32(len(gr.Bubbles))
		gr.AddBubble()
	}
	to := &gr.Bubbles[s.bubble[root]]
	to.Faces = append(to.Faces, graph.BubbleFace{Face: f, Share: share})
}

const (
	// leastMouth is how much liquid a region must border on, as a part of the face of a cube of its volume: through less, liquid leaks into a dry
	// room, whose air gives way.
	leastMouth = .25
	// lid is the part of that liquid's surface that, taken as vectors, must not lie on top: air under a lid of liquid, in a tub or under a wave that
	// falls on a dry floor, goes up through it in bubbles that the cells do not resolve.
	lid = .5
	// smallest, in cells, is the volume from which the grid resolves a bubble. Less would crawl along floors and drive a flow, as voids do, and closes
	// like a hole.
	smallest = 4
)

// keepBubbles leaves the regions out that liquid doesn't enclose, but lies on or leaks into: they are open.
func (s *airSearch) keepBubbles() {
	gr := s.d.gr
	for part, i := range s.bubble {
		if i >= 0 && !s.encloses(&gr.Bubbles[i]) {
			s.bubble[part] = -1
			gr.Bubbles[i].Faces = gr.Bubbles[i].Faces[:0]
		}
	}
	for i := range gr.Bubbles {
		for _, f := range gr.Bubbles[i].Faces {
			gr.Dist[f.Face] = max(gr.Dist[f.Face], shallowest*math.Sqrt(gr.Area[f.Face]))
		}
	}
}

// encloses tells whether liquid encloses a region.
func (s *airSearch) encloses(b *graph.Bubble) bool {
	gr := s.d.gr
	area, above, edge := 0., 0., math.Inf(1)
	for _, f := range b.Faces {
		edge = min(edge, math.Sqrt(gr.Area[f.Face]))
		part := gr.Area[f.Face] * gr.Open[f.Face] * f.Share
		area += math.Abs(part)
		above -= float64(part * s.d.Up[gr.Cubes.Axis[f.Face]])
	}
	size := reproducible.Cbrt(b.Volume)
	b.Small = b.Volume < float64(smallest*edge*edge*edge)
	return area >= float64(leastMouth*size*size) && above < float64(lid*area)
}

// bubbleOf is the bubble that a part is of, or nil.
func (s *airSearch) bubbleOf(part int32) *graph.Bubble {
	if part < 0 {
		return nil
	}
	i := s.bubble[s.sets.Find(part)]
	if i < 0 {
		return nil
	}
	return &s.d.gr.Bubbles[i]
}

// measureVolumes adds up what room the bubbles' cells have.
func (s *airSearch) measureVolumes() {
	d := s.d
	for b, hidden := range s.hidden {
		if !hidden {
			continue
		}
		k := &s.blocks[b]
		first := d.g.Cur.First[b]
		for i := range k.n {
			of := s.bubbleOf(k.first + i)
			if of == nil {
				continue
			}
			for w, m := range s.part(int32(b), i) {
				for ; m != 0; m &= m - 1 {
					of.Volume += float64(d.Volume[first+int32(w<<6+bits.TrailingZeros64(m))])
				}
			}
		}
	}
}

// meetBody adds a body's surface to the bubbles that it is in.
func (s *airSearch) meetBody(body int32, jobs []job) {
	d := s.d
	for i := range jobs {
		j := &jobs[i]
		if !j.hit || !s.nearHidden(j.base) {
			continue
		}
		k := d.block(j.base)
		for n := range j.faces {
			if f := &j.faces[n]; f.taken > 0 {
				s.meetFace(body, &k, f, j.at.Centre)
			}
		}
	}
}

// nearHidden tells whether a block, or one below it, has parts of regions that are not open.
func (s *airSearch) nearHidden(b int32) bool {
	for a := range 3 {
		if low := s.d.g.Neighbour[b][2*a]; low != layout.None && s.hidden[low] {
			return true
		}
	}
	return s.hidden[b]
}

// meetFace adds the part of a body's surface that is on a face.
func (s *airSearch) meetFace(body int32, k *block, f *solidFace, centre r3.Vec) {
	d := s.d
	a, at := int(f.axis), [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])}
	area := f.taken * (k.h * k.h)
	var lo, hi side
	below := k.b
	if f.end {
		lo.cells[0], lo.n = f.slot, 1
	} else {
		lo, hi = d.sides(k, a, at)
		if at[a] == 0 {
			area, below = f.taken*d.area(k, a, at), d.g.Neighbour[k.b][2*a]
		}
	}
	if f.porous > 0 {
		area -= float64(area * f.porous / f.solid)
	}
	arm := r3.Sub(f.x, centre)
	for i, on := range [2]*side{&lo, &hi} {
		b := k.b
		if i == 0 {
			b = below
		}
		for _, c := range on.cells[:on.n] {
			if of := s.bubbleOf(s.partOf(b, c)); of != nil {
				w := wrenchOf(a, float64(1-2*i)*area/float64(on.n), arm)
				of.Meet(body, &w)
			}
		}
	}
}
