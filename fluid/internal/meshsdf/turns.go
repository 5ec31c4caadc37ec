package meshsdf

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// In a closed mesh the winding number is how often a ray leaves through faces less how often it enters through some. Where many pieces overlap
// that takes the faces along a line, while a sum of solid angles takes all that are near: thousands.

// turns is the winding number at o of all faces but the one with id skip, which must be closed but for that one; dir is the ray that told. It is not
// sure where each ray that was tried meets an edge, lies in a face, or begins on one.
func (t *tree) turns(o r3.Vec, skip int32) (n int, dir r3.Vec, sure bool) {
	for _, dir := range rays {
		if reproducible.Dot(dir, o) < 0 { // away from the middle there is less to meet
			dir = reproducible.Scale(-1, dir)
		}
		if n, sure := t.turnsAlong(o, dir, skip); sure {
			return n, dir, true
		}
	}
	return 0, r3.Vec{}, false
}

func (t *tree) turnsAlong(o, dir r3.Vec, skip int32) (turns int, sure bool) {
	inv := r3.Vec{X: 1 / dir.X, Y: 1 / dir.Y, Z: 1 / dir.Z}
	var stack [stackSize]int32
	top, at := 0, int32(0)
	for {
		if n := &t.nodes[at]; n.crossed(o, inv) {
			if n.right != 0 {
				stack[top] = n.right
				top++
				at++
				continue
			}
			for i := n.first; i < n.first+n.count; i++ {
				if t.id[i] == skip {
					continue
				}
				turn, sure := t.tris[i].turn(o, dir)
				if !sure {
					return 0, false
				}
				turns += turn
			}
		}
		if top == 0 {
			return turns, true
		}
		top--
		at = stack[top]
	}
}

// turn is 1 where the ray from o leaves through the face's front, -1 where it enters, and else 0; it is not sure within rounding of an
// edge or of o. Source: Möller & Trumbore 1997.
func (f *tri) turn(o, dir r3.Vec) (turn int, sure bool) {
	h := reproducible.Cross(dir, f.ac)
	det := reproducible.Dot(f.ab, h)
	d := r3.Sub(o, f.a)
	u := reproducible.Dot(d, h)
	q := reproducible.Cross(d, f.ab)
	v, s := reproducible.Dot(dir, q), reproducible.Dot(f.ac, q)
	turn = -1
	if det < 0 {
		turn, det, u, v, s = 1, -det, -u, -v, -s
	}
	// Each of u, v, det and s is a sum of products of three lengths, the longest of which bound its rounding.
	reach := math.Sqrt(reproducible.Dot(d, d))
	ab, ac := math.Sqrt(f.abab), math.Sqrt(f.acac)
	slack := float64(1e-13 * max(reach, ab, ac) * (ab + ac))
	if u < -slack || v < -slack || u+v > det+slack || s < -float64(slack*max(ab, ac)) {
		return 0, true
	}
	sure = u > slack && v > slack && u+v < det-slack && s > float64(slack*max(ab, ac))
	return turn, sure
}
