package grid

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../sample_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		sample, sampleSharp, copyRows = sampleAVX2, sampleSharpAVX2, copyRowsAVX2
	}
}

// The kernels in assembly. They read and write groups of eight places, and know where the fields of Places,
// Component and shape lie.

//go:noescape
func sampleAVX2(p *Places, n int)

//go:noescape
func sampleSharpAVX2(p *Places, n int)

//go:noescape
func copyRowsAVX2(dst, src []float32, size [3]int, dy, dz, n int)
