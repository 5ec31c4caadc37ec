package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// motion is scratch of the motion of the surface.
type motion struct {
	numbering numbering
	way       []r3.Vec // what each vertex is to go by, m
	dt        float64
	aim       []r3.Vec // positions to come
}

// mostShift is how far volumes may be corrected in a step, in edges.
const mostShift = .1

// move moves the surface by the vertices' velocities, with each piece's volume brought to its target by a motion along the normals, and each free region's centre by its momentum.
func (l *Liquid) move(elapsed, dt float64, report *StepReport) {
	m, q := &l.Tracker.Mesh, &l.motion
	for i := range l.regions {
		r := &l.regions[i]
		for k, v := range r.vertices {
			m.Target[v] = r3.Add(r.at[k], reproducible.Scale(dt, r.vertex[k]))
		}
	}
	l.holdOut(elapsed, dt)
	l.volumes.CorrectExactly(m, l.free, mostShift*l.Edge)
	for i := range l.regions {
		r := &l.regions[i]
		if r.ballistic = !r.held(l.free); r.ballistic {
			r.carryCentre(m.Target, dt)
		}
	}
	q.aim = append(q.aim[:0], m.Target...)
	q.way = arrays.Resize(q.way, len(m.Position))
	for v := range q.way {
		q.way[v] = r3.Sub(m.Target[v], m.Position[v])
	}
	l.carry.take(l)
	copy(l.carry.position, m.Target)
	l.track(dt, report)
}

// track moves the mesh by the ways, collisions resolved.
func (l *Liquid) track(dt float64, report *StepReport) {
	l.motion.dt = dt
	if l.onWay == nil {
		l.onWay = l.velocityOnWay
	}
	l.Tracker.Rest = true
	was := report.Track
	report.Track = l.Tracker.Step(l.onWay, 0, dt)
	report.Track.Improve, report.Track.Merge, report.Track.Separate = was.Improve, was.Merge, was.Separate
}

// velocityOnWay is a trimesh.VelocityField: that with which vertices go by their ways.
func (l *Liquid) velocityOnWay(dst, _ []r3.Vec, _ float64) {
	clear(dst)
	for v := range min(len(dst), len(l.motion.way)) {
		dst[v] = reproducible.Scale(1/l.motion.dt, l.motion.way[v])
	}
}

// carryCentre moves the targets of a region's vertices so that its centre goes on with its momentum, from where it was before the mesh changed.
func (r *region) carryCentre(target []r3.Vec, dt float64) {
	for k, v := range r.vertices {
		r.at[k] = target[v]
	}
	var moved inertia
	moved.measure(r.at, r.triangles, r.body.density)
	r.expected = r3.Add(r3.Add(r.body.centre, r.back), reproducible.Scale(dt/r.body.mass, r.momenta.linear))
	r.back = r3.Vec{}
	by := r3.Sub(r.expected, moved.centre)
	for _, v := range r.vertices {
		target[v] = r3.Add(target[v], by)
	}
}

// held tells whether a solid holds one of the vertices.
func (r *region) held(free []bool) bool {
	for _, v := range r.vertices {
		if !free[v] {
			return true
		}
	}
	return false
}
