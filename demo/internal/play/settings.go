package play

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// cameras are the values of -camera.
var cameras = []string{"orbit", "chase", "fixed", "none"}

// Settings are the flags.
type Settings struct {
	Headless bool
	Frames   int
	Size     option.Size
	Out      string
	Report   string // "": OUT/report.json
	Budget   time.Duration
	Work     float64 // of a headless run's pictures, thousands of unknowns; 0: no limit
	Camera   string
	Sky      string // of skies
	Quality  string // of qualities
	Seed     int
	Cell     float64 // m
	Readings bool
	Every    int    // 0: so that about 16 pictures are written
	Box      string // folder for dumps; "": no black box
	Async    bool
	Cells    fluid.Discretisation
	Grid     string // of grids: what is drawn of the cells
	Tracker  fluid.Tracker
	Thicken  bool          // with contouring
	Made     option.Liquid // water, or what -liquid says
	White    bool          // spray, foam and bubbles
	Compare  bool          // in a headless run, play with each of the trackers
	Variant  int           // which of the demo's Variants, in a headless run
	Tracing  Tracing
}

// whiteWater is how many particles of spray, foam and bubbles there may be.
const whiteWater = 20_000

// Liquid is what the flags say of the liquid.
func (s *Settings) Liquid() fluid.Def {
	def := fluid.Def{CellSize: s.Cell, Discretisation: s.Cells, Tracker: s.Tracker, Numerics: fluid.Numerics{Thickening: s.Thicken}, Budget: fluid.Budget{Step: s.Budget}}
	if m := s.Made.Material; m != (fluid.Material{}) {
		def = def.With(m)
	}
	if s.White {
		def.WhiteWater = whiteWater
	}
	if s.Async {
		def.Resources.Workers = runtime.GOMAXPROCS(0) - 1 // leave one processor to the frames
	}
	return def
}

// defaultWork, thousands of unknowns, is what two quiet cores step 60 times a second.
const defaultWork = 20

// drawnWithin is the budget of a headless run's pictures.
func (s *Settings) drawnWithin() fluid.Budget { return fluid.Budget{Work: s.Work} }

// keyNote is the line below the flags that says what keys and mouse do.
func keyNote(help []string) string { return "in the window: " + strings.Join(help, ", ") }

// options are those of the liquid's node. cue is called before each step.
func (s *Settings) options(cue func()) scene.LiquidOptions {
	o := scene.LiquidOptions{Height: s.Size.Height, BeforeStep: cue, Async: s.Async, Look: looks[s.Made.Name]}
	if s.Async {
		o.MaxSteps = 1 // each with its own cue
	}
	return s.looks(o)
}

// pictures is how many pictures a headless run aims for.
const pictures = 16

// ReadSettings reads the command line. It returns option.ErrHelp after printing nothing for -h.
func (d *Demo[S]) ReadSettings(args []string) (Settings, *option.Set, error) {
	s := Settings{
		Frames: d.Frames, Size: option.Size{Width: 1280, Height: 720}, Out: "out/" + d.Name,
		Budget: cmp.Or(d.Budget, 8*time.Millisecond), Work: defaultWork, Camera: cmp.Or(d.Camera, cameras[0]), Seed: 1, Cell: d.Cell, White: d.White, Readings: true, Grid: grids[0],
	}
	set := option.New(d.Name)
	s.common(set)
	set.Duration(&s.Budget, 0, time.Second, "budget", "time a step may take; 0 means no limit. A headless run draws its pictures without, and takes its steps once more within it, undrawn, for the report")
	set.Number(&s.Work, 0, 1000, "work", "thousands of unknowns that the pictures of a headless run are made with, so that they are the same on every machine; 0 means no limit")
	set.Choice(&s.Camera, cameras, "camera", fmt.Sprintf("orbit, chase (%s), fixed, or none (fixed, and the grid does not follow it)", d.Chased))
	s.skyFlag(set, d.Sky)
	s.qualityFlag(set)
	if d.Seeded != "" {
		set.Int(&s.Seed, 0, 1_000_000_000, "seed", d.Seeded)
	}
	if d.boxed() {
		set.Text(&s.Box, "box", "keep a black box that dumps the last ten seconds into this folder when a step misses its budget; demo/replay takes them again")
	}
	set.Bool(&s.Async, "async", "take the steps beside the frames; a headless run still draws nothing while a step is timed")
	set.Number(&s.Cell, d.Finest, d.Coarsest, "cell", "edge of the finest cells, m")
	set.Discretisation(&s.Cells, "cells", "what cells space is divided into")
	set.Choice(&s.Grid, grids, "grid", "what is drawn of the cells over the liquid: none, blocks of one size each, or a cut through the cells that faces the camera; key G changes it")
	if d.Tracked {
		set.Tracker(&s.Tracker, "tracker", "how the liquid's surface is followed")
		set.Bool(&s.Compare, "compare", "a headless run with each of the trackers that there are: a row each of the contact sheet")
	}
	if d.Thin {
		set.Bool(&s.Thicken, "thickening", "with -tracker contour, keep what is thinner than its samples")
	}
	if d.Liquids {
		set.Liquid(&s.Made, "liquid", "what the liquid is (ray tracing shows water)")
	}
	if d.White {
		set.Bool(&s.White, "whitewater", "spray, foam and bubbles where the liquid splashes; false for none")
	}
	d.tracedFlags(&s, set)
	if d.Flags != nil {
		d.Flags(set)
	}
	set.Note(keyNote(d.help(Settings{})))
	err := set.Parse(args)
	s.Tracing.posed = set.Given("camera")
	if s.Tracing.On && !set.Given("frames") {
		s.Frames = d.Traced.Frames
	}
	return s, set, err
}

// common adds the flags that demos without liquid have too.
func (s *Settings) common(set *option.Set) {
	set.Bool(&s.Headless, "headless", "draw into files, at 1/60 s a frame, instead of a window")
	set.Int(&s.Frames, 1, 1_000_000, "frames", "steps of a headless run")
	set.Size(&s.Size, "size", "size of the window or of the pictures, pixels")
	set.Text(&s.Out, "out", "folder for a headless run's pictures")
	set.Text(&s.Report, "report", "file for a headless run's report (default report.json in -out)")
	set.Bool(&s.Readings, "readings", "show the numbers in the corner")
	set.Int(&s.Every, 0, 1_000_000, "every", "write every so many frames; 0 means about 16 pictures in all")
}

// variants are the settings of what a headless run plays one after another, with their names.
func (d *Demo[S]) variants(s Settings) (all []Settings, names []string) {
	if s.Compare {
		for i, word := range option.Trackers {
			if s.Tracker, s.Thicken = fluid.Tracker(i), false; !available(s.Cells, s.Tracker) {
				continue
			}
			all, names = append(all, s), append(names, word)
			if d.Thin && s.Tracker == fluid.Contouring {
				s.Thicken = true
				all, names = append(all, s), append(names, word+"-thickened")
			}
		}
		return all, names
	}
	if d.Variants != nil {
		names = d.Variants()
	}
	for i := range names {
		s.Variant = i
		all = append(all, s)
	}
	return all, names
}

// available tells whether a tracker is there for such cells.
func available(c fluid.Discretisation, t fluid.Tracker) bool {
	return fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1, Discretisation: c, Tracker: t}.Validate() == nil
}

// reportPath is where the report goes.
func (s *Settings) reportPath() string {
	return report.Path(s.Report, s.Out)
}

// stride is the number of frames between pictures.
func (s *Settings) stride() int {
	if s.Every > 0 {
		return s.Every
	}
	return max(1, (s.Frames+pictures-1)/pictures)
}

// drawn says whether frame n, counted from 1, is written; the last one always is.
func (s *Settings) drawn(n int) bool { return n%s.stride() == 0 || n == s.Frames }
