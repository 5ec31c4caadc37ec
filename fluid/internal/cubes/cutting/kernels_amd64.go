package cutting

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../cubes/cutting/kernels_amd64.s cutting

func init() {
	if cpu.X86.HasAVX2 {
		measure, lessEights, cutPanes = measureAVX2, lessAVX2, cutPanesAVX2
	}
}

// measureAVX2 is measureGo. It knows where the fields of eighths lie.
//
//go:noescape
func measureAVX2(p *eighths)

// cutPanesAVX2 is cutPanesGo. It knows where the fields of panes lie.
//
//go:noescape
func cutPanesAVX2(p *panes)

// lessAVX2 is lessGo.
//
//go:noescape
func lessAVX2(v []float32, than float32, to *mask)
