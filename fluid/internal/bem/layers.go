package bem

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Layers are the single and the double layer on a surface, as operators. All are without the factor 1/4π. Their results are integrals over each face, in the order of
// the panels.
type Layers struct {
	panels   []panel
	corners  [][3]int32 // vertices of each panel
	face     []int32    // the face that a panel is of
	tilt     [][3]r3.Vec
	near     []nearPair
	far      []farPair
	tree     tree
	vertices int
	volume   float64
	centre   r3.Vec

	fewer int // what tests take off directFaces
	sides []side
	slope []r3.Vec // of each panel, scratch
	mean  []float64
}

// nearPair are the integrals over two panels that are near to each other, the first over x and the second over y.
type nearPair struct {
	i, j   int32
	single float64    // ∫∫ 1/r
	field  r3.Vec     // ∫∫ (y-x)/r³; minus this for the panels the other way round
	ij, ji [3]float64 // ∫∫ N n·(y-x)/r³ with j's functions and normal; with x in j and y in i, i's
	volume [2]float64 // ½∫∫ n·(y-x)/r with j's normal; with x in j and y in i, i's
}

// farPair are the integrals over two panels that are far from each other though their leaves are near.
type farPair struct {
	i, j   int32
	single float64 // ∫∫ 1/r
	field  r3.Vec  // ∫∫ (y-x)/r³, x in the first and y in the second
	inv3   float64 // both areas over the third power of the distance of the centroids
}

// farRatio is the distance of two centroids over the sum of the panels' radii from which on their integrals are expansions to the second moments. For triangles of any form the error is then at most
// .3 % of the single layer and 1.2 % of its field, and falls with the third power of the distance.
const farRatio = 2

// Set makes the layers of a surface, and copies what they need of it. triangles are counter-clockwise seen from outside.
// It returns ErrCorner, ErrNotFinite, ErrOpen or ErrVolume.
func (l *Layers) Set(at []r3.Vec, triangles [][3]int32) error {
	volume, err := l.check(at, triangles)
	if err != nil {
		return err
	}
	n := len(triangles)
	l.volume, l.vertices = volume, len(at)
	l.panels, l.corners, l.face, l.tilt = arrays.Resize(l.panels, n), arrays.Resize(l.corners, n), arrays.Resize(l.face, n), arrays.Resize(l.tilt, n)
	l.slope, l.mean = arrays.Resize(l.slope, n), arrays.Resize(l.mean, n)
	l.tree.build(at, triangles, l.face, max(directFaces-l.fewer, 0))
	var centre r3.Vec
	area := 0.
	for i, f := range l.face {
		t := triangles[f]
		l.corners[i] = t
		p := &l.panels[i]
		*p = newPanel(at[t[0]], at[t[1]], at[t[2]])
		for k := range l.tilt[i] {
			l.tilt[i][k] = times(&p.second, p.slope[k])
		}
		centre, area = r3.Add(centre, reproducible.Scale(p.area, p.centre)), area+p.area
	}
	l.centre = reproducible.Scale(1/area, centre)
	l.tree.pair(l.panels)
	l.tree.findOnes(l)
	l.near, l.far = l.near[:0], l.far[:0]
	for _, p := range l.tree.direct {
		l.addPairs(&l.tree.nodes[p[0]], &l.tree.nodes[p[1]])
	}
	return nil
}

// times returns the symmetric matrix q times v.
func times(q *[6]float64, v r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(q[0]*v.X) + float64(q[3]*v.Y) + float64(q[4]*v.Z),
		Y: float64(q[3]*v.X) + float64(q[1]*v.Y) + float64(q[5]*v.Z),
		Z: float64(q[4]*v.X) + float64(q[5]*v.Y) + float64(q[2]*v.Z),
	}
}

// areNear says whether the integrals over two panels are in closed form.
func areNear(p, q *panel) bool {
	reach := farRatio * (p.radius + q.radius)
	return reproducible.Norm2(r3.Sub(p.centre, q.centre)) < reach*reach
}

// addPairs adds the pairs of panels, one in each node. Those without area are in none.
func (l *Layers) addPairs(a, b *node) {
	for i := a.first; i < a.first+a.count; i++ {
		end := b.first + b.count
		if a == b {
			end = i
		}
		for j := b.first; j < end; j++ {
			p, q := &l.panels[i], &l.panels[j]
			switch {
			case p.area == 0 || q.area == 0:
			case areNear(p, q):
				l.near = append(l.near, l.integrate(i, j))
			default:
				l.far = append(l.far, farIntegrals(i, j, p, q))
			}
		}
	}
}

// integrate returns the integrals over two panels, i over x and j over y, each the mean of two: in closed form over one panel and by quadrature over the other, of fifth
// degree where they touch, since there the gradient has a logarithm, and of second degree elsewhere.
func (l *Layers) integrate(i, j int32) nearPair {
	p, q := &l.panels[i], &l.panels[j]
	pair := nearPair{i: i, j: j}
	rule := second[:]
	if touch(l.corners[i], l.corners[j]) {
		rule = fifth[:]
	}
	for k := range rule {
		r := &rule[k]
		x, y := p.point(r), q.point(r)
		s, t := q.from(x), p.from(y)
		wp, wq := float64(.5*r.weight*p.area), float64(.5*r.weight*q.area)
		pair.single += float64(wp*s.single) + float64(wq*t.single)
		pair.field = r3.Add(pair.field, reproducible.Scale(wp, r3.Add(s.along, reproducible.Scale(s.angle, q.normal))))
		pair.field = r3.Sub(pair.field, reproducible.Scale(wq, r3.Add(t.along, reproducible.Scale(t.angle, p.normal))))
		pair.volume[0] += float64(wp * s.single * reproducible.Dot(q.normal, r3.Sub(q.centre, x)))
		pair.volume[1] += float64(wq * t.single * reproducible.Dot(p.normal, r3.Sub(p.centre, y)))
		for m := range s.double {
			pair.ij[m] += float64(2 * wp * s.double[m])
			pair.ji[m] += float64(2 * wq * t.double[m])
		}
	}
	return pair
}

// touch says whether two triangles have a corner in common.
func touch(a, b [3]int32) bool {
	for _, v := range a {
		if v == b[0] || v == b[1] || v == b[2] {
			return true
		}
	}
	return false
}

// farIntegrals returns those over two panels that are far from each other, to the second moments.
func farIntegrals(i, j int32, p, q *panel) farPair {
	e := r3.Sub(q.centre, p.centre)
	inv2 := 1 / reproducible.Norm2(e)
	inv := math.Sqrt(inv2)
	m := add(&p.second, &q.second)
	me := times(&m, e)
	both := float64(p.area * q.area)
	along, sum := float64(inv2*reproducible.Dot(e, me)), trace(&m)
	inv3 := float64(both * inv * inv2)
	single := float64(both*inv) + float64(float64(.5*inv3)*(float64(3*along)-sum))
	factor := 1 + float64(1.5*inv2*(float64(5*along)-sum))
	field := reproducible.Scale(inv3, r3.Sub(reproducible.Scale(factor, e), reproducible.Scale(3*inv2, me)))
	return farPair{i, j, single, field, inv3}
}

// offset is that of the centroids of two panels, and the inverse of its square.
func offset(p, q *panel) (e r3.Vec, inv2 float64) {
	e = r3.Sub(q.centre, p.centre)
	return e, 1 / reproducible.Norm2(e)
}

// farTilt returns what a density adds to ∫∫ φ n·(y-x)/r³ that is 0 at the centroid, per inv3 of the pair: tilt is its gradient times the panel's second moments, e and inv2 are those of offset.
func farTilt(normal, tilt, e r3.Vec, inv2 float64) float64 {
	return reproducible.Dot(normal, tilt) - float64(3*inv2*reproducible.Dot(normal, e)*reproducible.Dot(e, tilt))
}

func add(a, b *[6]float64) (sum [6]float64) {
	for k := range sum {
		sum[k] = a[k] + b[k]
	}
	return sum
}

func trace(m *[6]float64) float64 { return m[0] + m[1] + m[2] }
