// Topology shows how an explicit surface mesh merges, separates, gets a hole and closes it, tears, opens a bubble, and how what must not merge stays apart: a row of
// pictures for each scene, with the triangles' edges. It needs no screen.
//
//	go run ./demo/topology
//	go run ./demo/topology -scenes genus,tear -edge .1
package main

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/portrait"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

func main() { os.Exit(Main(os.Args[1:])) }

// Failed is the exit code for what went wrong on the way.
const Failed = 1

// columns is how many pictures a scene has.
const columns = 6

// sight is from where a scene is seen, and how wide its pictures are, m.
type sight struct {
	back, centre r3.Vec
	width        float64
	cut          bool // what is nearer than the centre is left away, to see what is inside
	// at are the pictures' times, of the scene's; nil: all over it.
	at []float64
}

var sights = map[string]sight{
	"merge":    {back: r3.Vec{X: .1, Y: .25, Z: 1}, width: 3.2, at: []float64{0, .2, .24, .28, .4, 1}},
	"separate": {back: r3.Vec{X: .1, Y: .25, Z: 1}, width: 5},
	"genus":    {back: r3.Vec{X: .35, Y: -.6, Z: 1}, width: 2.8},
	"tear":     {back: r3.Vec{X: .35, Y: -.6, Z: 1}, width: 4.2},
	"pop":      {back: r3.Vec{X: .2, Y: .35, Z: 1}, width: 2.4, cut: true, at: []float64{0, .25, .5, .56, .6, .75}},
	"apart":    {back: r3.Vec{X: .1, Y: .25, Z: 1}, width: 3.2},
	"fold":     {back: r3.Vec{X: .25, Y: .4, Z: 1}, centre: r3.Vec{Y: .6}, width: 3.4},
}

// settings are the flags.
type settings struct {
	out, report string
	size        option.Size
	scenes      []string
	edge        float64
	edges       bool
}

func names(all []tracktest.Topology) (words []string) {
	for i := range all {
		words = append(words, all[i].Name)
	}
	return words
}

func readSettings(args []string, words []string) (settings, *option.Set, error) {
	s := settings{out: "out/topology", size: option.Size{Width: 240, Height: 200}, scenes: words, edge: .12, edges: true}
	set := option.New("topology")
	set.Text(&s.out, "out", "folder for the pictures")
	set.Text(&s.report, "report", "file for the report (default report.json in -out)")
	set.Size(&s.size, "size", "size of a picture on the sheets, pixels")
	set.Choices(&s.scenes, words, "scenes", "which of them")
	set.Number(&s.edge, .05, .3, "edge", "how long the triangles' edges are to be, m")
	set.Bool(&s.edges, "edges", "draw the triangles' edges")
	err := set.Parse(args)
	return s, set, err
}

// Main runs the scenes as the arguments, without the program's name, say. It returns the exit code. No screen is needed.
func Main(args []string) int {
	all := tracktest.Topologies()
	s, set, err := readSettings(args, names(all))
	if code, ends := set.Ends(err, os.Stdout, os.Stderr); ends {
		return code
	}
	if err := show(s, all); err != nil {
		fmt.Fprintf(os.Stderr, "topology: %v\n", err)
		return Failed
	}
	return 0
}

// Row is a line of the table.
type Row struct {
	Scene string `json:"scene"`
	tracktest.TopologyResult
}

// show runs the scenes, draws the sheet, and prints the table.
func show(s settings, all []tracktest.Topology) error {
	var rows []Row
	sheet := picture.Sheet{Columns: columns, Width: s.size.Width}
	for i := range all {
		if !slices.Contains(s.scenes, all[i].Name) {
			continue
		}
		result, err := film(s, &all[i], &sheet)
		if err != nil {
			return err
		}
		sheet.Rows = append(sheet.Rows, all[i].Name)
		rows = append(rows, Row{all[i].Name, result})
	}
	fmt.Print(table(rows))
	file := report.Path(s.report, s.out)
	if err := report.Write(file, rows); err != nil {
		return err
	}
	fmt.Printf("contact.png in %s, report in %s\n", s.out, file)
	return adapter.SavePNG(filepath.Join(s.out, "contact.png"), sheet.Image())
}

// film runs a scene and draws its row. The pictures' numbers are hundredths of a second.
func film(s settings, scene *tracktest.Topology, sheet *picture.Sheet) (tracktest.TopologyResult, error) {
	line := progress.New(os.Stderr, scene.Name, columns)
	run := tracktest.TopologyRun{Edge: s.edge}
	for i := range columns {
		part := float64(i) / (columns - 1)
		if at := sights[scene.Name].at; at != nil {
			part = at[i]
		}
		run.At = append(run.At, scene.Seconds*part)
	}
	done := 0
	run.Watch = func(m tracktest.Moment) {
		sheet.Add(portray(s, scene.Name, &m), int(math.Round(100*m.Time)))
		done++
		line.Done(done, "")
	}
	return scene.Run(run)
}

// portray draws a moment.
func portray(s settings, name string, m *tracktest.Moment) *image.RGBA {
	from := sights[name]
	triangles := m.Triangles
	if from.cut {
		triangles = slices.DeleteFunc(slices.Clone(triangles), func(t [3]int32) bool {
			middle := r3.Add(r3.Add(m.Positions[t[0]], m.Positions[t[1]]), m.Positions[t[2]])
			return middle.Z > 0
		})
	}
	view := portrait.View{Back: from.back, Centre: from.centre, Edges: s.edges}
	return view.Water(image.Pt(s.size.Width, s.size.Height), from.width, m.Positions, triangles)
}

// table prints the rows.
func table(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %-8s | %6s | %5s | %7s | %8s | %8s | %10s | %10s | %8s | %6s |\n", "scene", "pieces", "Euler", "changes", "vertices", "steps", "volume off", "10° or more", "least °", "s")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %-8s | %6d | %5d | %7d | %8d | %8d | %10.1e | %9.2f %% | %8.1f | %6.1f |\n",
			r.Scene, r.Pieces, r.Euler, r.Changes, r.Vertices, r.Steps, r.Off, 100*r.Good, r.Smallest*180/math.Pi, r.Seconds)
	}
	return b.String()
}
