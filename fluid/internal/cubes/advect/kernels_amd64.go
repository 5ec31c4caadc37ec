package advect

import (
	"golang.org/x/sys/cpu"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

//go:generate go run -C ../../gen . -out ../cubes/advect/kernels_amd64.s advect

func init() {
	if cpu.X86.HasAVX2 {
		loadRows, spread, traceFaces = loadRowsQuickly, spreadQuickly, traceQuickly
	}
}

// The kernels in assembly know where the fields of tile and grid.Places lie.

func loadRowsQuickly(t *tile, faces []float32, state []uint8, to, toStep, fromStep int) (known uint64) {
	if t.n < layout.Edge/2 {
		return loadRowsGo(t, faces, state, to, toStep, fromStep)
	}
	return loadRowsAVX2(t, &faces[0], &state[0], to, toStep, fromStep)
}

//go:noescape
func loadRowsAVX2(t *tile, faces *float32, state *uint8, to, toStep, fromStep int) (known uint64)

func spreadQuickly(t *tile, faces []float32) {
	if t.n < layout.Edge/2 {
		spreadGo(t, faces)
		return
	}
	spreadAVX2(t, &faces[0], &sides[t.n].low, &rowPlaces[t.n][0])
}

//go:noescape
func spreadAVX2(t *tile, faces *float32, sides *uint64, places *int32)

// rowPlaces are where the rows of a block of n³ begin in a tile, eight for each plane.
var rowPlaces = makeRowPlaces()

func makeRowPlaces() (all [layout.Edge + 1][tileRows]int32) {
	for n := range all {
		t := tile{n: n}
		for r := range all[n] {
			all[n][r] = int32(t.place(0, r%layout.Edge, r/layout.Edge))
		}
	}
	return all
}

// traceQuickly leaves the last faces, less than eight, to plain Go.
func traceQuickly(t *Transport, p *part) {
	gr, f, q := t.gr, p.from, &p.places
	whole := int(p.to-f) &^ 7
	if whole > 0 {
		never := int32(0)
		if !t.antiDiffusion {
			never = -1
		}
		traceAVX2(&q.X[0], &p.starts[0][0], &t.displacement[0][0], &gr.Slot[f], &gr.A[f], &gr.B[f], &gr.Open[f],
			p.first, whole, float32(p.n), never, &q.Cell[0], &p.apart[0])
	}
	t.traceFrom(p, whole)
}

//go:noescape
func traceAVX2(q, start, shift *float32, slot, a, b *int32, open *float64, first int32, n int, size float32, never int32, cells *int32, apart *uint8)
