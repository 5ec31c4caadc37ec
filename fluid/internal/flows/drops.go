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

// Drops are those of a liquid's emitters, and what is left of a film that no cell can tell.
type Drops struct {
	droplets.Drops
	around surroundings
	Out    remedies.Out // all or none, as they join
	*shared
}

// advance moves the drops on, and tells whether there were some.
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

// joinReach, in finest cells, is how far from a drop that meets liquid that liquid grows.
const joinReach = 1.5

// join has the liquid around grow by the drops that met it.
func (d *Drops) join(rows []float64) {
	if d.Out.All() {
		return
	}
	for i := range d.Joined {
		d.Sources.Join(d.Joined[i].X, joinReach*d.CellSize, components.JoinRate(d.Joined[i].Volume, d.Dt), rows)
	}
}

// LeaveFilm leaves what the ledger misses lying in drops where liquid was a step ago, if the mesh holds none any more: it has spread to a film
// that no cell can tell.
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

// appendMoving lists the places of drops that move.
func (d *Drops) appendMoving(dst []r3.Box) []r3.Box {
	for i := range d.All {
		if p := &d.All[i]; p.V != (r3.Vec{}) {
			dst = append(dst, r3.Box{Min: p.X, Max: p.X})
		}
	}
	return dst
}

// surroundings are what acts on drops.
type surroundings struct {
	*shared
	probe shapes.Probe // scratch
}

// Acceleration is what gravity and the fields accelerate liquid by at a place, m/s².
func (s *surroundings) Acceleration(x r3.Vec) r3.Vec { return s.shared.Acceleration(x) }

// InLiquid tells which places, m, are in liquid.
func (s *surroundings) InLiquid(dst []bool, pts []r3.Vec) { s.Sources.InLiquid(dst, pts) }

// Fill puts drops' volume, m³, into the mesh around a place, and returns what it took on.
func (s *surroundings) Fill(x r3.Vec, volume float64) float64 { return s.Sources.FillAround(x, volume) }

// SolidDistance is how far a place is from the nearest closed side of the domain, obstacle or body, m, at least.
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
