package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// DragSurface adds to the graph's velocity what a wind gives it that drags the surface along: to a cell's two faces across an axis half each.
//
// wind: m/s. drag: the traction along the surface over the square of the speed against the liquid that it is told in m/s, Pa·s²/m².
func (fs *Forces) DragSurface(wind r3.Vec, drag func(speed float64) float64) {
	m := fs.m
	gr := m.Graph
	for r := range gr.Rows {
		area, ok := fs.surfaceIn(r)
		if !ok {
			continue
		}
		size := reproducible.Norm(area)
		normal := reproducible.Scale(1/size, area)
		against := r3.Sub(wind, reproducible.Vector(gr.MeanVelocity(int32(r), gr.U)))
		against = r3.Sub(against, reproducible.Scale(reproducible.Dot(against, normal), normal))
		speed := reproducible.Norm(against)
		// The part of the speed against the cell that it takes on in the step.
		part := drag(speed) * speed * size * m.Dt / (m.Density * fs.draggedIn(r))
		gain := reproducible.Array(reproducible.Scale(.5*part/(1+part), against))
		for _, f := range gr.FacesOf(int32(r)) {
			if f >= 0 {
				gr.U[f] += gr.Along(int(f), &gain)
			}
		}
	}
}

// surfaceIn is the area of the surface in a row's cell, m², as a vector out of the liquid. It is not ok if there is none.
func (fs *Forces) surfaceIn(r int) (area r3.Vec, ok bool) {
	gr := fs.m.Graph
	var sum [3]float64
	for _, f := range gr.FacesOf(int32(r)) {
		if f < 0 {
			continue
		}
		if beyond, out := gr.Across(int32(r), f); beyond == graph.Air {
			gr.AddAlong(int(f), &sum, float64(out*float64(gr.Area[f]*gr.Open[f])))
		}
	}
	return reproducible.Vector(sum), sum != [3]float64{}
}

// draggedIn is how much liquid of a row's cell the wind at its surface drags along, m³: what solids leave open of it, but no less than a cube of its size, so
// that slivers are not at once as fast as the wind.
func (fs *Forces) draggedIn(r int) float64 {
	h := float64(fs.m.Graph.Size[r])
	return max(float64(fs.m.Graph.Volume[r]), h*h*h)
}
