package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What droplets give to the liquid of a tracker that they merge with. A level set's spray gives back its volume alone, all over the liquid.

// merging gives the liquid what merges with it.
type merging struct{ m *Blocks }

// mergeReach, in finest cells, is how far from where a droplet merges the liquid gets its volume and momentum.
const mergeReach = 1.5

// book books the droplets that merged as the surface moved with the liquid there.
func (w *merging) book() {
	for i := range w.m.Spray.MergedDrops {
		d := &w.m.Spray.MergedDrops[i]
		w.m.Volumes.GainAt(d.X, d.Volume)
	}
}

// grow has the liquid around each droplet that merged grow by its volume: it adds to the rows' sources, m³/s.
func (w *merging) grow(rows []float64) {
	for i := range w.m.Spray.MergedDrops {
		d := &w.m.Spray.MergedDrops[i]
		w.m.Sources.Join(d.X, w.reach(), components.JoinRate(d.Volume, w.m.Dt), rows)
	}
}

// pushAll gives the faces around each droplet that merged its momentum. What the volume grows by there has the velocity of the liquid around already: the
// droplet gives what it has more.
func (w *merging) pushAll() {
	for i := range w.m.Spray.MergedDrops {
		w.push(&w.m.Spray.MergedDrops[i])
	}
}

func (w *merging) reach() float64 { return float64(mergeReach * w.m.CellSize) }

// push gives the faces within reach of a droplet the momentum that it has more than as much liquid there, all along an axis the same velocity.
func (w *merging) push(d *droplets.Drop) {
	m, reach := w.m, w.reach()
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
