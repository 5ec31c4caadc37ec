package droplets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// Spray is the droplets that a surface tracker can't resolve, in free flight. The tracker adds them, and takes their volume back where they meet
// liquid.
type Spray struct {
	// Position xyz, m; Velocity xyz, m/s; Radius, m.
	Position, Velocity, Radius []float32
	// Volume of all droplets, m³. It is not on the grid.
	Volume float64
	// Born, Merged and Lost are the volumes, m³, of droplets that were added, met the
	// liquid, and left the grid in the last step. Volume changes by their balance.
	Born, Merged, Lost float64
	// Momentum is Σ volume·velocity of the droplets that merged in the last step, m³·m/s. Times the
	// density it is what the liquid received.
	Momentum [3]float64
	// ListMerged makes Advance list the droplets that merge in MergedDrops.
	ListMerged  bool
	MergedDrops []Drop
	// Refused counts the droplets beyond Max in the last step.
	Refused int

	// Gravity, m/s².
	Gravity [3]float64
	// Max is the largest number of droplets.
	Max int

	kept  sprayState  // before the last step
	paths [batch]Path // scratch of Advance
	pts   []r3.Vec    // scratch of Remove
	dist  []float32   // scratch of Remove
}

// maxSpray is the default of Spray.Max.
const maxSpray = 20_000

// batch is the number of droplets per call of Medium.Follow.
const batch = 64

// Path is the motion of a droplet in a step.
type Path struct {
	From, To r3.Vec // m
	Stopped  bool   // a thin wall ends it at To
	End      End
}

// End is what is at the end of a droplet's path.
type End uint8

// The ends of paths.
const (
	InAir End = iota
	InLiquid
	Outside // of the grid
)

// Medium is what droplets fly through: liquid, solids and air.
type Medium interface {
	// Follow cuts paths at thin walls, by setting To and Stopped, and sets End.
	Follow(paths []Path)
}

// NewSpray returns a spray without droplets.
func NewSpray() *Spray { return &Spray{Max: maxSpray} }

// Clear removes all droplets.
func (s *Spray) Clear() {
	s.truncate(0)
	s.Volume = 0
	s.Begin()
}

func (s *Spray) truncate(n int) {
	s.Position, s.Velocity, s.Radius = s.Position[:3*n], s.Velocity[:3*n], s.Radius[:n]
}

// Len returns the number of droplets.
func (s *Spray) Len() int { return len(s.Radius) }

// SphereVolume returns the volume of a sphere of radius r, in r's unit cubed.
func SphereVolume(r float32) float64 {
	return float64(4 / 3. * math.Pi * float64(r) * float64(r) * float64(r))
}

// reserve allocates room for Max droplets.
func (s *Spray) reserve() {
	if s.Position == nil {
		s.Position = make([]float32, 0, 3*s.Max)
		s.Velocity = make([]float32, 0, 3*s.Max)
		s.Radius = make([]float32, 0, s.Max)
	}
}

// Add starts a droplet: x in metres, v in m/s, r in metres. It reports whether there was room.
func (s *Spray) Add(x, v [3]float32, r float32) bool {
	if len(s.Radius) >= s.Max {
		s.Refused++
		return false
	}
	s.reserve()
	s.Position = append(s.Position, x[:]...)
	s.Velocity = append(s.Velocity, v[:]...)
	s.Radius = append(s.Radius, r)
	s.Born += SphereVolume(r)
	s.Volume += SphereVolume(r)
	return true
}

// Begin clears the counts of the last step.
func (s *Spray) Begin() {
	s.Born, s.Merged, s.Lost, s.Refused, s.Momentum = 0, 0, 0, 0, [3]float64{}
	s.MergedDrops = s.MergedDrops[:0]
}

// Advance moves the first droplets on by dt seconds, and removes those that met liquid or left the grid. The others keep their order. Like
// the surface, droplets move by the velocity that they have and are then accelerated by gravity (leapfrog). Droplets after the first ones are new, at
// the surface after its motion, and are only accelerated.
func (s *Spray) Advance(dt float64, first int, m Medium) {
	n := 0
	for lo := 0; lo < first; lo += batch {
		hi := min(lo+batch, first)
		s.follow(dt, lo, hi, m)
		for i := lo; i < hi; i++ {
			if s.endPath(i, n, &s.paths[i-lo], dt) {
				n++
			}
		}
	}
	copy(s.Position[3*n:], s.Position[3*first:])
	for i, v := range s.Velocity[3*first:] {
		s.Velocity[3*n+i] = v + float32(s.Gravity[i%3]*dt)
	}
	n += copy(s.Radius[n:], s.Radius[first:])
	s.truncate(n)
	s.Volume -= s.Merged + s.Lost
	s.settleVolume()
}

// settleVolume clears what rounding leaves in Volume when there are no droplets.
func (s *Spray) settleVolume() {
	if s.Len() == 0 {
		s.Volume = 0
	}
}

// follow sets the paths of droplets lo to hi-1.
func (s *Spray) follow(dt float64, lo, hi int, m Medium) {
	for i := lo; i < hi; i++ {
		x, v := s.Position[3*i:][:3], s.Velocity[3*i:][:3]
		var to [3]float64
		for a := range to {
			to[a] = float64(x[a] + float32(float32(dt)*v[a]))
		}
		s.paths[i-lo] = Path{
			From: r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])},
			To:   r3.Vec{X: to[0], Y: to[1], Z: to[2]},
		}
	}
	m.Follow(s.paths[:hi-lo])
}

// endPath moves droplet i to the end of its path, as droplet n of those that stay. It returns false if the droplet does not stay.
func (s *Spray) endPath(i, n int, p *Path, dt float64) bool {
	x := [3]float32{float32(p.To.X), float32(p.To.Y), float32(p.To.Z)}
	var v [3]float32
	if !p.Stopped {
		for a := range v {
			v[a] = s.Velocity[3*i+a] + float32(s.Gravity[a]*dt)
		}
	}
	r := s.Radius[i]
	switch p.End {
	case Outside:
		s.Lost += SphereVolume(r)
		return false
	case InLiquid:
		s.Merged += SphereVolume(r)
		for a := range v {
			s.Momentum[a] += float64(SphereVolume(r) * float64(v[a]))
		}
		if s.ListMerged {
			s.MergedDrops = append(s.MergedDrops, Drop{X: p.To, V: r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])}, Volume: SphereVolume(r)})
		}
		return false
	}
	copy(s.Position[3*n:], x[:])
	copy(s.Velocity[3*n:], v[:])
	s.Radius[n] = r
	return true
}

// Remove removes the droplets in a shape.
func (s *Spray) Remove(shape shapes.SDF) {
	s.pts, s.dist = s.pts[:0], s.dist[:0]
	for i := range s.Radius {
		x := s.Position[3*i:]
		s.pts, s.dist = append(s.pts, r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}), append(s.dist, 0)
	}
	shape.Eval(s.dist, s.pts)
	n := 0
	for i, r := range s.Radius {
		if s.dist[i] < 0 {
			s.Volume -= SphereVolume(r)
			continue
		}
		copy(s.Position[3*n:][:3], s.Position[3*i:])
		copy(s.Velocity[3*n:][:3], s.Velocity[3*i:])
		s.Radius[n] = r
		n++
	}
	s.truncate(n)
	s.settleVolume()
}
