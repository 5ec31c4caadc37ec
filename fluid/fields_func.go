package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// funcBatch is how many places a field's function is asked about at a time.
const funcBatch = 4096

// funcScratch is what a field's function is asked about, and what it says.
type funcScratch struct {
	pts, dst []r3.Vec
	faces    []int32
}

// askFunc writes what a FuncField gives at pts into dst, m/s². What is not finite counts as none and is told of once.
func (l *Liquid) askFunc(i int32, dst, pts []r3.Vec) {
	f := l.world.fields[i]
	clear(dst)
	f.Func(dst, pts)
	for k, a := range dst {
		long := reproducible.Norm(a)
		switch {
		case !finite(long):
			dst[k] = r3.Vec{}
			if !f.told {
				f.told = true
				l.warn("Field.Func", fmt.Sprintf("field %d gives %v m/s² at %v m: what is not finite counts as none", l.world.ids.fields.ids[i], a, pts[k]))
			}
			continue
		case long > f.Strength:
			dst[k] = reproducible.Scale(f.Strength/long, a)
		}
		if f.Radius > 0 {
			dst[k] = reproducible.Scale(f.fade(reproducible.Norm(r3.Sub(pts[k], f.Centre))), dst[k])
		}
	}
}

// fieldAt is what a field gives at a place, m/s².
func (l *Liquid) fieldAt(i int32, x r3.Vec) r3.Vec {
	f := l.world.fields[i]
	if f.Kind != FuncField {
		return f.at(x)
	}
	s := &l.world.fieldsIn.asked
	s.pts, s.dst = append(s.pts[:0], x), arrays.Resize(s.dst, 1)
	l.askFunc(i, s.dst, s.pts)
	return s.dst[0]
}

// pushByFuncs adds the fields that are functions to the faces.
func (l *Liquid) pushByFuncs() {
	gr, s := &l.graph, &l.world.fieldsIn.asked
	for _, i := range l.world.fieldsIn.funcs {
		s.pts, s.faces = s.pts[:0], s.faces[:0]
		f := &l.world.fields[i].Field
		if f.Radius == 0 {
			for b := range int32(l.m.Grid.Bases()) {
				l.gatherFaces(i, b)
			}
		} else {
			l.eachReached(f, func(b int32) { l.gatherFaces(i, b) })
		}
		l.pushGathered(i, gr.U)
	}
}

// gatherFaces takes a block's faces to those that a field is to push.
func (l *Liquid) gatherFaces(i, b int32) {
	gr, s := &l.graph, &l.world.fieldsIn.asked
	for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
		s.pts, s.faces = append(s.pts, reproducible.Vector(gr.FaceCentre(int(f)))), append(s.faces, f)
	}
	if len(s.faces) >= funcBatch {
		l.pushGathered(i, gr.U)
	}
}

// pushGathered pushes the gathered faces, whose velocities are u, m/s.
func (l *Liquid) pushGathered(i int32, u []float64) {
	s := &l.world.fieldsIn.asked
	if len(s.pts) > 0 {
		s.dst = arrays.Resize(s.dst, len(s.pts))
		l.askFunc(i, s.dst, s.pts)
		for k, f := range s.faces {
			u[f] += float64(l.m.Dt * reproducible.Array(s.dst[k])[l.graph.Axis[f]])
		}
	}
	s.pts, s.faces = s.pts[:0], s.faces[:0]
}
