package stuffed

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
)

// findOwners finds what each boundary face leads to: the air, what never moves, or a body. Of several solids it is the one that the face's middle is
// furthest in.
func (d *Discretiser) findOwners(f *stuffing.Field) {
	m := d.Mesh
	d.owner = arrays.Resize(d.owner, len(m.Boundary))
	d.walls, d.pts = d.walls[:0], d.pts[:0]
	for b := range m.Boundary {
		switch face := &m.Boundary[b]; {
		case face.Kind == stuffing.OfSide:
			d.owner[b] = fixed
		case face.Kind == stuffing.Solid || d.rests(face, f):
			d.owner[b] = fixed
			d.walls = append(d.walls, int32(b))
			d.pts = append(d.pts, m.FaceCentre(face.Tet, int(face.Corner)))
		default:
			d.owner[b] = free
		}
	}
	if len(d.solids.bodies) == 0 {
		return
	}
	d.nearest = arrays.Resize(d.nearest, len(d.walls))
	bodies := d.solids.bodies
	d.solids.bodies = nil
	d.solids.distance(d.nearest, d.pts)
	d.solids.bodies = bodies
	for i := range bodies {
		d.claim(i)
	}
}

// rests tells whether a face is a solid's though not all of its vertices could be moved there: it stands between leaves of different sizes, and at those
// vertices the solid is what ends the liquid.
func (d *Discretiser) rests(face *stuffing.Face, f *stuffing.Field) bool {
	if f.Solid == nil {
		return false
	}
	m, some := d.Mesh, false
	for _, v := range m.FaceVertices(face.Tet, int(face.Corner)) {
		switch flags, of := m.Flags[v], m.Origin[v]; {
		case flags&stuffing.InPlace == 0 || of < 0:
			if flags&stuffing.OnSolid == 0 {
				return false
			}
		case !(-f.Solid[of] > f.Inside[of]):
			return false
		default:
			some = true
		}
	}
	return some
}

// claim gives a body the faces that are its.
func (d *Discretiser) claim(i int) {
	body, p := &d.solids.bodies[i], &d.solids.work[0]
	box := boxes.Grown(body.Bounds, d.solids.reach)
	for k, x := range d.pts {
		if boxes.Contains(box, x) && p.add(x, d.nearest[k], int32(k)) {
			d.claimSome(i, p)
		}
	}
	d.claimSome(i, p)
}

func (d *Discretiser) claimSome(i int, p *probe) {
	d.solids.body(i, p.dst[:p.n], p.pts[:p.n])
	for k, w := range p.at[:p.n] {
		if p.dst[k] < d.nearest[w] {
			d.nearest[w] = p.dst[k]
			d.owner[d.walls[w]] = int32(i)
			if d.solids.bodies[i].Fixed {
				d.owner[d.walls[w]] = fixed
			}
		}
	}
	p.n = 0
}
