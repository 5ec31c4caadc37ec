package forces

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../cubes/forces/kernels_amd64.s forces

func init() {
	if cpu.X86.HasAVX2 {
		carryEight = carryEightQuickly
	}
}

func carryEightQuickly(cells, phi, tile []float32, n int, at [3]float32, made, fade, reach float32) bool {
	_, _, _ = cells[n*n+n+1], phi[n*n+n+1], tile[2*(n+2)*(n+3)+2]
	return carryEightAVX2(&cells[0], &phi[0], &tile[0], n, at[0], at[1], at[2], made, fade, reach)
}

//go:noescape
func carryEightAVX2(cells, phi, tile *float32, n int, u, v, w, made, fade, reach float32) (shows bool)
