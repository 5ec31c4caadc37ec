package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
)

// feeler feels its way around a solid, asking for its distance at many places at once.
type feeler struct {
	solid   blocks.Distance
	cell    float64   // finest, m
	pts     []r3.Vec  // places to ask about
	dist    []float32 // there, m
	marches []march
	going   []int32 // marches that go on
	probe   [6]r3.Vec
	near    [6]float32 // at probe
}

// march is a straight way that leads as far as a solid allows.
type march struct {
	of        int     // the way or ray that it is about
	from, dir r3.Vec  // dir has length 1
	length    float64 // where it may end, m
	gap       float64 // how near the solid must be to be met, m
	t, d      float64 // how far it has come, and the solid's distance there, m
}

// marches is enough to go along a wall, gap by gap, for more than a cell.
const marches = 64

// slip, in gaps, is by how much a way along a wall may near it in a step without meeting it: more than rounding.
const slip = .1

// newFeeler has room for most places; cell is the finest cells' edge, m.
func newFeeler(most int, cell float64) feeler {
	return feeler{cell: cell, pts: make([]r3.Vec, 0, most), dist: make([]float32, most), marches: make([]march, 0, most), going: make([]int32, 0, most)}
}

// ask sets the distances at f.pts.
func (f *feeler) ask() {
	f.dist = resize(f.dist, len(f.pts))
	f.solid(f.dist, f.pts)
}

// run goes on with f.marches by what the distance allows, until the solid is nearer than their gap or they are at their
// ends. One that starts nearer may lead away from the wall or along it.
func (f *feeler) run() {
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
	for _, i := range f.going {
		f.marches[i].t = f.marches[i].length
	}
}

// meets takes the distance where the march has come to, and tells whether it meets the solid; then it is taken back to
// before it.
func (m *march) meets(d float64) bool {
	before := m.d
	m.d = d
	if d < m.gap && d < before-slip*m.gap || d < -slip*m.gap && d < before {
		m.t = max(0, m.t-m.gap)
		return true
	}
	return false
}

// short tells whether the march has not come to its end; when it has run, that it met the solid.
func (m *march) short() bool { return m.t < m.length }

// end is where the march has come to.
func (m *march) end() r3.Vec { return r3.Add(m.from, r3.Scale(m.t, m.dir)) }

// outOf is the place, gap from the solid's surface, that is nearest to x, which is in the solid at a distance d: a
// cell whose centre is in a thin wall is on the wall's nearer side.
func (f *feeler) outOf(x r3.Vec, d, gap float64) r3.Vec {
	return r3.Add(x, r3.Scale(gap-d, f.normal(x, gap)))
}

// normal is the solid's at x, from the distances by around it.
func (f *feeler) normal(x r3.Vec, by float64) r3.Vec {
	d := f.around(x, by)
	n := r3.Vec{X: d[1] - d[0], Y: d[3] - d[2], Z: d[5] - d[4]}
	size := length(n)
	if size < 1e-4*f.cell { // in the middle of a wall
		return f.thinnest(x)
	}
	return r3.Scale(1/size, n)
}

// thinnest is the axis along which the way out of a wall's middle leads furthest away. The grid chooses in the same way, but
// takes more of the wall for its middle.
func (f *feeler) thinnest(x r3.Vec) (n r3.Vec) {
	most := 0.
	for i, d := range f.around(x, f.cell) {
		if d > most+1e-6*f.cell {
			n, most = axes[i], d
		}
	}
	return n
}

// axes are the six ways along an axis.
var axes = [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// around is the distances by along each of the axes from x. It leaves f.pts and f.dist as they are.
func (f *feeler) around(x r3.Vec, by float64) (d [6]float64) {
	for i, e := range axes {
		f.probe[i] = r3.Add(x, r3.Scale(by, e))
	}
	f.solid(f.near[:], f.probe[:])
	for i, v := range f.near {
		d[i] = float64(v)
	}
	return d
}

// length is r3.Norm in a third of its time.
func length(v r3.Vec) float64 { return math.Sqrt(r3.Norm2(v)) }
