package testrig

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
)

// Whitest is the greatest foam of the surface.
func Whitest(l *fluid.Liquid) float32 {
	top := float32(0)
	for _, f := range l.Surface().Foam {
		top = max(top, f)
	}
	return top
}

// BrokenDam is a tank with a layer of water and a column of it that is about to fall.
func BrokenDam(t testing.TB, cell float64, workers, particles int) *fluid.Liquid {
	t.Helper()
	l := New(t, fluid.Def{Domain: Box(4, 2, 1.5), CellSize: cell, Resources: fluid.Resources{Workers: workers}, WhiteWater: particles})
	Must(t, l.Fill(fluid.Box(Box(1.4, 1.2, 1.5))))
	Must(t, l.Fill(fluid.Below(.15)))
	return l
}
