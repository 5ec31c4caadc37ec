package forces

// kind is what a face is to the viscous stresses.
type kind uint8

const (
	absent kind = iota // in the air
	liquid
	solid
)

// kindOf tells what the face across an axis at a slot is, beside cells of edge h: f is the graph's there, or -1. A slot of -1 is beyond the grid's end.
func (v *linker) kindOf(a, slot int, f int32, h float64) kind {
	switch {
	case f >= 0 && !v.sunk(f):
		return liquid
	case f >= 0, slot < 0, v.state[a][slot] == shut, v.near.inSolid(a, slot, h):
		return solid
	}
	return absent
}

// sunk tells whether a solid shuts the greater part of a face of the graph. Its velocity is not carried on to the next step but extrapolated from around it, so
// what it took from a solid would be lost.
func (v *linker) sunk(f int32) bool {
	return v.gr.Open[f] < 1 && v.state[v.gr.Cubes.Axis[f]][v.gr.Slot[f]] != open
}

// nearest is how far the face across an axis at a slot is from the nearest solid, m, and which that is. A slot of -1 is beyond the grid's end, at x.
func (v *linker) nearest(a, slot int, x *[3]float64) (distance float64, solid int32) {
	switch {
	case slot >= 0 && v.near.distance[a][slot] == farAway:
		return farAway, -1
	case slot >= 0:
		return float64(v.near.distance[a][slot]), v.near.solid[a][slot]
	case v.Solids == nil || v.Solids.Within == nil:
		return 0, -1
	}
	return min(0, v.Solids.Within(*x)), -1
}

// leastWay, in cells, is how near a face's middle is taken to be to a solid at least.
const leastWay = .1

// wayToSolid is how far a face is from a solid in which the next one lies, wide away, m, by the distances of both to it. Where the solid is so thin that the
// other one isn't inside, it is the distance of the first.
func wayToSolid(from, to, wide float64) float64 {
	way := from
	if to <= 0 && from > 0 {
		way = wide * from / (from - to)
	}
	return max(leastWay*wide, min(wide, way))
}

// grip has a solid's velocity along an axis at a place, m, enter the strain that is being made, by so much, 1/m.
func (v *linker) grip(solid int32, axis int, at [3]float64, by float64) {
	k := v.gripOf(solid)
	k[axis] += by
	if solid < 0 {
		if s := v.Solids; s != nil && s.Side != nil {
			v.sides += float64(by * s.Side(uint8(axis), at))
		}
		return
	}
	c := &v.Solids.Solids[solid].Centre
	arm := [3]float64{at[0] - c.X, at[1] - c.Y, at[2] - c.Z}
	p, q := (axis+1)%3, (axis+2)%3
	k[3+p] += float64(by * arm[q])
	k[3+q] -= float64(by * arm[p])
}

// gripSlope has the slope along an axis of a solid's velocity along another enter the strain that is being made.
func (v *linker) gripSlope(solid int32, axis, along int) {
	if solid < 0 {
		return
	}
	k := v.gripOf(solid)
	if p, q := (axis+1)%3, (axis+2)%3; along == q {
		k[3+p]++
	} else {
		k[3+q]--
	}
}

// gripOf is what a solid's velocity enters the strain that is being made with.
func (v *linker) gripOf(solid int32) *[6]float64 {
	_, from := v.begun()
	for i := from; i < int32(len(v.grips)); i++ {
		if v.grips[i].solid == solid {
			return &v.grips[i].k
		}
	}
	v.grips = append(v.grips, grip{strain: int32(len(v.strains)), solid: solid})
	return &v.grips[len(v.grips)-1].k
}
