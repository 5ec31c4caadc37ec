package capacity

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// of returns an extent whose cells take a KiB each.
func of(x, y, z float64) *Extent {
	e := &Extent{Domain: r3.Box{Max: r3.Vec{X: x, Y: y, Z: z}}, MaxMemory: 4 << 30, BytesPerCell: 1 << 10}
	e.Cells = func(s float64) float64 { return x * y * z / (s * s * s) }
	return e
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	small, many, far := of(4, 2, 3), of(2e3, 2e3, 2e3), of(1, 1, 1)
	small.MaxMemory, many.MaxMemory = 1<<20, math.Inf(1)
	far.Domain.Min.X, far.Domain.Max.X = -1e6, -1e6+1
	for want, err := range map[string]error{
		"CellSize: 0.6 m; must be at most half of the domain's shortest edge, 1 m":                     of(1, 1, 1).Check(.6),
		"Domain: 24000 finest cells could need 23.4 MiB, more than Resources.MaxMemory, 1 MiB":         small.Check(.1),
		"Domain: 8000000000 finest cells; must be at most 1073741824":                                  many.Check(1),
		"Domain: reaches 1.000000000001e+06 m from the origin; must stay within 1e+06 cells, 100000 m": far.Check(.1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := of(4, 2, 3).Check(.1); err != nil {
		t.Error(err)
	}
}

// A whole number of cells lies along the shortest edge, the wanted number fills the domain, and memory limits it.
func TestCellSize(t *testing.T) {
	poor := of(1, 1, 1)
	poor.MaxMemory = 1 << 20
	for _, c := range []struct {
		e           *Extent
		cells, want float64
	}{
		{of(1, 1, 1), .999e6, 1. / 100},
		{of(1, 1, 1), 1.01e6, 1. / 101},
		{of(1, 1, 1), 10, 1. / 8},
		{of(4, 2, 3), 23990, .1},
		{poor, 1e6, 1. / 10},
		{of(0, 1, 1), 1e3, 0},
		{of(math.Inf(1), 1, 1), 1e3, 0},
		{of(1e9, 1e9, 1e9), 1e3, MaxCellSize},
	} {
		if got := c.e.CellSize(c.cells); got != c.want {
			t.Errorf("%g cells in %v: %g m, want %g", c.cells, c.e.Domain, got, c.want)
		}
	}
}

// The memory of a mesh adds to that of the cells.
func TestSurfaceMemory(t *testing.T) {
	e := of(4, 2, 3)
	e.MaxMemory = 30 << 20
	if err := e.Check(.1); err != nil {
		t.Error(err)
	}
	e.Surface = func(h float64) float64 { return 1e5 / (h * h) }
	if got, want := e.Memory(.1), 24000.*1024+1e7; math.Abs(got-want) > 1 || e.Check(.1) == nil {
		t.Errorf("%g bytes, want %g: %v", got, want, e.Check(.1))
	}
}

func TestByteSize(t *testing.T) {
	if a, b := ByteSize(1.5*(1<<20)), ByteSize(2.5*(1<<30)); a != "1.5 MiB" || b != "2.5 GiB" {
		t.Error(a, b)
	}
}
