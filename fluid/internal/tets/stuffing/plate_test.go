package stuffing

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

func pieces(m *Mesh) int {
	root := make([]int32, m.Tets())
	for i := range root {
		root[i] = int32(i)
	}
	find := func(a int32) int32 {
		for root[a] != a {
			root[a] = root[root[a]]
			a = root[a]
		}
		return a
	}
	n := m.Tets()
	for t := range m.Neighbours {
		for _, nb := range m.Neighbours[t] {
			if nb >= 0 {
				a, b := find(int32(t)), find(nb)
				if a != b {
					root[a] = b
					n--
				}
			}
		}
	}
	return n
}

func TestPlateDiag(t *testing.T) {
	pool := par.New(1)
	m := &Mesher{}
	l := uniform([3]int{24, 24, 24}, 1, [3]float64{})
	for _, alpha := range []Alpha{GreatLeast, SmallMost} {
		m.Alpha = alpha
		for _, thick := range []float64{.6, .7, .8, .9, 1, 1.2, 1.5} {
			line := fmt.Sprint(alpha, thick, ": ")
			for k := range 10 {
				off := float64(k) / 10
				n := r3.Unit(r3.Vec{X: .5, Y: 0, Z: math.Sqrt(3) / 2})
				if k%2 == 1 {
					n = r3.Unit(r3.Vec{X: .5, Y: .3, Z: math.Sqrt(3) / 2})
				}
				d := distance(func(p r3.Vec) float64 {
					q := r3.Sub(p, r3.Vec{X: 12, Y: 12, Z: 12})
					w := r3.Dot(q, n)
					side := r3.Norm(r3.Sub(q, r3.Scale(w, n)))
					return math.Max(math.Abs(w-off)-thick/2, side-9)
				})
				mesh := m.Stuff(pool, l, &Field{Inside: d.at(l), InsideAt: d.eval})
				m.Connect(pool)
				v := 0.
				for i := range int32(mesh.Tets()) {
					v += mesh.Volume(i)
				}
				line += fmt.Sprintf("%d(%.2f) ", pieces(mesh), v/(thick*81*math.Pi))
			}
			fmt.Println(line)
		}
	}
}
