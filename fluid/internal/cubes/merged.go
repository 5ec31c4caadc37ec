package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What droplets give to the liquid of a tracker that they merge with. A level set's spray gives back its volume alone, all over the liquid.

// mergeReach, in finest cells, is how far from where a droplet merges the liquid gets its volume and momentum.
const mergeReach = 1.5

// bookMerged books the droplets that merged as the surface moved with the liquid there.
func (f *Followed) bookMerged() {
	for i := range f.m.Spray.MergedDrops {
		d := &f.m.Spray.MergedDrops[i]
		f.m.Volumes.GainAt(d.X, d.Volume)
	}
}

// growByMerged has the liquid around each droplet that merged grow by its volume: it adds to the rows' sources, m³/s.
func (f *Followed) growByMerged(rows []float64) {
	if f == nil {
		return
	}
	for i := range f.m.Spray.MergedDrops {
		d := &f.m.Spray.MergedDrops[i]
		f.m.Sources.Join(d.X, f.mergeReach(), components.JoinRate(d.Volume, f.m.Dt), rows)
	}
}

// pushByMerged gives the faces around each droplet that merged its momentum. What the volume grows by there has the velocity of the liquid around already: the
// droplet gives what it has more.
func (f *Followed) pushByMerged() {
	if f == nil {
		return
	}
	for i := range f.m.Spray.MergedDrops {
		f.push(&f.m.Spray.MergedDrops[i])
	}
}

func (f *Followed) mergeReach() float64 { return float64(mergeReach * f.m.CellSize) }

// push gives the faces within reach of a droplet the momentum that it has more than as much liquid there, all along an axis the same velocity.
func (f *Followed) push(d *droplets.Drop) {
	m, reach := f.m, f.mergeReach()
	gr, box := m.Graph, boxes.Grown(r3.Box{Min: d.X, Max: d.X}, reach)
	var room, moves, gain [3]float64 // m³, m³·m/s, m/s
	each := func(visit func(face int32, axis uint8)) {
		m.Grid.EachBase(box, func(b int32) {
			for face := gr.Parts[b].Face; face < gr.Parts[b+1].Face; face++ {
				if arm := r3.Sub(reproducible.Vector(gr.FaceCentre(int(face))), d.X); reproducible.Dot(arm, arm) < float64(reach*reach) {
					visit(face, gr.Cubes.Axis[face])
				}
			}
		})
	}
	each(func(face int32, axis uint8) {
		volume := float64(gr.Area[face] * gr.Open[face] * gr.Dist[face])
		room[axis] += volume
		moves[axis] += float64(volume * gr.U[face])
	})
	for axis, v := range reproducible.Array(d.V) {
		if room[axis] > 0 {
			gain[axis] = d.Volume * (v - moves[axis]/room[axis]) / max(room[axis], d.Volume)
		}
	}
	each(func(face int32, axis uint8) { gr.U[face] += gain[axis] })
}
