package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sphereTracer feels its way around a solid, asking for its distance at many places at once.
type sphereTracer struct {
	solid   rigid.Distance
	cell    float64   // finest, m
	pts     []r3.Vec  // places to ask about
	dist    []float32 // there, m
	marches []march
	going   []int32 // marches that go on
	outs    []out
	normal  []r3.Vec  // at pts
	probes  []r3.Vec  // around pts
	near    []float32 // at probes
}

// out is a place in a solid, or too near to it, on its way out.
type out struct {
	of     int // the way or ray that it is about
	x      r3.Vec
	d, gap float64 // the solid's distance at x, and what it's to be, m
}

// march is a straight way that leads as far as a solid allows.
type march struct {
	of        int     // the way or ray that it is about
	from, dir r3.Vec  // dir has length 1
	length    float64 // where it may end, m
	gap       float64 // how near the solid must be to be met, m
	t, d      float64 // how far it has come, and the solid's distance there, m
	far       float64 // the solid's distance where it may end, m; for lookPast
}

// marches is enough to go along a wall, gap by gap, for eight cells.
const marches = 400

// slip, in gaps, is by how much a way along a wall may near it in a step without meeting it: more than rounding.
const slip = .1

// newSphereTracer has room for most ways; cell is the finest cells' edge, m.
func newSphereTracer(most int, cell float64) sphereTracer {
	return sphereTracer{
		cell: cell, pts: make([]r3.Vec, 0, quarterSamples*most), dist: make([]float32, quarterSamples*most), marches: make([]march, 0, most), going: make([]int32, 0, most),
		outs: make([]out, 0, most), normal: make([]r3.Vec, 0, most), probes: make([]r3.Vec, 0, 6*most), near: make([]float32, 6*most),
	}
}

// ask sets the distances at f.pts.
func (f *sphereTracer) ask() {
	if len(f.pts) == 0 {
		return
	}
	f.dist = arrays.Resize(f.dist, len(f.pts))
	f.solid(f.dist, f.pts)
}

// run goes on with f.marches by what the distance allows, until the solid is nearer than their gap or they are at their
// ends. One that starts nearer may lead away from the wall or along it. Those that have not come to their ends by then end where they are.
func (f *sphereTracer) run() {
	f.going = f.going[:0]
	for i := range f.marches {
		f.going = append(f.going, int32(i))
	}
	for range marches {
		f.pts = f.pts[:0]
		for _, i := range f.going {
			m := &f.marches[i]
			if m.t = min(m.t+max(m.d, m.gap), m.length); m.short() {
				f.going[len(f.pts)] = i
				f.pts = append(f.pts, m.end())
			}
		}
		if len(f.pts) == 0 {
			break
		}
		f.ask()
		n := 0
		for k, i := range f.going[:len(f.pts)] {
			if !f.marches[i].meets(float64(f.dist[k])) {
				f.going[n] = i
				n++
			}
		}
		f.going = f.going[:n]
	}
}

// meets takes the distance where the march has come to, and tells whether it meets the solid; then it is taken back to
// before it.
func (m *march) meets(d float64) bool {
	before := m.d
	m.d = d
	if d < m.gap && d < before-float64(slip*m.gap) || d < -slip*m.gap && d < before {
		m.t = max(0, m.t-m.gap)
		return true
	}
	return false
}

// short tells whether the march has not come to its end; when it has run, that it met the solid.
func (m *march) short() bool { return m.t < m.length }

// end is where the march has come to.
func (m *march) end() r3.Vec { return r3.Add(m.from, reproducible.Scale(m.t, m.dir)) }

// moveOutside moves f.outs to the nearest places that are their gaps from the solid: a cell whose centre is in a thin wall is
// on the wall's nearer side.
func (f *sphereTracer) moveOutside() {
	if len(f.outs) == 0 {
		return
	}
	f.pts = f.pts[:0]
	for i := range f.outs {
		f.pts = append(f.pts, f.outs[i].x)
	}
	f.normals()
	for i, n := range f.normal {
		o := &f.outs[i]
		o.x = r3.Add(o.x, reproducible.Scale(o.gap-o.d, n))
	}
}

// normals sets the solid's normals at f.pts, from the distances around them.
func (f *sphereTracer) normals() {
	by := float64(wallGap * f.cell)
	f.probes, f.normal = f.probes[:0], f.normal[:0]
	for _, x := range f.pts {
		f.probe(x, by)
	}
	f.near = arrays.Resize(f.near, len(f.probes))
	f.solid(f.near, f.probes)
	for i := range f.pts {
		d := f.near[6*i:][:6]
		n := r3.Vec{X: float64(d[1]) - float64(d[0]), Y: float64(d[3]) - float64(d[2]), Z: float64(d[5]) - float64(d[4])}
		if size := reproducible.Norm(n); size > 1e-4*f.cell {
			n = reproducible.Scale(1/size, n)
		} else {
			n = r3.Vec{} // in the middle of a wall
		}
		f.normal = append(f.normal, n)
	}
	for i, n := range f.normal {
		if n == (r3.Vec{}) {
			f.normal[i] = f.thinnestAxis(f.pts[i])
		}
	}
}

// thinnestAxis is the axis along which the way out of a wall's middle leads furthest away. The grid chooses in the same way, but
// takes more of the wall for its middle.
func (f *sphereTracer) thinnestAxis(x r3.Vec) (n r3.Vec) {
	f.probes = f.probes[:0]
	f.probe(x, f.cell)
	f.solid(f.near[:6], f.probes)
	most := float32(0)
	for i, d := range f.near[:6] {
		if d > most+float32(1e-6*float32(f.cell)) {
			n, most = axes[i], d
		}
	}
	return n
}

// probe lists the places by along each of the axes from x.
func (f *sphereTracer) probe(x r3.Vec, by float64) {
	f.probes = append(f.probes,
		r3.Vec{X: x.X - by, Y: x.Y, Z: x.Z}, r3.Vec{X: x.X + by, Y: x.Y, Z: x.Z},
		r3.Vec{X: x.X, Y: x.Y - by, Z: x.Z}, r3.Vec{X: x.X, Y: x.Y + by, Z: x.Z},
		r3.Vec{X: x.X, Y: x.Y, Z: x.Z - by}, r3.Vec{X: x.X, Y: x.Y, Z: x.Z + by})
}

// axes are the six ways along an axis.
var axes = [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}
