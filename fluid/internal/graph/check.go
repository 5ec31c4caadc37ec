package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// closureTolerance is what may be left of a closed cell's area vector, of its area: sums of some twenty products. Of cubes, whose edges are in single
// precision, it is cubeClosureTolerance.
const (
	closureTolerance     = 1e-12
	cubeClosureTolerance = 1e-5
)

// Check returns what is wrong with the graph, or nil. It is for tests and takes longer than to fill the graph.
//
// Sides must be rows, Air or quads; faces, at least one of whose sides is liquid, must be listed at their rows and nowhere else; volumes, areas
// and distances positive, but volumes of cubes, which have samples of what is solid, may be 0; K by ascending rows; aggregates numbered without gaps.
//
// Cells must be closed: the open parts of the faces, out of the cell, and K of all bodies, into them, add up to zero with the walls. Without Walls,
// and of cubes, the graph does not know what fixed solids take. Then K of a body must not be more than what the faces leave of the cell's
// sides: of cubes per axis, to 1e-5 of a side; of others it is not looked at.
func (g *Graph) Check() error {
	for _, check := range []func() error{g.checkLengths, g.checkRows, g.checkFaces, g.checkLists, g.checkBodies, g.checkClosed, g.checkLevels} {
		if err := check(); err != nil {
			return fmt.Errorf("graph: %w", err)
		}
	}
	return nil
}

func (g *Graph) checkLengths() error {
	rows := map[string]int{"Cell": len(g.Cell), "Size": len(g.Size), "Volume": len(g.Volume), "Centre": len(g.Centre)}
	faces := map[string]int{
		"B": len(g.B), "Slot": len(g.Slot), "Area": len(g.Area), "Dist": len(g.Dist), "Open": len(g.Open), "Jump": len(g.Jump), "U": len(g.U),
	}
	if g.cubic() {
		rows["Odd"], rows["Sides"], faces["Axis"] = len(g.Cubes.Red), len(g.Cubes.Sides), len(g.Cubes.Axis)
		if len(g.Cubes.Shares) != len(g.Cubes.Quads) || len(g.Cubes.Still) != len(g.Cubes.Quads) || len(g.Cubes.Regularised) != len(g.Cubes.Quads) {
			return fmt.Errorf("%d quads have %d shares, %d pressures of still liquid and %d ties", len(g.Cubes.Quads), len(g.Cubes.Shares), len(g.Cubes.Still), len(g.Cubes.Regularised))
		}
	} else {
		rows["FirstFace, less one,"] = len(g.FirstFace) - 1
		faces["Normals"], faces["FaceCentres"] = len(g.Normals), len(g.FaceCentres)
		if len(g.Cubes.Sides) > 0 || len(g.Cubes.Quads) > 0 {
			return fmt.Errorf("a graph that lists the faces of rows has the part that is for cubes only")
		}
	}
	if g.Walls != nil {
		rows["Walls"] = len(g.Walls)
	}
	if len(g.Held) > 0 {
		faces["Held"] = len(g.Held)
	}
	for name, n := range rows {
		if n != g.Rows {
			return fmt.Errorf("%s is for %d rows of %d", name, n, g.Rows)
		}
	}
	for name, n := range faces {
		if n != g.Faces() {
			return fmt.Errorf("%s is for %d faces of %d", name, n, g.Faces())
		}
	}
	return nil
}

func (g *Graph) checkRows() error {
	for r := range g.Rows {
		if v, h := g.Volume[r], g.Size[r]; !(v > 0 || v == 0 && g.cubic()) || !(h > 0) || !geom.Finite(float64(v)) || !geom.Finite(float64(h)) {
			return fmt.Errorf("row %d has a volume of %g m³ and a size of %g m", r, v, h)
		}
	}
	return nil
}

func (g *Graph) checkFaces() error {
	for f, a := range g.A {
		b, liquid := g.B[f], false
		for _, side := range [2]int32{a, b} {
			if side >= int32(g.Rows) || side < 0 && side != Air && int(^side) >= len(g.Cubes.Quads) {
				return fmt.Errorf("face %d has a side %d: there are %d rows and %d quads", f, side, g.Rows, len(g.Cubes.Quads))
			}
			for _, r := range g.onSide(side) {
				if r >= int32(g.Rows) || r < 0 && r != Air {
					return fmt.Errorf("face %d has row %d of %d in its quad", f, r, g.Rows)
				}
				liquid = liquid || r >= 0
			}
		}
		if !liquid || a == b {
			return fmt.Errorf("face %d is between %d and %d", f, a, b)
		}
		if area, dist, open := g.Area[f], g.Dist[f], g.Open[f]; !(area > 0) || !(dist > 0) || !(open >= 0 && open <= 1) || area-area != 0 || dist-dist != 0 {
			return fmt.Errorf("face %d: area %g m², distance %g m, open fraction %g", f, area, dist, open)
		}
		if !g.cubic() {
			if n := g.Normals[f]; !(math.Abs(geom.Dot(&n, &n)-1) < closureTolerance) {
				return fmt.Errorf("face %d has a normal %g that is not a unit vector", f, n)
			}
		} else if g.Cubes.Axis[f] > 2 {
			return fmt.Errorf("face %d has axis %d", f, g.Cubes.Axis[f])
		}
	}
	return nil
}

// checkLists tells whether rows list the faces that they are on, and those only.
func (g *Graph) checkLists() error {
	if !g.cubic() && (g.FirstFace[0] != 0 || int(g.FirstFace[g.Rows]) != len(g.RowFaces)) {
		return fmt.Errorf("the lists of faces go from %d to %d of %d", g.FirstFace[0], g.FirstFace[g.Rows], len(g.RowFaces))
	}
	listed := 0
	for r := range int32(g.Rows) {
		if !g.cubic() && !(0 <= g.FirstFace[r] && g.FirstFace[r] <= g.FirstFace[r+1]) {
			return fmt.Errorf("the faces of row %d go from %d to %d", r, g.FirstFace[r], g.FirstFace[r+1])
		}
		for i, f := range g.FacesOf(r) {
			if f == -1 && g.cubic() {
				continue
			}
			if f < 0 || int(f) >= g.Faces() {
				return fmt.Errorf("row %d has face %d of %d", r, f, g.Faces())
			}
			if g.cubic() && (int(g.Cubes.Axis[f]) != i/2 || !g.isOn(r, [2]int32{g.B[f], g.A[f]}[i&1])) || !g.isOn(r, g.A[f]) && !g.isOn(r, g.B[f]) {
				return fmt.Errorf("row %d lists face %d as its %d. one, which is between %d and %d", r, f, i, g.A[f], g.B[f])
			}
			listed++
		}
	}
	sides := 0
	for f, a := range g.A {
		for _, side := range [2]int32{a, g.B[f]} {
			for i, r := range g.onSide(side) {
				if r != Air && (i == 0 || side < 0) {
					sides++
				}
			}
		}
	}
	if listed != sides {
		return fmt.Errorf("rows list %d faces, and faces have %d rows on their sides", listed, sides)
	}
	return nil
}

// isOn tells whether a row is on a side.
func (g *Graph) isOn(r, side int32) bool {
	on := g.onSide(side)
	return on[0] == r || on[1] == r || on[2] == r || on[3] == r
}

func (g *Graph) checkBodies() error {
	for i := range g.Bodies {
		w := &g.Bodies[i]
		if len(w.K) != len(w.Row) || len(w.Gap) != 0 && len(w.Gap) != len(w.Row) {
			return fmt.Errorf("body %d: %d of K and %d gaps for %d rows", i, len(w.K), len(w.Gap), len(w.Row))
		}
		for e, r := range w.Row {
			if r < 0 || int(r) >= g.Rows || e > 0 && r <= w.Row[e-1] {
				return fmt.Errorf("body %d: row %d of %d is in its place %d", i, r, g.Rows, e)
			}
			for _, k := range w.K[e] {
				if k-k != 0 {
					return fmt.Errorf("body %d: K is %g in row %d", i, w.K[e], r)
				}
			}
		}
	}
	return nil
}

func (g *Graph) checkClosed() error {
	switch {
	case g.cubic():
		return g.checkCubes()
	case g.Walls == nil:
		return nil
	}
	left := slices.Clone(g.Walls)
	for i := range g.Bodies {
		w := &g.Bodies[i]
		for e, r := range w.Row {
			for d := range left[r] {
				left[r][d] += w.K[e][d]
				if len(w.Films) > 0 {
					left[r][d] -= w.Films[e][d]
				}
			}
		}
	}
	for r := range int32(g.Rows) {
		if err := g.checkCell(r, left[r]); err != nil {
			return err
		}
	}
	return nil
}

// checkCell tells whether a cell is closed, in which walls and bodies take an area vector left.
func (g *Graph) checkCell(r int32, left [3]float64) error {
	area := math.Sqrt(geom.Dot(&left, &left))
	for _, f := range g.FacesOf(r) {
		by := g.Area[f] * g.Open[f]
		if g.B[f] == r {
			by = -by
		}
		area += g.Area[f]
		for d, n := range g.Normals[f] {
			left[d] += float64(by * n)
		}
	}
	if off := math.Sqrt(geom.Dot(&left, &left)); !(off <= closureTolerance*area) {
		return fmt.Errorf("the cell of row %d is open by %g m² of %g m²", r, off, area)
	}
	return nil
}

// checkCubes tells whether a body takes of a cube's sides no more than its faces leave.
func (g *Graph) checkCubes() error {
	for i := range g.Bodies {
		w := &g.Bodies[i]
		for e, r := range w.Row {
			side := float64(g.Size[r]) * float64(g.Size[r])
			for axis := range 3 {
				lo, hi := float64(g.shut(r, 2*axis)*side), float64(g.shut(r, 2*axis+1)*side)
				k := w.K[e][axis]
				if len(w.Films) > 0 {
					k -= w.Films[e][axis]
				}
				if k > hi+float64(cubeClosureTolerance*side) || -k > lo+float64(cubeClosureTolerance*side) {
					return fmt.Errorf("body %d takes %g m² of row %d along %c, and faces leave %g and %g m²", i, k, r, "xyz"[axis], lo, hi)
				}
			}
		}
	}
	return nil
}

// shut is what is not open of a side of a cube, as a part of it.
func (g *Graph) shut(r int32, side int) float64 {
	if f := g.Cubes.Sides[r][side]; f >= 0 {
		return 1 - g.Open[f]
	}
	return 1
}

func (g *Graph) checkLevels() error {
	n := g.Rows
	for i := range g.Levels {
		l := &g.Levels[i]
		if len(l.Parent) != n || len(l.Size) != l.Count {
			return fmt.Errorf("level %d: %d parents of %d unknowns, %d sizes of %d", i, len(l.Parent), n, len(l.Size), l.Count)
		}
		next := int32(0)
		seen := make([]bool, l.Count)
		for u, p := range l.Parent {
			if p < 0 || int(p) >= l.Count || p > next {
				return fmt.Errorf("level %d: unknown %d has parent %d of %d", i, u, p, l.Count)
			}
			if !seen[p] {
				seen[p] = true
				next++
			}
		}
		if int(next) != l.Count {
			return fmt.Errorf("level %d: %d aggregates of %d are empty", i, l.Count-int(next), l.Count)
		}
		for u, h := range l.Size {
			if !(h > 0) {
				return fmt.Errorf("level %d: unknown %d has a size of %g m", i, u, h)
			}
		}
		n = l.Count
	}
	return nil
}
