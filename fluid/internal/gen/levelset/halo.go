package levelset

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
)

// Halo are the kernels that gather tiles.
var Halo = avx.File{Write: halos}

// haloer writes the kernel that copies a block of n³ cells and the blocks around it into a tile with one layer of halo.
type haloer struct {
	carrier
	dst, phi, first GPVirtual
}

// halos writes the kernels that gather tiles.
func halos() {
	for _, n := range []int{8, 4} {
		k := &haloer{carrier: carrier{n: n, e: n + 2}}
		k.gather(map[int]string{8: "gather8", 4: "gather4"}[n])
	}
}

// gather goes through the nine bars of blocks that lie in a row along x.
func (k *haloer) gather(name string) {
	TEXT(name, NOSPLIT, "func(dst, phi *float32, first *[27]int32)")
	k.dst, k.phi, k.first = avx.Argument("dst"), avx.Argument("phi"), avx.Argument("first")
	for z := range 3 {
		for y := range 3 {
			k.bar(y, z)
		}
	}
	avx.Epilogue()
}

// bar copies what the tile takes from the three blocks at y and z, 0 to 2: those before, at and behind the middle.
func (k *haloer) bar(y, z int) {
	n, e := k.n, k.e
	places := func(o int) (from, to, count int) {
		return [3]int{n - 1, 0, 0}[o], [3]int{0, 1, n + 1}[o], [3]int{1, n, 1}[o]
	}
	fromY, toY, rows := places(y)
	fromZ, toZ, planes := places(z)
	var block [3]GPVirtual
	for x := range block {
		block[x] = GP64()
		MOVLQSX(Mem{Base: k.first, Disp: 4 * (x + 3*(y+3*z))}, block[x])
		LEAQ(Mem{Base: k.phi, Index: block[x], Scale: 4, Disp: 4 * n * (fromY + n*fromZ)}, block[x])
	}
	to := GP64()
	LEAQ(Mem{Base: k.dst, Disp: 4 * e * (toY + e*toZ)}, to)
	left, label := GP64(), "bar"+string(rune('a'+y+3*z))
	if planes > 1 {
		MOVQ(I32(int32(planes)), left)
		Label(label)
	}
	for j := range rows {
		row, low, high := k.register(), GP32(), GP32()
		MOVL(Mem{Base: block[0], Disp: 4 * (n*j + n - 1)}, low)
		VMOVUPS(Mem{Base: block[1], Disp: 4 * n * j}, row)
		MOVL(Mem{Base: block[2], Disp: 4 * n * j}, high)
		MOVL(low, Mem{Base: to, Disp: 4 * e * j})
		VMOVUPS(row, Mem{Base: to, Disp: 4 * (e*j + 1)})
		MOVL(high, Mem{Base: to, Disp: 4 * (e*j + n + 1)})
	}
	if planes > 1 {
		for x := range block {
			ADDQ(U32(4*n*n), block[x])
		}
		ADDQ(U32(4*e*e), to)
		DECQ(left)
		JNZ(LabelRef(label))
	}
}
