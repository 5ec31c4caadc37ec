package droplets

import "github.com/meniscus3d/meniscus/fluid/reproducible"

// AppendSpheres appends each droplet as a sphere (xyz and radius, m), moved on by delay seconds, and its velocity (xyz, m/s).
func (s *Spray) AppendSpheres(spheres, velocities []float32, delay float32) (_, _ []float32) {
	for i, r := range s.Radius {
		for a := range 3 {
			spheres = append(spheres, s.Position[3*i+a]+float32(delay*s.Velocity[3*i+a]))
		}
		spheres = append(spheres, r)
	}
	return spheres, append(velocities, s.Velocity...)
}

// AppendSpheres appends each drop as a sphere (xyz and radius, m), moved on by delay seconds, and its velocity (xyz, m/s).
func (d *Drops) AppendSpheres(spheres, velocities []float32, delay float32) (_, _ []float32) {
	for i := range d.All {
		p := &d.All[i]
		v := [3]float32{float32(p.V.X), float32(p.V.Y), float32(p.V.Z)}
		velocities = append(velocities, v[:]...)
		for a, x := range reproducible.Array(p.X) {
			spheres = append(spheres, float32(x)+float32(delay*v[a]))
		}
		spheres = append(spheres, float32(p.Radius()))
	}
	return spheres, velocities
}
