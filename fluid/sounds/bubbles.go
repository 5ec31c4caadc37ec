package sounds

import "github.com/meniscus3d/meniscus/fluid/reproducible"

const (
	// inception, m/s, is the least speed of liquid that entrains air as it hits liquid, and entrained the volume of that air, relative to the
	// liquid's, at twice the speed. Source: Bin 1993, Gas entrainment by plunging liquid jets, for water with little turbulence: 0.8 to 1 m/s, and
	// 0.1 to 0.5 for short jets.
	inception, entrained = 1, .2
	// penetration is the depth, in radii, at which plunging liquid has lost its speed. Source: as above, for the bubbles of jets.
	penetration = 10
	// hinzeWeber is the Weber number at which turbulence breaks bubbles. Source: Deane, Stokes 2002, Scale dependence of bubble creation mechanisms in
	// breaking waves, eq. 2, after Hinze 1955.
	hinzeWeber = 4.7
	// waterTension is in N/m.
	waterTension = .072
	gravity      = 9.81 // m/s²
)

// bubbles returns the bubbles of a splash. Their radius is that to which turbulence breaks them, with v²/2 dissipated within the time that v takes to
// penetrate; their volume is the air entrained by the liquid that loses the splash's energy.
func (s *Source) bubbles(step *Step) (b Source, ok bool) {
	excess := s.Speed - inception
	if !(excess > 0) || !(s.Size > 0) {
		return b, false
	}
	tension := step.Tension
	if tension == 0 {
		tension = waterTension
	}
	depth, square := float64(penetration*s.Size), float64(s.Speed*s.Speed)
	dissipation := square * s.Speed / (2 * depth)
	radius := min(hinzeRadius(tension/step.Density, dissipation), s.Size)
	air := entrained * min(1, excess/inception) * s.Energy / (step.Density * square / 2)
	return Source{
		Kind: Bubbles, Key: s.Key, Starts: s.Starts, Position: s.Position, Size: radius, Spread: max(s.Spread, s.Size), Energy: min(s.Energy, step.Density*gravity*depth*air), Speed: s.Speed,
		Litres: air / litre / step.Dt, Rate: air / sphere(radius) / step.Dt,
	}, true
}

// hinzeRadius returns the radius of the largest bubbles, m, that turbulence does not break: tension is divided by density, m³/s²; dissipation is in W/kg.
func hinzeRadius(tension, dissipation float64) float64 {
	return reproducible.Exp2(-8./5 + float64(3./5*reproducible.Log2(tension*hinzeWeber)) - float64(2./5*reproducible.Log2(dissipation)))
}
