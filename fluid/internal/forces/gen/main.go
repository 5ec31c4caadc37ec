// Command gen writes the AVX2 kernel of package forces. It is a module of its own, so that
// who uses Meniscus need not fetch what it is made with.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gone and trace are those of package forces.
const (
	gone  = 1. / 255
	trace = gone / 64
)

func main() {
	ConstraintExpr("amd64")
	carryEight()
	Generate()
}

// number fills a register with a float.
func number(x float32) VecVirtual {
	r, v := GP32(), YMM()
	MOVL(U32(math.Float32bits(x)), r)
	VMOVD(r, v.AsX())
	VPBROADCASTD(v.AsX(), v)
	return v
}

// argument fills a register with a number.
func argument(name string) VecVirtual {
	v := YMM()
	address, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(address.Addr, v)
	return v
}

// pairs loads two numbers from each of two places.
func pairs(low, high Mem) VecVirtual {
	v := XMM()
	VMOVSD(low, v)
	VMOVHPS(high, v, v)
	return v
}

// mix turns b into a + u·(b - a).
func mix(a, b, u Op) {
	VSUBPS(a, b, b)
	VMULPS(u, b, b)
	VADDPS(a, b, b)
}

func carryEight() {
	TEXT("carryEightAVX2", NOSPLIT, "func(cells, phi, tile *float32, n int, u, v, w, made, fade, reach float32) (shows bool)")
	tile, n, row, plane := Load(Param("tile"), GP64()).(GPVirtual), Load(Param("n"), GP64()).(GPVirtual), GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: 2}, row)
	MOVQ(row, plane)
	IMULQ(row, plane)
	u, v, w := argument("u"), argument("v"), argument("w")
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
		mix(low, next, u.AsX())
		VMOVSD(at(2, 0), last)
		VMOVSD(at(2, 1), beyond)
		mix(last, beyond, u.AsX())
		VSHUFPD(Imm(1), beyond, next, beyond)
		mix(next, beyond, v.AsX())
		planes[k] = beyond
	}
	from, to := YMM(), YMM()
	VINSERTF128(Imm(1), planes[1].AsX(), planes[0].AsY(), from)
	VINSERTF128(Imm(1), planes[2].AsX(), planes[1].AsY(), to)
	mix(from, to, w)

	one, more := number(1), YMM()
	VMULPS(argument("fade"), to, to)
	VSUBPS(to, one, more)
	VMULPS(argument("made"), more, more)
	VADDPS(more, to, to)

	phi, cells, layer := Load(Param("phi"), GP64()).(GPVirtual), Load(Param("cells"), GP64()).(GPVirtual), GP64()
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
	VCMPPS(Imm(1), argument("reach"), near, near) // |φ| < reach
	there := YMM()
	VCMPPS(Imm(13), number(trace), to, there) // v ≥ trace
	VPAND(there, near, near)
	VMINPS(one, to, to)
	VPAND(near, to, to)
	VMOVLPS(to.AsX(), Mem{Base: cells})
	VMOVHPS(to.AsX(), Mem{Base: cells, Index: n, Scale: 4})
	LEAQ(Mem{Base: cells, Index: layer, Scale: 4}, cells)
	VEXTRACTF128(Imm(1), to, high.AsX())
	VMOVLPS(high.AsX(), Mem{Base: cells})
	VMOVHPS(high.AsX(), Mem{Base: cells, Index: n, Scale: 4})
	VCMPPS(Imm(13), number(gone), to, to)
	bits := GP32()
	VMOVMSKPS(to, bits)
	TESTL(bits, bits)
	shows := GP8()
	SETNE(shows)
	Store(shows, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
