package main

import (
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/option"
)

// cameras are the values of -camera.
var cameras = []string{"orbit", "chase", "fixed", "none"}

// settings are the flags.
type settings struct {
	headless bool
	frames   int
	size     option.Size
	out      string
	report   string // "": OUT/report.json
	budget   time.Duration
	camera   string
	seed     int
	cell     float64 // m
	every    int     // 0: so that about 16 pictures are written
}

// pictures is how many pictures a headless run aims for.
const pictures = 16

// readSettings reads the command line. It returns option.ErrHelp after printing nothing for -h.
func readSettings(args []string) (settings, *option.Set, error) {
	s := settings{
		frames: 600, size: option.Size{Width: 1280, Height: 720}, out: "out/pool",
		budget: 8 * time.Millisecond, camera: "orbit", seed: 1, cell: 0.08,
	}
	set := option.New("pool")
	set.Bool(&s.headless, "headless", "draw into files, at 1/60 s a frame, instead of a window")
	set.Int(&s.frames, 1, 1_000_000, "frames", "steps of a headless run")
	set.Size(&s.size, "size", "size of the window or of the pictures, pixels")
	set.Text(&s.out, "out", "folder for a headless run's pictures")
	set.Text(&s.report, "report", "file for a headless run's report (default report.json in -out)")
	set.Duration(&s.budget, 0, time.Second, "budget", "time a step may take; 0 means no limit, and then the same seed gives the same bits")
	set.Choice(&s.camera, cameras, "camera", "orbit, chase (the dinghy), fixed, or none (fixed, and the grid does not follow it)")
	set.Int(&s.seed, 0, 1_000_000_000, "seed", "how the bodies lie when they are dropped")
	set.Number(&s.cell, 0.02, 0.2, "cell", "edge of the finest cells, m")
	set.Int(&s.every, 0, 1_000_000, "every", "write every so many frames; 0 means about 16 pictures in all")
	err := set.Parse(args)
	return s, set, err
}

// stride is the number of frames between pictures.
func (s *settings) stride() int {
	if s.every > 0 {
		return s.every
	}
	return max(1, (s.frames+pictures-1)/pictures)
}

// drawn says whether frame n, counted from 1, is written; the last one always is.
func (s *settings) drawn(n int) bool { return n%s.stride() == 0 || n == s.frames }
