package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// pouring has thin liquid that is filled in hold the litres of its shape. Distances at cells' centres, or at a contour's samples, cut off what bends between
// them: of a ball of one cell in radius a level set holds 40 %. Each connected piece of the shape that is thin is moved outwards evenly until it holds
// what it should. A free piece that the cells can't carry so is left out, for drops.
type pouring struct {
	m       *Cells
	survey  *Survey
	surface *Surface

	shape  shapes.SDF
	solids []query.Solid // around it
	box    r3.Box        // of the shape, within the domain, m
	shell  []shellCell   // open cells at the shape's surface
	piece  []int32       // per cell: its piece, or one of the marks below
	pieces []piece

	pts   []r3.Vec // scratch of measure
	dist  []float32
	other []float32
	solid []float32
	leafs []r3.Vec
	parts [layout.Edge * layout.Edge * layout.Edge]float32
}

// Marks of cells beside the numbers of their pieces.
const (
	ofNoPiece int32 = -1 - iota
	atShell         // it is in shell, and its piece is not known yet
)

// shellCell is an open cell that the surface of the shape may pass, or near one.
type shellCell struct {
	cell   int32
	piece  int32
	depth  float32 // of its centre in the shape, m
	edge   float32 // m
	centre r3.Vec  // m
}

// piece is a connected part of the shape.
type piece struct {
	volume    float64    // that it brings, m³
	area      float64    // of its surface, m²
	moment    r3.Vec     // of its volume, m⁴
	low, high r3.Vec     // the centres of its cells, m
	depth     float32    // of the deepest centre of a cell that solids leave open, m
	lies      bool       // it goes on in a solid
	edge      float32    // of a cell, m
	cells     int        // how many
	coarse    bool       // it goes on in coarser cells
	attached  bool       // it is at liquid that was there before
	before    float64    // what its cells held before, and
	held      float64    // what they hold, m³
	by        float64    // how far its surface is moved outwards, m: between
	ends      [2]float64 // these,
	lacks     [2]float64 // where such a part lacks
	tried     [2]bool    // if it was tried there,
	last      int        // last at this one
	best      float64    // the least part that lacks, at
	bestBy    float64    // this
	settled   bool       // by is final
	left      bool       // it is left for drops
}

const (
	// A piece whose deepest cell's centre is as deep as thickPiece, in cells, is left as it is. shellDepth is how deep its shell is looked for.
	thickPiece, shellDepth = 1.75, 3
	// leastPoured is what a piece must bring, in cells, to be moved.
	leastPoured = 1e-3
	// pourTolerance is by which part the litres of a piece may be off.
	pourTolerance = 2e-3
	// mostGrowth and mostShrinkage are how far, in cells, a piece is moved out or in.
	mostGrowth, mostShrinkage = 1.5, .5
	// pourRounds is how often the pieces of a level set are moved,
	pourRounds = 12
	// and contourRounds those of another tracker, for which that is much more work.
	contourRounds = 6
	// ringsAround is how many layers of cells around a piece move with it.
	ringsAround = 2
)

// read finds the thin pieces of a shape, and tells whether there are any.
func (p *pouring) read(s shapes.SDF, solids []query.Solid) bool {
	m := p.m
	p.shape = s
	p.box = s.Bounds()
	p.box = boxes.Ordered(r3.Box{Min: boxes.Max(p.box.Min, m.Grid.Whole().Min), Max: boxes.Min(p.box.Max, m.Grid.Whole().Max)})
	p.piece = make([]int32, m.Grid.Cells())
	for i := range p.piece {
		p.piece[i] = ofNoPiece
	}
	p.findShell()
	p.findPieces()
	p.solids = p.solids[:0]
	for i := range solids {
		if boxes.Overlap(boxes.Grown(p.box, m.CellSize), solids[i].Bounds) {
			p.solids = append(p.solids, solids[i])
		}
	}
	return p.dropThick()
}

// findShell lists the open cells that the shape reaches into and that are not deep in it.
func (p *pouring) findShell() {
	m := p.m
	p.shell = p.shell[:0]
	m.Grid.EachBase(p.box, func(b int32) {
		h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		pts := m.Centres.In(m.Grid, b, boxes.Grown(p.box, float64(h)))
		if len(pts) == 0 {
			return
		}
		p.shape.Eval(m.Centres.Dist, pts)
		for i, d := range m.Centres.Dist[:len(pts)] {
			if c := m.Centres.Cells[i]; d < halfDiagonal*h && d > -shellDepth*h && m.Solids.Volume[c] > 0 {
				p.piece[c] = atShell
				p.shell = append(p.shell, shellCell{cell: c, depth: -d, edge: h, centre: pts[i]})
			}
		}
	})
}

// findPieces gives connected cells of the shell the number of their piece.
func (p *pouring) findPieces() {
	m := p.m
	p.pieces = p.pieces[:0]
	index := map[int32]int32{}
	for i := range p.shell {
		index[p.shell[i].cell] = int32(i)
	}
	var todo []int32
	for i := range p.shell {
		if p.piece[p.shell[i].cell] != atShell {
			continue
		}
		k := int32(len(p.pieces))
		p.pieces = append(p.pieces, piece{low: p.shell[i].centre, high: p.shell[i].centre, edge: p.shell[i].edge, depth: -p.shell[i].edge})
		p.piece[p.shell[i].cell] = k
		todo = append(todo[:0], int32(i))
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			c := &p.shell[at]
			p.pieces[k].add(c, m.Set.Phi[c.cell])
			c.piece = k
			p.eachAround(c.centre, float64(c.edge), func(beside int32, _ r3.Vec) {
				switch of := p.piece[beside]; {
				case of == atShell:
					p.piece[beside] = k
					todo = append(todo, index[beside])
				case of >= 0 && of != k: // across levels: what is thin is in finest cells alone
					p.pieces[of].coarse, p.pieces[k].coarse = true, true
				}
			})
		}
	}
}

// eachAround visits the cells around one at a place, of an edge, and the places in them where its like would be.
func (p *pouring) eachAround(x r3.Vec, edge float64, visit func(cell int32, at r3.Vec)) {
	whole := p.m.Grid.Whole()
	for _, step := range &outwards {
		at := r3.Add(x, reproducible.Scale(edge, reproducible.Vector(step)))
		if boxes.Contains(whole, at) {
			visit(p.m.Grid.CellAt(reproducible.Array(at)), at)
		}
	}
}

// add adds a cell with a distance to the liquid that was there before, m.
func (k *piece) add(c *shellCell, before float32) {
	k.cells++
	k.low, k.high = boxes.Min(k.low, c.centre), boxes.Max(k.high, c.centre)
	k.edge = min(k.edge, c.edge)
	k.depth = max(k.depth, c.depth)
	k.attached = k.attached || before < c.edge/2
}

// dropThick forgets the pieces that are thick, and tells whether others are left.
func (p *pouring) dropThick() (any bool) {
	for i := range p.pieces {
		k := &p.pieces[i]
		if k.settled = k.coarse || k.depth >= thickPiece*k.edge; !k.settled {
			any = true
		}
	}
	n := 0
	for i := range p.shell {
		c := &p.shell[i]
		if p.pieces[c.piece].settled {
			p.piece[c.cell] = ofNoPiece
			continue
		}
		p.shell[n] = *c
		n++
	}
	p.shell = p.shell[:n]
	return any
}

// widen has the cells around each piece move with it.
func (p *pouring) widen() {
	type ring struct {
		at   r3.Vec
		edge float32
		k    int32
	}
	var now, next []ring
	for i := range p.shell {
		c := &p.shell[i]
		now = append(now, ring{c.centre, c.edge, c.piece})
	}
	for range ringsAround {
		next = next[:0]
		for _, r := range now {
			p.eachAround(r.at, float64(r.edge), func(c int32, at r3.Vec) {
				if p.piece[c] == ofNoPiece {
					p.piece[c] = r.k
					next = append(next, ring{at, r.edge, r.k})
				}
			})
		}
		now, next = next, now
	}
}

// end lets go of the shape, and of what is kept per cell.
func (p *pouring) end() { p.shape, p.piece = nil, nil }

// eval writes the distances of the shape with its pieces moved, and without those that are left out.
func (p *pouring) eval(dst []float32, pts []r3.Vec) {
	m := p.m
	p.shape.Eval(dst, pts)
	for i, x := range pts {
		k := p.piece[m.Grid.CellAt(reproducible.Array(x))]
		if k < 0 {
			continue
		}
		if k := &p.pieces[k]; k.left {
			dst[i] = max(dst[i], thickPiece*k.edge)
		} else {
			dst[i] -= float32(k.by)
		}
	}
}

// grown is the shape as it is filled in.
type grown struct{ p *pouring }

func (g grown) Eval(dst []float32, pts []r3.Vec) { g.p.eval(dst, pts) }
func (g grown) Bounds() r3.Box {
	return boxes.Grown(g.p.shape.Bounds(), float64(mostGrowth*g.p.m.CellSize))
}

// drops are what is left of the pieces: a compact one is one drop, of others each cell has some.
func (p *pouring) drops(velocity func(x r3.Vec) r3.Vec) (all []droplets.Drop) {
	for i := range p.pieces {
		k := &p.pieces[i]
		if !k.left || !(k.volume > 0) {
			continue
		}
		if size := r3.Sub(k.high, k.low); max(size.X, size.Y, size.Z) < float64(compact*k.edge) {
			x := reproducible.Scale(1/k.volume, k.moment)
			all = append(all, droplets.Drop{X: x, V: velocity(x), Volume: k.volume})
			continue
		}
		for j := range p.shell {
			if c := &p.shell[j]; c.piece == int32(i) {
				if v, moment := p.measureCell(c, nil); v > 0 {
					x := reproducible.Scale(1/v, moment)
					all = append(all, droplets.Drop{X: x, V: velocity(x), Volume: v})
				}
			}
		}
	}
	return all
}

// compact is how far apart, in cells, the centres of the cells are at most that a single drop reaches into.
const compact = 3.5

// begin reads a shape that is to be filled in, and tells whether pieces of it are thin. end must follow then.
func (p *pouring) begin(s shapes.SDF, solids []query.Solid) bool {
	if !p.read(s, solids) {
		p.end()
		return false
	}
	p.measure()
	p.findLying()
	for i := range p.pieces {
		// What solids leave of a film on them its cells measure better than the cuts.
		k := &p.pieces[i]
		k.settled = k.settled || k.volume < float64(leastPoured*k.edge*k.edge*k.edge) || k.lies && len(p.solids) > 0
	}
	p.widen()
	p.tally(func(k *piece) *float64 { return &k.before })
	return true
}

// without is the shape without the pieces that a contour leaves for drops.
func (p *pouring) without() shapes.SDF {
	p.chooseLeft(true)
	if !p.changes() {
		return p.shape
	}
	return grown{p}
}

// changes tells whether pieces are moved or left out.
func (p *pouring) changes() bool {
	for i := range p.pieces {
		if k := &p.pieces[i]; k.left || k.by != 0 {
			return true
		}
	}
	return false
}
