package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../gen . -out ../track/levelset/redistance_amd64.s redistance

func init() {
	if cpu.X86.HasAVX2 {
		sweepRows = sweepRowsAVX2
	}
}

func sweepRowsAVX2(t []float32, rows *wavefront, steep *[layout.Edge * layout.Edge]uint8, q sweep, n int) bool {
	slow, fast := q.slopes()
	switch n {
	case 8:
		_ = t[999]
		return sweep8(&t[0], &rows[0], &steep[0], q.h, q.band, q.dead, q.loose, wall/2, slow, fast, q.rim) != 0
	case 4:
		_ = t[215]
		return sweep4(&t[0], &rows[0], &steep[0], q.h, q.band, q.dead, q.loose, wall/2, slow, fast, q.rim) != 0
	}
	return sweepRowsGo(t, rows, steep, q, n)
}

// The kernels in assembly, for blocks of 8³ and 4³ cells.

//go:noescape
func sweep8(t *float32, order *int32, steep *uint8, h, band, dead, loose, far, slow, fast float32, rim bool) uint32

//go:noescape
func sweep4(t *float32, order *int32, steep *uint8, h, band, dead, loose, far, slow, fast float32, rim bool) uint32
