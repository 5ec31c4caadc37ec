package surface

import (
	"slices"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C gen . -out ../levelset_nearby_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		carryNear, trail = carryNearAVX2, trailAVX2
	}
}

func carryNearAVX2(phi, t []float32, by *ways, limit, sharp float32, n int) {
	switch n {
	case 8:
		_, _ = phi[511], t[999]
		carryNear8(&phi[0], &t[0], &by[0][0], limit, sharp)
	case 4:
		_, _ = phi[63], t[215]
		carryNear4(&phi[0], &t[0], &by[0][0], limit, sharp)
	default:
		carryNearGo(phi, t, by, limit, sharp, n)
	}
}

func trailAVX2(by *ways, u [3][]float32, factor, limit float32, n int) (far float32) {
	if n < 4 {
		return trailGo(by, u, factor, limit, n)
	}
	for _, c := range u {
		_ = c[:(n+1)*(n+2)*(n+2)]
	}
	var most [8]float32
	if n == 8 {
		trail8(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	} else {
		trail4(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	}
	return slices.Max(most[:])
}

// The kernels in assembly, for blocks of 8³ and 4³ cells.

//go:noescape
func carryNear8(phi, t, by *float32, limit, sharp float32)

//go:noescape
func carryNear4(phi, t, by *float32, limit, sharp float32)

//go:noescape
func trail8(by, x, y, z *float32, half, limit float32, most *float32)

//go:noescape
func trail4(by, x, y, z *float32, half, limit float32, most *float32)
