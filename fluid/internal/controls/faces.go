package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// pullSubsteps and shortestPull, s, are how long it takes at least to bring the liquid's surface onto the control surface, where they are near enough.
// The velocity of a substep moves the surface in the next one: within less than two substeps that overshoots.
const (
	pullSubsteps = 4
	shortestPull = pullSubsteps * referenceStep
)

// pullTime is how long it takes in this substep, s.
func (s *Set) pullTime() float64 { return max(shortestPull, pullSubsteps*s.dt) }

// pullReach, in cells, is how far within the control surface the liquid's may be for that to hold it and pull at it. Within a cell a shape at
// α = ¼ loses most of its liquid in seconds: it lags behind so far.
const pullReach = 2

// behind is the cosine from which on the way to a body counts as the opposite of another.
const behind = .5

// Rasterise finds the rows in the shapes and the faces at their surfaces. bodies go with the graph's.
//
// The faces are those between a row in a shape and one that is not, and those to air at most pullReach cells within the surface, where the liquid
// has not come up to it yet. Those to air deeper within it are, too, where little is missing, and move outward: a void would else take up what the
// surface's parts that the cells can't follow bring out of balance, and grow. Rows in gaps of a shape, and films on it, are taken for rows in it.
// Rows at bodies that move freely have no such faces, but for those that face away from the body: the liquid makes room for the body there, and the
// pressure at it is that of a free surface.
func (s *Set) Rasterise(gr *graph.Graph, bodies []rigid.Body) {
	s.reset(gr)
	s.regions.gr = gr
	for i, c := range s.All {
		if c.acts() {
			s.own(gr, i)
		}
	}
	s.touch(gr, bodies)
	s.addSkin(gr)
	for f := range gr.A {
		s.addFace(gr, int32(f))
	}
	s.raised = [3]float64{}
	for _, c := range s.All {
		if c.awaits && c.acts() {
			s.raise(gr, c)
		}
	}
}

// reset sets the lengths of what Rasterise writes, and clears it.
func (s *Set) reset(gr *graph.Graph) {
	s.owner, s.beyond, s.cut = arrays.Resize(s.owner, gr.Rows), arrays.Resize(s.beyond, gr.Rows), arrays.Resize(s.cut, gr.Faces())
	s.also, s.members = arrays.Resize(s.also, gr.Rows), s.members[:0]
	clear(s.also)
	s.touched, s.toward = arrays.Resize(s.touched, gr.Rows), arrays.Resize(s.toward, gr.Rows)
	clear(s.owner)
	clear(s.beyond)
	clear(s.cut)
	clear(s.touched)
	clear(s.toward)
	s.faces, s.skin = s.faces[:0], s.skin[:0]
}

// touch finds the rows at bodies that move freely, and where the bodies are seen from there.
func (s *Set) touch(gr *graph.Graph, bodies []rigid.Body) {
	for i := range gr.Bodies {
		if bodies[i].InverseMass == 0 {
			continue
		}
		b := &gr.Bodies[i]
		for e, r := range b.Row {
			s.touched[r] = true
			for a := range s.toward[r] {
				s.toward[r][a] += b.K[e][a]
			}
		}
	}
}

// edgeOf is a row's edge in finest cells.
func (s *Set) edgeOf(gr *graph.Graph, r int32) int {
	return max(1, int(math.Round(float64(gr.Size[r])/s.CellSize)))
}

// own lists the rows in a control's shape, and those in its gaps that no control has.
func (s *Set) own(gr *graph.Graph, i int) {
	c := s.All[i]
	c.rows = c.rows[:0]
	lo, hi := c.raster.Origin, c.raster.Origin
	for a, n := range c.raster.Dim {
		hi[a] += float64(float64(n) * c.raster.H)
	}
	for r := range gr.Rows {
		x := &gr.Centre[r]
		if x[0] < lo[0] || x[1] < lo[1] || x[2] < lo[2] || x[0] >= hi[0] || x[1] >= hi[1] || x[2] >= hi[2] {
			continue
		}
		switch fine := s.edgeOf(gr, int32(r)) == 1; {
		case c.inside(x, !fine):
			s.add(int32(r), int16(i+1))
			c.rows = append(c.rows, int32(r))
		case fine && s.owner[r] == 0 && c.inGap(x):
			s.skin = append(s.skin, skinRow{int32(r), int16(i + 1), false})
		}
	}
}

// ownerOf is the control that has the rows on a side of a face, 0 for none; mixed tells that some have another or none, or that some of them is air:
// through such a face the row opposite would be the only one that others hang on.
func (s *Set) ownerOf(gr *graph.Graph, side int32) (owner int16, mixed bool) {
	if side >= 0 {
		return s.owner[side], false
	}
	if !graph.IsComposite(side) {
		return 0, false
	}
	first, air := true, false
	on := gr.RowsOn(side)
	for _, r := range on.Row[:on.N] {
		if r == graph.Air {
			air = true
			continue
		}
		o := s.owner[r]
		mixed = mixed || !first && o != owner
		owner, first = max(owner, o), false
	}
	return owner, mixed || air && owner != 0
}

// isTouched tells whether a body that moves freely is at a row on the side of a face, and not behind the row as seen from the face: the underside of a
// thin layer holds the layer, whatever lies on top.
func (s *Set) isTouched(gr *graph.Graph, side int32, at *place) bool {
	on := gr.RowsOn(side)
	for _, r := range on.Row[:on.N] {
		if r == graph.Air || !s.touched[r] {
			continue
		}
		t := &s.toward[r]
		size := math.Sqrt(float64(t[0]*t[0]) + float64(t[1]*t[1]) + float64(t[2]*t[2]))
		if at.along(t) >= -behind*size {
			return true
		}
	}
	return false
}

// addFace lists a face if it is at a control surface.
func (s *Set) addFace(gr *graph.Graph, f int32) {
	a, b := gr.A[f], gr.B[f]
	if a|b >= 0 && s.owner[a]|s.owner[b] == 0 { // as most are
		return
	}
	ownA, mixedA := s.ownerOf(gr, a)
	ownB, mixedB := s.ownerOf(gr, b)
	shared := s.isShared(a) || s.isShared(b)
	switch {
	case ownA|ownB == 0 || ownA == ownB && !mixedA && !mixedB && !shared:
		return
	case !mixedA && !mixedB && (shared || ownA != 0 && ownB != 0) && !graph.IsComposite(a) && !graph.IsComposite(b):
		s.addShared(gr, f)
		return
	}
	owner, outward := ownA, 1.
	if ownA == 0 || ownB != 0 && ownB < ownA || mixedA && !mixedB && ownB != 0 {
		owner, outward = ownB, -1
	}
	if one, ok := s.faceOf(gr, f, owner-1, outward); ok {
		s.cut[f] = true
		s.faces = append(s.faces, one)
	}
}

// faceOf is a face at a control's surface, which points out of the shape or into it; ok tells whether it is to be held.
func (s *Set) faceOf(gr *graph.Graph, f int32, control int16, outward float64) (is face, ok bool) {
	c, a, b := s.All[control], gr.A[f], gr.B[f]
	at := s.placeOf(gr, f, outward)
	if s.isTouched(gr, a, &at) || s.isTouched(gr, b, &at) {
		return face{}, false
	}
	air := a == graph.Air || b == graph.Air
	is = face{face: f, control: control, outward: outward}
	if c.awaits {
		if air {
			is.blend, is.speed = c.drawn(s, gr, f, &at)
		}
		return is, is.blend > 0
	}
	deep := air && !s.nearSurface(c, &at, pullReach)
	if deep {
		depth := c.depthOf(&at, gr.Dist[f])
		c.note(float64(depth * depth))
	}
	if deep && !c.isFull() {
		return face{}, false
	}
	beyond := s.isBeyond(a) || s.isBeyond(b)
	surface := c.at(&at, beyond)
	is.blend, is.speed = min(1, float64(c.blend*surface.weight)), gr.Along(int(f), &surface.velocity)
	if !(is.blend > 0) {
		return face{}, false
	}
	switch {
	case deep:
		is.pull = outward * float64(at.edge) * s.CellSize / s.pullTime()
	case air && beyond && !surface.known:
		is.pull = -outward * min(s.CellSize/2, s.thinning(gr, max(a, b))) / s.pullTime()
	case air:
		pull, apart := s.pull(&at, gr.Dist[f], &surface)
		if beyond {
			pull = outward * max(outward*pull, -s.thinning(gr, max(a, b))/s.pullTime())
		}
		is.pull = pull
		if surface.known {
			c.note(apart)
		}
	}
	is.speed += is.pull
	return is, true
}
