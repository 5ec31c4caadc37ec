package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Opening is a shape through which liquid comes into the grid or goes out of it. It is filled as the volume allows that is to come: where that is
// too little for all of the shape, a ball about its deepest cell is. A shape that is too thin for the grid is grown.
type Opening struct {
	m       *Cells
	volumes *Volumes
	shape   shapes.SDF
	box     r3.Box // of the shape, m
	cells   []openingCell
	deepest openingCell
	cut     bool        // solids take some of a cell in or around the shape
	filled  filling     // what the last Fill has filled
	spot    shapes.Ball // scratch of FillAround
}

// openingCell is a cell in or around an opening.
type openingCell struct {
	cell        int32
	dist        float32 // from the shape, m
	edge        float32 // m
	before      float32 // φ before the last fill, m
	centre      r3.Vec  // m
	fromDeepest float64 // from the deepest cell's centre, m: see measureFromDeepest
}

// How deep, in cells, the centre of the deepest cell must be in a shape, which else is grown.
const (
	fillDepth = .75 // for the grid to keep the liquid that fills it
	drawDepth = .5  // for liquid to be drawn from the cell
)

// growth is by how much a shape must grow, m, for the cell to be so many cells deep in it; negative if it must shrink.
func (c *openingCell) growth(depth float32) float64 { return float64(c.dist + float32(depth*c.edge)) }

// filling is what of an opening is filled: what is in the shape grown by grow, m, and in a ball around the deepest cell, of radius ball, m.
type filling struct{ grow, ball float64 }

// distance is that of a cell's centre from what is filled, m.
func (f filling) distance(c *openingCell) float32 {
	d := c.dist - float32(f.grow)
	if math.IsInf(f.ball, 1) {
		return d
	}
	return max(d, float32(c.fromDeepest-f.ball))
}

// Opening is that of a shape, in scratch; nil if the shape reaches into no cell that solids leave open.
func (s *Sources) Opening(shape shapes.SDF) query.Opening {
	if o := s.read(shape); o != nil {
		return o
	}
	return nil
}

// read lists the open cells in and around a shape; nil if there are none.
func (s *Sources) read(shape shapes.SDF) *Opening {
	m := s.m
	o := &s.opening
	o.m, o.volumes, o.shape, o.box, o.cells = m, s.volumes, shape, shape.Bounds(), o.cells[:0]
	around := boxes.Grown(o.box, 2*m.CellSize)
	if !boxes.Overlap(around, m.Grid.Whole()) {
		return nil
	}
	some := false
	o.cut = false
	m.Grid.EachBase(around, func(b int32) {
		h := float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		pts := m.Centres.In(m.Grid, b, boxes.Grown(o.box, 2*float64(h)))
		if len(pts) == 0 {
			return
		}
		shape.Eval(m.Centres.Dist, pts)
		for i, d := range m.Centres.Dist[:len(pts)] {
			c := openingCell{cell: m.Centres.Cells[i], dist: d, edge: h, centre: pts[i]}
			if d > 2*h {
				continue
			}
			o.cut = o.cut || m.Solids.Volume[c.cell] < fullRoom*h*h*h
			if m.Solids.Volume[c.cell] == 0 {
				continue
			}
			o.cells = append(o.cells, c)
			if d < .866*h && (!some || c.growth(1) < o.deepest.growth(1)) {
				o.deepest, some = c, true
			}
		}
	})
	if !some {
		return nil
	}
	return o
}

// Place is the middle of the deepest cell, m.
func (o *Opening) Place() r3.Vec { return o.deepest.centre }

// FillGrowth is by how much the shape must grow, m, for the grid to keep the liquid that fills it.
func (o *Opening) FillGrowth() float64 { return max(0, o.deepest.growth(fillDepth)) }

// DrawGrowth is by how much the shape must grow, m, for liquid to be drawn from it.
func (o *Opening) DrawGrowth() float64 { return max(0, o.deepest.growth(drawDepth)) }

// whole is what is filled at most.
func (o *Opening) whole() filling { return filling{o.FillGrowth(), math.Inf(1)} }

// Capacity is how much liquid the opening holds when it is full, m³.
func (o *Opening) Capacity() float64 {
	_, whole := o.room(o.whole())
	return whole
}

// Fill fills the opening with a volume, m³, or more by up to slack: with all of it, or as much as there is room for. It returns what the
// liquid has grown by, measured as the ledger measures it. If the volume is enough for nothing that the grid keeps it returns, roughly, how much
// is needed instead.
func (o *Opening) Fill(volume, slack float64) (took, needed float64) {
	all := o.whole()
	if !(volume+slack > 0) { // more came before than was due
		return 0, 0
	}
	room, _ := o.room(all)
	o.volumes.beginTally(boxes.Grown(o.box, 2*o.m.CellSize))
	if took = o.fill(all); took <= volume+slack {
		return took, 0
	}
	part := room / took
	at := float64(max(0, volume) * part) // in the terms of room
	o.Empty()
	least := filling{o.deepest.growth(fillDepth), math.Inf(1)}
	if room, _ := o.room(least); room <= at {
		return o.fill(o.largest(at, least, all)), 0
	}
	o.measureFromDeepest()
	ball := filling{all.grow, float64(fillDepth * float64(o.deepest.edge))}
	room, _ = o.room(ball)
	if room > at {
		return 0, room / part
	}
	return o.fill(o.largest(at, ball, filling{all.grow, o.farthestFromDeepest()})), 0
}

// FillAround fills what is around a place, m, with a volume, m³, and books it. It returns what the liquid has grown by, 0 if the volume is too little
// for the grid.
func (s *Sources) FillAround(x r3.Vec, volume float64) (took float64) {
	m := s.m
	spot := &s.opening.spot
	*spot = shapes.Ball{Centre: x, Radius: .01 * m.CellSize}
	o := s.read(spot)
	if o == nil {
		return 0
	}
	if took, _ = o.Fill(volume, 0); took <= 0 {
		return 0
	}
	took = s.keep(took, track.NearestLabel)
	s.noteClaimed(r3.Vec{}) // drops that lie are slow
	s.volumes.GainAt(o.Place(), took)
	return took
}

// measureFromDeepest measures how far the opening's cells are from the deepest one.
func (o *Opening) measureFromDeepest() {
	for i := range o.cells {
		c := &o.cells[i]
		c.fromDeepest = reproducible.Norm(r3.Sub(c.centre, o.deepest.centre))
	}
}

// farthestFromDeepest is the radius of a ball that holds the opening, m.
func (o *Opening) farthestFromDeepest() (most float64) {
	for i := range o.cells {
		most = max(most, o.cells[i].fromDeepest)
	}
	return most + float64(2*o.m.CellSize)
}

// room is how much more liquid what is filled of the opening can hold, and all that it holds, m³.
func (o *Opening) room(f filling) (room, whole float64) {
	for i := range o.cells {
		c := &o.cells[i]
		v := float64(o.m.Solids.Volume[c.cell])
		full, has := float64(WetFraction(f.distance(c), c.edge)), float64(WetFraction(o.m.Set.Phi[c.cell], c.edge))
		room += float64(v * max(0, full-has))
		whole += float64(v * full)
	}
	return room, whole
}

// largest is what is filled, between two of which one is in the other, where there is room for a volume, m³.
func (o *Opening) largest(volume float64, least, most filling) filling {
	for range 20 {
		f := filling{(least.grow + most.grow) / 2, (least.ball + most.ball) / 2}
		if room, _ := o.room(f); room <= volume {
			least = f
		} else {
			most = f
		}
	}
	return least
}

// fill fills a part of the opening and returns what the liquid has grown by, m³.
func (o *Opening) fill(f filling) (took float64) {
	phi := o.m.Set.Phi
	o.filled = f
	for i := range o.cells {
		c := &o.cells[i]
		c.before = phi[c.cell]
		if d := f.distance(c); d < c.edge {
			phi[c.cell] = min(c.before, d)
		}
	}
	return o.volumes.countTally()
}

// Empty takes the last Fill back.
func (o *Opening) Empty() {
	for i := range o.cells {
		c := &o.cells[i]
		o.m.Set.Phi[c.cell] = c.before
	}
	o.volumes.countTally()
}

// Sealed tells whether the liquid at Place, in the last step, had no air to rise into.
func (o *Opening) Sealed() bool { return o.volumes.inSealed(o.deepest.cell) }

// bubble, in cells, is the radius of a bubble that the grid keeps.
const bubble = 1.5

// BubbleRadius is that of a bubble that the finest cells keep, m.
func (s *Sources) BubbleRadius() float64 { return bubble * s.m.CellSize }

// InsertBubble sets a bubble into the liquid at Place, if that takes no more liquid away than a volume, m³, and books and returns what it took.
func (o *Opening) InsertBubble(most float64) (took float64) {
	m := o.m
	o.eachInBubble(func(c int32, edge, air float32) {
		v := m.Set.Phi[c]
		took += float64(m.Solids.Volume[c] * (WetFraction(v, edge) - WetFraction(max(v, air), edge)))
	})
	if took > most {
		return 0
	}
	beside, deepest := o.deepest.cell, float32(0)
	o.eachInBubble(func(c int32, _, air float32) {
		v := &m.Set.Phi[c]
		if *v = max(*v, air); *v < deepest {
			beside, deepest = c, *v
		}
	})
	o.volumes.Gain(beside, -took)
	return took
}

// eachInBubble calls visit for the cells of the blocks that a bubble at Place reaches, with their edges and how deep in it they are, m.
func (o *Opening) eachInBubble(visit func(c int32, edge, deep float32)) {
	m, at := o.m, o.deepest.centre
	radius := bubble * float64(o.deepest.edge)
	m.Grid.EachBase(boxes.Grown(r3.Box{Min: at, Max: at}, radius), func(b int32) {
		first, edge := m.Grid.Cur.First[b], float32(m.Grid.CellSize(m.Grid.Cur.Level[b]))
		for i, x := range m.Centres.Of(m.Grid, b) {
			visit(first+int32(i), edge, float32(radius-reproducible.Norm(r3.Sub(x, at))))
		}
	})
}
