package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Cells can't be cut by a body that is thinner than they are: a stick covers a face wholly or not at all, by where it happens to lie. The
// Grid takes such a body for a porous one that is made of samples (package blocks). Beside the solve act on it what a cell can't tell:
// where in the cell the surface is, and the drag and the inertia of the liquid that gives way to it within a cell.

const (
	// slenderest and stoutest, in cells, are the widths between which a body changes from a porous one to one that cuts
	// cells. The width is the second smallest extent. From the first on balls cover faces wherever they are.
	slenderest, stoutest = 1.2, 1.7

	// thinnestPlate and thickestPlate, in cells, are the same of the thickness of a convex body that drifts freely: cells can't tell that a
	// thin plate is flooded, nor how deep it floats. Bodies that joints hold or that move as they are told stay tight, and so do those
	// longer than longestPlate.
	thinnestPlate, thickestPlate = .5, .9
	longestPlate                 = 16

	// samplesWanted is about how many samples a cube is made of, and longWanted a rod or plate six times as long as it is thin, or more: a
	// rod of fifteen widths is three across.
	samplesWanted, longWanted = 64, 400
	// samplesAlong is how many a body has at most along its largest extent.
	samplesAlong = 200
	// mostCubes is how many places are looked at for samples at a time. What asks for more, as only a distance does that is none,
	// cuts cells.
	mostCubes = 1 << 17

	// facetDrag is the drag coefficient on the normal speed of the surface, fore and aft: of a cube on its faces twice that.
	facetDrag = .5

	// waveDrag makes waveDrag·ρ√(g·width) what waves shorter than a cell take from a body that bobs, per area of the waterplane, kg/(m²s):
	// a fifth of the critical damping, as of floating balls and logs at their own periods.
	waveDrag = .4
)

// subgrid is what is known of a body where it is now.
type subgrid struct {
	share   float64 // how much of it is porous: 0 is a body that cuts cells
	edge    float64 // of the samples, m
	height  float64 // of a sample, m: less where the body is thinner
	width   float64 // m
	samples []rigid.Sample
	facets  []facet
	pieces  []piece
	centre  r3.Vec // where it was when it was sampled:
	turned  quat.Number
	bounds  r3.Box
}

// facet is a part of a body's surface.
type facet struct {
	x, n   r3.Vec // m; out of the body
	area   float64
	inside float64 // how deep in the body it was found, m
	sample int32   // what was found there; -1: none
}

// piece is a run of samples and facets that are together in half a cell: they end before these.
type piece struct {
	x               r3.Vec // about the middle, m
	samples, facets int
}

// submersion is how much of a body is under the surface.
type submersion struct {
	under, whole float64 // m³
	area         float64 // of what is under, m²
}

// sampler is scratch: cubes that may hold a part of a body, by their low corners in samples from its centre.
type sampler struct {
	cubes, next [][3]int32
	pts         []r3.Vec
	dist        []float32
}

// findSubgrid tells how much of body i is porous, and samples it if some is.
func (l *Liquid) findSubgrid(i int) {
	c := &l.coupling
	s, solid, body := &c.state[i], &c.solid[i], &c.porous[i]
	if r := &c.rigid[i]; r.InverseMass > 0 { // else they stay what they were
		c.ellipsoids[i] = principal(inverseInertia(r))
		s.aside = [6]float64{}
	}
	was := body.share
	body.share = 0
	if s.ok && s.placed && !solid.Fixed {
		body.share = l.subgridShare(i)
	}
	s.subgrid = body.share > 0
	solid.Porous, solid.Sampled = body.share, s.subgrid
	if !s.subgrid {
		solid.Still = solid.Still && was == 0
		return
	}
	if !solid.Still || was != body.share || body.centre != s.centre || body.turned != s.turned || body.bounds != s.bounds {
		solid.Still = false
		if !l.sampleBody(i) {
			body.share, s.subgrid, solid.Porous, solid.Sampled = 0, false, 0, false
			return
		}
	}
	if body.share == 1 {
		solid.Thin, solid.Sheet = false, false
	}
	solid.Samples = body.samples
}

// subgridShare is how much of body i is porous. It notes the body's width and the edge of its samples.
func (l *Liquid) subgridShare(i int) float64 {
	c := &l.coupling
	body := &c.porous[i]
	volume, width, convex := 0., 0., false
	if from, can := c.bodies.(Measured); can {
		volume, width, convex = from.Extents(i)
	}
	long, middle, short := l.extents(i)
	if !(width > 0) || !finite(width) {
		width = middle
	}
	if !(volume > 0) || !finite(volume) {
		volume = long * middle * short
	}
	body.width = width
	h := l.m.EdgeAt(c.solid[i].Centre)
	wanted := max(samplesWanted, min(longWanted, samplesWanted*long/short))
	body.edge = min(h/2, max(reproducible.Cbrt(volume/wanted), long/samplesAlong))
	if !(body.edge > 0) {
		return 0
	}
	share := fade(width/h, slenderest, stoutest)
	if convex && !c.joined[i] && c.state[i].kind == DynamicBody {
		share = max(share, fade(c.solid[i].Thickness/h, thinnestPlate, thickestPlate)*fade(long/h, longestPlate/2, longestPlate))
	}
	return share
}

// fade falls from 1 to 0 as x grows from one value to another.
func fade(x, from, to float64) float64 { return max(0, min(1, (to-x)/(to-from))) }

// extents are the edges of the box with the mass and the inertia of body i, m; 0 if that has none.
func (l *Liquid) extents(i int) (long, middle, short float64) {
	if !l.coupling.there(i) {
		return 0, 0, 0
	}
	inverseMass, inverse := l.coupling.bodies.InverseMass(i)
	if !(inverseMass > 0) {
		return 0, 0, 0
	}
	e := principal(tensor{reproducible.Vector(inverse[0]), reproducible.Vector(inverse[1]), reproducible.Vector(inverse[2])})
	var edges [3]float64
	for a := range 3 {
		p, q := e.values[(a+1)%3], e.values[(a+2)%3]
		if !(e.values[0] > 0 && e.values[1] > 0 && e.values[2] > 0) {
			return 0, 0, 0
		}
		edges[a] = math.Sqrt(max(0, 6*float64(inverseMass*(1/p+1/q-1/e.values[a]))))
	}
	slices.Sort(edges[:])
	return edges[2], edges[1], edges[0]
}

// sampleBody samples body i on a lattice that turns and moves with it: the samples do not depend on where it is. It
// returns false if there would be too many.
func (l *Liquid) sampleBody(i int) bool {
	c := &l.coupling
	s, solid, body, v := &c.state[i], &c.solid[i], &c.porous[i], &c.sampler
	body.centre, body.turned, body.bounds = s.centre, s.turned, s.bounds
	body.samples, body.facets, body.pieces = body.samples[:0], body.facets[:0], body.pieces[:0]
	axes := axesOf(s.turned)
	at := func(cube [3]int32, half float64) r3.Vec {
		x := solid.Centre
		for a, n := range axes {
			x = r3.Add(x, reproducible.Scale(body.edge*(float64(cube[a])+half), n))
		}
		return x
	}
	reach := reproducible.Norm(r3.Vec{
		X: max(s.bounds.Max.X-s.centre.X, s.centre.X-s.bounds.Min.X), Y: max(s.bounds.Max.Y-s.centre.Y, s.centre.Y-s.bounds.Min.Y),
		Z: max(s.bounds.Max.Z-s.centre.Z, s.centre.Z-s.bounds.Min.Z),
	})
	half := int32(1)
	for float64(half)*body.edge < reach && half < 1<<20 {
		half *= 2
	}
	v.cubes = v.cubes[:0]
	for o := range int32(8) {
		v.cubes = append(v.cubes, [3]int32{(o&1 - 1) * half, (o>>1&1 - 1) * half, (o>>2 - 1) * half})
	}
	for size := half; ; size /= 2 {
		v.ask(solid.Distance, func(k int) r3.Vec { return at(v.cubes[k], float64(size)/2) }, len(v.cubes))
		if size == 1 {
			break
		}
		v.next = v.next[:0]
		for k, cube := range v.cubes {
			if !(float64(v.dist[k]) <= .87*body.edge*float64(size)) {
				continue
			}
			if len(v.next) >= mostCubes {
				return false
			}
			for o := range int32(8) {
				v.next = append(v.next, [3]int32{cube[0] + o&1*size/2, cube[1] + o>>1&1*size/2, cube[2] + o>>2*size/2})
			}
		}
		v.cubes, v.next = v.next, v.cubes
	}
	l.keepSamples(i, at)
	return true
}

// keepSamples makes samples and facets of the cubes of the sampler.
func (l *Liquid) keepSamples(i int, at func(cube [3]int32, half float64) r3.Vec) {
	c := &l.coupling
	solid, body, v := &c.solid[i], &c.porous[i], &c.sampler
	bits := 0
	for float64(int(2)<<bits)*body.edge <= .6*l.m.EdgeAt(solid.Centre) {
		bits++
	}
	// What is thinner than a sample is found by samples beside it too.
	body.height = min(body.edge, max(solid.Thickness, body.edge/8))
	wide := body.edge * max(1, min(1.74, 2*body.edge/max(solid.Thickness, 1e-9)))
	v.next = v.next[:0]
	sum, last := 0., [3]int32{math.MaxInt32}
	for k, cube := range v.cubes {
		d := float64(v.dist[k])
		part := max(0, min(1, .5-d/wide))
		skin := 1 - math.Abs(d)/body.edge
		if part == 0 && skin <= 0 {
			continue
		}
		x := at(cube, .5)
		if in := [3]int32{cube[0] >> bits, cube[1] >> bits, cube[2] >> bits}; in != last {
			last = in
			body.pieces = append(body.pieces, piece{x: x})
		}
		if part > 0 {
			sample := float64(part * body.edge * body.edge * body.edge)
			sum += sample
			body.samples = append(body.samples, rigid.Sample{X: x, Volume: sample})
		}
		if skin > 0 {
			f := facet{x: x, area: float64(skin * body.edge * body.edge), inside: -d, sample: -1}
			if part > 0 {
				f.sample = int32(len(body.samples) - 1)
			}
			body.facets = append(body.facets, f)
		}
		p := &body.pieces[len(body.pieces)-1]
		p.samples, p.facets = len(body.samples), len(body.facets)
	}
	l.normals(i)
	l.scaleVolumes(i, sum)
}

// normals finds the facets' normals from the distances a little way off on both sides along the axes, and moves facets, and samples that are
// outside of the body, onto its surface.
func (l *Liquid) normals(i int) {
	c := &l.coupling
	body, v := &c.porous[i], &c.sampler
	step := body.edge / 32
	v.ask(c.solid[i].Distance, func(k int) r3.Vec {
		x, by := body.facets[k/6].x, step
		if k&1 == 1 {
			by = -step
		}
		switch k / 2 % 3 {
		case 0:
			x.X += by
		case 1:
			x.Y += by
		default:
			x.Z += by
		}
		return x
	}, 6*len(body.facets))
	for k := range body.facets {
		f, d := &body.facets[k], v.dist[6*k:][:6]
		n := r3.Vec{X: float64(d[0] - d[1]), Y: float64(d[2] - d[3]), Z: float64(d[4] - d[5])}
		if size := reproducible.Norm(n); size > 0 && finite(size) {
			f.n = reproducible.Scale(1/size, n)
			f.x = r3.Add(f.x, reproducible.Scale(f.inside, f.n))
			if f.sample >= 0 && f.inside < 0 {
				body.samples[f.sample].X = f.x
			}
		} else {
			f.n, f.area = r3.Vec{}, 0
		}
	}
}

// scaleVolumes gives the samples, whose volumes have a sum, that of the body where it is known. That of shapes which overlap is not.
func (l *Liquid) scaleVolumes(i int, sum float64) {
	from, can := l.coupling.bodies.(Measured)
	if !can || sum == 0 {
		return
	}
	const overlap = .9
	volume, _, _ := from.Extents(i)
	if !(volume > 0) || !finite(volume) || sum < overlap*volume {
		return
	}
	samples := l.coupling.porous[i].samples
	for k := range samples {
		samples[k].Volume *= volume / sum
	}
}

// ask asks for the distances at n places.
func (v *sampler) ask(f rigid.Distance, place func(k int) r3.Vec, n int) {
	const most = 256
	v.dist, v.pts = arrays.Resize(v.dist, n), arrays.Resize(v.pts, min(n, most))
	for lo := 0; lo < n; lo += most {
		hi := min(lo+most, n)
		for k := lo; k < hi; k++ {
			v.pts[k-lo] = place(k)
		}
		f(v.dist[lo:hi], v.pts[:hi-lo])
	}
}

// axesOf are a body's own axes in the world.
func axesOf(q quat.Number) [3]r3.Vec {
	n := reproducible.QuatAbs(q)
	if !(n > 0) || !finite(n) {
		return [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	}
	q = reproducible.QuatScale(1/n, q)
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return [3]r3.Vec{
		{X: 1 - float64(2*(float64(y*y)+float64(z*z))), Y: 2 * (float64(x*y) + float64(w*z)), Z: 2 * (float64(x*z) - float64(w*y))},
		{X: 2 * (float64(x*y) - float64(w*z)), Y: 1 - float64(2*(float64(x*x)+float64(z*z))), Z: 2 * (float64(y*z) + float64(w*x))},
		{X: 2 * (float64(x*z) + float64(w*y)), Y: 2 * (float64(y*z) - float64(w*x)), Z: 1 - float64(2*(float64(x*x)+float64(y*y)))},
	}
}
