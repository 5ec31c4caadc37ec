package stuffed

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// couple fills the graph's couplings: of each face of a body the area as a vector into the body, and its moment, at the face's centroid. Over a closed body
// these add up to zero, so that a constant pressure neither pushes nor turns it; with circumcentres it would turn.
//
// Source: Klingner et al. 2006 eq. 7, with normals into the body.
func (d *Discretiser) couple(bodies []rigid.Solid) {
	gr := d.gr
	for len(gr.Bodies) < len(bodies) {
		gr.Bodies = append(gr.Bodies, graph.BodyCoupling{})
	}
	gr.Bodies = gr.Bodies[:len(bodies)]
	for i := range gr.Bodies {
		w := &gr.Bodies[i]
		*w = graph.BodyCoupling{Row: w.Row[:0], K: w.K[:0], Films: w.Films[:0]}
	}
	for k, b := range d.walls {
		i, face := d.owner[b], &d.Mesh.Boundary[b]
		if r := d.Row[face.Tet]; i >= 0 && r != none {
			d.addFace(&gr.Bodies[i], &bodies[i], r, face, d.nearest[k])
		}
	}
	if d.Up == [3]float64{} {
		return
	}
	for i := range gr.Bodies {
		w := &gr.Bodies[i]
		still := w.Still
		w.Still = [6]float64{}
		w.Steps = graph.StepInertia(&d.Up, &still)
	}
}

// bulge is the mean of how far a surface stands out over a triangle whose corners lie on it, by how far it does at the centroid.
const bulge = .75

// addFace adds a face to a body's coupling. A row's pressure is that at its centre; what still liquid has more at the face is added to Still, with the weight of what
// the body displaces beyond the face, which is so far from it, m, at the centroid.
func (d *Discretiser) addFace(w *graph.BodyCoupling, body *rigid.Solid, r int32, face *stuffing.Face, away float64) {
	t, corner := face.Tet, int(face.Corner)
	n, x := reproducible.Array(d.Mesh.Area(t, corner)), reproducible.Array(d.Mesh.FaceCentre(t, corner))
	centre, size := reproducible.Array(body.Centre), geom.Norm(&n)
	arm := geom.Sub(&x, &centre)
	turn, lift := geom.Cross(&arm, &n), geom.Cross(&arm, &d.Up)
	last := len(w.Row) - 1
	if last < 0 || w.Row[last] != r {
		w.Row, w.K = append(w.Row, r), append(w.K, [6]float64{})
		last++
	}
	way, reach := geom.Sub(&x, &d.gr.Centre[r]), math.Sqrt(size)
	deeper, beyond := -geom.Dot(&d.Up, &way), float64(bulge*size*max(-reach, min(-away, reach)))
	for a := range 3 {
		w.K[last][a] += n[a]
		w.K[last][3+a] += turn[a]
		w.Still[a] += float64(deeper*n[a]) + float64(beyond*d.Up[a])
		w.Still[3+a] += float64(deeper*turn[a]) + float64(beyond*lift[a])
	}
	w.Area += size
}
