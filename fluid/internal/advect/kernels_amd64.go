package advect

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../kernels_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		loadRows, spreadRows, traceFaces = loadRowsAVX2, spreadRowsAVX2, traceQuickly
	}
}

// The kernels in assembly know where the fields of tile, row and grid.Places lie.

//go:noescape
func loadRowsAVX2(t *tile, faces []float32, state []uint8)

//go:noescape
func spreadRowsAVX2(t *tile, faces []float32)

// traceQuickly leaves the last faces, less than eight, to plain Go.
func traceQuickly(t *Transport, p *part) {
	gr, f, q := t.gr, p.from, &p.places
	whole := int(p.to-f) &^ 7
	if whole > 0 {
		never := int32(0)
		if !t.sharp {
			never = -1
		}
		traceAVX2(&q.X[0], &p.starts[0][0], &t.shift[0][0], &gr.Slot[f], &gr.A[f], &gr.B[f], &gr.Open[f],
			p.first, whole, float32(p.n), never, &q.Cell[0], &p.apart[0])
	}
	t.traceFrom(p, whole)
}

//go:noescape
func traceAVX2(q, start, shift *float32, slot, a, b *int32, open *float64, first int32, n int, size float32, never int32, cells *int32, apart *uint8)
