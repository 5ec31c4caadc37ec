package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// follower tells which regions come of which.
type follower struct {
	old    []region
	piece  []int32 // the region of each piece before
	origin []int32 // the piece before of each vertex
	sets   geom.Sets
	groups []group // by root
}

// group is regions that have come of each other.
type group struct {
	back    r3.Vec  // the centre before less centre, times before
	before  float64 // mass before
	centre  r3.Vec  // of those that there are
	mass    float64
	lacks   momenta // of those before less those that there are, about the centre
	tensor  [3]r3.Vec
	carried bool // there were regions before
}

// follow finds the pieces and regions anew after a change of the mesh, whose faces have velocities already, and gives them the momenta of those that they come of.
func (l *Liquid) follow(adopt bool) {
	m, f := &l.Tracker.Mesh, &l.follower
	f.origin = append(f.origin[:0], m.Origin...)
	f.piece = append(f.piece[:0], l.motion.numbering.region...)
	l.volumes.Follow(m)
	f.old, l.regions = l.regions, f.old
	l.gather()
	f.join(l)
	if adopt {
		l.adopt()
	}
	f.conserve(l)
	if adopt {
		f.keepCentres(l)
	}
}

// join finds the groups. Their sets are of regions before, and then of those that there are.
func (f *follower) join(l *Liquid) {
	was := int32(len(f.old))
	f.sets.Reset(int(was) + len(l.regions))
	for v, of := range l.volumes.Of {
		if o := f.origin[v]; of != trimesh.Gone && o >= 0 && int(o) < len(f.piece) {
			f.sets.Join(f.piece[o], was+l.motion.numbering.region[of])
		}
	}
}

// adopt gives what is left of pieces that were removed, for being tiny, to those whose vertices are nearest.
func (l *Liquid) adopt() {
	p, f := &l.volumes, &l.follower
	for _, lost := range p.Lost {
		to, best := trimesh.Gone, math.Inf(1)
		for v, of := range p.Of {
			if d := reproducible.Norm2(r3.Sub(l.Tracker.Mesh.Position[v], lost.Middle)); of != trimesh.Gone && d < best {
				to, best = of, d
			}
		}
		if to == trimesh.Gone {
			continue
		}
		p.Piece[to].Target += lost.Target
		f.sets.Join(f.piece[lost.Piece], int32(len(f.old))+l.motion.numbering.region[to])
	}
}

// conserve adds to the velocities of each group the rigid motion with which it has the momenta that it had before.
func (f *follower) conserve(l *Liquid) {
	was := int32(len(f.old))
	f.groups = arrays.Resize(f.groups, len(f.sets))
	clear(f.groups)
	for i := range l.regions {
		r := &l.regions[i]
		g := &f.groups[f.sets.Find(was+int32(i))]
		g.mass += r.body.mass
		g.centre = r3.Add(g.centre, reproducible.Scale(r.body.mass, r.body.centre))
	}
	for i := range f.groups {
		if g := &f.groups[i]; g.mass > 0 {
			g.centre = reproducible.Scale(1/g.mass, g.centre)
		}
	}
	for i := range f.old {
		r := &f.old[i]
		g := &f.groups[f.sets.Find(int32(i))]
		g.carried = true
		g.lacks = momenta{r3.Add(g.lacks.linear, r.momenta.linear), r3.Add(g.lacks.angular, r.about(&r.momenta, g.centre))}
	}
	for i := range l.regions {
		r := &l.regions[i]
		r.momenta = r.momentaOf(r.velocity)
		f.groups[f.sets.Find(was+int32(i))].subtract(r)
	}
	for i := range l.regions {
		r := &l.regions[i]
		if g := &f.groups[f.sets.Find(was+int32(i))]; g.carried {
			g.correct(r)
		}
		for k, t := range r.faces {
			l.velocity[t] = r.velocity[k]
		}
	}
}

// subtract takes a region's momenta from what the group lacks, and adds its inertia.
func (g *group) subtract(r *region) {
	g.lacks = momenta{r3.Sub(g.lacks.linear, r.momenta.linear), r3.Sub(g.lacks.angular, r.about(&r.momenta, g.centre))}
	d := r3.Sub(r.body.centre, g.centre)
	square := reproducible.Norm2(d)
	for k, row := range [3]r3.Vec{{X: square}, {Y: square}, {Z: square}} {
		along := [3]float64{d.X, d.Y, d.Z}[k]
		row = r3.Sub(row, reproducible.Scale(along, d))
		g.tensor[k] = r3.Add(g.tensor[k], r3.Add(r.body.tensor[k], reproducible.Scale(r.body.mass, row)))
	}
}

// correct adds the rigid motion that the group lacks to a region.
func (g *group) correct(r *region) {
	motion := rigidMotion{g.centre, reproducible.Scale(1/g.mass, g.lacks.linear), solve3(&g.tensor, g.lacks.angular)}
	r.momenta.linear = r3.Add(r.momenta.linear, reproducible.Scale(r.body.mass, motion.at(r.body.centre)))
	r.momenta.angular = r3.Add(r.momenta.angular, times3(&r.body.tensor, motion.spin))
	r.setMomenta(r.momenta)
}
