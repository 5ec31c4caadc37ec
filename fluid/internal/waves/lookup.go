package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// lookup finds vertices and triangles of a mesh by place, by a hash of cubes that have the vertices of free triangles.
type lookup struct {
	positions, normals []float32
	labels             []uint8 // nil: one for all
	triangles          []uint32
	fans               fans

	edge   float64 // of a cube, m
	mask   uint32
	slots  []uint32 // per vertex
	first  []int32  // per slot, and two more: where its vertices begin
	listed []listed // by slot, in the vertices' order
}

// listed is a vertex.
type listed struct {
	x [3]float32
	v int32
}

// cubeEdges is how many edges of triangles a cube is wide.
const cubeEdges = 2.5

// set takes a mesh, whose fans are set, and whose edges have some length, m. Vertices without mass are left out.
func (l *lookup) set(mass []float64, edge float64) {
	l.edge = cubeEdges * edge
	n := len(mass)
	slots := 64
	for slots < n {
		slots *= 2
	}
	l.mask = uint32(slots - 1)
	l.slots, l.first, l.listed = arrays.Resize(l.slots, n), arrays.Resize(l.first, slots+2), arrays.Resize(l.listed, n)
	clear(l.first)
	for v, m := range mass {
		if m > 0 {
			l.slots[v] = l.slotOf(v)
			l.first[l.slots[v]+2]++
		}
	}
	for s := range slots {
		l.first[s+2] += l.first[s+1]
	}
	for v, m := range mass {
		if m > 0 {
			at := &l.first[l.slots[v]+1]
			l.listed[*at] = listed{[3]float32(l.positions[3*v:]), int32(v)}
			*at++
		}
	}
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
	best, least := int32(-1), float64(reach*reach)
	lo := [3]int32{l.cube(x.X - reach), l.cube(x.Y - reach), l.cube(x.Z - reach)}
	hi := [3]int32{l.cube(x.X + reach), l.cube(x.Y + reach), l.cube(x.Z + reach)}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				s := l.slot(i, j, k)
				for _, p := range l.listed[l.first[s]:l.first[s+1]] {
					dx, dy, dz := float64(p.x[0])-x.X, float64(p.x[1])-x.Y, float64(p.x[2])-x.Z
					d2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
					if (d2 < least || d2 == least && p.v < best) && l.suits(p.v, normal, label) {
						best, least = p.v, d2
					}
				}
			}
		}
	}
	return best
}

// isAt tells whether a vertex is of a free triangle and at a place, and suits.
func (l *lookup) isAt(v int32, x, normal r3.Vec, label uint8) bool {
	return 3*int(v) < len(l.positions) && at(l.positions, uint32(v)) == x && len(l.fans.at(v)) > 0 && l.suits(v, normal, label)
}

func (l *lookup) suits(v int32, normal r3.Vec, label uint8) bool {
	return (l.labels == nil || l.labels[v] == label) && (normal == (r3.Vec{}) || reproducible.Dot(at(l.normals, uint32(v)), normal) >= .5)
}

// inBox appends the vertices in a box, each once.
func (l *lookup) inBox(dst []int32, box r3.Box) []int32 {
	lo := [3]int32{l.cube(box.Min.X), l.cube(box.Min.Y), l.cube(box.Min.Z)}
	hi := [3]int32{l.cube(box.Max.X), l.cube(box.Max.Y), l.cube(box.Max.Z)}
	cubes := 1.
	for k := range lo {
		cubes *= float64(hi[k]) - float64(lo[k]) + 1
	}
	if cubes > float64(len(l.slots)) {
		for v := range l.slots {
			if len(l.fans.at(int32(v))) > 0 && boxes.Contains(box, at(l.positions, uint32(v))) {
				dst = append(dst, int32(v))
			}
		}
		return dst
	}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				s := l.slot(i, j, k)
				for _, p := range l.listed[l.first[s]:l.first[s+1]] {
					y := at(l.positions, uint32(p.v))
					own := [3]int32{l.cube(y.X), l.cube(y.Y), l.cube(y.Z)} // others share the slot
					if own == [3]int32{i, j, k} && boxes.Contains(box, y) {
						dst = append(dst, p.v)
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

// nearestPlace is the place of x on the triangles around a vertex: the first below it, or the nearest if there is none.
func (l *lookup) nearestPlace(x r3.Vec, v int32) place {
	own := at(l.positions, uint32(v))
	d := r3.Sub(x, own)
	best := place{v: [3]uint32{uint32(v), uint32(v), uint32(v)}, w: [3]float64{1}}
	if d == (r3.Vec{}) {
		return best
	}
	for _, corner := range l.fans.at(v) {
		t, k := corner/3*3, corner%3
		b, c := l.triangles[t+(k+1)%3], l.triangles[t+(k+2)%3]
		e, f := r3.Sub(at(l.positions, b), own), r3.Sub(at(l.positions, c), own)
		ee, ef, ff, de, df := reproducible.Norm2(e), reproducible.Dot(e, f), reproducible.Norm2(f), reproducible.Dot(d, e), reproducible.Dot(d, f)
		det := float64(ee*ff) - float64(ef*ef)
		p, q := float64(ff*de)-float64(ef*df), float64(ee*df)-float64(ef*de)
		if p >= 0 && q >= 0 && p+q <= det && det > 1e-9*float64(ee*ff) {
			return place{[3]uint32{uint32(v), b, c}, [3]float64{1 - p/det - q/det, p / det, q / det}}
		}
	}
	least := math.Inf(1)
	for _, corner := range l.fans.at(v) {
		tri := l.triangles[corner/3*3:][:3]
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
