// Package amg builds the kernels of package amg.
package amg

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Kernels are those of the smoother, of the products and of the conjugate gradients.
var Kernels = avx.File{
	Write: func() {
		sweep()
		multiply()
		accumulate()
		product()
		update()
		prolong()
	},
	Layout: []avx.Layout{
		avx.Size("entry{}", entryBytes),
		avx.Offset("entry.col", 0),
		avx.Offset("entry.val", vector),
		avx.Size("sums{}[0]", 2*vector),
	},
}

const (
	vector     = 32 // bytes of eight numbers in single precision
	entryBytes = 64 // eight columns, then eight values
)

// vec is where the running slice's eight numbers of a vector are: row counts bytes.
func vec(v, row Register) Mem { return Mem{Base: v, Index: row, Scale: 1} }

// pick loads the numbers of x at eight columns one by one, which takes half as long as a gather instruction does.
func pick(x GPVirtual, cols Mem) VecVirtual {
	var half [2]VecVirtual
	for h := range half {
		half[h] = XMM()
		for k := range 2 {
			low, high := GP64(), GP64()
			MOVQ(cols.Offset(4*(4*h+2*k)), high)
			MOVL(high.As32(), low.As32())
			SHRQ(Imm(32), high)
			for i, col := range [2]GPVirtual{low, high} {
				from, to := Mem{Base: x, Index: col, Scale: 4}, 2*k+i
				if to == 0 {
					VMOVSS(from, half[h])
				} else {
					VINSERTPS(Imm(uint64(to<<4)), from, half[h], half[h])
				}
			}
		}
	}
	v := YMM()
	VINSERTF128(Imm(1), half[1], half[0].AsY(), v)
	return v
}

// slices is the loop over the slices of a matrix. Its body gets row, the bytes from a vector's begin
// to the slice's numbers, and add, which adds the slice's entries times x to a register.
func slices(body func(row GPVirtual, add func(to VecVirtual))) {
	x, first, entries := avx.Base("x"), avx.Base("first"), avx.Base("entry")
	count := avx.Len("first")
	row, at, end := GP64(), GP64(), GP64()
	place := func(m Mem, to GPVirtual) {
		MOVLQSX(m, to)
		SHLQ(Imm(6), to)
		ADDQ(entries, to)
	}
	XORQ(row, row)
	place(Mem{Base: first}, at)
	DECQ(count)
	JMP(LabelRef("test"))
	Label("slice")
	ADDQ(Imm(4), first)
	place(Mem{Base: first}, end)
	body(row, func(to VecVirtual) {
		JMP(LabelRef("more"))
		Label("entry")
		v := pick(x, Mem{Base: at})
		VMULPS(Mem{Base: at, Disp: vector}, v, v)
		VADDPS(v, to, to)
		ADDQ(Imm(entryBytes), at)
		Label("more")
		CMPQ(at, end)
		JLT(LabelRef("entry"))
	})
	ADDQ(Imm(vector), row)
	DECQ(count)
	Label("test")
	CMPQ(count, Imm(0))
	JGT(LabelRef("slice"))
}

func sweep() {
	TEXT("sweepAVX2", NOSPLIT, "func(out, own, before, b, x []float32, first []int32, entry []float32, alpha, beta, gamma float32)")
	out, own, before, b := avx.Base("out"), avx.Base("own"), avx.Base("before"), avx.Base("b")
	alpha, beta, gamma := avx.Broadcast("alpha"), avx.Broadcast("beta"), avx.Broadcast("gamma")
	slices(func(row GPVirtual, add func(VecVirtual)) {
		mine := avx.LoadYMM(vec(own, row))
		sum := YMM()
		VMOVAPS(mine, sum)
		add(sum)
		left, last := avx.LoadYMM(vec(b, row)), avx.LoadYMM(vec(before, row))
		VSUBPS(sum, left, left)
		VMULPS(gamma, left, left)
		VMULPS(alpha, mine, mine)
		VMULPS(beta, last, last)
		VADDPS(last, mine, mine)
		VADDPS(left, mine, mine)
		VMOVUPS(mine, vec(out, row))
	})
	avx.Epilogue()
}

func multiply() {
	TEXT("multiplyAVX2", NOSPLIT, "func(out, x []float32, first []int32, entry []float32)")
	out := avx.Base("out")
	slices(func(row GPVirtual, add func(VecVirtual)) {
		sum := YMM()
		VXORPS(sum, sum, sum)
		add(sum)
		VMOVUPS(sum, vec(out, row))
	})
	avx.Epilogue()
}

func accumulate() {
	TEXT("accumulateAVX2", NOSPLIT, "func(out, b, x []float32, first []int32, entry []float32)")
	out, b := avx.Base("out"), avx.Base("b")
	slices(func(row GPVirtual, add func(VecVirtual)) {
		sum := avx.LoadYMM(vec(b, row))
		add(sum)
		VMOVUPS(sum, vec(out, row))
	})
	avx.Epilogue()
}

// total is a sum of eight numbers in double precision: those of the low and of the high lanes.
type total [2]VecVirtual

func zero() (t total) {
	for i := range t {
		t[i] = YMM()
		VXORPD(t[i], t[i], t[i])
	}
	return t
}

// add adds the eight numbers of v, which is lost.
func (t total) add(v VecVirtual) {
	part := YMM()
	VCVTPS2PD(v.AsX(), part)
	VADDPD(part, t[0], t[0])
	VEXTRACTF128(Imm(1), v, v.AsX())
	VCVTPS2PD(v.AsX(), part)
	VADDPD(part, t[1], t[1])
}

// store writes the total as number k of sums.
func (t total) store(sums GPVirtual, k int) {
	for i, part := range t {
		VMOVUPD(part, Mem{Base: sums, Disp: 2*vector*k + vector*i})
	}
}

func product() {
	TEXT("productAVX2", NOSPLIT, "func(w, own, r, diag, x []float32, first []int32, entry []float32, total *float64)")
	w, own, r, diag := avx.Base("w"), avx.Base("own"), avx.Base("r"), avx.Base("diag")
	rz, zaz := zero(), zero()
	slices(func(row GPVirtual, add func(VecVirtual)) {
		sum := YMM()
		VXORPS(sum, sum, sum)
		add(sum)
		mine := avx.LoadYMM(vec(own, row))
		VSUBPS(sum, mine, sum)
		VMOVUPS(sum, vec(w, row))
		VMULPS(vec(diag, row), mine, mine)
		VMULPS(mine, sum, sum)
		VMULPS(vec(r, row), mine, mine)
		rz.add(mine)
		zaz.add(sum)
	})
	sums := avx.Argument("total")
	rz.store(sums, 0)
	zaz.store(sums, 1)
	avx.Epilogue()
}

func update() {
	TEXT("updateAVX2", NOSPLIT, "func(p, s, x, r, z, w, diag []float32, alpha, beta float32, total *float64)")
	p, s, x, r, z, w, diag := avx.Base("p"), avx.Base("s"), avx.Base("x"), avx.Base("r"), avx.Base("z"), avx.Base("w"), avx.Base("diag")
	count := avx.Len("p")
	rr := zero()
	alpha, beta := avx.Broadcast("alpha"), avx.Broadcast("beta")
	row := GP64()
	XORQ(row, row)
	SHLQ(Imm(2), count)
	JMP(LabelRef("test"))
	Label("rows")
	follow := func(v, from, to GPVirtual, step func(y, a, b Op)) {
		d := YMM()
		VMULPS(vec(v, row), beta, d)
		VADDPS(vec(from, row), d, d)
		VMOVUPS(d, vec(v, row))
		VMULPS(alpha, d, d)
		y := avx.LoadYMM(vec(to, row))
		step(d, y, y)
		VMOVUPS(y, vec(to, row))
		if to == r {
			VMULPS(vec(diag, row), y, y)
			VMULPS(y, y, y)
			rr.add(y)
		}
	}
	follow(p, z, x, func(d, y, to Op) { VADDPS(d, y, to) })
	follow(s, w, r, func(d, y, to Op) { VSUBPS(d, y, to) })
	ADDQ(Imm(vector), row)
	Label("test")
	CMPQ(row, count)
	JLT(LabelRef("rows"))
	rr.store(avx.Argument("total"), 0)
	avx.Epilogue()
}

func prolong() {
	TEXT("prolongAVX2", NOSPLIT, "func(out, x, coarse []float32, parent []int32)")
	out, x, coarse, parent := avx.Base("out"), avx.Base("x"), avx.Base("coarse"), avx.Base("parent")
	count := avx.Len("out")
	row := GP64()
	XORQ(row, row)
	SHLQ(Imm(2), count)
	JMP(LabelRef("test"))
	Label("rows")
	v := pick(coarse, vec(parent, row))
	VADDPS(vec(x, row), v, v)
	VMOVUPS(v, vec(out, row))
	ADDQ(Imm(vector), row)
	Label("test")
	CMPQ(row, count)
	JLT(LabelRef("rows"))
	avx.Epilogue()
}
