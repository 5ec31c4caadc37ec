package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Seed are the kernels that find where to seed markers.
var Seed = avx.File{
	Write:  seeds,
	Layout: []avx.Layout{avx.Size("rowBits{}[0]", 1)},
}

// seeds writes the kernels that find which cells need no markers, and which others may take some.
func seeds() {
	magnitude := avx.Words("magnitude", 1<<31-1)
	for _, n := range []int{8, 4} {
		k := &carrier{n: n, e: n + 2, magnitude: magnitude}
		k.smooth(map[int]string{8: "smooth8", 4: "smooth4"}[n])
	}
}

// smooth goes through a block's rows; t is the corner of the cube around the first cell of one.
func (k *carrier) smooth(name string) {
	TEXT(name, NOSPLIT, "func(smooth, near *uint8, t *float32, least, low, high float32)")
	smooth, near, t := avx.Argument("smooth"), avx.Argument("near"), avx.Argument("t")
	least, low, high := k.argument("least"), k.argument("low"), k.argument("high")
	z := k.count()
	Label("plane")
	y := k.count()
	Label("row")
	middle := 1 + k.e + k.e*k.e
	at := func(i int) Mem { return Mem{Base: t, Disp: 4 * (middle + i)} }
	phi, twice, bend := k.register(), k.register(), k.register()
	VMOVUPS(at(0), phi)
	VADDPS(phi, phi, twice)
	for a, step := range []int{1, k.e, k.e * k.e} {
		v := k.register()
		VMOVUPS(at(-step), v)
		VADDPS(at(step), v, v)
		VSUBPS(twice, v, v)
		VANDPS(k.magnitude, v, v)
		if a == 0 {
			VMOVAPS(v, bend)
		} else {
			VADDPS(v, bend, bend)
		}
	}
	set, below, above := GP32(), k.register(), k.register()
	VCMPPS(Imm(1), least, bend, bend) // bend < least
	VMOVMSKPS(bend, set)
	MOVB(set.As8(), Mem{Base: smooth})
	VCMPPS(Imm(1), low, phi, below)
	VMOVUPS(high, above)
	VCMPPS(Imm(1), phi, above, above)
	VORPS(below, bend, bend)
	VORPS(above, bend, bend)
	VMOVMSKPS(bend, set)
	XORL(Imm(1<<k.n-1), set)
	MOVB(set.As8(), Mem{Base: near})
	INCQ(smooth)
	INCQ(near)
	ADDQ(Imm(uint64(4*k.e)), t)
	DECQ(y)
	JNZ(LabelRef("row"))
	ADDQ(Imm(uint64(8*k.e)), t)
	DECQ(z)
	JNZ(LabelRef("plane"))
	avx.Epilogue()
}
