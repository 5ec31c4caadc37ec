package layout

import "golang.org/x/sys/cpu"

//go:generate go run -C ../gen . -out ../layout/sample_amd64.s layout

func init() {
	if cpu.X86.HasAVX2 {
		sample, sampleAntiDiffused, copyBoxes, blend, middles = sampleAVX2, sampleAntiDiffusedAVX2, copyBoxesAVX2, blendQuickly, middlesQuickly
	}
}

// The kernels in assembly. They read and write groups of eight places, and know where the fields of Places,
// Component, shape, copies and box lie.

//go:noescape
func sampleAVX2(p *Places, n int)

//go:noescape
func sampleAntiDiffusedAVX2(p *Places, n int)

//go:noescape
func copyBoxesAVX2(dst []float32, c *copies, dy, n int)

func blendQuickly(k *patch, dst, src []float32) {
	blendAVX2(&dst[0], &src[0], &k.blended[0], len(k.blended), k.dy, k.dz)
}

//go:noescape
func blendAVX2(dst, src *float32, list *blended, n, dy, dz int)

func middlesQuickly(dst, src []float32, n, dy, dz, step int) {
	if n < Edge/2 {
		middlesGo(dst, src, n, dy, dz, step)
		return
	}
	middlesAVX2(&dst[0], &src[0], n, dy, dz, step)
}

//go:noescape
func middlesAVX2(dst, src *float32, n, dy, dz, step int)
