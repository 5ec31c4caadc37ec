// Package forces builds the kernel of package forces.
package forces

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Kernels is carryEight.
var Kernels = avx.File{
	Write:  carryEight,
	Import: []string{"math"},
	Layout: []avx.Layout{
		{Expression: "uintptr(math.Float32bits(invisible))", Value: int(math.Float32bits(invisible))},
		{Expression: "uintptr(math.Float32bits(trace))", Value: int(math.Float32bits(trace))},
	},
}

// invisible and trace are those of package forces.
const (
	invisible = 1. / 255
	trace     = invisible / 64
)

// pairs loads two numbers from each of two places.
func pairs(low, high Mem) VecVirtual {
	v := XMM()
	VMOVSD(low, v)
	VMOVHPS(high, v, v)
	return v
}

func carryEight() {
	TEXT("carryEightAVX2", NOSPLIT, "func(cells, phi, tile *float32, n int, u, v, w, made, fade, reach float32) (shows bool)")
	tile, n, row, plane := avx.Argument("tile"), avx.Argument("n"), GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: 2}, row)
	MOVQ(row, plane)
	IMULQ(row, plane)
	u, v, w := avx.Broadcast("u"), avx.Broadcast("v"), avx.Broadcast("w")
	var planes [3]VecVirtual // between the lines along x and y
	for k := range planes {
		at := func(y, x int) Mem {
			return Mem{Base: tile, Index: row, Scale: []uint8{1, 4, 8}[y], Disp: 4 * x}
		}
		if k > 0 {
			LEAQ(Mem{Base: tile, Index: plane, Scale: 4}, tile)
		}
		first := func(x int) Mem { return Mem{Base: tile, Disp: 4 * x} }
		low, last := pairs(first(0), at(1, 0)), XMM()
		next, beyond := pairs(first(1), at(1, 1)), XMM()
		avx.Mix(low, next, u.AsX())
		VMOVSD(at(2, 0), last)
		VMOVSD(at(2, 1), beyond)
		avx.Mix(last, beyond, u.AsX())
		VSHUFPD(Imm(1), beyond, next, beyond)
		avx.Mix(next, beyond, v.AsX())
		planes[k] = beyond
	}
	from, to := YMM(), YMM()
	VINSERTF128(Imm(1), planes[1].AsX(), planes[0].AsY(), from)
	VINSERTF128(Imm(1), planes[2].AsX(), planes[1].AsY(), to)
	avx.Mix(from, to, w)

	one, more := avx.Number(1), YMM()
	VMULPS(avx.Broadcast("fade"), to, to)
	VSUBPS(to, one, more)
	VMULPS(avx.Broadcast("made"), more, more)
	VADDPS(more, to, to)

	phi, cells, layer := avx.Argument("phi"), avx.Argument("cells"), GP64()
	MOVQ(n, layer)
	IMULQ(n, layer)
	low, near := pairs(Mem{Base: phi}, Mem{Base: phi, Index: n, Scale: 4}), YMM()
	LEAQ(Mem{Base: phi, Index: layer, Scale: 4}, phi)
	high := pairs(Mem{Base: phi}, Mem{Base: phi, Index: n, Scale: 4})
	VINSERTF128(Imm(1), high.AsX(), low.AsY(), near)
	sign := YMM()
	VPCMPEQD(sign, sign, sign)
	VPSRLD(Imm(1), sign, sign)
	VPAND(sign, near, near)
	VCMPPS(Imm(1), avx.Broadcast("reach"), near, near) // |φ| < reach
	there := YMM()
	VCMPPS(Imm(13), avx.Number(trace), to, there) // v ≥ trace
	VPAND(there, near, near)
	VMINPS(one, to, to)
	VPAND(near, to, to)
	VMOVLPS(to.AsX(), Mem{Base: cells})
	VMOVHPS(to.AsX(), Mem{Base: cells, Index: n, Scale: 4})
	LEAQ(Mem{Base: cells, Index: layer, Scale: 4}, cells)
	VEXTRACTF128(Imm(1), to, high.AsX())
	VMOVLPS(high.AsX(), Mem{Base: cells})
	VMOVHPS(high.AsX(), Mem{Base: cells, Index: n, Scale: 4})
	VCMPPS(Imm(13), avx.Number(invisible), to, to)
	bits := GP32()
	VMOVMSKPS(to, bits)
	TESTL(bits, bits)
	shows := GP8()
	SETNE(shows)
	Store(shows, ReturnIndex(0))
	avx.Epilogue()
}
