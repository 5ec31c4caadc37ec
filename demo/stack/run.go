package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/g3n/engine/graphic"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/physics"
)

// run is a scene as it runs, without any picture.
type run struct {
	*builder
	def      sceneDef
	measure  func() float64
	value    float64 // as last measured
	took     []time.Duration
	contacts int // points, most at a time

	held []physics.Joint // rods, and what they look like
	rods []*graphic.Mesh
}

// newRun builds a scene.
func newRun(d sceneDef) (*run, error) {
	r := &run{def: d, builder: newBuilder(d.world)}
	r.measure = d.build(r.builder)
	return r, r.err
}

// World is the scene's.
func (r *run) World() *physics.World { return r.world }

// Steps is how many a headless run takes.
func (r *run) Steps() int { return r.def.steps }

// Camera is the scene's own.
func (r *run) Camera() view.Pose { return r.def.camera }

// Readings is what the scene shows.
func (r *run) Readings() []report.Reading {
	return []report.Reading{{Name: r.def.shows, Value: r.value, Unit: r.def.unit}}
}

// Step takes one step and measures.
func (r *run) Step() {
	start := time.Now()
	finer := max(1, r.def.finer)
	for range finer {
		r.world.Step(play.Timestep / float64(finer))
	}
	r.took = append(r.took, time.Since(start))
	r.contacts = max(r.contacts, r.world.Stats().Points)
	r.value = r.measure()
}

// row is what a scene came to.
type row struct {
	Scene    string             `json:"scene"`
	Bodies   int                `json:"bodies"`
	Joints   int                `json:"joints"`
	Contacts int                `json:"contacts"` // points, most at a time
	Steps    int                `json:"steps"`
	StepMS   report.Percentiles `json:"step_ms"`
	Shows    string             `json:"shows"`
	Value    float64            `json:"value"`
	Unit     string             `json:"unit"`
}

func (r *run) row() row {
	return row{
		Scene: r.def.name, Bodies: r.world.Coupling().Len(), Joints: r.world.Coupling().Joints(), Contacts: r.contacts, Steps: len(r.took),
		StepMS: report.PercentilesOf(append([]time.Duration(nil), r.took...)),
		Shows:  r.def.shows, Value: r.value, Unit: r.def.unit,
	}
}

// summary is the rows of the runs, and the same as a table for people.
func summary(runs []*run) (any, string) {
	var rows []row
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %6s %6s %8s %9s %9s   %s\n", "scene", "bodies", "joints", "contacts", "p50 ms", "p99 ms", "what it shows")
	for _, run := range runs {
		r := run.row()
		rows = append(rows, r)
		fmt.Fprintf(&b, "%-8s %6d %6d %8d %9.3f %9.3f   %s: %.3g %s\n", r.Scene, r.Bodies, r.Joints, r.Contacts, r.StepMS.P50, r.StepMS.P99, r.Shows, r.Value, r.Unit)
	}
	return rows, b.String()
}
