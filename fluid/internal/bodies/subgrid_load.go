package bodies

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// subgridLoad is the load on a body within cells.
type subgridLoad struct {
	submersion
	lift  [6]float64 // buoyancy per specific weight, m³ and m⁴
	plane matrix6    // derivative of lift with respect to the pose, m² to m⁴
	rise  [6]float64 // plane times the liquid's velocity
	// skin is the sum of area·n nᵀ over the surface, with n the wrench of a unit force along the normal; bulk is the surface's area and first
	// moments, and spread its second moments, about the centre of mass.
	skin          matrix6
	bulk          [4]float64
	spread        [3][3]float64
	drag          matrix6    // kg/s
	flow          [6]float64 // drag times the liquid's velocity, N and N·m
	inertia       matrix6    // added mass, per density and depth: m² and more
	inertiaBefore matrix6    // the part of inertia that was wet in the last step
	newMomentum   [6]float64 // the rest of inertia times the liquid's velocity
}

// applyLoad adds the forces within cells to body i, if it is porous.
//
// Buoyancy follows from the place of the surface; the rows' own part of it is subtracted. Drag, radiation damping and added mass resist
// the body in the solve, implicitly: they are stable for any step, and never drive the body beyond the liquid's own motion. Liquid
// that the body newly meets has its own momentum, not the body's, which stops a body that falls flat. The energy that the body gains
// is bounded by its own, the liquid's, and that of the added mass.
func (pb *porousBodies) applyLoad(i int) {
	c := pb.c
	body, s, r := &pb.body[i], &c.state[i], &c.Rigid[i]
	if !s.subgrid || s.held {
		return
	}
	if pb.dry(i) {
		s.submersion = submersion{whole: body.volume}
		return
	}
	load := pb.load(i)
	s.submersion = load.submersion
	if r.InverseMass == 0 && s.kind == engine.Dynamic { // asleep: forces are kept
		return
	}
	dt, rho, gravity := c.now.Dt, c.now.Density, reproducible.Norm(c.accelerations[i])
	weight := rho * gravity
	lift := load.exertable(&load.lift)
	var wrench [6]float64
	for a, still := range c.Graph.Bodies[i].Still {
		wrench[a] = float64(weight * (lift[a] - still))
	}
	for a, x := range c.Transfer(i, &wrench) {
		s.extraWrench[a] += x
		s.unsolvedWrench[a] += x
	}
	plane := load.exertablePlane()
	long, _, _ := pb.extents(i)
	deep := body.width / 4 * (1 + max(0, 1-body.width/max(long, 1e-9))) // depth of the added mass per facet, m
	waves := waveDrag * rho * math.Sqrt(gravity*body.width)
	rise := load.exertable(&load.rise)
	var keeps matrix6
	giving := body.share * rho * deep
	for a := range 6 {
		for b := range 6 {
			stiff := float64(dt * dt / 2 * weight * plane[a][b])
			keeps[a][b] = stiff + float64(giving*load.inertiaBefore[a][b])
			r.AddedInertia[a][b] = stiff + float64(giving*load.inertia[a][b]) + float64(body.share*dt*(load.drag[a][b]+float64(waves*plane[a][b])))
		}
	}
	r.Centre = reproducible.Array(c.Solids[i].Centre)
	for a, x := range keeps.times(&c.Moved[i]) {
		r.AddedMomentum[a] = x + float64(giving*load.newMomentum[a]) + float64(body.share*dt*(load.flow[a]+float64(waves*rise[a])))
	}
}

// dry reports whether body i is too far from the liquid for any load.
func (pb *porousBodies) dry(i int) bool {
	c := pb.c
	if len(c.Graph.Bodies[i].Row) > 0 {
		return false
	}
	solid, p := &c.Solids[i], &pb.probe
	p.places, p.velocity, p.distance = append(p.places[:0], solid.Centre), arrays.Resize(p.velocity, 1), arrays.Resize(p.distance, 1)
	c.Liquid.Velocity(p.velocity, p.places)
	c.Liquid.Distance(p.distance, p.places)
	reach := r3.Vec{X: max(solid.Bounds.Max.X-solid.Centre.X, solid.Centre.X-solid.Bounds.Min.X),
		Y: max(solid.Bounds.Max.Y-solid.Centre.Y, solid.Centre.Y-solid.Bounds.Min.Y), Z: max(solid.Bounds.Max.Z-solid.Centre.Z, solid.Centre.Z-solid.Bounds.Min.Z)}
	// The surface may have come nearer since it was published, by the liquid's motion here; the cell more is for its variation.
	return float64(p.distance[0]) > reproducible.Norm(reach)+c.edges[i]+float64(2*c.now.Drift*reproducible.Norm(p.velocity[0]))
}

// load computes the load on body i. The surface and the body are both in the middle of the step.
func (pb *porousBodies) load(i int) (load subgridLoad) {
	c := pb.c
	body, centre, v := &pb.body[i], c.Solids[i].Centre, &c.Moved[i]
	up, rho := opposite(c.accelerations[i]), c.now.Density
	pb.probePieces(body)
	sample, face := 0, 0
	for k := range body.pieces {
		p, liquid := &body.pieces[k], pb.probe.velocity[k]
		phi := float64(pb.probe.distance[k]) - reproducible.Dot(up, r3.Sub(p.x, centre)) // distance at the centre, extrapolated as a level surface
		for ; sample < p.samples; sample++ {
			load.addSample(body.samples[sample].Volume, r3.Sub(body.samples[sample].X, centre), phi, body.height, up, liquid)
		}
		for ; face < p.facets; face++ {
			f := &body.facets[face]
			arm := r3.Sub(f.x, centre)
			high := phi + reproducible.Dot(up, arm)
			u := r3.Vec{X: v[0], Y: v[1], Z: v[2]}
			u = r3.Sub(r3.Add(u, reproducible.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, arm)), liquid)
			under := submergedPart(high, body.height)
			load.addFacet(f, arm, under, min(under, submergedPart(high-float64(c.now.Dt*reproducible.Dot(up, u)), body.height)), reproducible.Dot(f.n, u), reproducible.Dot(f.n, liquid), rho)
		}
	}
	return load
}

// probePieces samples the liquid's velocity and distance at a body's pieces.
func (pb *porousBodies) probePieces(body *subgrid) {
	c := pb.c
	p, n := &pb.probe, len(body.pieces)
	p.places, p.velocity, p.distance = arrays.Resize(p.places, n), arrays.Resize(p.velocity, n), arrays.Resize(p.distance, n)
	for k := range body.pieces {
		p.places[k] = body.pieces[k].x
	}
	c.Liquid.Velocity(p.velocity, p.places)
	for k, u := range p.velocity { // follow the flow back to when the surface was published
		p.places[k] = r3.Sub(p.places[k], reproducible.Scale(c.now.Drift, u))
	}
	c.Liquid.Distance(p.distance, p.places)
}

// addSample adds a sample at an arm. phi is the liquid's distance at the body's centre, for a level surface at the sample.
func (load *subgridLoad) addSample(volume float64, arm r3.Vec, phi, height float64, up, liquid r3.Vec) {
	under := submergedPart(phi+reproducible.Dot(up, arm), height)
	load.whole += volume
	load.under += float64(volume * under)
	if under == 0 {
		return
	}
	q := wrenchAt(up, arm)
	for a, x := range q {
		load.lift[a] += float64(volume * under * x)
	}
	if under < 1 {
		load.plane.add(volume/height, &q)
		rise := volume / height * reproducible.Dot(up, liquid)
		for a, x := range q {
			load.rise[a] += float64(rise * x)
		}
	}
}

// submergedPart returns the part of an interval with a height that is under the surface, if its middle is high above it, m.
func submergedPart(high, height float64) float64 { return max(0, min(1, .5-high/height)) }

// addFacet adds a facet at an arm. under and already are the parts of it that are wet now and were before. speed is its normal speed relative to the liquid,
// flow the liquid's, m/s.
func (load *subgridLoad) addFacet(f *facet, arm r3.Vec, under, already, speed, flow, rho float64) {
	q := wrenchAt(f.n, arm)
	load.skin.add(f.area, &q)
	load.bulk[0] += f.area
	for a, x := range reproducible.Array(arm) {
		v := float64(f.area * x)
		load.bulk[1+a] += v
		for b, y := range reproducible.Array(arm) {
			load.spread[a][b] += float64(v * y)
		}
	}
	if under == 0 {
		return
	}
	wet := float64(f.area * under)
	load.area += wet
	load.inertia.add(wet, &q)
	if already > 0 {
		load.inertiaBefore.add(f.area*already, &q)
	}
	drag := facetDrag / 2 * rho * math.Abs(speed) * wet
	load.drag.add(drag, &q)
	fresh := float64(f.area * (under - already) * flow)
	for a, x := range q {
		load.flow[a] += float64(drag * flow * x)
		load.newMomentum[a] += float64(fresh * x)
	}
}

func wrenchAt(force, arm r3.Vec) [6]float64 {
	return rigid.Twist(force, reproducible.Cross(arm, force))
}

// leastSkinShare is the threshold on skin, relative to leastSkin's sum over all directions, below which a component counts
// as none: pressure has no arm about the axis of a round section, and the samples' arms there are errors.
const leastSkinShare = 5e-4

// leastSkin returns leastSkinShare times the sum of n nᵀ over the surface and all directions of n.
func (load *subgridLoad) leastSkin() (m matrix6) {
	area, x, y, z := float64(leastSkinShare*load.bulk[0]), float64(leastSkinShare*load.bulk[1]), float64(leastSkinShare*load.bulk[2]), float64(leastSkinShare*load.bulk[3])
	m[0], m[1], m[2] = [6]float64{0: area, 4: z, 5: -y}, [6]float64{1: area, 3: -z, 5: x}, [6]float64{2: area, 3: y, 4: -x}
	m[3], m[4], m[5] = [6]float64{1: -z, 2: y}, [6]float64{0: z, 2: -x}, [6]float64{0: -y, 1: x}
	q := &load.spread
	for a := range 3 {
		for b := range 3 {
			m[3+a][3+b] = -float64(leastSkinShare * q[a][b])
		}
		m[3+a][3+a] += float64(leastSkinShare * (q[0][0] + q[1][1] + q[2][2]))
	}
	return m
}

// exertable returns the part of a wrench that pressure on the surface can exert.
func (load *subgridLoad) exertable(wrench *[6]float64) [6]float64 {
	m := load.leastSkin()
	for a := range 6 {
		for b := range 6 {
			m[a][b] += load.skin[a][b]
		}
	}
	x := *wrench
	if !m.solve(&x) {
		return *wrench
	}
	return load.skin.times(&x)
}

// exertablePlane returns plane with exerted applied to its rows and columns.
func (load *subgridLoad) exertablePlane() (r matrix6) {
	var half matrix6
	for a := range 6 {
		half[a] = load.exertable(&load.plane[a])
	}
	for b := range 6 {
		column := [6]float64{half[0][b], half[1][b], half[2][b], half[3][b], half[4][b], half[5][b]}
		r[b] = load.exertable(&column)
	}
	return r
}
