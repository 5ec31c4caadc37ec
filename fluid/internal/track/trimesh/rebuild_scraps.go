package trimesh

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// leastPart is the volume below which a closed part of the new surface that is joined to nothing old is left out, as a share of a cell's. What is smaller is
// not what the lattice resolves, but scraps of triangles that were cut: an octahedron of this volume around a node reaches over a quarter of the lattice edges.
const leastPart = 1. / 64

// scraps is scratch of dropScraps.
type scraps struct {
	at     keyed     // vertex → a new triangle that has it
	sets   geom.Sets // of new triangles, joined where they share vertices
	volume []float64
	keep   []bool
}

// dropScraps takes closed parts of the new surface out of fresh that are joined to nothing that stays and hold, or leave out, less than leastPart of a cell. Without a closed part no gap is left.
func (r *Rebuilder) dropScraps() (dropped int) {
	s := &r.scraps
	n := len(r.fresh)
	s.sets.Reset(n)
	s.volume, s.keep = arrays.Resize(s.volume, n), arrays.Resize(s.keep, n)
	s.at.clear()
	for i := range r.fresh {
		s.volume[i], s.keep[i] = 0, false
		for _, v := range r.fresh[i].v {
			if other, first := s.at.add(uint64(uint32(v)), int32(i)); !first {
				s.sets.Join(int32(i), other)
			}
		}
	}
	for i := range r.fresh {
		root := s.sets.Find(int32(i))
		c := r.corners(&r.fresh[i])
		s.volume[root] += r.signedVolume(c[0], c[1], c[2])
		for _, v := range r.fresh[i].v {
			s.keep[root] = s.keep[root] || v >= 0 && r.stays(v)
		}
	}
	least := leastPart * r.lattice.H * r.lattice.H * r.lattice.H
	kept := 0
	for i := range r.fresh {
		root := s.sets.Find(int32(i))
		if s.keep[root] || s.volume[root] >= least || -s.volume[root] >= least {
			r.fresh[kept] = r.fresh[i]
			kept++
		} else if int(root) == i {
			dropped++
		}
	}
	r.fresh = r.fresh[:kept]
	return dropped
}

// stays tells whether a vertex has a triangle that is not removed.
func (r *Rebuilder) stays(v int32) bool {
	for _, t := range r.mesh.VertexTriangles[v] {
		if r.isRemoved.find(uint64(t)) == Gone {
			return true
		}
	}
	return false
}
