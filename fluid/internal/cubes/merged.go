package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// merging gives the liquid of a sampled tracker the volume and the momentum of droplets that merge with it, where they do. A level set's droplets give back their volume
// alone, all over the liquid.
type merging struct {
	m       *Cells
	volumes *Volumes
	sources *Sources
}

// mergeReach, in finest cells, is how far from where a droplet merges the liquid gets its volume and momentum.
const mergeReach = 1.5

// book books the volume of the droplets that merged as the surface moved.
func (w *merging) book() {
	for i := range w.m.Spray.MergedDrops {
		d := &w.m.Spray.MergedDrops[i]
		w.volumes.GainAt(d.X, d.Volume)
	}
}

// grow has the liquid around each droplet that merged grow by its volume: it adds to the rows' sources, m³/s.
func (w *merging) grow(rows []float64) {
	for i := range w.m.Spray.MergedDrops {
		d := &w.m.Spray.MergedDrops[i]
		w.sources.Join(d.X, w.reach(), components.JoinRate(d.Volume, w.m.Dt), rows)
	}
}

// pushAll adds each merged droplet's excess momentum to the faces around it: the volume that the liquid grows by has the velocity of the liquid already.
func (w *merging) pushAll() {
	for i := range w.m.Spray.MergedDrops {
		w.push(&w.m.Spray.MergedDrops[i])
	}
}

func (w *merging) reach() float64 { return float64(mergeReach * w.m.CellSize) }

// push adds a droplet's excess momentum to the faces within reach, the same velocity to all along an axis.
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
