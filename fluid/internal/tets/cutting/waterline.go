package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// waterline is where the surface meets a body, as a mean over the vertices beside it whose cells it cuts: φ at vertices deep inside of the body means nothing.
type waterline struct {
	height float64 // along Up, m, times parts
	parts  float64 // of cells that are open there, summed
}

// waterline finds the waterline of a body.
func (cp *coupling) waterline(jobs []job) (w waterline) {
	d, l := cp.d, cp.d.l
	if d.Up == [3]float64{} {
		return w
	}
	for i := range jobs {
		j := &jobs[i]
		for n := range j.list.covers {
			c := &j.list.covers[n]
			if c.values == none {
				continue
			}
			e := l.EdgeRuns[j.base] + c.edge
			for _, v := range l.Ends[e] {
				if open := d.Open[e] * l.Area[e]; !d.rows.shut[v] && math.Abs(cp.phi[v]) < .75*d.cellEdge(v) {
					w.height += float64(open * (geom.Dot(&d.Up, &l.Position[v]) - cp.phi[v]))
					w.parts += float64(open)
				}
			}
		}
	}
	return w
}
