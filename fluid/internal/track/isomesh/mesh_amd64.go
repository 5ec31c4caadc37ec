package isomesh

import "golang.org/x/sys/cpu"

//go:generate go run -C ../../gen . -out ../track/isomesh/mesh_amd64.s mesh

func init() {
	if cpu.X86.HasAVX2 {
		landing = landAVX2
		meshMeans = meshMeansAVX2
		meshLeast = meshLeastAVX2
	}
}

// meshMeansAVX2 does whole groups of eight in assembly.
func meshMeansAVX2(dst, a, b []float32) {
	n := len(dst) &^ 7
	if n > 0 {
		_, _ = a[n-1], b[n-1]
		meansAVX2(&dst[0], &a[0], &b[0], n)
	}
	meshMeansGo(dst[n:], a[n:], b[n:])
}

func meshLeastAVX2(t []float32, sign float32) float32 {
	if len(t) < 8 {
		return meshLeastGo(t, sign)
	}
	return leastAVX2(&t[0], len(t), sign)
}

// The kernels in assembly. They know where the fields of meshLanding lie.

//go:noescape
func meansAVX2(dst, a, b *float32, n int)

//go:noescape
func landAVX2(p *meshLanding, n int)

//go:noescape
func leastAVX2(t *float32, n int, sign float32) float32
