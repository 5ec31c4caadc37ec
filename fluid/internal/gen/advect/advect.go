// Package advect builds the kernels of package advect of fluid.
package advect

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Where a tile has its fields, bytes.
const (
	room  = 10*10*10 + 8
	one   = 4 * room
	mean  = 2 * one
	edge  = mean + 64*8*4
	all   = edge + 8
	known = all + 8
	rim   = known + 8*8
)

// Kernels are loadRows, spread and trace.
var Kernels = avx.File{
	Write: func() {
		lanes := avx.Words("lanes", 1, 2, 4, 8, 16, 32, 64, 128)
		loadRows()
		spread(lanes)
		trace()
	},
	Import: []string{"github.com/meniscus3d/meniscus/fluid/internal/layout"},
	Layout: []avx.Layout{
		avx.Offset("tile.u", 0),
		avx.Offset("tile.one", one),
		avx.Offset("tile.mean", mean),
		avx.Size("tile{}.mean[0]", 32),
		avx.Offset("tile.n", edge),
		avx.Offset("tile.all", all),
		avx.Offset("tile.known", known),
		avx.Size("tile{}.known", 64),
		avx.Offset("tile.rim", rim),
		avx.Size("sides[0].low", 8),
		{Expression: "unsafe.Offsetof(sides[0].low)", Value: 8 * lowSide},
		{Expression: "unsafe.Offsetof(sides[0].high)", Value: 8 * highSide},
		{Expression: "unsafe.Offsetof(sides[0].all)", Value: 8 * inside},
		{Expression: "unsafe.Offsetof(sides[0].fifth)", Value: 8 * (inside + 1)},
		avx.Size("rowPlaces[0]", 4*64),
		{Expression: "unsafe.Offsetof(layout.Places{}.Y) - unsafe.Offsetof(layout.Places{}.X)", Value: 4 * places},
		{Expression: "unsafe.Offsetof(layout.Places{}.Z) - unsafe.Offsetof(layout.Places{}.X)", Value: 2 * 4 * places},
		avx.Size("part{}.starts[0]", 1<<quad),
		avx.Size("Transport{}.displacement[0]", 1<<quad),
	},
}

// loadRows takes rows of eight faces, or of four.
func loadRows() {
	TEXT("loadRowsAVX2", NOSPLIT, "func(t, faces *float32, state *uint8, to, toStep, fromStep int) (known uint64)")
	t, faces, state, to := avx.Argument("t"), avx.Argument("faces"), avx.Argument("state"), avx.Argument("to")
	toStep, fromStep, bits, masks, n := avx.Argument("toStep"), avx.Argument("fromStep"), GP64(), GP64(), GP64()
	every, ones, zero := YMM(), YMM(), YMM()
	VPBROADCASTD(Mem{Base: t, Disp: all}, every)
	VPCMPEQD(ones, ones, ones)
	VPSLLD(Imm(25), ones, ones)
	VPSRLD(Imm(2), ones, ones) // the bits of 1
	VPXOR(zero, zero, zero)
	LEAQ(Mem{Base: t, Index: to, Scale: 4}, to)
	XORQ(masks, masks)
	MOVQ(Mem{Base: t, Disp: edge}, n)
	CMPQ(n, Imm(4))
	JEQ(LabelRef("four"))
	row := func(label string, cells uint64, every, ones, zero Op, vector func() VecVirtual) {
		Label(label)
		unknown, u, known := vector(), vector(), vector()
		VPMOVZXBD(Mem{Base: state}, unknown)
		VPCMPEQD(zero, unknown, unknown)
		VPANDN(unknown, every, unknown) // not all are known
		VPANDN(Mem{Base: faces}, unknown, u)
		VMOVUPS(u, Mem{Base: to})
		VPANDN(ones, unknown, known)
		VMOVUPS(known, Mem{Base: to, Disp: one})
		VMOVMSKPS(unknown, bits.As32())
		XORL(Imm(1<<cells-1), bits.As32())
		SHRQ(Imm(8), masks)
		SHLQ(Imm(56), bits)
		ORQ(bits, masks)
		ADDQ(fromStep, state)
		LEAQ(Mem{Base: faces, Index: fromStep, Scale: 4}, faces)
		LEAQ(Mem{Base: to, Index: toStep, Scale: 4}, to)
		DECQ(n)
		JNZ(LabelRef(label))
	}
	row("eight", 8, every, ones, zero, YMM)
	Store(masks, ReturnIndex(0))
	avx.Epilogue()
	row("four", 4, every.AsX(), ones.AsX(), zero.AsX(), XMM)
	SHRQ(Imm(32), masks)
	Store(masks, ReturnIndex(0))
	avx.Epilogue()
}

// spread takes a row of eight places at a time; of blocks with rows of four the rest is rubbish, which is not written. It sets rows by
// loads and stores of all of them, since on some processors a masked store takes as long as ten of those, and likewise in the end all
// faces, of which those that were known keep their values.
func spread(lanes Mem) {
	TEXT("spreadAVX2", NOSPLIT, "func(t, faces *float32, sides *uint64, places *int32)")
	t, places, line, plane, means := avx.Argument("t"), avx.Argument("places"), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: t, Disp: edge}, line)
	ADDQ(Imm(2), line)
	MOVQ(line, plane)
	IMULQ(line, plane)
	SHLQ(Imm(2), line)
	SHLQ(Imm(2), plane)
	LEAQ(Mem{Base: t, Disp: mean}, means)
	bit, ones := YMM(), YMM()
	VMOVDQU(lanes, bit)
	VPCMPEQD(ones, ones, ones)
	VPSLLD(Imm(25), ones, ones)
	VPSRLD(Imm(2), ones, ones) // the bits of 1
	masks := AllocLocal(64)
	set, rest := GP64(), GP64()
	eachRow := func(label string, body func(i, k GPVirtual)) {
		MOVQ(set, rest)
		Label(label)
		i, k, less := GP64(), GP64(), GP64()
		BSFQ(rest, i)
		MOVLQSX(Mem{Base: places, Index: i, Scale: 4}, k)
		LEAQ(Mem{Base: t, Index: k, Scale: 4}, k)
		body(i, k)
		LEAQ(Mem{Base: rest, Disp: -1}, less)
		ANDQ(less, rest)
		JNZ(LabelRef(label))
	}

	Label("layer")
	nextLayer(t, masks, set)
	TESTQ(set, set)
	JZ(LabelRef("store"))
	eachRow("means", func(i, k GPVirtual) {
		var sums [2]VecVirtual
		for s := range sums {
			sums[s] = YMM()
			VMOVUPS(Mem{Base: k, Disp: s*one - 4}, sums[s])
			VADDPS(Mem{Base: k, Disp: s*one + 4}, sums[s], sums[s])
		}
		low := GP64()
		for _, step := range [2]GPVirtual{line, plane} {
			MOVQ(k, low)
			SUBQ(step, low)
			for s, sum := range sums {
				VADDPS(Mem{Base: low, Disp: s * one}, sum, sum)
				VADDPS(Mem{Base: k, Index: step, Scale: 1, Disp: s * one}, sum, sum)
			}
		}
		VDIVPS(sums[1], sums[0], sums[0])
		at := GP64()
		MOVQ(i, at)
		SHLQ(Imm(5), at)
		VMOVUPS(sums[0], Mem{Base: means, Index: at, Scale: 1})
	})
	eachRow("set", func(i, k GPVirtual) {
		in, u := YMM(), YMM()
		address := GP64()
		LEAQ(masks, address)
		VPBROADCASTB(Mem{Base: address, Index: i, Scale: 1}, in)
		VPAND(bit, in, in)
		VPCMPEQD(bit, in, in)
		SHLQ(Imm(5), i)
		VMOVUPS(Mem{Base: k}, u)
		VBLENDVPS(in, Mem{Base: means, Index: i, Scale: 1}, u, u)
		VMOVUPS(u, Mem{Base: k})
		VMOVUPS(Mem{Base: k, Disp: one}, u)
		VBLENDVPS(in, ones, u, u)
		VMOVUPS(u, Mem{Base: k, Disp: one})
	})
	JMP(LabelRef("layer"))

	Label("store")
	faces, rows, row := avx.Argument("faces"), GP64(), YMM()
	storeRow := func(v VecVirtual, bytes int) {
		k := GP64()
		MOVLQSX(Mem{Base: places}, k)
		VMOVUPS(Mem{Base: t, Index: k, Scale: 4}, v)
		VMOVUPS(v, Mem{Base: faces})
		ADDQ(Imm(4), places)
		ADDQ(Imm(uint64(bytes)), faces)
	}
	CMPQ(Mem{Base: t, Disp: edge}, Imm(4))
	JEQ(LabelRef("fours"))
	MOVQ(U64(64), rows)
	Label("eight")
	storeRow(row, 32)
	DECQ(rows)
	JNZ(LabelRef("eight"))
	avx.Epilogue()
	Label("fours")
	MOVQ(U64(4), rows)
	Label("four")
	for range 4 {
		storeRow(row.AsX().(VecVirtual), 16)
	}
	ADDQ(Imm(4*4), places)
	DECQ(rows)
	JNZ(LabelRef("four"))
	avx.Epilogue()
}

// Where sides has its masks, words: of the lowest and the highest places of a plane, and of those inside for the planes' two halves.
const (
	lowSide  = 0
	highSide = 1
	inside   = 2
)

// nextLayer is that of plain Go: it leaves a byte for each row in masks, and a bit for each in set that has places in the layer.
func nextLayer(t GPVirtual, masks Mem, set GPVirtual) {
	sides := avx.Argument("sides")
	var k [2]VecVirtual
	for h := range k {
		k[h] = YMM()
		VMOVDQU(Mem{Base: t, Disp: known + 32*h}, k[h])
	}
	side := func(i int) VecVirtual {
		v := YMM()
		VPBROADCASTQ(Mem{Base: sides, Disp: 8 * i}, v)
		return v
	}
	low, high, in, zero := side(lowSide), side(highSide), [2]VecVirtual{side(inside), side(inside + 1)}, YMM()
	VPXOR(zero, zero, zero)
	var empty [2]GPVirtual
	for h := range k {
		f, v := YMM(), YMM()
		join := func() { VPOR(v, f, f) }
		VPSLLQ(Imm(1), k[h], f)
		VPANDN(f, low, f)
		VPSRLQ(Imm(1), k[h], v)
		VPANDN(v, high, v)
		join()
		VPSLLQ(Imm(8), k[h], v)
		join()
		VPSRLQ(Imm(8), k[h], v)
		join()
		VPOR(Mem{Base: t, Disp: rim + 32*h}, f, f)
		// The planes below and above.
		ends := [2]VecVirtual{zero, zero}
		ends[1-h] = YMM()
		VPERMQ(Imm([2]uint64{0x00, 0xff}[h]), k[1-h], ends[1-h])
		VPERMQ(Imm(0x90), k[h], v)
		VPBLENDD(Imm(0x03), ends[0], v, v)
		join()
		VPERMQ(Imm(0xf9), k[h], v)
		VPBLENDD(Imm(0xc0), ends[1], v, v)
		join()
		VPAND(in[h], f, f)
		VPANDN(f, k[h], f)
		VMOVDQU(f, masks.Offset(32*h))
		VPOR(f, k[h], v)
		VMOVDQU(v, Mem{Base: t, Disp: known + 32*h})
		VPCMPEQB(zero, f, f)
		empty[h] = GP64()
		VPMOVMSKB(f, empty[h].As32())
	}
	SHLQ(Imm(32), empty[1])
	MOVQ(empty[0], set)
	ORQ(empty[1], set)
	NOTQ(set)
}

// places is how many places layout.Places has room for.
const places = 512

// quad is the shift that takes a count of starts or shifts to bytes: they are four numbers each.
const quad = 4

// trace takes eight faces at a time. Places and shifts have a fourth number that means nothing.
func trace() {
	TEXT("traceAVX2", NOSPLIT, "func(q, start, shift *float32, slot, a, b *int32, open *float64, first int32, n int, size float32, never int32, cells *int32, apart *uint8)")
	q, start, shift, slot := avx.Argument("q"), avx.Argument("start"), avx.Argument("shift"), avx.Argument("slot")
	a, b, open := avx.Argument("a"), avx.Argument("b"), avx.Argument("open")
	cells, apart := avx.Argument("cells"), avx.Argument("apart")
	size, never, first := avx.Broadcast("size"), avx.Broadcast("never"), avx.Broadcast("first")
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
		VPSLLD(Imm(quad), v, w)
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
	avx.Epilogue()
}
