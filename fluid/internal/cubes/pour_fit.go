package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// findLying finds which pieces go on in a solid cell beside them, or beyond the domain: films and what leans on a wall.
func (p *pouring) findLying() {
	m := p.m
	var pts [6]r3.Vec
	var dist [6]float32
	for i := range p.shell {
		c := &p.shell[i]
		for k := range pts {
			pts[k] = r3.Add(c.centre, reproducible.Scale(float64(c.edge), reproducible.Vector(outwards[k])))
		}
		p.shape.Eval(dist[:], pts[:])
		k := &p.pieces[c.piece]
		for i, d := range &dist {
			if d < 0 && (!boxes.Contains(m.Domain, pts[i]) || m.Solids.Volume[m.Grid.CellAt(reproducible.Array(pts[i]))] == 0) {
				k.lies = true
			}
		}
	}
}

// tally measures what the cells of each piece hold, m³.
func (p *pouring) tally(to func(k *piece) *float64) {
	m := p.m
	for i := range p.pieces {
		*to(&p.pieces[i]) = 0
	}
	box := boxes.Grown(p.box, float64((ringsAround+1)*m.CellSize))
	m.Grid.EachBase(box, m.Set.Measure)
	m.Grid.EachBase(box, func(b int32) {
		first := m.Grid.Cur.First[b]
		parts := p.parts[:1<<(3*m.Grid.Cur.Level[b])]
		if !p.survey.fractions(0, b, parts) {
			return
		}
		for i, f := range parts {
			if k := p.piece[first+int32(i)]; k >= 0 && f > 0 {
				*to(&p.pieces[k]) += float64(f * m.Solids.Volume[first+int32(i)])
			}
		}
	})
}

// lack is by how much a piece holds too little, as a part of what it brings.
func (k *piece) lack() float64 {
	if !(k.volume > 0) {
		return 0
	}
	return 1 - (k.held-k.before)/k.volume
}

// fit moves the pieces until they have their litres, in so many rounds at most: try fills the shape in as it is moved. How much liquid there is may leap as a piece moves;
// then what is nearest is taken.
func (p *pouring) fit(rounds int, try func()) {
	for i := range p.pieces {
		k := &p.pieces[i]
		lack := k.lack()
		k.best, k.bestBy, k.tried = math.Abs(lack), 0, [2]bool{}
		if k.settled = k.settled || k.best <= pourTolerance; k.settled {
			continue
		}
		k.ends = [2]float64{float64(-mostShrinkage * k.edge), float64(mostGrowth * k.edge)}
		k.narrow(lack)
	}
	for range rounds {
		any := false
		for i := range p.pieces {
			if k := &p.pieces[i]; !k.settled {
				k.by, any = k.next(), true
			}
		}
		if !any {
			break
		}
		try()
		p.tally(func(k *piece) *float64 { return &k.held })
		for i := range p.pieces {
			if k := &p.pieces[i]; !k.settled {
				k.narrow(k.lack())
			}
		}
	}
	for i := range p.pieces {
		if k := &p.pieces[i]; !k.settled {
			k.by = k.bestBy
		}
	}
}

// narrow narrows the interval of a piece that lacks a part where it is.
func (k *piece) narrow(lack float64) {
	if off := math.Abs(lack); off < k.best {
		k.best, k.bestBy = off, k.by
		k.settled = off <= pourTolerance/2
	}
	end := 0
	if lack < 0 {
		end = 1
	}
	if k.tried[end] && k.last == end { // Illinois: the other end stays too long
		k.lacks[1-end] /= 2
	}
	k.ends[end], k.lacks[end], k.tried[end], k.last = k.by, lack, true, end
}

// next is where a piece is tried next: between two ends by what they lack, from one by the surface's area.
//
// Source: regula falsi, Dowell, Jarratt 1971.
func (k *piece) next() float64 {
	low, high := k.ends[0], k.ends[1]
	if k.tried[0] && k.tried[1] {
		part := k.lacks[0] / (k.lacks[0] - k.lacks[1])
		return low + float64(max(.05, min(.95, part))*(high-low))
	}
	by := float64(k.lacks[k.last]*k.volume) / max(k.area, float64(leastPoured*k.edge*k.edge))
	return max(low+float64(.02*(high-low)), min(high-float64(.02*(high-low)), k.by+by))
}

// tryOnField fills the shape in a level set's field, in which before is φ without it. Beyond the shape's box the distance is not restored.
func (p *pouring) tryOnField(before []float32) {
	m := p.m
	box := boxes.Grown(p.box, float64((mostGrowth+m.Set.Band)*m.CellSize))
	m.Grid.EachBase(box, func(b int32) {
		first, n := m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
		copy(m.Set.Phi[first:first+n], before[first:])
		m.Set.Measure(b)
	})
	m.Set.SetNear(p.eval, boxes.Grown(p.box, float64(mostGrowth*m.CellSize)), box)
}

// keepDepth is how deep, in cells, the deepest cell of a free piece must be for a level set to carry it.
const keepDepth = .5

// chooseLeft leaves those free pieces for drops that no row would move, or that a level set can't give their litres.
func (p *pouring) chooseLeft(contour bool) {
	for i := range p.pieces {
		k := &p.pieces[i]
		depth := k.depth + float32(k.by)
		switch {
		case k.attached || k.lies || !(k.volume > 0):
		case contour:
			k.left = depth <= 0
		default:
			k.left = depth < keepDepth*k.edge || k.best > 2*pourTolerance
		}
	}
}
