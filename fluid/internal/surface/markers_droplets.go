package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// Droplets are spheres of liquid too small for the grid, in free flight.
type Droplets struct {
	// Position xyz, m; Velocity xyz, m/s; Radius, m.
	Position, Velocity, Radius []float32
	// Volume of all droplets, m³: liquid that is not on the grid.
	Volume float64
	// Born, Merged and Lost are the volumes, m³, that became droplets, came back into the
	// liquid, and ended at walls in the last Advance; Volume is their running balance.
	Born, Merged, Lost float64
	// Momentum is Σ volume·velocity of what merged in the last Advance, m³·m/s: times the
	// density, what the liquid received.
	Momentum [3]float64
	// Refused counts the markers that Max kept from becoming droplets in the last Advance.
	Refused int

	// Gravity, m/s².
	Gravity [3]float64
	// Solid is the solids' distance, m, negative inside, or nil.
	Solid *grid.Scalar
	// Max is the most droplets. Default 20 000.
	Max int
	// Bounce is the part of the normal speed that a solid gives back, Slide the part of
	// the tangential speed that it leaves. Defaults .2 and .7: wet walls.
	Bounce, Slide float32
	// Rest is the speed below which a droplet sticks to a solid and is lost, m/s. Default .15.
	Rest float32

	kept droplets // before the last Advance
}

func (d *Droplets) init() {
	d.Max, d.Bounce, d.Slide, d.Rest = 20_000, .2, .7, .15
}

func (d *Droplets) clear() {
	d.truncate(0)
	d.Volume, d.Born, d.Merged, d.Lost, d.Refused, d.Momentum = 0, 0, 0, 0, 0, [3]float64{}
}

func (d *Droplets) truncate(n int) {
	d.Position, d.Velocity, d.Radius = d.Position[:3*n], d.Velocity[:3*n], d.Radius[:n]
}

// Len is the number of droplets.
func (d *Droplets) Len() int { return len(d.Radius) }

func sphere(r float32) float64 {
	return float64(4 / 3. * math.Pi * float64(r) * float64(r) * float64(r))
}

// reserve makes room for Max droplets before there is the first.
func (d *Droplets) reserve() {
	if d.Position == nil {
		d.Position = make([]float32, 0, 3*d.Max)
		d.Velocity = make([]float32, 0, 3*d.Max)
		d.Radius = make([]float32, 0, d.Max)
	}
}

// Add starts a droplet: x in metres, v in m/s, r in metres. It tells whether there was room.
func (d *Droplets) Add(x, v [3]float32, r float32) bool {
	if len(d.Radius) >= d.Max {
		d.Refused++
		return false
	}
	d.reserve()
	d.Position = append(d.Position, x[:]...)
	d.Velocity = append(d.Velocity, v[:]...)
	d.Radius = append(d.Radius, r)
	d.Born += sphere(r)
	d.Volume += sphere(r)
	return true
}

func (d *Droplets) add(g *grid.Grid, p grid.Point, v [3]float32, r float32) {
	for a := range v {
		if !(abs32(v[a]) < 1e6) {
			v[a] = 0
		}
	}
	x, y, z := g.ToMetres(p)
	d.Add([3]float32{float32(x), float32(y), float32(z)}, v, r)
}

// begin forgets the counts of the step before.
func (d *Droplets) begin() {
	d.Born, d.Merged, d.Lost, d.Refused, d.Momentum = 0, 0, 0, 0, [3]float64{}
}

// advance lets the first droplets fall for dt seconds, and takes out those that met liquid, the
// end of the grid, or rest on a solid. The order of the rest stays. Like the surface they move by the velocity that they have, and then
// get what gravity adds: each is exact half a step on. Those that have just been born, where the surface now is, get only that.
func (d *Droplets) advance(s *LevelSet, dt float64, first int) {
	kept := 0
	for i, r := range d.Radius[:first] {
		var x, v [3]float32
		for a := range 3 {
			v[a] = d.Velocity[3*i+a] + float32(d.Gravity[a]*dt)
			x[a] = d.Position[3*i+a] + float32(float32(dt)*d.Velocity[3*i+a])
		}
		p := s.g.ToPoint(float64(x[0]), float64(x[1]), float64(x[2]))
		if d.stopped(s, i, &p) {
			mx, my, mz := s.g.ToMetres(p)
			x, v = [3]float32{float32(mx), float32(my), float32(mz)}, [3]float32{}
		}
		switch {
		case !inBox(p, s.g.Dim):
			d.Lost += sphere(r)
			continue
		case s.phiNear(p) < 0:
			d.Merged += sphere(r)
			for a := range 3 {
				d.Momentum[a] += float64(sphere(r) * float64(v[a]))
			}
			continue
		case d.Solid != nil && d.hit(p, &x, &v, r):
			d.Lost += sphere(r)
			continue
		}
		copy(d.Position[3*kept:], x[:])
		copy(d.Velocity[3*kept:], v[:])
		d.Radius[kept] = r
		kept++
	}
	copy(d.Position[3*kept:], d.Position[3*first:])
	for i, v := range d.Velocity[3*first:] {
		d.Velocity[3*kept+i] = v + float32(d.Gravity[i%3]*dt)
	}
	kept += copy(d.Radius[kept:], d.Radius[first:])
	d.truncate(kept)
	d.Volume -= d.Merged + d.Lost
	if kept == 0 {
		d.Volume = 0 // and with it what rounding left
	}
}

// stopped tells whether a thin wall stands in droplet i's way to p, and moves p before it.
func (d *Droplets) stopped(s *LevelSet, i int, p *grid.Point) bool {
	from := s.g.ToPoint(float64(d.Position[3*i]), float64(d.Position[3*i+1]), float64(d.Position[3*i+2]))
	b := s.g.BaseAt(int(from.X), int(from.Y), int(from.Z))
	if s.ClipAhead == nil || b == grid.None || !s.clips(b) {
		return false
	}
	w := &s.work[0]
	w.from[0], w.to[0] = from, *p
	s.ClipAhead(0, b, w.from[:1], w.to[:1])
	moved := *p != w.to[0]
	*p = w.to[0]
	return moved
}

// hit bounces a droplet off the solid; true where it comes to rest.
func (d *Droplets) hit(p grid.Point, x, v *[3]float32, r float32) bool {
	dist, n := d.Solid.Gradient(p)
	if dist > r {
		return false
	}
	l := sqrt32(float32(n[0]*n[0]) + float32(n[1]*n[1]) + float32(n[2]*n[2]))
	if !(l > 1e-6) {
		return true
	}
	vn := float32(0)
	for a := range n {
		n[a] /= l
		vn += float32(v[a] * n[a])
	}
	speed := float32(0)
	for a := range n {
		x[a] += float32((r - dist) * n[a])
		if vn < 0 {
			v[a] = float32(d.Slide*(v[a]-float32(vn*n[a]))) - float32(d.Bounce*vn*n[a])
		}
		speed += float32(v[a] * v[a])
	}
	return !(sqrt32(speed) > d.Rest)
}

func inBox(p grid.Point, dim [3]int) bool {
	return p.X > 0 && p.Y > 0 && p.Z > 0 && p.X < float64(dim[0]) && p.Y < float64(dim[1]) && p.Z < float64(dim[2])
}

// phiNear is the new φ of the cell that holds p.
func (s *LevelSet) phiNear(p grid.Point) float32 {
	b, x, y, z := s.g.Locate(p)
	return s.Phi[s.g.Cur.CellIn(b, x, y, z)]
}

// place is the point at (u, v, w), 0 to 1, of a block's cell.
func (s *LevelSet) place(at, c [3]int, f, u, v, w float64) grid.Point {
	return grid.Point{
		X: float64(at[0]) + float64((float64(c[0])+u)*f),
		Y: float64(at[1]) + float64((float64(c[1])+v)*f),
		Z: float64(at[2]) + float64((float64(c[2])+w)*f),
	}
}
