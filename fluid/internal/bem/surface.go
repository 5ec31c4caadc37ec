package bem

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// What can be wrong with a surface, or go wrong with a solve.
var (
	ErrNotFinite    = errors.New("bem: a vertex or a value is not finite")
	ErrCorner       = errors.New("bem: a triangle names a vertex that does not exist")
	ErrOpen         = errors.New("bem: the surface is open")
	ErrVolume       = errors.New("bem: the surface encloses no volume, or is inside out")
	ErrIndefinite   = errors.New("bem: the matrix is not positive definite")
	ErrSingular     = errors.New("bem: the matrix is singular")
	ErrNotConverged = errors.New("bem: the iteration has not converged")
	ErrTooMany      = errors.New("bem: too many faces")
)

// side is a triangle's side between two vertices: the lower, the higher, and 1 if it runs from the lower to the higher or -1.
type side struct{ low, high, sense int32 }

// compareSides orders sides by their vertices.
func compareSides(a, b side) int {
	if a.low != b.low {
		return int(a.low - b.low)
	}
	return int(a.high - b.high)
}

// check returns an error unless the triangles are closed, counter-clockwise seen from outside, and enclose a volume, which it returns.
func (l *Layers) check(at []r3.Vec, triangles [][3]int32) (volume float64, err error) {
	l.sides = arrays.Resize(l.sides, 3*len(triangles))
	for i, t := range triangles {
		for k, v := range t {
			if v < 0 || int(v) >= len(at) {
				return 0, fmt.Errorf("%w: number %d of triangle %d, %d vertices", ErrCorner, v, i, len(at))
			}
			if p := at[v]; !(math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z) <= math.MaxFloat64) {
				return 0, fmt.Errorf("%w: vertex %d at %v", ErrNotFinite, v, p)
			}
			s := side{v, t[(k+1)%3], 1}
			if s.high < s.low {
				s = side{s.high, s.low, -1}
			}
			l.sides[3*i+k] = s
		}
	}
	slices.SortFunc(l.sides, compareSides)
	for i := 0; i < len(l.sides); {
		first, sum := l.sides[i], int32(0)
		for ; i < len(l.sides) && compareSides(l.sides[i], first) == 0; i++ {
			sum += l.sides[i].sense
		}
		if sum != 0 && first.low != first.high {
			return 0, fmt.Errorf("%w: at the side between vertices %d and %d", ErrOpen, first.low, first.high)
		}
	}
	if volume = geom.Volume(at, triangles); !(volume > 0) {
		return 0, fmt.Errorf("%w: %g", ErrVolume, volume)
	}
	return volume, nil
}
