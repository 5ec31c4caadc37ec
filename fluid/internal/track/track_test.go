package track_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/internal/track/mesh"
)

const cellSize = 1. / 24

var domain = r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}

// onOwnLayout makes each tracker over a layout that no cells are on.
var onOwnLayout = []struct {
	name string
	make func(pool *par.Pool) track.Tracker
}{
	{"level set", func(pool *par.Pool) track.Tracker { return levelset.NewTracker(ownLayout(), pool) }},
	{"contour", func(pool *par.Pool) track.Tracker { return contour.NewTracker(ownLayout(), pool, 1, false) }},
	{"mesh", func(pool *par.Pool) track.Tracker { return newMesh(pool, false) }},
	{"free mesh", func(pool *par.Pool) track.Tracker { return newMesh(pool, true) }},
	{"a moving ball", func(*par.Pool) track.Tracker { return &movingBall{} }},
}

func newMesh(pool *par.Pool, free bool) track.Tracker {
	return mesh.New(track.Surroundings{
		Domain: domain, CellSize: cellSize, Tiles: ownLayout().Tiles(), Pool: pool, Spray: droplets.NewSpray(),
		Edges: func(dst []float64, at []r3.Vec) {
			for i := range at {
				dst[i] = cellSize
			}
		},
	}, 1, 1e9, free)
}

func ownLayout() *layout.Grid {
	return layout.New([3]float64{}, cellSize, [3]int{3, 3, 3}, layout.MaxLevel)
}

// movingBall is a tracker of the test's own: a sphere where Union has put it.
type movingBall struct {
	track.Everywhere
	now, kept struct {
		centre r3.Vec
		radius float64
	}
}

func (b *movingBall) Union(s shapes.SDF, _ int32) {
	box := s.Bounds()
	b.now.centre, b.now.radius = r3.Scale(.5, r3.Add(box.Min, box.Max)), (box.Max.X-box.Min.X)/2
}

func (b *movingBall) Advance(by *track.Motion) {
	var v [1]r3.Vec
	by.Velocity(v[:], []r3.Vec{b.now.centre})
	b.now.centre = r3.Add(b.now.centre, r3.Scale(by.Dt, v[0]))
}

func (b *movingBall) Distance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		dst[i] = float32(r3.Norm(r3.Sub(x, b.now.centre)) - b.now.radius)
	}
}

func (b *movingBall) Settle() { b.kept = b.now }
func (b *movingBall) Revert() { b.now = b.kept }

func (b *movingBall) Code(c *codec.Codec) {
	c.Bits(&b.kept.centre.X, &b.kept.centre.Y, &b.kept.centre.Z, &b.kept.radius)
	b.now = b.kept
}

// liquid is what the cells of a lattice of tetrahedra hold that has its surface from a tracker: the volume, m³, and its centre, m.
func liquid(t *testing.T, of track.Tracker) (volume float64, centre r3.Vec) {
	t.Helper()
	var g graph.Graph
	testrig.FillLattice(&g, domain.Max, 1./24, nil, of.Distance)
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	for r, v := range g.Volume {
		volume += float64(v)
		centre = r3.Add(centre, r3.Scale(float64(v), r3.Vec{X: g.Centre[r][0], Y: g.Centre[r][1], Z: g.Centre[r][2]}))
	}
	return volume, r3.Scale(1/volume, centre)
}

// everyTileGrows is a change that moves the surface outwards by so much, m.
func everyTileGrows(by float32) *track.Change {
	tiles := ownLayout().Tiles()
	c := &track.Change{
		Apply: func(dst []float32, at []r3.Vec) {
			for i := range at {
				dst[i] -= by
			}
		},
		Flips:   func(r3.Vec) bool { return true },
		Appears: func(r3.Vec) bool { return false },
	}
	edge := r3.Vec{X: tiles.Edge, Y: tiles.Edge, Z: tiles.Edge}
	for b := range int32(tiles.Len()) {
		c.Boxes = append(c.Boxes, r3.Box{Min: tiles.Corner(b), Max: r3.Add(tiles.Corner(b), edge)})
	}
	return c
}

// A lattice of tetrahedra has its surface from any tracker, which knows of no cells: the tracker moves it by a velocity that a function tells, the lattice
// makes a graph of the distance at its nodes, and liquid is where it is to be, settled, reverted and decoded too.
func TestLatticeWithEachTracker(t *testing.T) {
	const radius, dt = .26, 1. / 60
	start, velocity := r3.Vec{X: .413, Y: .457, Z: .508}, r3.Vec{X: 1.2, Y: .8, Z: -.6}
	for _, c := range onOwnLayout {
		t.Run(c.name, func(t *testing.T) {
			pool := par.New(2)
			defer pool.Close()
			of := c.make(pool)
			motion := track.Motion{Dt: dt, MaxSpeed: r3.Norm(velocity), Velocity: func(dst, at []r3.Vec) {
				for i := range at {
					dst[i] = velocity
				}
			}}
			grown := 0.
			expect := func(what string, steps float64) (volume float64) {
				t.Helper()
				var exact movingBall
				exact.now.centre, exact.now.radius = r3.Add(start, r3.Scale(steps*dt, velocity)), radius+grown
				whole, middle := liquid(t, &exact)
				volume, centre := liquid(t, of)
				if off := r3.Norm(r3.Sub(centre, middle)); math.Abs(volume/whole-1) > .04 || off > .005 {
					t.Errorf("%s: %.5f m³ of %.5f, its centre %.4f m off", what, volume, whole, off)
				}
				return volume
			}
			of.Union(shapes.Sphere(start, radius), 0)
			of.Settle()
			expect("at the start", 0)
			of.Advance(&motion)
			moved := expect("moved", 1)
			of.Revert()
			expect("reverted", 0)
			of.Advance(&motion)
			if again := expect("moved again", 1); math.Abs(again/moved-1) > .01 {
				t.Errorf("%g m³ after a revert, %g before", again, moved)
			}
			of.Settle()
			settled := expect("settled", 1)

			var out, in codec.Codec
			out.Write()
			of.Code(&out)
			if n := len(out.Bytes()); n > of.Most()+64 {
				t.Errorf("%d bytes, %d at most", n, of.Most())
			}
			other := c.make(pool)
			in.Check(out.Bytes(), math.MaxInt)
			other.Code(&in)
			if err := in.End(); err != nil {
				t.Fatal(err)
			}
			in.Read(out.Bytes(), math.MaxInt)
			other.Code(&in)
			of = other
			if decoded := expect("decoded", 1); decoded != settled {
				t.Errorf("%g m³ decoded, %g encoded", decoded, settled)
			}
			of.Advance(&motion)
			expect("moved on", 2)
			if !of.Abilities().Given {
				grown = .4 * cellSize
				of.ApplyChange(everyTileGrows(float32(grown)))
				expect("grown", 2)
			}
		})
	}
}
