package physics

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// fieldBlock is the side of the blocks of cells that a field's tree is made of.
const fieldBlock = 4

// HeightFieldDef describes ground by its height over a grid.
type HeightFieldDef struct {
	// Columns along x and Rows along z of the grid's points, at least 2 each.
	Columns, Rows int
	// SpacingX and SpacingZ, m, from 1e-4: between points. The first is at the shape's origin.
	SpacingX, SpacingZ float64
	// Heights along y, m: Heights[row*Columns+column].
	Heights []float64
}

type heightField HeightFieldDef

// HeightField is all that lies below the ground of def, for static and kinematic bodies. It
// touches convex solids and open boxes. The slice is not kept.
func HeightField(def HeightFieldDef) Geometry {
	s, limit := newHeightField(def)
	return Geometry{kind: meshGeometry, surface: s, flaw: checkField(limit == "", "HeightField: def", any(nil), limit)}
}

func newHeightField(def HeightFieldDef) (*surface, string) {
	switch {
	case def.Columns < 2 || def.Rows < 2 || def.Columns > maxTriangles || def.Rows > maxTriangles:
		return nil, "at least 2 columns and 2 rows"
	case 2*def.Columns*def.Rows > maxTriangles:
		return nil, "at most 1<<24 triangles"
	case len(def.Heights) != def.Columns*def.Rows:
		return nil, "Columns × Rows heights"
	case !within(def.SpacingX, minSize, maxCoordinate) || !within(def.SpacingZ, minSize, maxCoordinate):
		return nil, "a spacing of 1e-4 to 1e6 m"
	}
	for _, h := range def.Heights {
		if !within(h, -maxCoordinate, maxCoordinate) {
			return nil, "finite heights within ±1e6 m"
		}
	}
	f := heightField(def)
	f.Heights = append([]float64(nil), def.Heights...)
	s := &surface{field: &f, closed: true}
	columns, rows := f.blocks()
	boxes := make([]r3.Box, 0, columns*rows)
	for b := range columns * rows {
		var box r3.Box
		first := true
		f.each(int32(b), func(i int32) {
			for _, v := range f.corners(i) {
				if p := (r3.Box{Min: v, Max: v}); first {
					box, first = p, false
				} else {
					box = union(box, p)
				}
			}
		})
		boxes = append(boxes, box)
	}
	s.tree = newBVH(boxes)
	s.bounds = s.tree.nodes[0].box
	s.bounds.Min.Y = -unbounded // it is solid all the way down
	return s, ""
}

// blocks is the number of blocks along x and z.
func (f *heightField) blocks() (columns, rows int) {
	return (f.Columns - 2 + fieldBlock) / fieldBlock, (f.Rows - 2 + fieldBlock) / fieldBlock
}

// each calls visit with the triangles of a block: of each cell 2c, at its low corner, and
// 2c+1, at its high one.
func (f *heightField) each(block int32, visit func(i int32)) {
	columns, _ := f.blocks()
	x, z := int(block)%columns*fieldBlock, int(block)/columns*fieldBlock
	for r := z; r < min(z+fieldBlock, f.Rows-1); r++ {
		for c := x; c < min(x+fieldBlock, f.Columns-1); c++ {
			i := int32(2 * (r*(f.Columns-1) + c))
			visit(i)
			visit(i + 1)
		}
	}
}

func (f *heightField) point(c, r int) r3.Vec {
	return r3.Vec{X: float64(c) * f.SpacingX, Y: f.Heights[r*f.Columns+c], Z: float64(r) * f.SpacingZ}
}

// cell is where triangle i is, and which of the two it is.
func (f *heightField) cell(i int32) (c, r int, high bool) {
	k := int(i) / 2
	return k % (f.Columns - 1), k / (f.Columns - 1), i&1 == 1
}

func (f *heightField) corners(i int32) [3]r3.Vec {
	c, r, high := f.cell(i)
	if high {
		return [3]r3.Vec{f.point(c+1, r+1), f.point(c+1, r), f.point(c, r+1)}
	}
	return [3]r3.Vec{f.point(c, r), f.point(c, r+1), f.point(c+1, r)}
}

// acrossEdge is the triangle across edge k of triangle i: the next cell along x, the other one
// of the cell, the next cell along z.
func (f *heightField) acrossEdge(i int32, k int) int32 {
	c, r, high := f.cell(i)
	step := -1
	if high {
		step = 1
	}
	switch k {
	case 0:
		c += step
	case 2:
		r += step
	}
	if c < 0 || r < 0 || c >= f.Columns-1 || r >= f.Rows-1 {
		return -1
	}
	j := int32(2 * (r*(f.Columns-1) + c))
	if !high {
		j++
	}
	return j
}

// height is that of the ground at x, z, which lie within the field.
func (f *heightField) height(x, z float64) float64 {
	u, v := x/f.SpacingX, z/f.SpacingZ
	c, r := max(0, min(int(u), f.Columns-2)), max(0, min(int(v), f.Rows-2))
	u, v = u-float64(c), v-float64(r)
	if u+v <= 1 {
		o := f.point(c, r).Y
		return o + float64(u*(f.point(c+1, r).Y-o)) + float64(v*(f.point(c, r+1).Y-o))
	}
	o := f.point(c+1, r+1).Y
	return o + float64((1-u)*(f.point(c, r+1).Y-o)) + float64((1-v)*(f.point(c+1, r).Y-o))
}

// signed is the signed distance of p to the ground, whose surface is at the given distance,
// and the upright walls around it, which reach down without end.
func (f *heightField) signed(p r3.Vec, surface float64) float64 {
	x, z := float64(float64(f.Columns-1)*f.SpacingX), float64(float64(f.Rows-1)*f.SpacingZ)
	at := r3.Vec{X: max(0, min(p.X, x)), Z: max(0, min(p.Z, z))}
	below := p.Y < f.height(at.X, at.Z)
	switch wall := hypot(p.X-at.X, p.Z-at.Z); {
	case !below:
		return surface
	case wall > 0:
		return min(surface, wall)
	}
	return -min(surface, p.X, x-p.X, p.Z, z-p.Z)
}
