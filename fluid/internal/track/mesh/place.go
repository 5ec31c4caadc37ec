package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// placing puts the vertices that the Rebuilder has made for a shape where its surface has them. They are between points of the lattice's edges, and those by linear interpolation: the
// roughness that this leaves would be waves with tension. First they come to lie on the shape, where that is smooth; triangles then cut off what is beyond them, so that all are moved
// out by what their triangles lack, evenly. In the end the mesh has gained what the shape has brought.
type placing struct {
	shape     func(dst []float32, at []r3.Vec)
	domain    r3.Box
	mesh      *trimesh.Mesh
	edge      float64 // of the lattice, m
	inside    []int32
	number    []int32 // per vertex: its place among those that are placed, or Gone
	triangles []int32 // that have a placed corner
	at        []r3.Vec
	value     []float32
	normal    []r3.Vec  // per placed vertex: a third of the area vectors of its triangles, m²
	area      []float64 // likewise of the areas, m²
	lack      []float64 // how far further out the shape is in its triangles, m
	smooth    []bool    // per vertex of the mesh: the shape was smooth there in all steps of its projection
	parts     geom.Sets // of the placed: those that triangles connect
	rough     []bool    // per part: it is not smooth all over
	even      []float64 // per part: what is lacking, m³
	whole     []float64 // per part: its area, m²
	out       []float64 // how far it has been moved out, m
}

// Vertices of a new shape are put on it if that is less than mostPlaced edges away, in placedSteps steps of Newton's method, with slopes over placedReach edges to both
// sides. Where slopes change by more than placedBend times what they are, as at rims and in sheets as thin as an edge, vertices stay as they are: so much is the
// bend of a ball of four edges a radius.
const (
	mostPlaced  = .25
	placedSteps = 2
	placedReach = .5
	placedBend  = .25
)

// What triangles lack is measured lackRounds times, each time moved out evenly over all that is connected if that is smooth, else in evenRounds exchanges between neighbours, and is nothing below leastLack edges, or else the rounding of single precision would be made waves. The last of it comes of the volumes, in fillRounds steps, since vertices beyond the domain count for less
// than they seem to: that changes it by a part of mostMore at most, so that where the shape's volume is not known better than that flat parts stay flat.
const (
	lackRounds = 4
	evenRounds = 30
	leastLack  = 1e-4
	mostMore   = 1.
	fillRounds = 8
	mostOut    = .5 // edges
)

// place places the last change's vertices. volume: what the mesh is to enclose in the domain then, m³, or no number.
func (p *placing) place(t *Tracker, shape func(dst []float32, at []r3.Vec), edge, volume float64) {
	placed := t.rebuild.Placed
	p.shape, p.domain, p.mesh, p.edge = shape, t.in.Domain, &t.track.Mesh, edge
	copy(p.mesh.Target, p.mesh.Position)
	p.project(placed)
	if placed = p.within(placed); len(placed) > 0 {
		p.list(placed)
		p.moveOutToFill(placed, volume)
	}
	near := t.track.Mover.Near
	t.track.Mover.Near = 0 // the lattice may have put vertices nearer to each other than that
	t.track.Mover.Move(p.mesh, 1)
	t.track.Mover.Near = near
	p.shape, p.mesh = nil, nil
}

// within are those of the placed vertices that are in the domain or an edge beyond it. Further out no one sees what triangles cut off where the mesh ends.
func (p *placing) within(placed []int32) []int32 {
	p.inside = p.inside[:0]
	seen := boxes.Grown(p.domain, p.edge)
	for _, v := range placed {
		if boxes.Holds(&seen, &p.mesh.Target[v]) {
			p.inside = append(p.inside, v)
		}
	}
	return p.inside
}

// moveOutToFill moves vertices out by what their triangles lack.
func (p *placing) moveOutToFill(placed []int32, volume float64) {
	p.out = arrays.Resize(p.out, len(placed))
	clear(p.out)
	for range lackRounds {
		p.measureLack(placed)
		p.spread(placed)
		p.moveOut(placed, p.lack)
	}
	if !math.IsNaN(volume) {
		p.fill(placed, volume-p.volumeOfOthers())
	}
}

// list numbers the placed vertices and lists their triangles.
func (p *placing) list(placed []int32) {
	p.number, p.triangles = arrays.Resize(p.number, len(p.mesh.Position)), p.triangles[:0]
	for v := range p.number {
		p.number[v] = trimesh.Gone
	}
	for i, v := range placed {
		p.number[v] = int32(i)
	}
	for i, v := range p.mesh.Triangle {
		if v[0] != trimesh.Gone && (p.number[v[0]] != trimesh.Gone || p.number[v[1]] != trimesh.Gone || p.number[v[2]] != trimesh.Gone) {
			p.triangles = append(p.triangles, int32(i))
		}
	}
}

// corners are where those of a triangle are to be.
func (p *placing) corners(i int32) (c [3]r3.Vec) {
	for k, v := range p.mesh.Triangle[i] {
		c[k] = p.mesh.Target[v]
	}
	return c
}

// volume is what the listed triangles count for the volume in the domain, m³.
func (p *placing) volume() (sum float64) {
	for _, i := range p.triangles {
		c := p.corners(i)
		sum += trimesh.VolumeIn(&p.domain, &c)
	}
	return sum
}

// volumeOfOthers is what all other triangles count for it.
func (p *placing) volumeOfOthers() float64 {
	listed := 0.
	for _, i := range p.triangles {
		a, b, c := p.mesh.Corners(i)
		listed += trimesh.VolumeIn(&p.domain, &[3]r3.Vec{a, b, c})
	}
	return volumeIn(p.mesh, &p.domain) - listed
}

// volumeIn is what a mesh encloses in a box, m³.
func volumeIn(m *trimesh.Mesh, b *r3.Box) (sum float64) {
	for i, v := range m.Triangle {
		if v[0] != trimesh.Gone {
			x, y, z := m.Corners(int32(i))
			sum += trimesh.VolumeIn(b, &[3]r3.Vec{x, y, z})
		}
	}
	return sum
}

// project puts vertices on the shape where it is smooth.
func (p *placing) project(placed []int32) {
	mesh, reach := p.mesh, float64(placedReach*p.edge)
	p.at, p.value = arrays.Resize(p.at, 7*len(placed)), arrays.Resize(p.value, 7*len(placed))
	p.smooth = arrays.Resize(p.smooth, len(mesh.Position))
	for v := range p.smooth {
		p.smooth[v] = true
	}
	for range placedSteps {
		for i, v := range placed {
			x := mesh.Target[v]
			p.at[7*i] = x
			for a, d := range [3]r3.Vec{{X: reach}, {Y: reach}, {Z: reach}} {
				p.at[7*i+1+2*a], p.at[7*i+2+2*a] = r3.Add(x, d), r3.Sub(x, d)
			}
		}
		p.shape(p.value, p.at)
		for i, v := range placed {
			way, smooth := wayTo((*[7]float32)(p.value[7*i:]), reach)
			p.smooth[v] = p.smooth[v] && smooth
			if x := r3.Add(mesh.Target[v], way); smooth && reproducible.Norm(r3.Sub(x, mesh.Position[v])) < mostPlaced*p.edge {
				mesh.Target[v] = x
			}
		}
	}
}

// lackPoints are the middles of the 16 triangles that a triangle is divided into, by shares of its corners.
var lackPoints = func() (all [16][3]float64) {
	const n = 4
	i := 0
	for a := range n {
		for b := range n - a {
			c := n - 1 - a - b
			all[i] = [3]float64{(float64(a) + 1./3) / n, (float64(b) + 1./3) / n, (float64(c) + 1./3) / n}
			if i++; c > 0 {
				all[i] = [3]float64{(float64(a) + 2./3) / n, (float64(b) + 2./3) / n, (float64(c) - 1./3) / n}
				i++
			}
		}
	}
	return all
}()

// measureLack measures how far the shape is out of the triangles around each placed vertex.
func (p *placing) measureLack(placed []int32) {
	const points = len(lackPoints)
	p.at, p.value = arrays.Resize(p.at, points*len(p.triangles)), arrays.Resize(p.value, points*len(p.triangles))
	for i, t := range p.triangles {
		c := p.corners(t)
		for k, w := range &lackPoints {
			p.at[points*i+k] = r3.Add(reproducible.Scale(w[0], c[0]), r3.Add(reproducible.Scale(w[1], c[1]), reproducible.Scale(w[2], c[2])))
		}
	}
	p.shape(p.value, p.at)
	p.derive(placed)
	p.lack = arrays.Resize(p.lack, len(placed))
	clear(p.lack)
	for i, t := range p.triangles {
		if !p.isWhole(t) {
			continue
		}
		c := p.corners(t)
		area := reproducible.Norm(geom.TwiceArea(c[0], c[1], c[2])) / float64(2*points)
		for k, w := range &lackPoints {
			d := float64(p.value[points*i+k])
			for corner, v := range p.mesh.Triangle[t] {
				p.lack[p.number[v]] -= float64(area * w[corner] * d)
			}
		}
	}
	for i, a := range p.area {
		if p.lack[i] /= max(a, math.SmallestNonzeroFloat64); math.Abs(p.lack[i]) < leastLack*p.edge {
			p.lack[i] = 0
		}
	}
}

// isWhole tells whether all corners of a triangle are placed.
func (p *placing) isWhole(t int32) bool {
	v := p.mesh.Triangle[t]
	return p.number[v[0]] != trimesh.Gone && p.number[v[1]] != trimesh.Gone && p.number[v[2]] != trimesh.Gone
}

// derive measures the placed vertices' normals, and the areas of what is whole around them.
func (p *placing) derive(placed []int32) {
	p.normal, p.area = arrays.Resize(p.normal, len(placed)), arrays.Resize(p.area, len(placed))
	clear(p.normal)
	clear(p.area)
	for _, t := range p.triangles {
		c := p.corners(t)
		twice := geom.TwiceArea(c[0], c[1], c[2])
		area := reproducible.Norm(twice) / 6
		for _, v := range p.mesh.Triangle[t] {
			if n := p.number[v]; n != trimesh.Gone {
				p.normal[n] = r3.Add(p.normal[n], reproducible.Scale(1./6, twice))
				if p.isWhole(t) {
					p.area[n] += area
				}
			}
		}
	}
}

// spread evens out what is lacking, without a change of the sum of it over the area: what differs from vertex to vertex would be waves with tension. A connected part that is smooth all
// over is moved out by one distance. Elsewhere, since rims lack much more than what is flat beside them, it is evened out between neighbours.
func (p *placing) spread(placed []int32) {
	p.connect(placed)
	p.spreadAround(placed)
	p.even, p.whole = arrays.Resize(p.even, len(placed)), arrays.Resize(p.whole, len(placed))
	clear(p.even)
	clear(p.whole)
	for i, a := range p.area {
		part := p.parts.Find(int32(i))
		p.even[part] += float64(a * p.lack[i])
		p.whole[part] += a
	}
	for i := range p.lack {
		if part := p.parts.Find(int32(i)); !p.rough[part] {
			p.lack[i] = p.even[part] / max(p.whole[part], math.SmallestNonzeroFloat64)
		}
	}
}

// connect finds the connected parts, and which of them are rough.
func (p *placing) connect(placed []int32) {
	p.parts.Reset(len(placed))
	for _, t := range p.triangles {
		v := p.mesh.Triangle[t]
		for k := range v {
			if a, b := p.number[v[k]], p.number[v[(k+1)%3]]; a != trimesh.Gone && b != trimesh.Gone {
				p.parts.Join(a, b)
			}
		}
	}
	p.rough = arrays.Resize(p.rough, len(placed))
	clear(p.rough)
	for i, v := range placed {
		if !p.smooth[v] {
			p.rough[p.parts.Find(int32(i))] = true
		}
	}
}

// spreadAround evens out what is lacking between neighbours, without a change of the sum of it over the area.
func (p *placing) spreadAround(placed []int32) {
	p.even = arrays.Resize(p.even, len(placed))
	for range evenRounds {
		clear(p.even)
		for _, t := range p.triangles {
			v := p.mesh.Triangle[t]
			for k := range v {
				a, b := p.number[v[k]], p.number[v[(k+1)%3]]
				if a == trimesh.Gone || b == trimesh.Gone {
					continue
				}
				flow := float64(min(p.area[a], p.area[b]) / 24 * (p.lack[b] - p.lack[a])) // each edge is of two triangles, a vertex of about six
				p.even[a] += flow
				p.even[b] -= flow
			}
		}
		for i, a := range p.area {
			p.lack[i] += p.even[i] / max(a, math.SmallestNonzeroFloat64)
		}
	}
}

// moveOut moves vertices out along their normals, no further than mostOut in all.
func (p *placing) moveOut(placed []int32, by []float64) {
	for i, v := range placed {
		size := reproducible.Norm(p.normal[i])
		if size == 0 {
			continue
		}
		to := max(-mostOut*p.edge, min(mostOut*p.edge, p.out[i]+by[i]))
		p.mesh.Target[v] = r3.Add(p.mesh.Target[v], reproducible.Scale((to-p.out[i])/size, p.normal[i]))
		p.out[i] = to
	}
}

// fill moves vertices further out, all by the same part of what they have been, until the listed triangles have a volume, m³.
func (p *placing) fill(placed []int32, volume float64) {
	more := 0.
	p.even = append(p.even[:0], p.out...)
	for range fillRounds {
		p.derive(placed)
		growth := 0.
		for i, n := range p.normal {
			growth += float64(p.even[i] * reproducible.Norm(n))
		}
		if growth == 0 {
			return
		}
		by := max(-mostMore, min(mostMore, more+(volume-p.volume())/growth)) - more
		more += by
		for i, out := range p.even {
			p.lack[i] = float64(by * out)
		}
		p.moveOut(placed, p.lack)
	}
}

// wayTo is the way to where distances are 0, m, by those at a place and so many m beside it along each axis, to both sides. It is not smooth where they say little of that.
func wayTo(d *[7]float32, reach float64) (way r3.Vec, smooth bool) {
	g := r3.Vec{X: float64(d[1] - d[2]), Y: float64(d[3] - d[4]), Z: float64(d[5] - d[6])} // twice the slope, over reach
	bend := float64(d[1]+d[2]-2*d[0]) + float64(d[3]+d[4]-2*d[0]) + float64(d[5]+d[6]-2*d[0])
	square := reproducible.Norm2(g) / (4 * reach * reach)
	if !(square > .5 && square < 2 && math.Abs(bend) < placedBend*reach) {
		return way, false
	}
	return reproducible.Scale(-float64(d[0])/(2*reach*square), g), true
}
