package stuffing

import (
	"fmt"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

func cpu() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

func TestCPU(t *testing.T) {
	l := uniform([3]int{48, 48, 48}, 1./48, [3]float64{})
	f := &Field{Inside: sphere(r3.Vec{X: .503, Y: .497, Z: .511}, .4).at(l)}
	pool := par.New(1)
	m := &Mesher{}
	m.Stuff(pool, l, f)
	m.Connect(pool)
	best, bestC := int64(1<<60), int64(1<<60)
	for range 30 {
		a := cpu()
		m.Stuff(pool, l, f)
		b := cpu()
		m.Connect(pool)
		c := cpu()
		best, bestC = min(best, b-a), min(bestC, c-b)
	}
	n := float64(m.Mesh.Tets())
	fmt.Printf("stuff %.1f ns/tet (%.1f per lattice tet), connect %.1f; lattice %d mesh %d own %d\n", float64(best)/n, float64(best)/float64(l.Tets()), float64(bestC)/n, l.Tets(), m.Mesh.Tets(), len(m.Mesh.Own))
}
