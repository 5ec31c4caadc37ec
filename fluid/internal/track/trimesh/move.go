package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Mover moves a mesh from its positions to its targets, or a part of the way, so that a mesh without intersections has none afterwards: by repulsions, then by
// impulses, then by impact zones, and where they fail by a shorter motion. The zero value works. It keeps scratch memory: use one for each mesh.
//
// Source: Bridson, Fedkiw, Anderson 2002; Harmon et al. 2008 (zones); Brochu and Bridson 2009; Brochu 2006, section 3.2.
type Mover struct {
	// Near is the distance below which what is not connected is pushed apart if some of it moves, m, ≥ 0. It should be a small part of an edge, since neighbours along a surface are pushed
	// apart too. 0: nothing is pushed apart before it collides.
	Near float64
	// Stiffness bounds a repulsion: it changes the normal velocity by at most dt·Stiffness·(Near - distance), 1/s². 0: it has no such bound.
	Stiffness float64
	// Passes is how many passes of impulses there are before impact zones, and ZonePasses how many times a zone is solved with all its contacts before it moves
	// as one body. 0: defaultPasses and defaultZonePasses.
	Passes, ZonePasses int
	// Halvings is how many times a motion is halved before it is given up. 0: defaultHalvings.
	Halvings int
	// ByArea gives vertices a third of their triangles' areas as masses. Else they all have the same.
	ByArea bool
	// Free has a motion done as it comes where nothing meets at its end. What would meet there moves together: all vertices of triangles that do, by their mean motion. Only what
	// that doesn't part in some rounds, and what has heavy vertices, is resolved. That is much faster. What passes wholly through something else in one motion is not seen, and nothing
	// is pushed apart.
	Free bool
	// Pool, if it is not nil, shares the search for collisions.
	Pool *par.Pool

	mesh    *Mesh
	dt      float64
	slack   float64 // m, more than a projection of a position is wrong by rounding
	gap     float64 // m, what a collision leaves between the two
	motion  []predicates.Motion
	goal    []r3.Vec  // where the caller wants vertices to be
	inverse []float64 // masses

	changed  []bool  // vertices whose target is another one than that of the last search
	changes  []int32 // which they are
	look     look
	together together
	search   search
	sweep    sweep
	calm     calm
	repelled []encounter
	hits     []encounter
	zones    zones
}

const (
	// defaultPasses: a collision of two smooth surfaces needs two or three.
	defaultPasses     = 5
	defaultZonePasses = 8
	defaultHalvings   = 6
	// mostReach is the greatest coordinate of a target, m: the squares of products of three lengths are still far from overflow.
	mostReach = 1e30
)

// MoveReport says how a motion went.
type MoveReport struct {
	Proximities int     // pairs closer than Near at the beginning, of which something moves
	Collisions  int     // pairs that were stopped by impulses, each as often as it was
	Zones       int     // impact zones that were solved, each as often as it was
	Passes      int     // searches for collisions
	Fraction    float64 // of the motion that was done, 0 to 1
	Correction  float64 // the greatest distance between a vertex and where it would be without the others, after this fraction, m
	Refused     int     // vertices whose targets are not finite, or beyond 1e30 m: they stay where they are
}

// Move moves all vertices to their targets, or a fraction of the way there. dt is the time that this takes, s, > 0. Afterwards Target and Position are the same, and the mesh's boxes hold the triangles there.
//
// A fraction below 1 means that this motion cannot be done, but a part of it: take the rest in another step with new targets. With 0 nothing has moved.
// Heavy vertices are then at this fraction of the way exactly, and with 1 at their targets.
func (r *Mover) Move(m *Mesh, dt float64) MoveReport {
	report := r.Resolve(m, dt)
	copy(m.Position, m.Target)
	m.Refit()
	return report
}

// Resolve changes the targets to those that Move moves to, and moves nothing: (Target - Position) / (Fraction dt) are then the velocities.
func (r *Mover) Resolve(m *Mesh, dt float64) MoveReport {
	if r.Free {
		return r.ResolveEnd(m, dt)
	}
	return r.resolveWay(m, dt)
}

// ResolveEnd is Resolve as it is for a Mover that is Free: nothing meets at the targets, for who doesn't ask what is passed on the way there.
func (r *Mover) ResolveEnd(m *Mesh, dt float64) MoveReport {
	if report := r.moveTogether(m); report.Fraction == 1 {
		return report
	}
	return r.resolveWay(m, dt)
}

// resolveWay is Resolve for a Mover that isn't Free.
func (r *Mover) resolveWay(m *Mesh, dt float64) MoveReport {
	report := r.begin(m, dt)
	fraction := 1.
	for range orDefault(r.Halvings, defaultHalvings) {
		r.aim(fraction)
		if r.resolve(&report) && r.bounded(fraction) {
			r.finish(fraction, &report)
			return report
		}
		fraction /= 2
	}
	r.aim(0)
	r.finish(0, &report)
	return report
}

func orDefault[N int | float64](n, other N) N {
	if n > 0 {
		return n
	}
	return other
}

// begin reads the mesh.
func (r *Mover) begin(m *Mesh, dt float64) (report MoveReport) {
	n := len(m.Position)
	r.mesh, r.dt = m, dt
	r.motion, r.goal = arrays.Resize(r.motion, n), arrays.Resize(r.goal, n)
	r.inverse, r.changed = arrays.Resize(r.inverse, n), arrays.Resize(r.changed, n)
	clear(r.changed)
	r.changes = r.changes[:0]
	for v := range r.goal {
		if r.goal[v] = m.Target[v]; !inReach(m.Target[v]) && len(m.VertexTriangles[v]) > 0 {
			r.goal[v] = m.Position[v]
			report.Refused++
		}
	}
	r.weigh()
	r.search.begin(m)
	return report
}

func inReach(x r3.Vec) bool {
	return math.Abs(x.X) <= mostReach && math.Abs(x.Y) <= mostReach && math.Abs(x.Z) <= mostReach
}

// weigh makes the inverse masses. No mass is less than a thousandth of the mean, so that a needle's corner is not thrown far away.
func (r *Mover) weigh() {
	for v := range r.inverse {
		r.inverse[v] = 1
	}
	if r.ByArea {
		r.weighByArea()
	}
	for v, heavy := range r.mesh.Heavy {
		if heavy {
			r.inverse[v] = 0
		}
	}
}

func (r *Mover) weighByArea() {
	clear(r.inverse)
	total := 0.
	for t, v := range r.mesh.Triangle {
		if v[0] == Gone {
			continue
		}
		a, b, c := r.mesh.Corners(int32(t))
		area := float64(reproducible.Norm(geom.TwiceArea(a, b, c)) / 2)
		total += area
		for _, w := range v {
			r.inverse[w] += float64(area / 3)
		}
	}
	least := 1e-3 * total / float64(max(1, r.mesh.Vertices()))
	if least == 0 {
		least = 1
	}
	for v, mass := range r.inverse {
		r.inverse[v] = 1 / max(mass, least)
	}
}

// aim makes the motions those to a fraction of the way.
func (r *Mover) aim(fraction float64) {
	m := r.mesh
	for v, x := range m.Position {
		m.Target[v] = r.at(int32(v), fraction)
		r.motion[v] = predicates.Motion{x, m.Target[v]}
	}
}

// at is where a vertex is after a fraction of the way.
func (r *Mover) at(v int32, fraction float64) r3.Vec {
	if fraction == 1 {
		return r.goal[v]
	}
	x := r.mesh.Position[v]
	return r3.Add(x, reproducible.Scale(fraction, r3.Sub(r.goal[v], x)))
}

// finish says how far the motion goes.
func (r *Mover) finish(fraction float64, report *MoveReport) {
	m := r.mesh
	report.Fraction = fraction
	most := 0.
	for v := range m.Position {
		if len(m.VertexTriangles[v]) > 0 {
			most = max(most, reproducible.Norm2(r3.Sub(m.Target[v], r.at(int32(v), fraction))))
		}
	}
	report.Correction = math.Sqrt(most)
	r.mesh = nil
}

// resolve changes targets until nothing collides on the way to them. It returns false if it can not.
func (r *Mover) resolve(report *MoveReport) bool {
	if r.undisturbed() {
		report.Proximities = 0
		report.Passes++
		return true
	}
	r.sweep.sort(r.mesh, r.motion)
	r.build()
	r.measure()
	r.search.tooMany = false
	if r.findClose(false); r.search.tooMany {
		return false
	}
	report.Proximities = len(r.repelled)
	r.repel()
	r.findHits(true)
	report.Passes++
	for range orDefault(r.Passes, defaultPasses) {
		if r.search.tooMany {
			return false
		}
		if r.settled() {
			return true
		}
		report.Collisions += r.stopAll()
		r.findHits(false)
		report.Passes++
	}
	return r.settled() || !r.search.tooMany && r.moveZones(report)
}

// mostThrown is by how many times the longest of all ways a vertex may come beside its own. Impulses pass motion on; where zones of vertices that depend on each other, of which some are heavy, have no
// solution their impulses grow without bound.
const mostThrown = 10

// bounded tells whether no vertex is thrown away.
func (r *Mover) bounded(fraction float64) bool {
	longest, beside := 0., 0.
	for v, x := range r.mesh.Position {
		if len(r.mesh.VertexTriangles[v]) > 0 {
			at := r.at(int32(v), fraction)
			longest = max(longest, reproducible.Norm2(r3.Sub(at, x)))
			beside = max(beside, reproducible.Norm2(r3.Sub(r.mesh.Target[v], at)))
		}
	}
	return beside <= float64(mostThrown*mostThrown)*(longest+float64(r.Near*r.Near)+float64(r.gap*r.gap))
}

// settled tells whether the last search has found that nothing collides.
func (r *Mover) settled() bool { return len(r.hits) == 0 && !r.search.tooMany }

// measure makes the tolerances. A projection of a position on a direction is a sum of three products: it is wrong by less than 4 of the 2⁻⁵³ parts of
// the sum of the coordinates' sizes, of which slack is several times as much. What is closer than 2⁻⁴⁰ of the size of a pair always collides: the gap is above that.
func (r *Mover) measure() {
	r.slack = float64(1e-14 * r.sweep.reach)
	r.gap = max(r.Near/10, float64(1e-11*r.sweep.reach))
}

// shift moves a vertex's target.
func (r *Mover) shift(v int32, by r3.Vec) { r.put(v, r3.Add(r.motion[v][1], by)) }

// put makes x a vertex's target.
func (r *Mover) put(v int32, x r3.Vec) {
	if r.motion[v][1] == x {
		return
	}
	r.motion[v][1], r.mesh.Target[v] = x, x
	if !r.changed[v] {
		r.changed[v] = true
		r.changes = append(r.changes, v)
	}
}

// stopAll applies impulses to all that collide, one after the other, and returns how many it has stopped. Those whose motion has changed by others' impulses are looked
// at again.
func (r *Mover) stopAll() (stopped int) {
	for i := range r.hits {
		h := &r.hits[i]
		if r.anyChanged(&h.pair) && !r.collide(h) {
			continue
		}
		r.stop(h)
		stopped++
	}
	return stopped
}

func (r *Mover) anyChanged(p *pair) bool {
	return r.changed[p.v[0]] || r.changed[p.v[1]] || r.changed[p.v[2]] || r.changed[p.v[3]]
}

// stop applies the impulse that ends a collision.
func (r *Mover) stop(h *encounter) {
	now, want := r.constrain(h)
	weight, most := 0., 0.
	for i, v := range h.pair.v {
		weight += float64(float64(h.Weights[i]*h.Weights[i]) * r.inverse[v])
		most = max(most, r.inverse[v])
	}
	if most == 0 {
		return
	}
	// Where a light vertex has next to no weight and the others are heavy, it would be thrown away.
	r.push(h, (want-now)/max(weight, .02*most))
}

// push applies an impulse to the four vertices, which changes their displacements: J in kg·m.
func (r *Mover) push(h *encounter, impulse float64) {
	for i, v := range h.pair.v {
		if f := float64(impulse*h.Weights[i]) * r.inverse[v]; f != 0 {
			r.shift(v, reproducible.Scale(f, h.Normal))
		}
	}
}

// constrain turns a collision's normal towards where the first is at the beginning. It returns by how much the two now move apart along it, m, and by
// how much they should: not at all, but so that they are not left closer than the gap.
//
// The two come to the same place with the weights of the collision. Before it their offset is the negative of a part of their motion: so the motion along a normal that the offset
// is along is an approach. Where the offset is across the normal, as if a vertex slides into the side of a triangle in its plane, the offset itself is the normal.
func (r *Mover) constrain(h *encounter) (now, want float64) {
	var offset, move r3.Vec
	for i, v := range h.pair.v {
		x := &r.motion[v]
		offset = r3.Add(offset, reproducible.Scale(h.Weights[i], x[0]))
		move = r3.Add(move, reproducible.Scale(h.Weights[i], r3.Sub(x[1], x[0])))
	}
	along := reproducible.Dot(offset, h.Normal)
	if along < 0 {
		h.Normal, along = reproducible.Scale(-1, h.Normal), -along
	}
	if length := reproducible.Norm(offset); along < 1e-3*length && length > r.slack {
		h.Normal, along = reproducible.Scale(1/length, offset), length
	}
	now, want = reproducible.Dot(move, h.Normal), max(0, r.gap-along)
	if now >= want {
		want = now + r.gap
	}
	return now, want
}
