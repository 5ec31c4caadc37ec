// Command gen writes the AVX2 kernels of package grid. It is a module of its own, so that
// who uses Meniscus need not fetch what it is made with.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	sample("sampleAVX2", false)
	sample("sampleRangeAVX2", true)
	Generate()
}

// room is that of Places: X, Y, Z, Value, Least and Greatest are so many numbers each, then comes held.
const room = 512

// The arrays of Places.
const (
	value = 3 + iota
	least
	greatest
	held
)

// Where Places has its source, where that has its shape, and the fields of the latter, bytes.
const (
	source = 4*room*held + room/8
	shape  = source + 24
	dy     = 0
	dz     = 4
	before = 8
	last   = 20
	edge   = 32
)

// field fills a register with a number of the shape s.
func field(s GPVirtual, at int) VecVirtual {
	v := YMM()
	VBROADCASTSS(Mem{Base: s, Disp: at}, v)
	return v
}

// corners are the bases from which the four pairs of values of a cube are gathered.
func corners(t, s GPVirtual) (at [4]GPVirtual) {
	dy, dz := stride(s, dy), stride(s, dz)
	for i := range at {
		at[i] = GP64()
	}
	at[0] = t
	LEAQ(Mem{Base: t, Index: dy, Scale: 4}, at[1])
	LEAQ(Mem{Base: t, Index: dz, Scale: 4}, at[2])
	LEAQ(Mem{Base: at[1], Index: dz, Scale: 4}, at[3])
	return at
}

// stride loads a number of the shape s.
func stride(s GPVirtual, at int) GPVirtual {
	d := GP64()
	MOVLQSX(Mem{Base: s, Disp: at}, d)
	return d
}

// pair gathers two numbers that lie together for each of eight lanes. The first four of places are
// those of the lanes 0, 1, 4 and 5.
func pair(base GPVirtual, places [2]VecVirtual) (first, second VecVirtual) {
	var half [2]VecVirtual
	for i := range half {
		all := YMM()
		half[i] = YMM()
		VPCMPEQD(all, all, all)
		VXORPS(half[i], half[i], half[i])
		VGATHERDPD(all, Mem{Base: base, Index: places[i], Scale: 4}, half[i])
	}
	first, second = YMM(), YMM()
	VSHUFPS(Imm(0x88), half[1], half[0], first)
	VSHUFPS(Imm(0xdd), half[1], half[0], second)
	return first, second
}

// mix turns b into a + u·(b - a).
func mix(a, b, u VecVirtual) VecVirtual {
	VSUBPS(a, b, b)
	VMULPS(u, b, b)
	VADDPS(a, b, b)
	return b
}

func sample(name string, ranges bool) {
	TEXT(name, NOSPLIT, "func(p *float32, n int)")
	p, n := Load(Param("p"), GP64()).(GPVirtual), Load(Param("n"), GP64()).(GPVirtual)
	t, s := GP64(), GP64()
	MOVQ(Mem{Base: p, Disp: source}, t)
	MOVQ(Mem{Base: p, Disp: shape}, s)
	at := corners(t, s)
	group := GP64()
	XORQ(group, group)
	JMP(LabelRef("test"))
	Label("eight")
	array := func(k int) Mem { return Mem{Base: p, Index: group, Scale: 4, Disp: 4 * room * k} }
	top, zero, inside := field(s, edge), YMM(), YMM()
	VXORPS(zero, zero, zero)
	var index VecVirtual
	var beyond [3]VecVirtual
	for a := range beyond {
		x, low, high := YMM(), YMM(), YMM()
		VMOVUPS(array(a), x)
		VCMPPS(Imm(2), x, zero, low) // 0 ≤ x
		VCMPPS(Imm(2), top, x, high)
		VPAND(low, high, high)
		if a == 0 {
			VMOVAPS(high, inside)
		} else {
			VPAND(high, inside, inside)
		}
		i, whole := YMM(), YMM()
		VADDPS(field(s, before+4*a), x, x)
		VCVTTPS2DQ(x, i)
		VPMINSD(field(s, last+4*a), i, i)
		VPMAXSD(zero, i, i)
		VCVTDQ2PS(i, whole)
		VSUBPS(whole, x, x)
		beyond[a] = x
		if a == 0 {
			index = i
			continue
		}
		VPMULLD(field(s, [3]int{0, dy, dz}[a]), i, i)
		VPADDD(i, index, index)
	}
	bits, eighth := GP32(), GP64()
	VMOVMSKPS(inside, bits)
	MOVQ(group, eighth)
	SHRQ(Imm(3), eighth)
	MOVB(bits.As8(), Mem{Base: p, Index: eighth, Scale: 1, Disp: 4 * room * held})
	VPERMQ(Imm(0xd8), index, index)
	far := YMM()
	VEXTRACTI128(Imm(1), index, far.AsX())
	places := [2]VecVirtual{index.AsX().(VecVirtual), far.AsX().(VecVirtual)}
	var from, to VecVirtual
	var sides [4]VecVirtual
	for k, base := range at {
		a, b := pair(base, places)
		if ranges {
			if k == 0 {
				from, to = YMM(), YMM()
				VMINPS(a, b, from)
				VMAXPS(a, b, to)
			} else {
				VMINPS(a, from, from)
				VMINPS(b, from, from)
				VMAXPS(a, to, to)
				VMAXPS(b, to, to)
			}
		}
		sides[k] = mix(a, b, beyond[0])
	}
	VMOVUPS(mix(mix(sides[0], sides[1], beyond[1]), mix(sides[2], sides[3], beyond[1]), beyond[2]), array(value))
	if ranges {
		VXORPS(zero, zero, zero)
		VADDPS(zero, from, from)
		VADDPS(zero, to, to)
		VMOVUPS(from, array(least))
		VMOVUPS(to, array(greatest))
	}
	ADDQ(Imm(8), group)
	Label("test")
	CMPQ(group, n)
	JLT(LabelRef("eight"))
	VZEROUPPER()
	RET()
}
