package shapes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Figure is a dancer with a skirt, 1.6 m high, whose right hand is a dish that a crate can ride on.
//
// Its frame has the pool's surface at y = 0 and the figure's axis at x = z = 0. It rises out of the pool, gathers and
// throws its arms out, turns once about the vertical, holds out its hand, and bows. No vertex is faster than 2 m/s. The
// pool must be at least 1.2 m deep. A Figure is not for use by several goroutines at once.
type Figure struct {
	Rest Mesh // with the feet at y = 0; its triangles are those of every pose

	skeleton [bones]joint
	skin     []binding
	acts     [2]*act // before and after Risen

	now, rate pose
	placed    [bones]moved
	positions []r3.Vec // of Volume
}

// NewFigure makes the mesh and the choreography. It takes about half a second.
func NewFigure() *Figure {
	body := figureParts()
	f := &Figure{skeleton: skeleton(), acts: [2]*act{newAct(rise()), newAct(dance())}}
	f.Rest = contour(func(p r3.Vec) float64 { return distance(body, p) }, figureBox, figureCell)
	f.skin = bind(f.Rest, body)
	f.positions = make([]r3.Vec, len(f.Rest.Positions))
	return f
}

// At writes where the vertices are at a time, m, and how fast they move, m/s. Before 0 the figure is as at 0, and after
// End as at End. Velocities are the exact derivatives of positions. Both are continuous in time; velocities have a
// kink, and are 0, at Risen.
//
// velocities may be nil. At panics if t is not a number or if a slice has another length than Rest.Positions.
func (f *Figure) At(t float64, positions, velocities []r3.Vec) {
	if n := len(f.Rest.Positions); len(positions) != n || velocities != nil && len(velocities) != n {
		panic(fmt.Sprintf("shapes: Figure.At: %d positions and %d velocities; must be %d each", len(positions), len(velocities), n))
	}
	f.place(t)
	for v, p := range f.Rest.Positions {
		f.skin[v].move(p, v, f, positions, velocities)
	}
}

// Volume is what the figure encloses at a time, m³.
func (f *Figure) Volume(t float64) float64 {
	f.At(t, f.positions, nil)
	return Volume(f.positions, f.Rest.Triangles)
}

// Frame is where a bone is, how it is turned from the rest pose, and how fast its origin moves.
type Frame struct {
	Position r3.Vec // m
	Rotation quat.Number
	Velocity r3.Vec // m/s
}

// Palm is the frame of the middle of the right hand's dish at a time: the place on its surface that a crate stands on, with +y upwards.
func (f *Figure) Palm(t float64) Frame {
	f.place(t)
	return f.frame(RightHand, r3.Add(r3.Sub(dishCentre, f.skeleton[RightHand].at), r3.Vec{Y: dishThick / 2}))
}

// frame is that of a point that a bone moves, given from its joint in the rest pose.
func (f *Figure) frame(b Bone, arm r3.Vec) Frame {
	m := &f.placed[b]
	return Frame{
		Position: r3.Add(m.origin, m.linear.value.apply(arm)),
		Rotation: m.rotation.value.quaternion(),
		Velocity: r3.Add(m.rate, m.linear.rate.apply(arm)),
	}
}

// place finds where the bones are.
func (f *Figure) place(t float64) {
	if math.IsNaN(t) {
		panic("shapes: Figure: the time is not a number")
	}
	t = max(0, min(End, t))
	act := f.acts[0]
	if t > Risen {
		act = f.acts[1]
	}
	act.at(t, &f.now, &f.rate)
	f.now.place(&f.rate, &f.skeleton, &f.placed)
}
