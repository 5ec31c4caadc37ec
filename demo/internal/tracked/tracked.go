// Package tracked compares the surface trackers in flows that are given and bring the surface back: pictures, drawn without a screen, and a table.
package tracked

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/portrait"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Test is a flow with a shape.
type Test struct {
	Name string
	Run  func(tracktest.Run) (tracktest.Result, error)
	// Frames are the pictures' numbers, PerSecond of them in a second. Brief are those of them on the sheet of all trackers.
	Frames, Brief []int
	PerSecond     float64
	// Back points towards the eye, Centre is in the middle of the pictures, which are Width wide, m.
	Back, Centre r3.Vec
	Width        float64
	// Cells and Vertices are the smaller size by default. The larger has twice the cells along an edge, and Finer times the vertices.
	Cells, Vertices, Finer int
}

// Failed is the exit code for what went wrong on the way.
const Failed = 1

// The sizes.
const (
	small = "small"
	large = "large"
)

var sizes = []string{small, large}

// settings are the flags.
type settings struct {
	out, report     string
	size            option.Size
	trackers, sizes []string
	cells, vertices int
	edges           bool
}

func (t *Test) readSettings(args []string) (settings, *option.Set, error) {
	s := settings{
		out: "out/" + t.Name, size: option.Size{Width: 320, Height: 320}, trackers: option.Trackers, sizes: sizes, cells: t.Cells, vertices: t.Vertices,
	}
	set := option.New(t.Name)
	set.Text(&s.out, "out", "folder for the pictures")
	set.Text(&s.report, "report", "file for the report (default report.json in -out)")
	set.Size(&s.size, "size", "size of a picture on the sheets, pixels")
	set.Choices(&s.trackers, option.Trackers, "trackers", "which of levelset, contour and mesh")
	set.Choices(&s.sizes, sizes, "sizes", fmt.Sprintf("small (-cells, -vertices) and large (twice the cells along an edge, %d times the vertices)", t.Finer))
	set.Int(&s.cells, 1, 32, "cells", "cells along the unit cube of the smaller size, in eights")
	set.Int(&s.vertices, 100, 10_000, "vertices", "vertices of the mesh at the beginning, of the smaller size")
	set.Bool(&s.edges, "edges", "draw the triangles' edges")
	err := set.Parse(args)
	return s, set, err
}

// Main runs the test as the arguments, without the program's name, say. It returns the exit code. No screen is needed.
func (t *Test) Main(args []string) int {
	s, set, err := t.readSettings(args)
	if code, ends := set.Ends(err, os.Stdout, os.Stderr); ends {
		return code
	}
	if err := t.compare(s); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", t.Name, err)
		return Failed
	}
	return 0
}

// Row is a line of the table.
type Row struct {
	Tracker string  `json:"tracker"`
	Size    string  `json:"size"`
	Volume  float64 `json:"volume"` // of what it was
	L1      float64 `json:"l1"`     // of the volume that it was
	Seconds float64 `json:"seconds"`
	Steps   int     `json:"steps"`
	// Vertices are those in the middle of the time.
	Vertices int `json:"vertices"`
}

// compare runs the trackers, draws a sheet for each run and one of all, and prints the table.
func (t *Test) compare(s settings) error {
	var rows []Row
	all := picture.Sheet{Columns: len(t.Brief), Width: s.size.Width * 3 / 4}
	for _, size := range s.sizes {
		for i, word := range option.Trackers {
			if !slices.Contains(s.trackers, word) {
				continue
			}
			run := tracktest.Run{Tracker: tracktest.Trackers[i], Size: t.sizeOf(s, word, size)}
			row, err := t.film(s, word, run, &all)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	fmt.Print(table(rows))
	file := report.Path(s.report, s.out)
	if err := report.Write(file, rows); err != nil {
		return err
	}
	fmt.Printf("a sheet of each, contact.png with all in %s, report in %s\n", s.out, file)
	return adapter.SavePNG(filepath.Join(s.out, "contact.png"), all.Image())
}

// sizeOf is that of a run: cells or vertices.
func (t *Test) sizeOf(s settings, word, size string) int {
	n, finer := 8*s.cells, 2
	if word == mesh {
		n, finer = s.vertices, t.Finer
	}
	if size == large {
		n *= finer
	}
	return n
}

// mesh is the word for the tracker whose size is not cells.
var mesh = option.Trackers[fluid.ExplicitMesh]

// unit is what a tracker's size counts.
func unit(word string) string {
	if word == mesh {
		return "vertices"
	}
	return "cells"
}

// film runs a tracker and draws its sheet, and its row of the sheet of all.
func (t *Test) film(s settings, word string, run tracktest.Run, all *picture.Sheet) (Row, error) {
	row := Row{Tracker: run.Tracker.String(), Size: fmt.Sprintf("%d %s", run.Size, unit(word))}
	name := fmt.Sprintf("%s, %s", row.Tracker, row.Size)
	line := progress.New(os.Stderr, name, len(t.Frames))
	own := picture.Sheet{Columns: 4, Width: s.size.Width}
	for _, frame := range t.Frames {
		run.At = append(run.At, float64(frame)/t.PerSecond)
	}
	run.Watch = func(m tracktest.Moment) {
		view := portrait.View{Back: t.Back, Centre: t.Centre, Edges: s.edges}
		img := view.Water(image.Pt(s.size.Width, s.size.Height), t.Width, m.Positions, m.Triangles)
		frame := t.Frames[own.Len()]
		own.Add(img, frame)
		if slices.Contains(t.Brief, frame) {
			all.Add(img, frame)
		}
		line.Done(own.Len(), "")
	}
	result, err := t.Run(run)
	if err != nil {
		return row, err
	}
	row.Volume, row.L1, row.Seconds, row.Steps, row.Vertices = result.Volume, result.L1, result.Seconds, result.Steps, result.Vertices
	all.Rows = append(all.Rows, name)
	return row, adapter.SavePNG(filepath.Join(s.out, fmt.Sprintf("%s-%d.png", word, run.Size)), own.Image())
}
