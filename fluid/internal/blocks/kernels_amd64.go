package blocks

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../kernels_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		measure, lessEights = measureAVX2, lessAVX2
	}
}

// measureAVX2 is measureGo. It knows where the fields of eighths lie.
//
//go:noescape
func measureAVX2(p *eighths)

// lessAVX2 is lessGo.
//
//go:noescape
func lessAVX2(v []float32, than float32, to *mask)
