package shapes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Sphere is an icosahedron around the origin, each triangle divided into four as often as asked: 20·4ⁿ triangles.
func Sphere(radius float64, divisions int) Mesh {
	const long = math.Phi
	m := Mesh{
		Positions: []r3.Vec{
			{X: -1, Y: long}, {X: 1, Y: long}, {X: -1, Y: -long}, {X: 1, Y: -long},
			{Y: -1, Z: long}, {Y: 1, Z: long}, {Y: -1, Z: -long}, {Y: 1, Z: -long},
			{X: long, Z: -1}, {X: long, Z: 1}, {X: -long, Z: -1}, {X: -long, Z: 1},
		},
		Triangles: [][3]int32{
			{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
			{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
		},
	}
	for range divisions {
		m.divide()
	}
	for i, p := range m.Positions {
		m.Positions[i] = r3.Scale(radius, r3.Unit(p))
	}
	return m
}

// divide parts each triangle into four at the middles of its edges, on the sphere of unit radius.
func (m *Mesh) divide() {
	middles := make(map[[2]int32]int32, 3*len(m.Triangles)/2)
	middle := func(a, b int32) int32 {
		edge := [2]int32{min(a, b), max(a, b)}
		i, has := middles[edge]
		if !has {
			i = int32(len(m.Positions))
			m.Positions = append(m.Positions, r3.Unit(r3.Add(r3.Unit(m.Positions[a]), r3.Unit(m.Positions[b]))))
			middles[edge] = i
		}
		return i
	}
	fine := make([][3]int32, 0, 4*len(m.Triangles))
	for _, t := range m.Triangles {
		a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
		fine = append(fine, [3]int32{t[0], a, c}, [3]int32{t[1], b, a}, [3]int32{t[2], c, b}, [3]int32{a, b, c})
	}
	m.Triangles = fine
}

// Torus is a ring around the vertical through the origin: a tube whose middle is at radius from it, with so many
// vertices around the axis and around the tube. It panics if either are fewer than 3.
func Torus(radius, tube float64, around, across int) Mesh {
	if around < 3 || across < 3 {
		panic(fmt.Sprintf("shapes: Torus: %d vertices around and %d across; must be at least 3 each", around, across))
	}
	var m Mesh
	for i := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(around))
		for j := range across {
			up, out := math.Sincos(2 * math.Pi * (float64(j) + float64(i%2)/2) / float64(across))
			r := radius + tube*out
			m.Positions = append(m.Positions, r3.Vec{X: r * sin, Y: tube * up, Z: r * cos})
		}
	}
	at := func(i, j int) int32 { return int32(i%around*across + (j+across)%across) }
	for i := range around {
		// Every other ring is turned by half a step, so that the triangles are even.
		odd, last := i%2, around%2 == 1 && i == around-1
		for j := range across {
			a, b := at(i, j), at(i, j+1)
			switch {
			case last: // two even rings meet where their number is odd
				c, d := at(i+1, j), at(i+1, j+1)
				m.Triangles = append(m.Triangles, [3]int32{a, c, b}, [3]int32{b, c, d})
			case odd == 0:
				c, d := at(i+1, j), at(i+1, j-1)
				m.Triangles = append(m.Triangles, [3]int32{a, c, b}, [3]int32{a, d, c})
			default:
				c, d := at(i+1, j), at(i+1, j+1)
				m.Triangles = append(m.Triangles, [3]int32{a, d, b}, [3]int32{a, c, d})
			}
		}
	}
	return m
}

// Rabbit sits on y = 0 and looks along +z. Its ears are the thinnest, 12 cm if it is 1 m high.
func Rabbit(height float64) Mesh {
	parts := rabbitParts()
	m := contour(func(p r3.Vec) float64 { return distance(parts, p) }, rabbitBox, .028)
	return m.standing(height)
}

var rabbitBox = r3.Box{Min: r3.Vec{X: -.43, Y: -.075, Z: -.595}, Max: r3.Vec{X: .43, Y: 1.08, Z: .49}}

// rabbitParts are those of a rabbit of 1 m.
func rabbitParts() []part {
	parts := []part{
		{0, 0, ellipsoid(r3.Vec{Y: .265, Z: -.1}, r3.Vec{X: .23, Y: .26, Z: .28})},
		{0, .08, ellipsoid(r3.Vec{Y: .31, Z: .1}, r3.Vec{X: .165, Y: .22, Z: .15})},
		{0, .06, ellipsoid(r3.Vec{Y: .585, Z: .17}, r3.Vec{X: .145, Y: .14, Z: .175})},
		{0, .05, ellipsoid(r3.Vec{Y: .545, Z: .285}, r3.Vec{X: .085, Y: .075, Z: .085})},
		{0, .05, ellipsoid(r3.Vec{Y: .24, Z: -.4}, r3.Vec{X: .09, Y: .09, Z: .085})},
	}
	for _, side := range [2]float64{-1, 1} {
		parts = append(parts,
			part{0, .04, capsule(r3.Vec{X: .07 * side, Y: .66, Z: .12}, r3.Vec{X: .125 * side, Y: .93, Z: .0}, .058, .066)},
			part{0, .05, ellipsoid(r3.Vec{X: .19 * side, Y: .2, Z: -.12}, r3.Vec{X: .105, Y: .18, Z: .19})},
			part{0, .05, capsule(r3.Vec{X: .19 * side, Y: .065, Z: -.15}, r3.Vec{X: .21 * side, Y: .065, Z: .05}, .065, .065)},
			part{0, .04, capsule(r3.Vec{X: .1 * side, Y: .3, Z: .17}, r3.Vec{X: .105 * side, Y: .06, Z: .25}, .066, .06)})
	}
	return parts
}

// standing moves the mesh onto y = 0, its middle above the origin, and gives it a height.
func (m Mesh) standing(height float64) Mesh {
	box := m.Bounds()
	foot := r3.Vec{X: (box.Min.X + box.Max.X) / 2, Y: box.Min.Y, Z: (box.Min.Z + box.Max.Z) / 2}
	scale := height / (box.Max.Y - box.Min.Y)
	return m.Deformed(func(p r3.Vec) r3.Vec { return r3.Scale(scale, r3.Sub(p, foot)) })
}

// Bars are two keys with the same triangles and volume, around the origin: a bar of 1 m that lies along x with its
// ends bent up, and one that stands along y with its ends bent to +x. Halfway of straight lines from one to the
// other, the vertices enclose more than half as much again.
// Source: Raveendran et al. 2012, Figure 3.
func Bars() (lying, upright Mesh) {
	const half, thick, aspect = .25, .13, 2.05
	// Faces and edges that run into each other smoothly, and even triangles: flat faces come out of a morph with dents.
	m := Sphere(1, 4).Deformed(func(p r3.Vec) r3.Vec {
		p = r3.Scale(1/roundNorm(p), p)
		return r3.Vec{X: half * p.X, Y: half * p.Y, Z: thick * p.Z}
	})
	const angle = 60 * degree
	bend := Bend(angle, 2*half*aspect)
	lying = m.Deformed(func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X * aspect, Y: p.Y / aspect, Z: p.Z} }, bend)
	upright = m.Deformed(
		func(p r3.Vec) r3.Vec { return r3.Vec{X: p.Y * aspect, Y: -p.X / aspect, Z: p.Z} }, bend,
		func(p r3.Vec) r3.Vec { return r3.Vec{X: -p.Y, Y: p.X, Z: p.Z} })
	// The corners of triangles lie on either side of an arc, by chance not alike in both.
	scale := math.Cbrt(lying.Volume() / upright.Volume())
	return lying, upright.Deformed(func(p r3.Vec) r3.Vec { return r3.Scale(scale, p) })
}

// roundNorm is 1 on a cube of edge 2 whose edges and corners are round.
func roundNorm(p r3.Vec) float64 {
	const corner = 5
	sum := 0.
	for _, x := range [3]float64{p.X, p.Y, p.Z} {
		sum += math.Pow(math.Abs(x), corner)
	}
	return math.Pow(sum, 1./corner)
}
