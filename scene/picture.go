package scene

import (
	"math"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// picture is a copy of a surface to draw, with what its shading needs of it.
type picture struct {
	fluid.Surface
	box   [6]float32 // bounds, the least corner first, m
	level float32    // mean height of the free surface, m
}

// take makes p a copy of s, which is the source's own and changes with it.
func (p *picture) take(s *fluid.Surface) {
	p.Positions = append(p.Positions[:0], s.Positions...)
	p.Normals = append(p.Normals[:0], s.Normals...)
	p.Velocities = append(p.Velocities[:0], s.Velocities...)
	p.Foam = append(p.Foam[:0], s.Foam...)
	p.Indices = append(p.Indices[:0], s.Indices...)
	p.Free = s.Free
	p.Droplets = append(p.Droplets[:0], s.Droplets...)
	p.DropletVelocities = append(p.DropletVelocities[:0], s.DropletVelocities...)
	p.measure()
}

// complete reports whether there are triangles, and all that they are drawn with.
func (p *picture) complete() bool {
	n := len(p.Positions)
	return n >= 9 && len(p.Indices) >= 3 && len(p.Normals) >= n && len(p.Velocities) >= n && len(p.Foam) >= n/3
}

// measure finds the surface's bounds and its free part's mean height.
func (p *picture) measure() {
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	v := p.Positions
	for i := 0; i+2 < len(v); i += 3 {
		x, y, z := v[i], v[i+1], v[i+2]
		lo[0], hi[0] = min(lo[0], x), max(hi[0], x)
		lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
		lo[2], hi[2] = min(lo[2], z), max(hi[2], z)
	}
	p.box = [6]float32{lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]}
	sum, count := 0.0, 0
	for i := 0; i < p.Free; i += 3 {
		if k := 3 * int(p.Indices[i]); k+1 < len(v) {
			sum += float64(v[k+1])
			count++
		}
	}
	if count > 0 {
		p.level = float32(sum / float64(count))
	}
}

// holds reports whether a point is in the liquid: whether what is straight above it is more
// often left than entered. Of triangles that share an edge the line goes through one.
func (p *picture) holds(at math32.Vector3) bool {
	b := &p.box
	if !p.complete() || at.X < b[0] || at.Y < b[1] || at.Z < b[2] || at.X > b[3] || at.Y > b[4] || at.Z > b[5] {
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
func (p *picture) above(triangle []uint32, at math32.Vector3) bool {
	var x, y [2]float32
	n := 0
	for k := range triangle {
		a, b := p.Positions[3*triangle[k]:], p.Positions[3*triangle[(k+1)%3]:]
		if (a[2] > at.Z) == (b[2] > at.Z) {
			continue
		}
		if a[2] > b[2] {
			a, b = b, a
		}
		s := (at.Z - a[2]) / (b[2] - a[2])
		x[n], y[n] = a[0]+s*(b[0]-a[0]), a[1]+s*(b[1]-a[1])
		n++
	}
	if n < 2 || (x[0] > at.X) == (x[1] > at.X) {
		return false
	}
	return y[0]+(y[1]-y[0])*(at.X-x[0])/(x[1]-x[0]) > at.Y
}
