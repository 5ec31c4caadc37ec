package contour

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// picture makes of a closed mesh that goes on beyond a domain's sides one that ends there: what is beyond a side is projected onto it, so that it is closed
// still. A vertex is doubled for each side whose triangles use it.
type picture struct {
	places  []r3.Vec   // of the mesh, in the domain, m
	on      []uint8    // per place: bit by bit the sides that it is on: -x, +x, -y, …
	normals []r3.Vec   // per place: that of free triangles, as long as twice their area
	number  []int32    // per place, of free triangles and of each side's: its vertex, or -1
	sides   [][4]int32 // triangles along the sides, and which side
}

// uses is for how many kinds of triangles a place may be a vertex: free ones and those along six sides.
const uses = 7

// triangles writes the contour's mesh.
func (t *Tracker) triangles(dst *query.Triangles, domain r3.Box) {
	at, triangles, _ := t.Contour.Mesh()
	p := &t.picture
	p.project(at, domain)
	dst.Positions, dst.Normals, dst.Indices = dst.Positions[:0], dst.Normals[:0], dst.Indices[:0]
	p.sides = p.sides[:0]
	for _, t := range triangles {
		a, b, c := p.places[t[0]], p.places[t[1]], p.places[t[2]]
		if a == b || b == c || c == a {
			continue
		}
		normal := geom.TwiceArea(a, b, c)
		if all := p.on[t[0]] & p.on[t[1]] & p.on[t[2]]; all != 0 {
			p.sides = append(p.sides, [4]int32{t[0], t[1], t[2], int32(outermost(all, normal))})
			continue
		}
		for _, v := range t {
			p.normals[v] = r3.Add(p.normals[v], normal)
			dst.Indices = append(dst.Indices, p.vertex(dst, v, 0, r3.Vec{}))
		}
	}
	dst.Free = len(dst.Indices)
	p.writeNormals(dst)
	for _, t := range p.sides {
		var normal [3]float64
		normal[t[3]/2] = float64(2*(t[3]%2) - 1)
		for _, v := range t[:3] {
			dst.Indices = append(dst.Indices, p.vertex(dst, v, 1+t[3], reproducible.Vector(normal)))
		}
	}
}

// project moves the places into the domain.
func (p *picture) project(at []r3.Vec, domain r3.Box) {
	n := len(at)
	p.places, p.on, p.normals = arrays.Resize(p.places, n), arrays.Resize(p.on, n), arrays.Resize(p.normals, n)
	p.number = arrays.Resize(p.number, uses*n)
	for i := range p.number {
		p.number[i] = -1
	}
	clear(p.normals)
	lo, hi := reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	for i, x := range at {
		v, on := reproducible.Array(x), uint8(0)
		for a := range v {
			if v[a] <= lo[a] {
				v[a], on = lo[a], on|1<<(2*a)
			}
			if v[a] >= hi[a] {
				v[a], on = hi[a], on|2<<(2*a)
			}
		}
		p.places[i], p.on[i] = reproducible.Vector(v), on
	}
}

// outermost is the one of some sides that a triangle along them looks out of.
func outermost(sides uint8, normal r3.Vec) int {
	best, most := 0, -1.
	for side := range 6 {
		if out := float64(2*(side%2)-1) * reproducible.Array(normal)[side/2]; sides>>side&1 == 1 && (most < 0 || out > most) {
			best, most = side, max(0, out)
		}
	}
	return best
}

// vertex is the number of a place's vertex for one use of it, which it writes if it is new.
func (p *picture) vertex(dst *query.Triangles, v, use int32, normal r3.Vec) uint32 {
	n := &p.number[uses*v+use]
	if *n < 0 {
		*n = int32(len(dst.Positions) / 3)
		x := p.places[v]
		dst.Positions = append(dst.Positions, float32(x.X), float32(x.Y), float32(x.Z))
		dst.Normals = append(dst.Normals, float32(normal.X), float32(normal.Y), float32(normal.Z))
	}
	return uint32(*n)
}

// writeNormals writes those of the free triangles' vertices.
func (p *picture) writeNormals(dst *query.Triangles) {
	for v, normal := range p.normals {
		n := p.number[uses*v]
		if n < 0 {
			continue
		}
		u := r3.Vec{Y: 1}
		if normal != (r3.Vec{}) {
			u = query.Unit(normal)
		}
		dst.Normals[3*n], dst.Normals[3*n+1], dst.Normals[3*n+2] = float32(u.X), float32(u.Y), float32(u.Z)
	}
}
