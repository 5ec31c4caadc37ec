package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// part is one piece of a shape: its distance, less than 0 inside, and over what length it blends into those before it.
type part struct {
	bone     Bone // that moves it
	blend    float64
	distance func(p r3.Vec) float64
}

// distance is that of the smooth union, m: exact nowhere, but 0 on the surface alone and smooth where parts meet.
func distance(parts []part, p r3.Vec) float64 {
	d := math.Inf(1)
	for _, part := range parts {
		d = smoothMin(d, part.distance(p), part.blend)
	}
	return d
}

// smoothMin is the lesser of a and b, rounded by a parabola where they differ by less than width.
func smoothMin(a, b, width float64) float64 {
	if h := width - math.Abs(a-b); h > 0 {
		return min(a, b) - h*h/(4*width)
	}
	return min(a, b)
}

// capsule is the hull of two spheres.
func capsule(a, b r3.Vec, ra, rb float64) func(r3.Vec) float64 {
	along := r3.Sub(b, a)
	length := r3.Norm(along)
	axis := r3.Scale(1/length, along)
	slope := (ra - rb) / length // sine of the half angle of the cone between them
	cosine := math.Sqrt(1 - slope*slope)
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, a)
		y := r3.Dot(q, axis)
		x := math.Sqrt(max(0, r3.Norm2(q)-y*y))
		switch k := cosine*y - slope*x; {
		case k < 0:
			return math.Hypot(x, y) - ra
		case k > cosine*length:
			return math.Hypot(x, y-length) - rb
		}
		return cosine*x + slope*y - ra
	}
}

// ellipsoid has its axes along x, y and z. Its distance is exact to first order near the surface.
func ellipsoid(centre, radii r3.Vec) func(r3.Vec) float64 {
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, centre)
		a := r3.Norm(r3.Vec{X: q.X / radii.X, Y: q.Y / radii.Y, Z: q.Z / radii.Z})
		b := r3.Norm(r3.Vec{X: q.X / (radii.X * radii.X), Y: q.Y / (radii.Y * radii.Y), Z: q.Z / (radii.Z * radii.Z)})
		if b < 1e-12 {
			return -min(radii.X, radii.Y, radii.Z)
		}
		return a * (a - 1) / b
	}
}

// bowl is a flat disc with its edge raised: a dish that a body stands in. radius is that of the whole, thick that of its
// disc, and lift is how much the edge is above the disc's middle.
func bowl(centre r3.Vec, radius, thick, lift float64) func(r3.Vec) float64 {
	half := thick / 2
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, centre)
		r := math.Hypot(q.X, q.Z)
		u := min(1, r/radius)
		y := q.Y - lift*u*u*u
		return math.Hypot(max(0, r-(radius-half)), y) - half
	}
}

// lathe is a polygon of (distance from the axis, height) turned about the vertical through the origin, made larger by
// round and with folds: waves of the radius whose depth grows from nothing at top to depth at bottom.
type lathe struct {
	profile           [][2]float64
	round             float64
	folds, depth      float64
	foldTop, foldFoot float64
}

func (l lathe) distance(p r3.Vec) float64 {
	r := math.Hypot(p.X, p.Z)
	if l.folds > 0 {
		s := ramp((l.foldTop - p.Y) / (l.foldTop - l.foldFoot))
		r -= l.depth * s * math.Cos(l.folds*math.Atan2(p.X, p.Z)) * ramp(r/.15)
	}
	return polygonDistance(l.profile, r, p.Y) - l.round
}

// polygonDistance is the signed distance in the plane, less than 0 inside. A side on the axis x = 0 counts as inside.
func polygonDistance(corners [][2]float64, x, y float64) float64 {
	least, inside := math.Inf(1), false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		ex, ey, wx, wy := b[0]-a[0], b[1]-a[1], x-a[0], y-a[1]
		if a[0] != 0 || b[0] != 0 {
			t := max(0, min(1, (wx*ex+wy*ey)/(ex*ex+ey*ey)))
			least = min(least, math.Hypot(wx-t*ex, wy-t*ey))
		}
		if (a[1] > y) != (b[1] > y) && x < a[0]+ex*(y-a[1])/ey {
			inside = !inside
		}
	}
	if inside {
		return -least
	}
	return least
}

// ramp goes from 0 at 0 to 1 at 1 with no slope at either.
func ramp(u float64) float64 {
	u = max(0, min(1, u))
	return u * u * (3 - 2*u)
}

// gradient is that of a distance, by differences towards the corners of a tetrahedron.
func gradient(field func(r3.Vec) float64, p r3.Vec) r3.Vec {
	const h = 1e-4
	var g r3.Vec
	for _, d := range [4]r3.Vec{{X: 1, Y: -1, Z: -1}, {X: -1, Y: -1, Z: 1}, {X: -1, Y: 1, Z: -1}, {X: 1, Y: 1, Z: 1}} {
		g = r3.Add(g, r3.Scale(field(r3.Add(p, r3.Scale(h, d)))/(4*h), d))
	}
	return g
}
