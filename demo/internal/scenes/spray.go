package scenes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Spray is two jets that meet in the middle and become a sheet, which grows thinner outwards: at r from the middle it is PipeRadius²/r thick (Chentanez et al. 2007, Figure
// 4). The domain is higher than the basin's walls, so that the spray stays in it.
var Spray = Scene{
	Name: "spray", Domain: r3.Box{Min: r3.Vec{X: -1.2, Z: -1.4}, Max: r3.Vec{X: 1.2, Y: 2.6, Z: 1.4}}, Cell: .04,
	Build: func(l *fluid.Liquid) error {
		_, err := OpenPipes(l)
		return err
	},
}

// The pipes' radius and the height of their mouths, m, and how fast the jets are, m/s.
const (
	PipeRadius = .1
	PipeHeight = 1.2
	PipeSpeed  = 4.

	basinLevel = .25 // m
	mouth      = .85 // of a pipe, from the middle, m
	steep      = 12 * math.Pi / 180
	inner      = .2 // of a pipe is filled by its emitter, m
)

// Pipe is the one at -x, or for 1 the one at +x.
type Pipe float64

// Pipes are the two.
var Pipes = [2]Pipe{-1, 1}

// Direction is the jet's: towards the middle, a little upwards.
func (p Pipe) Direction() r3.Vec { return r3.Vec{X: -float64(p) * math.Cos(steep), Y: math.Sin(steep)} }

// Mouth is the middle of the pipe's, m.
func (p Pipe) Mouth() r3.Vec { return r3.Vec{X: float64(p) * mouth, Y: PipeHeight} }

// OpenPipes builds Spray and tells the emitters of the two jets.
func OpenPipes(l *fluid.Liquid) (jets [2]fluid.EmitterID, err error) {
	if err := l.Fill(fluid.Below(basinLevel)); err != nil {
		return jets, err
	}
	for i, p := range Pipes {
		to, along := p.Mouth(), p.Direction()
		def := fluid.EmitterDef{
			Shape:    fluid.Cylinder(r3.Sub(to, r3.Scale(inner, along)), to, PipeRadius),
			Velocity: r3.Scale(PipeSpeed, along), Rate: 1e3 * math.Pi * PipeRadius * PipeRadius * PipeSpeed,
		}
		if jets[i], err = l.AddEmitter(def); err != nil {
			return jets, err
		}
	}
	return jets, nil
}
