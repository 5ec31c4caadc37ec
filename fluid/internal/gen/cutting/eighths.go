// Package cutting builds the kernels of package blocks.
package cutting

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Kernels are measure, less and cutPanes.
var Kernels = avx.File{
	Write: func() {
		eighths()
		less()
		panes()
	},
	Layout: []avx.Layout{
		avx.Offset("eighths.at", 0),
		avx.Offset("eighths.middles", middles),
		avx.Offset("eighths.crooked", crooked),
		avx.Offset("eighths.again", bent),
		avx.Offset("eighths.solid", solid),
		avx.Offset("eighths.x", solid+4),
		avx.Offset("eighths.y", solid+8),
		avx.Offset("eighths.z", solid+12),
		avx.Offset("panes.d", 0),
		avx.Size("panes{}.d[0]", 32),
		avx.Offset("panes.middles", paneMiddles),
		avx.Offset("panes.crooked", paneCrooked),
		avx.Offset("panes.again", paneAgain),
		avx.Offset("panes.solid", paneSolid),
		avx.Offset("panes.x", paneX),
		avx.Offset("panes.y", paneY),
	},
}

// Where the fields of eighths are, bytes.
const (
	middles = 4 * 32
	crooked = middles + 4*8
	bent    = crooked + 4
	solid   = bent + 4
)

// eight is a number for each of the eight parts.
type eight = VecVirtual

func eighths() {
	TEXT("measureAVX2", NOSPLIT, "func(p *float32)")
	p := avx.Argument("p")
	d := corners(p)
	neg, pos, off := signs(p, d)
	level(d, off)
	whole := YMM()
	VANDNPS(neg, pos, whole)
	VANDPS(neg, pos, pos)
	mixed := pos
	octants(d)
	again := furtherCut(p, off, mixed)
	sum(p, d, mixed, whole, again)
	avx.Epilogue()
}

// less tells by a bit for each of some numbers, a multiple of eight, whether it is less than another.
func less() {
	TEXT("lessAVX2", NOSPLIT, "func(v []float32, than float32, to *uint64)")
	v, n, to := Load(Param("v").Base(), GP64()), Load(Param("v").Len(), GP64()), Load(Param("to"), GP64())
	than, at, bits := avx.Broadcast("than"), YMM(), GP32()
	Label("eight")
	VMOVUPS(Mem{Base: v}, at)
	VCMPPS(Imm(avx.LessThan), than, at, at)
	VMOVMSKPS(at, bits)
	MOVB(bits.As8(), Mem{Base: to})
	ADDQ(Imm(4*8), v)
	INCQ(to)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	avx.Epilogue()
}

// corners is the distances at the corners of the parts: of each those at 0, 1, 3, 4, 9, 10, 12 and 13 points from its
// first, which are at as many from the cube's.
func corners(p GPVirtual) (d [8]eight) {
	m := avx.Words("firsts", 0, 1, 3, 4, 0, 1, 3, 4)
	firsts, high := YMM(), YMM()
	VMOVDQU(m, firsts)
	for i, step := range [8]int{0, 1, 3, 4, 9, 10, 12, 13} {
		d[i] = YMM()
		VPERMPS(Mem{Base: p, Disp: 4 * step}, firsts, d[i])
		VPERMPS(Mem{Base: p, Disp: 4 * (step + 9)}, firsts, high)
		VBLENDPS(Imm(0xf0), high, d[i], d[i])
	}
	return d
}

// signs tells which parts have a corner in the solid and which have one outside of it, and by how much the mean of the corners
// exceeds the middle.
func signs(p GPVirtual, d [8]eight) (neg, pos, off eight) {
	neg, pos, off = YMM(), YMM(), YMM()
	zero := YMM()
	VMINPS(d[1], d[0], neg)
	VMAXPS(d[1], d[0], pos)
	for _, v := range d[2:] {
		VMINPS(v, neg, neg)
		VMAXPS(v, pos, pos)
	}
	VXORPS(zero, zero, zero)
	VCMPPS(Imm(avx.LessThan), zero, neg, neg)
	VCMPPS(Imm(avx.LessThan), pos, zero, pos)
	add8(d, off)
	VMULPS(constant("eighth", 1./8), off, off)
	VSUBPS(Mem{Base: p, Disp: middles}, off, off)
	return neg, pos, off
}

// add8 adds up eight numbers by twos.
func add8(v [8]eight, to eight) {
	a, b := YMM(), YMM()
	VADDPS(v[1], v[0], to)
	VADDPS(v[3], v[2], a)
	VADDPS(a, to, to)
	VADDPS(v[5], v[4], a)
	VADDPS(v[7], v[6], b)
	VADDPS(b, a, a)
	VADDPS(a, to, to)
}

// add4 is the same of four.
func add4(a, b, c, d eight) eight {
	to, t := YMM(), YMM()
	VADDPS(b, a, to)
	VADDPS(d, c, t)
	VADDPS(t, to, to)
	return to
}

// level takes from the corners by how much linear values between them exceed the distance.
func level(d [8]eight, off eight) {
	e := YMM()
	VMULPS(constant("twoThirds", 2./3), off, e)
	VMINPS(constant("most", .1), e, e)
	VMAXPS(constant("least", -.1), e, e)
	for _, v := range d {
		VSUBPS(e, v, v)
	}
}

// octants makes of the distances at the corners the parts of the octants there that are solid.
func octants(d [8]eight) {
	quarter, q := YMM(), YMM()
	VMOVUPS(constant("quarter", .25), quarter)
	for _, step := range [3]int{1, 2, 4} {
		for lo := range 8 {
			if lo&step == 0 {
				hi := lo | step
				VSUBPS(d[lo], d[hi], q)
				VMULPS(quarter, q, q)
				VADDPS(q, d[lo], d[lo])
				VSUBPS(q, d[hi], d[hi])
			}
		}
	}
	half, one, zero := YMM(), YMM(), YMM()
	VMOVUPS(constant("half", .5), half)
	VMOVUPS(constant("one", 1), one)
	VXORPS(zero, zero, zero)
	for _, v := range d {
		VADDPS(v, v, v)
		VSUBPS(v, half, v)
		VMINPS(one, v, v)
		VMAXPS(zero, v, v)
	}
}

// furtherCut tells which parts are to be cut up again: those that are mixed and crooked. It stores them as bits.
func furtherCut(p GPVirtual, off, mixed eight) eight {
	much, bits := YMM(), GP32()
	m := avx.Words("magnitude", math.MaxInt32)
	VANDPS(m, off, off)
	VBROADCASTSS(Mem{Base: p, Disp: crooked}, much)
	VCMPPS(Imm(avx.LessThan), off, much, off)
	VANDPS(mixed, off, off)
	VMOVMSKPS(off, bits)
	MOVL(bits, Mem{Base: p, Disp: bent})
	return off
}

// sum adds up what the parts that are not cut up again have of the solid, and its moments, in units of the cube.
func sum(p GPVirtual, d [8]eight, mixed, whole, again eight) {
	all, half := YMM(), YMM()
	VANDPS(constant("eightOctants", 8), whole, all)
	VANDPS(constant("fourOctants", 4), whole, half)
	total := YMM()
	add8(d, total)
	v := [4]eight{total, add4(d[1], d[3], d[5], d[7]), add4(d[2], d[3], d[6], d[7]), add4(d[4], d[5], d[6], d[7])}
	VBLENDVPS(mixed, total, all, total)
	VANDNPS(total, again, total)
	const low, high = .125, .625
	at := [4]Mem{1: constant("atX", low, high), 2: constant("atY", low, low, high, high), 3: constant("atZ", low, low, low, low, high, high, high, high)}
	quarter, t := constant("quarterMore", .25), YMM()
	for a := 1; a < 4; a++ {
		VBLENDVPS(mixed, v[a], half, v[a])
		VANDNPS(v[a], again, v[a])
		VMULPS(quarter, v[a], v[a])
		VMULPS(at[a], total, t)
		VADDPS(v[a], t, v[a])
	}
	VHADDPS(v[1], v[0], v[0])
	VHADDPS(v[3], v[2], v[2])
	VHADDPS(v[2], v[0], v[0])
	far := XMM()
	VEXTRACTF128(Imm(1), v[0], far)
	VADDPS(far, v[0].AsX(), far)
	VMULPS(constant("share", 1./64), far, far)
	VMOVUPS(far, Mem{Base: p, Disp: solid})
}

// constant is eight numbers in memory, which repeat if fewer are given.
func constant(name string, v ...float32) Mem {
	var words []uint32
	for _, x := range v {
		words = append(words, math.Float32bits(x))
	}
	return avx.Words(name, words...)
}
