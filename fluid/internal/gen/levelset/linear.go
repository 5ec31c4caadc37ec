package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Sample is the kernel that interpolates the level set.
var Sample = avx.File{Write: linear}

// linear writes the kernel that interpolates a cube of values at eight places at a time.
func linear() {
	TEXT("linear8", NOSPLIT, "func(dst, t, x, y, z *float32, eights, edge int)")
	dst, t, edge, left := avx.Argument("dst"), avx.Argument("t"), avx.Argument("edge"), avx.Argument("eights")
	axes := [3]GPVirtual{avx.Argument("x"), avx.Argument("y"), avx.Argument("z")}
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
		low, high := avx.Pair(base, cubes)
		side[k] = avx.Mix(low, high, beyond[0])
	}
	VMOVUPS(avx.Mix(avx.Mix(side[0], side[1], beyond[1]), avx.Mix(side[2], side[3], beyond[1]), beyond[2]), Mem{Base: dst})
	ADDQ(Imm(32), dst)
	DECQ(left)
	JNZ(LabelRef("eight"))
	avx.Epilogue()
}
