package bem

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Harmonic sets dst, by face, to the field without divergence and curl inside that the boundary's sources of u make, in the mean over each face, seen from inside:
//
//	∇∮ n·u/(4πr) - ∇×∮ n×u/(4πr).
//
// A field u that has neither is that itself, up to the error: exactly if it is constant. dst and u may be the same. It returns ErrTooMany beyond directFaces.
//
// Source: Da, Hahn, Batty, Wojtan, Grinspun 2016, section 4.1, after Helmholtz. What a panel does to itself, and to a constant, follows from a constant field: f (n·w) - f×(n×w), summed over the other panels with f their
// fields and w the difference to the own value, is added to that.
func (l *Layers) Harmonic(dst, u []r3.Vec) error {
	if len(dst) != len(l.panels) || len(u) != len(l.panels) {
		panic(fmt.Sprintf("bem: %d and %d vectors for %d faces", len(dst), len(u), len(l.panels)))
	}
	if len(l.tree.expanded) > 0 {
		return fmt.Errorf("%w: %d, at most %d", ErrTooMany, len(l.panels), directFaces)
	}
	for i := range l.slope {
		l.slope[i] = r3.Vec{}
	}
	for k := range l.near {
		n := &l.near[k]
		l.induce(n.i, n.j, n.field, u)
	}
	for k := range l.far {
		f := &l.far[k]
		l.induce(f.i, f.j, f.field, u)
	}
	for i, f := range l.face {
		dst[f] = u[f]
		if a := l.panels[i].area; a > 0 {
			dst[f] = r3.Add(u[f], reproducible.Scale(1/(4*math.Pi*a), l.slope[i]))
		}
	}
	return nil
}

// induce adds to slope what two panels do to each other, of which field is ∫∫ (y-x)/r³.
func (l *Layers) induce(i, j int32, field r3.Vec, u []r3.Vec) {
	w := r3.Sub(u[l.face[j]], u[l.face[i]])
	l.slope[i] = r3.Add(l.slope[i], source(field, l.panels[j].normal, w))
	l.slope[j] = r3.Add(l.slope[j], source(field, l.panels[i].normal, w)) // both change their signs
}

// source returns f (n·w) - f×(n×w).
func source(f, n, w r3.Vec) r3.Vec {
	sum := r3.Add(reproducible.Scale(reproducible.Dot(n, w), f), reproducible.Scale(reproducible.Dot(f, n), w))
	return r3.Sub(sum, reproducible.Scale(reproducible.Dot(f, w), n))
}
