package bcc

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Check tells what is wrong with the lattice, if anything: triangles that are not shared by two tetrahedra, tetrahedra that are inside out or whose
// shape is not that in Shapes, volumes that don't add up, circumspheres that hold a vertex, polygons whose area is negative, cells that are not closed. It is slow, for tests.
func (l *Lattice) Check() error {
	for _, check := range []func() error{l.checkTets, l.checkTriangles, l.checkEdges, l.checkVolumes, l.checkClosed} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lattice) corner(t, k int) *[3]float64 { return &l.Position[l.Corners[t][k]] }

// tetVolume is that of a tetrahedron, m³, negative if it is inside out.
func (l *Lattice) tetVolume(t int) float64 {
	a := l.corner(t, 0)
	u, v, w := geom.Sub(l.corner(t, 1), a), geom.Sub(l.corner(t, 2), a), geom.Sub(l.corner(t, 3), a)
	vw := geom.Cross(&v, &w)
	return geom.Dot(&u, &vw) / 6
}

// tetSize is the length of a tetrahedron's first edge, m.
func (l *Lattice) tetSize(t int) float64 { return geom.Distance(l.corner(t, 1), l.corner(t, 0)) }

func (l *Lattice) checkTets() error {
	for t := range l.Corners {
		v := l.tetVolume(t)
		if !(v > 0) {
			return fmt.Errorf("tetrahedron %d has the volume %g", t, v)
		}
		a := geom.Sub(l.corner(t, 0), &l.Centres[t])
		r := geom.Norm(&a)
		for k := range 4 {
			if d := geom.Distance(l.corner(t, k), &l.Centres[t]); !(math.Abs(d-r) < 1e-9*r) {
				return fmt.Errorf("tetrahedron %d: corner %d is at %g from the centre, the first at %g", t, k, d, r)
			}
		}
	}
	return nil
}

// checkTriangles tells whether each triangle is shared by two tetrahedra, from both of its sides, or has a corner beyond.
func (l *Lattice) checkTriangles() error {
	type side struct {
		tet, turned int
		apex        int32
	}
	seen := map[[3]int32]side{}
	for t, c := range l.Corners {
		for k, f := range [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}} {
			key, turned := sorted([3]int32{c[f[0]], c[f[1]], c[f[2]]})
			if other, ok := seen[key]; !ok {
				seen[key] = side{t, turned, c[k]}
			} else if other.turned == turned || other.turned == 2 {
				return fmt.Errorf("tetrahedra %d and %d are on the same side of a triangle %v", other.tet, t, key)
			} else if d := geom.Distance(&l.Position[other.apex], &l.Centres[t]) - geom.Distance(&l.Position[c[k]], &l.Centres[t]); d < -1e-9*l.tetSize(t) {
				return fmt.Errorf("the circumsphere of tetrahedron %d holds a corner of %d", t, other.tet)
			} else {
				seen[key] = side{t, 2, -1}
			}
		}
	}
	lo, hi := l.extent()
	for key, s := range seen {
		if s.turned != 2 && !l.Beyond[key[0]] && !l.Beyond[key[1]] && !l.Beyond[key[2]] && !l.onSide(key, &lo, &hi) {
			return fmt.Errorf("tetrahedron %d: nothing beyond triangle %v", s.tet, key)
		}
	}
	return nil
}

// onSide tells whether a triangle lies on one of the layout's sides.
func (l *Lattice) onSide(f [3]int32, lo, hi *[3]float64) bool {
	for a := range 3 {
		for _, side := range [2]float64{lo[a], hi[a]} {
			if l.Position[f[0]][a] == side && l.Position[f[1]][a] == side && l.Position[f[2]][a] == side {
				return true
			}
		}
	}
	return false
}

// sorted is a triangle with its corners in ascending order, and 1 if that turns it around.
func sorted(f [3]int32) (key [3]int32, turned int) {
	for _, i := range [3]int{0, 1, 0} {
		if f[i] > f[i+1] {
			f[i], f[i+1] = f[i+1], f[i]
			turned ^= 1
		}
	}
	return f, turned
}

func (l *Lattice) checkEdges() error {
	for e, ends := range l.Ends {
		if l.Beyond[ends[0]] || l.Beyond[ends[1]] {
			return fmt.Errorf("edge %d goes beyond the layout", e)
		}
		x, y := l.Position[ends[0]], l.Position[ends[1]]
		if d := geom.Distance(&y, &x); !(math.Abs(d-l.Dist[e]) <= 1e-12*(d+geom.Norm(&x))) {
			return fmt.Errorf("edge %d is %g long, not %g", e, d, l.Dist[e])
		}
		area, middle := l.polygon(int32(e))
		size := l.Dist[e] * l.Dist[e]
		if l.Area[e] < 0 || !(math.Abs(area-l.Area[e]) < 1e-9*size) {
			return fmt.Errorf("edge %d has the area %g, and its ring %g", e, l.Area[e], area)
		}
		if !(geom.Distance(&middle, &l.Middle[e]) < 1e-9*l.Dist[e]) {
			return fmt.Errorf("edge %d: the polygon's middle is %g, not %g", e, middle, l.Middle[e])
		}
		n := l.Normal(int32(e))
		for _, t := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
			c := l.Centres[t]
			if p, q := geom.Distance(&c, &x), geom.Distance(&c, &y); !(math.Abs(p-q) < 1e-9*p) {
				return fmt.Errorf("edge %d: centre %d is at %g and %g from its ends", e, t, p, q)
			}
			way := geom.Sub(&c, &l.Middle[e])
			if off := geom.Dot(&way, &n); !(math.Abs(off) < 1e-9*l.Dist[e]) {
				return fmt.Errorf("edge %d: centre %d is %g off the polygon", e, t, off)
			}
		}
	}
	return nil
}

// polygon is the area and the centroid of an edge's ring.
func (l *Lattice) polygon(e int32) (area float64, middle [3]float64) {
	ring := l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]
	n, c := l.Normal(e), l.Centres[ring[0]]
	var sum, mean [3]float64
	for i := 1; i+1 < len(ring); i++ {
		p, q := geom.Sub(&l.Centres[ring[i]], &c), geom.Sub(&l.Centres[ring[i+1]], &c)
		turn := geom.Cross(&p, &q)
		w := geom.Dot(&turn, &n) / 2
		area += float64(w)
		for k := range 3 {
			sum[k] += float64(w*(p[k]+q[k])) / 3
		}
	}
	for _, t := range ring {
		for k, x := range l.Centres[t] {
			mean[k] += x / float64(len(ring))
		}
	}
	if area < 1e-9*l.Dist[e]*l.Dist[e] {
		return area, mean
	}
	for k := range 3 {
		middle[k] = c[k] + sum[k]/area
	}
	return area, middle
}

// extent is the box of what is within, m: the corners of cells are on its sides.
func (l *Lattice) extent() (lo, hi [3]float64) {
	lo, hi = l.Position[0], l.Position[0]
	for v, x := range l.Position {
		for a := range 3 {
			if !l.Beyond[v] {
				lo[a], hi[a] = min(lo[a], x[a]), max(hi[a], x[a])
			}
		}
	}
	return lo, hi
}

// checkVolumes tells whether tetrahedra within the layout and halves of those across its sides fill it, and whether Voronoi cells do.
func (l *Lattice) checkVolumes() error {
	lo, hi := l.extent()
	whole := float64((hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]))
	tets, cells := 0., 0.
	for t, c := range l.Corners {
		v := l.tetVolume(t)
		for _, x := range c {
			if l.Beyond[x] {
				v /= 2
			}
		}
		tets += v
	}
	for v, x := range l.Volume {
		if !(x > 0) != l.Beyond[v] {
			return fmt.Errorf("the cell of vertex %d has the volume %g", v, x)
		}
		cells += x
	}
	if !(math.Abs(tets-whole) < 1e-12*whole) || !(math.Abs(cells-whole) < 1e-12*whole) {
		return fmt.Errorf("tetrahedra fill %.15g and cells %.15g of %.15g m³", tets, cells, whole)
	}
	return nil
}

// checkClosed tells whether the polygons of each cell that isn't at a side close it.
func (l *Lattice) checkClosed() error {
	lo, hi := l.extent()
	for v, x := range l.Position {
		if l.Beyond[v] {
			continue
		}
		atSide, area := false, 0.
		var sum [3]float64
		reach := 0.
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			n, s := l.Normal(e), l.Area[e]
			area += s
			if l.Ends[e][1] == int32(v) {
				s = -s
			} else if l.Ends[e][0] != int32(v) {
				return fmt.Errorf("vertex %d is none of the ends of its edge %d", v, e)
			}
			for k := range 3 {
				sum[k] += float64(s * n[k])
			}
			for _, t := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
				reach = max(reach, geom.Distance(&l.Centres[t], &x))
			}
		}
		for a := range 3 {
			atSide = atSide || x[a]-lo[a] < reach || hi[a]-x[a] < reach
		}
		if !atSide && !(geom.Norm(&sum) < 1e-12*area) {
			return fmt.Errorf("the cell of vertex %d has the area %g and lacks %g of it", v, area, sum)
		}
	}
	return nil
}
