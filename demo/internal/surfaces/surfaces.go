// Package surfaces measures the surfaces of liquids: how much they enclose and where, how large they are, and how they hang together.
package surfaces

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Moments are those of what a surface encloses.
type Moments struct {
	Volume float64 // m³
	Centre r3.Vec  // from the point that they are about, m
	Square r3.Vec  // of x², y² and z² about the point, m⁵
}

// MomentsOf measures what a surface encloses about a point, m.
func MomentsOf(s *fluid.Surface, about r3.Vec) (m Moments) {
	for t := 0; t < len(s.Indices); t += 3 {
		a, b, c := r3.Sub(vertex(s, t), about), r3.Sub(vertex(s, t+1), about), r3.Sub(vertex(s, t+2), about)
		v := r3.Dot(a, r3.Cross(b, c)) / 6
		m.Volume += v
		m.Centre = r3.Add(m.Centre, r3.Scale(v/4, r3.Add(a, r3.Add(b, c))))
		square := func(a, b, c float64) float64 { return v / 10 * (a*a + b*b + c*c + a*b + b*c + c*a) }
		m.Square = r3.Add(m.Square, r3.Vec{X: square(a.X, b.X, c.X), Y: square(a.Y, b.Y, c.Y), Z: square(a.Z, b.Z, c.Z)})
	}
	if m.Volume != 0 {
		m.Centre = r3.Scale(1/m.Volume, m.Centre)
	}
	return m
}

// vertex is that at a place in the list of indices, m.
func vertex(s *fluid.Surface, at int) r3.Vec {
	p := s.Positions[3*s.Indices[at]:]
	return r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// Area is how large a surface is, walls and all, m².
func Area(s *fluid.Surface) (area float64) {
	for t := 0; t < len(s.Indices); t += 3 {
		a := vertex(s, t)
		area += r3.Norm(r3.Cross(r3.Sub(vertex(s, t+1), a), r3.Sub(vertex(s, t+2), a))) / 2
	}
	return area
}

// Sphericity is the area of a ball over that of a surface that encloses as much: 1 at most.
func Sphericity(volume, area float64) float64 {
	if !(volume > 0 && area > 0) {
		return 0
	}
	return math.Cbrt(36*math.Pi*volume*volume) / area
}

// Topology counts how a surface hangs together.
type Topology struct {
	Pieces  int     // of liquid, each with a skin of its own
	Bubbles int     // skins of air within liquid
	Holes   int     // through the pieces: a ring has one
	Largest float64 // piece, m³
}

// TopologyOf counts a surface. Vertices at one place are one. Where two parts touch in a point, that counts as a hole of theirs.
func TopologyOf(s *fluid.Surface) (t Topology) {
	weld, places := make([]int32, len(s.Positions)/3), make(map[[3]float32]int32, len(s.Positions)/3)
	for i := range weld {
		p := [3]float32(s.Positions[3*i:])
		first, known := places[p]
		if !known {
			first = int32(len(places))
			places[p] = first
		}
		weld[i] = first
	}
	parent := make([]int32, len(places))
	for i := range parent {
		parent[i] = int32(i)
	}
	for i := 0; i < len(s.Indices); i += 3 {
		a := root(parent, weld[s.Indices[i]])
		for _, v := range s.Indices[i+1 : i+3] {
			parent[root(parent, weld[v])] = a
		}
	}
	type part struct {
		vertices, triangles int
		volume              float64
	}
	parts := make([]part, len(parent))
	for i := range parent {
		parts[root(parent, int32(i))].vertices++
	}
	for i := 0; i < len(s.Indices); i += 3 {
		p := &parts[root(parent, weld[s.Indices[i]])]
		p.triangles++
		p.volume += r3.Dot(vertex(s, i), r3.Cross(vertex(s, i+1), vertex(s, i+2))) / 6
	}
	for _, p := range parts {
		if p.triangles == 0 {
			continue
		}
		if p.volume > 0 {
			t.Pieces++
			t.Largest = max(t.Largest, p.volume)
		} else {
			t.Bubbles++
		}
		// A closed surface has half as many edges again as triangles.
		t.Holes += max(0, 1-(p.vertices-p.triangles/2)/2)
	}
	return t
}

// root is the vertex that stands for all that hangs together with one.
func root(parent []int32, i int32) int32 {
	for parent[i] != i {
		parent[i] = parent[parent[i]]
		i = parent[i]
	}
	return i
}

// Drop is a ball that is stretched in its second mode, as a drop that swings is. It is a fluid.Shape.
type Drop struct {
	Centre          r3.Vec  // m
	Along           r3.Vec  // unit vector that it is stretched along; of no matter without Stretch
	Radius, Stretch float64 // m, and of the radius
}

// Eval writes about how far points are from the surface, m.
func (d Drop) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		x := r3.Sub(p, d.Centre)
		r := r3.Norm(x)
		c := r3.Dot(x, d.Along) / max(r, 1e-9)
		dst[i] = float32(r - d.Radius*(1+d.Stretch*(1.5*c*c-.5)))
	}
}

// Bounds is a box around the drop.
func (d Drop) Bounds() r3.Box {
	r := d.Radius * (1 + math.Abs(d.Stretch))
	return r3.Box{Min: r3.Sub(d.Centre, r3.Vec{X: r, Y: r, Z: r}), Max: r3.Add(d.Centre, r3.Vec{X: r, Y: r, Z: r})}
}

// Lamb is the period of a drop's second mode, s: ω² = 8σ/(ρR³), for a radius, m, a density, kg/m³, and a tension, N/m.
//
// Source: Lamb 1932, §275.
func Lamb(radius, density, tension float64) float64 {
	return 2 * math.Pi * math.Sqrt(density*radius*radius*radius/(8*tension))
}

// Radius is that of a ball of a volume, m.
func Radius(volume float64) float64 { return math.Cbrt(3 / (4 * math.Pi) * volume) }
