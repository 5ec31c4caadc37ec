package forces

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// The curvature at the surface is that of a paraboloid, fitted to the points in which the surface crosses the lines between the
// centres of cells. Only the zero level of φ enters: further off, redistancing moves φ late and by jerks, and a curvature
// that saw that would lag behind the surface and drive its waves on.
// Source: Popinet 2009 §2.3.2 (parabolas fitted to interface positions).

// fitHalo is how many layers of halo a fit needs: it looks at the cells up to two off.
const fitHalo = 2

const (
	fitEdge = layout.Edge + 2*fitHalo
	fitSize = fitEdge * fitEdge * fitEdge
)

const (
	// fitReach, in cells, is how far from the middle of a fit its points may be. A point's weight is (1 - (r/fitReach)²)³, so
	// that the fit changes continuously as points come and go. The weights must be nearly a normal distribution: with steeper ones the fit to a wave of two
	// cells bends the other way, and such waves grow until they fill the liquid.
	fitReach = 2.2
	// fewest points that determine a paraboloid.
	fewest = 8
	// grazing is the part of the normal along an axis below which lines along it are left out: where they cross the surface is uncertain.
	grazing = .05
	// kink is the least second difference of φ, in cells, that is not the bend of one surface.
	kink = .4
)

// fitter is a block of φ with its halo, and the points where the surface crosses the lines between the cells' centres.
type fitter struct {
	n, halo, edge int
	phi           [fitSize]float32 // in cells
	// at is, per axis and cell, how far the crossing is on the way to the next cell, in cells; negative where the liquid is on
	// the far side.
	at  [3][fitSize]float32
	set [3][fitEdge * fitEdge]uint32 // per axis and row along x: bits of the cells with a crossing

	points *nearPoints // instead of the crossings, if the surface is told by points
	near   nearPoints
}

// fitBlock writes the curvature of a block's cells beside the surface.
func (t *Tension) fitBlock(worker int, b int32) {
	q := &t.work[worker]
	l, first := t.g.Cur.Level[b], int(t.g.Cur.First[b])
	q.n = 1 << l
	h := float32(t.g.CellSize(l))
	kappa := t.kappa[first:][:q.n*q.n*q.n]
	clear(kappa)
	if t.films.some {
		clear(t.films.within[first:][:len(kappa)])
	}
	if !anyWithin(t.ahead[first:][:len(kappa)], curvatureReach*h) {
		return
	}
	q.load(t.g, b, t.ahead, 1/h)
	if q.points = nil; t.known.all != nil {
		q.points = &q.near
		q.near.load(t.g, &t.known, b)
		if q.near.labelled {
			t.fitFilms(q, first, h)
		}
	} else {
		q.findCrossings()
	}
	patchy := t.aslant || t.hasMixedLevels(b)
	for c := range kappa {
		x := [3]int{c & (q.n - 1), c >> l & (q.n - 1), c >> (2 * l)}
		i := q.halo + x[0] + q.edge*(q.halo+x[1]+q.edge*(q.halo+x[2]))
		if v := q.phi[i]; q.beside(i) || patchy && max(v, -v) < curvatureReach {
			kappa[c] = q.curvature([3]int{q.halo + x[0], q.halo + x[1], q.halo + x[2]}) / h
		}
	}
}

// anyWithin tells whether a value is smaller than that in size.
func anyWithin(values []float32, most float32) bool {
	for _, v := range values {
		if max(v, -v) < most {
			return true
		}
	}
	return false
}

// hasMixedLevels tells whether a block beside this one has another level: then a cell may have a crossing that its tile does not show.
func (t *Tension) hasMixedLevels(b int32) bool {
	for _, nb := range t.g.Neighbour[b] {
		if nb != layout.None && t.g.Cur.Level[nb] != t.g.Cur.Level[b] {
			return true
		}
	}
	return false
}

// load takes a block of φ, in cells of which there are perMetre.
func (q *fitter) load(g *layout.Grid, b int32, phi []float32, perMetre float32) {
	q.halo = min(fitHalo, q.n)
	q.edge = q.n + 2*q.halo
	tile := q.phi[:q.edge*q.edge*q.edge]
	gather(g, b, q.halo, phi, tile)
	for i := range tile {
		tile[i] *= perMetre
	}
}

// beside tells whether the surface passes between a cell and one of the six around it.
func (q *fitter) beside(i int) bool {
	t, e := &q.phi, q.edge
	v := t[i] < 0
	return v != (t[i-1] < 0) || v != (t[i+1] < 0) || v != (t[i-e] < 0) || v != (t[i+e] < 0) || v != (t[i-e*e] < 0) || v != (t[i+e*e] < 0)
}

// findCrossings sets at and set.
func (q *fitter) findCrossings() {
	e := q.edge
	for a, step := range [3]int{1, e, e * e} {
		for r := range e * e {
			set := uint32(0)
			for x := range e {
				if place := [3]int{x, r % e, r / e}[a]; place < e-1 && (q.phi[x+e*r] < 0) != (q.phi[x+e*r+step] < 0) {
					q.at[a][x+e*r] = q.crossing(x+e*r, step, place > 0, place < e-2)
					set |= 1 << x
				}
			}
			q.set[a][r] = set
		}
	}
}

// crossing is where φ is 0 on the way from a cell to the next, as in fitter.at. The parabola through the cells before or after, where
// there are any, is taken into account: on a straight line the crossing would be off by up to 1/8R cells.
func (q *fitter) crossing(i, step int, before, after bool) float32 {
	lo, hi := q.phi[i], q.phi[i+step]
	bend, count := float32(0), float32(0)
	if before {
		if b := hi - 2*lo + q.phi[i-step]; max(b, -b) < kink {
			bend, count = b, 1
		}
	}
	if after {
		if b := lo - 2*hi + q.phi[i+2*step]; max(b, -b) < kink {
			bend, count = bend+b, count+1
		}
	}
	theta := lo / (lo - hi)
	theta += float32(bend/max(1, count)*.5*theta*(1-theta)) / (hi - lo)
	theta = max(1e-6, min(1, theta))
	if lo < 0 {
		return theta
	}
	return -theta
}

// curvature is that of the surface where it is nearest to the cell at c, in 1/cells.
func (q *fitter) curvature(c [3]int) float32 {
	e, t := q.edge, &q.phi
	i := c[0] + e*(c[1]+e*c[2])
	n := [3]float64{float64(t[i+1]-t[i-1]) / 2, float64(t[i+e]-t[i-e]) / 2, float64(t[i+e*e]-t[i-e*e]) / 2}
	if s := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2])); s > .1 {
		way := float64(t[i]) / s
		f := frame{normal: [3]float64{n[0] / s, n[1] / s, n[2] / s}}
		f.u, f.v = tangents(&f.normal)
		for a, n := range f.normal {
			f.origin[a] = float64(c[a]) - float64(way*n)
		}
		var p paraboloid
		if q.points != nil {
			for a := range f.origin { // from the middle of the tile's first cell to the block's corner
				f.origin[a] += .5 - float64(q.halo)
			}
			q.points.addTo(&p, &f)
		} else {
			for a := range 3 {
				q.addPoints(&p, &f, a, c)
			}
		}
		if k, ok := p.curvature(); ok {
			return float32(max(-1, min(1, k)))
		}
	}
	return curvature(t[:], i, e, 1)
}

// frame is what the points of a fit are measured in: cells from an origin on the surface, along its normal and two tangents.
type frame struct{ origin, normal, u, v [3]float64 }

// tangents are two directions across a normal and each other.
func tangents(n *[3]float64) (u, v [3]float64) {
	a := 0
	for i := range n {
		if math.Abs(n[i]) < math.Abs(n[a]) {
			a = i
		}
	}
	b, c := (a+1)%3, (a+2)%3
	s := math.Sqrt(float64(n[b]*n[b]) + float64(n[c]*n[c]))
	u[b], u[c] = n[c]/s, -n[b]/s
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		v[i] = float64(n[j]*u[k]) - float64(n[k]*u[j])
	}
	return u, v
}

// addPoints adds the crossings along an axis around cell c that face as the frame does: the others are of another surface.
// Weighted with the normal's part along the axis, points are equally dense on all of the surface.
func (q *fitter) addPoints(p *paraboloid, f *frame, a int, c [3]int) {
	share := math.Abs(f.normal[a])
	if share < grazing {
		return
	}
	var lo, hi [3]int
	for i := range c {
		lo[i], hi[i] = c[i]-q.halo, c[i]+q.halo
	}
	hi[a]--
	window := (uint32(2)<<(hi[0]-lo[0]) - 1) << lo[0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			r := y + q.edge*z
			for set := q.set[a][r] & window; set != 0; set &= set - 1 {
				x := bits.TrailingZeros32(set)
				theta := float64(q.at[a][x+q.edge*r])
				if (theta > 0) != (f.normal[a] > 0) {
					continue
				}
				d := [3]float64{float64(x) - f.origin[0], float64(y) - f.origin[1], float64(z) - f.origin[2]}
				d[a] += math.Abs(theta)
				if w := 1 - geom.Dot(&d, &d)/(fitReach*fitReach); w > 0 {
					p.add(share*w*w*w, geom.Dot(&d, &f.u), geom.Dot(&d, &f.v), geom.Dot(&d, &f.normal))
				}
			}
		}
	}
}

// paraboloid is a weighted least-squares fit of z = x·(1, u, v, u², uv, v²).
type paraboloid struct {
	count int
	sum   [15]float64 // of 1, u, v, u², uv, v², u³, …, v⁴
	z, r4 [6]float64  // of z and of (u² + v²)² times each of the six
}

// moment is where in sum the product of two of the six is.
var moment = [6][6]int{
	{0, 1, 2, 3, 4, 5}, {1, 3, 4, 6, 7, 8}, {2, 4, 5, 7, 8, 9},
	{3, 6, 7, 10, 11, 12}, {4, 7, 8, 11, 12, 13}, {5, 8, 9, 12, 13, 14},
}

func (p *paraboloid) add(weight, u, v, z float64) {
	p.count++
	uu, uv, vv := float64(u*u), float64(u*v), float64(v*v)
	r4 := (uu + vv) * (uu + vv)
	for i, x := range &[6]float64{1, u, v, uu, uv, vv} {
		x *= weight
		p.z[i] += float64(x * z)
		p.r4[i] += float64(x * r4)
	}
	for i, x := range &[15]float64{1, u, v, uu, uv, vv, uu * u, uu * v, u * vv, vv * v, uu * uu, uu * uv, uu * vv, uv * vv, vv * vv} {
		p.sum[i] += float64(weight * x)
	}
}

// curvature is that at u = v = 0 against the normal; false where the points do not determine it. A sphere's height is -r²/2R - r⁴/8R³ - …: were the second
// term left in, the fit would find it 2 % too bent at 8 cells a radius.
func (p *paraboloid) curvature() (k float64, ok bool) {
	if p.count < fewest {
		return 0, false
	}
	var l [6][6]float64
	for i := range 6 {
		for j := range i + 1 {
			s := p.sum[moment[i][j]]
			for k := range j {
				s -= float64(l[i][k] * l[j][k])
			}
			if i > j {
				l[i][j] = s / l[j][j]
				continue
			}
			if !(s > 1e-6*p.sum[moment[i][i]]) {
				return 0, false
			}
			l[i][i] = math.Sqrt(s)
		}
	}
	x, quartic := solve(&l, &p.z), solve(&l, &p.r4)
	half := bend(&x) / 2
	for i, y := range quartic {
		x[i] += float64(half * half * half / 8 * y)
	}
	return bend(&x), true
}

// solve solves L Lᵀ x = b.
func solve(l *[6][6]float64, b *[6]float64) (x [6]float64) {
	for i := range 6 {
		s := b[i]
		for k := range i {
			s -= float64(l[i][k] * x[k])
		}
		x[i] = s / l[i][i]
	}
	for i := 5; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < 6; k++ {
			s -= float64(l[k][i] * x[k])
		}
		x[i] = s / l[i][i]
	}
	return x
}

// bend is the curvature of a paraboloid at the origin.
func bend(x *[6]float64) float64 {
	b, c := x[1], x[2]
	g := 1 + float64(b*b) + float64(c*c)
	k := float64((1+float64(c*c))*2*x[3]) - float64(2*b*c*x[4]) + float64((1+float64(b*b))*2*x[5])
	return -k / (g * math.Sqrt(g))
}
