package levelset

import (
	"math"
	"slices"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../gen . -out ../track/levelset/levelset_nearby_amd64.s levelset_nearby

func init() {
	if cpu.X86.HasAVX2 {
		carryNear, trail, curve = carryNearAVX2, trailAVX2, curveAVX2
		lengthenWays, leastMagnitude = lengthenWaysAVX2, leastMagnitudeAVX2
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

func trailAVX2(by *ways, u [3][]float32, factor, limit float32, n int) float32 {
	checkFaces(u, n)
	var most [8]float32
	switch n {
	case 8:
		trail8(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	case 4:
		trail4(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	default:
		return trailGo(by, u, factor, limit, n)
	}
	return slices.Max(most[:])
}

func curveAVX2(by *ways, u [3][]float32, factor, limit float32, n int) float32 {
	checkFaces(u, n)
	var most [8]float32
	switch n {
	case 8:
		curve8(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	case 4:
		curve4(&by[0][0], &u[0][0], &u[1][0], &u[2][0], .5*factor, limit, &most[0])
	default:
		return curveGo(by, u, factor, limit, n)
	}
	return slices.Max(most[:])
}

func lengthenWaysAVX2(by *ways, factor, limit float32, count int) float32 {
	if count == 0 {
		return 0
	}
	eights := (count + 7) / 8
	for i := count; i < 8*eights; i++ { // the kernel takes these too
		by[0][i], by[1][i], by[2][i] = 0, 0, 0
	}
	var most [8]float32
	lengthen8(&by[0][0], eights, factor, limit, &most[0])
	return slices.Max(most[:])
}

// checkFaces panics unless the components are those of a block's tile.
func checkFaces(u [3][]float32, n int) {
	for _, c := range u {
		_ = c[:(n+1)*(n+2)*(n+2)]
	}
}

func leastMagnitudeAVX2(cells []float32) float32 {
	whole := len(cells) &^ 7
	if whole == 0 {
		return leastMagnitudeGo(cells)
	}
	var low [8]float32
	for i := range low {
		low[i] = math.MaxFloat32
	}
	least8(&cells[0], whole/8, &low[0])
	return min(leastMagnitudeGo(low[:]), leastMagnitudeGo(cells[whole:]))
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

//go:noescape
func curve8(by, x, y, z *float32, half, limit float32, most *float32)

//go:noescape
func curve4(by, x, y, z *float32, half, limit float32, most *float32)

//go:noescape
func lengthen8(by *float32, eights int, factor, limit float32, most *float32)

//go:noescape
func least8(v *float32, eights int, low *float32)
