package droplets

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// lyingSpeed, m/s, is the greatest speed of a drop on a solid that others may merge with; restingSpeed is that of one that stops.
	lyingSpeed, restingSpeed = .1, 1e-3
	// slideTime, s, is how long it takes a sliding drop's speed to halve on a wet solid.
	slideTime = .05
)

// Fall moves the drops on by dt seconds. Drops that are then outside of the domain move from All to Left, and those in liquid to Joined. Settle
// must follow, and updates Volume.
func (d *Drops) Fall(dt float64, s Surroundings) {
	d.Joined, d.Left, d.lying = d.Joined[:0], d.Left[:0], d.lying[:0]
	if len(d.All) == 0 {
		return
	}
	d.pts = d.pts[:0]
	d.lies, d.inLiquid = arrays.Resize(d.lies, len(d.All)), arrays.Resize(d.inLiquid, len(d.All))
	for i := range d.All {
		p := &d.All[i]
		d.lies[i] = d.move(p, dt, s)
		d.pts = append(d.pts, p.X)
	}
	s.InLiquid(d.inLiquid, d.pts)
	n := 0
	for i, p := range d.All {
		switch {
		case !boxes.Contains(d.Domain, p.X):
			d.Left = append(d.Left, p)
			continue
		case d.inLiquid[i]:
			d.Joined = append(d.Joined, p)
			continue
		case d.lies[i]:
			d.lying = append(d.lying, int32(n))
		}
		d.All[n] = p
		n++
	}
	d.All = d.All[:n]
}

// move moves a drop by its velocity, along solids where it meets them, and then accelerates it. It reports whether the drop lies on a solid.
func (d *Drops) move(p *Drop, dt float64, s Surroundings) (lies bool) {
	a := s.Acceleration(p.X)
	if at := s.SolidDistance(p.X); at <= float64(1.5*d.Gap) {
		normal := d.normal(p.X, s)
		if at < d.Gap { // else the path along the solid would end at once
			p.X = r3.Add(p.X, reproducible.Scale(min(d.Gap-at, d.CellSize), normal))
		}
		p.V, a = slideAlong(p.V, normal), slideAlong(a, normal)
		p.V = reproducible.Scale(1/(1+dt/slideTime), p.V)
		speed := reproducible.Norm(p.V)
		if lies = speed < lyingSpeed; speed < restingSpeed && reproducible.Norm(a) < restingSpeed/dt {
			p.V, a = r3.Vec{}, r3.Vec{}
		}
	}
	p.X = pathEnd(p.X, reproducible.Scale(dt, p.V), d.Gap/2, s)
	p.V = r3.Add(p.V, reproducible.Scale(dt, a))
	if speed := reproducible.Norm(p.V); speed > d.MaxSpeed {
		p.V = reproducible.Scale(d.MaxSpeed/speed, p.V)
	}
	return lies
}

// slideAlong returns v without its component into a solid with the given normal.
func slideAlong(v, normal r3.Vec) r3.Vec {
	return r3.Sub(v, reproducible.Scale(min(0, reproducible.Dot(v, normal)), normal))
}

// pathEnd returns the end of a path from x, stopped where it comes within gap, m, of a solid.
// Source: Hart 1996, sphere tracing.
func pathEnd(x, path r3.Vec, gap float64, s Surroundings) r3.Vec {
	long := reproducible.Norm(path)
	if long == 0 {
		return x
	}
	const most = 64
	done := 0.
	for range most {
		at := s.SolidDistance(r3.Add(x, reproducible.Scale(done/long, path)))
		if at <= gap {
			break
		}
		if done += at - float64(gap/2); done >= long {
			return r3.Add(x, path)
		}
	}
	return r3.Add(x, reproducible.Scale(done/long, path))
}

// normal returns the unit normal of the nearest solid, or the direction against gravity if there is none.
func (d *Drops) normal(x r3.Vec, s Surroundings) r3.Vec {
	h := .05 * d.CellSize
	slope := func(v r3.Vec) float64 {
		return s.SolidDistance(r3.Add(x, v)) - s.SolidDistance(r3.Sub(x, v))
	}
	n := r3.Vec{X: slope(r3.Vec{X: h}), Y: slope(r3.Vec{Y: h}), Z: slope(r3.Vec{Z: h})}
	if long := reproducible.Norm(n); long > 0 && !math.IsInf(long, 1) {
		return reproducible.Scale(1/long, n)
	}
	a := s.Acceleration(x)
	if long := reproducible.Norm(a); long > 0 {
		return reproducible.Scale(-1/long, a)
	}
	return r3.Vec{Y: 1}
}
