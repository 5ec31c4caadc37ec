package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// VolumeIn is the liquid in a shape at the output time, and what of the shape solids leave, m³. Both are of the same cells, where these have come to by then: else
// liquid that has come to where there was little room would be more than there is room for.
// solids are those around the liquid: they are asked for where the surface of the shape cuts cells.
func (q *Queries) VolumeIn(shape shapes.SDF, solids []query.Solid) (liquid, open float64) {
	m := q.m
	q.fine.solids = solids
	m.Grid.EachBase(boxes.Grown(shape.Bounds(), m.OutputDelay()*q.survey.MaxSpeed), func(b int32) { // what is in it at the output time may be stored beside it
		h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		pts := m.Centres.Of(m.Grid, b)
		if q.survey.Volume[b] > 0 {
			q.toOutput(pts)
		}
		shape.Eval(m.Centres.Dist, pts)
		for i, d := range m.Centres.Dist[:len(pts)] {
			c := m.Grid.Cur.First[b] + int32(i)
			volume, wet := float64(m.Solids.Volume[c]), float64(m.Fraction[c])
			part, wetPart := 1., wet
			switch {
			case volume == 0 || d > h:
				continue
			case d >= -h:
				part, wetPart = q.sampleCell(shape, pts[i], float64(h), float32(wet))
			}
			open += float64(volume * part)
			liquid += float64(volume * wetPart)
		}
	})
	q.fine.solids = nil
	return liquid, open
}

// fineEdge is into how many parts along each axis a cell is divided that a shape's surface may cut.
const fineEdge = 4

// fineCell is scratch of sampleCell: the middles of a cell's parts, and distances there, m.
type fineCell struct {
	pts                [fineEdge * fineEdge * fineEdge]r3.Vec
	shape, phi, nearby [fineEdge * fineEdge * fineEdge]float32
	room               [fineEdge * fineEdge * fineEdge]float32 // part of each that solids leave
	volume             float64                                 // of each, m³
	solids             []query.Solid                           // that may leave none
}

// sampleCell is the part of a cell's open volume that is in a shape, and the part that is liquid in it. wet is that of the cell that is liquid.
func (q *Queries) sampleCell(s shapes.SDF, middle r3.Vec, h float64, wet float32) (part, liquid float64) {
	sum := q.sampleParts(s, middle, h, wet)
	if sum.open == 0 {
		return 0, 0
	}
	return sum.shape / sum.open, min(sum.liquid/sum.open, float64(wet))
}

// partSum is what solids leave of some of a cell's parts, what of that is in a shape, and what of that is liquid: m³.
type partSum struct{ open, shape, liquid float64 }

// sampleParts sums up the parts of a cell, those of a coarse one by its eighths.
func (q *Queries) sampleParts(s shapes.SDF, middle r3.Vec, h float64, wet float32) (sum partSum) {
	m := q.m
	f := &q.fine
	if h < float64(1.5*m.CellSize) {
		return q.sampleFine(s, middle, h, wet)
	}
	for o := range 8 {
		at := r3.Add(middle, reproducible.Scale(h/4, r3.Vec{X: float64(o&1*2 - 1), Y: float64(o>>1&1*2 - 1), Z: float64(o>>2*2 - 1)}))
		f.pts[0] = at
		s.Eval(f.shape[:1], f.pts[:1])
		var one partSum
		if d := float64(f.shape[0]); math.Abs(d) > h/2 { // the shape's surface misses it
			f.place(at, h/2, m.Domain)
			q.leaveRoom(at, h/2)
			one.open = f.open()
			if d < 0 {
				one.shape, one.liquid = one.open, float64(one.open*float64(wet))
			}
		} else {
			one = q.sampleParts(s, at, h/2, wet)
		}
		sum.open, sum.shape, sum.liquid = sum.open+one.open, sum.shape+one.shape, sum.liquid+one.liquid
	}
	return sum
}

// sampleFine is sampleParts for one of the finest size.
func (q *Queries) sampleFine(s shapes.SDF, middle r3.Vec, h float64, wet float32) (sum partSum) {
	f := &q.fine
	if f.place(middle, h, q.m.Domain); f.volume == 0 {
		return sum
	}
	s.Eval(f.shape[:], f.pts[:])
	q.leaveRoom(middle, h)
	perStep, surface := 1/stepOf(&f.shape), wet > 0 && wet < 1
	phiStep := float32(0)
	if surface {
		for i, p := range f.pts {
			f.phi[i] = float32(q.distanceAt(p))
		}
		phiStep = 1 / stepOf(&f.phi)
	}
	for i, room := range f.room {
		in := max(0, min(1, .5-float32(f.shape[i]*perStep)))
		sum.shape += float64(room * in)
		if surface {
			in = min(in, max(0, min(1, .5-float32(f.phi[i]*phiStep))))
		}
		if wet > 0 {
			sum.liquid += float64(room * in)
		}
	}
	sum.open, sum.shape, sum.liquid = f.open(), sum.shape*f.volume, sum.liquid*f.volume
	return sum
}

// open is what solids leave of the parts, m³.
func (f *fineCell) open() (sum float64) {
	for _, room := range f.room {
		sum += float64(room)
	}
	return sum * f.volume
}

// place divides what of a cell is in the domain.
func (f *fineCell) place(middle r3.Vec, h float64, domain r3.Box) {
	var lo, step [3]float64
	m, least, most := reproducible.Array(middle), reproducible.Array(domain.Min), reproducible.Array(domain.Max)
	for a := range lo {
		lo[a] = max(m[a]-float64(.5*h), least[a])
		step[a] = max(0, min(m[a]+float64(.5*h), most[a])-lo[a]) / fineEdge
	}
	f.volume = step[0] * step[1] * step[2]
	for i := range f.pts {
		x, y, z := float64(i%fineEdge)+.5, float64(i/fineEdge%fineEdge)+.5, float64(i/(fineEdge*fineEdge))+.5
		f.pts[i] = r3.Vec{X: lo[0] + float64(x*step[0]), Y: lo[1] + float64(y*step[1]), Z: lo[2] + float64(z*step[2])}
	}
}

// leaveRoom finds what solids leave of a cell's parts.
func (q *Queries) leaveRoom(middle r3.Vec, h float64) {
	f := &q.fine
	for i := range f.room {
		f.room[i] = 1
	}
	box := boxes.Grown(r3.Box{Min: middle, Max: middle}, h)
	for i := range f.solids {
		if s := &f.solids[i]; boxes.Overlap(s.Bounds, box) {
			s.Distance(f.nearby[:], f.pts[:])
			f.takeRoom()
		}
	}
}

// takeRoom takes a solid, whose distances are in nearby, off the room.
func (f *fineCell) takeRoom() {
	inv := 1 / stepOf(&f.nearby)
	for i, d := range f.nearby {
		f.room[i] = min(f.room[i], max(0, min(1, .5+float32(d*inv))))
	}
}

// stepOf is by how much a distance changes from one of a cell's parts to the next along its slope, m.
func stepOf(d *[fineEdge * fineEdge * fineEdge]float32) float32 {
	const last = fineEdge - 1
	sum := float32(0)
	for a, step := 0, 1; a < 3; a, step = a+1, step*fineEdge {
		change := float32(0)
		for i := range d {
			if i/step%fineEdge == 0 {
				change += d[i+last*step] - d[i]
			}
		}
		change /= last * fineEdge * fineEdge
		sum += float32(change * change)
	}
	return max(float32(math.Sqrt(float64(sum))), 1e-30)
}
