package site

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
)

// grass is a lawn, darker and lighter by the metre and by the blade.
func grass(p *raytrace.Point) raytrace.Colour {
	x, z := p.Position.X, p.Position.Z
	coarse, fine := raytrace.Noise(.7*x, .7*z, 1), raytrace.Noise(60*x, 60*z, 2)
	return r3.Scale(.55+.5*fine+.25*coarse, raytrace.Colour{X: .10 + .05*coarse, Y: .19, Z: .045})
}

// plastered is whitewashed render with stains.
func plastered(p *raytrace.Point) raytrace.Colour {
	u, v := p.Position.X+p.Position.Z, p.Position.Y
	stain := .5*raytrace.Noise(1.3*u, .6*v, 5) + .3*raytrace.Noise(5*u, 3*v, 6) + .2*raytrace.Noise(60*u, 60*v, 7)
	return r3.Scale(.84+.24*stain, raytrace.Colour{X: .78, Y: .72, Z: .62})
}

// foliage is leaves in light and shade.
func foliage(p *raytrace.Point) raytrace.Colour {
	q := p.Position
	u, v := q.X+.7*q.Z, q.Y+.3*q.Z-.2*q.X
	leaf := raytrace.Noise(70*u, 55*v, 8)*.6 + raytrace.Noise(28*u, 24*v, 10)*.4
	clump := raytrace.Noise(8*(q.X-.5*q.Z), 8*(q.Y+.4*q.X), 9)
	deep := smooth(.25, .75, leaf*(.6+.8*clump))
	return r3.Add(r3.Scale(1-deep, raytrace.Colour{X: .012, Y: .026, Z: .010}), r3.Scale(deep, raytrace.Colour{X: .11, Y: .19, Z: .055}))
}

// smooth rises from 0 at lo to 1 at hi.
func smooth(lo, hi, x float64) float64 {
	t := max(0, min(1, (x-lo)/(hi-lo)))
	return t * t * (3 - 2*t)
}

// tree is a crown of leaves on the ground, of a radius and a height, uneven by a seed.
func tree(foot r3.Vec, radius, height float64, seed uint32, m *raytrace.Material) raytrace.Mesh {
	const around, up = 32, 40
	mesh := raytrace.Mesh{Material: m}
	point := func(i, j int) r3.Vec {
		v := float64(j) / up
		sin, cos := math.Sincos(2 * math.Pi * float64(i%around) / around)
		r := radius * math.Pow(math.Sin(math.Pi*math.Pow(v, .8)), .55) * (1 - .35*v)
		if j == 0 || j == up {
			r = 0
		}
		bump := .22*(raytrace.Noise(5*cos+9, 5*sin+14*v*height/2, seed)-.5) + .30*(raytrace.Noise(13*cos+20, 13*sin+40*v*height/2, seed+1)-.5)
		r *= 1 + bump
		return r3.Add(foot, r3.Vec{X: r * cos, Y: v * height, Z: r * sin})
	}
	for j := range up + 1 {
		for i := range around {
			mesh.Positions = append(mesh.Positions, point(i, j))
		}
	}
	for j := range up {
		for i := range around {
			a, b := int32(j*around+i), int32(j*around+(i+1)%around)
			mesh.Triangles = append(mesh.Triangles, [3]int32{a, a + around, b}, [3]int32{b, a + around, b + around})
		}
	}
	mesh.Normals = means(mesh.Positions, mesh.Triangles)
	return mesh
}

// means are the unit normals at a mesh's corners, by the areas about them; up where there are none.
func means(positions []r3.Vec, triangles [][3]int32) []r3.Vec {
	normals := make([]r3.Vec, len(positions))
	for _, t := range triangles {
		n := r3.Cross(r3.Sub(positions[t[1]], positions[t[0]]), r3.Sub(positions[t[2]], positions[t[0]]))
		for _, c := range t {
			normals[c] = r3.Add(normals[c], n)
		}
	}
	for i, n := range normals {
		if r3.Norm2(n) == 0 {
			n.Y = 1
		}
		normals[i] = r3.Unit(n)
	}
	return normals
}
