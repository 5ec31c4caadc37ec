package play

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/site"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Traced is a demo's picture by ray tracing.
type Traced[S Scenario] struct {
	// View is the camera unless -camera is given.
	View view.Pose
	// Frames is after how many steps by default.
	Frames int
	// Dress builds what a camera at eye sees of the scenario as it stands; nil: there are no such pictures.
	Dress func(scenario S, garden bool, eye r3.Vec) *site.Site
}

// Tracing is what the flags say of a picture by ray tracing.
type Tracing struct {
	On      bool
	Garden  bool
	Samples int     // for each pixel at most
	Error   float64 // of raytrace.Options
	Photons int     // thousands
	posed   bool    // by -camera
}

// tracedFlags adds the flags of pictures by ray tracing.
func (d *Demo[S]) tracedFlags(s *Settings, set *option.Set) {
	if d.Traced.Dress == nil {
		return
	}
	s.Tracing = Tracing{Garden: true, Samples: 64, Error: .01, Photons: 2000}
	t := &s.Tracing
	set.Bool(&t.On, "traced", fmt.Sprintf("draw one picture by ray tracing, traced.png, of the last of -frames steps (default then %d), without a screen", d.Traced.Frames))
	set.Bool(&t.Garden, "garden", "with -traced, put the basin into a garden; false means surroundings as in the window")
	set.Int(&t.Samples, 1, 100_000, "samples", "with -traced, rays for each pixel at most")
	set.Number(&t.Error, 0, 1, "error", "with -traced, how unsure a pixel's brightness, 0 to 1, may stay with fewer samples")
	set.Int(&t.Photons, 1, 100_000, "photons", "with -traced, thousands of photons for the light that waves bend")
}

// runTraced plays the scenario and draws its last frame by ray tracing. It needs no screen.
func (d *Demo[S]) runTraced(s Settings) error {
	start := time.Now()
	scenario, err := d.New(s)
	if err != nil {
		return err
	}
	defer scenario.Close()
	pose, err := d.playOn(s, scenario)
	if err != nil {
		return err
	}
	played := time.Now()
	img, err := d.trace(s, scenario, pose)
	if err != nil {
		return err
	}
	file := filepath.Join(s.Out, "traced.png")
	if err := adapter.SavePNG(file, img); err != nil {
		return err
	}
	round := func(d time.Duration) time.Duration { return d.Round(time.Second / 10) }
	fmt.Printf("%s: %d steps in %v, %v with %d samples in %v\n", file, s.Frames, round(played.Sub(start)), s.Size, s.Tracing.Samples, round(time.Since(played)))
	return nil
}

// playOn takes the steps, within the budget of a headless run's pictures, and returns the camera of the last.
func (d *Demo[S]) playOn(s Settings, scenario S) (pose view.Pose, err error) {
	if err := scenario.Liquid().SetBudget(s.drawnWithin()); err != nil {
		return pose, err
	}
	line := progress.New(os.Stderr, "step", s.Frames)
	moves := NewMover(s.Camera, d.Views)
	for n := 1; n <= s.Frames; n++ {
		if pose = moves.Advance(Timestep, scenario.Subject()); !s.Tracing.posed {
			pose = d.Traced.View
		}
		if moves.steers() {
			if err := scenario.Liquid().SetView(ViewOf(pose, s.Size)); err != nil {
				return pose, err
			}
		}
		r, err := Step(scenario)
		if err != nil {
			return pose, err
		}
		line.Done(n, fmt.Sprintf("step %.1f ms, %d unknowns", report.Milliseconds(r.Duration), r.UnknownCount()))
	}
	return pose, nil
}

// trace draws a scenario as it stands by ray tracing.
func (d *Demo[S]) trace(s Settings, scenario S, pose view.Pose) (*image.RGBA, error) {
	p := d.Traced.Dress(scenario, s.Tracing.Garden, pose.Eye)
	s.light(&p.Sky)
	line := progress.New(os.Stderr, "row", s.Size.Height)
	t, err := raytrace.New(&p.Scene, raytrace.Options{
		Samples: s.Tracing.Samples, Error: s.Tracing.Error, Photons: 1000 * s.Tracing.Photons, Progress: func(rows int) { line.Done(rows, "") },
	})
	if err != nil {
		return nil, err
	}
	v := ViewOf(pose, s.Size)
	camera, err := raytrace.NewCamera(v.View, v.Projection)
	if err != nil {
		return nil, err
	}
	film, err := t.Render(camera, s.Size.Width, s.Size.Height)
	if err != nil {
		return nil, err
	}
	return film.Image(1), nil
}

// Likenesses plays the scenario and draws it as it stands then, as the fixed camera sees it and as that of Traced does: by OpenGL into drawn_NNNNN.png, four
// times as large, and by ray tracing into traced_NNNNN.png.
func (d *Demo[S]) Likenesses(s Settings) error {
	scenario, err := d.New(s)
	if err != nil {
		return err
	}
	defer scenario.Close()
	large := s
	large.Size = option.Size{Width: 4 * s.Size.Width, Height: 4 * s.Size.Height}
	large.Readings = false
	st, err := openStudio(d.Name, large)
	if err != nil {
		return err
	}
	d.dress(st, large, scenario)
	defer st.stage.Root.Dispose()
	if _, err := d.playOn(s, scenario); err != nil {
		return err
	}
	st.name = "drawn"
	for i, pose := range []view.Pose{d.Views.Fixed, d.Traced.View} {
		look(scenario, pose)
		place(st.cam, pose)
		if err := st.shoot(i+1, pose); err != nil {
			return err
		}
		img, err := d.trace(s, scenario, pose)
		if err != nil {
			return err
		}
		if err := adapter.SavePNG(filepath.Join(s.Out, fmt.Sprintf("traced_%05d.png", i+1)), img); err != nil {
			return err
		}
	}
	return nil
}
