package controls

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// painted is the weights that a game has given, and what is made of them.
type painted struct {
	given     []float32 // per vertex; none if all are 1
	smoothing int
	smooth    []float32 // per vertex: given, smoothed
	sum       uint64    // a fingerprint of them
	own, near []float32 // scratch
}

// is tells whether these are the weights of a definition.
func (w *painted) is(d *control.Def) bool {
	return w.smoothing == d.Smoothing && slices.Equal(w.given, d.Weights)
}

// set takes the weights of a definition for a surface with these triangles.
func (w *painted) set(d *control.Def, triangles [][3]int32) {
	w.given, w.smoothing = append(w.given[:0], d.Weights...), d.Smoothing
	w.smooth = append(w.smooth[:0], d.Weights...)
	if len(d.Weights) > 0 {
		w.spread(triangles)
	}
	w.sum = 0
	var b [4]byte
	for _, x := range w.smooth {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
		w.sum = codec.Checksum(w.sum, b[:])
	}
}

// spread smooths weights over a surface in steps of the heat equation: in each, a vertex takes half of what its neighbours have on the mean more.
func (w *painted) spread(triangles [][3]int32) {
	now := w.smooth
	w.own, w.near = arrays.Resize(w.own, len(now)), arrays.Resize(w.near, len(now))
	for range w.smoothing {
		clear(w.own)
		clear(w.near)
		for _, t := range triangles {
			for k := range 3 {
				a, b := t[k], t[(k+1)%3]
				w.near[a] += now[b]
				w.near[b] += now[a]
				w.own[a]++
				w.own[b]++
			}
		}
		for i := range now {
			if w.own[i] > 0 {
				now[i] += float32(.5 * (w.near[i]/w.own[i] - now[i]))
			}
		}
	}
}

// copyTo makes dst the same.
func (w *painted) copyTo(dst *painted) {
	dst.given, dst.smoothing, dst.sum = append(dst.given[:0], w.given...), w.smoothing, w.sum
	dst.smooth = append(dst.smooth[:0], w.smooth...)
}

// mustFit returns an error unless weights are as many as vertices.
func mustFit(weights []float32, vertices int) error {
	if weights != nil && len(weights) != vertices {
		return fmt.Errorf("Weights are for %d vertices; Clip has %d", len(weights), vertices)
	}
	return nil
}
