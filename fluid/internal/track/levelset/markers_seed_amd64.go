package levelset

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../track/levelset/markers_seed_amd64.s markers_seed

func init() {
	if cpu.X86.HasAVX2 {
		findSmooth = findSmoothQuickly
	}
}

func findSmoothQuickly(smooth, near *rowBits, t []float32, n int, least, low, high float32) {
	switch n {
	case 8:
		_ = t[:1000]
		smooth8(&smooth[0], &near[0], &t[0], least, low, high)
	case 4:
		_ = t[:216]
		smooth4(&smooth[0], &near[0], &t[0], least, low, high)
	default:
		findSmoothGo(smooth, near, t, n, least, low, high)
	}
}

// The kernels in assembly, for blocks of 8³ and 4³ cells.

//go:noescape
func smooth8(smooth, near *uint8, t *float32, least, low, high float32)

//go:noescape
func smooth4(smooth, near *uint8, t *float32, least, low, high float32)
