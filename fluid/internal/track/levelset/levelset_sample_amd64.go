package levelset

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../track/levelset/levelset_sample_amd64.s levelset_sample

func init() {
	if cpu.X86.HasAVX2 {
		linears = linearsQuickly
	}
}

// linearsQuickly is linears in assembly. Its last group of eight goes on to places that aren't asked about.
func linearsQuickly(dst *[512]float32, t []float32, e int, at *ways, count int) {
	if count == 0 {
		return
	}
	_, _ = t[:e*e*e], dst[:count]
	linear8(&dst[0], &t[0], &at[0][0], &at[1][0], &at[2][0], (count+7)/8, e)
}

//go:noescape
func linear8(dst, t, x, y, z *float32, eights, edge int)
