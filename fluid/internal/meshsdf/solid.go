// Package meshsdf gives a triangle mesh a signed distance.
//
// The mesh may be what a game has: reversed or partly flipped, with duplicated faces,
// small holes, overlapping parts, walls and fins. New cleans and orients it; what stays
// is a bounding volume tree for distances and one with dipoles for the sign, which is
// that of the generalised winding number minus ½.
//
// Sources: Jacobson et al. 2013 (generalised winding number); Takayama et al. 2014 (orientation by rays).
package meshsdf

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Limits of what New takes.
const (
	// MaxTriangles keeps the trees under a gigabyte and their indices far from int32's end.
	MaxTriangles = 1 << 22
	// MaxCoord is the largest vertex coordinate, m.
	MaxCoord = 1e9
	// MinSize is the shortest box diagonal, m.
	MinSize = 1e-6
	// MaxPieces is how many closed pieces may be nested in one another: the search for
	// who is inside whom is quadratic in them.
	MaxPieces = 4096
)

// weldShare is the weld tolerance as a share of the box diagonal: ten times what six
// printed digits or a float32 lose, a thousandth of an edge in a mesh of 10⁶ triangles.
const weldShare = 1e-6

// Solid is a mesh with an inside. It does not change after New; all methods are safe for
// concurrent calls.
type Solid struct {
	origin r3.Vec // middle of the box; everything below is relative to it
	box    r3.Box

	winding *geom.TriangleTree // every face
	surface *geom.TriangleTree // the faces with inside on one side and outside on the other

	closed bool // no holes: winding numbers are integers
	// coherent: closed, and every face is surface, so the sign cannot change within the
	// distance of a point.
	coherent bool

	triangles    int
	volume, open float64
}

// New cleans, welds and orients a mesh and builds its trees.
//
// vertices:  m.
// triangles: indices into vertices; their orientation need not be consistent.
// maxOpen:   largest Open taken, in [0, 1].
//
// It returns an error that says what is wrong where the input is no number, indexes out
// of range, is beyond the limits above, is open by more than maxOpen or has no volume.
// The result depends on the input only.
func New(vertices []r3.Vec, triangles [][3]int32, maxOpen float64) (*Solid, error) {
	m, err := clean(vertices, triangles)
	if err != nil {
		return nil, err
	}
	patches := m.splitPatches()
	if err := m.orient(patches); err != nil {
		return nil, err
	}
	sheetArea := m.dropSheets(patches)
	return m.finish(sheetArea, maxOpen)
}

// finish measures the oriented mesh, judges it and builds the trees that stay.
func (m *mesh) finish(sheetArea, maxOpen float64) (*Solid, error) {
	area, volume := m.areaVolume()
	if volume < 0 { // only where nothing told inside from outside
		for i, f := range m.faces {
			m.faces[i] = [3]int32{f[0], f[2], f[1]}
		}
		volume = -volume
	}
	s := &Solid{origin: m.origin, closed: m.boundaryFree(), volume: volume}
	m.dropSlivers()
	s.triangles = len(m.faces)
	if s.triangles < 4 {
		return nil, fmt.Errorf("%d triangles with an area are left after welding; a solid has at least 4", s.triangles)
	}
	s.winding = geom.NewTriangleTree(m.verts, m.faces)
	real, gap := s.classify(m)
	if total := area + sheetArea; total > 0 {
		s.open = min(1, (gap+sheetArea)/total)
	}
	if s.open > maxOpen {
		return nil, fmt.Errorf("the mesh is open: %.2g of the directions from its surface lead out through holes or belong to loose sheets; at most %.2g may (MaxOpen)", s.open, maxOpen)
	}
	// A solid thinner than what is welded cannot be told from a sheet.
	if thickness := 2 * volume / area; !(thickness > 2*m.tol) {
		return nil, fmt.Errorf("the mesh has no volume: %.3g m³ in %.3g m² of surface", volume, area)
	}
	if len(real) == 0 {
		return nil, fmt.Errorf("the mesh has no inside: no face has the inside on one side only")
	}
	s.surface = s.winding
	if len(real) < len(m.faces) {
		s.surface = geom.NewTriangleTree(m.verts, real)
	}
	s.coherent = s.closed && len(real) == len(m.faces)
	s.box = m.bounds(m.faces)
	return s, nil
}

// classify returns the faces that bound the inside, and the area of holes visible from them.
//
// With c the winding number on a face, its own share left out, the two sides have
// c ± ½: the face is surface where ½ lies between them. In a closed mesh both sides are
// integers; how far they are from that is the share of the sphere that looks out of the
// mesh through a hole, ½ everywhere on a lone sheet. gap is the sum of twice that, m².
// c is taken at the middle of a face; one that others pass through may be surface
// elsewhere and stays.
func (s *Solid) classify(m *mesh) (real [][3]int32, gap float64) {
	const slack = 0.02 // above the error of the dipoles
	for i, f := range m.faces {
		centre, normal := m.centroid(f), m.normal(f)
		c := s.windingOn(centre, normal, int32(i))
		if (c > -slack && c < 1+slack) || s.winding.Cut(m.verts, m.faces, i) {
			real = append(real, f)
		}
		if !s.closed {
			side := c - 0.5
			gap += float64(2 * math.Abs(side-math.Round(side)) * 0.5 * reproducible.Norm(normal))
		}
	}
	return real, gap
}

// Bounds is the box of the vertices in use, m.
func (s *Solid) Bounds() r3.Box {
	return r3.Box{Min: r3.Add(s.box.Min, s.origin), Max: r3.Add(s.box.Max, s.origin)}
}

// Volume is the volume by the divergence theorem, m³: holes count as closed by cones to
// the middle of the box, and where parts overlap the overlap counts twice.
func (s *Solid) Volume() float64 { return s.volume }

// Open is the mean, over the surface, of twice the share of the sphere that looks
// through holes: 0 when closed, 1 for a lone sheet, about the missing share of the
// surface in between.
func (s *Solid) Open() float64 { return s.open }

// Triangles is how many triangles are in use.
func (s *Solid) Triangles() int { return s.triangles }

// windingAt is the generalised winding number at p, from the origin, by a ray where that tells it: 1 inside, 0 outside, other integers
// where parts overlap, fractions near holes.
func (s *Solid) windingAt(p r3.Vec) float64 {
	if s.closed {
		if n, _, sure := s.winding.Turns(p, -1); sure {
			return float64(n)
		}
	}
	return s.winding.WindingNumber(p, -1)
}

// windingOn is the winding number on a face, its own share left out: half more than that on its front.
func (s *Solid) windingOn(centre, normal r3.Vec, face int32) float64 {
	if s.closed {
		if n, dir, sure := s.winding.Turns(centre, face); sure {
			return float64(n) + math.Copysign(.5, reproducible.Dot(dir, normal))
		}
	}
	return s.winding.WindingNumber(centre, face)
}

// Eval writes signed distances, m, negative inside.
//
// Near a hole the surface is where the winding number is ½, and how far that is is not
// known. The distance to the triangles, d, is there scaled by 2|w - ½|: that is 0 on
// the surface, equals the distance at the middle of a round hole and is d away from
// holes. It keeps the values continuous, with a slope that may reach 2.5 at the rim.
func (s *Solid) Eval(dst []float32, pts []r3.Vec) {
	dst = dst[:len(pts)]
	var last r3.Vec
	lastDist, lastInside, known := 0.0, false, false
	for i, p := range pts {
		p = r3.Sub(p, s.origin)
		bound, step := math.Inf(1), 0.0
		if known {
			d := r3.Sub(p, last)
			step = math.Sqrt(reproducible.Dot(d, d))
			// Inflated so that the true closest face is always found: the value must
			// not depend on the batch.
			bound = (lastDist + step) * (1 + 1e-9)
		}
		d := math.Sqrt(s.surface.Distance2(p, bound*bound))
		value := d
		switch in := boxes.Holds(&s.box, &p); {
		case s.closed && !in:
			lastInside = false
		case known && s.coherent && step < lastDist*(1-1e-9):
			// Same side as the last point: no face in between.
		default:
			w := s.windingAt(p)
			lastInside = in && w > 0.5
			if !s.closed {
				value *= holeScale(w)
			}
		}
		if lastInside {
			value = -value
		}
		dst[i] = float32(value)
		last, lastDist, known = p, d, d < math.MaxFloat64
	}
}

// holeScale is 2|w - ½|, and 1 where that is near enough to it to be the error of the
// dipoles or of welding.
func holeScale(w float64) float64 { return min(1, 2*math.Abs(w-0.5)/0.96) }
