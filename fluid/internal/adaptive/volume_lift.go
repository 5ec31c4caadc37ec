package adaptive

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// What a sheet gains the rest of its component loses, all over its surface, and the other way round. Were it to gain where it is higher than that surface the
// liquid would gain energy: a wave whose crests are taken for sheets would grow. So the sheets of a component move its litres about but raise no centre of mass:
// those that would are bounded to what the others lower it by.

// sheet is the thin liquid of a block that is corrected.
type sheet struct {
	component int32   // -1: of none
	height    float64 // m
	gain      float64 // what it is to gain, m³
}

// lift is scratch of boundLift.
type lift struct {
	area, moment []float64 // per component: of its surface, m², and of that times its height, m³; the last is of all liquid
	rise, fall   []float64 // likewise: what its sheets raise and lower it by, m⁴
}

// heightOf is how high the centre of a block's cell is, against gravity, m.
func (v *Volumes) heightOf(b int32, i int) (height float64) {
	m := v.m
	bits := int(m.Grid.Cur.Level[b])
	h, lo := m.Grid.CellSize(m.Grid.Cur.Level[b]), m.Grid.Corner(b)
	for a, up := range m.Solids.Up {
		at := float64(i>>(bits*a)&(1<<bits-1)) + .5
		height += float64(up * (lo[a] + float64(at*h)))
	}
	return height
}

// boundLift bounds by how much the listed blocks move so that they raise no component. The first time in a step it measures how high their surfaces are.
func (v *Volumes) boundLift(first bool) {
	if v.m.Solids.Up == [3]float64{} {
		return
	}
	if first {
		v.measureHeights()
	}
	x := &v.losses
	l := &x.lift
	clear(l.rise)
	clear(l.fall)
	for _, b := range x.list {
		if by := x.liftOf(b); by > 0 {
			l.rise[x.componentOf(b)] += by
		} else {
			l.fall[x.componentOf(b)] -= by
		}
	}
	for _, b := range x.list {
		if c := x.componentOf(b); x.liftOf(b) > 0 && l.rise[c] > l.fall[c] {
			x.by[b] *= float32(l.fall[c] / l.rise[c])
		}
	}
}

// componentOf is the component whose surface makes up for what a block gains: the last number stands for all liquid.
func (x *losses) componentOf(b int32) int {
	if last := len(x.lift.area) - 1; x.sheets[b].component < 0 {
		return last
	}
	return int(x.sheets[b].component)
}

// liftOf is by how much a block raises its component, m³ times m.
func (x *losses) liftOf(b int32) float64 {
	c := x.componentOf(b)
	l := &x.lift
	if x.by[b] == 0 || l.area[c] == 0 {
		return 0
	}
	return x.sheets[b].gain * (x.sheets[b].height - l.moment[c]/l.area[c])
}

// measureHeights measures how high the surfaces of the components are.
func (v *Volumes) measureHeights() {
	gr, label, l := v.m.Graph, v.m.Components.Label, &v.losses.lift
	n := len(v.Targets.Held)
	l.area, l.moment = arrays.Resize(l.area, n+1), arrays.Resize(l.moment, n+1)
	l.rise, l.fall = arrays.Resize(l.rise, n+1), arrays.Resize(l.fall, n+1)
	clear(l.area)
	clear(l.moment)
	for b := range gr.Connectivity {
		if !components.HasSurface(&gr.Connectivity[b]) {
			continue
		}
		for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
			a, b := gr.A[f], gr.B[f]
			if min(a, b) != graph.Air {
				continue
			}
			c := n
			if r := max(a, b); r >= 0 {
				c = int(label[r])
			}
			area, height := float64(gr.Area[f]*gr.Open[f]), 0.
			for i, x := range gr.FaceCentre(int(f)) {
				height += float64(v.m.Solids.Up[i] * x)
			}
			for _, c := range [2]int{c, n} {
				l.area[c] += area
				l.moment[c] += float64(area * height)
				if c == n {
					break
				}
			}
		}
	}
}
