package stuffing

import (
	"fmt"
	"math"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

func cpu() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

func TestCPU(t *testing.T) {
	for k := range 2 {
		var l *bcc.Lattice
		if k == 0 {
			l = graded([3]int{5, 5, 5}, 1./40, func(int, r3.Vec) uint8 { return 3 })
		} else {
			l = graded([3]int{8, 8, 8}, 1./64, func(_ int, p r3.Vec) uint8 {
				d := r3.Norm(r3.Sub(p, r3.Vec{X: .203, Y: .697, Z: .611})) - .4
				if math.Abs(d) < .12 {
					return 3
				}
				return 0
			})
		}
		measureCPU(l)
	}
}

func measureCPU(l *bcc.Lattice) {
	f := &Field{Inside: sphere(r3.Vec{X: .203, Y: .697, Z: .611}, .4).at(l)}
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
