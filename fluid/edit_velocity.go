package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SetVelocity gives the liquid in a shape, from the next step on, the velocity that a field, m/s, has there: a gust, a blow, the first
// moment of a flow that is known. What of it the liquid can't follow, because it can't be compressed, the step's pressure takes away again.
// A velocity that is not finite or faster than 1e4 m/s is an error, and nothing changes.
func (l *Liquid) SetVelocity(s SDF, velocity func(x r3.Vec) r3.Vec) error {
	defer l.enter(&inSetVelocity).leave()
	if err := CheckSDF(s); err != nil {
		return fmt.Errorf("fluid: SetVelocity: %w", err)
	}
	if velocity == nil {
		return fmt.Errorf("fluid: SetVelocity: velocity is nil")
	}
	s = guarded(s)
	defer l.warnOfShape("SetVelocity", s)
	was, top := l.m.Faces, l.m.Survey.MaxSpeed
	for a := range l.m.Faces {
		l.m.Faces[a] = append([]float32(nil), l.m.Faces[a]...)
	}
	failed, done := error(nil), false
	defer func() {
		if !done { // velocity panicked, or s did
			l.m.Faces, l.m.Survey.MaxSpeed = was, top
		}
	}()
	l.m.EachBase(s.Bounds(), func(b int32) {
		for a := range 3 {
			if failed == nil {
				failed = l.setBlockVelocity(b, a, s, velocity)
			}
		}
	})
	if failed != nil {
		return failed
	}
	done = true
	l.wakeAll()
	l.m.Vel.Gather(l.pool, &l.m.Faces)
	l.resurvey()
	return nil
}

// setBlockVelocity sets the velocity on a block's faces across an axis.
func (l *Liquid) setBlockVelocity(b int32, axis int, s SDF, velocity func(x r3.Vec) r3.Vec) error {
	l.m.Pts = l.m.Pts[:0]
	l.m.Grid.EachFace(b, axis, func(_ int32, x [3]float64) { l.m.Pts = append(l.m.Pts, reproducible.Vector(x)) })
	l.m.Dist = arrays.Resize(l.m.Dist, len(l.m.Pts))
	s.Eval(l.m.Dist, l.m.Pts)
	first := l.m.Grid.Cur.First[b]
	for i, x := range l.m.Pts {
		if !(l.m.Dist[i] < 0) {
			continue
		}
		v := velocity(x)
		if !(reproducible.Norm(v) <= maxMotion) {
			return fmt.Errorf("fluid: SetVelocity: %v m/s at %v; must be finite and at most %g long", v, x, maxMotion)
		}
		l.m.Faces[axis][first+int32(i)] = float32(reproducible.Array(v)[axis])
		l.m.Survey.MaxSpeed = max(l.m.Survey.MaxSpeed, reproducible.Norm(v))
	}
	return nil
}
