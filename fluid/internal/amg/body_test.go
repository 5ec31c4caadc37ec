package amg

// ball is a rigid sphere in the liquid, in finest cells.
type ball struct{ x, y, z, radius float64 }

func (o ball) holds(c cell) bool {
	h := float64(c.edge) / 2
	x, y, z := float64(c.x)+h-o.x, float64(c.y)+h-o.y, float64(c.z)+h-o.z
	return x*x+y*y+z*z < o.radius*o.radius
}

// without drops the cells inside the bodies.
func without(cells []cell, bodies []ball) []cell {
	var out []cell
next:
	for _, c := range cells {
		for _, o := range bodies {
			if o.holds(c) {
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}

// couple returns the rows of the bodies from the faces of neighbouring cells,
// for the given density relative to the liquid (0: a mass of 1e-6).
func (p *problem) couple(bodies []ball, density float64) *Coupling {
	k := &Coupling{Ptr: []int32{0}}
	type mass struct{ linear, angular float64 }
	var inverse []mass
	for _, o := range bodies {
		for i, c := range p.cells {
			var row [6]float64
			for axis := range 3 {
				for _, side := range []int{-1, 1} {
					q := [3]int{c.x, c.y, c.z}
					q[axis] += side * c.edge
					if !o.holds(cell{q[0], q[1], q[2], c.edge}) {
						continue
					}
					h := float64(c.edge) / 2
					at := [3]float64{float64(c.x) + h - o.x, float64(c.y) + h - o.y, float64(c.z) + h - o.z}
					at[axis] += float64(side) * h
					a := float64(side*c.edge*c.edge) * unit * unit
					b, d := (axis+1)%3, (axis+2)%3
					row[axis] += a
					row[3+b] += at[d] * unit * a // r × n, n along axis
					row[3+d] -= at[b] * unit * a
				}
			}
			if row != [6]float64{} {
				k.Col, k.Val = append(k.Col, int32(i)), append(k.Val, row)
			}
		}
		k.Ptr = append(k.Ptr, int32(len(k.Col)))
		r := o.radius * unit
		m := density * 4.19 * r * r * r
		inverse = append(inverse, mass{1 / m, 1 / (0.4 * m * r * r)})
	}
	k.Apply = func(dst, src []float64) {
		for g, w := range inverse {
			for c := range 3 {
				dst[6*g+c] = w.linear * src[6*g+c]
				dst[6*g+3+c] = w.angular * src[6*g+3+c]
			}
		}
	}
	return k
}
