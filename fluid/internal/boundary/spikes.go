package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// spikeRise is the mean rise of the edges at a vertex along its normal, per length, from which it is the tip of a spike of air: a cone whose inner solid angle is 2π(1+rise) = 2.75π.
const spikeRise = .375

// boundSpikes keeps the pressure from drawing the tips of spikes of air further in: the normal velocity inwards of the faces there may not grow. before are the velocities without the pressure.
//
// Source: SOL, section 5, after which a spike that no mesh shows would never end.
func (r *region) boundSpikes(w *workspace, before []r3.Vec) {
	facing, rise, count := w.again[:len(r.at)], w.share[:len(r.at)], w.count[:len(r.at)]
	clear(facing)
	clear(rise)
	clear(count)
	for i, t := range r.triangles {
		n := r.normal(i)
		for _, v := range t {
			facing[v] = r3.Add(facing[v], n)
		}
	}
	for _, t := range r.triangles {
		for k, v := range t {
			edge := r3.Sub(r.at[t[(k+1)%3]], r.at[v])
			rise[v] += reproducible.Dot(reproducible.Unit(edge), reproducible.Unit(facing[v]))
			count[v]++
		}
	}
	for i, t := range r.triangles {
		for _, v := range t {
			if rise[v] < spikeRise*float64(count[v]) || len(r.wet) > i && r.wet[i] {
				continue
			}
			n := reproducible.Unit(facing[v])
			was, is := reproducible.Dot(before[i], n), reproducible.Dot(r.velocity[i], n)
			if least := min(was, 0); is < least {
				r.velocity[i] = r3.Add(r.velocity[i], reproducible.Scale(least-is, n))
			}
		}
	}
}

// boundSpeeds bounds the speeds beside the mean to some times the greatest before the pressure or that of the ripples of an edge, whichever is more: what is faster comes of a mesh that is bad for a moment.
func (r *region) boundSpeeds(before []r3.Vec, s *stepInput) {
	mean, area := r3.Vec{}, 0.
	for i, u := range before {
		a := r.area(i)
		mean = r3.Add(mean, reproducible.Scale(a, u))
		area += a
	}
	mean = reproducible.Scale(1/area, mean)
	most := float64(s.material.Tension*2*math.Pi) / float64(s.material.Density*s.edge)
	for _, u := range before {
		most = max(most, reproducible.Norm2(r3.Sub(u, mean)))
	}
	most = fastest * math.Sqrt(most)
	for i, u := range r.velocity {
		w := r3.Sub(u, mean)
		if speed := reproducible.Norm(w); speed > most {
			r.velocity[i] = r3.Add(mean, reproducible.Scale(most/speed, w))
		}
	}
}

// fastest is by how many times the pressure of a step may raise the greatest speed beside the mean.
const fastest = 2
