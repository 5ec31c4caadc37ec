package grid

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../sample_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		sample, sampleSharp = sampleAVX2, sampleSharpAVX2
	}
}

// The kernels in assembly. They read and write groups of eight places, and know where the fields of Places,
// Component and shape lie.

//go:noescape
func sampleAVX2(p *Places, n int)

//go:noescape
func sampleSharpAVX2(p *Places, n int)
