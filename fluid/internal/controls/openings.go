package controls

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// openingWeight is how many times as much the flux through a region's openings changes as that through as large a part of its control surface. With
// much more, what the surface's parts bring out of balance leaves a region that has one small opening as a jet. With much less, a region
// that can take liquid in freely, as a pool, moves the control surface for that.
const openingWeight = 16

// opening is all faces of a part of a region to air that no control holds.
type opening struct {
	area   float64 // m²
	pulled float64 // of that where control surfaces are near, m²
	flux   float64 // out of the part, m³/s, as it is expected: the liquid's surface is to come onto the control surfaces,
	pull   float64 // and this of it is for that
	give   float64 // by how much greater flux gets with the part's potential, m²
	blend  float64 // part of the surface's velocity in that of the faces that the part has at control surfaces and links; 0 if it has none
}

// findOpenings finds the openings of the regions' parts. A face of a row in a shape is expected to move as those at the surface do, mixed with the liquid's own velocity as
// those at the surface are; elsewhere the surface has no part.
func (s *Set) findOpenings(gr *graph.Graph) {
	x := &s.regions
	x.openings = arrays.Resize(x.openings, len(x.within))
	clear(x.openings)
	for i := range x.links {
		k := &x.links[i]
		x.openings[x.part[gr.A[k.face]]].blend, x.openings[x.part[gr.B[k.face]]].blend = k.blend, k.blend
	}
	for i := range s.faces {
		f := &s.faces[i]
		for _, side := range [2]int32{gr.A[f.face], gr.B[f.face]} {
			regionSide(gr, side, func(r int32, _ float64) { x.openings[x.part[r]].blend = f.blend })
		}
	}
	relaxed := s.Relaxed()
	for f, a := range gr.A {
		if a|gr.B[f] < 0 && !s.cut[f] {
			s.addOpening(gr, int32(f), relaxed)
		}
	}
}

// addOpening adds the part of a face that is to air.
func (s *Set) addOpening(gr *graph.Graph, f int32, relaxed bool) {
	for k, side := range [2]int32{gr.A[f], gr.B[f]} {
		other := [2]int32{gr.B[f], gr.A[f]}[k]
		part := airPart(gr, other)
		row := gr.FirstRow(side)
		if part == 0 || row < 0 {
			continue
		}
		o := &s.regions.openings[s.regions.part[row]]
		if o.blend == 0 {
			return
		}
		outward := float64(1 - 2*k)
		area := float64(part * gr.Area[f] * gr.Open[f])
		o.area += area
		is := s.expected(gr, f, row, outward, o.blend)
		if relaxed {
			is.speed = float64(is.blend*is.speed) + float64((1-is.blend)*s.free[f])
		}
		o.flux += float64(area * outward * is.speed)
		o.pull += float64(area * outward * is.blend * is.pull)
		if is.pulled {
			o.pulled += area
		}
	}
}

// airPart is the part of a face's side that is air.
func airPart(gr *graph.Graph, side int32) (part float64) {
	if side >= 0 {
		return 0
	}
	on := gr.RowsOn(side)
	for k, r := range on.Row[:on.N] {
		if r == graph.Air {
			part += on.Share[k]
		}
	}
	return part
}

// expectation is how a face to air is expected to move by the control surface.
type expectation struct {
	speed  float64 // along the face's normal, m/s, with
	pull   float64 // what brings the liquid's surface onto the control surface
	pulled bool    // that is near
	blend  float64 // what part of speed counts
}

// expected is how a face to air is expected to move: where the row is in no shape, with the blend that is given, as a surface at rest.
func (s *Set) expected(gr *graph.Graph, f, row int32, outward, given float64) (is expectation) {
	own := s.owner[row]
	if own == 0 {
		return expectation{blend: given}
	}
	c := s.All[own-1]
	at := s.placeOf(gr, f, outward)
	surface := c.at(&at, s.beyond[row])
	if is.pulled = surface.known && s.nearSurface(c, &at, pullReach); is.pulled {
		is.pull, _ = s.pull(&at, gr.Dist[f], &surface)
	}
	is.speed = gr.Along(int(f), &surface.velocity) + is.pull
	is.blend = min(1, float64(c.blend*surface.weight))
	return is
}
