package adapter

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid"
)

// SurfaceCopy is a copy of a liquid's surface for drawing, with what its shading needs. No step writes to it while steps
// run beside the frames.
type SurfaceCopy struct {
	fluid.Surface
	Bounds [6]float32 // bounds, the least corner first, m
	// Level is the mean height of the free surface over the ground that it covers, m, however its triangles are spread. What flies counts by its
	// volume, as if it had fallen back in: of a splashing pool this is the level at which it will come to rest. Where the surface covers no
	// ground, as that of a ball in the air, it is the mean height of the surface by area. It is 0 where there is no free surface.
	Level float32
	// Wetness is how wet what stands still is, in the world, with Options.Drying.
	Wetness WetGrid
}

// take copies a source's surface, and what it has wetted.
func (p *SurfaceCopy) take(source Source, w *wetness) {
	p.CopyFrom(source.Surface())
	if w != nil {
		p.Wetness.CopyFrom(&w.still)
	}
}

// CopyFrom makes p a copy of s.
func (p *SurfaceCopy) CopyFrom(s *fluid.Surface) {
	p.Positions = append(p.Positions[:0], s.Positions...)
	p.Normals = append(p.Normals[:0], s.Normals...)
	p.Velocities = append(p.Velocities[:0], s.Velocities...)
	p.Foam = append(p.Foam[:0], s.Foam...)
	p.Indices = append(p.Indices[:0], s.Indices...)
	p.Free = s.Free
	p.Droplets = append(p.Droplets[:0], s.Droplets...)
	p.DropletVelocities = append(p.DropletVelocities[:0], s.DropletVelocities...)
	to, from := &p.WhiteWater, &s.WhiteWater
	to.Spheres, to.Velocities = append(to.Spheres[:0], from.Spheres...), append(to.Velocities[:0], from.Velocities...)
	to.Life, to.Kind = append(to.Life[:0], from.Life...), append(to.Kind[:0], from.Kind...)
	p.updateBounds()
}

// Complete reports whether there are triangles, and all that they are drawn with.
func (p *SurfaceCopy) Complete() bool {
	n := len(p.Positions)
	return n >= 9 && len(p.Indices) >= 3 && len(p.Normals) >= n && len(p.Velocities) >= n && len(p.Foam) >= n/3
}

// Triangles puts the surface into a list, s seconds back along the vertices' velocities: into
// dst's own slices, as far as they reach. Texcoords are the foam, and 0.
func (p *SurfaceCopy) Triangles(dst *TriangleList, s float64) {
	dst.Positions, dst.Normals, dst.Texcoords = dst.Positions[:0], dst.Normals[:0], dst.Texcoords[:0]
	if !p.Complete() {
		return
	}
	back := float32(s)
	for _, i := range p.Indices {
		x, v, n := p.Positions[3*i:3*i+3], p.Velocities[3*i:3*i+3], p.Normals[3*i:3*i+3]
		dst.Positions = append(dst.Positions, x[0]-back*v[0], x[1]-back*v[1], x[2]-back*v[2])
		dst.Normals = append(dst.Normals, n...)
		dst.Texcoords = append(dst.Texcoords, p.Foam[i], 0)
	}
}

// updateBounds computes the surface's bounds and its level.
func (p *SurfaceCopy) updateBounds() {
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	v := p.Positions
	for i := 0; i+2 < len(v); i += 3 {
		x, y, z := v[i], v[i+1], v[i+2]
		lo[0], hi[0] = min(lo[0], x), max(hi[0], x)
		lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
		lo[2], hi[2] = min(lo[2], z), max(hi[2], z)
	}
	p.Bounds = [6]float32{lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]}
	p.Level = p.meanHeight()
}

// leastCover is the part of the free surface's area that it must cover of the ground for its level to be that over the ground: what closes in
// itself covers none, but for rounding.
const leastCover = .01

// meanHeight is Level. What faces down counts against what faces up, so that closed parts count by their volume.
func (p *SurfaceCopy) meanHeight() float32 {
	var ground, overGround, area, overArea float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := 0; i+2 < min(p.Free, len(p.Indices)); i += 3 {
		var x [3][3]float64
		for k, at := range p.Indices[i : i+3] {
			if 3*int(at)+2 >= len(p.Positions) {
				return 0
			}
			for c := range x[k] {
				x[k][c] = float64(p.Positions[3*int(at)+c])
			}
			lo, hi = min(lo, x[k][1]), max(hi, x[k][1])
		}
		var e [2][3]float64
		for c := range 3 {
			e[0][c], e[1][c] = x[1][c]-x[0][c], x[2][c]-x[0][c]
		}
		up := (e[0][2]*e[1][0] - e[0][0]*e[1][2]) / 2 // area as seen from above, m²
		side, front := (e[0][1]*e[1][2]-e[0][2]*e[1][1])/2, (e[0][0]*e[1][1]-e[0][1]*e[1][0])/2
		all, height := math.Sqrt(up*up+side*side+front*front), (x[0][1]+x[1][1]+x[2][1])/3
		ground, overGround = ground+up, overGround+up*height
		area, overArea = area+all, overArea+all*height
	}
	switch {
	case area == 0:
		return 0
	case math.Abs(ground) < leastCover*area:
		return float32(overArea / area)
	}
	return float32(max(lo, min(overGround/ground, hi)))
}

// Contains reports whether a point, world space in m, is in the liquid. y is up.
func (p *SurfaceCopy) Contains(x, y, z float32) bool {
	// A point is inside if a vertical line from it crosses the surface an odd number of times. Of triangles that share an
	// edge the line crosses one.
	at := [3]float32{x, y, z}
	b := &p.Bounds
	if !p.Complete() || at[0] < b[0] || at[1] < b[1] || at[2] < b[2] || at[0] > b[3] || at[1] > b[4] || at[2] > b[5] {
		return false
	}
	inside := false
	for i := 0; i+2 < len(p.Indices); i += 3 {
		if p.above(p.Indices[i:i+3], at) {
			inside = !inside
		}
	}
	return inside
}

// above reports whether the line straight up from a point meets a triangle: whether the point
// is between the two edges that cross its z. Edges are cut from their end of less z, so that
// two triangles agree on where.
func (p *SurfaceCopy) above(triangle []uint32, at [3]float32) bool {
	var x, y [2]float32
	n := 0
	for k := range triangle {
		a, b := p.Positions[3*triangle[k]:], p.Positions[3*triangle[(k+1)%3]:]
		if (a[2] > at[2]) == (b[2] > at[2]) {
			continue
		}
		if a[2] > b[2] {
			a, b = b, a
		}
		s := (at[2] - a[2]) / (b[2] - a[2])
		x[n], y[n] = a[0]+s*(b[0]-a[0]), a[1]+s*(b[1]-a[1])
		n++
	}
	if n < 2 || (x[0] > at[0]) == (x[1] > at[0]) {
		return false
	}
	return y[0]+(y[1]-y[0])*(at[0]-x[0])/(x[1]-x[0]) > at[1]
}
