// Command gen writes the AVX2 kernels of package advect. It is a module of its own, so that
// who uses Meniscus need not fetch what it is made with.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	loadRows()
	spreadRows()
	trace()
	Generate()
}

// Where a tile has its fields, bytes, and those of its rows.
const (
	room  = 10*10*10 + 8
	one   = 4 * room
	rows  = 2 * one
	mean  = rows + 64*16
	edge  = mean + 64*8*4
	count = edge + 8
	all   = count + 8

	at   = 0
	from = 4
	mask = 8
)

var lanes = GLOBL("lanes", RODATA|NOPTR)

func init() {
	for i := range 8 {
		DATA(4*i, U32(1<<i))
	}
}

// eachRow loops over a tile's rows, size bytes for each.
func eachRow(label string, t GPVirtual, body func(row, i GPVirtual)) {
	row, i, n := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: t, Disp: rows}, row)
	XORQ(i, i)
	MOVQ(Mem{Base: t, Disp: count}, n)
	JMP(LabelRef(label + "Test"))
	Label(label)
	body(row, i)
	ADDQ(Imm(16), row)
	INCQ(i)
	Label(label + "Test")
	CMPQ(i, n)
	JLT(LabelRef(label))
}

func number(row GPVirtual, field int) GPVirtual {
	k := GP64()
	MOVLQSX(Mem{Base: row, Disp: field}, k)
	return k
}

// loadRows takes rows of eight faces, or of four.
func loadRows() {
	TEXT("loadRowsAVX2", NOSPLIT, "func(t *float32, faces []float32, state []uint8)")
	t := Load(Param("t"), GP64()).(GPVirtual)
	faces, state := Load(Param("faces").Base(), GP64()).(GPVirtual), Load(Param("state").Base(), GP64()).(GPVirtual)
	every, ones, zero := YMM(), YMM(), YMM()
	VPBROADCASTD(Mem{Base: t, Disp: all}, every)
	VPCMPEQD(ones, ones, ones)
	VPSLLD(Imm(25), ones, ones)
	VPSRLD(Imm(2), ones, ones) // the bits of 1
	VPXOR(zero, zero, zero)
	n := GP64()
	MOVQ(Mem{Base: t, Disp: edge}, n)
	CMPQ(n, Imm(4))
	JEQ(LabelRef("fours"))
	eachRow("eight", t, func(row, _ GPVirtual) {
		k, f := number(row, at), number(row, from)
		unknown, u := YMM(), YMM()
		VPMOVZXBD(Mem{Base: state, Index: f, Scale: 1}, unknown)
		VPCMPEQD(zero, unknown, unknown)
		VPANDN(unknown, every, unknown) // not all are known
		VPANDN(Mem{Base: faces, Index: f, Scale: 4}, unknown, u)
		VMOVUPS(u, Mem{Base: t, Index: k, Scale: 4})
		known, bits := YMM(), GP32()
		VPANDN(ones, unknown, known)
		VMOVUPS(known, Mem{Base: t, Index: k, Scale: 4, Disp: one})
		VMOVMSKPS(unknown, bits)
		XORL(Imm(255), bits)
		MOVL(bits, Mem{Base: row, Disp: mask})
	})
	VZEROUPPER()
	RET()
	Label("fours")
	eachRow("four", t, func(row, _ GPVirtual) {
		k, f := number(row, at), number(row, from)
		unknown, u := XMM(), XMM()
		VPMOVZXBD(Mem{Base: state, Index: f, Scale: 1}, unknown)
		VPCMPEQD(zero.AsX(), unknown, unknown)
		VPANDN(unknown, every.AsX(), unknown)
		VPANDN(Mem{Base: faces, Index: f, Scale: 4}, unknown, u)
		VMOVUPS(u, Mem{Base: t, Index: k, Scale: 4})
		known, bits := XMM(), GP32()
		VPANDN(ones.AsX(), unknown, known)
		VMOVUPS(known, Mem{Base: t, Index: k, Scale: 4, Disp: one})
		VMOVMSKPS(unknown, bits)
		XORL(Imm(15), bits)
		MOVL(bits, Mem{Base: row, Disp: mask})
	})
	VZEROUPPER()
	RET()
}

// spreadRows takes rows of eight places, or of four. It sets them by loads and stores of whole rows, since on some
// processors a masked store takes as long as ten of those.
func spreadRows() {
	TEXT("spreadRowsAVX2", NOSPLIT, "func(t *float32, faces []float32)")
	t, faces := Load(Param("t"), GP64()).(GPVirtual), Load(Param("faces").Base(), GP64()).(GPVirtual)
	line, plane := GP64(), GP64()
	MOVQ(Mem{Base: t, Disp: edge}, line)
	ADDQ(Imm(2), line)
	MOVQ(line, plane)
	IMULQ(line, plane)
	NEGQ(line)
	NEGQ(plane)
	means := GP64()
	LEAQ(Mem{Base: t, Disp: mean}, means)
	eachRow("means", t, func(row, _ GPVirtual) {
		k, low := number(row, at), GP64()
		LEAQ(Mem{Base: t, Index: k, Scale: 4}, k)
		var sums [2]VecVirtual
		for i := range sums {
			sums[i] = YMM()
			VMOVUPS(Mem{Base: k, Disp: i*one - 4}, sums[i])
			VADDPS(Mem{Base: k, Disp: i*one + 4}, sums[i], sums[i])
		}
		for _, step := range [2]GPVirtual{line, plane} {
			for i, sum := range sums {
				VADDPS(Mem{Base: k, Index: step, Scale: 4, Disp: i * one}, sum, sum)
			}
			MOVQ(k, low)
			NEGQ(step)
			for i, sum := range sums {
				VADDPS(Mem{Base: low, Index: step, Scale: 4, Disp: i * one}, sum, sum)
			}
			NEGQ(step)
		}
		VDIVPS(sums[1], sums[0], sums[0])
		VMOVUPS(sums[0], Mem{Base: means})
		ADDQ(Imm(32), means)
	})
	bit, ones := YMM(), YMM()
	VMOVDQU(lanes, bit)
	VPCMPEQD(ones, ones, ones)
	VPSLLD(Imm(25), ones, ones)
	VPSRLD(Imm(2), ones, ones)
	LEAQ(Mem{Base: t, Disp: mean}, means)
	CMPQ(Mem{Base: t, Disp: edge}, Imm(4))
	JEQ(LabelRef("fours"))
	setRows("eight", t, faces, means, bit, ones, YMM)
	Label("fours")
	setRows("four", t, faces, means, bit.AsX(), ones.AsX(), XMM)
}

// setRows sets the rows' places, and the faces, to the means where the mask has a bit.
func setRows(label string, t, faces, means GPVirtual, bit, ones Op, vector func() VecVirtual) {
	eachRow(label, t, func(row, _ GPVirtual) {
		k, f := number(row, at), number(row, from)
		in, u := vector(), vector()
		VPBROADCASTD(Mem{Base: row, Disp: mask}, in)
		VPAND(bit, in, in)
		VPCMPEQD(bit, in, in)
		VMOVUPS(Mem{Base: means}, u)
		ADDQ(Imm(32), means)
		set := func(v Op, to Mem) {
			w := vector()
			VMOVUPS(to, w)
			VBLENDVPS(in, v, w, w)
			VMOVUPS(w, to)
		}
		set(u, Mem{Base: t, Index: k, Scale: 4})
		set(ones, Mem{Base: t, Index: k, Scale: 4, Disp: one})
		set(u, Mem{Base: faces, Index: f, Scale: 4})
	})
	VZEROUPPER()
	RET()
}

// places is how many places grid.Places has room for.
const places = 512

// trace takes eight faces at a time. Places and shifts have a fourth number that means nothing.
func trace() {
	TEXT("traceAVX2", NOSPLIT, "func(q, start, shift *float32, slot, a, b *int32, open *float64, first int32, n int, size float32, never int32, cells *int32, apart *uint8)")
	argument := func(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }
	q, start, shift, slot := argument("q"), argument("start"), argument("shift"), argument("slot")
	a, b, open := argument("a"), argument("b"), argument("open")
	cells, apart := argument("cells"), argument("apart")
	fill := func(name string) VecVirtual {
		v := YMM()
		address, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		VBROADCASTSS(address.Addr, v)
		return v
	}
	size, never, first := fill("size"), fill("never"), fill("first")
	half, one, zero := YMM(), YMM(), YMM()
	VPCMPEQD(half, half, half)
	VPSLLD(Imm(26), half, half)
	VPSRLD(Imm(2), half, half) // the bits of 1/2
	VPCMPEQQ(one, one, one)
	VPSLLQ(Imm(54), one, one)
	VPSRLQ(Imm(2), one, one) // the bits of 1, in double precision
	VPXOR(zero, zero, zero)
	offsets := AllocLocal(3 * 32)
	i := GP64()
	XORQ(i, i)
	Label("trace")

	c, sides, none := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: slot, Index: i, Scale: 4}, c)
	VPSUBD(first, c, c)
	store := func(v VecVirtual, k int) {
		w := YMM()
		VPSLLD(Imm(4), v, w) // four numbers each
		VMOVDQU(w, offsets.Offset(32*k))
	}
	store(c, 0)
	for k, side := range [2]GPVirtual{a, b} {
		r := YMM()
		VMOVDQU(Mem{Base: side, Index: i, Scale: 4}, r)
		if k == 0 {
			VMOVDQA(r, sides)
		} else {
			VPOR(r, sides, sides)
		}
		VPMAXSD(zero, r, r)
		store(r, k+1)
	}
	bits := GP32()
	VMOVMSKPS(sides, bits)
	MOVB(bits.As8(), Mem{Base: apart})
	INCQ(apart)
	var partly [2]VecVirtual
	for k := range partly {
		partly[k] = YMM()
		VCMPPD(Imm(4), Mem{Base: open, Index: i, Scale: 8, Disp: 32 * k}, one, partly[k])
	}
	VSHUFPS(Imm(0x88), partly[1], partly[0], none)
	VPERMQ(Imm(0xd8), none, none)
	VPSRAD(Imm(31), sides, sides)
	VPOR(sides, none, none)
	VPOR(never, none, none)
	VPOR(c, none, none)
	VMOVDQU(none, Mem{Base: cells, Index: i, Scale: 4})

	// Two faces in each register, the fifth with the first and so on.
	two := func(from GPVirtual, k, f int) VecVirtual {
		v, at := YMM(), GP64()
		MOVL(offsets.Offset(32*k+4*f), at.As32())
		VBROADCASTF128(Mem{Base: from, Index: at, Scale: 1}, v)
		MOVL(offsets.Offset(32*k+4*f+16), at.As32())
		VINSERTF128(Imm(1), Mem{Base: from, Index: at, Scale: 1}, v, v)
		return v
	}
	var x [4]VecVirtual
	for f := range x {
		x[f] = two(shift, 1, f)
		VADDPS(two(shift, 2, f), x[f], x[f])
		VMULPS(half, x[f], x[f])
		VMULPS(size, x[f], x[f])
		at := two(start, 0, f)
		VSUBPS(x[f], at, x[f])
	}
	low, high := [2]VecVirtual{YMM(), YMM()}, [2]VecVirtual{YMM(), YMM()}
	for k := range 2 {
		VUNPCKLPS(x[2*k+1], x[2*k], low[k])
		VUNPCKHPS(x[2*k+1], x[2*k], high[k])
	}
	v := YMM()
	for k, from := range [3][2]VecVirtual{low, low, high} {
		VSHUFPS(Imm([3]uint64{0x44, 0xee, 0x44}[k]), from[1], from[0], v)
		VMOVUPS(v, Mem{Base: q, Index: i, Scale: 4, Disp: 4 * places * k})
	}
	ADDQ(Imm(8), i)
	n := GP64()
	Load(Param("n"), n)
	CMPQ(i, n)
	JLT(LabelRef("trace"))
	VZEROUPPER()
	RET()
}
