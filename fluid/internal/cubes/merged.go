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
		w.volumes.merge(d.X, d.Volume)
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

// push adds a droplet's excess momentum to the faces within reach, the same velocity to all.
func (w *merging) push(d *droplets.Drop) {
	gr := w.m.Graph
	var room, moves, gain [3]float64 // along each axis: m³, m³·m/s, m/s
	w.eachFace(d.X, func(f int) {
		volume, n := float64(gr.Area[f]*gr.Open[f]*gr.Dist[f]), gr.Normal(f)
		for a := range n {
			room[a] += float64(volume * n[a] * n[a])
		}
		gr.AddAlong(f, &moves, float64(volume*gr.U[f]))
	})
	for axis, v := range reproducible.Array(d.V) {
		if room[axis] > 0 {
			gain[axis] = d.Volume * (v - moves[axis]/room[axis]) / max(room[axis], d.Volume)
		}
	}
	w.eachFace(d.X, func(f int) { gr.U[f] += gr.Along(f, &gain) })
}

// eachFace calls visit for the faces within reach of a place.
func (w *merging) eachFace(x r3.Vec, visit func(f int)) {
	m, reach := w.m, w.reach()
	gr, box := m.Graph, boxes.Grown(r3.Box{Min: x, Max: x}, reach)
	m.Grid.EachBase(box, func(b int32) {
		for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
			if arm := r3.Sub(reproducible.Vector(gr.FaceCentre(int(f))), x); reproducible.Dot(arm, arm) < float64(reach*reach) {
				visit(int(f))
			}
		}
	})
}

// EndTransport ends the carrying of the velocity to the graph's faces: they get the momentum of the droplets that merged as the surface moved.
func (s *Surface) EndTransport() {
	s.volumes.noteCarried()
	s.merging.pushAll()
}
