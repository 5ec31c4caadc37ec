package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Tracker is a surface that follows a velocity. The zero value tracks nothing: give Mesh triangles.
//
// Source: Brochu 2006, algorithm 1.
type Tracker struct {
	Mesh      Mesh
	Improver  Improver
	Merger    Merger
	Separator Separator
	Mover     Mover
	Rebuilder Rebuilder

	// Length writes the lengths that edges should have at some places, m, > 0. nil: edges are left as they are.
	Length func(dst []float64, at []r3.Vec)
	// MergeNear and MergeThin are the distances below which the surface joins across the outside and across the inside, m: see Merger. If both are 0 it joins nothing.
	MergeNear, MergeThin float64
	// CutThin and Tiny are what the Separator cuts, m, and removes, m³. If both are 0 it is left out.
	CutThin, Tiny float64
	// Adjust changes the targets of a motion once they are where a velocity carries the vertices, before what is on the way is looked for. nil: they stay.
	Adjust func()
	// Rest has steps move the surface alone: nothing joins, separates or gets better.
	Rest bool
	// Substeps is how many motions a step may take where one is cut short. 0: defaultSubsteps.
	Substeps int

	// Velocity is each vertex's mean velocity in the last step, collisions included, m/s. If the surface was repaired it is that of the field at the end.
	Velocity []r3.Vec
	// Removed are the pieces that the last step has removed for being tiny.
	Removed []RemovedPiece

	start, at, slope, sum []r3.Vec
	before                snapshot // of repairs
	pairs                 [][2]int32
	lengths               []float64
}

// defaultSubsteps is what a motion takes that is cut to an eighth again and again.
const defaultSubsteps = 8

// cutApart is how far apart the two sides of a cut come, in distances below which they would be joined again: by what improving the triangles may bring
// them nearer, too.
const cutApart = 1.5

// VelocityField writes the velocities at points at a time, m/s, to dst, which is as long.
type VelocityField func(dst, at []r3.Vec, time float64)

// TrackReport says how a step went. The counts of the MoveReport are sums over its motions, and Fraction is what of dt was done.
type TrackReport struct {
	MoveReport
	Substeps int
	// Repairs is 1 if the rest of the motion could only be done with a tangle, which a Rebuilder has cut out, and RepairVolume by how much that has changed the volume, m³:
	// where the surface overlapped itself, it counts there as often as it does.
	Repairs      int
	RepairVolume float64
	Improve      ImproveReport
	Merge        MergeReport
	Separate     SeparateReport
}

// Step joins, separates and improves the surface, and moves it by a velocity from a time on for dt, s, > 0, with the classic Runge-Kutta method of order 4. Where
// collisions cut a motion short the rest of it is tried again from there, and in the end done as it comes, the tangle being cut out. Where that is not possible either, the report's
// Fraction is below 1. Vertices, edges and triangles have other numbers afterwards, without gaps.
//
// If the Mover is Free the motion is done as it comes, but for what moves together, and else with the tangle, which is cut out; only where that is not possible it is done as above.
func (t *Tracker) Step(velocity VelocityField, time, dt float64) (report TrackReport) {
	t.Improve(&report)
	m := &t.Mesh
	t.start = append(t.start[:0], m.Position...)
	if t.Mover.Free {
		t.moveFreely(velocity, time, dt, &report)
	}
	for report.Substeps < orDefault(t.Substeps, defaultSubsteps) && report.Fraction < 1 {
		rest := 1 - report.Fraction
		t.Predict(velocity, time+float64(report.Fraction*dt), rest*dt)
		t.adjust()
		done := t.Mover.Move(m, rest*dt)
		report.add(&done, rest)
		if done.Fraction == 0 {
			break
		}
	}
	if report.Fraction < 1 && t.repair(velocity, time+float64(report.Fraction*dt), (1-report.Fraction)*dt, &report) {
		report.Fraction = 1
	}
	if report.Repairs == 0 {
		t.deriveVelocity(report.Fraction * dt)
	}
	return report
}

// moveFreely is a step of a surface that moves freely, if the report's Fraction is 1 then.
func (t *Tracker) moveFreely(velocity VelocityField, time, dt float64, report *TrackReport) {
	m := &t.Mesh
	t.Predict(velocity, time, dt)
	t.adjust()
	done := t.Mover.moveTogether(m)
	report.add(&done, 1)
	if done.Fraction == 1 {
		copy(m.Position, m.Target)
		m.Refit()
	} else if t.repair(velocity, time, dt, report) {
		report.Fraction = 1
	}
}

func (t *Tracker) adjust() {
	if t.Adjust != nil {
		t.Adjust()
	}
}

// Improve joins and separates, and makes triangles better: last, since joints and cuts leave bad ones. It is the first part of Step.
func (t *Tracker) Improve(report *TrackReport) {
	m := &t.Mesh
	t.Removed = t.Removed[:0]
	if t.Rest {
		return
	}
	if t.MergeNear > 0 || t.MergeThin > 0 {
		report.Merge = t.Merger.Merge(m, t.MergeNear, t.MergeThin)
	}
	if t.CutThin > 0 || t.Tiny > 0 {
		t.Separator.Outside, t.Separator.Inside = float64(cutApart*t.MergeNear), float64(cutApart*t.MergeThin)
		t.Removed, report.Separate = t.Separator.Separate(m, t.CutThin, t.Tiny, t.Removed)
	}
	if t.Length != nil {
		report.Improve = t.Improver.Improve(m, t.Length)
	}
	t.CloseGaps()
}

// CloseGaps makes the mesh's numbers those without gaps. The tree of boxes of a mesh that moves freely is made anew by the one who asks it next, not for each motion.
func (t *Tracker) CloseGaps() {
	if t.Mover.Free {
		t.Mesh.Renumber()
	} else {
		t.Mesh.Compact()
	}
}

// deriveVelocity makes the velocities those of the way since the beginning of the step, in so many s.
func (t *Tracker) deriveVelocity(took float64) {
	t.Velocity = arrays.Resize(t.Velocity, len(t.start))
	for v, x := range t.start {
		t.Velocity[v] = r3.Vec{}
		if took > 0 {
			t.Velocity[v] = reproducible.Scale(1/took, r3.Sub(t.Mesh.Position[v], x))
		}
	}
}

// add adds a motion through a rest of the step.
func (r *TrackReport) add(m *MoveReport, rest float64) {
	r.Substeps++
	r.Proximities += m.Proximities
	r.Collisions += m.Collisions
	r.Zones += m.Zones
	r.Passes += m.Passes
	r.Refused += m.Refused
	r.Correction = max(r.Correction, m.Correction)
	if m.Fraction == 1 {
		r.Fraction = 1
	} else {
		r.Fraction += float64(rest * m.Fraction)
	}
}

// Predict makes the targets where a velocity carries the vertices from a time on for dt, s.
func (t *Tracker) Predict(velocity VelocityField, time, dt float64) {
	x := t.Mesh.Position
	t.at, t.slope, t.sum = arrays.Resize(t.at, len(x)), arrays.Resize(t.slope, len(x)), arrays.Resize(t.sum, len(x))
	for stage, s := range [4]struct{ time, weight, next float64 }{{0, 1, .5}, {.5, 2, .5}, {.5, 2, 1}, {1, 1, 0}} {
		at := t.at
		if stage == 0 {
			at = x
		}
		velocity(t.slope, at, time+float64(s.time*dt))
		for v, u := range t.slope {
			if stage == 0 {
				t.sum[v] = r3.Vec{}
			}
			t.sum[v] = r3.Add(t.sum[v], reproducible.Scale(s.weight, u))
			t.at[v] = r3.Add(x[v], reproducible.Scale(s.next*dt, u))
		}
	}
	for v, sum := range t.sum {
		t.Mesh.Target[v] = r3.Add(x[v], reproducible.Scale(dt/6, sum))
	}
}
