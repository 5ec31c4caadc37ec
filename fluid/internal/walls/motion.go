package walls

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Motion is the rigid motion of a solid from its previous pose to its current one. The zero value is none.
type Motion struct {
	moves    bool
	from, to r3.Vec
	turn     [3]r3.Vec // rows of the rotation matrix
}

// Between returns the motion of a rigid solid from the centre from, m, and orientation p to the centre to and orientation q.
// Orientations need not have length 1, but must not be zero.
func Between(from r3.Vec, p quat.Number, to r3.Vec, q quat.Number) (m Motion) {
	if from == to && p == q {
		return m
	}
	m.moves, m.from, m.to = true, from, to
	back := quat.Number{Real: p.Real, Imag: -p.Imag, Jmag: -p.Jmag, Kmag: -p.Kmag}
	turn := reproducible.QuatMul(q, back)
	m.turn = reproducible.RotationRows(reproducible.QuatScale(1/reproducible.QuatAbs(turn), turn))
	return m
}

// Moves reports whether the solid has moved.
func (m *Motion) Moves() bool { return m.moves }

// Forward returns the current place of the solid's point that was at x. The solid must have moved.
func (m *Motion) Forward(x r3.Vec) r3.Vec {
	d := r3.Sub(x, m.from)
	return r3.Add(m.to, r3.Vec{X: reproducible.Dot(m.turn[0], d), Y: reproducible.Dot(m.turn[1], d), Z: reproducible.Dot(m.turn[2], d)})
}

// Back returns the previous place of the solid's point that is at x. The solid must have moved.
func (m *Motion) Back(x r3.Vec) r3.Vec {
	d, t := r3.Sub(x, m.to), &m.turn
	return r3.Add(m.from, r3.Add(reproducible.Scale(d.X, t[0]), r3.Add(reproducible.Scale(d.Y, t[1]), reproducible.Scale(d.Z, t[2]))))
}

// Farthest returns the greatest distance that points now in a box have moved, m.
func (m *Motion) Farthest(box r3.Box) (most float64) {
	if !m.moves {
		return 0
	}
	for c := range 8 { // the distance is a convex function
		x := boxes.Corner(&box, c)
		most = max(most, reproducible.Norm(r3.Sub(x, m.Back(x))))
	}
	return most
}

// MaxSpeedIn returns the greatest speed in a box, m/s, of a rigid motion with a twist, m/s and rad/s, about a centre.
func MaxSpeedIn(box r3.Box, centre r3.Vec, twist *[6]float64) (most float64) {
	v, w := reproducible.Vector([3]float64(twist[:3])), reproducible.Vector([3]float64(twist[3:]))
	for c := range 8 {
		most = max(most, reproducible.Norm(r3.Add(v, reproducible.Cross(w, r3.Sub(boxes.Corner(&box, c), centre)))))
	}
	return most
}

// leastSubstepTravel, in cells, is the least motion per substep that Substeps asks for, of walls thinner than that. A wall carries the liquid that
// it passes over however far it moves, but the flow that it drives is computed once a substep.
const leastSubstepTravel = .5

// Substeps returns how many substeps a wall needs that is thickness m thick and travels travel m in all. cell is the edge of the finest cells,
// m. It returns 0 if the wall moves by less than its thickness, or is at least one and a half cells thick.
func Substeps(thickness, travel, cell float64) float64 {
	if thickness >= 1.5*cell {
		return 0
	}
	if n := travel / max(thickness, leastSubstepTravel*cell); n > 1 && travel <= math.MaxFloat32 {
		return n
	}
	return 0
}
