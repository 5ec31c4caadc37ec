package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A cell is cut into pourCut³ parts, and what of these the surface passes again.
const pourCut = 3

// measure measures what each piece brings: the part of its shape that solids leave open and that is not liquid yet.
func (p *pouring) measure() {
	for i := range p.shell {
		c := &p.shell[i]
		k := &p.pieces[c.piece]
		v, moment := p.measureCell(c, k)
		k.volume += v
		k.moment = r3.Add(k.moment, moment)
	}
}

// measureCell is the volume, m³, and its moment, m⁴, that the shape brings in a cell. It adds the surface to a piece, if one is given.
func (p *pouring) measureCell(c *shellCell, k *piece) (volume float64, moment r3.Vec) {
	edge := float64(c.edge)
	part := edge / pourCut
	leaf := part / pourCut
	p.cut(c.centre, edge)
	p.distances(p.pts, c)
	p.leafs = p.leafs[:0]
	add := func(v float64, x r3.Vec) {
		volume += v
		moment = r3.Add(moment, reproducible.Scale(v, x))
	}
	reach := float32(float64(halfDiagonal*part) + leaf)
	for i, x := range p.pts {
		switch d, was := p.dist[i], p.other[i]; {
		case was < -reach || d > reach:
		case was > reach && d < -reach:
			add(p.m.partWithin(x, part), x)
		default:
			p.leafs = append(p.leafs, x)
		}
	}
	for _, x := range p.leafs {
		p.cut(x, part)
		p.distances(p.pts, c)
		for i, x := range p.pts {
			d, was := float64(p.dist[i])/leaf, float64(p.other[i])/leaf
			if was <= -.5 || d >= 1 {
				continue
			}
			whole := p.m.partWithin(x, leaf)
			if was < .5 { // exact where the two surfaces are parallel planes
				add(float64(whole*(ramp(min(d, was))-ramp(was))), x)
				continue
			}
			add(float64(whole*leafPart(d)), x)
			if k != nil && d < .5 && d > -.5 {
				k.area += whole / leaf
			}
		}
	}
	return volume, moment
}

// ramp goes over from 1 to 0 within an edge of a leaf, by the distance of its centre, edges.
func ramp(d float64) float64 { return max(0, min(1, .5-d)) }

// leafPart is what of a leaf is in a shape, on the average, by the distance of its centre, edges. A ramp over an edge makes a ball of R edges larger by 1/4R² of it,
// one over two edges by 1/R²: of both follows what is right.
func leafPart(d float64) float64 { return (float64(4*ramp(d)) - ramp(float64(.5*d))) / 3 }

// partWithin is what of a cube is in the domain, m³.
func (m *Cells) partWithin(x r3.Vec, edge float64) float64 {
	along := func(x, lo, hi float64) float64 { return max(0, min(x+float64(edge/2), hi)-max(x-float64(edge/2), lo)) }
	lo, hi := m.Domain.Min, m.Domain.Max
	return float64(along(x.X, lo.X, hi.X) * along(x.Y, lo.Y, hi.Y) * along(x.Z, lo.Z, hi.Z))
}

// cut lists the centres of the parts of a cube.
func (p *pouring) cut(centre r3.Vec, edge float64) {
	p.pts = p.pts[:0]
	for i := range pourCut * pourCut * pourCut {
		at := func(k int) float64 { return float64(edge * ((float64(k)+.5)/pourCut - .5)) }
		p.pts = append(p.pts, r3.Add(centre, r3.Vec{X: at(i % pourCut), Y: at(i / pourCut % pourCut), Z: at(i / (pourCut * pourCut))}))
	}
}

// distances writes to dist how far places in a cell are out of the shape, and to other how far out of liquid and solids.
func (p *pouring) distances(at []r3.Vec, c *shellCell) {
	m := p.m
	n := len(at)
	p.dist, p.other, p.solid = arrays.Resize(p.dist, n), arrays.Resize(p.other, n), arrays.Resize(p.solid, n)
	p.shape.Eval(p.dist, at)
	for i := range p.other {
		p.other[i] = c.edge
	}
	if m.Set.Phi[c.cell] < c.edge {
		p.surface.liquidDistance(p.other, at)
	}
	for i := range p.solids {
		p.solids[i].Distance(p.solid, at)
		for i, d := range p.solid {
			p.other[i] = min(p.other[i], d)
		}
	}
}

// liquidDistance writes the distance to the liquid as its tracker has it, m.
func (s *Surface) liquidDistance(dst []float32, at []r3.Vec) {
	if s.copies() {
		s.tracker.Distance(dst, at)
		return
	}
	s.Distance(dst, at)
}
