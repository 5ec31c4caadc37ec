package adapter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// ModelSurface is the surface of meshes that an engine deforms, by morph targets and joints: a control.Source that is what the meshes were at the last Move, whatever the
// time it is asked for. The engine draws them on the graphics card; here vertices are computed once more.
//
// Vertices at one place at rest are one, as far as they deform alike; a surface that is open then has them joined anyway, and those that rounding has
// taken apart.
type ModelSurface struct {
	meshes     []*deformable
	triangles  [][3]int32
	revision   uint64
	positions  []r3.Vec
	velocities []r3.Vec
	next       []r3.Vec // scratch of Move
	moving     bool
}

// NewModelSurface makes a surface of meshes, deformed by what is given of each. Each mesh must close a surface; which way round its
// triangles are does not matter. An error names the mesh, and says how many edges are open.
func NewModelSurface(meshes []DeformableMesh, by []Deformation) (*ModelSurface, error) {
	s, err := newModelSurface(meshes, by)
	if err != nil {
		return nil, fmt.Errorf("adapter: NewModelSurface: %w", err)
	}
	return s, nil
}

func newModelSurface(meshes []DeformableMesh, by []Deformation) (*ModelSurface, error) {
	if len(meshes) == 0 {
		return nil, errors.New("no mesh")
	}
	s := &ModelSurface{}
	vertices := 0
	for i := range meshes {
		d, err := newDeformable(&meshes[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", meshes[i].Name, err)
		}
		s.meshes = append(s.meshes, d)
		vertices += len(d.rest)
	}
	s.positions, s.velocities, s.next = make([]r3.Vec, vertices), make([]r3.Vec, vertices), make([]r3.Vec, vertices)
	if err := s.deform(by); err != nil {
		return nil, err
	}
	first := 0
	for _, d := range s.meshes {
		at := s.next[first : first+len(d.rest)]
		v := enclosed(at, d.triangles)
		if !(math.Abs(v) > flat*boxVolume(at)) {
			return nil, fmt.Errorf("%s: it encloses %.3g m³; must be more", d.name, math.Abs(v))
		}
		for _, t := range d.triangles {
			if v < 0 {
				t[1], t[2] = t[2], t[1]
			}
			s.triangles = append(s.triangles, [3]int32{t[0] + int32(first), t[1] + int32(first), t[2] + int32(first)})
		}
		first += len(d.rest)
	}
	s.revision = fingerprint(s.triangles)
	copy(s.positions, s.next)
	return s, nil
}

// Move deforms the meshes within the next dt seconds, a part of the way, 0 to 1: see Stepper.Stride. Velocities are those of straight ways there. It allocates nothing.
//
// After an error, which says what is not finite or too far away, the surface stands where it was. Move panics if there are not as many deformations as
// meshes, or of one not as many weights and matrices as it needs.
func (s *ModelSurface) Move(by []Deformation, dt, part float64) error {
	if !(dt > 0) || math.IsInf(dt, 1) || !(part >= 0 && part <= 1) {
		panic(fmt.Sprintf("adapter: ModelSurface.Move: dt %v s, part %v; must be positive, and 0 to 1", dt, part))
	}
	if err := s.deform(by); err != nil {
		s.Stop()
		return fmt.Errorf("adapter: ModelSurface: %w", err)
	}
	s.moving = false
	for i, x := range s.next {
		way := r3.Sub(x, s.positions[i])
		if r3.Norm(way) < atRest {
			s.velocities[i], s.positions[i] = r3.Vec{}, x
			continue
		}
		s.moving = true
		if part < 1 {
			way = r3.Scale(part, way)
			x = r3.Add(s.positions[i], way)
		}
		s.velocities[i], s.positions[i] = r3.Scale(1/dt, way), x
	}
	return nil
}

// atRest, m, is a way so short that a vertex is taken to have gone it: without velocity.
const atRest = 1e-7

// Moving tells whether a vertex has a velocity.
func (s *ModelSurface) Moving() bool { return s.moving }

// Jump deforms the meshes at once, without velocities. Errors are those of Move.
func (s *ModelSurface) Jump(by []Deformation) error {
	s.Stop()
	if err := s.deform(by); err != nil {
		return fmt.Errorf("adapter: ModelSurface: %w", err)
	}
	copy(s.positions, s.next)
	return nil
}

// Stop sets all velocities to 0: for a step before which the meshes are not moved.
func (s *ModelSurface) Stop() {
	s.moving = false
	clear(s.velocities)
}

// maxCoordinate, m, is as far from the origin as a vertex may be.
const maxCoordinate = 1e6

// deform writes where the vertices are to be to next.
func (s *ModelSurface) deform(by []Deformation) error {
	if len(by) != len(s.meshes) {
		panic(fmt.Sprintf("adapter: ModelSurface: %d deformations; there are %d meshes", len(by), len(s.meshes)))
	}
	first := 0
	for k, d := range s.meshes {
		at := s.next[first : first+len(d.rest)]
		d.deform(at, &by[k])
		for i, x := range at {
			if !(math.Abs(x.X) <= maxCoordinate && math.Abs(x.Y) <= maxCoordinate && math.Abs(x.Z) <= maxCoordinate) {
				return fmt.Errorf("%s: vertex %d is moved to %v m; must be finite and at most %g from the origin", d.name, i, x, float64(maxCoordinate))
			}
		}
		first += len(d.rest)
	}
	return nil
}

// At fills m with the surface as it is.
func (s *ModelSurface) At(_ float64, m *control.Mesh) {
	m.Positions = append(m.Positions[:0], s.positions...)
	m.Velocities = append(m.Velocities[:0], s.velocities...)
	m.Triangles, m.Revision = s.triangles, s.revision
}

// Duration is 0: it has no end.
func (s *ModelSurface) Duration() float64 { return 0 }

// RealTime is true: its velocities are by the game's clock, whatever the speed at which it is played.
func (s *ModelSurface) RealTime() bool { return true }

// Triangles are those of the surface, counter-clockwise seen from outside. They are a copy.
func (s *ModelSurface) Triangles() [][3]int32 { return slices.Clone(s.triangles) }

// Positions appends where the vertices are, m.
func (s *ModelSurface) Positions(dst []r3.Vec) []r3.Vec { return append(dst, s.positions...) }

// flat is the part of the box around it below which what a mesh encloses is rounding.
const flat = 1e-9

// enclosed is what triangles enclose, m³.
func enclosed(positions []r3.Vec, triangles [][3]int32) (v float64) {
	origin := positions[0]
	for _, t := range triangles {
		a, b, c := r3.Sub(positions[t[0]], origin), r3.Sub(positions[t[1]], origin), r3.Sub(positions[t[2]], origin)
		v += r3.Dot(a, r3.Cross(b, c)) / 6
	}
	return v
}

// boxVolume is the volume of a cube around positions, m³.
func boxVolume(positions []r3.Vec) float64 {
	lo, hi := positions[0], positions[0]
	for _, p := range positions {
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	d := r3.Sub(hi, lo)
	return math.Pow(max(d.X, d.Y, d.Z), 3)
}

// fingerprint is a number that tells triangles from others.
func fingerprint(triangles [][3]int32) uint64 {
	h := fnv.New64a()
	var b []byte
	for _, t := range triangles {
		b = b[:0]
		for _, v := range t {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		_, _ = h.Write(b) // it never fails
	}
	return max(h.Sum64(), 1)
}
