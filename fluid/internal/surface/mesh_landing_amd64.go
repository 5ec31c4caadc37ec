package surface

import "golang.org/x/sys/cpu"

//go:generate go run -C meshgen . -out ../mesh_landing_amd64.s

func init() {
	if cpu.X86.HasAVX2 {
		landing = landAVX2
	}
}

// The kernel in assembly. It knows where the fields of meshLanding lie.

//go:noescape
func landAVX2(p *meshLanding, n int)
