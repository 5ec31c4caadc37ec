package topology

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Shape is a closed surface.
type Shape struct {
	Position []r3.Vec
	Triangle [][3]int32
	Label    int32
}

// Labelled is the same shape with a label.
func (s Shape) Labelled(label int32) Shape {
	s.Label = label
	return s
}

// Cavity is the same shape with its inside outside.
func (s Shape) Cavity() Shape {
	for i, v := range s.Triangle {
		s.Triangle[i] = [3]int32{v[0], v[2], v[1]}
	}
	return s
}

// Moved is the same shape somewhere else.
func (s Shape) Moved(by r3.Vec) Shape {
	for i, x := range s.Position {
		s.Position[i] = r3.Add(x, by)
	}
	return s
}

// Ball lies around the origin: an octahedron with its triangles divided, of edges of about a length.
func Ball(radius, edge float64) (s Shape) {
	// Four edges go around the equator.
	n := max(1, int(math.Round(math.Pi/2*radius/edge)))
	s = octahedron(n)
	for i, x := range s.Position {
		// Equal steps of the angle keep edges of about one length.
		y := reproducible.Array(x)
		for k := range y {
			sin, _ := reproducible.Sincos(math.Pi / 2 * y[k] / float64(n))
			y[k] = sin
		}
		s.Position[i] = reproducible.Scale(radius, reproducible.Unit(reproducible.Vector(y)))
	}
	return s
}

// octahedron has its corners at ±n on the axes, and n² triangles to a side with whole coordinates.
func octahedron(n int) (s Shape) {
	number := map[[3]int]int32{}
	at := func(p [3]int) int32 {
		if v, ok := number[p]; ok {
			return v
		}
		number[p] = int32(len(s.Position))
		s.Position = append(s.Position, r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
		return number[p]
	}
	for side := range 8 {
		x, y, z := 1-2*(side&1), 1-side&2, 1-side>>1&2
		place := func(i, j int) int32 { return at([3]int{x * i, y * j, z * (n - i - j)}) }
		add := func(a, b, c int32) {
			if x*y*z < 0 {
				b, c = c, b
			}
			s.Triangle = append(s.Triangle, [3]int32{a, b, c})
		}
		for i := range n {
			for j := range n - i {
				add(place(i, j), place(i+1, j), place(i, j+1))
				if i+j < n-1 {
					add(place(i+1, j), place(i+1, j+1), place(i, j+1))
				}
			}
		}
	}
	return s
}

// Torus lies around the origin in the plane z = 0.
func Torus(radius, tube, edge float64) (s Shape) {
	around, across := max(3, int(math.Round(2*math.Pi*radius/edge))), max(3, int(math.Round(2*math.Pi*tube/edge)))
	for i := range around {
		sin, cos := reproducible.Sincos(2 * math.Pi * float64(i) / float64(around))
		for j := range across {
			up, out := reproducible.Sincos(2 * math.Pi * float64(j) / float64(across))
			r := radius + float64(tube*out)
			s.Position = append(s.Position, r3.Vec{X: r * cos, Y: r * sin, Z: tube * up})
			a, b := int32(i*across+j), int32((i+1)%around*across+j)
			c, d := int32((i+1)%around*across+(j+1)%across), int32(i*across+(j+1)%across)
			s.Triangle = append(s.Triangle, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return s
}

// Block lies around the origin: its sides are squares of two triangles.
func Block(size r3.Vec, edge float64) (s Shape) {
	number := map[[3]int]int32{}
	lengths := reproducible.Array(size)
	var n [3]int
	for k := range n {
		n[k] = max(1, int(math.Round(lengths[k]/edge)))
	}
	at := func(p [3]int) int32 {
		if v, ok := number[p]; ok {
			return v
		}
		var x [3]float64
		for k := range x {
			x[k] = lengths[k] * (float64(p[k])/float64(n[k]) - .5)
		}
		number[p] = int32(len(s.Position))
		s.Position = append(s.Position, reproducible.Vector(x))
		return number[p]
	}
	for axis := range 3 {
		u, w := (axis+1)%3, (axis+2)%3
		for i := range n[u] {
			for j := range n[w] {
				for side := range 2 {
					var corner [4]int32
					for k, c := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						var p [3]int
						p[axis], p[u], p[w] = side*n[axis], i+c[0], j+c[1]
						corner[k] = at(p)
					}
					if side == 0 {
						corner[1], corner[3] = corner[3], corner[1]
					}
					s.Triangle = append(s.Triangle, [3]int32{corner[0], corner[1], corner[2]}, [3]int32{corner[0], corner[2], corner[3]})
				}
			}
		}
	}
	return s
}

// Dumbbell is a solid of revolution about x, twice as long as half, with bulbs of a radius and a waist of another.
func Dumbbell(half, radius, waist, edge float64) Shape {
	s := Ball(1, edge/radius)
	for i, x := range s.Position {
		r := math.Sqrt(float64(x.Y*x.Y) + float64(x.Z*x.Z))
		along := half * x.X
		// Round at the ends, where along is within a radius of half, and narrow in the middle.
		to := waist + float64((radius-waist)*min(1, float64(along*along)*4/float64(half*half)))
		if end := math.Abs(along) - (half - radius); end > 0 {
			to = radius * math.Sqrt(max(0, 1-float64(end*end)/float64(radius*radius)))
		}
		f := 0.
		if r > 0 {
			f = to / r
		}
		s.Position[i] = r3.Vec{X: along, Y: f * x.Y, Z: f * x.Z}
	}
	return s
}
