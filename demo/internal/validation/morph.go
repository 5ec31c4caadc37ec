package validation

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// inTime are keys a second apart.
func inTime(meshes ...shapes.Mesh) (keys []control.Key) {
	for i, m := range meshes {
		keys = append(keys, control.Key{Time: float64(i), Positions: m.Positions, Triangles: m.Triangles})
	}
	return keys
}

// toVolume is a mesh with another volume.
func toVolume(m shapes.Mesh, volume float64) shapes.Mesh {
	scale := math.Cbrt(volume / m.Volume())
	return m.Deformed(func(p r3.Vec) r3.Vec { return r3.Scale(scale, p) })
}

// enough is how many passes the paper says a morph takes.
const enough = 3

// morphed are the frames of a morph after so many passes, whether or not their volumes are kept then.
func morphed(keys []control.Key, frames, passes int) ([]shapes.Mesh, error) {
	clip, _, err := control.Morph{Keys: keys, Frames: frames, Passes: passes}.Solve()
	if err != nil && !errors.Is(err, control.ErrVolume) && !errors.Is(err, control.ErrCrossing) {
		return nil, err
	}
	all, m := make([]shapes.Mesh, clip.Frames()), control.Mesh{}
	for f := range all {
		clip.At(clip.FrameTime(f), &m)
		all[f] = shapes.Mesh{Positions: append([]r3.Vec(nil), m.Positions...), Triangles: m.Triangles}
	}
	return all, nil
}

// volumeError is how far the volume of a frame of a morph is from what lies between those of its keys, of that, at worst, with few frames and many.
func volumeError(keys []control.Key) (worst float64, err error) {
	for _, between := range []int{5, 30, 60} {
		frames, err := morphed(keys, between, enough)
		if err != nil {
			return 0, err
		}
		for f, m := range frames {
			k := min(f/(between+1), len(keys)-2)
			s := float64(f-k*(between+1)) / float64(between+1)
			from, to := shapes.Volume(keys[k].Positions, m.Triangles), shapes.Volume(keys[k+1].Positions, m.Triangles)
			want := from + s*(to-from)
			worst = max(worst, math.Abs(m.Volume()-want)/want)
		}
	}
	return worst, nil
}

// morph is V20: the volume of every frame between shapes, of coarse and fine meshes; and which way the frames go.
func morph() ([]Row, error) {
	cases := []struct {
		name string
		keys func(ball shapes.Mesh) []control.Key
	}{
		{"twists of 30° to 170°", nil},
		{"keys of unequal volume", func(b shapes.Mesh) []control.Key {
			return inTime(b, toVolume(b.Deformed(shapes.Stretch(2)), 2*b.Volume()))
		}},
		{"three keys", func(b shapes.Mesh) []control.Key {
			return inTime(b, toVolume(b.Deformed(shapes.Stretch(1.6)), b.Volume()),
				toVolume(b.Deformed(shapes.Squash(1.5), shapes.Translate(r3.Vec{X: 1})), b.Volume()))
		}},
	}
	var rows []Row
	for _, c := range cases {
		worst := 0.
		for divisions := 1; divisions <= 4; divisions++ {
			ball := shapes.Sphere(.5, divisions)
			var all [][]control.Key
			if c.keys != nil {
				all = append(all, c.keys(ball))
			} else {
				all = twists(ball)
			}
			for _, keys := range all {
				off, err := volumeError(keys)
				if err != nil {
					return nil, fmt.Errorf("V20: %s, %d vertices: %w", c.name, len(ball.Positions), err)
				}
				worst = max(worst, off)
			}
		}
		rows = append(rows, row("V20", "morph, "+c.name+", 42 to 2,562 vertices, 5 to 60 frames between, three passes: volume of a frame off by", worst, 0, control.VolumeTolerance, "1"))
	}
	for _, more := range []func() ([]Row, error){bars, rigidMorph, reversedMorph} {
		got, err := more()
		if err != nil {
			return nil, fmt.Errorf("V20: %w", err)
		}
		rows = append(rows, got...)
	}
	return rows, nil
}

// twists are keys of a long shape, and of it twisted.
func twists(ball shapes.Mesh) (all [][]control.Key) {
	long := ball.Deformed(func(p r3.Vec) r3.Vec { return r3.Vec{X: .8 * p.X, Y: 1.6 * p.Y, Z: .4 * p.Z} })
	for _, degrees := range []float64{30, 60, 90, 120, 150, 170} {
		twisted := long.Deformed(shapes.Twist(degrees*math.Pi/180, -.8, .8))
		all = append(all, inTime(long, toVolume(twisted, long.Volume())))
	}
	return all
}

// bars is the paper's Figure 3: halfway between two bars, a mesh of straight lines and the morph's.
func bars() ([]Row, error) {
	lying, upright := shapes.Bars()
	volume := lying.Volume()
	straight := lying.Deformed()
	for i, p := range upright.Positions {
		straight.Positions[i] = r3.Scale(.5, r3.Add(lying.Positions[i], p))
	}
	frames, err := morphed(inTime(lying, upright), 29, control.DefaultPasses)
	if err != nil {
		return nil, err
	}
	linear, gain := 100*(straight.Volume()/volume-1), 100*(frames[15].Volume()/volume-1)
	return []Row{row("V20", fmt.Sprintf("morph of a bar, halfway, where straight lines gain %.1f %% of volume: gains", linear), gain, 0, 100*control.VolumeTolerance, "%")}, nil
}

// rigidMorph moves and turns a shape: of distances in it none may change.
func rigidMorph() ([]Row, error) {
	shape := shapes.Sphere(.5, 3).Deformed(func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X + .3*p.Z*p.Z, Y: .7 * p.Y, Z: .4 * p.Z} })
	tilt := func(angle float64) shapes.Deformation {
		sin, cos := math.Sincos(angle)
		return func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: cos*p.Y - sin*p.Z, Z: sin*p.Y + cos*p.Z} }
	}
	turned := func(degrees float64, by r3.Vec) shapes.Mesh {
		return shape.Deformed(tilt(.4), shapes.Turn(degrees*math.Pi/180), tilt(-.4), shapes.Translate(by))
	}
	far := r3.Vec{X: 30, Y: -4, Z: 7}
	worst, rest := 0., turned(0, r3.Vec{})
	for _, keys := range [][]control.Key{
		inTime(rest, turned(0, far)), inTime(rest, turned(30, r3.Vec{})), inTime(rest, turned(170, far)), inTime(rest, turned(120, far), turned(200, r3.Vec{})),
	} {
		frames, err := morphed(keys, 30, control.DefaultPasses)
		if err != nil {
			return nil, err
		}
		for _, m := range frames {
			for i, p := range m.Positions {
				for _, j := range [3]int{0, 7, len(m.Positions) - 1} {
					now, then := r3.Norm(r3.Sub(p, m.Positions[j])), r3.Norm(r3.Sub(rest.Positions[i], rest.Positions[j]))
					worst = max(worst, math.Abs(now-then))
				}
			}
		}
	}
	return []Row{row("V20", "morph of a shape that is only moved and turned, by up to 170° and 31 m: distances in it change by", worst, 0, 1e-9, "m")}, nil
}

// reversedMorph morphs back what twists by 170°.
func reversedMorph() ([]Row, error) {
	keys := twists(shapes.Sphere(.5, 3))[5]
	there, err := morphed(keys, 30, control.DefaultPasses)
	if err != nil {
		return nil, err
	}
	keys[0].Positions, keys[1].Positions = keys[1].Positions, keys[0].Positions
	back, err := morphed(keys, 30, control.DefaultPasses)
	if err != nil {
		return nil, err
	}
	worst := 0.
	for f, m := range there {
		for i, p := range back[len(back)-1-f].Positions {
			worst = max(worst, r3.Norm(r3.Sub(p, m.Positions[i])))
		}
	}
	return []Row{row("V20", "morph, twist of 170° and back: the paths are apart by", worst, 0, 1e-9, "m")}, nil
}
