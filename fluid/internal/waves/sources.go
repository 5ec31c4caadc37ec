package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// mostCurvature bounds the curvature that Bend counts, in 1/edges: that of rims is no wave's.
const mostCurvature = .25

// mostPasses bounds how often Bend smooths. On meshes with more than one vertex in a cell it takes shorter waves alone.
const mostPasses = 4

// Bend sets waves going where the mesh is bent by waves that are too short for cells of some edge, m, to move, as the same waves in the heights would be: h_tt = -c² κ. Part
// is how much of that acts for dt.
//
// Of waves of 2.5 cells about half is too short, of those of 4 a fifth, of those of 8 a hundredth: (1-S)³ with a smoothing S, as in package ripples. Longer ones the liquid moves itself.
func (w *Waves) Bend(medium Medium, cell, part, dt float64) {
	k := math.Pi / (2 * cell)
	w.bend = float64(part*dt) * medium.squaredFrequency(k, dt) / float64(k*k)
	w.curvature = arrays.Resize(w.curvature, len(w.Height))
	par.For(w.pool, len(w.Height), grain, w, (*Waves).curvatures)
	finer := cell / w.spacing()
	passes := max(1, min(mostPasses, int(float64(3*finer*finer)+.5)))
	for range 3 {
		from, to := w.curvature, w.t[0]
		for p := range passes {
			w.pass = pass{x: from, to: to}
			par.For(w.pool, len(w.Height), grain, w, (*Waves).smooth)
			from, to = to, w.t[(p+1)%2]
		}
		for v, s := range from {
			w.curvature[v] -= s
		}
	}
	w.pass = pass{}
	for v, bent := range w.curvature {
		w.Speed[v] -= float64(w.bend * bent)
	}
}

func (w *Waves) curvatures(_, lo, hi int) {
	most := mostCurvature / w.spacing()
	for v := lo; v < hi; v++ {
		x := at(w.now.positions, uint32(v))
		var sum r3.Vec
		rows := w.mesh.edges[w.mesh.first[v]:w.mesh.first[v+1]]
		for i := range rows {
			for k, to := range rows[i].to {
				sum = r3.Add(sum, reproducible.Scale(float64(rows[i].weight[k]), r3.Sub(x, at(w.now.positions, uint32(to)))))
			}
		}
		bent := float64(reproducible.Dot(sum, at(w.now.normals, uint32(v))) * w.mesh.part[v] * w.mesh.stiffest)
		w.curvature[v] = max(-most, min(most, bent))
	}
}

func (w *Waves) smooth(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		w.pass.to[v] = w.pass.x[v] - float64(w.mesh.part[v]*w.mesh.apply(w.pass.x, v))
	}
}

// Solid is a body that moves.
type Solid struct {
	query.Solid
	Centre r3.Vec     // m
	Twist  [6]float64 // velocity at the centre, m/s, and spin, rad/s
}

// pushedWaves is the length of the waves that Push is as fast as, in edges.
const pushedWaves = 8

// Push has a solid push the surface around it, out to a distance of two edges: the heights' rates approach (u_solid - u)·n as fast as waves of eight edges swing. Part is how much of that
// acts for dt.
func (w *Waves) Push(solid *Solid, medium Medium, part, dt float64) {
	edge := w.spacing()
	far := 2 * edge
	swing := math.Sqrt(medium.squaredFrequency(2*math.Pi/float64(pushedWaves*edge), dt))
	rate := part * min(1, float64(swing*dt))
	box := boxes.Grown(solid.Bounds, far)
	if !boxes.Overlap(box, w.bounds) {
		return
	}
	w.found = w.now.lookup.inBox(w.found[:0], r3.Box{Min: boxes.Max(box.Min, w.bounds.Min), Max: boxes.Min(box.Max, w.bounds.Max)})
	for list := w.found; len(list) > 0; {
		n := min(len(list), query.BatchSize)
		w.pushSome(list[:n], solid, far, rate)
		list = list[n:]
	}
}

// pushSome has a solid push some vertices, at most query.BatchSize.
func (w *Waves) pushSome(list []int32, solid *Solid, far, rate float64) {
	s := &w.batch
	for i, v := range list {
		s.at[i] = at(w.now.positions, uint32(v))
	}
	solid.Distance(s.distance[:len(list)], s.at[:len(list)])
	for i, v := range list {
		d := math.Abs(float64(s.distance[i]))
		if !(d < far) {
			continue
		}
		u := r3.Sub(rigid.VelocityAt(&solid.Twist, r3.Sub(s.at[i], solid.Centre)), at(w.now.velocities, uint32(v)))
		wanted := reproducible.Dot(u, at(w.now.normals, uint32(v)))
		w.Speed[v] += float64(rate * (1 - d/far) * (wanted - w.Speed[v]))
	}
}

// Strike is a drop that lands.
type Strike struct {
	At, Velocity r3.Vec  // m, m/s
	Volume       float64 // m³
}

// Strike has a drop's momentum along the normal move the liquid below the surface around it, as deep as wide: twice the drop's radius, and no less than two edges. Part is how
// much of it.
func (w *Waves) Strike(s Strike, part float64) {
	radius := reproducible.Cbrt(s.Volume * 3 / (4 * math.Pi))
	wide := max(2*radius, 2*w.spacing())
	kick := float64(part*s.Volume) * 3 / (math.Pi * float64(wide*wide*wide))
	w.found = w.now.lookup.inBox(w.found[:0], boxes.Grown(r3.Box{Min: s.At, Max: s.At}, wide))
	for _, v := range w.found {
		share := 1 - reproducible.Norm2(r3.Sub(at(w.now.positions, uint32(v)), s.At))/float64(wide*wide)
		if share <= 0 {
			continue
		}
		if into := reproducible.Dot(s.Velocity, at(w.now.normals, uint32(v))); into < 0 {
			w.Speed[v] += float64(float64(kick*into) * float64(share*share))
		}
	}
}
