package flows

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Drops are the drops of a liquid's emitters, and the remains of a film that no cell resolves.
type Drops struct {
	droplets.Drops
	around surroundings
	Out    remedies.Out // all or none; applies when drops join the liquid
	*shared
}

// advance moves the drops on, and reports whether there were any.
func (d *Drops) advance() (some bool) {
	some = len(d.All) > 0
	d.Fall(d.Drift, &d.around)
	if !some {
		return false
	}
	for i := range d.Left {
		d.Ledger.DrainedL += d.Left[i].Volume / litre
	}
	for i := range d.Joined {
		d.Volumes.GainAt(d.Joined[i].X, d.Joined[i].Volume)
	}
	d.Settle(&d.around)
	return true
}

// joinReach, in finest cells, is the radius around a drop in which the liquid takes up its volume.
const joinReach = 1.5

// join adds sources around the drops that met the liquid, m³/s.
func (d *Drops) join(rows []float64) {
	if d.Out.All() {
		return
	}
	for i := range d.Joined {
		d.Sources.Join(d.Joined[i].X, joinReach*d.CellSize, components.JoinRate(d.Joined[i].Volume, d.Dt), rows)
	}
}

// LeaveFilm turns the volume that the ledger misses into drops where there was liquid a step ago, if the mesh holds no liquid any more: it has spread to
// a film that no cell resolves.
func (d *Drops) LeaveFilm() {
	missing := -d.Ledger.Drift() * litre
	if !(missing >= droplets.LeastVolume) {
		return
	}
	whole, count := 0., 0
	d.Volumes.EachFormer(func(room float64, _ r3.Vec) { whole, count = whole+room, count+1 })
	if count == 0 || !d.HasRoom(count) {
		return
	}
	d.Volumes.EachFormer(func(room float64, x r3.Vec) { d.Add(x, r3.Vec{}, missing*room/whole) })
	d.Ledger.HeldL += missing / litre
}

// appendMoving appends the places of drops that move.
func (d *Drops) appendMoving(dst []r3.Box) []r3.Box {
	for i := range d.All {
		if p := &d.All[i]; p.V != (r3.Vec{}) {
			dst = append(dst, r3.Box{Min: p.X, Max: p.X})
		}
	}
	return dst
}

// surroundings implements droplets.Surroundings.
type surroundings struct {
	*shared
	probe shapes.Probe // scratch
}

// Acceleration returns the acceleration by gravity and fields at a place, m/s².
func (s *surroundings) Acceleration(x r3.Vec) r3.Vec { return s.shared.Acceleration(x) }

// InLiquid sets dst to whether each place, m, is in liquid.
func (s *surroundings) InLiquid(dst []bool, pts []r3.Vec) { s.Sources.InLiquid(dst, pts) }

// Fill puts a volume of drops, m³, into the mesh around a place, and returns the volume that the mesh took.
func (s *surroundings) Fill(x r3.Vec, volume float64) float64 { return s.Sources.FillAround(x, volume) }

// SolidDistance returns a lower bound of the distance, m, from a place to the nearest closed side of the domain, obstacle or body.
func (s *surroundings) SolidDistance(x r3.Vec) float64 {
	d := s.Distance(reproducible.Array(x))
	still, others := s.Solids()
	for _, solid := range still {
		if b := solid.Bounds(); boxes.DistanceOutside(&b, &x) < d {
			d = min(d, s.probe.Distance(solid.Eval, x))
		}
	}
	for i := range others {
		if solid := &others[i]; boxes.DistanceOutside(&solid.Bounds, &x) < d {
			d = min(d, s.probe.Distance(solid.Distance, x))
		}
	}
	return d
}
