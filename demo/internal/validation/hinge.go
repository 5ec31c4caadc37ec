package validation

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// hingedRod is V8: a rod of 1 kg and 1 m, hinged at one end, hit across by 1 N·s. What a point of it answers is given
// by the joint's rows, as the pressure solve uses them.
func hingedRod() ([]Row, error) {
	w := physics.NewWorld(physics.WorldDef{})
	rod, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: -.5}})
	if err != nil {
		return nil, err
	}
	const across, along = 1. / 12, 1. / 1200 // kg·m²
	if err := rod.SetMass(physics.Mass{Mass: 1, Inertia: [3][3]float64{{across}, {1: along}, {2: across}}}); err != nil {
		return nil, err
	}
	if _, err := w.CreateJoint(physics.JointDef{Kind: physics.HingeJoint, B: rod, Axis: r3.Vec{Z: 1}}); err != nil {
		return nil, err
	}
	var rows []Row
	for _, c := range []struct {
		where    string
		at, want float64
	}{{"tip", -1, 3}, {"centre", -.5, .75}, {"hinge", 0, 0}} {
		v, err := answer(w, r3.Vec{Y: c.at}, r3.Vec{X: 1})
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("V8", fmt.Sprintf("hinged rod hit at its %s: speed there", c.where), v, c.want, 1e-6, "m/s"))
	}
	return rows, nil
}

// answer is the speed along n that body 0, held by joint 0, has at p, m, from an impulse of 1 N·s there along n:
// kᵀWk with W = M⁻¹ - M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁻¹J M⁻¹ (methods.md §1, finding 11).
func answer(w *physics.World, p, n r3.Vec) (float64, error) {
	var rows [6][12]float64
	_, b, m := w.JointRows(0, &rows)
	side := 0
	if b == 0 {
		side = 6
	}
	inverse := mat.NewDense(6, 6, nil)
	invM, invI := w.InverseMass(0)
	for i := range 3 {
		inverse.Set(i, i, invM)
		for j := range 3 {
			inverse.Set(3+i, 3+j, invI[i][j])
		}
	}
	joint := mat.NewDense(m, 6, nil)
	for r := range m {
		joint.SetRow(r, rows[r][side:side+6])
	}
	var jm, jmj, held, taken, free mat.Dense
	jm.Mul(joint, inverse)
	jmj.Mul(&jm, joint.T())
	if err := held.Solve(&jmj, &jm); err != nil {
		return 0, err
	}
	taken.Mul(jm.T(), &held)
	free.Sub(inverse, &taken)
	centre, _ := w.Pose(0)
	arm := r3.Cross(r3.Sub(p, centre), n)
	k := mat.NewVecDense(6, []float64{n.X, n.Y, n.Z, arm.X, arm.Y, arm.Z})
	return mat.Inner(k, &free, k), nil
}
