package bem

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Nodes act on each other by Cartesian expansions of 1/r about both centres. With x = X + ξ, y = Y + η, Z = X - Y, and t the coefficients of Taylor's series of 1/|z| at Z,
//
//	1/|x-y| = Σ t[α+β] (α+β)!/(α! β!) ξ^α (-η)^β   over all powers α, β with |α| + |β| ≤ order.
//
// The sum is symmetric in both nodes, so that the matrix is too.
//
// Source: Duan and Krasny 2001, An adaptive treecode for computing nonbonded potential energy in classical molecular systems, for the recurrence of t.

const (
	order = 6
	terms = (order + 1) * (order + 2) * (order + 3) / 6 // powers up to order
)

// powers lists the powers of x, y and z in order of their sum.
var powers = func() (list [terms][3]int8) {
	n := 0
	for sum := range order + 1 {
		for i := sum; i >= 0; i-- {
			for j := sum - i; j >= 0; j-- {
				list[n] = [3]int8{int8(i), int8(j), int8(sum - i - j)}
				n++
			}
		}
	}
	return list
}()

// at is the place of a power in powers, or -1 for none.
func at(i, j, k int8) int16 {
	if i < 0 || j < 0 || k < 0 || i+j+k > order {
		return -1
	}
	s, rest := int16(i)+int16(j)+int16(k), int16(j)+int16(k)
	return s*(s+1)*(s+2)/6 + rest*(rest+1)/2 + int16(k)
}

// less has the place of each power less one, and less two, of each coordinate: -1 for none.
var less = func() (list [terms][2][3]int16) {
	for n, p := range powers {
		for axis := range 3 {
			q := p
			for step := range 2 {
				q[axis]--
				list[n][step][axis] = at(q[0], q[1], q[2])
			}
		}
	}
	return list
}()

// product is a pair of powers with |α| + |β| ≤ order: the places of α, β and α+β, and (α+β)!/(α! β!).
type product struct {
	a, b, sum int16
	factor    float64
}

var products = func() (list []product) {
	choose := func(n, k int8) float64 {
		c := 1.
		for i := range k {
			c = c * float64(n-i) / float64(i+1)
		}
		return c
	}
	for a, p := range powers {
		for b, q := range powers {
			if sum := at(p[0]+q[0], p[1]+q[1], p[2]+q[2]); sum >= 0 {
				list = append(list, product{int16(a), int16(b), sum, float64(choose(p[0]+q[0], p[0])*choose(p[1]+q[1], p[1])) * choose(p[2]+q[2], p[2])})
			}
		}
	}
	return list
}()

// taylor returns the coefficients of Taylor's series of 1/|z| at z: derivatives over factorials.
func taylor(z r3.Vec) (t [terms]float64) {
	c := reproducible.Array(z)
	inv2 := 1 / reproducible.Norm2(z)
	t[0] = math.Sqrt(inv2)
	for n := 1; n < terms; n++ {
		k := float64(powers[n][0] + powers[n][1] + powers[n][2])
		var first, second float64
		for axis := range 3 {
			if m := less[n][0][axis]; m >= 0 {
				first += float64(c[axis] * t[m])
			}
			if m := less[n][1][axis]; m >= 0 {
				second += t[m]
			}
		}
		t[n] = -(float64((2*k-1)*first) + float64((k-1)*second)) * inv2 / k
	}
	return t
}

// monomials returns all powers of a vector.
func monomials(x r3.Vec) (v [terms]float64) {
	c := reproducible.Array(x)
	v[0] = 1
	for n := 1; n < terms; n++ {
		for axis := range 3 {
			if m := less[n][0][axis]; m >= 0 {
				v[n] = float64(c[axis] * v[m])
				break
			}
		}
	}
	return v
}

// derivative returns the derivatives of all monomials, whose values are v, along a vector.
func derivative(v *[terms]float64, along r3.Vec) (d [terms]float64) {
	c := reproducible.Array(along)
	for n := 1; n < terms; n++ {
		for axis := range 3 {
			if m := less[n][0][axis]; m >= 0 {
				d[n] += float64(float64(float64(powers[n][axis])*c[axis]) * v[m])
			}
		}
	}
	return d
}

// addScaled adds f·v to dst.
func addScaled(dst *[terms]float64, f float64, v *[terms]float64) {
	for n := range dst {
		dst[n] += float64(f * v[n])
	}
}

// exchange sets the local expansions of all nodes to what the moments of the others make.
func (t *tree) exchange() {
	clear(t.local)
	for _, pair := range t.expanded {
		a, b := pair[0], pair[1]
		c := taylor(r3.Sub(t.nodes[a].centre, t.nodes[b].centre))
		pull(&t.local[a], &c, &t.moments[b])
		for n := range c { // at -Z odd derivatives have the other sign
			if (powers[n][0]+powers[n][1]+powers[n][2])&1 == 1 {
				c[n] = -c[n]
			}
		}
		pull(&t.local[b], &c, &t.moments[a])
	}
}

// pull adds to a local expansion what moments make.
func pull(local, c, moments *[terms]float64) {
	for k := range products {
		p := &products[k]
		local[p.a] += float64(float64(p.factor*c[p.sum]) * moments[p.b])
	}
}

// gather sets the moments of all nodes to those of a density on the panels, given at the stations of a quadrature. With normal it is one of dipoles along the normals: Σ φ n·∇η.
func (t *tree) gather(l *Layers, normal bool, density func(i int32) [3]float64) {
	for k := len(t.nodes) - 1; k >= 0; k-- { // children come after their parents
		node, m := &t.nodes[k], &t.moments[k]
		clear(m[:])
		if node.right != 0 {
			t.raise(m, node, int32(k)+1)
			t.raise(m, node, node.right)
			continue
		}
		for i := node.first; i < node.first+node.count; i++ {
			p, values := &l.panels[i], density(i)
			for s := range second {
				v := monomials(r3.Sub(node.centre, p.point(&second[s]))) // of -η
				if normal {
					v = derivative(&v, p.normal) // n·(y-x)/r³ is minus the derivative of 1/r along n, and -η falls along n
				}
				addScaled(m, float64(p.area*values[s]*second[s].weight), &v)
			}
		}
	}
}

// raise adds a child's moments to those of its parent: (a+b)^γ = Σ γ!/(α! β!) a^α b^β.
func (t *tree) raise(m *[terms]float64, parent *node, child int32) {
	shift, own := monomials(r3.Sub(parent.centre, t.nodes[child].centre)), &t.moments[child]
	for k := range products {
		p := &products[k]
		m[p.sum] += float64(float64(p.factor*shift[p.a]) * own[p.b])
	}
}

// lower adds a parent's local expansion to that of its child.
func (t *tree) lower(local *[terms]float64, parent *node, child int32) {
	shift, own := monomials(r3.Sub(t.nodes[child].centre, parent.centre)), &t.local[child]
	for k := range products {
		p := &products[k]
		own[p.b] += float64(float64(p.factor*shift[p.a]) * local[p.sum])
	}
}

// spreadLocal calls do with each panel and the values of its leaf's local expansion at the stations of a quadrature, times their shares of its area. Before, leaves get what the nodes above them have.
// With normal the values are derivatives along the panel's normal.
func (t *tree) spreadLocal(l *Layers, normal bool, do func(i int32, values [3]float64)) {
	for k := range t.nodes {
		node, local := &t.nodes[k], &t.local[k]
		if node.right != 0 {
			t.lower(local, node, int32(k)+1)
			t.lower(local, node, node.right)
			continue
		}
		for i := node.first; i < node.first+node.count; i++ {
			p := &l.panels[i]
			var values [3]float64
			for s := range second {
				v := monomials(r3.Sub(p.point(&second[s]), node.centre))
				if normal {
					v = derivative(&v, p.normal)
				}
				for n := range v {
					values[s] += float64(v[n] * local[n])
				}
				values[s] = float64(values[s] * p.area * second[s].weight)
			}
			do(i, values)
		}
	}
}

// addSingle adds what expansions make of ∫∫ q/r.
func (t *tree) addSingle(l *Layers, dst, q []float64) {
	if len(t.expanded) == 0 {
		return
	}
	t.gather(l, false, func(i int32) [3]float64 { return [3]float64{q[i], q[i], q[i]} })
	t.exchange()
	t.spreadLocal(l, false, func(i int32, v [3]float64) { dst[i] += v[0] + v[1] + v[2] })
}

// addVolume adds what expansions make of half of ∫∫ n·(y-x)/r: single layers of n·y and of each component of n.
func (t *tree) addVolume(l *Layers, dst []float64) {
	if len(t.expanded) == 0 {
		return
	}
	for axis := range 4 { // the last is n·y
		t.gather(l, false, func(i int32) (v [3]float64) {
			p := &l.panels[i]
			for s := range v {
				v[s] = reproducible.Dot(p.normal, r3.Sub(p.centre, l.centre))
				if axis < 3 {
					v[s] = reproducible.Array(p.normal)[axis]
				}
			}
			return v
		})
		t.exchange()
		t.spreadLocal(l, false, func(i int32, v [3]float64) {
			for s := range v {
				factor := .5
				if axis < 3 {
					factor = -float64(.5 * reproducible.Array(r3.Sub(l.panels[i].point(&second[s]), l.centre))[axis])
				}
				dst[i] += float64(factor * v[s])
			}
		})
	}
}

// findOnes finds what expansions make of the double layer of the density 1.
func (t *tree) findOnes(l *Layers) {
	if len(t.expanded) == 0 {
		return
	}
	clear(t.ones)
	t.gather(l, true, func(int32) [3]float64 { return [3]float64{1, 1, 1} })
	t.exchange()
	t.spreadLocal(l, false, func(i int32, v [3]float64) { t.ones[i] += v[0] + v[1] + v[2] })
}

// addDouble subtracts what expansions make of ∫∫ (φ - φ_i) n·(y-x)/r³, φ_i the mean on the panel of x. phi has values at the vertices, of which l.mean has the means.
func (t *tree) addDouble(l *Layers, dst, phi []float64) {
	if len(t.expanded) == 0 {
		return
	}
	t.gather(l, true, func(i int32) (at [3]float64) {
		for k, v := range l.corners[i] {
			at[k] = (l.mean[i] + phi[v]) / 2
		}
		return at
	})
	t.exchange()
	t.spreadLocal(l, false, func(i int32, v [3]float64) { dst[i] -= v[0] + v[1] + v[2] })
	for i, one := range t.ones {
		dst[i] += float64(one * l.mean[i])
	}
}

// addDoubleTransposed adds the transposed of addDouble.
func (t *tree) addDoubleTransposed(l *Layers, dst, weight []float64) {
	if len(t.expanded) == 0 {
		return
	}
	t.gather(l, false, func(i int32) [3]float64 { return [3]float64{weight[i], weight[i], weight[i]} })
	t.exchange()
	t.spreadLocal(l, true, func(i int32, v [3]float64) {
		mean := (v[0] + v[1] + v[2]) / 3
		for k, c := range l.corners[i] {
			dst[c] += float64((mean + v[k]) / 2)
		}
	})
	for i, one := range t.ones {
		spread(dst, l.corners[i], float64(one*weight[i]))
	}
}
