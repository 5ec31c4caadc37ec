package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Volume is the kernel that cuts cells.
var Volume = avx.File{
	Write:  volume,
	Layout: []avx.Layout{avx.Size("cuts{}.cell[0]", 2), avx.Size("cuts{}.corner[0]", 2)},
}

// volume writes the kernel that cuts cells into eighths and these by planes: a cell at a time, an eighth per lane.
func volume() {
	TEXT("cutCellsAVX2", NOSPLIT, "func(dst, t *float32, cell, corner *uint16, n, edge int, h float32)")
	c := &cutter{
		half: avx.Floats("half", .5), one: avx.Floats("one", 1), six: avx.Floats("six", 6), quarter: avx.Floats("quarter", .25),
		factor: avx.Floats("factor", .083), eighth: avx.Floats("eighth", .125), magnitude: avx.Words("magnitude", 1<<31-1),
		row: GP64(), plane: GP64(), least: AllocLocal(32), tight: AllocLocal(32),
	}
	dst, t, cell, corner, n := GP64(), GP64(), GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("t"), t)
	Load(Param("cell"), cell)
	Load(Param("corner"), corner)
	Load(Param("n"), n)
	Load(Param("edge"), c.row)
	SHLQ(Imm(2), c.row)
	MOVQ(c.row, c.plane)
	IMULQ(c.row, c.plane)
	SHRQ(Imm(2), c.plane)
	x, h, v := XMM(), YMM(), YMM()
	Load(Param("h"), x)
	VBROADCASTSS(x, h)
	VMULPS(avx.Floats("flatness", 1e-6), h, v)
	VMOVUPS(v, c.least)
	VMULPS(avx.Floats("share", .4), h, v)
	VMOVUPS(v, c.tight)
	Label("next")
	to, low := GP64(), GP64()
	MOVWLZX(Mem{Base: cell}, to.As32())
	MOVWLZX(Mem{Base: corner, Index: to, Scale: 2}, low.As32())
	LEAQ(Mem{Base: t, Index: low, Scale: 4}, low)
	VMOVSS(c.cut(low), Mem{Base: dst, Index: to, Scale: 4})
	ADDQ(Imm(2), cell)
	DECQ(n)
	JNZ(LabelRef("next"))
	avx.Epilogue()
}

// cutter is what all cells share: constants, the strides of the tile, bytes, the least slope, and the least second
// difference that doesn't count, m.
type cutter struct {
	half, one, six, quarter, factor, eighth, magnitude, least, tight Mem

	row, plane GPVirtual
}

// What a lane takes from a row: its middle value, or the third where bit 0 of the lane is 0 and the first elsewhere.
const (
	middle = 0x55
	beside = 2 | 0<<2 | 2<<4 | 0<<6
)

// cut is the mean of the eighths of the cell in the middle of a cube of 27 values.
func (c *cutter) cut(low GPVirtual) VecVirtual {
	mid, high := GP64(), GP64()
	LEAQ(Mem{Base: low, Index: c.plane, Scale: 1}, mid)
	LEAQ(Mem{Base: mid, Index: c.plane, Scale: 1}, high)
	row := c.rows(mid, mid, 1, 0)
	here := permuted(middle, row)
	dx := minus(permuted(beside, row), here)
	row = c.rows(high, low, 1, 0)
	hereZ := permuted(middle, row)
	dxZ := minus(permuted(beside, row), hereZ)
	hereY, dxY := c.nextRows(mid, mid)
	hereYZ, dxYZ := c.nextRows(high, low)

	shift := c.bend(swapped(dx, 1|0<<2|3<<4|2<<6))
	add(shift, c.bend(swapped(minus(hereY, here), 2|3<<2|0<<4|1<<6)))
	dz := minus(hereZ, here)
	other := YMM()
	VPERM2F128(Imm(1), dz, dz, other)
	VADDPS(dz, other, other)
	add(shift, c.bend(other))
	VMULPS(c.factor, shift, shift)

	c.towards(here, dx)
	c.towards(hereY, dxY)
	c.towards(hereZ, dxZ)
	c.towards(hereYZ, dxYZ)
	dy, dyZ := minus(hereY, here), minus(hereYZ, hereZ)
	c.towards(here, dy)
	c.towards(hereZ, dyZ)
	c.towards(dx, minus(dxY, dx))
	c.towards(dxZ, minus(dxYZ, dxZ))
	dz = minus(hereZ, here)
	c.towards(here, dz)
	c.towards(dx, minus(dxZ, dx))
	c.towards(dy, minus(dyZ, dy))
	VSUBPS(shift, here, here)
	add(here, here)

	f := c.part(here, dx, dy, dz)
	sum, upper := XMM(), XMM()
	VEXTRACTF128(Imm(1), f, upper)
	VADDPS(upper, f.AsX(), sum)
	VHADDPS(sum, sum, sum)
	VHADDPS(sum, sum, sum)
	VMULSS(c.eighth, sum, sum)
	return sum
}

// rows reads the row of a number, and so many bytes before, in two planes: the first is for the lower four lanes.
func (c *cutter) rows(first, second GPVirtual, number uint8, before int) VecVirtual {
	v := YMM()
	at := func(plane GPVirtual) Mem {
		if number == 0 {
			return Mem{Base: plane}
		}
		return Mem{Base: plane, Index: c.row, Scale: number, Disp: -before}
	}
	if first == second {
		VBROADCASTF128(at(first), v)
		return v
	}
	VMOVUPS(at(first), v.AsX())
	VINSERTF128(Imm(1), at(second), v, v)
	return v
}

// nextRows is what lanes find in the row beside the middle one, the third where their bit 1 is 0: its middle value, and what it
// changes by towards that beside it. The third row is read from one before its first value on: the last cell's is the tile's end.
func (c *cutter) nextRows(first, second GPVirtual) (here, dx VecVirtual) {
	third, one := c.rows(first, second, 2, 4), c.rows(first, second, 0, 0)
	here, dx = YMM(), YMM()
	VSHUFPS(Imm(2|2<<2|1<<4|1<<6), one, third, here)
	VSHUFPS(Imm(3|1<<2|2<<4|0<<6), one, third, dx)
	VSUBPS(here, dx, dx)
	return here, dx
}

// bend is a sum of two differences, but 0 where that is large.
func (c *cutter) bend(sum VecVirtual) VecVirtual {
	size := YMM()
	VANDPS(c.magnitude, sum, size)
	VCMPPS(Imm(1), c.tight, size, size) // size < tight
	VANDPS(size, sum, sum)
	return sum
}

// towards moves values a quarter of a difference on.
func (c *cutter) towards(v, d VecVirtual) {
	q := YMM()
	VMULPS(c.quarter, d, q)
	VADDPS(q, v, v)
}

// part is planeFraction.
func (c *cutter) part(phi, x, y, z VecVirtual) VecVirtual {
	for _, v := range []VecVirtual{x, y, z} {
		VANDPS(c.magnitude, v, v)
	}
	low, high := YMM(), YMM()
	VMINPS(y, x, low)
	VMAXPS(y, x, high)
	a, b := YMM(), YMM()
	VMINPS(z, low, a)
	VMAXPS(c.least, a, a)
	VMINPS(z, high, b)
	VMAXPS(b, low, b)
	VMAXPS(c.least, b, b)
	VMAXPS(z, high, high)
	VMAXPS(c.least, high, high)
	ab, d, zero := YMM(), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VADDPS(b, a, ab)
	VADDPS(high, ab, d)
	VMULPS(c.half, d, d)
	size := YMM()
	VANDPS(c.magnitude, phi, size)
	VSUBPS(size, d, d)
	VMAXPS(zero, d, d)

	over, square, t := minus(d, a), YMM(), YMM()
	VMAXPS(zero, over, over)
	VMULPS(d, d, square)
	VMULPS(d, over, t)
	add(square, t)
	VMULPS(over, over, over)
	add(square, over)
	VMINPS(a, d, t)
	VMULPS(square, t, t)
	for _, v := range []VecVirtual{b, high} {
		past, cube := minus(d, v), YMM()
		VMAXPS(zero, past, past)
		VMULPS(past, past, cube)
		VMULPS(past, cube, cube)
		VSUBPS(cube, t, t)
	}
	whole, flat := YMM(), YMM()
	VMULPS(c.six, a, whole)
	VMULPS(b, whole, whole)
	VMULPS(high, whole, whole)
	VCMPPS(Imm(13), ab, d, flat) // d ≥ a+b
	add(d, d)
	VSUBPS(ab, d, d)
	add(high, high)
	VBLENDVPS(flat, d, t, t)
	VBLENDVPS(flat, high, whole, whole)
	VDIVPS(whole, t, t)
	rest, wet := YMM(), YMM()
	VMOVUPS(c.one, rest)
	VSUBPS(t, rest, rest)
	VCMPPS(Imm(1), zero, phi, wet) // φ < 0
	VBLENDVPS(wet, rest, t, t)
	return t
}

func permuted(order uint64, v VecVirtual) VecVirtual {
	w := YMM()
	VPERMILPS(Imm(order), v, w)
	return w
}

// swapped is the sum of a vector and itself in another order.
func swapped(v VecVirtual, order uint64) VecVirtual {
	w := permuted(order, v)
	VADDPS(v, w, w)
	return w
}

func minus(a, b VecVirtual) VecVirtual {
	d := YMM()
	VSUBPS(b, a, d)
	return d
}

func add(to, v VecVirtual) { VADDPS(v, to, to) }
