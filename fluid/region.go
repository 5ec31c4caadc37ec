package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// VolumeIn is how much liquid is in a shape, in litres. Of cells that the shape's surface cuts it reads quarters, so a shape that is
// thinner than that is measured roughly. It does not allocate.
func (l *Liquid) VolumeIn(s SDF) (float64, error) {
	defer l.enter(&inVolumeIn).leave()
	liquid, _, err := l.measure("VolumeIn", s)
	return liquid / litre, err
}

// DensityIn is the mass of the liquid in a shape over the part of the shape that is open to it, kg/m³:
// from 0, dry, to Def.Density, full. It is 0 where no part is open.
func (l *Liquid) DensityIn(s SDF) (float64, error) {
	defer l.enter(&inDensityIn).leave()
	liquid, open, err := l.measure("DensityIn", s)
	if open <= 0 {
		return 0, err
	}
	return l.def.Density * liquid / open, err
}

// measure sums the liquid in a shape and what of the shape solids leave, m³.
func (l *Liquid) measure(call string, s SDF) (liquid, open float64, err error) {
	if err := CheckSDF(s); err != nil {
		return 0, 0, fmt.Errorf("fluid: %s: %w", call, err)
	}
	s = guarded(s)
	l.m.EachBase(boxes.Grown(s.Bounds(), l.lag()*l.m.Survey.MaxSpeed), func(b int32) { // what is shown in it may be kept beside it
		h := float32(l.m.Grid.CellSize(l.m.Grid.Cur.Level[b]))
		pts := l.m.Centres(b)
		s.Eval(l.m.Dist, pts)
		for i, d := range l.m.Dist[:len(pts)] {
			c := l.m.Grid.Cur.First[b] + int32(i)
			volume := float64(l.m.Solids.Volume[c])
			switch {
			case volume == 0 || d > h:
			case d < -h:
				open += volume
			default:
				part, _ := l.sampleCell(s, pts[i], float64(h), 0)
				open += float64(volume * part)
			}
		}
		if l.m.Survey.Volume[b] == 0 {
			return
		}
		if l.show(pts) {
			s.Eval(l.m.Dist, pts)
		}
		for i, d := range l.m.Dist[:len(pts)] {
			c := l.m.Grid.Cur.First[b] + int32(i)
			volume, wet := float64(l.m.Solids.Volume[c]), float64(l.m.Fraction[c])
			switch {
			case volume == 0 || wet == 0 || d > h:
			case d < -h:
				liquid += float64(volume * wet)
			default:
				_, wetPart := l.sampleCell(s, pts[i], float64(h), float32(wet))
				liquid += float64(volume * wetPart)
			}
		}
	})
	return liquid, open, nil
}

// fineEdge is into how many parts along each axis a cell is divided that a shape's surface may cut.
const fineEdge = 4

// fineCell is scratch of sampleCell: the middles of a cell's parts, and distances there, m.
type fineCell struct {
	pts                [fineEdge * fineEdge * fineEdge]r3.Vec
	shape, phi, nearby [fineEdge * fineEdge * fineEdge]float32
	room               [fineEdge * fineEdge * fineEdge]float32 // part of each that solids leave
	volume             float64                                 // of each, m³
}

// sampleCell is the part of a cell's open volume that is in a shape, and the part that is liquid in it. wet is that of the cell that is liquid.
func (l *Liquid) sampleCell(s SDF, middle r3.Vec, h float64, wet float32) (part, liquid float64) {
	sum := l.sampleParts(s, middle, h, wet)
	if sum.open == 0 {
		return 0, 0
	}
	return sum.shape / sum.open, min(sum.liquid/sum.open, float64(wet))
}

// partSum is what solids leave of some of a cell's parts, what of that is in a shape, and what of that is liquid: m³.
type partSum struct{ open, shape, liquid float64 }

// sampleParts sums up the parts of a cell, those of a coarse one by its eighths.
func (l *Liquid) sampleParts(s SDF, middle r3.Vec, h float64, wet float32) (sum partSum) {
	f := &l.world.fine
	if h < float64(1.5*l.def.CellSize) {
		return l.sampleFine(s, middle, h, wet)
	}
	for o := range 8 {
		at := r3.Add(middle, reproducible.Scale(h/4, r3.Vec{X: float64(o&1*2 - 1), Y: float64(o>>1&1*2 - 1), Z: float64(o>>2*2 - 1)}))
		f.pts[0] = at
		s.Eval(f.shape[:1], f.pts[:1])
		var one partSum
		if d := float64(f.shape[0]); math.Abs(d) > h/2 { // the shape's surface misses it
			f.place(at, h/2, l.def.Domain)
			l.leaveRoom(at, h/2)
			one.open = f.open()
			if d < 0 {
				one.shape, one.liquid = one.open, float64(one.open*float64(wet))
			}
		} else {
			one = l.sampleParts(s, at, h/2, wet)
		}
		sum.open, sum.shape, sum.liquid = sum.open+one.open, sum.shape+one.shape, sum.liquid+one.liquid
	}
	return sum
}

// sampleFine is sampleParts for one of the finest size.
func (l *Liquid) sampleFine(s SDF, middle r3.Vec, h float64, wet float32) (sum partSum) {
	f := &l.world.fine
	if f.place(middle, h, l.def.Domain); f.volume == 0 {
		return sum
	}
	s.Eval(f.shape[:], f.pts[:])
	l.leaveRoom(middle, h)
	perStep, surface := 1/stepOf(&f.shape), wet > 0 && wet < 1
	phiStep := float32(0)
	if surface {
		for i, p := range f.pts {
			f.phi[i] = float32(l.phiAt(p))
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
func (l *Liquid) leaveRoom(middle r3.Vec, h float64) {
	f := &l.world.fine
	for i := range f.room {
		f.room[i] = 1
	}
	if len(l.world.static.Shapes()) > 0 {
		l.world.distance(f.nearby[:], f.pts[:])
		f.takeRoom()
	}
	box := boxes.Grown(r3.Box{Min: middle, Max: middle}, h)
	for i := range l.coupling.Solids {
		if b := &l.coupling.Solids[i]; boxes.Overlap(b.Bounds, box) {
			b.Distance(f.nearby[:], f.pts[:])
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
