package tracktest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh/topology"
)

// Topology is a scene in which the surface of the explicit mesh changes its topology, or must not, moved by a prescribed flow and by surface tension.
// Each piece keeps its volume.
//
// Source: Brochu 2006, Figures 6.1 to 6.3, for the first ones.
type Topology struct {
	Name    string
	Seconds float64 // duration, s
	// Euler is the Euler characteristic at the end, Pieces the number of pieces.
	Euler, Pieces int

	scene *topology.Scene
}

// Topologies returns all scenes.
func Topologies() (all []Topology) {
	for i := range topology.Scenes {
		s := &topology.Scenes[i]
		last := len(s.Euler) - 1
		all = append(all, Topology{s.Name, s.Seconds, s.Euler[last], s.Pieces[last], s})
	}
	return all
}

// TopologyRun is the parameters of a run.
type TopologyRun struct {
	Edge float64 // target edge length, m, .05 to .3
	// At are the times, s, ascending, at which Watch gets the surface: after the step that ends there or next.
	At    []float64
	Watch func(Moment)
}

// TopologyResult is the result of a run.
type TopologyResult struct {
	Euler, Pieces, Vertices, Steps int
	Changes                        int     // merges, cuts and copies
	Off                            float64 // greatest relative error of a piece's volume after a step
	Good                           float64 // least share of angles of at least 10° after a step
	Smallest                       float64 // the smallest angle, rad
	Seconds                        float64 // run time, s
}

// Limits of TopologyRun.Edge, m: the shapes are some tenths of a metre.
const (
	shortestEdge = .05
	longestEdge  = .3
)

// Run runs a scene.
func (s *Topology) Run(with TopologyRun) (out TopologyResult, err error) {
	switch {
	case !(with.Edge >= shortestEdge && with.Edge <= longestEdge):
		return out, fmt.Errorf("tracktest: %s: TopologyRun.Edge: %v m; must be %v to %v", s.Name, with.Edge, shortestEdge, longestEdge)
	case !slices.IsSorted(with.At):
		return out, fmt.Errorf("tracktest: %s: TopologyRun.At: %v s; must rise", s.Name, with.At)
	}
	r := s.scene.Begin(with.Edge)
	out.Good, out.Smallest = 1, math.Pi
	at := with.At
	for {
		for ; len(at) > 0 && at[0] <= r.Time; at = at[1:] {
			if with.Watch != nil {
				positions, triangles := whole(&r.Tracker.Mesh)
				with.Watch(Moment{at[0], positions, triangles})
			}
		}
		if r.Time >= s.Seconds {
			break
		}
		begun := time.Now()
		report := r.Advance()
		out.Seconds += time.Since(begun).Seconds()
		out.add(&report, &r.Tracker.Mesh)
	}
	out.Euler, out.Pieces, out.Vertices = r.Euler(), len(r.Pieces.Piece), r.Tracker.Mesh.Vertices()
	return out, nil
}

// add adds the report of a step.
func (r *TopologyResult) add(s *topology.StepReport, m *trimesh.Mesh) {
	r.Steps++
	r.Changes += s.Merge.Zips + s.Merge.Snaps + s.Merge.Folds + s.Separate.Cuts + s.Separate.Copies
	r.Off = max(r.Off, s.Off)
	a := m.Angles(m.Position)
	r.Good, r.Smallest = min(r.Good, a.ShareFrom(1)), min(r.Smallest, a.Least)
}

// whole returns a mesh's surface without removed triangles.
func whole(m *trimesh.Mesh) (positions []r3.Vec, triangles [][3]int32) {
	for _, t := range m.Triangle {
		if t[0] != trimesh.Gone {
			triangles = append(triangles, t)
		}
	}
	return m.Position, triangles
}
