package levelset

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../track/levelset/volume_amd64.s volume

func init() {
	if cpu.X86.HasAVX2 {
		cutCells = cutCellsQuickly
	}
}

// cutCellsQuickly is cutCells in assembly.
func cutCellsQuickly(q *cuts, dst, t []float32, n int) {
	e := int(q.edge)
	_ = dst[:(e-2)*(e-2)*(e-2)]
	_ = t[:e*e*e]
	cutCellsAVX2(&dst[0], &t[0], &q.cell[0], &q.corner[0], n, e, q.h)
}

//go:noescape
func cutCellsAVX2(dst, t *float32, cell, corner *uint16, n, edge int, h float32)
