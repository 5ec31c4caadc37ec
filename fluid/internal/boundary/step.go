package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Lengths of the surface's upkeep, in edges, and volumes in cubes of an edge.
const (
	mergeNear = .3  // how near parts of the surface come that merge across the air
	mergeThin = .08 // and across the liquid
	cutThin   = .35 // the edges around a thread that is cut
	tiny      = 1e-3
	moveNear  = .03 // how near repulsions keep what may not merge
)

// Step moves all on by dt, s, with an acceleration, m/s², at places, in as many substeps as [Liquid.Longest] wants. solids may be nil: they stay where they are, but have their velocities. It returns ErrMaterial or ErrNotFinite,
// and leaves all as it was then.
func (l *Liquid) Step(dt float64, acceleration func(x r3.Vec) r3.Vec, solids Solids) (report StepReport, err error) {
	if err := l.check(dt); err != nil {
		return report, err
	}
	l.begin(solids)
	if len(l.regions) == 0 || dt == 0 {
		return report, nil
	}
	l.Snapshot(&l.before)
	report.Substeps = int(max(1, min(math.Ceil(dt/l.Longest()-1e-9), mostSubsteps)))
	part := dt / float64(report.Substeps)
	for k := 0; k < report.Substeps && err == nil; k++ {
		err = l.substep(float64(float64(k)*part), part, acceleration, &report)
	}
	if err != nil {
		l.Restore(&l.before)
		return StepReport{}, err
	}
	return report, nil
}

// begin reads the bodies.
func (l *Liquid) begin(solids Solids) {
	l.step.bodies = l.step.bodies[:0]
	if solids != nil {
		l.step.bodies = append(l.step.bodies, solids.Bodies()...)
	}
	l.solids = solids
	n := len(l.step.bodies)
	l.impulses, l.gained = arrays.Resize(l.impulses, n), arrays.Resize(l.gained, n)
	clear(l.impulses)
	for b := range l.gained {
		l.gained[b] = rigidMotion{centre: l.step.bodies[b].Centre}
	}
}

// Longest is the longest time, s, that a substep may take: tension is explicit, and what moves within a piece should go by less than half an edge, for which up to mostFiner times as many substeps are
// taken. It is +Inf of liquid at rest without tension.
//
// Source: Brochu 2006, section 4.3: √(ρh³/4πγ), here with edges that are shorter than they should be.
func (l *Liquid) Longest() float64 {
	most := 0.
	for i := range l.regions {
		r := &l.regions[i]
		mean := reproducible.Scale(1/r.body.mass, r.momenta.linear)
		for _, u := range r.velocity {
			most = max(most, reproducible.Norm2(r3.Sub(u, mean)))
		}
	}
	longest := float64(.5*l.Edge) / math.Sqrt(most)
	if l.Tension == 0 {
		return longest
	}
	capillary := .7 * math.Sqrt(float64(l.Density*l.Edge*l.Edge*l.Edge)/float64(4*math.Pi*l.Tension))
	return max(min(longest, capillary), capillary/mostFiner)
}

const (
	mostSubsteps = 64 // of a step
	mostFiner    = 4
)

func (l *Liquid) substep(elapsed, dt float64, acceleration func(x r3.Vec) r3.Vec, report *StepReport) error {
	was := len(l.regions)
	l.touch(elapsed)
	l.pin()
	l.improve(report)
	report.Merged += max(0, was-len(l.regions))
	report.Parted += max(0, len(l.regions)-was)
	if err := l.accelerate(dt, acceleration); err != nil {
		return err
	}
	l.touch(elapsed)
	l.solveAll()
	if err := l.publish(); err != nil {
		return err
	}
	l.record()
	l.move(elapsed, dt, report)
	l.settle(report)
	return nil
}

// improve joins, parts and improves the surface.
func (l *Liquid) improve(report *StepReport) {
	t := &l.Tracker
	t.Mesh.Compact()
	l.carry.take(l)
	l.configure()
	t.Rest = false
	t.Improve(&report.Track)
	l.dropInverted()
	l.carry.give(l)
	l.follow(true)
	for _, lost := range l.volumes.Lost {
		if len(l.regions) == 0 {
			report.Removed += lost.Target
		}
	}
}

// dropInverted removes pieces that are inside out but in no other: no liquid, but what is left of folds that were cut out. What they come of keeps its volume.
func (l *Liquid) dropInverted() {
	m, p := &l.Tracker.Mesh, &l.seen
	l.origin = append(l.origin[:0], m.Origin...)
	p.Begin(m)
	copy(m.Origin, l.origin)
	removed := false
	for t, v := range m.Triangle {
		if i := p.Of[v[0]]; p.Piece[i].Volume <= 0 && bubbleIn(p, i) == trimesh.Gone {
			m.RemoveTriangle(int32(t))
			removed = true
		}
	}
	if removed {
		m.Compact()
	}
}

// configure sets the Tracker's lengths.
func (l *Liquid) configure() {
	t := &l.Tracker
	t.MergeNear, t.MergeThin, t.CutThin, t.Tiny = mergeNear*l.Edge, mergeThin*l.Edge, cutThin*l.Edge, tiny*l.Edge*l.Edge*l.Edge
	t.Mover.Near, t.Mover.Pool = moveNear*l.Edge, l.pool
	t.Improver.Curved, t.Improver.JoinHeavy = true, true
	t.Rebuilder.Origin = trimesh.Gone
	if t.Length == nil {
		t.Length = l.lengths
	}
}

// lengths writes how long edges are to be: longer in pieces that have too many faces.
func (l *Liquid) lengths(dst []float64, at []r3.Vec) {
	for i := range dst {
		dst[i] = l.Edge
	}
	most := .8 * float64(l.mostFaces())
	for i := range l.regions {
		r := &l.regions[i]
		if float64(len(r.faces)) <= most {
			continue
		}
		box := boxes.Grown(boxes.Around(r.at), l.Edge)
		longer := float64(l.Edge * math.Sqrt(float64(len(r.faces))/most))
		for k := range at {
			if boxes.Holds(&box, &at[k]) {
				dst[k] = max(dst[k], longer)
			}
		}
	}
}

func (l *Liquid) mostFaces() int {
	if l.MostFaces <= 0 || l.MostFaces > directFaces {
		return directFaces
	}
	return l.MostFaces
}

// publish makes the faces' velocities those of the regions. It returns ErrNotFinite if one is not finite.
func (l *Liquid) publish() error {
	for i := range l.regions {
		r := &l.regions[i]
		if err := finite("a velocity", r.velocity); err != nil {
			return err
		}
		for k, f := range r.faces {
			l.velocity[f] = r.velocity[k]
		}
	}
	return nil
}

// settle brings regions and pieces to where the surface has come.
func (l *Liquid) settle(report *StepReport) {
	report.Wetted = 0
	for i := range l.regions {
		r := &l.regions[i]
		report.Wetted += r.wetting.faces
		if r.err != nil {
			report.Unsolved, report.Unsolvable = report.Unsolved+1, r.err
		}
	}
	if report.Track.Repairs > 0 {
		l.dropInverted()
		l.carry.give(l)
		l.follow(true)
		return
	}
	for i := range l.regions {
		r := &l.regions[i]
		for k, v := range r.vertices {
			r.at[k] = l.Tracker.Mesh.Position[v]
		}
		r.weigh(l.Density)
		if r.ballistic { // what collisions move the centre by is no motion: the angular momentum about any place stays
			r.momenta.angular = r3.Add(r.momenta.angular, reproducible.Cross(r3.Sub(r.expected, r.body.centre), r.momenta.linear))
		}
	}
	if report.Track.Correction > 0 && report.Track.Fraction == 1 {
		l.rederive()
	}
}

// rederive gives faces whose vertices collisions have stopped or pushed the change of the mean of these. The momenta of all pieces of which there are some stay as they were together.
func (l *Liquid) rederive() {
	var g group
	l.struck = l.struck[:0]
	for i := range l.regions {
		if r := &l.regions[i]; l.strike(r) {
			l.struck = append(l.struck, int32(i))
			g.mass += r.body.mass
			g.centre = r3.Add(g.centre, reproducible.Scale(r.body.mass, r.body.centre))
		}
	}
	if len(l.struck) == 0 {
		return
	}
	g.centre = reproducible.Scale(1/g.mass, g.centre)
	for _, i := range l.struck {
		r := &l.regions[i]
		g.lacks = momenta{r3.Add(g.lacks.linear, r.momenta.linear), r3.Add(g.lacks.angular, r.about(&r.momenta, g.centre))}
		r.momenta = r.momentaOf(r.velocity)
		g.subtract(r)
	}
	for _, i := range l.struck {
		r := &l.regions[i]
		g.correct(r)
		for k, f := range r.faces {
			l.velocity[f] = r.velocity[k]
		}
	}
}

// strike gives the faces of a region what collisions have done to their vertices, and tells whether there was any.
func (l *Liquid) strike(r *region) (struck bool) {
	for k, f := range r.faces {
		var off r3.Vec
		for _, v := range l.Tracker.Mesh.Triangle[f] {
			off = r3.Add(off, r3.Sub(l.Tracker.Mesh.Position[v], l.motion.aim[v]))
		}
		if reproducible.Norm(off) > struckBy*l.Edge {
			struck = true
			r.velocity[k] = r3.Add(r.velocity[k], reproducible.Scale(1/(3*l.step.dt), off))
		}
	}
	return struck
}

// struckBy is by how much more than by rounding the sum of a face's corners is beside where they were to come, in edges.
const struckBy = 1e-9

// Pieces are the connected pieces after the last step, in the order of their lowest vertices, until the next change.
func (l *Liquid) Pieces() []Piece {
	l.pieces = arrays.Resize(l.pieces, len(l.regions))
	for i := range l.regions {
		r := &l.regions[i]
		rigid := r.rigid(&r.momenta)
		p := &l.pieces[i]
		*p = Piece{Label: l.Tracker.Mesh.Label[r.faces[0]], Faces: len(r.faces), Volume: r.body.volume, Centre: r.body.centre, Velocity: rigid.velocity, Spin: rigid.spin, Box: boxes.Around(r.at)}
		for k := range r.triangles {
			p.Area += r.area(k)
		}
	}
	return l.pieces
}
