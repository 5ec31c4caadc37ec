//go:build unix

package validation

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/fluid"
)

// go test ./demo/internal/validation -run SurfaceDetail -v -detail
var detailTable = flag.Bool("detail", false, "compare all trackers with all details with a run that is fine throughout; takes minutes")

// detailScene is one that is much the same whatever the cells, until it breaks up.
type detailScene struct {
	name  string
	shape fluid.SDF
	times []float64 // of measurement, s
}

var detailScenes = []detailScene{
	{"dam", fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .5, Y: .6, Z: 1}}), []float64{.2, .3, .4, .5}},
	{"ripples", ripples{}, []float64{.1, .2, .3, .5}},
}

// ripples is a still pool with waves of two lengths: one that cells of 5 cm resolve, and one that is shorter than two of them.
type ripples struct{}

func (ripples) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(p.Y - .5 - .02*math.Cos(2*math.Pi*p.X/.8) - .005*math.Cos(2*math.Pi*p.X/.08))
	}
}

func (ripples) Bounds() r3.Box { return fluid.Below(.53).Bounds() }

// detailed is a run of a scene.
type detailed struct {
	tracker fluid.Tracker
	cell    float64
	detail  int
}

func (d detailed) String() string {
	return fmt.Sprintf("%s, cells of %g mm, detail %d", option.Trackers[d.tracker], 1000*d.cell, d.detail)
}

// skins are the free surfaces at the times, and the CPU time of a step, ms.
func (d detailed) skins(t *testing.T, s detailScene) (skins [][]r3.Vec, faces [][][3]int32, ms float64) {
	t.Helper()
	l, err := filled(fluid.Def{Domain: size(1.6, 1, .2), CellSize: d.cell, Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: d.detail}, Resources: fluid.Resources{Workers: 1}, Tracker: d.tracker}, s.shape)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const dt = 1. / 60
	steps := 0
	for _, at := range s.times {
		for float64(steps)*dt < at-dt/2 {
			begun := userTime()
			r := *l.Step(dt)
			ms += userTime() - begun
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			steps++
		}
		p, f := freeSkin(l.Surface())
		skins, faces = append(skins, p), append(faces, f)
	}
	return skins, faces, ms / float64(steps)
}

func userTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return 1e3*float64(u.Utime.Sec) + 1e-3*float64(u.Utime.Usec)
}

// freeSkin is the free part of a surface.
func freeSkin(s *fluid.Surface) (positions []r3.Vec, faces [][3]int32) {
	number := map[uint32]int32{}
	for i := 0; i < s.Free; i += 3 {
		var f [3]int32
		for k, v := range s.Indices[i : i+3] {
			n, ok := number[v]
			if !ok {
				n = int32(len(positions))
				number[v] = n
				p := s.Positions[3*v:]
				positions = append(positions, r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
			}
			f[k] = n
		}
		faces = append(faces, f)
	}
	return positions, faces
}

// skinsApart is the root mean square of how far the centres of either surface's faces are from the other, by area, mm.
func skinsApart(p []r3.Vec, f [][3]int32, q []r3.Vec, g [][3]int32) float64 {
	const lattice = .02
	square, area := 0., 0.
	one := func(p []r3.Vec, f [][3]int32, from *bins) {
		sum, all := 0., 0.
		for _, t := range f {
			a, b, c := p[t[0]], p[t[1]], p[t[2]]
			w := r3.Norm(r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
			d := from.distance(r3.Scale(1./3, r3.Add(a, r3.Add(b, c))))
			sum, all = sum+w*d*d, all+w
		}
		square, area = square+sum/all, area+1
	}
	one(p, f, newBins(q, g, lattice))
	one(q, g, newBins(p, f, lattice))
	return 1000 * math.Sqrt(square/area)
}

// detailRuns are the rows of the table.
var detailRuns = []detailed{
	{fluid.LevelSet, .05, 0}, {fluid.LevelSet, .04, 0}, {fluid.LevelSet, .025, 0},
	{fluid.Contouring, .05, 1}, {fluid.Contouring, .05, 2}, {fluid.Contouring, .05, 4},
	{fluid.ExplicitMesh, .05, 1}, {fluid.ExplicitMesh, .05, 2}, {fluid.ExplicitMesh, .05, 4},
}

// It prints the table of the scorecard's page.
func TestSurfaceDetailTable(t *testing.T) {
	if !*detailTable {
		t.Skip("run it with -detail")
	}
	lines := make([]string, len(detailRuns))
	for i, d := range detailRuns {
		lines[i] = fmt.Sprintf("| %s | %g mm | %d |", cmp.Or(trackerNames[d.tracker], "level set"), 1000*d.cell, max(1, d.detail))
	}
	head, rule := "| tracker | cells | detail |", "|---|---|---|"
	for _, s := range detailScenes {
		p, f, _ := detailed{fluid.LevelSet, .0125, 0}.skins(t, s)
		head, rule = head+fmt.Sprintf(" %s: RMS | ms a step |", s.name), rule+"---|---|"
		for i, d := range detailRuns {
			q, g, ms := d.skins(t, s)
			square, off := 0., make([]float64, len(p))
			for k := range p {
				off[k] = skinsApart(p[k], f[k], q[k], g[k])
				square += off[k] * off[k] / float64(len(p))
			}
			t.Logf("%s, %s: %.1f mm", d, s.name, off)
			lines[i] += fmt.Sprintf(" %.1f mm | %.1f |", math.Sqrt(square), ms)
		}
	}
	t.Logf("root mean squares:\n%s", strings.Join(append([]string{head, rule}, lines...), "\n"))
}
