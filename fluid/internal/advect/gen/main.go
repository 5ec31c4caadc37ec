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
