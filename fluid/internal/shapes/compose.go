package shapes

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Group is a union or an intersection. The zero value is an empty union.
type Group struct {
	shapes    []SDF
	intersect bool      // intersection
	cullBoxes []CullBox // of a union's shapes
}

// Union returns the union of shapes. Outside, its distance is as exact as theirs; inside,
// where shapes overlap, it may be too short.
func Union(shapes ...SDF) SDF { return newGroup(shapes, false) }

// Intersection returns the intersection of shapes. Inside, its distance is as exact as theirs;
// outside, near an edge where two meet, it may be too short.
func Intersection(shapes ...SDF) SDF { return newGroup(shapes, true) }

func newGroup(shapes []SDF, meet bool) *Group {
	g := &Group{shapes: make([]SDF, len(shapes)), intersect: meet}
	for i, s := range shapes {
		g.shapes[i] = orNoShape(s)
	}
	if !meet {
		for _, part := range g.shapes {
			g.cullBoxes = append(g.cullBoxes, CullBoxOf(part))
		}
	}
	return g
}

func (s *Group) name() string {
	if s.intersect {
		return "Intersection"
	}
	return "Union"
}

// Eval sets dst to the signed distances of the union or intersection.
func (s *Group) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	if len(s.shapes) == 0 {
		noShape{}.Eval(dst, pts)
		return
	}
	if len(s.shapes) == 1 || len(pts) == 0 {
		s.shapes[0].Eval(dst, pts)
		return
	}
	w := pool.Get().(*scratch)
	defer pool.Put(w)
	if s.culls() {
		s.evalNearest(w, dst, pts)
		return
	}
	s.shapes[0].Eval(dst, pts)
	for _, shape := range s.shapes[1:] {
		s.join(w, shape, dst, pts)
	}
}

// join includes one more shape in the distances.
func (s *Group) join(w *scratch, shape SDF, dst []float32, pts []r3.Vec) {
	for lo := 0; lo < len(pts); lo += chunk {
		hi := min(lo+chunk, len(pts))
		out, val := dst[lo:hi], w.val[:hi-lo]
		shape.Eval(val, pts[lo:hi])
		if s.intersect {
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

// Bounds returns the box of the union or intersection, m.
func (s *Group) Bounds() r3.Box {
	if len(s.shapes) == 0 {
		return r3.Box{}
	}
	b := s.shapes[0].Bounds()
	for _, shape := range s.shapes[1:] {
		o := shape.Bounds()
		if s.intersect {
			b = r3.Box{Min: boxes.Max(b.Min, o.Min), Max: boxes.Min(b.Max, o.Max)}
		} else {
			b = boxes.Union(b, o)
		}
	}
	return boxes.Ordered(b)
}

// Validate returns an error if the group is empty or a shape is invalid.
func (s *Group) Validate() error {
	if len(s.shapes) == 0 {
		return fmt.Errorf("%s: no shapes; it must have at least 1", s.name())
	}
	for i, shape := range s.shapes {
		if err := Check(shape); err != nil {
			return fmt.Errorf("%s: shape %d: %w", s.name(), i, err)
		}
	}
	return nil
}

// Clear makes the group an empty union.
func (s *Group) Clear() { s.shapes, s.cullBoxes = s.shapes[:0], s.cullBoxes[:0] }

// Add adds a shape to a union. box is the CullBox of the shape, or of the shape within its [Guard].
func (s *Group) Add(shape SDF, box CullBox) {
	s.shapes, s.cullBoxes = append(s.shapes, shape), append(s.cullBoxes, box)
}

// Shapes returns the group's shapes, read-only.
func (s *Group) Shapes() []SDF { return s.shapes }

// ThicknessIn returns the thickness of the thinnest wall of a union's shapes that reach into a box, m; 0 if it is not known.
func (s *Group) ThicknessIn(box r3.Box) float64 {
	least := math.Inf(1)
	for _, shape := range s.shapes {
		if boxes.Overlap(shape.Bounds(), box) {
			least = min(least, ThicknessOf(shape))
		}
	}
	return least
}

type differenceSDF struct{ a, b SDF }

// Difference returns a without b. Where both end in the same face, the cut is open there. Near the edge of the cut the distance may be
// too short.
func Difference(a, b SDF) SDF { return &differenceSDF{orNoShape(a), orNoShape(b)} }

func (s *differenceSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	s.a.Eval(dst, pts)
	w := pool.Get().(*scratch)
	defer pool.Put(w)
	for lo := 0; lo < len(pts); lo += chunk {
		hi := min(lo+chunk, len(pts))
		out, val := dst[lo:hi], w.val[:hi-lo]
		s.b.Eval(val, pts[lo:hi])
		for i, v := range val {
			out[i] = max(out[i], -v)
		}
	}
}

func (s *differenceSDF) Bounds() r3.Box { return s.a.Bounds() }

func (s *differenceSDF) Validate() error {
	if err := Check(s.a); err != nil {
		return fmt.Errorf("Difference: a: %w", err)
	}
	if err := Check(s.b); err != nil {
		return fmt.Errorf("Difference: b: %w", err)
	}
	return nil
}

// Transformed is a shape, rotated and then translated.
type Transformed struct {
	inner       SDF
	rotation    quat.Number
	translation r3.Vec
	rows        [3]r3.Vec // of the rotation matrix
}

// Place returns s rotated by a unit quaternion and then translated, m.
func Place(s SDF, rotation quat.Number, translation r3.Vec) Transformed {
	return Transformed{inner: s, rotation: rotation, translation: translation, rows: reproducible.RotationRows(rotation)}
}

// Transform returns s rotated by a unit quaternion about the origin and then translated.
//
// rotation:    length 1; quat.Number{Real: 1} is no rotation.
// translation: m.
func Transform(s SDF, rotation quat.Number, translation r3.Vec) SDF {
	t := &Transformed{inner: orNoShape(s), rotation: rotation, translation: translation}
	if n := reproducible.QuatAbs(rotation); n > 0 && !math.IsInf(n, 1) {
		t.rows = reproducible.RotationRows(reproducible.QuatScale(1/n, rotation))
	}
	return t
}

// Local returns a point, m, in the frame of the inner shape.
func (s *Transformed) Local(x r3.Vec) r3.Vec {
	r, p := &s.rows, r3.Sub(x, s.translation)
	return r3.Vec{ // transposed
		X: float64(r[0].X*p.X) + float64(r[1].X*p.Y) + float64(r[2].X*p.Z),
		Y: float64(r[0].Y*p.X) + float64(r[1].Y*p.Y) + float64(r[2].Y*p.Z),
		Z: float64(r[0].Z*p.X) + float64(r[1].Z*p.Y) + float64(r[2].Z*p.Z),
	}
}

// Outer returns the place of a point of the inner shape, m.
func (s *Transformed) Outer(x r3.Vec) r3.Vec { return r3.Add(s.Turn(x), s.translation) }

// Turn returns a vector of the inner shape, rotated with it.
func (s *Transformed) Turn(x r3.Vec) r3.Vec {
	return r3.Vec{X: reproducible.Dot(s.rows[0], x), Y: reproducible.Dot(s.rows[1], x), Z: reproducible.Dot(s.rows[2], x)}
}

// Eval sets dst to the signed distances of the transformed shape.
func (s *Transformed) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	w := pool.Get().(*scratch)
	defer pool.Put(w)
	for lo := 0; lo < len(pts); lo += chunk {
		hi := min(lo+chunk, len(pts))
		local := w.pts[:hi-lo]
		for i, p := range pts[lo:hi] {
			local[i] = s.Local(p)
		}
		s.inner.Eval(dst[lo:hi], local)
	}
}

// Bounds returns a box around the rotated box of the inner shape.
func (s *Transformed) Bounds() r3.Box {
	in := s.inner.Bounds()
	lo, hi := [3]float64{in.Min.X, in.Min.Y, in.Min.Z}, [3]float64{in.Max.X, in.Max.Y, in.Max.Z}
	interval := func(row r3.Vec, t float64) (a, b float64) {
		a, b = t, t
		for k, c := range [3]float64{row.X, row.Y, row.Z} {
			// A quarter turn has 1e-16 in place of 0, which would make the whole axis infinite
			// if the side is.
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

// Validate returns an error if the rotation, the translation or the inner shape is invalid.
func (s *Transformed) Validate() error {
	c := params{shape: "Transform"}
	if n := reproducible.QuatAbs(s.rotation); !(math.Abs(n-1) <= unitSlack) {
		c.fail("rotation %v has length %v; it must be 1 within %g", s.rotation, n, unitSlack)
	}
	c.point("translation", s.translation)
	if c.err != nil {
		return c.err
	}
	if err := Check(s.inner); err != nil {
		return fmt.Errorf("Transform: %w", err)
	}
	return nil
}

type shellSDF struct {
	inner     SDF
	thickness float64
}

// Shell returns a wall of a thickness (m, > 0) inside of the surface of s.
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
	if err := Check(s.inner); err != nil {
		return fmt.Errorf("Shell: %w", err)
	}
	return nil
}

type offsetSDF struct {
	inner SDF
	d     float64
}

// Offset returns s with its surface moved outwards by d (m), or inwards where d < 0.
func Offset(s SDF, d float64) SDF { return &offsetSDF{orNoShape(s), d} }

func (s *offsetSDF) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	s.inner.Eval(dst, pts)
	d := float32(s.d)
	for i := range dst {
		dst[i] -= d
	}
}

func (s *offsetSDF) Bounds() r3.Box { return boxes.Grown(s.inner.Bounds(), s.d) }

func (s *offsetSDF) Validate() error {
	c := params{shape: "Offset"}
	if !(math.Abs(s.d) <= MaxCoord) {
		c.fail("d is %v m; it must be within ±%g m", s.d, MaxCoord)
		return c.err
	}
	if err := Check(s.inner); err != nil {
		return fmt.Errorf("Offset: %w", err)
	}
	return nil
}

// allParts reports whether ok holds for the shapes that a shape is composed of. It is true for primitives and meshes, and false for
// shapes of other packages.
func allParts(s SDF, ok func(part SDF) bool) bool {
	switch s := s.(type) {
	case *boxSDF, *Ball, *capsuleSDF, *cylinderSDF, *torusSDF, *halfSpaceSDF, *Mesh:
		return true
	case *Transformed:
		return ok(s.inner)
	case *shellSDF:
		return ok(s.inner)
	case *offsetSDF:
		return ok(s.inner)
	case *differenceSDF:
		return ok(s.a) && ok(s.b)
	case *Group:
		return !slices.ContainsFunc(s.shapes, func(part SDF) bool { return !ok(part) })
	}
	return false
}
