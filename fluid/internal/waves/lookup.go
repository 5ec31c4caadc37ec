package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// lookup finds vertices and triangles of a mesh by place: a hash of cubes that have the vertices of free triangles, and the triangles around each vertex.
type lookup struct {
	positions, normals []float32
	labels             []uint8 // nil: one for all
	triangles          []uint32

	edge  float64 // of a cube, m
	mask  uint32
	first []int32 // per slot, and one more: where its vertices begin
	list  []int32 // vertices by slot, in their order

	firstAround []int32 // per vertex, and one more: where its triangles begin
	around      []int32
}

// cubeEdges is how many edges of triangles a cube is wide.
const cubeEdges = 2.5

// set takes a mesh whose edges have some length, m. Vertices without mass are left out.
func (l *lookup) set(positions, normals []float32, labels []uint8, triangles []uint32, mass []float64, edge float64) {
	l.positions, l.normals, l.labels, l.triangles = positions, normals, labels, triangles
	l.edge = cubeEdges * edge
	n := len(mass)
	slots := 64
	for slots < n {
		slots *= 2
	}
	l.mask = uint32(slots - 1)
	l.first, l.list = arrays.Resize(l.first, slots+2), arrays.Resize(l.list, n)
	clear(l.first)
	for v, m := range mass {
		if m > 0 {
			l.first[l.slotOf(v)+2]++
		}
	}
	for s := range slots {
		l.first[s+2] += l.first[s+1]
	}
	for v, m := range mass {
		if m > 0 {
			s := l.slotOf(v) + 1
			l.list[l.first[s]] = int32(v)
			l.first[s]++
		}
	}
	l.linkTriangles(n)
}

func (l *lookup) linkTriangles(n int) {
	l.firstAround, l.around = arrays.Resize(l.firstAround, n+2), arrays.Resize(l.around, len(l.triangles))
	clear(l.firstAround)
	for _, v := range l.triangles {
		l.firstAround[v+2]++
	}
	for v := range n {
		l.firstAround[v+2] += l.firstAround[v+1]
	}
	for i, v := range l.triangles {
		l.around[l.firstAround[v+1]] = int32(i / 3)
		l.firstAround[v+1]++
	}
}

// trianglesAt are those around a vertex.
func (l *lookup) trianglesAt(v int32) []int32 {
	return l.around[l.firstAround[v]:l.firstAround[v+1]]
}

func (l *lookup) cube(x float64) int32 {
	return int32(max(-1<<30, min(1<<30, math.Floor(x/l.edge))))
}

func (l *lookup) slotOf(v int) uint32 {
	x := at(l.positions, uint32(v))
	return l.slot(l.cube(x.X), l.cube(x.Y), l.cube(x.Z))
}

func (l *lookup) slot(x, y, z int32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca6b ^ uint32(z)*0xc2b2ae35
	return (h ^ h>>15) & l.mask
}

// nearestVertex is the one nearest to a place within reach, m, whose normal is not turned away by more than 60° and that has the label; -1 for none. A
// normal of 0 has no direction.
func (l *lookup) nearestVertex(x, normal r3.Vec, label uint8, reach float64) int32 {
	best, least := int32(-1), reach*reach
	lo := [3]int32{l.cube(x.X - reach), l.cube(x.Y - reach), l.cube(x.Z - reach)}
	hi := [3]int32{l.cube(x.X + reach), l.cube(x.Y + reach), l.cube(x.Z + reach)}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				s := l.slot(i, j, k)
				for _, v := range l.list[l.first[s]:l.first[s+1]] {
					d2 := reproducible.Norm2(r3.Sub(at(l.positions, uint32(v)), x))
					if d2 > least || d2 == least && best >= 0 && v >= best || l.labels != nil && l.labels[v] != label {
						continue
					}
					if normal != (r3.Vec{}) && reproducible.Dot(at(l.normals, uint32(v)), normal) < .5 {
						continue
					}
					best, least = v, d2
				}
			}
		}
	}
	return best
}

// within appends the vertices nearer to a place than reach, m.
func (l *lookup) within(dst []int32, x r3.Vec, reach float64) []int32 {
	lo := [3]int32{l.cube(x.X - reach), l.cube(x.Y - reach), l.cube(x.Z - reach)}
	hi := [3]int32{l.cube(x.X + reach), l.cube(x.Y + reach), l.cube(x.Z + reach)}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				s := l.slot(i, j, k)
				for _, v := range l.list[l.first[s]:l.first[s+1]] {
					p := at(l.positions, uint32(v))
					own := [3]int32{l.cube(p.X), l.cube(p.Y), l.cube(p.Z)} // others share the slot
					if own == [3]int32{i, j, k} && reproducible.Norm2(r3.Sub(p, x)) < float64(reach*reach) {
						dst = append(dst, v)
					}
				}
			}
		}
	}
	return dst
}

// place is where on the mesh something is: parts of three vertices.
type place struct {
	v [3]uint32
	w [3]float64
}

// nearestPlace is the place nearest to x on the triangles around a vertex.
func (l *lookup) nearestPlace(x r3.Vec, v int32) place {
	best, least := place{v: [3]uint32{uint32(v)}, w: [3]float64{1}}, math.Inf(1)
	for _, t := range l.trianglesAt(v) {
		tri := l.triangles[3*t : 3*t+3]
		a, b, c := at(l.positions, tri[0]), at(l.positions, tri[1]), at(l.positions, tri[2])
		wa, wb, wc := geom.Nearest(x, a, b, c)
		p := r3.Add(r3.Add(reproducible.Scale(wa, a), reproducible.Scale(wb, b)), reproducible.Scale(wc, c))
		if d2 := reproducible.Norm2(r3.Sub(p, x)); d2 < least {
			best, least = place{[3]uint32{tri[0], tri[1], tri[2]}, [3]float64{wa, wb, wc}}, d2
		}
	}
	return best
}

func (p *place) of(values []float64) float64 {
	return float64(p.w[0]*values[p.v[0]]) + float64(p.w[1]*values[p.v[1]]) + float64(p.w[2]*values[p.v[2]])
}
