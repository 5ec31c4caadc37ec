package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// operator is L = M⁻¹S of a mesh over a bound of its eigenvalues: (L x)_v = Σ_j S_vj (x_v - x_j) / (M_v · stiffest).
//
// S_vj is half the sum of the cotangents opposite to an edge, and 0 where that is negative, so that L smooths on any mesh. M_v is a quarter of the sum of S times the squared
// edges: the area nearest to the vertex, where no cotangent is negative; L of a squared distance is right on any flat mesh.
type operator struct {
	mass     []float64 // per vertex: M, m²
	part     []float64 // per vertex: 1/(mass · stiffest), or 0
	stiffest float64   // 1/m²: no eigenvalue of M⁻¹S is larger
	first    []int32   // per vertex, and one more: where its edges begin
	edges    []four

	sum   []float64 // per vertex: of its weights
	half  []float32 // per corner of the triangles: half its cotangent
	count []int32   // per vertex: its edges
	all   []edge    // each twice, by vertex, with gaps

	positions []float32 // arguments of the loop in progress
	triangles []uint32
	fans      *fans
}

// edge is one of a vertex.
type edge struct {
	to     int32
	weight float32 // S
}

// four are as many edges of a vertex, in a row for speed. What fills the last row up goes to the vertex itself, without weight.
type four struct {
	to     [4]int32
	weight [4]float32
}

// mostCotangent bounds the stiffness of slivers: it is that of 5.7°.
const mostCotangent = 10

// set takes a mesh: xyz per vertex, m, and three vertices per triangle, which are around each vertex in fans.
func (o *operator) set(pool *par.Pool, positions []float32, triangles []uint32, f *fans) {
	n := len(positions) / 3
	o.positions, o.triangles, o.fans = positions, triangles, f
	o.mass, o.part, o.sum = arrays.Resize(o.mass, n), arrays.Resize(o.part, n), arrays.Resize(o.sum, n)
	o.half = arrays.Resize(o.half, len(triangles))
	o.first, o.count, o.all = arrays.Resize(o.first, n+1), arrays.Resize(o.count, n), arrays.Resize(o.all, 2*len(triangles))
	par.For(pool, len(triangles)/3, grain, o, (*operator).measure)
	par.For(pool, n, grain, o, (*operator).link)
	o.number(n)
	par.For(pool, n, grain, o, (*operator).fill)
	o.bound()
	o.positions, o.triangles, o.fans = nil, nil, nil
}

// at is where a vertex is.
func at(positions []float32, v uint32) r3.Vec {
	p := positions[3*v : 3*v+3]
	return r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// measure finds cotangents.
func (o *operator) measure(_, lo, hi int) {
	for t := lo; t < hi; t++ {
		tri := o.triangles[3*t : 3*t+3]
		a, b, c := at(o.positions, tri[0]), at(o.positions, tri[1]), at(o.positions, tri[2])
		ab, bc, ca := r3.Sub(b, a), r3.Sub(c, b), r3.Sub(a, c)
		area := reproducible.Norm(reproducible.Cross(ab, bc))
		half := o.half[3*t : 3*t+3]
		for k, dot := range [3]float64{-reproducible.Dot(ab, ca), -reproducible.Dot(bc, ab), -reproducible.Dot(ca, bc)} {
			half[k] = float32(max(-mostCotangent, min(mostCotangent, dot/max(area, math.Abs(dot)/mostCotangent, 1e-300)))) / 2
		}
	}
}

// link lists each vertex's edges, one for the triangles on both its sides, and leaves out those that aren't stiff.
func (o *operator) link(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		list := o.all[2*o.fans.first[v] : 2*o.fans.first[v+1]]
		kept := 0
		for _, corner := range o.fans.at(int32(v)) {
			t, k := corner/3*3, corner%3
			next, prev := t+(k+1)%3, t+(k+2)%3
			kept = add(list, kept, edge{int32(o.triangles[next]), o.half[prev]})
			kept = add(list, kept, edge{int32(o.triangles[prev]), o.half[next]})
		}
		positive, sum, mass, x := 0, 0., 0., at(o.positions, uint32(v))
		for _, e := range list[:kept] {
			if e.weight > 0 && int(e.to) != v {
				list[positive] = e
				positive++
				sum += float64(e.weight)
				mass += float64(float64(e.weight) * reproducible.Norm2(r3.Sub(at(o.positions, uint32(e.to)), x)))
			}
		}
		o.count[v], o.sum[v], o.mass[v] = int32(positive), sum, mass/4
	}
}

// add adds an edge to the first so many of a list, or its weight to the one that is there, and returns how many there are.
func add(list []edge, kept int, e edge) int {
	for k := range list[:kept] {
		if list[k].to == e.to {
			list[k].weight += e.weight
			return kept
		}
	}
	list[kept] = e
	return kept + 1
}

// number decides where each vertex's edges come.
func (o *operator) number(n int) {
	rows := int32(0)
	for v := range n {
		o.first[v] = rows
		rows += (o.count[v] + 3) / 4
	}
	o.first[n] = rows
	o.edges = arrays.Resize(o.edges, int(rows))
}

func (o *operator) fill(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		list := o.all[2*o.fans.first[v]:][:o.count[v]]
		rows := o.edges[o.first[v]:o.first[v+1]]
		for i := range 4 * len(rows) {
			e := edge{to: int32(v)}
			if i < len(list) {
				e = list[i]
			}
			rows[i/4].to[i%4], rows[i/4].weight[i%4] = e.to, e.weight
		}
	}
}

// Stiffnesses are counted in quarters of octaves.
const (
	octaves  = 128
	quarters = 4 * octaves
)

// bound chooses stiffest: what is enough for all but a tenth of the vertices. Those get as much mass as they need, so that
// slivers don't decide how finely the others' waves are told apart.
func (o *operator) bound() {
	var count [quarters]int
	all := 0
	for v, mass := range o.mass {
		if sum := o.sum[v]; sum > 0 && mass > 0 {
			f, e := math.Frexp(2 * sum / mass)
			count[max(0, min(quarters-1, 4*(e+octaves/2)+int(float64(8*f)-4)))]++
			all++
		}
	}
	o.stiffest = 1
	for q, seen := 0, 0; q < quarters && all > 0; q++ {
		if seen += count[q]; seen > all*9/10 {
			o.stiffest = math.Ldexp(float64(q%4+5)/8, q/4-octaves/2)
			break
		}
	}
	for v := range o.mass {
		o.mass[v] = max(o.mass[v], 2*o.sum[v]/o.stiffest)
		o.part[v] = 0
		if o.sum[v] > 0 {
			o.part[v] = 1 / float64(o.mass[v]*o.stiffest)
		}
	}
}

// apply returns the sum of S_vj (x_v - x_j), for which L has but part[v].
func (o *operator) apply(x []float64, v int) float64 {
	own, a, b := x[v], 0., 0.
	rows := o.edges[o.first[v]:o.first[v+1]]
	for i := range rows {
		e := &rows[i]
		a += float64(float64(e.weight[0])*(own-x[e.to[0]])) + float64(float64(e.weight[1])*(own-x[e.to[1]]))
		b += float64(float64(e.weight[2])*(own-x[e.to[2]])) + float64(float64(e.weight[3])*(own-x[e.to[3]]))
	}
	return a + b
}
