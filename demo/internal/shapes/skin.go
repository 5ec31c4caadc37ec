package shapes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// most is how many bones may move a vertex.
const most = 4

// binding is which bones move a vertex, and how much each of them does: the parts sum to 1.
type binding struct {
	bone [most]Bone
	part [most]float64
}

// move blends where the bones take a vertex and how fast, both linearly.
func (b *binding) move(p r3.Vec, v int, f *Figure, positions, velocities []r3.Vec) {
	var at, speed r3.Vec
	for i, part := range b.part {
		if part == 0 {
			break // they are in falling order
		}
		m := &f.placed[b.bone[i]]
		arm := r3.Sub(p, f.skeleton[b.bone[i]].at)
		at = r3.Add(at, r3.Scale(part, r3.Add(m.origin, m.linear.value.apply(arm))))
		if velocities != nil {
			speed = r3.Add(speed, r3.Scale(part, r3.Add(m.rate, m.linear.rate.apply(arm))))
		}
	}
	positions[v] = at
	if velocities != nil {
		velocities[v] = speed
	}
}

// bind gives each vertex to the bone of the part that it lies on, smooths that over the surface, and keeps the four
// largest parts.
func bind(m Mesh, body []part) []binding {
	const rounds = 24 // spread it over some 6 cm, about the radius of an arm
	weights := make([][bones]float64, len(m.Positions))
	for v, p := range m.Positions {
		weights[v] = owners(body, p)
	}
	rings := neighbours(m)
	next := make([][bones]float64, len(weights))
	for range rounds {
		for v, ring := range rings {
			for b := range bones {
				sum := 0.
				for _, w := range ring {
					sum += weights[w][b]
				}
				next[v][b] = .5*weights[v][b] + .5*sum/float64(len(ring))
			}
		}
		weights, next = next, weights
	}
	skin := make([]binding, len(weights))
	for v := range weights {
		skin[v] = strongest(&weights[v])
	}
	return skin
}

// owners are the bones that a place of the rest pose belongs to: one, but for the skirt, which its panels share.
func owners(body []part, p r3.Vec) (w [bones]float64) {
	nearest, least := Pelvis, math.Inf(1)
	for _, part := range body {
		if d := part.distance(p); d < least {
			nearest, least = part.bone, d
		}
	}
	if nearest != Pelvis {
		w[nearest] = 1
		return w
	}
	hang := ramp((waistY - p.Y) / .35)
	w[Pelvis] = 1 - hang
	u := math.Mod(math.Atan2(p.X, p.Z)/(2*math.Pi)*panels+panels, panels)
	i := int(u) % panels
	share := ramp(u - math.Floor(u))
	w[int(skirt)+i] += hang * (1 - share)
	w[int(skirt)+(i+1)%panels] += hang * share
	return w
}

// strongest keeps the largest weights. They are lessened by the largest that is left out, so that they are continuous
// where one takes another's place.
func strongest(weights *[bones]float64) (b binding) {
	order := make([]Bone, bones)
	for i := range order {
		order[i] = Bone(i)
	}
	slices.SortStableFunc(order, func(a, c Bone) int {
		switch {
		case weights[a] > weights[c]:
			return -1
		case weights[a] < weights[c]:
			return 1
		}
		return 0
	})
	sum := 0.
	for i := range most {
		b.bone[i], b.part[i] = order[i], weights[order[i]]-weights[order[most]]
		sum += b.part[i]
	}
	for i := range b.part {
		b.part[i] /= sum
	}
	return b
}
