package bem

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Every sum is over near pairs first, then over far pairs of panels, then over pairs of nodes.

// applySingle sets dst to ∫∫ q/r of a density q that is constant on each panel.
func (l *Layers) applySingle(dst, q []float64) {
	for i := range dst {
		dst[i] = float64(l.panels[i].self() * q[i])
	}
	for k := range l.near {
		n := &l.near[k]
		dst[n.i] += float64(n.single * q[n.j])
		dst[n.j] += float64(n.single * q[n.i])
	}
	for k := range l.far {
		f := &l.far[k]
		dst[f.i] += float64(f.single * q[f.j])
		dst[f.j] += float64(f.single * q[f.i])
	}
	l.tree.addSingle(l, dst, q)
}

// applyDouble sets dst to 2π∫φ + ∫∫ φ ∂(1/r)/∂n of a density φ with values at the vertices. It is 0 for a constant: what a panel does to itself is minus the sum of all others.
func (l *Layers) applyDouble(dst, phi []float64) {
	l.prepare(phi)
	clear(dst)
	for k := range l.near {
		n := &l.near[k]
		ci, cj := l.corners[n.i], l.corners[n.j]
		for m := range 3 {
			dst[n.i] -= float64(n.ij[m] * (phi[cj[m]] - l.mean[n.i]))
			dst[n.j] -= float64(n.ji[m] * (phi[ci[m]] - l.mean[n.j]))
		}
	}
	for k := range l.far {
		f := &l.far[k]
		i, j := f.i, f.j
		p, q := &l.panels[i], &l.panels[j]
		e, inv2 := offset(p, q)
		jump := l.mean[j] - l.mean[i]
		dst[i] -= float64(reproducible.Dot(q.normal, f.field)*jump) + float64(f.inv3*farTilt(q.normal, l.slope[j], e, inv2))
		// With the panels the other way round the field changes its sign, and so does the jump.
		dst[j] -= float64(reproducible.Dot(p.normal, f.field)*jump) + float64(f.inv3*farTilt(p.normal, l.slope[i], e, inv2))
	}
	l.tree.addDouble(l, dst, phi)
}

// applyVolume sets dst to half of ∫∫ n·(y-x)/r, which is the integral over each panel of ∫ 1/r over what the surface encloses: n·(y-x)/2r is the flux of the field (y-x)/2r, whose divergence is 1/r. It
// vanishes for a panel with itself.
//
// Source: Brochu 2006, section 5.2, the antiderivative r/(8π|r|) of Green's function.
func (l *Layers) applyVolume(dst []float64) {
	clear(dst)
	for k := range l.near {
		n := &l.near[k]
		dst[n.i] += n.volume[0]
		dst[n.j] += n.volume[1]
	}
	for k := range l.far {
		f := &l.far[k]
		p, q := &l.panels[f.i], &l.panels[f.j]
		e := r3.Sub(q.centre, p.centre)
		dst[f.i] += float64(.5 * (float64(reproducible.Dot(q.normal, e)*f.single) - float64(f.inv3*reproducible.Dot(q.normal, times(&p.second, e)))))
		dst[f.j] -= float64(.5 * (float64(reproducible.Dot(p.normal, e)*f.single) - float64(f.inv3*reproducible.Dot(p.normal, times(&q.second, e)))))
	}
	l.tree.addVolume(l, dst)
}

// prepare finds the mean of a density, with values at the vertices, on each panel, and its gradient times the panel's second moments.
func (l *Layers) prepare(phi []float64) {
	for i, c := range l.corners {
		l.mean[i] = (phi[c[0]] + phi[c[1]] + phi[c[2]]) / 3
		l.slope[i] = r3.Vec{}
		for k, v := range c {
			l.slope[i] = r3.Add(l.slope[i], reproducible.Scale(phi[v]-l.mean[i], l.tilt[i][k]))
		}
	}
}

// applyDoubleTransposed sets dst, by vertex, to the transposed of applyDouble times weights of the panels.
func (l *Layers) applyDoubleTransposed(dst, weight []float64) {
	clear(dst)
	// to adds what a panel's values add to the row of another.
	for k := range l.near {
		n := &l.near[k]
		ci, cj := l.corners[n.i], l.corners[n.j]
		var atI, atJ float64
		for m := range 3 {
			a, b := float64(n.ij[m]*weight[n.i]), float64(n.ji[m]*weight[n.j])
			dst[cj[m]] -= a
			dst[ci[m]] -= b
			atI += a
			atJ += b
		}
		spread(dst, ci, atI)
		spread(dst, cj, atJ)
	}
	for k := range l.far {
		f := &l.far[k]
		i, j := f.i, f.j
		p, q := &l.panels[i], &l.panels[j]
		e, inv2 := offset(p, q)
		a, b := float64(f.inv3*weight[i]), float64(f.inv3*weight[j])
		jump := float64(weight[i]*reproducible.Dot(q.normal, f.field)) + float64(weight[j]*reproducible.Dot(p.normal, f.field))
		spread(dst, l.corners[j], -jump)
		spread(dst, l.corners[i], jump)
		for m := range 3 {
			dst[l.corners[j][m]] -= float64(a * farTilt(q.normal, l.tilt[j][m], e, inv2))
			dst[l.corners[i][m]] -= float64(b * farTilt(p.normal, l.tilt[i][m], e, inv2))
		}
	}
	l.tree.addDoubleTransposed(l, dst, weight)
}

// spread adds a third of a value to each of three vertices.
func spread(dst []float64, c [3]int32, value float64) {
	for _, v := range c {
		dst[v] += value / 3
	}
}
