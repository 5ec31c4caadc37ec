// Package shapes has signed-distance shapes: primitives, composites, grids and meshes; checks of their parameters, the thickness of
// their walls, and guards against shapes of other packages with invalid distances or membranes. Package fluid exports them
// under its own names and documents their use. Lengths are in metres.
//
// Eval takes many points per call, may be called from several goroutines at once, and does not allocate.
package shapes

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SDF is a solid or a region given by its signed distance, as in package fluid.
type SDF interface {
	// Eval sets dst[i] to the signed distance (m, negative inside) at pts[i]; dst is at least as long as pts. The value at a point does not depend on
	// the other points.
	Eval(dst []float32, pts []r3.Vec)

	// Bounds returns a box around the inside, m; it may be infinite on unbounded sides.
	Bounds() r3.Box
}

// Distance sets dst to signed distances, m, negative in the solid: the Eval of an SDF or of a body.
type Distance = func(dst []float32, pts []r3.Vec)

// validator is an SDF that checks itself. The error's text does not begin with a package's name.
type validator interface{ Validate() error }

// Check returns an error if s is invalid. A shape of this package is checked by its parameters, including the shapes inside a
// composite. For a shape of another package its Validate is called, if it has one; otherwise it is sampled at a few points of its bounds.
func Check(s SDF) error {
	if s == nil {
		return errors.New("SDF is nil")
	}
	if v := reflect.ValueOf(s); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("SDF is a nil %T", s)
	}
	if v, ok := s.(validator); ok {
		return v.Validate()
	}
	return probe(s)
}

// probe samples an SDF of another package at the corners of its bounds, the centre and between them.
func probe(s SDF) error {
	b := s.Bounds()
	lo, hi := reproducible.Array(b.Min), reproducible.Array(b.Max)
	for k := range lo {
		if !(lo[k] <= hi[k]) { // also false for NaN
			return fmt.Errorf("%T: bounds on axis %c are [%v, %v] m; min must be ≤ max", s, "xyz"[k], lo[k], hi[k])
		}
	}
	pts := probes(b)
	var dst [len(pts)]float32
	s.Eval(dst[:], pts[:])
	for i, d := range dst {
		if !geom.Finite(float64(d)) {
			return fmt.Errorf("%T: Eval gives %v at %v m; it must be finite", s, d, pts[i])
		}
	}
	return nil
}

// probes returns the corners of a box, its centre and the points between them. Infinite sides are cut off.
func probes(b r3.Box) (pts [27]r3.Vec) {
	lo, hi := reproducible.Array(b.Min), reproducible.Array(b.Max)
	for k := range lo {
		lo[k], hi[k] = finiteSide(lo[k], hi[k])
	}
	at := func(k, step int) float64 { return lo[k] + float64((hi[k]-lo[k])*0.5*float64(step)) }
	for i := range pts {
		pts[i] = r3.Vec{X: at(0, i%3), Y: at(1, i/3%3), Z: at(2, i/9)}
	}
	return pts
}

// finiteSide cuts an infinite side off one metre from the other.
func finiteSide(lo, hi float64) (float64, float64) {
	switch noLo, noHi := math.IsInf(lo, -1), math.IsInf(hi, 1); {
	case noLo && noHi:
		return -1, 1
	case noLo:
		return hi - 1, hi
	case noHi:
		return lo, lo + 1
	}
	return lo, hi
}

// Limits of shape parameters.
const (
	// MaxCoord is the limit of positions and sizes, m: a float32 distance resolves no metre
	// beyond 1e7 m already, and squares stay far from overflow.
	MaxCoord = 1e9
	// unitSlack is the tolerance of the length of a normal or a rotation. Float32
	// sources drift by 1e-6; a forgotten normalisation is off by far more than 1e-3.
	unitSlack = 1e-3
)

// params records the first invalid parameter of a shape.
type params struct {
	shape string
	err   error
}

func (c *params) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(c.shape+": "+format, args...)
	}
}

func (c *params) point(field string, p r3.Vec) {
	for k, v := range [3]float64{p.X, p.Y, p.Z} {
		if !(math.Abs(v) <= MaxCoord) {
			c.fail("%s.%c is %v m; it must be within ±%g m", field, "XYZ"[k], v, MaxCoord)
		}
	}
}

func (c *params) positive(field string, v float64) {
	if !(v > 0 && v <= MaxCoord) {
		c.fail("%s is %v m; it must be > 0 and ≤ %g m", field, v, MaxCoord)
	}
}

func (c *params) unit(field string, v r3.Vec) {
	if n := reproducible.Norm(v); !(math.Abs(n-1) <= unitSlack) {
		c.fail("%s %v has length %v; it must be 1 within %g", field, v, n, unitSlack)
	}
}

// normalised returns v at length 1, or zero if v has no direction.
func normalised(v r3.Vec) r3.Vec {
	n := reproducible.Norm(v)
	if !(n > 0) || math.IsInf(n, 1) {
		return r3.Vec{}
	}
	return reproducible.Scale(1/n, v)
}

// chunk is the number of points that a composite evaluates at a time.
const chunk = 64

// scratch is the memory of a composite for one chunk. It is pooled, because a stack
// buffer escapes to the heap when its slice is passed to an interface method.
type scratch struct {
	pts [chunk]r3.Vec
	val [chunk]float32
	gap []float64 // m, to the boxes of a union's shapes
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

// noShape is an empty shape, in a composite in place of nil.
type noShape struct{}

func (noShape) Eval(dst []float32, pts []r3.Vec) {
	for i := range pts {
		dst[i] = math.MaxFloat32
	}
}
func (noShape) Bounds() r3.Box  { return r3.Box{} }
func (noShape) Validate() error { return errors.New("SDF is nil") }

// orNoShape returns s, or noShape if s is nil.
func orNoShape(s SDF) SDF {
	if s == nil {
		return noShape{}
	}
	if v := reflect.ValueOf(s); v.Kind() == reflect.Pointer && v.IsNil() {
		return noShape{}
	}
	return s
}
