package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
)

// region is a piece of the liquid with a surface of its own: vertices and faces of the mesh under numbers from 0 on.
type region struct {
	back      r3.Vec  // by how far the next motion is to move the centre besides, m
	target    float64 // volume that is kept, m³
	piece     int32   // the first of trimesh.Pieces that it is
	vertices  []int32 // of the mesh, ascending
	faces     []int32
	at        []r3.Vec
	triangles [][3]int32
	velocity  []r3.Vec // of each face
	vertex    []r3.Vec // velocity of each vertex, what it moves with
	body      inertia
	momenta   momenta
	wanted    momenta // with the acceleration, and without solids
	ballistic bool    // no solid holds it in the motion
	expected  r3.Vec  // where its centre comes to by its momentum then
	wetting
	response response
	rubbed   r3.Vec // momentum that friction on solids has given
	line     r3.Vec // impulse of the free surface on solids along the rim
	err      error
}

// numbering is scratch of gather.
type numbering struct {
	region []int32 // of each of trimesh.Pieces
	local  []int32 // of each vertex
}

// gather makes the regions of the mesh as it is. A bubble belongs to what it is in.
func (l *Liquid) gather() {
	m, p := &l.Tracker.Mesh, &l.volumes
	n := &l.motion.numbering
	n.region, n.local = arrays.Resize(n.region, len(p.Piece)), arrays.Resize(n.local, len(m.Position))
	count := 0
	for i := range p.Piece {
		n.region[i] = trimesh.Gone
		if bubbleIn(p, int32(i)) == trimesh.Gone {
			n.region[i] = int32(count)
			count++
		}
	}
	for i := range p.Piece {
		if of := bubbleIn(p, int32(i)); of != trimesh.Gone {
			n.region[i] = n.region[of]
		}
	}
	l.regions = arrays.Resize(l.regions, count)
	for i := range l.regions {
		l.regions[i].clear()
	}
	for i := len(p.Piece) - 1; i >= 0; i-- {
		if bubbleIn(p, int32(i)) == trimesh.Gone {
			l.regions[n.region[i]].piece = int32(i)
		}
	}
	for i := range p.Piece {
		l.regions[n.region[i]].target += p.Piece[i].Target
	}
	for v, of := range p.Of {
		if of == trimesh.Gone {
			continue
		}
		r := &l.regions[n.region[of]]
		n.local[v] = int32(len(r.vertices))
		r.vertices, r.at = append(r.vertices, int32(v)), append(r.at, m.Position[v])
	}
	for t, v := range m.Triangle {
		r := &l.regions[n.region[p.Of[v[0]]]]
		r.faces, r.velocity = append(r.faces, int32(t)), append(r.velocity, l.velocity[t])
		r.triangles = append(r.triangles, [3]int32{n.local[v[0]], n.local[v[1]], n.local[v[2]]})
	}
	for i := range l.regions {
		l.regions[i].weigh(l.Density)
	}
}

// bubbleIn is the piece that a bubble is in, or Gone for what is no bubble.
func bubbleIn(p *trimesh.Pieces, i int32) int32 {
	if c := &p.Piece[i]; c.Volume < 0 && c.Within != trimesh.Gone && p.Piece[c.Within].Volume > 0 {
		return c.Within
	}
	return trimesh.Gone
}

func (r *region) clear() {
	r.back, r.target = r3.Vec{}, 0
	r.vertices, r.faces, r.at, r.triangles, r.velocity = r.vertices[:0], r.faces[:0], r.at[:0], r.triangles[:0], r.velocity[:0]
	r.err, r.wetting.faces, r.response.bodies = nil, 0, r.response.bodies[:0]
}

// centroid is that of a face.
func (r *region) centroid(i int) r3.Vec { return centroid(r.at, r.triangles[i]) }

// normal is twice a face's area along its normal.
func (r *region) normal(i int) r3.Vec {
	t := r.triangles[i]
	return geom.TwiceArea(r.at[t[0]], r.at[t[1]], r.at[t[2]])
}
