package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// correctionRounds is how many steps of Newton's method a correction may take. A volume is a cubic of the shift: where the shift is small beside the piece three are enough.
	correctionRounds = 8
	// correctedTo is the part of its target by which a volume may be off after a correction: a hundredth of what is promised, and some hundred times what sums of ten
	// thousand volumes lose by rounding.
	correctedTo = 1e-11
)

// Correct moves the targets of the vertices along their normals, so that each body comes half the way to its target volume: the velocity that it adds is
// (V* - V)/(2 A dt), where A is the area that is free, and here dt drops out.
//
// free: the vertices that may be moved, or nil for all. most: the longest shift, m. Without free vertices a body stays as it is.
// Source: Brochu 2006, eq. 4.3, with the 1/dt that it lacks.
func (p *Pieces) Correct(m *Mesh, free []bool, most float64) {
	p.begin(m)
	p.volumes.measure(p, m, m.Target)
	p.volumes.bodies(p)
	p.derive(m, free, m.Target)
	for i := range p.Piece {
		p.plan(int32(i), .5, most)
	}
	p.move(m, free)
}

// CorrectExactly moves the targets of the vertices along their normals until each body has its target volume, to 1e-9 of it. It returns by which part of its target a body is
// off at most, which is more than that where most stands in the way, or where a body has no free vertices.
//
// free and most are as with Correct. The shift is the same all over a body's surface.
func (p *Pieces) CorrectExactly(m *Mesh, free []bool, most float64) (off float64) {
	p.begin(m)
	for round := 0; ; round++ {
		p.volumes.measure(p, m, m.Target)
		p.volumes.bodies(p)
		off = 0
		for i := range p.Piece {
			if c := &p.Piece[i]; c.Body == int32(i) && c.Target != 0 {
				off = max(off, math.Abs(p.volumes.sum[i]-c.Target)/math.Abs(c.Target))
			}
		}
		if off <= correctedTo || round == correctionRounds {
			return off
		}
		p.derive(m, free, m.Target)
		for i := range p.Piece {
			p.plan(int32(i), 1, most)
		}
		p.move(m, free)
	}
}

// MeasureTargets makes the pieces' volumes those that they have with the vertices at their targets.
func (p *Pieces) MeasureTargets(m *Mesh) {
	p.begin(m)
	p.volumes.measure(p, m, m.Target)
	for i := range p.Piece {
		p.Piece[i].Volume = p.volumes.sum[i]
	}
}

func (p *Pieces) begin(m *Mesh) {
	if len(p.Of) != len(m.Position) {
		panic("trimesh: Pieces: the mesh has other vertices than Follow has seen")
	}
	p.Shift = arrays.Resize(p.Shift, len(p.Piece))
	clear(p.Shift)
}

// derive makes normals, and how much each body's volume grows per metre of shift.
func (p *Pieces) derive(m *Mesh, free []bool, at []r3.Vec) {
	p.measures.Measure(nil, m, at)
	p.growth, p.step = arrays.Resize(p.growth, len(p.Piece)), arrays.Resize(p.step, len(p.Piece))
	clear(p.growth)
	for v, of := range p.Of {
		if of != Gone && (free == nil || free[v]) {
			p.growth[p.Piece[of].Body] += reproducible.Norm(p.measures.Normal[v])
		}
	}
}

// plan says by how much a body's surface moves next, for a part of what its volume lacks.
func (p *Pieces) plan(i int32, part, most float64) {
	p.step[i] = 0
	if p.Piece[i].Body != i || !(p.growth[i] > 0) {
		return
	}
	shift := float64(part * ((p.Piece[i].Target - p.volumes.sum[i]) / p.growth[i]))
	p.step[i] = max(-most, min(most, p.Shift[i]+shift)) - p.Shift[i]
	p.Shift[i] += p.step[i]
}

// move shifts the free vertices by their bodies' next steps.
func (p *Pieces) move(m *Mesh, free []bool) {
	for v, of := range p.Of {
		if of == Gone || free != nil && !free[v] {
			continue
		}
		n := p.measures.Normal[v]
		if size := reproducible.Norm(n); size > 0 {
			m.Target[v] = r3.Add(m.Target[v], reproducible.Scale(p.step[p.Piece[of].Body]/size, n))
		}
	}
}
