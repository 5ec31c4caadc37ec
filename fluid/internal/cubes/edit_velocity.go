package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SetVelocity gives what is in a shape the velocity, m/s, that a field has there. An error of the field is returned, and nothing changes then, nor
// when it panics.
func (e *Edits) SetVelocity(s shapes.SDF, velocity func(x r3.Vec) (r3.Vec, error)) error {
	m := e.m
	was, top := m.Faces, e.survey.MaxSpeed
	for a := range m.Faces {
		m.Faces[a] = append([]float32(nil), m.Faces[a]...)
	}
	failed, done := error(nil), false
	defer func() {
		if !done { // velocity panicked, or s did
			m.Faces, e.survey.MaxSpeed = was, top
		}
	}()
	m.Grid.EachBase(s.Bounds(), func(b int32) {
		for a := range 3 {
			if failed == nil {
				failed = e.setBlockVelocity(b, a, s, velocity)
			}
		}
	})
	if failed != nil {
		return failed
	}
	done = true
	m.velocityChanged(s.Bounds())
	return nil
}

// setBlockVelocity sets the velocity on a block's faces across an axis.
func (e *Edits) setBlockVelocity(b int32, axis int, s shapes.SDF, velocity func(x r3.Vec) (r3.Vec, error)) error {
	m := e.m
	m.Centres.Pts = m.Centres.Pts[:0]
	m.Grid.EachFace(b, axis, func(_ int32, x [3]float64) { m.Centres.Pts = append(m.Centres.Pts, reproducible.Vector(x)) })
	m.Centres.Dist = arrays.Resize(m.Centres.Dist, len(m.Centres.Pts))
	s.Eval(m.Centres.Dist, m.Centres.Pts)
	first := m.Grid.Cur.First[b]
	for i, x := range m.Centres.Pts {
		if !(m.Centres.Dist[i] < 0) {
			continue
		}
		v, err := velocity(x)
		if err != nil {
			return err
		}
		m.Faces[axis][first+int32(i)] = float32(reproducible.Array(v)[axis])
		e.survey.MaxSpeed = max(e.survey.MaxSpeed, reproducible.Norm(v))
	}
	return nil
}

// newReach, in cells, is how far beyond liquid that is put in its velocity is set: as far as a surface that moves asks for that of the air around.
const newReach = 4

// setVelocityOfNew gives what a shape has added to the liquid a velocity, m/s, and the air around as far as it is nearer to that than to what was
// liquid before, of which before has the distance. Faces of that keep theirs.
func (e *Edits) setVelocityOfNew(s shapes.SDF, velocity func(x r3.Vec) r3.Vec) {
	m := e.m
	m.Grid.EachBase(boxes.Grown(s.Bounds(), newReach*m.CellSize), func(b int32) {
		for a := range 3 {
			e.setBlockOfNew(b, a, s, velocity)
		}
	})
	m.velocityChanged(boxes.Grown(s.Bounds(), newReach*m.CellSize))
}

// setBlockOfNew is setVelocityOfNew for a block's faces across an axis.
func (e *Edits) setBlockOfNew(b int32, axis int, s shapes.SDF, velocity func(x r3.Vec) r3.Vec) {
	m := e.m
	g, h := m.Grid, m.Grid.CellSize(m.Grid.Cur.Level[b])
	m.Centres.Pts = m.Centres.Pts[:0]
	g.EachFace(b, axis, func(_ int32, x [3]float64) { m.Centres.Pts = append(m.Centres.Pts, reproducible.Vector(x)) })
	m.Centres.Dist = arrays.Resize(m.Centres.Dist, len(m.Centres.Pts))
	s.Eval(m.Centres.Dist, m.Centres.Pts)
	first := g.Cur.First[b]
	for i, x := range m.Centres.Pts {
		slot := first + int32(i)
		below := reproducible.Array(x)
		below[axis] = max(below[axis]-float64(h/4), g.Origin[axis])
		nearest := min(e.before[slot], e.before[g.CellAt(below)])
		if d := m.Centres.Dist[i]; nearest < 0 || d > nearest || d > float32(newReach*h) {
			continue
		}
		v := velocity(x)
		m.Faces[axis][slot] = float32(reproducible.Array(v)[axis])
		e.survey.MaxSpeed = max(e.survey.MaxSpeed, reproducible.Norm(v))
	}
}

// MassIn is the mass of the liquid in a box, kg, each part of it weighted by where it is.
func (e *Edits) MassIn(box r3.Box, weight func(x r3.Vec) float64) (mass float64) {
	m := e.m
	m.Grid.EachBase(box, func(b int32) {
		for i, x := range m.Centres.In(m.Grid, b, box) {
			mass += float64(m.Density * e.survey.HeldIn(m.Centres.Cells[i]) * weight(x))
		}
	})
	return mass
}

// AddVelocity adds to the velocity in a box, m/s, what gain has there, which is at most as fast as fastest.
func (e *Edits) AddVelocity(box r3.Box, fastest float64, gain func(x r3.Vec) r3.Vec) {
	m := e.m
	m.Grid.EachBase(box, func(b int32) {
		for a := range 3 {
			e.addBlockVelocity(b, a, gain)
		}
	})
	e.survey.MaxSpeed += fastest
	m.velocityChanged(box)
}

// addBlockVelocity adds a velocity, m/s, to those on a block's faces across an axis.
func (e *Edits) addBlockVelocity(b int32, axis int, gain func(x r3.Vec) r3.Vec) {
	m := e.m
	faces, i := m.Faces[axis][m.Grid.Cur.First[b]:], 0
	m.Grid.EachFace(b, axis, func(_ int32, x [3]float64) {
		faces[i] += float32(reproducible.Array(gain(reproducible.Vector(x)))[axis])
		i++
	})
}
