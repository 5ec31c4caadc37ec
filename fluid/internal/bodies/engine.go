package bodies

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Kinds of body, as Engine.Kind returns them.
const (
	Static    = 0
	Kinematic = 1
	Dynamic   = 2
)

// Engine is what is asked of a rigid-body engine: fluid.Bodies, which says what its methods are to do.
type Engine interface {
	Len() int
	ID(i int) uint64
	Kind(i int) int
	Awake(i int) bool
	Wake(i int)
	Pose(i int) (centre r3.Vec, rotation quat.Number)
	Velocity(i int) (v, w r3.Vec)
	PredictedVelocity(i int, dt float64) (v, w r3.Vec)
	InverseMass(i int) (float64, [3][3]float64)
	Bounds(i int) r3.Box
	Thickness(i int) float64
	Distance(i int, dst []float32, pts []r3.Vec)
	Joints() int
	JointRows(j int, rows *[6][12]float64) (a, b, n int)
	AddWrench(i int, force, torque r3.Vec)
	Step(dt float64)
}

// What an Engine may have besides, as fluid has it under the same names.
type (
	touching   interface{ Touching(i int) bool }
	contacting interface {
		EachContact(visit func(a, b int, at, normal r3.Vec, force, friction float64))
	}
	measured interface {
		Dimensions(i int) (volume, width float64, convex bool)
	}
	regular   interface{ Regular(i int) bool }
	revising  interface{ Revision(i int) uint64 }
	filtering interface{ LiquidCategory(i int) uint64 }
	holding   interface {
		HoldLoads()
		ReleaseLoads()
	}
	naming   interface{ BodyName(i int) string }
	dragging interface {
		LiquidDrag(i int) (skin, form float64)
	}
)
