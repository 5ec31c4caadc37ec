package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A lattice is fine enough for a shape if between its nodes seenPart of the shape's volume is seen. It has edges of a half, a quarter and so on of the mesh's, by halvings, as long as that
// takes no more than mostShapeNodes nodes.
const (
	seenPart       = .8
	halvings       = 4
	mostShapeNodes = 1 << 21
)

// latticeFor is the coarsest lattice that is fine enough for what of a shape in a box is in the domain, or the finest that there may be.
func (t *Tracker) latticeFor(box r3.Box, shape func(dst []float32, at []r3.Vec)) trimesh.Lattice {
	l, s := t.shaping, &t.seeing
	if box = boxes.Intersection(box, t.in.Domain); !boxes.Valid(box) {
		return l
	}
	volume := shapes.Volume(shape, box, l.H)
	for range halvings {
		if !s.sample(&l, &box, shape) || s.volume >= seenPart*volume && !s.misses(shape) {
			break
		}
		finer := l
		finer.H /= 2
		if boxNodes(&finer, &box) > mostShapeNodes {
			break
		}
		l = finer
	}
	return l
}

// boxNodes is about how many nodes a lattice has in a box.
func boxNodes(l *trimesh.Lattice, box *r3.Box) float64 {
	size := r3.Sub(box.Max, box.Min)
	return (size.X/l.H + 2) * (size.Y/l.H + 2) * (size.Z/l.H + 2)
}

// seeing is what a lattice sees of a shape.
type seeing struct {
	low      r3.Vec // its first node, m
	edge     float64
	n        [3]int // cells along each axis
	at       []r3.Vec
	distance []float32 // per node
	part     []float32 // per cell: what of it is inside as the nodes tell
	volume   float64   // m³
}

// sample asks for the distances at the nodes in a box and around it. It reports false if they are too many.
func (s *seeing) sample(l *trimesh.Lattice, box *r3.Box, shape func(dst []float32, at []r3.Vec)) bool {
	if boxNodes(l, box) > mostShapeNodes {
		return false
	}
	s.edge = l.H
	from, to := reproducible.Array(r3.Sub(box.Min, l.Origin)), reproducible.Array(r3.Sub(box.Max, l.Origin))
	origin := reproducible.Array(l.Origin)
	for a := range from {
		first := math.Floor(from[a] / l.H)
		s.n[a] = int(math.Ceil(to[a]/l.H) - first)
		origin[a] += float64(first * l.H)
	}
	s.low, s.at = reproducible.Vector(origin), s.at[:0]
	for k := range s.n[2] + 1 {
		for j := range s.n[1] + 1 {
			for i := range s.n[0] + 1 {
				s.at = append(s.at, s.place(float64(i), float64(j), float64(k)))
			}
		}
	}
	s.distance = arrays.Resize(s.distance, len(s.at))
	shape(s.distance, s.at)
	s.measure()
	return true
}

// place is where something is that is so many cells from the first node, m.
func (s *seeing) place(i, j, k float64) r3.Vec {
	return r3.Add(s.low, reproducible.Scale(s.edge, r3.Vec{X: i, Y: j, Z: k}))
}

// cubeTetrahedra are six tetrahedra that fill a cube, by its corners.
var cubeTetrahedra = [6][4]int{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}

// measure finds what of each cell is inside as its nodes tell.
func (s *seeing) measure() {
	row, layer := s.n[0]+1, (s.n[0]+1)*(s.n[1]+1)
	steps := [8]int{0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1}
	s.part, s.volume = s.part[:0], 0
	for k := range s.n[2] {
		for j := range s.n[1] {
			for i := range s.n[0] {
				var d [8]float64
				in := 0
				for c, step := range steps {
					if d[c] = float64(s.distance[i+row*j+layer*k+step]); d[c] < 0 {
						in++
					}
				}
				part := float64(in / 8)
				if in%8 != 0 {
					for _, v := range &cubeTetrahedra {
						part += geom.PartBelow(&[4]float64{d[v[0]], d[v[1]], d[v[2]], d[v[3]]}) / 6
					}
				}
				s.part = append(s.part, float32(part))
				s.volume += part
			}
		}
	}
	s.volume *= s.edge * s.edge * s.edge
}

// leastMissed is the part of a cell that is worth a finer lattice.
const leastMissed = 1e-3

// misses tells whether the shape is in some cell though the nodes know of nothing in and around it.
func (s *seeing) misses(shape func(dst []float32, at []r3.Vec)) bool {
	s.at = s.at[:0]
	n := 0
	for k := range s.n[2] {
		for j := range s.n[1] {
			for i := range s.n[0] {
				if s.part[n] == 0 && !s.seenAround(i, j, k) {
					s.at = append(s.at, s.place(float64(i)+.5, float64(j)+.5, float64(k)+.5))
				}
				n++
			}
		}
	}
	s.distance = arrays.Resize(s.distance, len(s.at))
	shape(s.distance, s.at)
	half := reproducible.Scale(s.edge/2, r3.Vec{X: 1, Y: 1, Z: 1})
	for i, x := range s.at {
		if float64(s.distance[i]) < math.Sqrt(.75)*s.edge &&
			shapes.Volume(shape, r3.Box{Min: r3.Sub(x, half), Max: r3.Add(x, half)}, s.edge/2) > leastMissed*s.edge*s.edge*s.edge {
			return true
		}
	}
	return false
}

// seenAround tells whether the nodes know of something in a cell or one around it.
func (s *seeing) seenAround(i, j, k int) bool {
	for z := max(0, k-1); z <= min(s.n[2]-1, k+1); z++ {
		for y := max(0, j-1); y <= min(s.n[1]-1, j+1); y++ {
			for x := max(0, i-1); x <= min(s.n[0]-1, i+1); x++ {
				if s.part[x+s.n[0]*(y+s.n[1]*z)] > 0 {
					return true
				}
			}
		}
	}
	return false
}
