package geom

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Finite reports whether x is neither infinite nor NaN. It does not test x - x, which need not be 0 where x is a product and the processor fuses it with the
// subtraction.
func Finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// FiniteVec reports whether all components are finite.
func FiniteVec(v r3.Vec) bool { return Finite(v.X) && Finite(v.Y) && Finite(v.Z) }

// FiniteQuat reports whether all components are finite.
func FiniteQuat(q quat.Number) bool {
	return Finite(q.Real) && Finite(q.Imag) && Finite(q.Jmag) && Finite(q.Kmag)
}
