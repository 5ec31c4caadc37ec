package fluid

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// everywhere is the box without sides.
func everywhere() r3.Box {
	inf := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -inf, Y: -inf, Z: -inf}, Max: r3.Vec{X: inf, Y: inf, Z: inf}}
}

func minVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func maxVec(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

// grown is b with every side moved out by d; a side that would pass its opposite stops
// in the middle.
func grown(b r3.Box, d float64) r3.Box {
	v := r3.Vec{X: d, Y: d, Z: d}
	return ordered(r3.Box{Min: r3.Sub(b.Min, v), Max: r3.Add(b.Max, v)})
}

// ordered is b, or the middle of its gap on an axis where min is past max: a box about
// nothing is a point, not inside out.
func ordered(b r3.Box) r3.Box {
	fix := func(lo, hi *float64) {
		if *lo > *hi {
			m := float64(*lo/2) + float64(*hi/2)
			*lo, *hi = m, m
		}
	}
	fix(&b.Min.X, &b.Max.X)
	fix(&b.Min.Y, &b.Max.Y)
	fix(&b.Min.Z, &b.Max.Z)
	return b
}

// groupSDF is a union or an intersection.
type groupSDF struct {
	shapes []SDF
	meet   bool      // intersection
	far    []farPart // of a union's shapes
}

// Union is what is inside any of the shapes. Outside it is as exact as they are; inside,
// where shapes overlap, the distance may be told too short.
func Union(shapes ...SDF) SDF { return newGroup(shapes, false) }

// Intersection is what is inside all of the shapes. Inside it is as exact as they are;
// outside, over an edge where two meet, the distance may be told too short.
func Intersection(shapes ...SDF) SDF { return newGroup(shapes, true) }

func newGroup(shapes []SDF, meet bool) *groupSDF {
	g := &groupSDF{shapes: make([]SDF, len(shapes)), meet: meet}
	for i, s := range shapes {
		g.shapes[i] = orNoShape(s)
	}
	if !meet {
		for _, part := range g.shapes {
			g.far = append(g.far, farPartOf(part))
		}
	}
	return g
}

func (s *groupSDF) name() string {
	if s.meet {
		return "Intersection"
	}
	return "Union"
}

func (s *groupSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	if len(s.shapes) == 0 {
		noShape{}.Eval(dst, pts)
		return
	}
	if len(s.shapes) == 1 || len(pts) == 0 {
		s.shapes[0].Eval(dst, pts)
		return
	}
	w := sdfPool.Get().(*sdfScratch)
	defer sdfPool.Put(w)
	if s.picks() {
		s.evalNearest(w, dst, pts)
		return
	}
	s.shapes[0].Eval(dst, pts)
	for _, shape := range s.shapes[1:] {
		s.join(w, shape, dst, pts)
	}
}

// join takes one more of the shapes into distances.
func (s *groupSDF) join(w *sdfScratch, shape SDF, dst []float32, pts []r3.Vec) {
	for lo := 0; lo < len(pts); lo += sdfChunk {
		hi := min(lo+sdfChunk, len(pts))
		out, val := dst[lo:hi], w.val[:hi-lo]
		shape.Eval(val, pts[lo:hi])
		if s.meet {
			for i, v := range val {
				out[i] = max(out[i], v)
			}
		} else {
			for i, v := range val {
				out[i] = min(out[i], v)
			}
		}
	}
}

func (s *groupSDF) Bounds() r3.Box {
	if len(s.shapes) == 0 {
		return r3.Box{}
	}
	b := s.shapes[0].Bounds()
	for _, shape := range s.shapes[1:] {
		o := shape.Bounds()
		if s.meet {
			b = r3.Box{Min: maxVec(b.Min, o.Min), Max: minVec(b.Max, o.Max)}
		} else {
			b = r3.Box{Min: minVec(b.Min, o.Min), Max: maxVec(b.Max, o.Max)}
		}
	}
	return ordered(b)
}

func (s *groupSDF) Validate() error {
	if len(s.shapes) == 0 {
		return fmt.Errorf("%s: no shapes; it must have at least 1", s.name())
	}
	for i, shape := range s.shapes {
		if err := checkShape(shape); err != nil {
			return fmt.Errorf("%s: shape %d: %w", s.name(), i, err)
		}
	}
	return nil
}

type differenceSDF struct{ a, b SDF }

// Difference is a with b cut away. Where both end in the same face, the cut is open there. Near the edge of the cut the distance may be told
// too short.
func Difference(a, b SDF) SDF { return &differenceSDF{orNoShape(a), orNoShape(b)} }

func (s *differenceSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	s.a.Eval(dst, pts)
	w := sdfPool.Get().(*sdfScratch)
	defer sdfPool.Put(w)
	for lo := 0; lo < len(pts); lo += sdfChunk {
		hi := min(lo+sdfChunk, len(pts))
		out, val := dst[lo:hi], w.val[:hi-lo]
		s.b.Eval(val, pts[lo:hi])
		for i, v := range val {
			out[i] = max(out[i], -v)
		}
	}
}

func (s *differenceSDF) Bounds() r3.Box { return s.a.Bounds() }

func (s *differenceSDF) Validate() error {
	if err := checkShape(s.a); err != nil {
		return fmt.Errorf("Difference: a: %w", err)
	}
	if err := checkShape(s.b); err != nil {
		return fmt.Errorf("Difference: b: %w", err)
	}
	return nil
}

type transformSDF struct {
	inner       SDF
	rotation    quat.Number
	translation r3.Vec
	rows        [3]r3.Vec // of the rotation matrix
}

// Transform is s turned by a unit quaternion about the origin, then moved.
//
// rotation:    length 1; quat.Number{Real: 1} turns nothing.
// translation: m.
func Transform(s SDF, rotation quat.Number, translation r3.Vec) SDF {
	t := &transformSDF{inner: orNoShape(s), rotation: rotation, translation: translation}
	if n := reproducible.QuatAbs(rotation); n > 0 && !math.IsInf(n, 1) {
		t.rows = rotationRows(reproducible.QuatScale(1/n, rotation))
	}
	return t
}

func rotationRows(q quat.Number) [3]r3.Vec {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return [3]r3.Vec{
		{X: 1 - 2*(float64(y*y)+float64(z*z)), Y: 2 * (float64(x*y) - float64(w*z)), Z: 2 * (float64(x*z) + float64(w*y))},
		{X: 2 * (float64(x*y) + float64(w*z)), Y: 1 - 2*(float64(x*x)+float64(z*z)), Z: 2 * (float64(y*z) - float64(w*x))},
		{X: 2 * (float64(x*z) - float64(w*y)), Y: 2 * (float64(y*z) + float64(w*x)), Z: 1 - 2*(float64(x*x)+float64(y*y))},
	}
}

// local is a point, m, seen from the inner shape, and outer the other way round.
func (s *transformSDF) local(x r3.Vec) r3.Vec {
	r, p := &s.rows, r3.Sub(x, s.translation)
	return r3.Vec{ // transposed
		X: float64(r[0].X*p.X) + float64(r[1].X*p.Y) + float64(r[2].X*p.Z),
		Y: float64(r[0].Y*p.X) + float64(r[1].Y*p.Y) + float64(r[2].Y*p.Z),
		Z: float64(r[0].Z*p.X) + float64(r[1].Z*p.Y) + float64(r[2].Z*p.Z),
	}
}

func (s *transformSDF) outer(x r3.Vec) r3.Vec {
	return r3.Add(r3.Vec{X: reproducible.Dot(s.rows[0], x), Y: reproducible.Dot(s.rows[1], x), Z: reproducible.Dot(s.rows[2], x)}, s.translation)
}

func (s *transformSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	w := sdfPool.Get().(*sdfScratch)
	defer sdfPool.Put(w)
	for lo := 0; lo < len(pts); lo += sdfChunk {
		hi := min(lo+sdfChunk, len(pts))
		local := w.pts[:hi-lo]
		for i, p := range pts[lo:hi] {
			local[i] = s.local(p)
		}
		s.inner.Eval(dst[lo:hi], local)
	}
}

// Bounds is the box around the turned box of the inner shape.
func (s *transformSDF) Bounds() r3.Box {
	in := s.inner.Bounds()
	lo, hi := [3]float64{in.Min.X, in.Min.Y, in.Min.Z}, [3]float64{in.Max.X, in.Max.Y, in.Max.Z}
	interval := func(row r3.Vec, t float64) (a, b float64) {
		a, b = t, t
		for k, c := range [3]float64{row.X, row.Y, row.Z} {
			// A quarter turn leaves 1e-16 where 0 is meant; times an infinite side that
			// would open the whole axis.
			if math.Abs(c) < 1e-12 && (math.IsInf(lo[k], 0) || math.IsInf(hi[k], 0)) {
				continue
			}
			if c == 0 {
				continue
			}
			a += min(c*lo[k], c*hi[k])
			b += max(c*lo[k], c*hi[k])
		}
		return a, b
	}
	var b r3.Box
	b.Min.X, b.Max.X = interval(s.rows[0], s.translation.X)
	b.Min.Y, b.Max.Y = interval(s.rows[1], s.translation.Y)
	b.Min.Z, b.Max.Z = interval(s.rows[2], s.translation.Z)
	return b
}

func (s *transformSDF) Validate() error {
	c := params{shape: "Transform"}
	if n := reproducible.QuatAbs(s.rotation); !(math.Abs(n-1) <= unitSlack) {
		c.fail("rotation %v has length %v; it must be 1 within %g", s.rotation, n, unitSlack)
	}
	c.point("translation", s.translation)
	if c.err != nil {
		return c.err
	}
	if err := checkShape(s.inner); err != nil {
		return fmt.Errorf("Transform: %w", err)
	}
	return nil
}

type shellSDF struct {
	inner     SDF
	thickness float64
}

// Shell is s hollowed out: a wall of a thickness (m, > 0) under its surface.
func Shell(s SDF, thickness float64) SDF { return &shellSDF{orNoShape(s), thickness} }

func (s *shellSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	s.inner.Eval(dst, pts)
	t := float32(s.thickness)
	for i, v := range dst {
		dst[i] = max(v, -t-v)
	}
}

func (s *shellSDF) Bounds() r3.Box { return s.inner.Bounds() }

func (s *shellSDF) Validate() error {
	c := params{shape: "Shell"}
	c.positive("thickness", s.thickness)
	if c.err != nil {
		return c.err
	}
	if err := checkShape(s.inner); err != nil {
		return fmt.Errorf("Shell: %w", err)
	}
	return nil
}

type offsetSDF struct {
	inner SDF
	d     float64
}

// Offset is s with its surface moved out by d (m), or in where d < 0.
func Offset(s SDF, d float64) SDF { return &offsetSDF{orNoShape(s), d} }

func (s *offsetSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	s.inner.Eval(dst, pts)
	d := float32(s.d)
	for i := range dst {
		dst[i] -= d
	}
}

func (s *offsetSDF) Bounds() r3.Box { return grown(s.inner.Bounds(), s.d) }

func (s *offsetSDF) Validate() error {
	c := params{shape: "Offset"}
	if !(math.Abs(s.d) <= maxShapeCoord) {
		c.fail("d is %v m; it must be within ±%g m", s.d, maxShapeCoord)
		return c.err
	}
	if err := checkShape(s.inner); err != nil {
		return fmt.Errorf("Offset: %w", err)
	}
	return nil
}

// allParts tells whether ok holds for all shapes that a shape is composed of. It does for one that is of a single part, and not for
// one made elsewhere.
func allParts(s SDF, ok func(part SDF) bool) bool {
	switch s := s.(type) {
	case *boxSDF, *sphereSDF, *capsuleSDF, *cylinderSDF, *torusSDF, *halfSpaceSDF, *Mesh:
		return true
	case *transformSDF:
		return ok(s.inner)
	case *shellSDF:
		return ok(s.inner)
	case *offsetSDF:
		return ok(s.inner)
	case *differenceSDF:
		return ok(s.a) && ok(s.b)
	case *groupSDF:
		return !slices.ContainsFunc(s.shapes, func(part SDF) bool { return !ok(part) })
	}
	return false
}
