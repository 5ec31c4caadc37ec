package bem

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Polygon solves the Laplace equation inside of a closed polygon in the plane as Solver does inside of a surface: values linear on each edge, normal derivatives constant. Green's function is
// ln(R/r)/2π. Any R above the diameter makes the matrix positive definite, and the field without flux in all does not depend on it. It is here as an oracle of the other, and to show the
// method at a glance.
//
// Source: Brochu 2006, section 5.1.
type Polygon struct {
	edges  []edge
	scale  float64 // R
	matrix []float64
	charge []float64
	total  float64
	area   float64
}

// edge is one from a vertex to the next.
type edge struct {
	from, along, normal [2]float64 // along and normal are unit vectors
	length              float64
}

// lineStations and lineWeights are Gauss's quadrature of seventh degree on [0, 1].
var (
	lineStations = [4]float64{.0694318442029737, .330009478207572, .669990521792428, .930568155797026}
	lineWeights  = [4]float64{.173927422568727, .326072577431273, .326072577431273, .173927422568727}
)

// Set takes the vertices of a polygon, counter-clockwise. It returns ErrVolume if they enclose no area.
func (p *Polygon) Set(at [][2]float64) error {
	n := len(at)
	p.edges, p.charge = arrays.Resize(p.edges, n), arrays.Resize(p.charge, n)
	p.matrix = arrays.Resize(p.matrix, n*n)
	p.scale, p.area = 0, 0
	for i := range at {
		a, b := at[i], at[(i+1)%n]
		x, y := b[0]-a[0], b[1]-a[1]
		l := math.Sqrt(float64(x*x) + float64(y*y))
		p.edges[i] = edge{a, [2]float64{x / l, y / l}, [2]float64{y / l, -x / l}, l}
		p.scale += l // the circumference is above the diameter
		p.area += float64(.5 * (float64((a[0]-at[0][0])*(b[1]-at[0][1])) - float64((a[1]-at[0][1])*(b[0]-at[0][0]))))
	}
	if !(p.area > 0) {
		return fmt.Errorf("%w: an area of %g", ErrVolume, p.area)
	}
	for i := range n {
		for j := range i + 1 {
			p.matrix[i*n+j] = p.single(i, j)
		}
		p.charge[i] = p.edges[i].length
	}
	dense.Factor(p.matrix, n)
	dense.Solve(p.matrix, p.charge)
	p.total = p.flux(p.charge)
	return nil
}

// seen returns ∫ ln(R/r) and ∫ N n·(y-x)/r² over an edge for N of its first and its second end.
func (e *edge) seen(x [2]float64, scale float64) (single, first, second float64) {
	dx, dy := e.from[0]-x[0], e.from[1]-x[1]
	s := float64(dx*e.along[0]) + float64(dy*e.along[1])
	d := float64(dx*e.normal[0]) + float64(dy*e.normal[1])
	t := s + e.length
	logOf := func(s float64) float64 { // ln(r/R)
		return float64(.5 * math.Ln2 * reproducible.Log2(max(float64(s*s)+float64(d*d), math.SmallestNonzeroFloat32)/(scale*scale)))
	}
	ls, lt := logOf(s), logOf(t)
	angle := reproducible.Atan2(float64(d*e.length), float64(s*t)+float64(d*d))
	single = e.length - float64(t*lt) + float64(s*ls) - float64(d*angle)
	moment := float64(d*(lt-ls)) - float64(s*angle) // of the distance from the first end
	second = moment / e.length
	return single, angle - second, second
}

// single returns the mean, over which edge is the inner one, of ∫∫ ln(R/r) over two edges.
func (p *Polygon) single(i, j int) float64 {
	e, f := &p.edges[i], &p.edges[j]
	if i == j {
		return float64(e.length * e.length * (1.5 - float64(math.Ln2*reproducible.Log2(e.length/p.scale))))
	}
	sum := 0.
	for k, w := range lineWeights {
		a, _, _ := f.seen(e.point(lineStations[k]), p.scale)
		b, _, _ := e.seen(f.point(lineStations[k]), p.scale)
		sum += float64(.5 * w * (float64(e.length*a) + float64(f.length*b)))
	}
	return sum
}

func (e *edge) point(s float64) [2]float64 {
	t := float64(s * e.length)
	return [2]float64{e.from[0] + float64(t*e.along[0]), e.from[1] + float64(t*e.along[1])}
}

func (p *Polygon) flux(q []float64) float64 {
	sum := 0.
	for i := range q {
		sum += float64(p.edges[i].length * q[i])
	}
	return sum
}

// Normal sets dst, by edge, to the normal derivative of the function that is harmonic inside and has values phi at the vertices.
func (p *Polygon) Normal(dst, phi []float64) {
	n := len(p.edges)
	for i := range p.edges {
		e := &p.edges[i]
		mean := float64((phi[i] + phi[(i+1)%n]) / 2)
		dst[i] = 0
		for j := range p.edges {
			if j == i {
				continue
			}
			for k, w := range lineWeights {
				_, first, second := p.edges[j].seen(e.point(lineStations[k]), p.scale)
				dst[i] -= float64(w * e.length * (float64(first*(phi[j]-mean)) + float64(second*(phi[(j+1)%n]-mean))))
			}
		}
	}
	p.solve(dst, 0)
}

// Masses sets dst to the harmonic mass of each edge: the integral over the inside of the harmonic function that is 1 on the edge and 0 on the others. As Solver.Masses: the divergence of (y-x)(ln(R/r)+½)/2 is
// ln(R/r).
func (p *Polygon) Masses(dst []float64) {
	for i := range p.edges {
		e := &p.edges[i]
		dst[i] = 0
		for k, w := range lineWeights {
			x := e.point(lineStations[k])
			for j := range p.edges {
				f := &p.edges[j]
				single, _, _ := f.seen(x, p.scale)
				d := float64((f.from[0]-x[0])*f.normal[0]) + float64((f.from[1]-x[1])*f.normal[1])
				dst[i] += float64(.5 * w * e.length * d * (single + float64(.5*f.length)))
			}
		}
	}
	p.solve(dst, p.area)
	for i := range p.edges {
		dst[i] *= p.edges[i].length
	}
}

// solve replaces the single layer of a density by the density, up to a constant potential, whose integral is total.
func (p *Polygon) solve(q []float64, total float64) {
	dense.Solve(p.matrix, q)
	excess := (p.flux(q) - total) / p.total
	for i, c := range p.charge {
		q[i] -= float64(excess * c)
	}
}
