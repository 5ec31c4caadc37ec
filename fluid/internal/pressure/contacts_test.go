package pressure

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// block is a body of 2 kg that gravity has pulled down through a step of 10 ms.
func block() rigid.Body {
	b := rigid.Body{InverseMass: .5, InverseInertia: [3][3]float64{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}, V: [6]float64{1: -.0981}}
	for k := range 3 {
		b.InverseWithGap[k][k] = b.InverseMass
		b.InverseWithGap[3+k][3+k] = b.InverseInertia[k][k]
	}
	return b
}

// stands is block b on four points of body a half a metre below its centre, with friction.
func stands(a, b int32, friction float64) []rigid.Joint {
	var all []rigid.Joint
	for _, x := range [4][2]float64{{-.3, -.3}, {.3, -.3}, {-.3, .3}, {.3, .3}} {
		all = append(all, rigid.Joint{A: a, B: b, N: 1, Kind: rigid.Unilateral, Rows: [6][12]float64{{1: -1, 3: x[1], 5: -x[0], 7: 1, 9: -x[1], 11: x[0]}}})
	}
	return append(all, rigid.Joint{A: a, B: b, N: 2, Kind: rigid.Frictional, Friction: friction, Points: 4,
		Rows: [6][12]float64{{0: -1, 5: .5, 6: 1, 11: .5}, {2: -1, 3: -.5, 8: 1, 9: -.5}}})
}

// What stands does not move, whatever presses it down; what lifts it lets it go, and what drags at it more than friction bears
// makes it slide under what friction is left.
func TestContactsHoldAsLongAsTheyPush(t *testing.T) {
	const weight = 2 * .0981 // N·s in a step
	for name, c := range map[string]struct {
		impulse [6]float64 // N·s
		some    bool
		v       [6]float64 // in the end
	}{
		"pressed":         {impulse: [6]float64{1: -9}},
		"dragged a bit":   {impulse: [6]float64{0: .9 * .5 * weight}},
		"carried in part": {impulse: [6]float64{1: .9 * weight}},
		"lifted":          {impulse: [6]float64{1: 3 * weight}, some: true, v: [6]float64{1: weight}},
		"dragged away":    {impulse: [6]float64{0: 2 * weight}, some: true, v: [6]float64{0: (2 - .5) * weight / 2}},
	} {
		t.Run(name, func(t *testing.T) {
			bodies := []rigid.Body{block(), {}}
			var m mass
			m.set(bodies, stands(1, 0, .5))
			src, dst := make([]float64, 12), make([]float64, 12)
			copy(src, c.impulse[:])
			some := m.release(src, dst)
			if some != c.some {
				t.Fatalf("contacts let go: %v, want %v: %.3g", some, c.some, m.lambda)
			}
			if some {
				m.restart()
			}
			m.apply(dst, src)
			for d, want := range c.v {
				if got := bodies[0].V[d] + dst[d]; d < 3 && math.Abs(got-want) > 2e-3*(weight+math.Abs(c.impulse[d])) {
					t.Errorf("%d: moves at %g, want %g", d, got, want)
				}
			}
		})
	}
}

// What a wedged body is pressed with shows in no velocity: it bears friction by what it was pressed with before.
func TestContactsRememberWhatTheyPressedWith(t *testing.T) {
	for _, press := range []float64{0, 1} {
		b := block()
		joints := []rigid.Joint{
			{A: 1, B: 0, N: 1, Kind: rigid.Unilateral, Expected: press, Rows: [6][12]float64{{0: -1, 6: 1}}},
			{A: 1, B: 0, N: 1, Kind: rigid.Frictional, Friction: .5, Points: 1, Rows: [6][12]float64{{1: -1, 7: 1}}},
			{A: 1, B: 0, N: 1, Kind: rigid.Unilateral, Expected: press, Rows: [6][12]float64{{0: 1, 6: -1}}},
			{A: 1, B: 0, N: 1, Kind: rigid.Frictional, Friction: .5, Points: 1, Rows: [6][12]float64{{1: -1, 7: 1}}},
		}
		var m mass
		m.set([]rigid.Body{b, {}}, joints)
		if slides := m.release(make([]float64, 12), make([]float64, 12)); slides != (press == 0) {
			t.Errorf("pressed with %g N·s it slides: %v", press, slides)
		}
	}
}

// A tower that is too high for its rows has none between its blocks; the lowest still stands.
func TestHeapsAreLeftToTheEngine(t *testing.T) {
	for _, n := range []int{mostRows / 6, mostRows/6 + 1} {
		bodies, joints := make([]rigid.Body, n+1), []rigid.Joint(nil)
		for i := range n {
			bodies[i] = block()
			below := int32(i - 1)
			if i == 0 {
				below = int32(n) // the floor
			}
			joints = append(joints, stands(below, int32(i), .5)...)
		}
		var m mass
		m.set(bodies, joints)
		whole := len(m.rows) == 6*n
		if want := 6*n <= mostRows; whole != want || !whole && len(m.rows) != 6 {
			t.Errorf("%d blocks: %d rows", n, len(m.rows))
		}
		if v := bodies[0].V[1]; math.Abs(v) > 1e-3*.0981*float64(n) {
			t.Errorf("%d blocks: the lowest falls at %g m/s", n, v)
		}
	}
}
