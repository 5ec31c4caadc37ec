// Package avx has what several kernels are made of: arguments, constants, and steps of a few instructions.
package avx

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// LessThan has VCMPPS and VCMPPD tell where their third operand is less than their second.
const LessThan = 1

// Argument loads a pointer or an int.
func Argument(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// Base loads where a slice begins.
func Base(name string) GPVirtual { return Load(Param(name).Base(), GP64()).(GPVirtual) }

// Len loads how long a slice is.
func Len(name string) GPVirtual { return Load(Param(name).Len(), GP64()).(GPVirtual) }

// Broadcast fills a register with an argument of four bytes.
func Broadcast(name string) VecVirtual {
	v := YMM()
	address, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(address.Addr, v)
	return v
}

// Number fills a register with x.
func Number(x float32) VecVirtual { return Word(math.Float32bits(x)) }

// Word fills a register with four bytes.
func Word(bits uint32) VecVirtual {
	r, v := GP32(), YMM()
	MOVL(U32(bits), r)
	VMOVD(r, v.AsX())
	VPBROADCASTD(v.AsX(), v)
	return v
}

// Floats is a constant of eight equal numbers in memory.
func Floats(name string, x float32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, F32(x))
	}
	return m
}

// Words is a constant of eight words in memory, which repeat if fewer are given.
func Words(name string, w ...uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(w[i%len(w)]))
	}
	return m
}

// LoadYMM loads eight numbers.
func LoadYMM(m Op) VecVirtual {
	v := YMM()
	VMOVUPS(m, v)
	return v
}

// Mix turns b into a + u·(b - a), and returns it.
func Mix(a, b VecVirtual, u Op) VecVirtual {
	VSUBPS(a, b, b)
	VMULPS(u, b, b)
	VADDPS(a, b, b)
	return b
}

// Pair loads two numbers that lie together for each of eight lanes, whose places are in memory. One by one they take less time than
// gathered.
func Pair(base GPVirtual, places Mem) (first, second VecVirtual) {
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

// Epilogue leaves a kernel.
func Epilogue() {
	VZEROUPPER()
	RET()
}
