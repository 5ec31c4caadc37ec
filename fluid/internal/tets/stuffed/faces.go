package stuffed

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leastDist is the least that two pressures, or a pressure and the surface, are apart along a face's normal, in edges of a cell. Between barycentres no two are as
// near, by the bounds of the mesh's angles.
const leastDist = 1e-3

// findFaces fills the graph's faces, each with its first tetrahedron on side A.
func (d *Discretiser) findFaces() {
	gr, bases := d.gr, d.g.Bases()
	d.faceOf = arrays.Resize(d.faceOf, d.Mesh.Tets())
	par.Each(d.pool, bases, baseGrain, d, (*Discretiser).countFaces)
	faces := int32(0)
	for b := range bases {
		d.faces[b], faces = faces, faces+d.faces[b]
	}
	d.faces[bases] = faces
	d.resize(int(faces))
	par.Each(d.pool, bases, baseGrain, d, (*Discretiser).placeFaces)
	for b := range gr.Parts {
		gr.Parts[b] = graph.Part{Row: d.first[b], Face: d.faces[b]}
	}
	gr.ListFaces()
}

func (d *Discretiser) resize(faces int) {
	gr, bases := d.gr, d.g.Bases()
	gr.Parts, gr.Connectivity = arrays.Resize(gr.Parts, bases+1), arrays.Resize(gr.Connectivity, bases)
	clear(gr.Connectivity)
	gr.A, gr.B, gr.Slot = arrays.Resize(gr.A, faces), arrays.Resize(gr.B, faces), arrays.Resize(gr.Slot, faces)
	gr.Normals, gr.FaceCentres = arrays.Resize(gr.Normals, faces), arrays.Resize(gr.FaceCentres, faces)
	gr.Area, gr.Dist, gr.Open = arrays.Resize(gr.Area, faces), arrays.Resize(gr.Dist, faces), arrays.Resize(gr.Open, faces)
	gr.Jump, gr.U, gr.Held = arrays.Resize(gr.Jump, faces), arrays.Resize(gr.U, faces), gr.Held[:0]
	gr.Levels, gr.Bubbles = gr.Levels[:0], gr.Bubbles[:0]
	d.normals = arrays.Resize(d.normals, gr.Rows)
	if gr.Walls = nil; d.Walls {
		gr.Walls = d.normals
	}
}

// leadsOut tells whether a tetrahedron's face is the graph's, and not that of another tetrahedron before it.
func (d *Discretiser) leadsOut(t, nb int32) bool {
	if nb < 0 {
		return d.owner[^nb] == free
	}
	return nb > t && d.Row[nb] != none
}

func (d *Discretiser) countFaces(_ int, b int32) {
	n := int32(0)
	for t := d.runs[b]; t < d.runs[b+1]; t++ {
		if d.Row[t] == none {
			continue
		}
		for _, nb := range d.Mesh.Neighbours[t] {
			if d.leadsOut(t, nb) {
				n++
			}
		}
	}
	d.faces[b] = n
}

// placeFaces writes a base cell's faces, and what is known of the others of its tetrahedra.
func (d *Discretiser) placeFaces(_ int, b int32) {
	m, f := d.Mesh, d.faces[b]
	for t := d.runs[b]; t < d.runs[b+1]; t++ {
		r := d.Row[t]
		if r == none {
			d.faceOf[t] = [4]int32{shutBy(fixed), shutBy(fixed), shutBy(fixed), shutBy(fixed)}
			continue
		}
		var wall [3]float64
		for k, nb := range &m.Neighbours[t] {
			switch {
			case d.leadsOut(t, nb):
				d.placeFace(f, t, k, nb)
				f++
			case nb >= 0 && d.Row[nb] != none: // the neighbour's, which writes it
			default:
				owner := fixed // a neighbour that sleeps
				if nb < 0 {
					owner = d.owner[^nb]
				}
				d.faceOf[t][k] = shutBy(owner)
				if owner == fixed {
					area := m.Area(t, k)
					wall[0], wall[1], wall[2] = wall[0]+area.X, wall[1]+area.Y, wall[2]+area.Z
				}
			}
		}
		d.normals[r] = wall
	}
}

// placeFace writes a face.
func (d *Discretiser) placeFace(f, t int32, corner int, nb int32) {
	gr, m := d.gr, d.Mesh
	area := reproducible.Array(m.Area(t, corner))
	size := math.Sqrt(geom.Dot(&area, &area))
	n := area
	for a := range n {
		n[a] /= size
	}
	d.faceOf[t][corner] = f
	x := reproducible.Array(m.FaceCentre(t, corner))
	r := d.Row[t]
	to := x
	gr.A[f], gr.B[f] = r, graph.Air
	if nb >= 0 {
		gr.B[f], to = d.Row[nb], gr.Centre[d.Row[nb]]
		for k, back := range m.Neighbours[nb] {
			if back == t {
				d.faceOf[nb][k] = f
			}
		}
	}
	way := geom.Sub(&to, &gr.Centre[r])
	gr.Slot[f], gr.Normals[f], gr.FaceCentres[f] = f, n, x
	gr.Area[f], gr.Open[f], gr.Jump[f], gr.U[f] = size, 1, 0, 0
	gr.Dist[f] = max(geom.Dot(&way, &n), float64(leastDist*float64(gr.Size[r])))
}
