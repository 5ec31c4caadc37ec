package fields

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// batch is the number of places per call of a field's function, at least, if there are more.
const batch = 4096

// scratch is the input and output of a field's function.
type scratch struct {
	pts, dst []r3.Vec
	faces    []int32
}

// evaluate sets dst to the acceleration by a Func at pts, m/s². A value that is not finite counts as none, and is reported once.
func (n *Index) evaluate(i int32, dst, pts []r3.Vec) {
	f := n.all[i]
	clear(dst)
	f.Func(dst, pts)
	for k, a := range dst {
		long := reproducible.Norm(a)
		switch {
		case !geom.Finite(long):
			dst[k] = r3.Vec{}
			if !f.warned {
				f.warned = true
				n.Warn(i, a, pts[k])
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

// fieldAt returns the acceleration by a field at a place, m/s².
func (n *Index) fieldAt(i int32, x r3.Vec) r3.Vec {
	f := n.all[i]
	if f.Kind != Func {
		return f.At(x)
	}
	s := &n.scratch
	s.pts, s.dst = append(s.pts[:0], x), arrays.Resize(s.dst, 1)
	n.evaluate(i, s.dst, s.pts)
	return s.dst[0]
}

// accelerateByFuncs adds the effect of Func fields in dt seconds to the velocities of all faces.
func (n *Index) accelerateByFuncs(gr *graph.Graph, dt float64) {
	s := &n.scratch
	for _, i := range n.funcs {
		s.pts, s.faces = s.pts[:0], s.faces[:0]
		if f := n.all[i]; len(gr.Parts) == 0 {
			n.gatherFaces(gr, i, 0, int32(gr.Faces()), dt)
		} else if f.Radius == 0 {
			for b := range int32(n.tiles.Len()) {
				n.gather(gr, i, b, dt)
			}
		} else {
			n.eachReached(f, func(b int32) { n.gather(gr, i, b, dt) })
		}
		n.accelerateGathered(gr, i, dt)
	}
}

// gather adds a tile's faces to those that a function is evaluated at.
func (n *Index) gather(gr *graph.Graph, i, b int32, dt float64) {
	n.gatherFaces(gr, i, gr.Parts[b].Face, gr.Parts[b+1].Face, dt)
}

func (n *Index) gatherFaces(gr *graph.Graph, i, lo, hi int32, dt float64) {
	s := &n.scratch
	for f := lo; f < hi; f++ {
		s.pts, s.faces = append(s.pts, reproducible.Vector(gr.FaceCentre(int(f)))), append(s.faces, f)
	}
	if len(s.faces) >= batch {
		n.accelerateGathered(gr, i, dt)
	}
}

// accelerateGathered applies a function at the gathered faces.
func (n *Index) accelerateGathered(gr *graph.Graph, i int32, dt float64) {
	s := &n.scratch
	if len(s.pts) > 0 {
		s.dst = arrays.Resize(s.dst, len(s.pts))
		n.evaluate(i, s.dst, s.pts)
		for k, f := range s.faces {
			by := reproducible.Array(s.dst[k])
			gr.U[f] += float64(dt * gr.Along(int(f), &by))
		}
	}
	s.pts, s.faces = s.pts[:0], s.faces[:0]
}
