package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// pose is what the figure does at one time, beside its rest pose. Rates of change are a pose too.
type pose struct {
	angles  [skirt]r3.Vec // of each joint, rad; of RightHand within the level
	height  float64       // of the root above the pool's surface, m
	turn    float64       // of the root about the vertical, rad
	stretch float64       // along the vertical; across it as much narrower as keeps the volume
	palm    float64       // width of the right hand's dish, as a part of the rest pose's
	flare   float64       // of the skirt's panels outwards, rad
	swirl   float64       // of the skirt's panels about the vertical, rad
	left    float64       // swing of the skirt to the left, rad
	front   float64       // swing of the skirt to the front, rad
}

// channels are the numbers of a pose.
const channels = 3*int(skirt) + 8

func (p *pose) channel(i int) *float64 {
	if b := i / 3; b < int(skirt) {
		a := &p.angles[b]
		return [3]*float64{&a.X, &a.Y, &a.Z}[i%3]
	}
	return [8]*float64{&p.height, &p.turn, &p.stretch, &p.palm, &p.flare, &p.swirl, &p.left, &p.front}[i-3*int(skirt)]
}

// moved is where a bone takes what it moves: x goes to linear·(x - at) + origin, with at the joint in the rest pose.
type moved struct {
	linear   varying
	rotation varying // without stretch
	origin   r3.Vec
	rate     r3.Vec // of origin, m/s
}

// place hangs the bones on each other. All of it is differentiated by the product rule.
func (p *pose) place(rate *pose, s *[bones]joint, out *[bones]moved) {
	k := p.stretch
	wide := 1 / math.Sqrt(k)
	narrowing := -.5 * wide / k * rate.stretch
	scale := varying{diagonal(wide, k, wide), diagonal(narrowing, rate.stretch, narrowing)}
	yaw := rotation(1, p.turn, rate.turn)
	out[Root] = moved{linear: yaw.times(scale), rotation: yaw, origin: r3.Vec{Y: p.height}, rate: r3.Vec{Y: rate.height}}
	for b := Pelvis; int(b) < bones; b++ {
		above := &out[s[b].parent]
		local := p.local(rate, b)
		if b == RightHand {
			// The dish does not tilt with the arm: it hangs on the forearm's end, but is turned in the figure's frame.
			above = &out[Root]
		}
		m := moved{linear: above.linear.times(local), rotation: above.rotation.times(local)}
		if b == RightHand {
			open := varying{diagonal(p.palm, 1, p.palm), diagonal(rate.palm, 0, rate.palm)}
			m.linear = m.linear.times(open)
		}
		joint := &out[s[b].parent]
		arm := r3.Sub(s[b].at, s[s[b].parent].at)
		m.origin = r3.Add(joint.origin, joint.linear.value.apply(arm))
		m.rate = r3.Add(joint.rate, joint.linear.rate.apply(arm))
		out[b] = m
	}
}

// local is how a bone is turned in its parent's frame.
func (p *pose) local(rate *pose, b Bone) varying {
	switch {
	case b >= skirt:
		angle := panelAngle(int(b - skirt))
		sin, cos := math.Sincos(angle)
		outwards, change := p.flare+p.left*sin+p.front*cos, rate.flare+rate.left*sin+rate.front*cos
		out := rotation(1, angle+p.swirl, rate.swirl).times(rotation(0, -outwards, -change))
		return out.times(rotation(1, -angle, 0))
	case b == RightHand:
		yaw, change := p.angles[b].Y, rate.angles[b].Y
		for _, above := range [...]Bone{Pelvis, Spine, Chest, RightUpperArm, RightForearm} {
			yaw += p.angles[above].Y
			change += rate.angles[above].Y
		}
		return rotation(1, yaw, change)
	}
	return turned(p.angles[b], rate.angles[b])
}
