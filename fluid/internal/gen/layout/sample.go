// Package layout builds the kernels of package grid.
package layout

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Kernels are those that sample, fill tiles and take middles.
var Kernels = avx.File{
	Write: func() {
		inRow = avx.Words("inRow", 0, 1, 2, 3, 4, 5, 6, 7)
		sample("sampleAVX2", false)
		sample("sampleAntiDiffusedAVX2", true)
		copyBoxes()
		blend()
		middles()
	},
	Import: []string{"math"},
	Layout: []avx.Layout{
		{Expression: "uintptr(math.Float32bits(antiDiffused))", Value: int(math.Float32bits(antiDiffused))},
		avx.Offset("Places.X", 0),
		avx.Offset("Places.Y", 4*room),
		avx.Offset("Places.Z", 2*4*room),
		avx.Offset("Places.Value", value),
		avx.Offset("Places.held", held),
		avx.Offset("Places.source", source),
		avx.Offset("Component.t", 0),
		avx.Offset("Component.shape", shape-source),
		avx.Offset("Places.Cell", cell),
		avx.Offset("Places.before", ahead),
		avx.Offset("shape.dy", dy),
		avx.Offset("shape.dz", dz),
		avx.Offset("shape.before", before),
		avx.Offset("shape.last", last),
		avx.Offset("shape.edge", edge),
		avx.Offset("shape.axis", axis),
		avx.Offset("blended.from", 0),
		avx.Offset("blended.weight", weights),
		avx.Offset("blended.to", blendedTo),
		avx.Size("blended{}", blended),
		avx.Offset("copies.list", 0),
		avx.Offset("copies.count", copiesCount),
		avx.Offset("boxCopy.src", 0),
		avx.Offset("boxCopy.box", boxCopyBox),
		avx.Size("boxCopy{}", boxCopy),
		avx.Offset("box.to", boxTo),
		avx.Offset("box.from", boxFrom),
		avx.Offset("box.size", boxSize),
		avx.Size("box{}.size[0]", 1),
		avx.Offset("box.skip", boxSkip),
		avx.Size("box{}.skip[0]", 2),
	},
}

// antiDiffused is that of package grid.
const antiDiffused = .95

// room is that of Places: its arrays hold so many numbers each.
const room = 512

// Where Places has what comes after X, Y and Z, where its source has its shape, and the fields of the
// latter, bytes.
const (
	value  = 3 * 4 * room
	held   = value + 4*room
	source = held + room/8
	shape  = source + 24
	cell   = shape + 8
	ahead  = cell + 4*room
	dy     = 0
	dz     = 4
	before = 8
	last   = 20
	edge   = 32
	axis   = 40
)

// field fills a register with a number of the shape s.
func field(s GPVirtual, at int) VecVirtual {
	v := YMM()
	VBROADCASTSS(Mem{Base: s, Disp: at}, v)
	return v
}

// corners are the bases from which the four pairs of values of a cube are gathered.
func corners(t, s GPVirtual) (at [4]GPVirtual) {
	dy, dz := stride(s, dy), stride(s, dz)
	for i := range at {
		at[i] = GP64()
	}
	at[0] = t
	LEAQ(Mem{Base: t, Index: dy, Scale: 4}, at[1])
	LEAQ(Mem{Base: t, Index: dz, Scale: 4}, at[2])
	LEAQ(Mem{Base: at[1], Index: dz, Scale: 4}, at[3])
	return at
}

// stride loads a number of the shape s.
func stride(s GPVirtual, at int) GPVirtual {
	d := GP64()
	MOVLQSX(Mem{Base: s, Disp: at}, d)
	return d
}

// gather is one number for each of eight lanes, 0 where mask is clear.
func gather(base GPVirtual, places, mask VecVirtual) VecVirtual {
	m, v := YMM(), YMM()
	VMOVAPS(mask, m)
	VXORPS(v, v, v)
	VGATHERDPS(m, Mem{Base: base, Index: places, Scale: 4}, v)
	return v
}

const (
	one  = 0x3f800000
	half = 0x3f000000
)

// bend is that of plain Go: beyond is how far the places are beyond the first value along each axis. Where the faces lie in
// a row, which begins far enough from the ends of the component, it loads what it otherwise gathers.
func bend(t, s, most GPVirtual, cells, ahead Mem, beyond [3]VecVirtual) VecVirtual {
	own, sum := YMM(), YMM()
	VMOVDQU(cells, own)
	VXORPS(sum, sum, sum)
	bits, start, room := GP32(), GP64(), GP64()
	VMOVMSKPS(own, bits)
	CMPL(bits, U32(255)) // there are no faces
	JEQ(LabelRef("bent"))
	MOVLQSX(cells.Offset(12), start)
	SUBQ(Imm(3), start)
	expected := YMM()
	VMOVD(start.As32(), expected.AsX())
	VPBROADCASTD(expected.AsX(), expected)
	VPADDD(inRow, expected, expected)
	VPCMPEQD(own, expected, expected)
	VPOR(own, expected, expected)
	VMOVMSKPS(expected, bits)
	CMPL(bits, U32(255))
	JNE(LabelRef("gather"))
	MOVQ(start, room)
	SUBQ(stride(s, dz), room)
	JLT(LabelRef("gather"))
	CMPQ(room, most)
	JGT(LabelRef("gather"))
	bendRow(t, s, start, own, ahead, beyond, sum)
	JMP(LabelRef("bent"))
	Label("gather")
	bendAny(t, s, own, ahead, beyond, sum)
	Label("bent")
	return sum
}

// inRow is 0 to 7.
var inRow Mem

// bendRow is bend of faces in a row that begins at start.
func bendRow(t, s, start GPVirtual, own VecVirtual, ahead Mem, beyond [3]VecVirtual, sum VecVirtual) {
	row, before, along := GP64(), GP64(), GP32()
	LEAQ(Mem{Base: t, Index: start, Scale: 4}, row)
	LEAQ(ahead, before)
	MOVL(Mem{Base: s, Disp: axis}, along)
	twice := YMM()
	VMOVUPS(Mem{Base: row}, twice)
	VADDPS(twice, twice, twice)
	mixBends(beyond, sum, func(a int) VecVirtual {
		step, low := GP64(), GP64()
		if a == 0 {
			MOVQ(U64(1), step)
		} else {
			step = stride(s, [3]int{0, dy, dz}[a])
		}
		sides := YMM()
		VMOVUPS(Mem{Base: row, Index: step, Scale: 4}, sides)
		NEGQ(step)
		LEAQ(Mem{Base: row, Index: step, Scale: 4}, low)
		CMPL(along, U32(a))
		CMOVQEQ(before, low)
		VADDPS(Mem{Base: low}, sides, sides)
		VSUBPS(twice, sides, sides)
		return sides
	})
	none := YMM()
	VPSRAD(Imm(31), own, none)
	VPANDN(sum, none, sum)
}

// bendAny is bend of any faces.
func bendAny(t, s GPVirtual, own VecVirtual, ahead Mem, beyond [3]VecVirtual, sum VecVirtual) {
	mask := YMM()
	VPCMPEQD(mask, mask, mask)
	VPCMPGTD(mask, own, mask) // own > -1
	twice := gather(t, own, mask)
	VADDPS(twice, twice, twice)
	mixBends(beyond, sum, func(a int) VecVirtual {
		step, at := YMM(), YMM()
		if a == 0 {
			VPCMPEQD(step, step, step)
			VPABSD(step, step)
		} else {
			step = field(s, [3]int{0, dy, dz}[a])
		}
		VPADDD(step, own, at)
		sides := gather(t, at, mask)
		VPSUBD(step, own, at)
		along, across := avx.Word(uint32(a)), YMM()
		VPCMPEQD(field(s, axis), along, along)
		VPAND(mask, along, along)
		VPANDN(mask, along, across)
		low := gather(t, at, across)
		VPAND(ahead, along, along)
		VPOR(along, low, low)
		VADDPS(low, sides, sides)
		VSUBPS(twice, sides, sides)
		return sides
	})
}

// mixBends sets sum to what second differences along the axes make together.
func mixBends(beyond [3]VecVirtual, sum VecVirtual, difference func(a int) VecVirtual) {
	var least VecVirtual
	for a := range beyond {
		sides, w := difference(a), YMM()
		VMULPS(beyond[a], beyond[a], w)
		VSUBPS(w, beyond[a], w)
		VMULPS(sides, w, sides)
		if a == 0 {
			VMOVAPS(sides, sum)
			least = w
			continue
		}
		VADDPS(sides, sum, sum)
		VMINPS(w, least, least)
	}
	VADDPS(least, least, least)
	VADDPS(avx.Word(one), least, least)
	scale := avx.Number(.5 * antiDiffused)
	VDIVPS(least, scale, scale)
	VMULPS(scale, sum, sum)
}

func sample(name string, corrected bool) {
	TEXT(name, NOSPLIT, "func(p *float32, n int)")
	p, n := avx.Argument("p"), avx.Argument("n")
	t, s := GP64(), GP64()
	MOVQ(Mem{Base: p, Disp: source}, t)
	MOVQ(Mem{Base: p, Disp: shape}, s)
	at := corners(t, s)
	most := GP64() // that a row of eight begins at, counted from a plane on
	if corrected {
		plane := stride(s, dz)
		MOVQ(Mem{Base: p, Disp: source + 8}, most)
		SUBQ(Imm(8), most)
		SUBQ(plane, most)
		SUBQ(plane, most)
	}
	group, places := GP64(), AllocLocal(32)
	XORQ(group, group)
	JMP(LabelRef("test"))
	Label("eight")
	array := func(at int) Mem { return Mem{Base: p, Index: group, Scale: 4, Disp: at} }
	top, zero, inside := field(s, edge), YMM(), YMM()
	VXORPS(zero, zero, zero)
	var index VecVirtual
	var beyond [3]VecVirtual
	for a := range beyond {
		x, low, high := YMM(), YMM(), YMM()
		VMOVUPS(array(4*room*a), x)
		VCMPPS(Imm(2), x, zero, low) // 0 ≤ x
		VCMPPS(Imm(2), top, x, high)
		VPAND(low, high, high)
		if a == 0 {
			VMOVAPS(high, inside)
		} else {
			VPAND(high, inside, inside)
		}
		i, whole := YMM(), YMM()
		VADDPS(field(s, before+4*a), x, x)
		VCVTTPS2DQ(x, i)
		VPMINSD(field(s, last+4*a), i, i)
		VPMAXSD(zero, i, i)
		VCVTDQ2PS(i, whole)
		VSUBPS(whole, x, x)
		beyond[a] = x
		if a == 0 {
			index = i
			continue
		}
		VPMULLD(field(s, [3]int{0, dy, dz}[a]), i, i)
		VPADDD(i, index, index)
	}
	bits, eighth := GP32(), GP64()
	VMOVMSKPS(inside, bits)
	MOVQ(group, eighth)
	SHRQ(Imm(3), eighth)
	MOVB(bits.As8(), Mem{Base: p, Index: eighth, Scale: 1, Disp: held})
	if corrected {
		VMOVUPS(bend(t, s, most, array(cell), array(ahead), beyond), array(value))
	}
	v, from, to := YMM(), YMM(), YMM()
	mixPairs := func(pair func(base GPVirtual) (a, b VecVirtual)) {
		var sides [4]VecVirtual
		for k, base := range at {
			a, b := pair(base)
			if corrected && k == 0 {
				VMINPS(a, b, from)
				VMAXPS(a, b, to)
			} else if corrected {
				VMINPS(a, from, from)
				VMINPS(b, from, from)
				VMAXPS(a, to, to)
				VMAXPS(b, to, to)
			}
			sides[k] = avx.Mix(a, b, beyond[0])
		}
		VMOVAPS(avx.Mix(avx.Mix(sides[0], sides[1], beyond[1]), avx.Mix(sides[2], sides[3], beyond[1]), beyond[2]), v)
	}
	// Where the cubes lie in a row, loads do what is otherwise gathered.
	start, expected := GP64(), YMM()
	VMOVD(index.AsX(), start.As32())
	VPBROADCASTD(index.AsX(), expected)
	VPADDD(inRow, expected, expected)
	VPCMPEQD(index, expected, expected)
	VMOVMSKPS(expected, bits)
	CMPL(bits, U32(255))
	JNE(LabelRef("scattered"))
	mixPairs(func(base GPVirtual) (a, b VecVirtual) {
		a, b = YMM(), YMM()
		VMOVUPS(Mem{Base: base, Index: start, Scale: 4}, a)
		VMOVUPS(Mem{Base: base, Index: start, Scale: 4, Disp: 4}, b)
		return a, b
	})
	JMP(LabelRef("mixed"))
	Label("scattered")
	VMOVDQU(index, places)
	mixPairs(func(base GPVirtual) (a, b VecVirtual) { return avx.Pair(base, places) })
	Label("mixed")
	if corrected {
		VXORPS(zero, zero, zero)
		VADDPS(zero, from, from)
		VADDPS(zero, to, to)
		VSUBPS(array(value), v, v)
		VMAXPS(v, from, v)
		VMINPS(v, to, v)
	}
	VMOVUPS(v, array(value))
	ADDQ(Imm(8), group)
	Label("test")
	CMPQ(group, n)
	JLT(LabelRef("eight"))
	avx.Epilogue()
}

// Where the fields of blended lie, and how long it is, bytes.
const (
	weights   = 4 * 8
	blendedTo = weights + 3*4*8
	blended   = blendedTo + 2*8
)

// blend fills eight places of a tile at a time, each from the cube of a coarser tile that it lies in.
func blend() {
	TEXT("blendAVX2", NOSPLIT, "func(dst, src, list *float32, n, dy, dz int)")
	dst, src, list, n := avx.Argument("dst"), avx.Argument("src"), avx.Argument("list"), avx.Argument("n")
	dy, dz := avx.Argument("dy"), avx.Argument("dz")
	at := [4]GPVirtual{src, GP64(), GP64(), GP64()}
	LEAQ(Mem{Base: src, Index: dy, Scale: 4}, at[1])
	LEAQ(Mem{Base: src, Index: dz, Scale: 4}, at[2])
	LEAQ(Mem{Base: at[1], Index: dz, Scale: 4}, at[3])
	values := AllocLocal(32)
	Label("next")
	var weight [3]VecVirtual
	for a := range weight {
		weight[a] = YMM()
		VMOVUPS(Mem{Base: list, Disp: weights + 32*a}, weight[a])
	}
	var sides [4]VecVirtual
	for k, base := range at {
		a, b := avx.Pair(base, Mem{Base: list})
		sides[k] = avx.Mix(a, b, weight[0])
	}
	VMOVUPS(avx.Mix(avx.Mix(sides[0], sides[1], weight[1]), avx.Mix(sides[2], sides[3], weight[1]), weight[2]), values)
	for i := range 8 {
		to, v := GP64(), GP32()
		MOVWLZX(Mem{Base: list, Disp: blendedTo + 2*i}, to.As32())
		MOVL(values.Offset(4*i), v)
		MOVL(v, Mem{Base: dst, Index: to, Scale: 4})
	}
	ADDQ(Imm(blended), list)
	DECQ(n)
	JNZ(LabelRef("next"))
	avx.Epilogue()
}

// Where copies has its count, what its list has for each box, and the fields of box, bytes.
const (
	copiesCount = 27 * boxCopy
	boxCopy     = 32
	boxCopyBox  = 24
	boxTo       = 0
	boxFrom     = 2
	boxSize     = 4
	boxSkip     = 8
)

// copyBoxes moves the rows of boxes, of 1, 2, 4 or 8 values.
func copyBoxes() {
	TEXT("copyBoxesAVX2", NOSPLIT, "func(dst []float32, c *float32, dy, n int)")
	dst, list := avx.Base("dst"), avx.Argument("c")
	dy, n := avx.Argument("dy"), avx.Argument("n")
	count, box, from, to, wide, rows, planes, row := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	fromSkip, toSkip := GP64(), GP64()
	MOVQ(Mem{Base: list, Disp: copiesCount}, count)
	JMP(LabelRef("test"))
	Label("box")
	MOVQ(Mem{Base: list, Disp: boxCopyBox}, box)
	MOVQ(Mem{Base: list}, from)
	MOVWLZX(Mem{Base: box, Disp: boxFrom}, wide.As32())
	LEAQ(Mem{Base: from, Index: wide, Scale: 4}, from)
	MOVWLZX(Mem{Base: box, Disp: boxTo}, wide.As32())
	LEAQ(Mem{Base: dst, Index: wide, Scale: 4}, to)
	for a, k := range [3]GPVirtual{wide, rows, planes} {
		MOVBLZX(Mem{Base: box, Disp: boxSize + a}, k.As32())
	}
	MOVWQSX(Mem{Base: box, Disp: boxSkip}, toSkip)
	MOVWQSX(Mem{Base: box, Disp: boxSkip + 2}, fromSkip)
	v, w := YMM(), GP64()
	moves := []struct {
		label string
		wide  int
		move  func(from, to Mem)
	}{
		{"eight", 8, func(from, to Mem) { VMOVUPS(from, v); VMOVUPS(v, to) }},
		{"four", 4, func(from, to Mem) { VMOVUPS(from, v.AsX()); VMOVUPS(v.AsX(), to) }},
		{"two", 2, func(from, to Mem) { MOVQ(from, w); MOVQ(w, to) }},
		{"one", 1, func(from, to Mem) { MOVL(from, w.As32()); MOVL(w.As32(), to) }},
	}
	for _, m := range moves[:3] {
		CMPQ(wide, Imm(uint64(m.wide)))
		JEQ(LabelRef(m.label))
	}
	JMP(LabelRef("one"))
	for _, m := range moves {
		Label(m.label)
		MOVQ(rows, row)
		Label(m.label + "Row")
		m.move(Mem{Base: from}, Mem{Base: to})
		LEAQ(Mem{Base: from, Index: n, Scale: 4}, from)
		LEAQ(Mem{Base: to, Index: dy, Scale: 4}, to)
		DECQ(row)
		JNZ(LabelRef(m.label + "Row"))
		LEAQ(Mem{Base: from, Index: fromSkip, Scale: 4}, from)
		LEAQ(Mem{Base: to, Index: toSkip, Scale: 4}, to)
		DECQ(planes)
		JNZ(LabelRef(m.label))
		JMP(LabelRef("next"))
	}
	Label("next")
	ADDQ(Imm(boxCopy), list)
	DECQ(count)
	Label("test")
	TESTQ(count, count)
	JNZ(LabelRef("box"))
	avx.Epilogue()
}

// middles takes rows of eight cells, or of four.
func middles() {
	TEXT("middlesAVX2", NOSPLIT, "func(dst, src *float32, n, dy, dz, step int)")
	dst, src, n := avx.Argument("dst"), avx.Argument("src"), avx.Argument("n")
	dy, dz, step := avx.Argument("dy"), avx.Argument("dz"), avx.Argument("step")
	factor := avx.Word(half)
	CMPQ(n, Imm(4))
	JEQ(LabelRef("four"))
	for _, k := range []struct {
		label  string
		cells  int
		vector func() VecVirtual
		factor Op
	}{{"eight", 8, YMM, factor}, {"four", 4, XMM, factor.AsX()}} {
		Label(k.label)
		plane, row, from := GP64(), GP64(), GP64()
		MOVQ(n, plane)
		Label(k.label + "Plane")
		MOVQ(n, row)
		MOVQ(src, from)
		Label(k.label + "Row")
		v := k.vector()
		VMOVUPS(Mem{Base: from}, v)
		VADDPS(Mem{Base: from, Index: step, Scale: 4}, v, v)
		VMULPS(k.factor, v, v)
		VMOVUPS(v, Mem{Base: dst})
		ADDQ(Imm(uint64(4*k.cells)), dst)
		LEAQ(Mem{Base: from, Index: dy, Scale: 4}, from)
		DECQ(row)
		JNZ(LabelRef(k.label + "Row"))
		LEAQ(Mem{Base: src, Index: dz, Scale: 4}, src)
		DECQ(plane)
		JNZ(LabelRef(k.label + "Plane"))
		avx.Epilogue()
	}
}
