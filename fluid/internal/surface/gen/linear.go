package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// linear writes the kernel that interpolates a cube of values at eight places at a time.
func linear() {
	TEXT("linear8", NOSPLIT, "func(dst, t, x, y, z *float32, eights, edge int)")
	argument := func(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }
	dst, t, edge, left := argument("dst"), argument("t"), argument("edge"), argument("eights")
	axes := [3]GPVirtual{argument("x"), argument("y"), argument("z")}
	plane, first := GP64(), [4]GPVirtual{t, GP64(), GP64(), GP64()}
	MOVQ(edge, plane)
	IMULQ(edge, plane)
	LEAQ(Mem{Base: t, Index: edge, Scale: 4}, first[1])
	LEAQ(Mem{Base: t, Index: plane, Scale: 4}, first[2])
	LEAQ(Mem{Base: first[1], Index: plane, Scale: 4}, first[3])
	spread := func(from GPVirtual) Mem {
		m, v := AllocLocal(32), YMM()
		VMOVD(from.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
		VMOVDQU(v, m)
		return m
	}
	row, layer := spread(edge), spread(plane)
	SUBQ(Imm(2), edge)
	last, cubes := spread(edge), AllocLocal(32)
	Label("eight")
	zero, index := YMM(), YMM()
	VPXOR(zero, zero, zero)
	var beyond [3]VecVirtual
	for a, from := range axes {
		i, whole := YMM(), YMM()
		beyond[a] = YMM()
		VMOVUPS(Mem{Base: from}, beyond[a])
		VCVTTPS2DQ(beyond[a], i)
		VPMINSD(last, i, i) // what is beyond the places may be anything
		VPMAXSD(zero, i, i)
		VCVTDQ2PS(i, whole)
		VSUBPS(whole, beyond[a], beyond[a])
		switch a {
		case 0:
			VMOVDQU(i, index)
		default:
			VPMULLD([3]Mem{{}, row, layer}[a], i, i)
			VPADDD(i, index, index)
		}
		ADDQ(Imm(32), from)
	}
	VMOVDQU(index, cubes)
	var side [4]VecVirtual
	for k, base := range first {
		low, high := pair(base, cubes)
		side[k] = towards(low, high, beyond[0])
	}
	VMOVUPS(towards(towards(side[0], side[1], beyond[1]), towards(side[2], side[3], beyond[1]), beyond[2]), Mem{Base: dst})
	ADDQ(Imm(32), dst)
	DECQ(left)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}

// pair loads two numbers that lie together for each of eight lanes, whose places are in memory.
func pair(base GPVirtual, places Mem) (first, second VecVirtual) {
	var half [2]VecVirtual
	for i := range half {
		var two [2]VecVirtual
		for k, lane := range [2]int{2 * i, 2*i + 4} {
			place := GP64()
			two[k] = XMM()
			MOVL(places.Offset(4*lane), place.As32())
			VMOVSD(Mem{Base: base, Index: place, Scale: 4}, two[k])
			MOVL(places.Offset(4*lane+4), place.As32())
			VMOVHPS(Mem{Base: base, Index: place, Scale: 4}, two[k], two[k])
		}
		half[i] = YMM()
		VINSERTF128(Imm(1), two[1], two[0].AsY(), half[i])
	}
	first, second = YMM(), YMM()
	VSHUFPS(Imm(0x88), half[1], half[0], first)
	VSHUFPS(Imm(0xdd), half[1], half[0], second)
	return first, second
}

// towards turns b into a + u·(b - a).
func towards(a, b, u VecVirtual) VecVirtual {
	VSUBPS(a, b, b)
	VMULPS(u, b, b)
	VADDPS(a, b, b)
	return b
}
