package scenes

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Chutes is two chutes that pour into a glass tank (Chentanez et al. 2007, Figure 1 and Table 1). The domain is higher than the tank's glass.
var Chutes = Scene{
	Name: "chutes", Domain: r3.Box{Min: r3.Vec{X: -tankX, Z: -.45}, Max: r3.Vec{X: tankX, Y: 1.7, Z: .45}}, Cell: .03,
	Build: func(l *fluid.Liquid) error {
		_, err := OpenChutes(l)
		return err
	},
}

// Glass is how high the tank's panes are, m.
const Glass = .9

const tankX = .9 // half of the tank's length, m

// A chute's measures, m, and its slope, rad. Its lip is over the tank, Lip from the middle, and it leads up over the pane and out.
const (
	ChuteWide  = .28 // between its boards
	ChuteHigh  = .16 // of its boards, over its floor
	ChuteThick = .05
	ChuteLong  = .85
	ChuteSlope = 25 * math.Pi / 180

	lipX, lipY, lipZ = .35, 1.02, .2
	streamDeep       = .1  // m
	streamSpeed      = 1.8 // m/s
)

// StreamRate is what comes down a chute, litres/s.
const StreamRate = 1e3 * ChuteWide * streamDeep * streamSpeed

// Chute is the one at -x, or for 1 the one at +x. They pour past each other, so that the tank turns about.
type Chute float64

// Both are the two.
var Both = [2]Chute{-1, 1}

// Pose is where the middle of the chute's lip is, on its floor, m, and how it is turned. In its own axes it leads up along x times its sign, +y is off its
// floor.
func (c Chute) Pose() (at r3.Vec, turn quat.Number) {
	sin, cos := math.Sincos(float64(c) * ChuteSlope / 2)
	return r3.Vec{X: float64(c) * lipX, Y: lipY, Z: float64(c) * lipZ}, quat.Number{Real: cos, Kmag: sin}
}

// Boards are the chute's floor and its two sides, m, in its own axes.
func (c Chute) Boards() [3]r3.Box {
	half := ChuteWide / 2
	return [3]r3.Box{
		c.along(0, ChuteLong, -ChuteThick, 0, -half-ChuteThick, half+ChuteThick),
		c.along(0, ChuteLong, 0, ChuteHigh, -half-ChuteThick, -half),
		c.along(0, ChuteLong, 0, ChuteHigh, half, half+ChuteThick),
	}
}

// along is a box in the chute's axes, from one length above its lip to another.
func (c Chute) along(from, to, low, high, left, right float64) r3.Box {
	x0, x1 := float64(c)*from, float64(c)*to
	return r3.Box{Min: r3.Vec{X: min(x0, x1), Y: low, Z: left}, Max: r3.Vec{X: max(x0, x1), Y: high, Z: right}}
}

// solid is the chute.
func (c Chute) solid() fluid.SDF {
	at, turn := c.Pose()
	b := c.Boards()
	return fluid.Transform(fluid.Union(fluid.Box(b[0]), fluid.Box(b[1]), fluid.Box(b[2])), turn, at)
}

// emitter is the stream where it comes over the tank's pane.
func (c Chute) emitter() fluid.EmitterDef {
	const inner = .14 // m, along the chute
	at, turn := c.Pose()
	pane := (tankX - lipX) / math.Cos(ChuteSlope) // from the lip
	end := pane - ChuteHigh*math.Tan(ChuteSlope)
	return fluid.EmitterDef{
		Shape:    fluid.Transform(fluid.Box(c.along(end-inner, end, 0, streamDeep, -ChuteWide/2, ChuteWide/2)), turn, at),
		Velocity: r3.Rotation(turn).Rotate(r3.Vec{X: -float64(c) * streamSpeed}),
		Rate:     StreamRate,
	}
}

// OpenChutes builds Chutes and tells the emitters of the two streams.
func OpenChutes(l *fluid.Liquid) (streams [2]fluid.EmitterID, err error) {
	for i, c := range Both {
		if _, err := l.AddObstacle(c.solid()); err != nil {
			return streams, err
		}
		if streams[i], err = l.AddEmitter(c.emitter()); err != nil {
			return streams, err
		}
	}
	return streams, nil
}
