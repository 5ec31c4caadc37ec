package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// A cell is a row if its centre is liquid, so that where the surface meets a body the rows end in steps. They press on it
// as if the liquid were cut along these steps, with the pressure that it has there: too much below them, too little above. That does not
// cancel on a few cells: balls four to six cells wide weigh 5 % too little or too much, and in a tank whose gravity is
// not along an axis are driven along by 2 % of their weight (root mean squares; 1 % and .07 % with Steps).
//
// What a still liquid presses with is known: its depth, which is -φ where the surface is near, but for
// thin bodies, between whose walls it may be dry. Steps is the difference.

// surfaceReach, in edges of a cell, is how far from the surface a cell's centre is at most that the surface comes into.
const surfaceReach = .9

// steps tells whether a body has Steps.
func (cp *coupling) steps(body *rigid.Solid) bool { return !body.Thin && cp.d.Up != [3]float64{} }

// stepFace adds what still liquid presses with on what the body covers of a face between two cells, less what rows do: the pressure
// at the face that is straight above or below their centres.
func (cp *coupling) stepFace(s *scratch, k *block, f *solidFace, lo, hi int32, area float64, arm r3.Vec) {
	d := cp.d
	if d.Row[lo] >= 0 && d.Row[hi] >= 0 {
		return // between two rows it is the same from either side
	}
	cp.stepSide(s, k, f, lo, area, arm, 1)
	cp.stepSide(s, k, f, hi, area, arm, -1)
}

// stepSide is stepFace for the cell on one side of the face, below it where the sign is 1.
func (cp *coupling) stepSide(s *scratch, k *block, f *solidFace, cell int32, area float64, arm r3.Vec, sign float64) {
	d := cp.d
	phi := float64(d.phi[cell])
	if math.Abs(phi) > surfaceReach*k.h || d.Volume[cell] <= 0 {
		return
	}
	at := [3]int{int(f.at[0]), int(f.at[1]), int(f.at[2])}
	if sign > 0 {
		at[f.axis]--
	}
	a := int(f.axis)
	part, push, depth := s.patchAt(cell), wrenchOf(a, sign*area, arm), 0.
	if d.Row[cell] >= 0 {
		depth = phi + float64(sign*d.Up[a]*k.h/2)
	} else {
		for i, v := range push {
			part.k[i] += v
		}
	}
	// What is covered is taken for a square about its centroid.
	edge := math.Sqrt(area)
	high := phi + cp.along(f.x) - cp.along(k.centre(at[0], at[1], at[2]))
	y, z := float64(d.Up[(a+1)%3]*edge), float64(d.Up[(a+2)%3]*edge)
	corner := high - float64((y+z)/2)
	if wet, u, v := cutSquare(corner, corner+y, corner+z, corner+y+z); wet > 0 {
		depth -= float64(wet*corner) + float64(u*y) + float64(v*z)
	}
	part.edge = k.h
	for i, v := range push {
		part.steps[i] += float64(depth * v)
	}
}

// stepCell adds what still liquid would weigh in the part of the body that is in a cell, less what a row takes it for.
func (cp *coupling) stepCell(p *patch, line *waterline, k *block, c *solidCell, arm r3.Vec) {
	d := cp.d
	phi := float64(d.phi[c.cell])
	if d.Volume[c.cell] <= 0 || math.Abs(phi) > surfaceReach*k.h {
		return
	}
	off := cp.along(c.x) - cp.along(k.cellMiddle(c.cell))
	part := line.partOf(phi+off, off, k.h)
	if d.Row[c.cell] >= 0 {
		part--
	}
	part *= c.solid * k.h * k.h * k.h
	for a, up := range d.Up {
		for i, v := range wrenchOf(a, up*part, arm) {
			p.steps[i] += v
		}
	}
}

// sumSteps is the sum of the patches' steps. Where the surface lies along the grid, steps side by side are those of waves; what they
// press sideways is then left out, for it keeps small bodies on the move, and they turn the body as pressures on its
// patches would, which turn no ball.
func (cp *coupling) sumSteps(met []patch, line *waterline) (sum [6]float64) {
	var turn [3]float64
	for i := range met {
		p := &met[i]
		area, press := 0., 0.
		for a, k := range p.k[:3] {
			press += float64(p.steps[a] * k)
			area += float64(k * k)
		}
		for a, v := range p.steps {
			sum[a] += v
		}
		if area > 0 {
			depth := max(-p.edge, min(p.edge, press/area)) // where the body goes right through a cell there is no area
			for a, k := range p.k[3:] {
				turn[a] += float64(depth * k)
			}
		}
	}
	aslant := min(1, 10*(line.tilt.size-1))
	rise := cp.along(r3.Vec{X: sum[0], Y: sum[1], Z: sum[2]})
	for a, up := range cp.d.Up {
		sum[a] = float64(aslant*sum[a]) + float64((1-aslant)*rise*up)
		sum[3+a] = float64(aslant*sum[3+a]) + float64((1-aslant)*turn[a])
	}
	return sum
}
