package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Mesh are the kernels of the surface mesh.
var Mesh = avx.File{
	Write: mesh,
	Layout: []avx.Layout{
		avx.Offset("meshLanding.place", 4*batch*place),
		avx.Size("meshLanding{}.place[0]", 4*batch),
		avx.Offset("meshLanding.normal", 4*batch*normal),
		avx.Size("meshLanding{}.normal[0]", 4*batch),
		avx.Offset("meshLanding.cube", 4*batch*cube),
		{Expression: "unsafe.Offsetof(meshLanding{}.cube) + unsafe.Sizeof(meshLanding{}.cube)", Value: scratch},
		avx.Offset("meshLanding.tile", tile),
		avx.Offset("meshLanding.edge", edge),
		avx.Offset("meshLanding.perMetre", perMetre),
	},
}

// mesh writes the kernels of the surface mesh.
func mesh() {
	one, half, quarter, eighth = avx.Floats("one", 1), avx.Floats("half", .5), avx.Floats("quarter", .25), avx.Floats("eighth", .125)
	tenth, million = avx.Floats("tenth", .1), avx.Floats("million", 1e6)
	land()
	means()
	leastOf()
}

var one, half, quarter, eighth, tenth, million Mem

// batch is meshBatch: the arrays of meshLanding are so many numbers each.
const batch = 128

// The arrays of meshLanding, and where its other fields lie, bytes.
const (
	place = iota // 3, of which each axis has its own
	_
	_
	normal // 3
	_
	_
	cube

	scratch  = 4 * batch * (cube + 1)
	tile     = scratch + 21*32
	edge     = tile + 24
	perMetre = edge + 4
)

// kernel is what the parts of the kernel share.
type kernel struct {
	p, group GPVirtual
	rows     [3]GPVirtual
}

// array is the next eight numbers of an array.
func (k *kernel) array(i int) Mem {
	return Mem{Base: k.p, Index: k.group, Scale: 4, Disp: 4 * batch * i}
}

// slot is one of the vectors put aside: value, gradient along x and B-spline of three rows, then value, the gradient
// along x and y, and B-spline of three planes.
func (k *kernel) slot(i int) Mem { return Mem{Base: k.p, Disp: scratch + 32*i} }

func broadcast(m Mem) VecVirtual {
	v := YMM()
	VBROADCASTSS(m, v)
	return v
}

// row reads three numbers that lie together for each lane. Four are loaded at once, for two lanes in turn, and transposed, which takes
// less time than gathering; where the three are the last of the tile, the four begin before them.
func (k *kernel) row(first GPVirtual, last bool) taps {
	var four [4]VecVirtual
	before := 0
	if last {
		before = 4
	}
	for i := range four {
		place, low := GP64(), XMM()
		MOVL(k.array(cube).Offset(4*i), place.As32())
		VMOVUPS(Mem{Base: first, Index: place, Scale: 4, Disp: -before}, low)
		MOVL(k.array(cube).Offset(4*(i+4)), place.As32())
		four[i] = YMM()
		VINSERTF128(Imm(1), Mem{Base: first, Index: place, Scale: 4, Disp: -before}, low.AsY(), four[i])
	}
	low, high := [2]VecVirtual{YMM(), YMM()}, [2]VecVirtual{YMM(), YMM()} // of each four, in two lanes
	for i := range 2 {
		VUNPCKLPS(four[2*i+1], four[2*i], low[i])
		VUNPCKHPS(four[2*i+1], four[2*i], high[i])
	}
	a, b, c := YMM(), YMM(), YMM()
	if last {
		VUNPCKHPD(low[1], low[0], a)
		VUNPCKLPD(high[1], high[0], b)
		VUNPCKHPD(high[1], high[0], c)
	} else {
		VUNPCKLPD(low[1], low[0], a)
		VUNPCKHPD(low[1], low[0], b)
		VUNPCKLPD(high[1], high[0], c)
	}
	return of(a, b, c)
}

// taps are what is made of three values in a row, a, b and c.
type taps struct{ b, first, second VecVirtual }

// of takes the differences of three values; it spoils a and c.
func of(a, b, c VecVirtual) taps {
	sum, twice := YMM(), YMM()
	VADDPS(a, c, sum)
	VSUBPS(a, c, c)
	VMULPS(half, c, c)
	VADDPS(b, b, twice)
	VSUBPS(twice, sum, sum)
	return taps{b, c, sum}
}

// value is Lagrange's polynomial at s; q is half the square of s.
func (t taps) value(s, q VecVirtual) VecVirtual {
	v, w := YMM(), YMM()
	VMULPS(t.first, s, v)
	VADDPS(v, t.b, v)
	VMULPS(t.second, q, w)
	VADDPS(w, v, v)
	return v
}

// smooth is the B-spline, from value.
func (t taps) smooth(value VecVirtual) VecVirtual {
	v := YMM()
	VMULPS(eighth, t.second, v)
	VADDPS(v, value, v)
	return v
}

// slope is the B-spline's.
func (t taps) slope(s VecVirtual) VecVirtual {
	v := YMM()
	VMULPS(t.second, s, v)
	VADDPS(v, t.first, v)
	return v
}

// offset is how far the place is from its cell's middle along an axis, and half the square of that.
func (k *kernel) offset(axis int) (s, q VecVirtual) {
	s, q = avx.LoadYMM(k.array(place+axis)), YMM()
	VSUBPS(half, s, s)
	VMULPS(s, s, q)
	VMULPS(half, q, q)
	return s, q
}

// three reads three of the vectors put aside, so many apart.
func (k *kernel) three(first, apart int) taps {
	return of(avx.LoadYMM(k.slot(first)), avx.LoadYMM(k.slot(first+apart)), avx.LoadYMM(k.slot(first+2*apart)))
}

// plane puts aside what a plane of nine values has between them.
func (k *kernel) plane(z int) {
	s, q := k.offset(0)
	for y, row := range k.rows {
		t := k.row(row, y == 2 && z == 2)
		v := t.value(s, q)
		VMOVUPS(v, k.slot(3*y))
		VMOVUPS(t.slope(s), k.slot(3*y+1))
		VMOVUPS(t.smooth(v), k.slot(3*y+2))
	}
	s, q = k.offset(1)
	to := 9 + 4*z
	VMOVUPS(k.three(0, 3).value(s, q), k.slot(to))
	t := k.three(1, 3)
	VMOVUPS(t.smooth(t.value(s, q)), k.slot(to+1))
	t = k.three(2, 3)
	VMOVUPS(t.slope(s), k.slot(to+2))
	VMOVUPS(t.smooth(t.value(s, q)), k.slot(to+3))
}

// stencil is φ at the places and its gradient per cell.
func (k *kernel) stencil() (value VecVirtual, grad [3]VecVirtual) {
	s, q := k.offset(2)
	value = k.three(9, 4).value(s, q)
	for a := range 2 {
		t := k.three(10+a, 4)
		grad[a] = t.smooth(t.value(s, q))
	}
	grad[2] = k.three(12, 4).slope(s)
	return value, grad
}

// means is the kernel that takes the means of two rows of numbers, eight at once.
func means() {
	TEXT("meansAVX2", NOSPLIT, "func(dst, a, b *float32, n int)")
	dst, a, b, n := GP64(), GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("a"), a)
	Load(Param("b"), b)
	Load(Param("n"), n)
	i, by := GP64(), avx.LoadYMM(half)
	XORQ(i, i)
	Label("next")
	v := avx.LoadYMM(Mem{Base: a, Index: i, Scale: 4})
	VADDPS(Mem{Base: b, Index: i, Scale: 4}, v, v)
	VMULPS(by, v, v)
	VMOVUPS(v, Mem{Base: dst, Index: i, Scale: 4})
	ADDQ(Imm(8), i)
	CMPQ(i, n)
	JLT(LabelRef("next"))
	avx.Epilogue()
}

// leastOf is the kernel that finds the least of at least eight numbers times a sign. The last eight may be looked at twice.
func leastOf() {
	TEXT("leastAVX2", NOSPLIT, "func(t *float32, n int, sign float32) float32")
	t, n, last := GP64(), GP64(), GP64()
	Load(Param("t"), t)
	Load(Param("n"), n)
	sign := YMM()
	one := XMM()
	Load(Param("sign"), one)
	VBROADCASTSS(one, sign)
	LEAQ(Mem{Base: t, Index: n, Scale: 4, Disp: -32}, last)
	least, v := YMM(), YMM()
	VMULPS(Mem{Base: last}, sign, least)
	JMP(LabelRef("test"))
	Label("eight")
	VMULPS(Mem{Base: t}, sign, v)
	VMINPS(least, v, least)
	ADDQ(Imm(32), t)
	Label("test")
	CMPQ(t, last)
	JLT(LabelRef("eight"))
	half := XMM()
	VEXTRACTF128(Imm(1), least, half)
	VMINPS(half, least.AsX(), half)
	for _, order := range []uint64{2 | 3<<2, 1} {
		other := XMM()
		VPERMILPS(Imm(order), half, other)
		VMINPS(other, half, half)
	}
	VZEROUPPER()
	Store(half, ReturnIndex(0))
	RET()
}

// land is the kernel that moves places onto the surface.
func land() {
	TEXT("landAVX2", NOSPLIT, "func(p *float32, n int)")
	k := &kernel{p: GP64(), group: GP64()}
	n := GP64()
	Load(Param("p"), k.p)
	Load(Param("n"), n)
	base, row, across := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: k.p, Disp: tile}, base)
	MOVLQSX(Mem{Base: k.p, Disp: edge}, row)
	MOVQ(row, across)
	IMULQ(row, across)
	SHLQ(Imm(2), row)
	SHLQ(Imm(2), across)
	XORQ(k.group, k.group)
	JMP(LabelRef("test"))
	Label("eight")
	for y := range k.rows {
		k.rows[y] = GP64()
		if y == 0 {
			MOVQ(base, k.rows[0])
		} else {
			LEAQ(Mem{Base: k.rows[y-1], Index: row, Scale: 1}, k.rows[y])
		}
	}
	for z := range 3 {
		if z > 0 {
			for _, r := range k.rows {
				ADDQ(across, r)
			}
		}
		k.plane(z)
	}
	k.move()
	ADDQ(Imm(8), k.group)
	Label("test")
	CMPQ(k.group, n)
	JLT(LabelRef("eight"))
	avx.Epilogue()
}

// move moves the places onto the surface and writes the normals.
func (k *kernel) move() {
	value, grad := k.stencil()
	scale := broadcast(Mem{Base: k.p, Disp: perMetre})
	square, t := YMM(), YMM()
	for a, g := range grad {
		VMULPS(scale, g, g)
		if a == 0 {
			VMULPS(g, g, square)
		} else {
			VMULPS(g, g, t)
			VADDPS(t, square, square)
		}
	}
	inv := YMM()
	VSQRTPS(square, t)
	VMOVUPS(one, inv)
	VDIVPS(t, inv, inv)

	limit, step, zero := YMM(), YMM(), YMM()
	VXORPS(zero, zero, zero)
	VMULPS(quarter, inv, limit)
	VSUBPS(value, zero, step)
	VMULPS(inv, step, step)
	VMULPS(inv, step, step)
	VMULPS(scale, step, step)
	VMINPS(limit, step, step)
	VSUBPS(limit, zero, limit)
	VMAXPS(limit, step, step)
	steep := YMM()
	VCMPPS(Imm(13), tenth, square, steep) // square ≥ a tenth
	VANDPS(steep, step, step)

	known := YMM()
	VCMPPS(Imm(1), million, inv, known) // inv < a million
	for a, g := range grad {
		x, v := avx.LoadYMM(k.array(place+a)), YMM()
		VMULPS(g, step, v)
		VADDPS(v, x, x)
		VMAXPS(zero, x, x)
		VMINPS(one, x, x)
		VMOVUPS(x, k.array(place+a))
		VMULPS(inv, g, v)
		if VANDPS(known, v, v); a == 1 { // along y if unknown
			VANDNPS(one, known, t)
			VORPS(t, v, v)
		}
		VMOVUPS(v, k.array(normal+a))
	}
}
