package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// CellFace is a face of a cell, with three or four corners, for overlays.
type CellFace struct {
	Corners [4]r3.Vec // m, counter-clockwise seen from outside of the cell
	Count   int       // of Corners
	Level   int       // of the cell's size, 0 the finest
	Wet     bool      // the cell's middle is in the liquid
}

// CutAway appends the faces that a cut through the cells lays bare, for an overlay, and returns dst. The cells whose middle is in front of the plane
// through point, m, where normal, of any length but 0, points to, are cut away: the faces are those of the others that lay between the two.
// Whatever the cells are, a plane along two axes shows cubes as squares (Kim, Ihm, Cha 2006, Figure 5).
func (l *Liquid) CutAway(dst []CellFace, point, normal r3.Vec) ([]CellFace, error) {
	defer l.enter(&callguard.CutAway).leave()
	plane, err := query.NewPlane(point, normal)
	if err != nil {
		return dst, fmt.Errorf("fluid: CutAway: %w", err)
	}
	can := l.sim.can.Cut
	if err := l.sim.mustBeAble("CutAway", can != nil); err != nil {
		return dst, err
	}
	l.sim.query.faces = can.AppendCutAway(l.sim.query.faces[:0], plane)
	for _, f := range l.sim.query.faces {
		dst = append(dst, CellFace(f))
	}
	return dst, nil
}
