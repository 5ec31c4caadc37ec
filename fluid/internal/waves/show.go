package waves

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Shown is the mesh with its waves: what Show writes.
type Shown struct {
	Positions, Normals, Velocities []float32 // xyz per vertex of the mesh, m, m/s

	domain r3.Box
	touch  float64 // m: so near to a side of the domain is on it
}

// Show moves the vertices by their heights along their normals, and turns the normals; velocities change by the heights' rates. What is on a side of the domain stays on it, and what
// is within it stays within. A vertex of the closed sides goes with the one of the free surface that is at the same place.
func (w *Waves) Show(dst *Shown, domain r3.Box) {
	n := len(w.now.positions)
	dst.Positions, dst.Normals = arrays.Resize(dst.Positions, n), arrays.Resize(dst.Normals, n)
	dst.Velocities = arrays.Resize(dst.Velocities, n)
	dst.domain, dst.touch = domain, float64(w.spacing()*1e-3)
	w.shown = dst
	w.slopes = arrays.Resize(w.slopes, len(w.now.triangles)/3)
	par.For(w.pool, len(w.slopes), grain, w, (*Waves).findSlopes)
	par.For(w.pool, n/3, grain/4, w, (*Waves).show)
	w.shown = nil
}

func (w *Waves) show(_, lo, hi int) {
	dst := w.shown
	for v := lo; v < hi; v++ {
		x, normal := at(w.now.positions, uint32(v)), at(w.now.normals, uint32(v))
		of := int32(v)
		if w.mesh.mass[v] > 0 {
			normal = w.tilted(v, normal)
		} else if of = w.now.lookup.nearestVertex(x, r3.Vec{}, w.labelOf(v), dst.touch); of < 0 {
			set(dst.Positions, v, x)
			set(dst.Normals, v, normal)
			copy(dst.Velocities[3*v:3*v+3], w.now.velocities[3*v:])
			continue
		}
		along := at(w.now.normals, uint32(of))
		set(dst.Positions, v, dst.moved(x, reproducible.Scale(w.Height[of], along)))
		set(dst.Velocities, v, r3.Add(at(w.now.velocities, uint32(v)), reproducible.Scale(w.Speed[of], along)))
		set(dst.Normals, v, normal)
	}
}

func (w *Waves) labelOf(v int) uint8 {
	if w.now.labels == nil {
		return 0
	}
	return w.now.labels[v]
}

// moved is a place that goes some way, within the domain and along its sides.
func (s *Shown) moved(x, way r3.Vec) r3.Vec {
	p, d := reproducible.Array(x), reproducible.Array(way)
	lo, hi := reproducible.Array(s.domain.Min), reproducible.Array(s.domain.Max)
	for k := range p {
		if p[k]-lo[k] > s.touch && hi[k]-p[k] > s.touch {
			p[k] = max(lo[k], min(hi[k], p[k]+d[k]))
		}
	}
	return reproducible.Vector(p)
}

func set(dst []float32, v int, x r3.Vec) {
	dst[3*v], dst[3*v+1], dst[3*v+2] = float32(x.X), float32(x.Y), float32(x.Z)
}

// slope is the gradient of the heights in a triangle times twice its area, and that, m².
type slope struct {
	gradient r3.Vec
	twice    float64
}

func (w *Waves) findSlopes(_, lo, hi int) {
	for t := lo; t < hi; t++ {
		tri := w.now.triangles[3*t : 3*t+3]
		g, twice := w.gradient(tri[0], tri[1], tri[2])
		w.slopes[t] = slope{reproducible.Scale(twice, g), twice}
	}
}

// tilted is a vertex's normal less the slope of the heights around it, of length 1.
func (w *Waves) tilted(v int, normal r3.Vec) r3.Vec {
	var sum r3.Vec
	area, s := 0., &w.now
	for _, corner := range s.lookup.fans.at(int32(v)) {
		t := &w.slopes[corner/3]
		sum = r3.Add(sum, t.gradient)
		area += t.twice
	}
	if area == 0 {
		return normal
	}
	slope := reproducible.Scale(1/area, sum)
	slope = r3.Sub(slope, reproducible.Scale(reproducible.Dot(slope, normal), normal))
	n := r3.Sub(normal, slope)
	return reproducible.Scale(1/math.Sqrt(max(reproducible.Norm2(n), 1e-30)), n)
}

// gradient is that of the heights in a triangle, and twice its area, m²; 0 for one without.
func (w *Waves) gradient(a, b, c uint32) (g r3.Vec, twice float64) {
	x := at(w.now.positions, a)
	e, f := r3.Sub(at(w.now.positions, b), x), r3.Sub(at(w.now.positions, c), x)
	ee, ef, ff := reproducible.Norm2(e), reproducible.Dot(e, f), reproducible.Norm2(f)
	det := float64(ee*ff) - float64(ef*ef)
	if det <= 1e-9*float64(ee*ff) {
		return r3.Vec{}, 0
	}
	p, q := w.Height[b]-w.Height[a], w.Height[c]-w.Height[a]
	s, t := (float64(p*ff)-float64(q*ef))/det, (float64(q*ee)-float64(p*ef))/det
	return r3.Add(reproducible.Scale(s, e), reproducible.Scale(t, f)), math.Sqrt(det)
}
