// Package levelset builds the kernels of packages levelset and isomesh.
package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Nearby are the kernels that carry the level set.
var Nearby = avx.File{
	Write:  carriers,
	Layout: []avx.Layout{avx.Size("ways{}[0]", wayBytes)},
}

// wayBytes is how long the ways along an axis are.
const wayBytes = 4 * 512

// carriers writes the kernels that carry the level set.
func carriers() {
	half, one, three, magnitude := avx.Floats("half", .5), avx.Floats("one", 1), avx.Floats("three", 3), avx.Words("magnitude", 1<<31-1)
	quarter, twelfth := avx.Floats("quarter", .25), avx.Floats("twelfth", 1./12)
	zeros := GLOBL("zeros", RODATA|NOPTR) // as far as a third difference reaches in the largest tile
	for i := range (12*10*10 + 32) / 8 {
		DATA(8*i, U64(0))
	}
	for _, n := range []int{8, 4} {
		k := &carrier{n: n, e: n + 2, half: half, one: one, three: three, twelfth: twelfth, zeros: zeros, magnitude: magnitude}
		k.carry(map[int]string{8: "carryNear8", 4: "carryNear4"}[n])
		k.trail(map[int]string{8: "trail8", 4: "trail4"}[n])
		k.curve(map[int]string{8: "curve8", 4: "curve4"}[n], quarter)
	}
	(&carrier{n: 8, magnitude: magnitude}).lengthen("lengthen8")
	least(magnitude)
}

// carrier writes the kernel for blocks of n³ cells, whose tiles have an edge of e: a row of cells at a time.
type carrier struct {
	n, e                        int
	half, one, three, magnitude Mem
	twelfth, zeros              Mem
	by                          GPVirtual
	cubic                       VecVirtual // the cells that are near the surface
}

// register is one as wide as a row.
func (k *carrier) register() VecVirtual {
	if k.n == 4 {
		return XMM()
	}
	return YMM()
}

func (k *carrier) carry(name string) {
	TEXT(name, NOSPLIT, "func(phi, t, by *float32, limit, sharp float32)")
	phi, t := avx.Argument("phi"), avx.Argument("t")
	k.by = avx.Argument("by")
	limit, sharp := k.argument("limit"), k.argument("sharp")
	z := k.count()
	Label("plane")
	y := k.count()
	Label("row")
	k.row(phi, t, limit, sharp, y, z)
	ADDQ(Imm(uint64(4*k.n)), phi)
	ADDQ(Imm(uint64(4*k.n)), k.by)
	ADDQ(Imm(uint64(4*k.e)), t)
	DECQ(y)
	JNZ(LabelRef("row"))
	ADDQ(Imm(uint64(8*k.e)), t)
	DECQ(z)
	JNZ(LabelRef("plane"))
	avx.Epilogue()
}

// argument fills a row's width in memory with an argument.
func (k *carrier) argument(name string) Mem {
	m, v := AllocLocal(32), k.register()
	x := Load(Param(name), XMM()).(VecVirtual)
	VBROADCASTSS(x.AsX(), v)
	VMOVUPS(v, m)
	return m
}

// count begins to count down the cells along an axis.
func (k *carrier) count() GPVirtual {
	c := GP64()
	MOVQ(I32(int32(k.n)), c)
	return c
}

// row writes a row of φ. y and z are how many rows and planes are left, this one counted; t is the corner of the
// cube around the row's first cell.
func (k *carrier) row(phi, t GPVirtual, limit, sharp Mem, y, z GPVirtual) {
	e := k.e
	at := func(i int) Mem { return Mem{Base: t, Disp: 4 * i} }
	mid := 1 + e + e*e
	k.cubic = k.register()
	VMOVUPS(at(mid), k.cubic)
	VANDPS(k.magnitude, k.cubic, k.cubic)
	VCMPPS(Imm(1), sharp, k.cubic, k.cubic) // |φ| < sharp
	hx, kx := k.factors(0)
	hy, ky := k.factors(1)
	var plane [3]VecVirtual
	for p := range plane {
		var row [3]VecVirtual
		for r := range row {
			first := at(e*e*p + e*r)
			low, high := k.register(), k.register()
			VMOVUPS(first, low)
			VMOVUPS(first.Offset(8), high)
			row[r] = k.register()
			VMOVUPS(first.Offset(4), row[r])
			k.parabola(low, row[r], high, hx, kx)
		}
		k.parabola(row[0], row[1], row[2], hy, ky)
		plane[p] = row[1]
	}
	hz, kz := k.factors(2)
	k.parabola(plane[0], plane[1], plane[2], hz, kz)
	v := plane[1]

	up, down := k.difference(at(mid-1), 1), k.difference(at(mid-2), 1)
	none := k.register()
	VXORPS(none, none, none)
	VBLENDPS(Imm(uint64(1)<<(k.n-1)), none, up, up)
	VBLENDPS(Imm(1), none, down, down)
	sum := k.bend(0, up, down)
	for a, left := range []GPVirtual{y, z} {
		step := [2]int{e, e * e}[a]
		high, low, none := GP64(), GP64(), GP64()
		LEAQ(at(mid-step), high)
		LEAQ(at(mid-2*step), low)
		LEAQ(k.zeros, none)
		CMPQ(left, Imm(1)) // the last
		CMOVQEQ(none, high)
		CMPQ(left, Imm(uint64(k.n))) // the first
		CMOVQEQ(none, low)
		more := k.bend(a+1, k.difference(Mem{Base: high}, step), k.difference(Mem{Base: low}, step))
		VADDPS(more, sum, sum)
	}
	VANDPS(k.cubic, sum, sum)
	VSUBPS(sum, v, v)
	VMINPS(limit, v, v)
	least := k.register()
	VXORPS(least, least, least)
	VSUBPS(limit, least, least)
	VMAXPS(least, v, v)
	VMOVUPS(v, Mem{Base: phi})
}

// way loads a row's ways along an axis.
func (k *carrier) way(axis int) VecVirtual {
	d := k.register()
	VMOVUPS(Mem{Base: k.by, Disp: wayBytes * axis}, d)
	return d
}

// factors are those of the slope and of the second difference of the parabolas along an axis, or of the lines
// towards where the liquid was.
func (k *carrier) factors(axis int) (slope, second VecVirtual) {
	d, line := k.way(axis), k.register()
	slope, second = k.register(), k.register()
	VMULPS(k.half, d, slope)
	VANDPS(k.magnitude, slope, line)
	VMULPS(d, slope, second)
	VBLENDVPS(k.cubic, second, line, second)
	return slope, second
}

// parabola replaces mid by the parabola's value; low and high are lost.
func (k *carrier) parabola(low, mid, high, slope, second VecVirtual) {
	sum, twice := k.register(), k.register()
	VADDPS(low, high, sum)
	VSUBPS(low, high, high)
	VADDPS(mid, mid, twice)
	VSUBPS(twice, sum, sum)
	VMULPS(high, slope, high)
	VMULPS(sum, second, sum)
	VADDPS(sum, high, high)
	VADDPS(high, mid, mid)
}

// difference is the third of four values, step apart.
func (k *carrier) difference(first Mem, step int) VecVirtual {
	d, inner := k.register(), k.register()
	VMOVUPS(first.Offset(12*step), d)
	VSUBPS(first, d, d)
	VMOVUPS(first.Offset(8*step), inner)
	VSUBPS(first.Offset(4*step), inner, inner)
	VMULPS(k.three, inner, inner)
	VSUBPS(inner, d, d)
	return d
}

// bend is what the third differences above and below, and the fourth between them, take from φ along an axis.
func (k *carrier) bend(axis int, up, down VecVirtual) VecVirtual {
	d, rest, fourth := k.way(axis), k.register(), k.register()
	VMULPS(d, d, fourth)
	VMOVUPS(k.one, rest)
	VSUBPS(fourth, rest, rest)
	VMULPS(rest, d, rest)
	VMULPS(k.twelfth, rest, rest)
	VSUBPS(down, up, fourth)
	VADDPS(down, up, up)
	VMULPS(k.half, d, d)
	VMULPS(fourth, d, d)
	VADDPS(d, up, up)
	VMULPS(up, rest, rest)
	return rest
}

// trail writes the kernel for the ways from the cells' middles: a row at a time too.
func (k *carrier) trail(name string) {
	k.ways(name, func(f *faces, half VecVirtual) (d [3]VecVirtual) {
		for a := range d {
			d[a] = f.sum(a, 0)
			VMULPS(half, d[a], d[a])
		}
		return d
	})
}

// curve writes the kernel that goes on from those ways by half of the change of the velocity along them.
func (k *carrier) curve(name string, quarter Mem) {
	k.ways(name, func(f *faces, half VecVirtual) (d [3]VecVirtual) {
		for a := range d {
			d[a] = f.change(a, quarter)
			VMULPS(half, d[a], d[a])
			VADDPS(k.way(a), d[a], d[a])
		}
		return d
	})
}

// ways writes a kernel that sets a row's ways from the velocity at the faces around.
func (k *carrier) ways(name string, row func(f *faces, half VecVirtual) [3]VecVirtual) {
	TEXT(name, NOSPLIT, "func(by, x, y, z *float32, half, limit float32, most *float32)")
	k.by = avx.Argument("by")
	f := k.faces()
	half, limit, most := k.register(), k.register(), k.register()
	VMOVUPS(k.argument("half"), half)
	VMOVUPS(k.argument("limit"), limit)
	VXORPS(most, most, most)
	z := k.count()
	Label("plane")
	y := k.count()
	Label("row")
	k.set(row(f, half), limit, most)
	f.next(1)
	ADDQ(Imm(uint64(4*k.n)), k.by)
	DECQ(y)
	JNZ(LabelRef("row"))
	f.next(2)
	DECQ(z)
	JNZ(LabelRef("plane"))
	last := Load(Param("most"), GP64())
	VMOVUPS(most, Mem{Base: last})
	avx.Epilogue()
}

// set stores a row's ways, 0 for those that aren't shorter than limit, and widens most by their lengths.
func (k *carrier) set(d [3]VecVirtual, limit, most VecVirtual) {
	long, part := k.register(), k.register()
	VANDPS(k.magnitude, d[0], long)
	for _, v := range d[1:] {
		VANDPS(k.magnitude, v, part)
		VADDPS(part, long, long)
	}
	VCMPPS(Imm(1), limit, long, part) // long < limit
	VANDPS(part, long, long)
	VMAXPS(long, most, most)
	for a := range d {
		VANDPS(part, d[a], d[a])
		VMOVUPS(d[a], Mem{Base: k.by, Disp: wayBytes * a})
	}
}

// lengthen writes the kernel that makes ways of velocities, eight at a time.
func (k *carrier) lengthen(name string) {
	TEXT(name, NOSPLIT, "func(by *float32, eights int, factor, limit float32, most *float32)")
	k.by = avx.Argument("by")
	left := Load(Param("eights"), GP64())
	factor, limit, most := k.register(), k.register(), k.register()
	VMOVUPS(k.argument("factor"), factor)
	VMOVUPS(k.argument("limit"), limit)
	VXORPS(most, most, most)
	Label("eight")
	var d [3]VecVirtual
	for a := range d {
		d[a] = k.way(a)
		VMULPS(factor, d[a], d[a])
	}
	k.set(d, limit, most)
	ADDQ(Imm(32), k.by)
	DECQ(left)
	JNZ(LabelRef("eight"))
	last := Load(Param("most"), GP64())
	VMOVUPS(most, Mem{Base: last})
	avx.Epilogue()
}

// faces are the velocity's components on the faces of a row of cells, and around it.
type faces struct {
	k     *carrier
	first [3]GPVirtual // of the faces on the cells' lower sides, by axis
	step  [3][3]int    // by component and axis
}

func (k *carrier) faces() *faces {
	e, n := k.e, k.n+1
	f := &faces{k: k, step: [3][3]int{{1, n, n * e}, {1, e, n * e}, {1, e, e * e}}}
	for a, axis := range []string{"x", "y", "z"} {
		f.first[a] = Load(Param(axis), GP64()).(GPVirtual)
		ahead := 0
		for b, step := range f.step[a] {
			if b != a {
				ahead += step // there is no halo along the axis itself
			}
		}
		ADDQ(U32(4*ahead), f.first[a])
	}
	return f
}

// next goes on to the next row or, at the end of a plane, to the next plane.
func (f *faces) next(axis int) {
	for a, first := range f.first {
		ahead := f.step[a][axis]
		if axis == 2 {
			ahead -= f.k.n * f.step[a][1]
		}
		ADDQ(U32(4*ahead), first)
	}
}

// at is a component on the cells' lower sides, so many places away.
func (f *faces) at(a, places int) Mem { return Mem{Base: f.first[a], Disp: 4 * places} }

// sum is that of a component on the two sides of cells so many places away.
func (f *faces) sum(a, places int) VecVirtual {
	v := f.k.register()
	VMOVUPS(f.at(a, places), v)
	VADDPS(f.at(a, places+f.step[a][a]), v, v)
	return v
}

// change is by how much a component changes along the ways.
func (f *faces) change(a int, quarter Mem) VecVirtual {
	along, aside := f.k.register(), VecVirtual(nil)
	VMOVUPS(f.at(a, f.step[a][a]), along)
	VSUBPS(f.at(a, 0), along, along)
	VMULPS(f.k.way(a), along, along)
	for b, step := range f.step[a] {
		if b == a {
			continue
		}
		high := f.sum(a, step)
		VSUBPS(f.sum(a, -step), high, high)
		VMULPS(f.k.way(b), high, high)
		if aside == nil {
			aside = high
		} else {
			VADDPS(high, aside, aside)
		}
	}
	VMULPS(quarter, aside, aside)
	VADDPS(aside, along, along)
	return along
}

// least writes the kernel that finds the least magnitudes, eight at a time.
func least(magnitude Mem) {
	TEXT("least8", NOSPLIT, "func(v *float32, eights int, low *float32)")
	v, left, to := avx.Argument("v"), Load(Param("eights"), GP64()), Load(Param("low"), GP64())
	mask, low, next := YMM(), YMM(), YMM()
	VMOVUPS(magnitude, mask)
	VMOVUPS(Mem{Base: to}, low)
	Label("eight")
	VANDPS(Mem{Base: v}, mask, next)
	VMINPS(low, next, low)
	ADDQ(Imm(32), v)
	DECQ(left)
	JNZ(LabelRef("eight"))
	VMOVUPS(low, Mem{Base: to})
	avx.Epilogue()
}
