package boundary

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Add puts in what a closed surface encloses, counter-clockwise seen from outside, with a label and a velocity, m/s, at places. It joins the pieces of its label that it overlaps; their volumes add up.
//
// It returns ErrSurface if the surface is open, meets itself, encloses nothing, lies in liquid or around some, meets that of another label, or can't be joined; ErrFaces, ErrMaterial or ErrNotFinite. All is as it was then.
func (l *Liquid) Add(at []r3.Vec, triangles [][3]int32, label int32, velocity func(x r3.Vec) r3.Vec) error {
	if err := l.check(0); err != nil {
		return err
	}
	if err := l.checkSurface(at, triangles, label); err != nil {
		return err
	}
	l.Snapshot(&l.before)
	l.append(at, triangles, label, velocity)
	err := finite("a velocity", l.velocity)
	if err == nil {
		err = l.joinNew(label)
	}
	if err != nil {
		l.Restore(&l.before)
	}
	return err
}

// checkSurface returns an error unless a surface can be that of liquid.
func (l *Liquid) checkSurface(at []r3.Vec, triangles [][3]int32, label int32) error {
	if most := l.mostFaces(); len(triangles) > most {
		return fmt.Errorf("%w: %d, at most %d", ErrFaces, len(triangles), most)
	}
	if err := finite("vertex", at); err != nil {
		return err
	}
	for i, t := range triangles {
		if min(t[0], t[1], t[2]) < 0 || int(max(t[0], t[1], t[2])) >= len(at) || t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			return fmt.Errorf("%w: triangle %d has the vertices %v of %d", ErrSurface, i, t, len(at))
		}
	}
	if len(triangles) == 0 {
		return fmt.Errorf("%w: it has no triangles", ErrSurface)
	}
	l.scratch.Set(at, triangles, label)
	if err := l.scratch.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrSurface, err)
	}
	if v := geom.Volume(at, triangles); !(v > 0) {
		return fmt.Errorf("%w: it encloses %g m³", ErrSurface, v)
	}
	return nil
}

// append adds a surface as pieces of their own.
func (l *Liquid) append(at []r3.Vec, triangles [][3]int32, label int32, velocity func(x r3.Vec) r3.Vec) {
	m := &l.Tracker.Mesh
	first := int32(len(m.Position))
	for _, x := range at {
		m.AddVertex(x, trimesh.Gone)
	}
	for _, t := range triangles {
		m.AddTriangle(first+t[0], first+t[1], first+t[2], label)
		l.velocity = append(l.velocity, velocity(centroid(at, t)))
	}
	m.Compact()
	l.follow(false)
}

// joinNew joins what was appended last to what it overlaps.
func (l *Liquid) joinNew(label int32) error {
	m := &l.Tracker.Mesh
	l.pairs = m.Intersections(l.pairs[:0])
	for _, p := range l.pairs {
		if m.Label[p[0]] != m.Label[p[1]] {
			return fmt.Errorf("%w: it meets that of label %d", ErrSurface, m.Label[min(p[0], p[1])])
		}
		if label < 0 {
			return fmt.Errorf("%w: it meets another, and label %d doesn't join", ErrSurface, label)
		}
	}
	if len(l.pairs) == 0 {
		return l.checkNested()
	}
	l.carry.take(l)
	l.Tracker.Rebuilder.Origin = trimesh.Gone
	if _, err := l.Tracker.Rebuilder.Repair(m, trimesh.Lattice{H: l.Edge}, label); err != nil {
		return fmt.Errorf("%w: %w", ErrSurface, err)
	}
	m.Compact()
	if l.pairs = m.Intersections(l.pairs[:0]); len(l.pairs) > 0 {
		return fmt.Errorf("%w: it meets another in a way that can't be joined", ErrSurface)
	}
	l.carry.give(l)
	l.follow(true)
	return nil
}

// checkNested returns ErrSurface if liquid lies in liquid.
func (l *Liquid) checkNested() error {
	p := l.volumes.Piece
	for i := range p {
		if p[i].Volume > 0 && p[i].Within != trimesh.Gone && p[p[i].Within].Volume > 0 {
			return fmt.Errorf("%w: it lies in liquid or around some", ErrSurface)
		}
	}
	return nil
}

// Remove takes out the pieces whose centres of mass are in a shape, and returns their volume, m³.
func (l *Liquid) Remove(in func(x r3.Vec) bool) (volume float64) {
	m := &l.Tracker.Mesh
	m.Compact()
	l.kept = append(l.kept[:0], make([]bool, len(m.Triangle))...)
	for i := range l.regions {
		r := &l.regions[i]
		out := in(r.body.centre)
		if out {
			volume += r.body.volume
		}
		for _, f := range r.faces {
			l.kept[f] = !out
		}
	}
	n := 0
	for t, kept := range l.kept {
		if kept {
			l.velocity[n] = l.velocity[t]
			n++
			continue
		}
		m.RemoveTriangle(int32(t))
	}
	if n == len(l.velocity) {
		return 0
	}
	l.velocity = l.velocity[:n]
	m.Compact()
	l.follow(false)
	return volume
}

// VelocityAt returns the liquid's velocity, m/s, at a place, and whether there is liquid. The field is that of the boundary's sources and the rigid motion of the piece.
func (l *Liquid) VelocityAt(x r3.Vec) (u r3.Vec, inside bool) {
	for i := range l.regions {
		r := &l.regions[i]
		if box := boxes.Around(r.at); boxes.Holds(&box, &x) && r.holds(x) {
			return r.velocityAt(x), true
		}
	}
	return r3.Vec{}, false
}

// holds tells whether a place is inside, by how many times the faces are around it.
func (r *region) holds(x r3.Vec) bool {
	angle := 0.
	for _, t := range r.triangles {
		f := geom.NewTriangle(r.at[t[0]], r.at[t[1]], r.at[t[2]])
		angle += f.SolidAngle(x)
	}
	return angle > 6 // 4π inside, 0 outside
}

// velocityAt is Helmholtz's integral of what the velocities have beside a rigid motion and the nearest face's, which it doesn't change.
func (r *region) velocityAt(x r3.Vec) r3.Vec {
	const inv4Pi = .25 / 3.14159265358979323846
	rigid := fitRigid(r.at, r.triangles, r.velocity)
	nearest, best := 0, 0.
	for i := range r.triangles {
		if d := reproducible.Norm2(r3.Sub(r.centroid(i), x)); i == 0 || d < best {
			nearest, best = i, d
		}
	}
	own := r3.Sub(r.velocity[nearest], rigid.at(r.centroid(nearest)))
	sum := r3.Add(own, rigid.at(x))
	for i := range r.triangles {
		middle := r.centroid(i)
		e := r3.Sub(middle, x)
		d2 := reproducible.Norm2(e)
		if d2 == 0 {
			continue
		}
		n := r.normal(i)
		w := r3.Sub(r3.Sub(r.velocity[i], rigid.at(middle)), own)
		flux := r3.Sub(reproducible.Scale(reproducible.Dot(n, w), e), reproducible.Cross(e, reproducible.Cross(n, w)))
		sum = r3.Add(sum, reproducible.Scale(.5*inv4Pi/(d2*reproducible.Norm(e)), flux))
	}
	return sum
}
