package advect

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../kernels_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		loadRows, spreadRows = loadRowsAVX2, spreadRowsAVX2
	}
}

// The kernels in assembly know where the fields of tile and row lie.

//go:noescape
func loadRowsAVX2(t *tile, faces []float32, state []uint8)

//go:noescape
func spreadRowsAVX2(t *tile, faces []float32)
