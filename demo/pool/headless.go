package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
)

// studio draws a pool into files.
type studio struct {
	settings settings
	gs       *gls.GLS
	rend     *renderer.Renderer
	cam      *camera.Camera
	stage    *stage
	sheet    picture.Sheet
	shown    int // frame last drawn
}

// runHeadless steps the pool at 1/60 s a frame, draws the frames that it writes, and
// reports. Nothing is drawn while a step is timed.
func runHeadless(s settings) error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	p, err := newPool(s.cell, s.budget, s.seed)
	if err != nil {
		return err
	}
	defer p.close()
	studio, err := openStudio(s, p)
	if err != nil {
		return err
	}
	rec := report.Recorder{Budget: s.budget}
	if err := studio.film(p, &rec); err != nil {
		return err
	}
	if err := picture.WritePNG(filepath.Join(s.out, "contact.png"), studio.sheet.Image()); err != nil {
		return err
	}
	run := rec.Run(p.liquid.Ledger(), p.liquid.Surface(), p.bodies())
	path := s.report
	if path == "" {
		path = filepath.Join(s.out, "report.json")
	}
	if err := run.Write(path); err != nil {
		return err
	}
	for _, note := range rec.Notes() {
		fmt.Fprintln(os.Stderr, "pool:", note)
	}
	fmt.Println(run.Summary())
	fmt.Printf("%d pictures and contact.png in %s, report in %s\n", studio.sheet.Len(), s.out, path)
	return nil
}

func openStudio(s settings, p *pool) (*studio, error) {
	if err := window.Init(s.size.Width, s.size.Height, "pool"); err != nil {
		return nil, fmt.Errorf("no window: %w", err)
	}
	st := &studio{settings: s, gs: window.Get().Gls(), cam: newCamera(s.size.Width, s.size.Height)}
	st.rend = renderer.NewRenderer(st.gs)
	if err := st.rend.AddDefaultShaders(); err != nil {
		return nil, err
	}
	st.gs.Viewport(0, 0, int32(s.size.Width), int32(s.size.Height))
	clearColour(st.gs)
	st.stage = newStage(p, s.size.Height)
	return st, nil
}

// film takes the steps and draws the frames that are due.
func (st *studio) film(p *pool, rec *report.Recorder) error {
	s := &st.settings
	moves := newMover(s.camera)
	line := progress.New(os.Stderr, "frame", s.frames)
	for n := 1; n <= s.frames; n++ {
		pose := moves.advance(timestep, p.subject())
		if moves.steers() {
			if err := p.liquid.SetView(st.viewOf(pose)); err != nil {
				return err
			}
		}
		r, err := p.step()
		if err != nil {
			return err
		}
		rec.Add(&r)
		if s.drawn(n) {
			if err := st.shoot(n, pose); err != nil {
				return err
			}
		}
		line.Done(n, fmt.Sprintf("step %.1f ms, %d unknowns", report.Milliseconds(r.Duration), r.UnknownCount()))
	}
	return nil
}

// viewOf is the pose as the liquid takes it; the same for every frame, drawn or not.
func (st *studio) viewOf(pose view.Pose) fluid.View {
	z := st.settings.size
	return fluid.View{
		View: pose.LookAt(), Height: z.Height,
		Projection: view.Perspective(fieldOfView, float64(z.Width)/float64(z.Height), near, far),
	}
}

// shoot draws frame n and writes it.
func (st *studio) shoot(n int, pose view.Pose) error {
	place(st.cam, pose)
	st.stage.openSides(pose.Eye)
	st.stage.water.Refresh(1, time.Duration(float64(n-st.shown)*timestep*float64(time.Second)))
	st.shown = n
	if err := st.stage.water.Draw(st.rend, st.stage.root, st.cam); err != nil {
		return err
	}
	img := st.grab()
	st.sheet.Add(img, n)
	return picture.WritePNG(filepath.Join(st.settings.out, fmt.Sprintf("frame_%05d.png", n)), img)
}

func (st *studio) grab() *image.RGBA {
	w, h := st.settings.size.Width, st.settings.size.Height
	return picture.FromGL(st.gs.ReadPixels(0, 0, w, h, gls.RGBA, gls.UNSIGNED_BYTE), w, h)
}
