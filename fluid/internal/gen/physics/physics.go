// Package physics builds the kernels of package physics.
package physics

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Kernels are those that measure distances to solids.
var Kernels = avx.File{
	Write: func() {
		kernel("sphereAVX2", (*solid).sphere)
		kernel("boxAVX2", (*solid).box)
		kernel("openBoxAVX2", (*solid).openBox)
	},
	Import: []string{"gonum.org/v1/gonum/spatial/r3"},
	Layout: []avx.Layout{
		avx.Offset("placed.rot", 8*rot),
		avx.Size("placed{}.rot[0]", 3*8),
		avx.Offset("placed.pos", 8*pos),
		avx.Offset("placed.half", 8*half),
		avx.Offset("placed.size", 8*size),
		avx.Offset("placed.wall", 8*(size+1)),
		avx.Offset("r3.Vec.X", 0),
		avx.Offset("r3.Vec.Y", 8),
		avx.Offset("r3.Vec.Z", 16),
		avx.Size("r3.Vec{}", pointBytes),
	},
}

// Where the numbers of a placed solid are, in words.
const (
	rot  = 0 // row-major
	pos  = 9
	half = 12
	size = 15 // radius of a ball; wall of an open box and half of it
)

// pointBytes is how long a point is.
const pointBytes = 24

// A four is four numbers in double precision, one per point.
type four = VecVirtual

// vec is a vector per point.
type vec [3]four

// solid is what a kernel knows beside the points.
type solid struct {
	at                    GPVirtual // of its numbers
	sign, magnitude, zero four      // the sign bit, all others, no bit
}

// kernel writes the distances of points to a solid, four by four, where they are less than what is there.
func kernel(name string, distance func(*solid, vec) four) {
	TEXT(name, NOSPLIT, "func(dst []float32, pts []float64, s *float64)")
	dst, pts := avx.Base("dst"), avx.Base("pts")
	count := avx.Len("dst")
	s := &solid{avx.Argument("s"), YMM(), YMM(), YMM()}
	VPCMPEQD(s.sign, s.sign, s.sign)
	VPSRLQ(Imm(1), s.sign, s.magnitude)
	VPSLLQ(Imm(63), s.sign, s.sign)
	VXORPD(s.zero, s.zero, s.zero)
	JMP(LabelRef("test"))
	Label("points")
	far := distance(s, s.from(points(pts)))
	near := XMM()
	VCVTPD2PSY(far, near)
	VMINPS(Mem{Base: dst}, near, near)
	VMOVUPS(near, Mem{Base: dst})
	ADDQ(Imm(4*4), dst)
	ADDQ(Imm(4*pointBytes), pts)
	SUBQ(Imm(4), count)
	Label("test")
	CMPQ(count, Imm(0))
	JGT(LabelRef("points"))
	avx.Epilogue()
}

// points loads four points.
func points(at GPVirtual) (p vec) {
	a, b, c := YMM(), YMM(), YMM() // x y z x, y z x y, z x y z
	for i, v := range (vec{a, b, c}) {
		VMOVUPD(Mem{Base: at, Disp: 32 * i}, v)
	}
	xy, zx, yz := YMM(), YMM(), YMM()
	VBLENDPD(Imm(0b1100), b, a, xy)
	VPERM2F128(Imm(0x21), c, a, zx)
	VBLENDPD(Imm(0b1100), c, b, yz)
	p = vec{YMM(), YMM(), YMM()}
	VSHUFPD(Imm(0b1010), zx, xy, p[0])
	VSHUFPD(Imm(0b0101), yz, xy, p[1])
	VSHUFPD(Imm(0b1010), yz, zx, p[2])
	return p
}

// number is a number of the solid for all points.
func (s *solid) number(word int) four {
	v := YMM()
	VBROADCASTSD(Mem{Base: s.at, Disp: 8 * word}, v)
	return v
}

// from is the way from the solid's place to the points.
func (s *solid) from(p vec) vec {
	for i := range p {
		VSUBPD(s.number(pos+i), p[i], p[i])
	}
	return p
}

// turned is a vector in the solid's axes.
func (s *solid) turned(p vec) (q vec) {
	for i := range q {
		q[i] = s.number(rot + i)
		VMULPD(p[0], q[i], q[i])
		for j := 1; j < 3; j++ {
			t := s.number(rot + 3*j + i)
			VMULPD(p[j], t, t)
			VADDPD(t, q[i], q[i])
		}
	}
	return q
}

// beyond is how far points are beyond the faces of a box in its axes; it is written over them.
func (s *solid) beyond(p vec) vec {
	for i, v := range p {
		VANDPD(s.magnitude, v, v)
		VSUBPD(s.number(half+i), v, v)
	}
	return p
}

// most is the greatest of each point's three numbers.
func most(p vec) four {
	v := YMM()
	VMAXPD(p[1], p[0], v)
	VMAXPD(p[2], v, v)
	return v
}

// outside2 is the squared distance to a box of points that are so far beyond its faces.
func (s *solid) outside2(x, y, z four) four {
	var square vec
	for i, v := range (vec{x, y, z}) {
		square[i] = YMM()
		VMAXPD(s.zero, v, square[i])
		VMULPD(square[i], square[i], square[i])
	}
	VADDPD(square[1], square[0], square[0])
	VADDPD(square[2], square[0], square[0])
	return square[0]
}

func (s *solid) sphere(p vec) four {
	for _, v := range p {
		VMULPD(v, v, v)
	}
	VADDPD(p[1], p[0], p[0])
	VADDPD(p[2], p[0], p[0])
	VSQRTPD(p[0], p[0])
	VSUBPD(s.number(size), p[0], p[0])
	return p[0]
}

func (s *solid) box(p vec) four {
	p = s.beyond(s.turned(p))
	inside, d := most(p), s.outside2(p[0], p[1], p[2])
	VSQRTPD(d, d)
	VMINPD(s.zero, inside, inside)
	VADDPD(inside, d, d)
	return d
}

func (s *solid) openBox(p vec) four {
	p = s.turned(p)
	wall, down := s.number(size), YMM()
	VXORPD(s.sign, p[1], down)
	VSUBPD(s.number(half+1), down, down)
	p = s.beyond(p)

	// In the solid: from a face, or from the hollow.
	out := most(p)
	hollow := vec{YMM(), YMM(), YMM()}
	for i, v := range (vec{p[0], down, p[2]}) {
		VADDPD(wall, v, hollow[i])
	}
	deep, in := s.outside2(hollow[0], hollow[1], hollow[2]), most(hollow)
	VCMPPD(Imm(avx.LessThan), in, s.zero, in)
	outer := YMM()
	VCMPPD(Imm(avx.LessThan), s.zero, out, outer)
	VANDPD(outer, in, in)

	// Outside of it: from the nearest slab.
	slab := func(v four) four {
		t, h := YMM(), s.number(size+1)
		VADDPD(h, v, t)
		VANDPD(s.magnitude, t, t)
		VSUBPD(h, t, t)
		return t
	}
	d := s.outside2(p[0], slab(down), p[2])
	VMINPD(s.outside2(slab(p[0]), p[1], p[2]), d, d)
	VMINPD(s.outside2(p[0], p[1], slab(p[2])), d, d)

	VBLENDVPD(in, deep, d, d)
	VSQRTPD(d, d)
	VXORPD(s.sign, d, deep)
	VMAXPD(deep, out, out)
	VBLENDVPD(in, out, d, d)
	return d
}
