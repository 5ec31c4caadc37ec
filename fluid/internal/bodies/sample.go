package bodies

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// sampler is scratch: cubes that may hold a part of a body, by their low corners from its centre, in samples.
type sampler struct {
	cubes, next [][3]int32
	pts         []r3.Vec
	dist        []float32
}

// sample makes the samples of body i, on a lattice fixed to the body: they do not depend on its pose. It
// returns false if there would be too many.
func (pb *porousBodies) sample(i int) bool {
	s, solid, body, v := &pb.c.state[i], &pb.c.Solids[i], &pb.body[i], &pb.sampler
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
		v.measure(solid.Distance, func(k int) r3.Vec { return at(v.cubes[k], float64(size)/2) }, len(v.cubes))
		if size == 1 {
			break
		}
		v.next = v.next[:0]
		for k, cube := range v.cubes {
			if !(float64(v.dist[k]) <= .87*body.edge*float64(size)) {
				continue
			}
			if len(v.next) >= maxCubes {
				return false
			}
			for o := range int32(8) {
				v.next = append(v.next, [3]int32{cube[0] + o&1*size/2, cube[1] + o>>1&1*size/2, cube[2] + o>>2*size/2})
			}
		}
		v.cubes, v.next = v.next, v.cubes
	}
	pb.makeSamples(i, at)
	body.volume = 0
	for k := range body.samples {
		body.volume += body.samples[k].Volume
	}
	return true
}

// makeSamples makes the samples and facets of the sampler's cubes.
func (pb *porousBodies) makeSamples(i int, at func(cube [3]int32, half float64) r3.Vec) {
	solid, body, v := &pb.c.Solids[i], &pb.body[i], &pb.sampler
	bits := 0
	for float64(int(2)<<bits)*body.edge <= .6*pb.c.edges[i] {
		bits++
	}
	// Parts thinner than a sample are found by samples beside them too.
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
	pb.findNormals(i)
	pb.scaleVolumes(i, sum)
}

// findNormals computes the facets' normals by central differences, and moves facets, and samples outside of the body,
// onto its surface.
func (pb *porousBodies) findNormals(i int) {
	body, v := &pb.body[i], &pb.sampler
	step := body.edge / 32
	v.measure(pb.c.Solids[i].Distance, func(k int) r3.Vec {
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
		if size := reproducible.Norm(n); size > 0 && geom.Finite(size) {
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

// scaleVolumes scales the samples' volumes, whose sum is given, to the body's volume, if that is known. It is not the volume of shapes that overlap.
func (pb *porousBodies) scaleVolumes(i int, sum float64) {
	from, can := pb.c.Bodies.(engine.Measured)
	if !can || sum == 0 {
		return
	}
	const overlap = .9
	volume, _, _ := from.Dimensions(i)
	if !(volume > 0) || !geom.Finite(volume) || sum < overlap*volume {
		return
	}
	samples := pb.body[i].samples
	for k := range samples {
		samples[k].Volume *= volume / sum
	}
}

// measure sets dist to the distances at n places.
func (v *sampler) measure(f shapes.Distance, place func(k int) r3.Vec, n int) {
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

// axesOf returns a body's axes in the world.
func axesOf(q quat.Number) [3]r3.Vec {
	n := reproducible.QuatAbs(q)
	if !(n > 0) || !geom.Finite(n) {
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
