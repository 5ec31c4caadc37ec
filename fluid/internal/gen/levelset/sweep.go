package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Redistance are the kernels that redistance the level set.
var Redistance = avx.File{
	Write:  sweeps,
	Layout: []avx.Layout{avx.Size("wavefront{}[0]", 4)},
}

// sweeper writes the redistancing kernel for blocks of n³ cells: a row of cells at a time, in the order given.
type sweeper struct {
	carrier
	h, hh, band, dead, loose, far, slow, fast Mem // a row's width of each
	zero                                      VecVirtual
}

// sweeps writes the redistancing kernels.
func sweeps() {
	half, third, magnitude, sign := avx.Floats("half", .5), avx.Floats("third", 1./3), avx.Words("magnitude", 1<<31-1), avx.Words("sign", 1<<31)
	for _, n := range []int{8, 4} {
		k := &sweeper{carrier: carrier{n: n, e: n + 2, half: half, magnitude: magnitude}}
		k.sweep(map[int]string{8: "sweep8", 4: "sweep4"}[n], third, sign)
	}
}

func (k *sweeper) sweep(name string, third, sign Mem) {
	TEXT(name, NOSPLIT, "func(t *float32, order *int32, steep *uint8, h, band, dead, loose, far, slow, fast float32, rim bool) uint32")
	t, order, steep := avx.Argument("t"), avx.Argument("order"), avx.Argument("steep")
	k.h, k.band, k.dead, k.loose = k.argument("h"), k.argument("band"), k.argument("dead"), k.argument("loose")
	k.far, k.slow, k.fast = k.argument("far"), k.argument("slow"), k.argument("fast")
	rim := Load(Param("rim"), GP8())
	stay, nearer := AllocLocal(32), AllocLocal(96) // how close to the wanted value cells stay; near
	hh := k.load(k.h)
	VMULPS(hh, hh, hh)
	k.hh = AllocLocal(32)
	VMOVUPS(hh, k.hh)
	k.zero = k.register()
	VXORPS(k.zero, k.zero, k.zero)
	changed := k.register()
	VXORPS(changed, changed, changed)
	left := GP64()
	MOVQ(I32(int32(k.n*k.n)), left)
	Label("row")
	row := GP64()
	MOVLQSX(Mem{Base: order}, row)
	LEAQ(Mem{Base: t, Index: row, Scale: 4}, row)
	old, side, c := k.load(Mem{Base: row}), k.register(), k.register()
	VANDPS(sign, old, side)
	VXORPS(side, old, c)
	var near [3]VecVirtual
	for a, step := range [3]int{1, k.e, k.e * k.e} {
		high := k.register()
		near[a] = k.register()
		VXORPS(Mem{Base: row, Disp: -4 * step}, side, near[a])
		VXORPS(Mem{Base: row, Disp: 4 * step}, side, high)
		VMINPS(high, near[a], near[a])
	}
	for a := range near {
		VMOVUPS(near[a], nearer.Offset(32*a))
	}
	clear := k.register()
	VMINPS(near[1], near[0], clear)
	VMINPS(near[2], clear, clear)
	next, dead := k.register(), k.load(k.dead)
	VCMPPS(Imm(1), k.h, clear, next) // nearest < h
	VBLENDVPS(next, k.loose, dead, dead)
	VMOVUPS(dead, stay)
	VCMPPS(Imm(1), clear, k.zero, clear) // 0 < nearest
	k.slopes(steep, c, clear, near)
	v := k.eikonal(near, third)
	now := k.register()
	VADDPS(stay, v, now)
	VMINPS(now, c, now)
	VSUBPS(stay, v, v)
	VMAXPS(now, v, v)
	VMINPS(k.band, v, v)
	TESTB(rim, rim)
	JZ(LabelRef("inside"))
	k.beside(row, c, v, nearer, stay)
	Label("inside")
	VBLENDVPS(clear, v, c, v)
	VXORPS(side, v, v)
	VMOVUPS(v, Mem{Base: row})
	VXORPS(old, v, v)
	VORPS(v, changed, changed)
	ADDQ(Imm(4), order)
	INCQ(steep)
	DECQ(left)
	JNZ(LabelRef("row"))
	// Whether a bit has changed.
	VPCMPEQD(k.zero, changed, changed)
	bits := GP32()
	VMOVMSKPS(changed, bits)
	XORL(Imm(uint64(1)<<k.n-1), bits)
	VZEROUPPER()
	Store(bits, ReturnIndex(0))
	RET()
}

func (k *sweeper) load(m Mem) VecVirtual {
	v := k.register()
	VMOVUPS(m, v)
	return v
}

// slopes marks the cells beside the surface at which it is too gentle or too steep.
func (k *sweeper) slopes(steep GPVirtual, c, clear VecVirtual, near [3]VecVirtual) {
	sum, d, out := k.register(), k.register(), k.register()
	for a := range near {
		VSUBPS(near[a], c, d)
		VMAXPS(k.zero, d, d)
		VMULPS(d, d, d)
		if a == 0 {
			VMOVAPS(d, sum)
		} else {
			VADDPS(d, sum, sum)
		}
	}
	VCMPPS(Imm(1), k.slow, sum, out) // sum < slow
	VCMPPS(Imm(14), k.fast, sum, d)  // sum > fast
	VORPS(d, out, out)
	VANDNPS(out, clear, out)
	mask := GP32()
	VMOVMSKPS(out, mask)
	MOVB(mask.As8(), Mem{Base: steep})
}

// eikonal is the solution from the nearer neighbours along the axes.
func (k *sweeper) eikonal(near [3]VecVirtual, third Mem) VecVirtual {
	a, b, d := near[0], near[1], near[2]
	k.order(a, b)
	k.order(b, d)
	k.order(a, b)
	v, beyond, root, rest := k.register(), k.register(), k.register(), k.register()
	VADDPS(k.h, a, v)
	VCMPPS(Imm(14), b, v, beyond) // v > b
	VSUBPS(a, b, b)
	VMULPS(b, b, rest)
	VMOVUPS(k.hh, root)
	VADDPS(root, root, root)
	VSUBPS(rest, root, root)
	VMAXPS(k.zero, root, root)
	VSQRTPS(root, root)
	VADDPS(root, b, root)
	VMULPS(k.half, root, root)
	VADDPS(root, a, root)
	VBLENDVPS(beyond, root, v, v)

	VCMPPS(Imm(14), d, v, beyond) // v > d
	VSUBPS(a, d, d)
	VMULPS(d, d, root)
	VADDPS(root, rest, rest)
	VSUBPS(k.hh, rest, rest)
	VADDPS(rest, rest, root)
	VADDPS(root, rest, rest)
	VADDPS(b, d, d)
	VMULPS(d, d, root)
	VSUBPS(rest, root, root)
	VMAXPS(k.zero, root, root)
	VSQRTPS(root, root)
	VADDPS(root, d, d)
	VMULPS(third, d, d)
	VADDPS(d, a, d)
	VBLENDVPS(beyond, d, v, v)
	return v
}

// order puts the smaller of two first.
func (k *sweeper) order(a, b VecVirtual) {
	high := k.register()
	VMAXPS(b, a, high)
	VMINPS(b, a, a)
	VMOVAPS(high, b)
}

// beside bounds what cells of magnitude c grow to beside the end of the grid.
func (k *sweeper) beside(row GPVirtual, c, v VecVirtual, near, grow Mem) {
	for a, step := range [3]int{1, k.e, k.e * k.e} {
		low, high, inner, bound := k.load(Mem{Base: row, Disp: -4 * step}), k.load(Mem{Base: row, Disp: 4 * step}), k.register(), k.register()
		VANDPS(k.magnitude, low, low)
		VANDPS(k.magnitude, high, high)
		VMINPS(high, low, inner)
		VMAXPS(high, low, high)
		VMOVUPS(k.far, low)
		VCMPPS(Imm(2), high, low, low)  // far <= high
		VCMPPS(Imm(1), inner, c, bound) // c < inner
		VANDPS(bound, low, low)
		VSUBPS(k.h, inner, inner)
		VMAXPS(inner, c, inner)
		along := k.load(near.Offset(32 * ((a + 1) % 3)))
		VMINPS(near.Offset(32*((a+2)%3)), along, along)
		VADDPS(grow, along, along)
		VMAXPS(along, inner, inner)
		VMINPS(inner, v, inner)
		VBLENDVPS(low, inner, v, v)
	}
}
