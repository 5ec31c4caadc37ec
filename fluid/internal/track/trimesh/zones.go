package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// zones are impact zones: sets of vertices that are connected by collisions. First all collisions that were found are ended at once, as if inelastic. Where that makes new ones time
// and again, each zone moves as one body: see bodyMotion.
type zones struct {
	rows []zoneRow

	// Scratch of the inelastic solve, by rows, but for sum: by vertices.
	impulse, residual, direction, image []float64
	sum                                 []r3.Vec

	sets    geom.Sets // of vertices: the zones. A vertex that is in none points to Gone
	kind    []bodyMotion
	tried   []bool   // the zone has moved so, and collides within if it is found to collide
	members []int32  // vertices that are in zones
	sorted  []uint64 // zone and member
}

// zoneRow demands of an encounter that its two parts move apart by so much along its normal.
type zoneRow struct {
	encounter
	want float64
}

const (
	// mostRows is how many contacts are solved at once: what is greater is a heap of folds that moves as one.
	mostRows = 4096
	// mostIterations bounds the conjugate gradients.
	mostIterations = 200
)

// moveZones resolves by zones what impulses could not. It returns false if it can not either.
func (r *Mover) moveZones(report *MoveReport) bool {
	z := &r.zones
	n := len(r.motion)
	z.rows, z.members = z.rows[:0], z.members[:0]
	z.sets, z.kind = arrays.Resize(z.sets, n), arrays.Resize(z.kind, n)
	z.tried, z.sum = arrays.Resize(z.tried, n), arrays.Resize(z.sum, n)
	for v := range z.sets {
		z.sets[v] = Gone
	}
	for range orDefault(r.ZonePasses, defaultZonePasses) {
		if r.search.tooMany || len(z.rows)+len(r.hits) > mostRows {
			break
		}
		r.addRows()
		r.solveRows()
		report.Zones++
		r.findHits(false)
		report.Passes++
		if r.settled() {
			return true
		}
	}
	for i := range z.rows {
		r.join(&z.rows[i].pair)
	}
	return r.moveBodies(report)
}

// addRows adds the hits to the contacts of the zones.
func (r *Mover) addRows() {
	z := &r.zones
	for i := range r.hits {
		h := r.hits[i]
		_, want := r.constrain(&h)
		z.rows = append(z.rows, zoneRow{h, want})
	}
}

// solveRows gives all contacts at once the impulses that make them move as they should: G M⁻¹ Gᵀ λ = want - G d, where d are the displacements and a row of G is an encounter's
// weights times its normal. Contacts may depend on each other: conjugate gradients find the solution of what has one. A small share of the mean diagonal that is
// added to it keeps the rest bounded.
//
// Source: Harmon et al. 2008, section 4.
func (r *Mover) solveRows() {
	z := &r.zones
	k := len(z.rows)
	z.impulse, z.residual = arrays.Resize(z.impulse, k), arrays.Resize(z.residual, k)
	z.direction, z.image = arrays.Resize(z.direction, k), arrays.Resize(z.image, k)
	square, diagonal := 0., 0.
	for i := range z.rows {
		row := &z.rows[i]
		now := 0.
		for j, v := range row.pair.v {
			x := &r.motion[v]
			now += float64(row.Weights[j] * reproducible.Dot(r3.Sub(x[1], x[0]), row.Normal))
			diagonal += float64(float64(row.Weights[j]*row.Weights[j]) * r.inverse[v])
		}
		z.impulse[i], z.residual[i] = 0, row.want-now
		z.direction[i] = z.residual[i]
		square += float64(z.residual[i] * z.residual[i])
	}
	shift := 1e-9 * diagonal / float64(k)
	enough := 1e-20 * square
	for range mostIterations {
		if !(square > enough) {
			break
		}
		curvature := r.multiplyRows(shift)
		if !(curvature > 0) {
			break
		}
		step := square / curvature
		last := square
		square = 0
		for i := range z.impulse {
			z.impulse[i] += float64(step * z.direction[i])
			z.residual[i] -= float64(step * z.image[i])
			square += float64(z.residual[i] * z.residual[i])
		}
		for i := range z.direction {
			z.direction[i] = z.residual[i] + float64(square/last*z.direction[i])
		}
	}
	for i := range z.rows {
		r.push(&z.rows[i].encounter, z.impulse[i])
	}
}

// multiplyRows writes the image of z.direction, and returns their product.
func (r *Mover) multiplyRows(shift float64) (product float64) {
	z := &r.zones
	for i := range z.rows {
		for _, v := range z.rows[i].pair.v {
			z.sum[v] = r3.Vec{}
		}
	}
	for i := range z.rows {
		row := &z.rows[i]
		for j, v := range row.pair.v {
			z.sum[v] = r3.Add(z.sum[v], reproducible.Scale(float64(row.Weights[j]*z.direction[i])*r.inverse[v], row.Normal))
		}
	}
	for i := range z.rows {
		row := &z.rows[i]
		image := float64(shift * z.direction[i])
		for j, v := range row.pair.v {
			image += float64(row.Weights[j] * reproducible.Dot(z.sum[v], row.Normal))
		}
		z.image[i] = image
		product += float64(image * z.direction[i])
	}
	return product
}

// find is the zone of a vertex, that is the lowest of its vertices. A vertex that was in none is then one of its own.
func (z *zones) find(v int32) int32 {
	if z.sets[v] == Gone {
		z.sets[v], z.kind[v], z.tried[v] = v, turning, false
		z.members = append(z.members, v)
		return v
	}
	return z.sets.Find(v)
}

// join makes one zone of those of a pair's vertices. It returns true if they were one already.
func (r *Mover) join(p *pair) (one bool) {
	z := &r.zones
	a := z.find(p.v[0])
	one = true
	for _, v := range p.v[1:] {
		b := z.find(v)
		if a == b {
			continue
		}
		one = false
		a, b = min(a, b), max(a, b)
		z.sets[b], z.kind[a], z.tried[a] = a, max(z.kind[a], z.kind[b]), false
	}
	return one
}

// moveBodies moves each zone as one body. Zones that collide are joined. One in which vertices still collide tries the next kind of motion.
func (r *Mover) moveBodies(report *MoveReport) bool {
	for {
		r.joinHits()
		if r.search.tooMany || !r.moveMembers(report) {
			return false
		}
		r.findHits(false)
		report.Passes++
		if r.settled() {
			return true
		}
	}
}

// joinHits joins zones that collide, and gives those in which vertices collide the next kind of motion.
func (r *Mover) joinHits() {
	z := &r.zones
	for i := range r.hits {
		p := &r.hits[i].pair
		root := z.sets[p.v[0]]
		if root != Gone {
			root = z.find(root)
		}
		if one := r.join(p); one && z.tried[root] {
			z.kind[root], z.tried[root] = z.kind[root]+1, false
		}
	}
}

// moveMembers gives the vertices of each zone their targets. It returns false if a zone has no kind of motion left.
func (r *Mover) moveMembers(report *MoveReport) bool {
	z := &r.zones
	z.sorted = z.sorted[:0]
	for _, v := range z.members {
		z.sorted = append(z.sorted, uint64(z.find(v))<<32|uint64(v))
	}
	slices.Sort(z.sorted)
	for lo := 0; lo < len(z.sorted); {
		root, hi := z.sorted[lo]>>32, lo
		for hi < len(z.sorted) && z.sorted[hi]>>32 == root {
			hi++
		}
		if z.kind[root] >= noMotion {
			return false
		}
		r.moveBody(z.sorted[lo:hi], z.kind[root])
		z.tried[root] = true
		report.Zones++
		lo = hi
	}
	return true
}

// bodyMotion is how a zone moves, the next one where one fails.
type bodyMotion uint8

const (
	// turning: as a rigid body.
	turning bodyMotion = iota
	// shearing: by the affine map that is nearest to how its vertices move. Between beginning and end points stay on different sides of planes, unless the map turns inside out on the way.
	shearing
	// sliding: without a turn.
	sliding
	noMotion
)

// moveBody gives the vertices of a zone targets as those of one body. Its momentum stays the same, and that around its centre to first order; but if there are heavy vertices
// they alone decide.
func (r *Mover) moveBody(members []uint64, kind bodyMotion) {
	b := r.gather(members)
	var turn [3]r3.Vec // rows of the matrix that a vertex's place from the centre is multiplied by
	identity := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	switch kind {
	case turning:
		turn = b.rotation()
	case shearing:
		turn = b.shear()
	default:
		turn = identity
	}
	centre := r3.Add(b.centre, b.displacement)
	for _, m := range members {
		v := int32(uint32(m))
		if r.mesh.Heavy[v] {
			continue
		}
		x := r.motion[v][0]
		if turn == identity {
			r.put(v, r3.Add(x, b.displacement))
			continue
		}
		from := r3.Sub(x, b.centre)
		r.put(v, r3.Add(centre, r3.Vec{X: reproducible.Dot(turn[0], from), Y: reproducible.Dot(turn[1], from), Z: reproducible.Dot(turn[2], from)}))
	}
}

// body is what a zone's motion is made of.
type body struct {
	centre, displacement r3.Vec
	spread               [3]r3.Vec // Σ m x xᵀ, x from the centre
	moved                [3]r3.Vec // Σ m d xᵀ, d the displacement from that of the centre
}

// gather sums over a zone's heavy vertices, or over all if there is none.
func (r *Mover) gather(members []uint64) (b body) {
	heavy := false
	for _, m := range members {
		heavy = heavy || r.mesh.Heavy[uint32(m)]
	}
	mass := func(v uint32) float64 {
		switch {
		case r.mesh.Heavy[v]:
			return 1
		case heavy:
			return 0
		}
		return 1 / r.inverse[v]
	}
	total := 0.
	for _, m := range members {
		w, x := mass(uint32(m)), &r.motion[uint32(m)]
		total += w
		b.centre = r3.Add(b.centre, reproducible.Scale(w, x[0]))
		b.displacement = r3.Add(b.displacement, reproducible.Scale(w, r3.Sub(x[1], x[0])))
	}
	b.centre, b.displacement = reproducible.Scale(1/total, b.centre), reproducible.Scale(1/total, b.displacement)
	for _, m := range members {
		w, x := mass(uint32(m)), &r.motion[uint32(m)]
		from := reproducible.Scale(w, r3.Sub(x[0], b.centre))
		d := r3.Sub(r3.Sub(x[1], x[0]), b.displacement)
		addProduct(&b.spread, r3.Sub(x[0], b.centre), from)
		addProduct(&b.moved, d, from)
	}
	return b
}

// addProduct adds p qᵀ to a matrix of rows.
func addProduct(m *[3]r3.Vec, p, q r3.Vec) {
	m[0] = r3.Add(m[0], reproducible.Scale(p.X, q))
	m[1] = r3.Add(m[1], reproducible.Scale(p.Y, q))
	m[2] = r3.Add(m[2], reproducible.Scale(p.Z, q))
}

// mostTurn bounds a rotation, rad: each vertex takes the chord of its arc, and half-way the body is shrunk by the cosine of half the angle.
const mostTurn = 1.5

// rotation is the body's rigid motion of the same angular momentum: the inertia tensor times ω is Σ m x×d.
func (b *body) rotation() [3]r3.Vec {
	s, m := &b.spread, &b.moved
	trace := s[0].X + s[1].Y + s[2].Z
	inertia := [3]r3.Vec{
		{X: trace - s[0].X, Y: -s[0].Y, Z: -s[0].Z},
		{X: -s[1].X, Y: trace - s[1].Y, Z: -s[1].Z},
		{X: -s[2].X, Y: -s[2].Y, Z: trace - s[2].Z},
	}
	momentum := r3.Vec{X: m[2].Y - m[1].Z, Y: m[0].Z - m[2].X, Z: m[1].X - m[0].Y}
	inverse := invert(inertia, trace)
	omega := r3.Vec{X: reproducible.Dot(inverse[0], momentum), Y: reproducible.Dot(inverse[1], momentum), Z: reproducible.Dot(inverse[2], momentum)}
	angle := reproducible.Norm(omega)
	if !(angle > 0) || math.IsInf(angle, 1) {
		return [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	}
	axis := reproducible.Scale(1/angle, omega)
	sin, cos := reproducible.Sincos(min(angle, mostTurn))
	rows := [3]r3.Vec{
		{X: cos, Y: float64(-sin * axis.Z), Z: float64(sin * axis.Y)},
		{X: float64(sin * axis.Z), Y: cos, Z: float64(-sin * axis.X)},
		{X: float64(-sin * axis.Y), Y: float64(sin * axis.X), Z: cos},
	}
	addProduct(&rows, axis, reproducible.Scale(1-cos, axis))
	return rows
}

// shear is the body's affine motion by least squares: I + (Σ m d xᵀ)(Σ m x xᵀ)⁻¹. It is the identity where that would turn inside out on the way, which it does
// not while the change is shorter than 1.
func (b *body) shear() [3]r3.Vec {
	s := &b.spread
	inverse := invert(*s, s[0].X+s[1].Y+s[2].Z)
	rows := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	square := 0.
	for i := range rows {
		m := b.moved[i]
		change := r3.Add(r3.Add(reproducible.Scale(m.X, inverse[0]), reproducible.Scale(m.Y, inverse[1])), reproducible.Scale(m.Z, inverse[2]))
		rows[i] = r3.Add(rows[i], change)
		square += reproducible.Norm2(change)
	}
	if !(square < .9) {
		return [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	}
	return rows
}

// invert is the inverse of a symmetric positive matrix of a given trace, to whose diagonal a tiny share of it is added: points on a line or in a plane have a singular one.
func invert(m [3]r3.Vec, trace float64) [3]r3.Vec {
	tiny := float64(1e-9 * trace)
	m[0].X, m[1].Y, m[2].Z = m[0].X+tiny, m[1].Y+tiny, m[2].Z+tiny
	x, y, z := reproducible.Cross(m[1], m[2]), reproducible.Cross(m[2], m[0]), reproducible.Cross(m[0], m[1])
	det := reproducible.Dot(m[0], x)
	if !(det > 0) {
		return [3]r3.Vec{}
	}
	return [3]r3.Vec{ // its transpose is the same
		reproducible.Scale(1/det, x), reproducible.Scale(1/det, y), reproducible.Scale(1/det, z),
	}
}
