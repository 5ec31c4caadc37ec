package boundary

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// contactNear is how near the corners of a face come to a solid that it faces before it lies on it, in edges.
	contactNear = .25
	// wettedCosine is the cosine from which down the normal of a face is opposite to that of the solid.
	wettedCosine = -.7
)

// wetting is what a region has to do with solids.
type wetting struct {
	contacts []Contact // of each vertex
	on       []bool    // vertices that lie on a solid
	wet      []bool    // faces that do
	touched  []bool    // vertices of wet faces
	faces    int       // how many are wet
	area     float64   // m²
}

// touch asks the solids for what is near the vertices, and finds the wet faces. elapsed is the time since the solids were where they say, s.
func (l *Liquid) touch(elapsed float64) {
	for i := range l.regions {
		l.regions[i].wetting.clear(&l.regions[i])
	}
	if l.solids == nil {
		return
	}
	l.near(l.Tracker.Mesh.Position, elapsed)
	for i := range l.regions {
		r := &l.regions[i]
		for k, v := range r.vertices {
			r.contacts[k] = l.contacts[v]
			r.on[k] = l.contacts[v].Distance < contactNear*l.Edge
		}
		r.findWet()
	}
}

// pin makes the vertices of wet faces heavy: what improves the surface leaves them on the solid.
func (l *Liquid) pin() {
	heavy := l.Tracker.Mesh.Heavy
	clear(heavy)
	for i := range l.regions {
		r := &l.regions[i]
		for k, v := range r.vertices {
			heavy[v] = r.touched[k]
		}
	}
}

// near asks the solids for contacts at places, one for each vertex of the mesh. Bodies have the velocities that they got earlier in the step.
func (l *Liquid) near(at []r3.Vec, elapsed float64) {
	l.contacts = arrays.Resize(l.contacts, len(at))
	l.solids.Near(l.contacts, at)
	for v := range l.contacts {
		c := &l.contacts[v]
		if c.Body >= 0 && int(c.Body) < len(l.gained) {
			g := &l.gained[c.Body]
			c.Velocity = r3.Add(c.Velocity, g.at(at[v]))
		}
		c.Distance -= float64(elapsed * reproducible.Dot(c.Velocity, c.Normal))
	}
}

func (s *wetting) clear(r *region) {
	n := len(r.at)
	s.contacts, s.on, s.touched = arrays.Resize(s.contacts, n), arrays.Resize(s.on, n), arrays.Resize(s.touched, n)
	s.wet = arrays.Resize(s.wet, len(r.triangles))
	clear(s.on)
	clear(s.touched)
	clear(s.wet)
	s.faces, s.area = 0, 0
}

// findWet finds the faces whose corners lie on a solid, and whose normals are opposite to its.
func (r *region) findWet() {
	for i, t := range r.triangles {
		if !(r.on[t[0]] && r.on[t[1]] && r.on[t[2]]) {
			continue
		}
		n := r.normal(i)
		solid := r3.Add(r.contacts[t[0]].Normal, r3.Add(r.contacts[t[1]].Normal, r.contacts[t[2]].Normal))
		if reproducible.Dot(n, solid) > float64(wettedCosine*reproducible.Norm(n))*reproducible.Norm(solid) {
			continue
		}
		r.wet[i] = true
		r.noteWet(i, t)
	}
}

// noteWet notes a wet face.
func (r *region) noteWet(i int, t [3]int32) {
	r.wetting.faces++
	r.wetting.area += r.area(i)
	for _, v := range t {
		r.touched[v] = true
	}
}

// solidOf is the body of a wet face, or -1: that of the first of its corners.
func (r *region) solidOf(i int) int32 { return r.contacts[r.triangles[i][0]].Body }

// solidVelocity is that of the solid under a wet face.
func (r *region) solidVelocity(i int) r3.Vec {
	t := r.triangles[i]
	return mix(1./3, 1./3, 1./3, r.contacts[t[0]].Velocity, r.contacts[t[1]].Velocity, r.contacts[t[2]].Velocity)
}

// followSolids makes the velocities of vertices of wet faces those along the solid, and such that they come to lie on it.
func (r *region) followSolids(dt float64) {
	for v, touched := range r.touched {
		if touched {
			c := &r.contacts[v]
			off := reproducible.Dot(r3.Sub(c.Velocity, r.vertex[v]), c.Normal) - c.Distance/dt
			r.vertex[v] = r3.Add(r.vertex[v], reproducible.Scale(off, c.Normal))
		}
	}
}

// holdOut puts targets that are in a solid on its surface. dt is the time that the motion takes, s.
func (l *Liquid) holdOut(elapsed, dt float64) {
	m := &l.Tracker.Mesh
	l.free = arrays.Resize(l.free, len(m.Position))
	for v := range l.free {
		l.free[v] = true
	}
	if l.solids == nil {
		return
	}
	for range 2 {
		l.near(m.Target, elapsed+dt)
		for v := range l.contacts {
			if c := &l.contacts[v]; c.Distance < 0 {
				m.Target[v] = r3.Sub(m.Target[v], reproducible.Scale(c.Distance, c.Normal))
				l.free[v] = false
			}
		}
	}
	for i := range l.regions {
		r := &l.regions[i]
		for k, v := range r.vertices {
			if r.touched[k] {
				l.free[v] = false
			}
		}
	}
}
