package controls

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// regions are the components of the liquid that the control surfaces leave, and what flows through their surfaces. A region consists of parts: see
// findParts. Arrays are per part, of which there are as many as regions at least.
type regions struct {
	graph.Components
	gr    *graph.Graph
	faces []face // at control surfaces

	part       []int32 // per row
	within     []int32 // per part: its region
	links      []link  // between parts of a region
	openings   []opening
	source     []float64 // within, and of what bodies that are moved push out, m³/s
	need       []float64 // what the flux out lacks of that, m³/s
	lambda     []float64 // potential, m/s
	area       []float64 // by how much greater the flux out gets with the potential, m²
	parts      graph.Components
	apart      []bool    // scratch of findParts, per face
	residual   []float64 // of the conjugate gradients, with their direction and its image
	way, image []float64
}

// regionSide calls visit for each row on a side of a face with its share in the face.
func regionSide(gr *graph.Graph, side int32, visit func(r int32, share float64)) {
	if side >= 0 {
		visit(side, 1)
		return
	}
	on := gr.RowsOn(side)
	for k, r := range on.Row[:on.N] {
		if r != graph.Air {
			visit(r, on.Share[k])
		}
	}
}

// balance makes the flux out of each part of a region that of its sources, m³/s per row, with what is expected to leave through its openings and links. Each part has
// a potential, and a face's velocity changes by the difference of those of the parts on its sides, which is the least change of all: one part alone gets the same
// everywhere. That through openings and links changes by openingWeight times as much: in the solve, which finds how much leaves where. But what
// the pulls bring out of balance is shared evenly with openings that are pulled, too: where a region holds too much, it stands as high there as elsewhere, and not
// openingWeight times as high. The potentials are found by conjugate gradients over parts, which are few.
func (x *regions) balance(bodies []rigid.Body, rows []float64) {
	n := len(x.openings)
	for _, v := range [7]*[]float64{&x.source, &x.need, &x.lambda, &x.residual, &x.way, &x.image, &x.area} {
		*v = arrays.Resize(*v, n)
	}
	x.measurePulls()
	x.measureAreas(1)
	x.share()
	x.sumSources(bodies, rows)
	x.measureAreas(openingWeight)
	for range 3 { // again, for what rounding has left
		x.measureNeed()
		x.share()
	}
}

// share changes the fluxes out of the parts by what need asks for.
func (x *regions) share() {
	x.solvePotentials()
	for i := range x.faces {
		f := x.faces[i].face
		x.gr.U[f] += x.difference(f, x.lambda)
	}
	for i := range x.links {
		k := &x.links[i]
		k.speed += float64(openingWeight * x.difference(k.face, x.lambda))
	}
	for c := range x.openings {
		o := &x.openings[c]
		o.flux += float64(o.give * x.lambda[c])
	}
}

// sumSources sums up the sources within each part, and what bodies that are moved push out of it, m³/s.
func (x *regions) sumSources(bodies []rigid.Body, rows []float64) {
	clear(x.source)
	for r, part := range x.part {
		x.source[part] += rows[r]
	}
	for i := range x.gr.Bodies {
		if bodies[i].InverseMass > 0 { // as much leaves the region on one side of it as comes on the other
			continue
		}
		b := &x.gr.Bodies[i]
		for e, r := range b.Row {
			x.source[x.part[r]] -= rigid.Dot(&b.K[e], &bodies[i].V)
		}
	}
}

// measureNeed finds what the flux out of each part that is at a control surface or a link lacks of its sources, m³/s.
func (x *regions) measureNeed() {
	copy(x.need, x.source)
	for i := range x.faces {
		f := x.faces[i].face
		x.scatter(x.part, f, x.free(f)*x.gr.U[f], x.need)
	}
	for i := range x.links {
		k := &x.links[i]
		x.scatter(x.part, k.face, x.free(k.face)*k.speed, x.need)
	}
	for c := range x.need {
		if o := &x.openings[c]; o.blend > 0 {
			x.need[c] -= o.flux
		} else {
			x.need[c] = 0
		}
	}
}

// measurePulls finds what the pulls bring into each part more than out of it, m³/s.
func (x *regions) measurePulls() {
	for c := range x.need {
		x.need[c] = -x.openings[c].pull
	}
	for i := range x.faces {
		f := &x.faces[i]
		x.scatter(x.part, f.face, float64(x.free(f.face)*f.blend*f.pull), x.need)
	}
}

// measureLeft finds what the flux out of each enclosed region lacks of its sources, m³/s, through all faces that leave it.
func (x *regions) measureLeft() {
	clear(x.need)
	for c, label := range x.within {
		x.need[label] += x.source[c]
	}
	for f, a := range x.gr.A {
		if b := x.gr.B[f]; a < 0 || b < 0 || x.Label[a] != x.Label[b] {
			x.scatter(x.Label, int32(f), x.free(int32(f))*x.gr.U[f], x.need)
		}
	}
	for c, closed := range x.Closed {
		if !closed {
			x.need[c] = 0
		}
	}
}

// measureAreas sums up by how much greater the flux out of each part gets with its potential, if that through openings that are pulled changes by weight times as much
// as that at control surfaces.
func (x *regions) measureAreas(weight float64) {
	for c := range x.area {
		o := &x.openings[c]
		o.give = float64(openingWeight*(o.area-o.pulled)) + float64(weight*o.pulled)
		x.area[c] = o.give
	}
	x.eachSide(func(f, r int32, share float64) { x.area[x.part[r]] += float64(share * x.free(f)) })
	for i := range x.links {
		f := x.links[i].face
		x.area[x.part[x.gr.A[f]]] += float64(openingWeight * x.free(f))
		x.area[x.part[x.gr.B[f]]] += float64(openingWeight * x.free(f))
	}
}

// measureThrough sets image to what flows either way through the surfaces of enclosed regions, m³/s.
func (x *regions) measureThrough() {
	clear(x.image)
	x.eachSide(func(f, r int32, share float64) {
		if x.Closed[x.Label[r]] {
			x.image[x.Label[r]] += math.Abs(x.free(f) * x.gr.U[f] * share)
		}
	})
}

// free is the open area of a face, m².
func (x *regions) free(f int32) float64 { return float64(x.gr.Area[f] * x.gr.Open[f]) }

// eachSide calls visit for each face at a control surface and each row at it, with its share in the face.
func (x *regions) eachSide(visit func(f, r int32, share float64)) {
	for i := range x.faces {
		f := x.faces[i].face
		for _, side := range [2]int32{x.gr.A[f], x.gr.B[f]} {
			regionSide(x.gr, side, func(r int32, share float64) { visit(f, r, share) })
		}
	}
}

// scatter takes a flux along a face off the region or part that it leaves, as label tells of each row, and gives it to the one that it comes to.
func (x *regions) scatter(label []int32, f int32, flux float64, to []float64) {
	regionSide(x.gr, x.gr.A[f], func(r int32, share float64) { to[label[r]] -= float64(flux * share) })
	regionSide(x.gr, x.gr.B[f], func(r int32, share float64) { to[label[r]] += float64(flux * share) })
}

// difference is how much greater v is in the part on side A of a face than in that on side B.
func (x *regions) difference(f int32, v []float64) (d float64) {
	regionSide(x.gr, x.gr.A[f], func(r int32, share float64) { d += float64(share * v[x.part[r]]) })
	regionSide(x.gr, x.gr.B[f], func(r int32, share float64) { d -= float64(share * v[x.part[r]]) })
	return d
}

// leastStep is the part of the first one that a residual's square is no more than rounding.
const leastStep = 1e-30

// solvePotentials finds the parts' potentials whose differences give the fluxes that need asks for.
func (x *regions) solvePotentials() {
	clear(x.lambda)
	copy(x.residual, x.need)
	rr := x.divide(x.image)
	copy(x.way, x.image)
	least := leastStep * rr
	for range 4*len(x.need) + 8 {
		if !(rr > least) {
			return
		}
		x.spread()
		curvature := dot(x.way, x.image)
		if !(curvature > 0) { // all regions are enclosed: what they lack together no flux between them brings
			return
		}
		step := rr / curvature
		for c := range x.lambda {
			x.lambda[c] += float64(step * x.way[c])
			x.residual[c] -= float64(step * x.image[c])
		}
		next := x.divide(x.image)
		if !(next < 4*rr) {
			return
		}
		for c := range x.way {
			x.way[c] = x.image[c] + float64(next/rr*x.way[c])
		}
		rr = next
	}
}

// divide sets to to the residual over the parts' areas, and returns the product of both.
func (x *regions) divide(to []float64) (product float64) {
	for c, r := range x.residual {
		to[c] = 0
		if x.area[c] > 0 {
			to[c] = r / x.area[c]
			product += float64(r * to[c])
		}
	}
	return product
}

// spread sets image to the fluxes out of the parts that the potentials in way make.
func (x *regions) spread() {
	clear(x.image)
	for i := range x.faces {
		f := x.faces[i].face
		x.scatter(x.part, f, -float64(x.free(f)*x.difference(f, x.way)), x.image)
	}
	for i := range x.links {
		f := x.links[i].face
		x.scatter(x.part, f, -float64(openingWeight*x.free(f)*x.difference(f, x.way)), x.image)
	}
	for c := range x.image {
		x.image[c] += float64(x.openings[c].give * x.way[c])
	}
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
