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
	if err := validateSDF(s); err != nil {
		return fmt.Errorf("fluid: SetVelocity: %w", err)
	}
	if velocity == nil {
		return fmt.Errorf("fluid: SetVelocity: velocity is nil")
	}
	s = guardNumbers(s)
	defer l.warnOfShape("SetVelocity", s)
	was, top := l.faces, l.blocksInfo.maxSpeed
	for a := range l.faces {
		l.faces[a] = append([]float32(nil), l.faces[a]...)
	}
	failed, done := error(nil), false
	defer func() {
		if !done { // velocity panicked, or s did
			l.faces, l.blocksInfo.maxSpeed = was, top
		}
	}()
	l.eachBase(s.Bounds(), func(b int32) {
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
	l.disturb()
	l.vel.Gather(l.pool, &l.faces)
	l.resurvey()
	return nil
}

// setBlockVelocity sets the velocity on a block's faces across an axis.
func (l *Liquid) setBlockVelocity(b int32, axis int, s SDF, velocity func(x r3.Vec) r3.Vec) error {
	w := &l.world
	w.pts = w.pts[:0]
	l.grid.EachFace(b, axis, func(_ int32, x [3]float64) { w.pts = append(w.pts, toVec(x)) })
	w.dist = arrays.Resize(w.dist, len(w.pts))
	s.Eval(w.dist, w.pts)
	first := l.grid.Cur.First[b]
	for i, x := range w.pts {
		if !(w.dist[i] < 0) {
			continue
		}
		v := velocity(x)
		if !(reproducible.Norm(v) <= maxMotion) {
			return fmt.Errorf("fluid: SetVelocity: %v m/s at %v; must be finite and at most %g long", v, x, maxMotion)
		}
		l.faces[axis][first+int32(i)] = float32(array(v)[axis])
		l.blocksInfo.maxSpeed = max(l.blocksInfo.maxSpeed, reproducible.Norm(v))
	}
	return nil
}
