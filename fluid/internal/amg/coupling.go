package amg

import "fmt"

// Coupling is the term Kᵀ W K: groups of six rows K that are sparse over the unknowns,
// coupled by a small symmetric positive semidefinite matrix W.
//
// Ptr: len groups+1. Col, Val: len Ptr[groups]; the unknown and the six numbers of each
// entry, unknowns ascending within a group. Apply sets dst = W src, both of len 6·groups; it
// must be linear, symmetric and must not allocate.
type Coupling struct {
	Ptr   []int32
	Col   []int32
	Val   [][6]float64
	Apply func(dst, src []float64)
}

// groups returns the number of groups; a nil coupling has none.
func (k *Coupling) groups() int {
	if k == nil || len(k.Ptr) == 0 {
		return 0
	}
	return len(k.Ptr) - 1
}

func (k *Coupling) check() {
	g := k.groups()
	if g == 0 {
		return
	}
	if n := int(k.Ptr[g]); len(k.Col) != n || len(k.Val) != n {
		panic(fmt.Sprintf("amg: %d unknowns and %d values for %d coupling entries", len(k.Col), len(k.Val), n))
	}
	if k.Apply == nil {
		panic("amg: a coupling needs Apply")
	}
}

// gather sets dst = K x, six numbers per group.
func gather[T float32 | float64](k *Coupling, dst []float64, x []T) {
	for g := range k.groups() {
		*(*[6]float64)(dst[6*g:]) = gatherGroup(k, g, x)
	}
}

// gatherGroup returns the part of K x of group g.
func gatherGroup[T float32 | float64](k *Coupling, g int, x []T) [6]float64 {
	var a, b, c, d, e, f float64
	p, q := k.Ptr[g], k.Ptr[g+1]
	col, val := k.Col[p:q], k.Val[p:q]
	val = val[:len(col)]
	for i, j := range col {
		v, xj := &val[i], float64(x[j])
		a += float64(v[0] * xj)
		b += float64(v[1] * xj)
		c += float64(v[2] * xj)
		d += float64(v[3] * xj)
		e += float64(v[4] * xj)
		f += float64(v[5] * xj)
	}
	return [6]float64{a, b, c, d, e, f}
}

// scatter adds sign · Kᵀ u to y.
func (k *Coupling) scatter(y, u []float64, sign float64) {
	for g := range k.groups() {
		p, q := k.Ptr[g], k.Ptr[g+1]
		w := (*[6]float64)(u[6*g:])
		val := k.Val[p:q]
		for i, j := range k.Col[p:q] {
			y[j] += float64(sign * dot6(w, &val[i]))
		}
	}
}

func dot6(u, v *[6]float64) float64 {
	return (float64(u[0]*v[0]) + float64(u[1]*v[1]) + float64(u[2]*v[2])) + (float64(u[3]*v[3]) + float64(u[4]*v[4]) + float64(u[5]*v[5]))
}
