package levelset

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../track/levelset/levelset_halo_amd64.s levelset_halo

func init() {
	if cpu.X86.HasAVX2 {
		gatherAlike = gatherAlikeAVX2
	}
}

func gatherAlikeAVX2(dst, phi []float32, first *[27]int32, n int) {
	if n < 4 {
		gatherAlikeGo(dst, phi, first, n)
		return
	}
	_ = dst[:(n+2)*(n+2)*(n+2)]
	for _, f := range first {
		_ = phi[f:][:n*n*n]
	}
	if n == 8 {
		gather8(&dst[0], &phi[0], first)
	} else {
		gather4(&dst[0], &phi[0], first)
	}
}

// The kernels in assembly, for blocks of 8³ and 4³ cells.

//go:noescape
func gather8(dst, phi *float32, first *[27]int32)

//go:noescape
func gather4(dst, phi *float32, first *[27]int32)
