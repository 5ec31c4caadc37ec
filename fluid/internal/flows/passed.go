package flows

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// outflow is the liquid that has left through open sides in a substep.
type outflow struct {
	volume float64 // m³
	at     r3.Vec  // its mean place, m
}

// record records the outflow: left is its volume, m³, and parts has a value per region.
func (o *outflow) record(parts []float64, left float64, r *droplets.Regions) {
	if !(left > 0) {
		return
	}
	o.volume += left
	sum := 0.
	for i, v := range parts {
		if v > 0 {
			sum += v
			o.at = r3.Add(o.at, reproducible.Scale(v, r.Middle(i)))
		}
	}
	o.at = reproducible.Scale(1/sum, o.at)
}

// AddPassed merges the flow through each opening in the substep into dst, which has the flows of the step's earlier substeps. velocity samples the liquid's
// velocity.
func (f *Flows) AddPassed(dst []sounds.Flow, velocity func(dst, at []r3.Vec)) []sounds.Flow {
	for _, e := range f.Emitters.All {
		if e.emitted > 0 {
			dst = addPassed(dst, &sounds.Flow{
				Kind: sounds.Tap, Key: uint64(e.ID), Position: middleOf(e.Opening().Bounds()), Volume: e.emitted, Speed: reproducible.Norm(e.Velocity),
				Size: openingRadius(reproducible.Norm(e.Velocity), e.Opening().Bounds()),
			})
		}
	}
	for _, s := range f.Sinks.All {
		if b := s.Opening().Bounds(); s.removed > 0 {
			dst = addPassed(dst, &sounds.Flow{Kind: sounds.Sink, Key: uint64(s.ID), Position: middleOf(b), Volume: s.removed, Size: openingRadius(0, b)})
		}
	}
	for i := range f.Sides.side {
		if s := &f.Sides.side[i]; s.passed > 0 {
			dst = addPassed(dst, &sounds.Flow{Kind: sounds.Side, Key: uint64(i), Position: middleOf(f.Through.JustWithin(i)), Volume: s.passed, Speed: math.Abs(s.Velocity)})
		}
	}
	if o := &f.outflow; o.volume > 0 {
		f.probed[0] = o.at
		velocity(f.probed[1:], f.probed[:1])
		dst = addPassed(dst, &sounds.Flow{Kind: sounds.Side, Key: f.openSide(o.at), Position: o.at, Volume: o.volume, Speed: reproducible.Norm(f.probed[1])})
	}
	return dst
}

// addPassed adds a flow to that of the same opening, or appends it.
func addPassed(dst []sounds.Flow, f *sounds.Flow) []sounds.Flow {
	for i := range dst {
		if to := &dst[i]; to.Kind == f.Kind && to.Key == f.Key {
			f.Volume += to.Volume
			*to = *f
			return dst
		}
	}
	return append(dst, *f)
}

// openingRadius returns the radius of an opening, m, from its bounds, if speed is 0; otherwise 0: the radius then follows from volume and speed.
func openingRadius(speed float64, b r3.Box) float64 {
	if speed > 0 {
		return 0
	}
	return boxes.LeastEdge(b) / 2
}

func middleOf(b r3.Box) r3.Vec { return reproducible.Scale(.5, r3.Add(b.Min, b.Max)) }

// openSide returns the open side nearest to a place.
func (f *Flows) openSide(x r3.Vec) (side uint64) {
	lo, hi, at, nearest := reproducible.Array(f.Domain.Min), reproducible.Array(f.Domain.Max), reproducible.Array(x), math.Inf(1)
	for i, open := range f.Open {
		d := math.Abs(at[i/2] - [2]float64{lo[i/2], hi[i/2]}[i&1])
		if open && d < nearest {
			nearest, side = d, uint64(i)
		}
	}
	return side
}

// AddJoined appends the drops and the spray's droplets that met the liquid in the substep.
func (f *Flows) AddJoined(dst []sounds.Droplet, spray *droplets.Spray, velocity func(dst, at []r3.Vec)) []sounds.Droplet {
	for _, drops := range [2][]droplets.Drop{f.Drops.Joined, spray.MergedDrops} {
		for i := range drops {
			p := &drops[i]
			f.probed[0] = p.X
			velocity(f.probed[1:], f.probed[:1])
			dst = append(dst, sounds.Droplet{Position: p.X, Speed: reproducible.Norm(r3.Sub(p.V, f.probed[1])), Radius: p.Radius()})
		}
	}
	return dst
}
