package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// crossingOf is where the surface crosses the line from a row to the air beyond one of its faces, m.
func crossingOf(gr *graph.Graph, f, row int32) (x [3]float64) {
	x, way := gr.Centre[row], gr.Dist[f]
	if gr.B[f] == row {
		way = -way
	}
	gr.AddAlong(int(f), &x, way)
	return x
}

// curvatureAt is the curvature of the surface at a place on it, 1/m: linear between the middles of the cells around, of which those count that have one.
func (t *Tension) curvatureAt(x [3]float64) float64 {
	b, fx, fy, fz := t.g.Locate(t.g.ToPoint(x[0], x[1], x[2]))
	h, within, n := t.g.CellSize(t.g.Cur.Level[b]), [3]float64{fx, fy, fz}, float64(int(1)<<t.g.Cur.Level[b])
	var part [3]float64
	for a, y := range within {
		part[a] = float64(y*n) - .5
		part[a] -= math.Floor(part[a])
	}
	sum, total := 0., 0.
	for i := range 8 {
		at, weight := x, 1.
		for a := range at {
			if i>>a&1 == 1 {
				at[a] += float64((1 - part[a]) * h)
				weight *= part[a]
			} else {
				at[a] -= float64(part[a] * h)
				weight *= 1 - part[a]
			}
		}
		cell := t.g.CellAt(at)
		if away := math.Abs(float64(t.phi[cell])); away < curvatureReach*h {
			sum += float64(weight * float64(t.kappa[cell]))
			total += weight
		}
	}
	return sum / max(total, math.SmallestNonzeroFloat64)
}

// touching, in cells, is how close to a place all cells are found around it.
const touching = 1e-3

// cellsAround are the cells of Cur at a place, of one in the middle of a cell that alone, eight times.
func (t *Tension) cellsAround(x [3]float64) (cells [8]int32) {
	by := touching * t.g.H
	for i := range cells {
		at := x
		for a := range at {
			at[a] += float64(by * float64(2*(i>>a&1)-1))
		}
		cells[i] = t.g.CellAt(at)
	}
	return cells
}

// easeAslant is easeVelocity where faces are not between the layout's cells: the two faces behind are those parallel to it of the two rows straight inwards
// of its own, where the lattice is the same all the way.
func (t *Tension) easeAslant(f, r int32) {
	gr := t.gr
	in, ok := t.inwards(r)
	if !ok {
		return
	}
	first := t.behind(r, &in)
	second := t.behind(first, &in)
	out, way := gr.Normals[f], 1.
	if gr.B[f] == r {
		out, way = [3]float64{-out[0], -out[1], -out[2]}, -1
	}
	one, u := t.parallel(first, &out)
	two, v := t.parallel(second, &out)
	if one < 0 || two < 0 {
		return
	}
	near := max(0, 1-gr.Dist[f]/gr.Dist[one])
	gr.U[f] += float64(t.ease * near * (float64(way*(float64(2*u)-v)) - gr.U[f]))
}

// inwards is the direction from a row at the air to that of the rows around that is most straight away from it.
func (t *Tension) inwards(r int32) (in [3]float64, ok bool) {
	gr := t.gr
	var air [3]float64
	for _, f := range gr.FacesOf(r) {
		if beyond, way := gr.Across(r, f); beyond == graph.Air {
			gr.AddAlong(int(f), &air, float64(way*gr.Area[f]))
		}
	}
	most := 0.
	for _, f := range gr.FacesOf(r) {
		if beyond, way := gr.Across(r, f); beyond >= 0 {
			if along := -float64(way * gr.Along(int(f), &air)); along > most {
				n := &gr.Normals[f]
				in, ok, most = [3]float64{way * n[0], way * n[1], way * n[2]}, true, along
			}
		}
	}
	return in, ok
}

// straight bounds from below the cosine of the angle between parallel directions.
const straight = 1 - 1e-6

// parallel is the face through which one gets from a row to another in a direction, and the velocity that way, m/s; -1: there is none.
func (t *Tension) parallel(r int32, way *[3]float64) (int32, float64) {
	gr := t.gr
	if r < 0 {
		return -1, 0
	}
	for _, f := range gr.FacesOf(r) {
		if beyond, out := gr.Across(r, f); beyond >= 0 && float64(out*geom.Dot(way, &gr.Normals[f])) > straight {
			return f, out * gr.U[f]
		}
	}
	return -1, 0
}

// behind is the row to which one gets from another in a direction, or -1.
func (t *Tension) behind(r int32, way *[3]float64) int32 {
	f, _ := t.parallel(r, way)
	if f < 0 {
		return -1
	}
	return t.gr.A[f] + t.gr.B[f] - r
}
